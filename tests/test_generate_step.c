/* Generation in lessons: steps print how they chose, their pictures show it, and bad
 * options are reported with their position. */
#include "close.h"
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/load/load.h"
#include "lesson/model/generate_step.h"
#include "lesson_text.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"
#include "picture/stage/page_content.h"
#include "scene_find.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <stdlib.h>

/* The lesson with every rule, and a player on it. */
typedef struct Fixture {
    CourseFiles files;
    Lesson *lesson;
    Player player;
} Fixture;

static int load(void **state) {
    Fixture *said = calloc(1, sizeof *said);
    assert_non_null(said);
    course_begin(&said->files);
    course_load_lesson(&said->files, "tests/lessons/generate.yaml");
    said->lesson = said->files.lessons[0];
    assert_true(player_init(&said->player, said->lesson));
    *state = said;
    return 0;
}

static int unload(void **state) {
    Fixture *at = *state;
    course_finish(&at->files);
    free(at);
    return 0;
}

static const LessonGenerate *generation(const Lesson *lesson, const char *name) {
    for (size_t i = 0; i < lesson->step_count; i++) {
        const LessonGenerate *generate = lesson->steps[i].generate;
        if (generate && strcmp(generate->name, name) == 0)
            return generate;
    }
    fail_msg("there is no generation '%s'", name);
    return NULL;
}

static const Tensor *tensor(const Lesson *lesson, size_t node) {
    return &tape_node(lesson->tape, node)->output;
}

static const Tensor *named(const Lesson *lesson, const char *name) {
    size_t node = tape_find(lesson->tape, name);
    assert_true(node != TAPE_NONE);
    return tensor(lesson, node);
}

static const char *const decoded[] = {"said", "kept", "drawn", "one"};

/* ---- what was said is what the turns' nodes say ---- */

/* Returns true if a token keeps its probability; with greedy decoding, which takes the
 * largest, all do. */
static bool is_kept(const Lesson *lesson, const Generated *said, const DecodingStep *turn,
                    size_t word) {
    return said->options.rule == GENERATE_GREEDY ||
           candidate_fate(said, lesson->tape, turn->first + word) == CANDIDATE_KEPT;
}

/* The softmax of a turn's logits divided by its temperature. */
static void plain_shares(const Generated *said, const Tensor *logits, double *shares) {
    double total = 0, largest = -INFINITY, temperature = said->options.temperature;
    for (size_t i = 0; i < said->word_count; i++)
        largest = fmax(largest, logits->values[i] / temperature);
    for (size_t i = 0; i < said->word_count; i++)
        total += shares[i] = exp(logits->values[i] / temperature - largest);
    for (size_t i = 0; i < said->word_count; i++)
        shares[i] /= total;
}

static void test_chances_are_the_softmax_of_the_words_that_stay(void **state) {
    const Fixture *at = *state;
    size_t cut = 0;
    for (size_t g = 0; g < sizeof decoded / sizeof *decoded; g++) {
        const Generated *said = &generation(at->lesson, decoded[g])->generated;
        for (size_t i = 0; i < said->step_count; i++) {
            const DecodingStep *turn = &said->steps[i];
            const Tensor *shares = tensor(at->lesson, turn->all_probabilities);
            double plain[64], total = 0;
            plain_shares(said, tensor(at->lesson, turn->logits), plain);
            assert_close(shares->values, plain, said->word_count, 1e-14);
            for (size_t j = 0; j < said->word_count; j++)
                total += is_kept(at->lesson, said, turn, j) ? plain[j] : 0;
            for (size_t j = 0; j < said->word_count; j++) {
                bool kept = is_kept(at->lesson, said, turn, j);
                double chance = kept ? plain[j] / total : 0;
                cut += !kept;
                assert_close(&tensor(at->lesson, turn->probabilities)->values[j], &chance,
                             1, 1e-14);
            }
        }
    }
    assert_true(cut > 10);
}

/* Of seven words: five stay of top-k, of those as many as reach the share of top-p. */
static void test_words_are_cut_by_the_rule_that_is_named(void **state) {
    const Fixture *at = *state;
    const Generated *said = &generation(at->lesson, "drawn")->generated;
    size_t by_k = 0, by_p = 0;
    for (size_t i = 0; i < said->step_count; i++) {
        const DecodingStep *turn = &said->steps[i];
        double plain[64], reached = 0, kept_share = 0, least = 1, stays = 0;
        size_t past_k = 0;
        plain_shares(said, tensor(at->lesson, turn->logits), plain);
        for (size_t j = 0; j < said->word_count; j++) {
            CandidateFate fate = candidate_fate(said, at->lesson->tape, turn->first + j);
            past_k += fate == CANDIDATE_PAST_TOP_K;
            by_p += fate == CANDIDATE_PAST_TOP_P;
            stays += fate != CANDIDATE_PAST_TOP_K ? plain[j] : 0;
            if (fate == CANDIDATE_KEPT) {
                reached += plain[j];
                least = fmin(least, plain[j]);
            }
        }
        for (size_t j = 0; j < said->word_count; j++) {
            CandidateFate fate = candidate_fate(said, at->lesson->tape, turn->first + j);
            kept_share += fate == CANDIDATE_KEPT ? plain[j] : 0;
            assert_true(fate == CANDIDATE_KEPT || plain[j] <= least);
        }
        assert_int_equal(past_k, said->word_count - 5);
        assert_true(kept_share >= 0.8 * stays && reached - least < 0.8 * stays);
        by_k += past_k;
    }
    assert_true(by_k > 0);
    assert_true(by_p > 0);
}

static void test_a_tensor_of_all_turns_has_the_logits_that_they_chose_by(void **state) {
    const Fixture *at = *state;
    for (size_t g = 0; g < sizeof decoded / sizeof *decoded; g++) {
        const Generated *said = &generation(at->lesson, decoded[g])->generated;
        char name[64];
        snprintf(name, sizeof name, "logits_%s", decoded[g]);
        const Tensor *all = named(at->lesson, name);
        assert_int_equal(all->rows, said->step_count);
        for (size_t i = 0; i < said->step_count; i++) {
            snprintf(name, sizeof name, "%s.turn_%zu.next_logits", decoded[g], i + 1);
            assert_close(all->values + i * all->cols, named(at->lesson, name)->values,
                         all->cols, 0);
        }
    }
}

static void test_greedy_takes_the_largest_chance_in_every_turn(void **state) {
    const Fixture *at = *state;
    const Generated *said = &generation(at->lesson, "said")->generated;
    assert_true(said->step_count > 1);
    for (size_t i = 0; i < said->step_count; i++) {
        const Tensor *chances = tensor(at->lesson, said->steps[i].probabilities);
        size_t chosen = said->ids[i] - said->first_output;
        for (size_t j = 0; j < chances->cols; j++)
            assert_true(chances->values[chosen] >= chances->values[j]);
        assert_int_equal(generated_token(said, said->steps[i].chosen[0]), said->ids[i]);
    }
}

static void test_each_turn_reads_the_text_before_and_the_word_said(void **state) {
    const Fixture *at = *state;
    for (size_t g = 0; g < sizeof decoded / sizeof *decoded; g++) {
        const LessonGenerate *generate = generation(at->lesson, decoded[g]);
        const Generated *said = &generate->generated;
        for (size_t i = 1; i < said->step_count; i++) {
            const Tensor *before = tensor(at->lesson, said->steps[i - 1].ids[0]);
            const Tensor *ids = tensor(at->lesson, said->steps[i].ids[0]);
            assert_int_equal(ids->cols, before->cols + 1);
            assert_memory_equal(ids->values, before->values,
                                before->cols * sizeof(double));
            assert_true(ids->values[before->cols] == (double)said->ids[i - 1]);
            assert_string_equal(ids->col_labels[before->cols],
                                lesson_generated_token(generate, said->ids[i - 1]));
        }
    }
    const Generated *one = &generation(at->lesson, "one")->generated;
    const Tensor *ids = tensor(at->lesson, one->steps[0].ids[0]);
    assert_int_equal(ids->cols, 3); /* a list has its start put before it, too */
    assert_string_equal(ids->col_labels[0], "<sos>");
    assert_string_equal(ids->col_labels[2], "brings");
}

/* The sum of the logs of the chances on a text's way, one by one. */
static void test_a_beams_totals_are_sums_over_the_words_of_a_text(void **state) {
    const Fixture *at = *state;
    const char *const names[] = {"tree", "fair"};
    for (size_t g = 0; g < 2; g++) {
        const Generated *said = &generation(at->lesson, names[g])->generated;
        for (size_t t = 0; t < said->step_count; t++) {
            const DecodingStep *turn = &said->steps[t];
            size_t count = turn->text_count * said->word_count;
            for (size_t i = turn->first; i < turn->first + count; i++) {
                double sum = 0;
                GeneratedCell cell;
                for (size_t text = i; generated_cell(said, text, &cell);
                     text = generated_parent(said, text))
                    sum += log(tensor_at(
                        tensor(at->lesson, said->steps[cell.step].probabilities),
                        cell.row, cell.col));
                assert_true(generated_cell(said, i, &cell));
                const Tensor *totals = tensor(at->lesson, turn->result);
                double total = tensor_at(totals, cell.row, cell.col);
                assert_close(&total, &sum, 1, 1e-12);
            }
        }
        size_t ids[8];
        generated_ids(said, said->best, ids);
        assert_memory_equal(said->ids, ids, said->count * sizeof *ids);
    }
}

static void test_a_cache_says_the_same_with_fewer_multiplications(void **state) {
    const Fixture *at = *state;
    const Generated *plain = &generation(at->lesson, "said")->generated;
    const Generated *kept = &generation(at->lesson, "kept")->generated;
    const Tensor *difference = named(at->lesson, "difference");
    assert_int_equal(plain->count, kept->count);
    for (size_t i = 0; i < plain->count; i++)
        assert_int_equal(plain->ids[i], kept->ids[i]);
    for (size_t i = 0; i < tensor_cells(difference); i++)
        assert_true(difference->values[i] == 0);
    const Tensor *many = named(at->lesson, "cost_said");
    const Tensor *few = named(at->lesson, "cost_kept");
    for (size_t i = 0; i < many->cols; i++) {
        assert_true(many->values[i] == (double)plain->steps[i].multiplications);
        assert_true(few->values[i] == (double)kept->steps[i].multiplications);
        assert_true(i == 0 || few->values[i] < many->values[i]);
        assert_int_equal(kept->steps[i].without_cache, plain->steps[i].multiplications);
        assert_int_equal(plain->steps[i].without_cache, plain->steps[i].multiplications);
    }
    assert_int_equal(kept->without_cache, plain->multiplications);
    assert_true(kept->multiplications < plain->multiplications);
}

/* Numbers that the course's texts contain. */
static void test_lesson_23_counts_what_a_cache_saves(void **state) {
    static const double many[] = {3684, 4284, 4908, 5556};
    static const double few[] = {3684, 588, 600, 612};
    char path[512];
    ErrorList errors = {0};
    snprintf(path, sizeof path, "%s/lessons/28-kv-cache.yaml",
             getenv("GLASSFORMER_SOURCE"));
    Lesson *lesson = lesson_load(path, NULL, &errors);
    assert_non_null(lesson);
    assert_int_equal(named(lesson, "cost_plain")->cols, 4);
    assert_close(named(lesson, "cost_plain")->values, many, 4, 0);
    assert_close(named(lesson, "cost_kept")->values, few, 4, 0);
    /* the last turn's rows are what they were in the turns when they were new */
    size_t gap = tape_find(lesson->tape, "difference");
    assert_int_equal(tape_node(lesson->tape, gap)->inputs[0],
                     tape_find(lesson->tape, "plain.turn_4.logits"));
    for (size_t i = 0; i < tensor_cells(tensor(lesson, gap)); i++)
        assert_true(tensor(lesson, gap)->values[i] == 0);
    lesson_destroy(lesson);
}

static void test_draws_come_near_the_chances_and_nowhere_else(void **state) {
    const Fixture *at = *state;
    const LessonGenerate *generate = generation(at->lesson, "drawn");
    const Tensor *drawn = tensor(at->lesson, generate->drawn);
    assert_int_equal(drawn->rows, generate->generated.step_count);
    for (size_t i = 0; i < drawn->rows; i++) {
        const Tensor *chances =
            tensor(at->lesson, generate->generated.steps[i].probabilities);
        double sum = 0, whole = 1;
        for (size_t j = 0; j < drawn->cols; j++) {
            double share = tensor_at(drawn, i, j), chance = chances->values[j];
            sum += share;
            assert_true(chance > 0 || share == 0);
            /* five deviations of a share of 500 draws */
            assert_true(fabs(share - chance) <= 5 * sqrt(chance * (1 - chance) / 500));
        }
        assert_close(&sum, &whole, 1, 1e-12);
    }
}

/* ---- the tape is alive ---- */

#define PAIR                                                                             \
    "title: t\nmodel:\n  d_model: 4\n  steps: false\n"                                   \
    "  corpus: [\"you win or die\"]\n  source: \"you win\"\n  target: \"or\"\n"          \
    "  weights: {random: 2}\nsteps:\n"

static void test_a_weight_set_by_hand_reaches_every_turn(void **state) {
    Fixture *at = *state;
    Tape *tape = at->lesson->tape;
    size_t weight = tape_find(tape, "logits.W");
    const char *const names[] = {"said", "drawn", "tree"};
    assert_true(tape_edit(tape, weight, 0, 0, 5));
    for (size_t g = 0; g < 3; g++) {
        const LessonGenerate *generate = generation(at->lesson, names[g]);
        for (size_t i = 0; i < generate->generated.step_count; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s.turn_%zu.next_logits", names[g], i + 1);
            assert_true(tape_find(tape, name) < generate->generated.steps[i].result);
            assert_true(tape_changed(tape, tape_find(tape, name)));
        }
    }
    tape_restore(tape);
    assert_false(
        tape_changed(tape, generation(at->lesson, "tree")->generated.steps[1].result));
}

/* Makes a word of a turn the likeliest by hand. */
static void put_forward(Tape *tape, const char *turn, size_t word) {
    char name[128];
    snprintf(name, sizeof name, "%s.next_logits", turn);
    assert_true(tape_edit(tape, tape_find(tape, name), 0, word, 90));
}

static void test_what_the_present_numbers_would_say_is_told(void **state) {
    Fixture *at = *state;
    Tape *tape = at->lesson->tape;
    Arena *arena = arena_create(1 << 20);
    for (size_t g = 0; g < sizeof decoded / sizeof *decoded; g++) {
        const LessonGenerate *generate = generation(at->lesson, decoded[g]);
        const Generated *said = &generate->generated;
        char name[64];
        for (size_t i = 0; i < said->step_count; i++) {
            assert_null(lesson_would_generate(generate, tape, i, arena));
            assert_int_equal(said->steps[i].first + generate_choice(said, tape, i, arena),
                             said->steps[i].chosen[0]);
        }
        size_t other = lesson_generation_cell(generate, 0).col == 1 ? 2 : 1;
        snprintf(name, sizeof name, "%s.turn_1", decoded[g]);
        put_forward(tape, name, other);
        const char *now = lesson_would_generate(generate, tape, 0, arena);
        assert_non_null(now);
        assert_string_equal(now, generate->words[other]);
        assert_false(generate_choice_holds(said, tape, 0, arena));
        tape_restore(tape);
        assert_true(generate_choice_holds(said, tape, 0, arena));
    }
    const Generated *tree = &generation(at->lesson, "tree")->generated;
    for (size_t i = 0; i < tree->step_count; i++)
        assert_true(generate_choice_holds(tree, tape, i, arena));
    assert_true(tape_edit(tape, tape_find(tape, "logits.b"), 0, 1, 90));
    assert_false(generate_choice_holds(tree, tape, 0, arena));
    tape_restore(tape);
    arena_destroy(arena);
}

/* ---- changes of the model reach what it generates ---- */

#define TWO_TEXTS                                                                        \
    "title: t\nmodel:\n  kind: encoder_decoder\n  d_model: 4\n  heads: 2\n  d_ff: 6\n"   \
    "  layers: 1\n  corpus: [\"you win or die\"]\n  source: \"you win or\"\n"            \
    "  target: \"die\"\n  weights: {random: 2}\nsteps:\n"                                \
    "  - generate: {length: 2}\n"

static const double *row_of(const Lesson *lesson, const char *name) {
    return named(lesson, name)->values;
}

/* The encoder reads the same source in each step, so its numbers stay the model's. */
static void test_a_cell_set_in_the_model_is_set_in_each_run(void **state) {
    Lesson *lesson = lesson_good(TWO_TEXTS);
    Tape *tape = lesson->tape;
    size_t scaled = tape_find(tape, "encoder.0.self_attention.head.0.scaled");
    const Tensor *first = named(lesson, "said.turn_1.memory"),
                 *second = named(lesson, "said.turn_2.memory"),
                 *own = named(lesson, "memory");
    const double *chances = row_of(lesson, "probabilities");
    double before = own->values[0];
    assert_true(tape_edit(tape, scaled, 2, 0, -INFINITY));
    assert_true(own->values[2 * 4] != first->values[0]);
    assert_close(first->values, own->values, 12, 0);
    assert_close(second->values, own->values, 12, 0);
    assert_close(row_of(lesson, "said.turn_1.chances"), chances, own->cols, 0);
    assert_int_equal(tape_edit_count(tape), 1);
    assert_true(tape_cell_edited(
        tape, tape_find(tape, "said.turn_2.encoder.0.self_attention.head.0.scaled"), 2, 0,
        &before));
    assert_true(before == -INFINITY);
    assert_true(tape_unedit(tape, scaled, 2, 0));
    assert_false(tape_changed(tape, tape_find(tape, "said.turn_2.memory")));
    assert_false(tape_changed(tape, tape_find(tape, "said.turn_1.chances")));
    lesson_destroy(lesson);
}

static void test_a_run_without_the_cell_takes_the_model_s_mute_alone(void **state) {
    Lesson *lesson = lesson_good(TWO_TEXTS);
    Tape *tape = lesson->tape;
    size_t scores = tape_find(tape, "decoder.0.self_attention.head.0.scaled");
    size_t first = tape_find(tape, "said.turn_1.decoder.0.self_attention.head.0.scaled");
    assert_int_equal(tape_node(tape, first)->output.rows, 1);
    assert_true(tape_edit(tape, scores, 1, 0, 7));
    assert_false(tape_node(tape, first)->edited);
    assert_close(row_of(lesson, "said.turn_2.decoder.0.self_attention.head.0.scaled") + 2,
                 (const double[]){7}, 1, 0);
    assert_true(tape_mute(tape, scores, true));
    assert_true(tape_node(tape, first)->muted);
    assert_close(row_of(lesson, "said.turn_1.decoder.0.self_attention.head.0.scaled"),
                 row_of(lesson, "said.turn_1.decoder.0.self_attention.head.0.scores"), 1,
                 0);
    tape_restore(tape);
    assert_false(tape_node(tape, first)->muted);
    lesson_destroy(lesson);
}

static void test_a_cell_of_a_run_is_set_over_the_model_s(void **state) {
    Lesson *lesson = lesson_good(TWO_TEXTS);
    Tape *tape = lesson->tape;
    size_t own = tape_find(tape, "encoder.input");
    size_t run = tape_find(tape, "said.turn_1.encoder.input");
    assert_true(tape_edit(tape, own, 0, 1, 5) && tape_edit(tape, run, 0, 1, 6));
    assert_true(tensor(lesson, own)->values[1] == 5);
    assert_true(tensor(lesson, run)->values[1] == 6);
    assert_true(tape_unedit(tape, run, 0, 1));
    assert_true(tensor(lesson, run)->values[1] == 5);
    lesson_destroy(lesson);
}

/* A text of its own has other tokens in the model's rows; what is muted stays muted. */
static void test_a_text_of_its_own_takes_no_cells(void **state) {
    Lesson *lesson = lesson_good(TWO_TEXTS "  - generate: {text: \"win or die\"}\n");
    Tape *tape = lesson->tape;
    size_t run = tape_find(tape, "said_2.turn_1.encoder.input");
    assert_true(tape_edit(tape, tape_find(tape, "encoder.input"), 0, 1, 5));
    assert_false(tape_changed(tape, run));
    assert_true(tape_mute(tape, tape_find(tape, "encoder.input"), true));
    assert_true(tape_node(tape, run)->muted);
    assert_true(changes_mute(lesson->changes, run, true));
    lesson_destroy(lesson);
}

static void test_generated_tokens_are_not_the_target_s(void **state) {
    Lesson *lesson = lesson_good(TWO_TEXTS);
    Tape *tape = lesson->tape;
    assert_true(tape_edit(tape, tape_find(tape, "target"), 0, 1, 1));
    assert_false(tape_changed(tape, tape_find(tape, "said.turn_2.target")));
    lesson_destroy(lesson);
}

static void test_a_source_set_by_hand_changes_its_own_turn_alone(void **state) {
    Lesson *lesson = lesson_good(PAIR "  - generate: {length: 1}\n"
                                      "  - generate: {length: 1}\n");
    Tape *tape = lesson->tape;
    size_t own = tape_find(tape, "source");
    size_t read = tape_find(tape, "said.turn_1.source");
    double before = tensor(lesson, own)->values[0];
    assert_true(tape_edit(tape, read, 0, 0, before + 1));
    assert_true(tensor(lesson, read)->values[0] == before + 1);
    assert_true(tensor(lesson, own)->values[0] == before);
    assert_true(named(lesson, "said_2.turn_1.source")->values[0] == before);
    assert_false(tape_changed(tape, tape_find(tape, "said_2.turn_1.next_logits")));
    lesson_destroy(lesson);
}

/* ---- the tree of steps ---- */

static void test_down_opens_turns_and_left_undoes_right(void **state) {
    Fixture *at = *state;
    Player player = at->player;
    const LessonGenerate *generate = generation(at->lesson, "said");
    size_t turn;
    assert_ptr_equal(lesson_generation_at(&player, player.step, &turn), generate);
    assert_int_equal(turn, PLAYER_NONE);
    assert_true(player_move(&player, PLAYER_DOWN));
    size_t places[64], count = 0;
    do {
        places[count++] = player.step;
        if (count <= generate->generated.step_count) {
            assert_ptr_equal(lesson_generation_at(&player, player.step, &turn), generate);
            assert_int_equal(turn, count - 1);
        }
    } while (count < 64 && player_move(&player, PLAYER_RIGHT));
    assert_true(count > generate->generated.step_count + 8);
    while (count-- > 1) {
        assert_int_equal(player.step, places[count]);
        assert_true(player_move(&player, PLAYER_LEFT));
    }
    assert_true(player_move(&player, PLAYER_UP));
    assert_int_equal(player.step, at->player.step);
}

static void test_a_single_turn_is_its_step(void **state) {
    Fixture *at = *state;
    size_t turn = 7, step = player_statement_step(&at->player, 3);
    const LessonGenerate *one = generation(at->lesson, "one");
    assert_ptr_equal(lesson_generation_at(&at->player, step, &turn), one);
    assert_int_equal(turn, 0);
    FollowCell cell = lesson_generation_cell(one, turn);
    assert_int_equal(cell.node, one->generated.steps[0].probabilities);
    assert_int_equal(cell.col, one->generated.ids[0] - one->generated.first_output);
}

/* ---- pictures ---- */

/* Draws the page of a step; what it draws must be whole and on the page. */
static void draw(const Fixture *at, Arena *arena, size_t step, const Language *language,
                 double width, double height, Scene *scene) {
    static TextMetrics metrics;
    metrics = fixed_metrics();
    Player player = at->player;
    player_jump(&player, step);
    Page page = {.player = &player,
                 .theme = &at->files.themes.items[0],
                 .metrics = &metrics,
                 .language = language,
                 .width = width,
                 .height = height};
    page_draw(scene, arena, &page);
    assert_true(scene_complete(scene));
    for (size_t i = 0; i < scene->count; i++) {
        Box box = scene->items[i].box;
        assert_true(isfinite(box.x + box.y + box.w + box.h));
        assert_true(box.x >= -1 && box.x + box.w <= width + 1);
    }
}

static void test_every_turn_can_be_drawn_in_both_languages_and_sizes(void **state) {
    const Fixture *at = *state;
    const double sizes[][2] = {{1600, 900}, {1600, 1000}, {2133, 900}};
    size_t drawn = 0;
    for (size_t i = 0; i < at->player.step_count; i++) {
        size_t turn;
        if (!lesson_generation_at(&at->player, i, &turn))
            continue;
        for (size_t j = 0; j < 6; j++) {
            Arena *arena = arena_create((size_t)64 << 20);
            Scene scene;
            draw(at, arena, i, at->files.languages.items[j % 2], sizes[j / 2][0],
                 sizes[j / 2][1], &scene);
            arena_destroy(arena);
        }
        drawn++;
    }
    size_t expected = 0; /* a step for each turn, and one for several of them */
    for (size_t i = 0; i < at->lesson->step_count; i++) {
        const LessonGenerate *generate = at->lesson->steps[i].generate;
        if (generate)
            expected +=
                generate->generated.step_count + (generate->generated.step_count > 1);
    }
    assert_int_equal(drawn, expected);
}

static void test_a_choice_links_every_word_it_shows_and_says_what_cut(void **state) {
    const Fixture *at = *state;
    const LessonGenerate *generate = generation(at->lesson, "drawn");
    size_t step = player_statement_step(&at->player, 2) + 1, turn;
    assert_ptr_equal(lesson_generation_at(&at->player, step, &turn), generate);
    Arena *arena = arena_create((size_t)64 << 20);
    Scene scene;
    draw(at, arena, step, at->files.language, 1600, 900, &scene);
    for (size_t j = 0; j < generate->generated.word_count; j++) {
        Box box;
        Link cell = {LINK_CELL, generate->generated.steps[0].probabilities, 0, j};
        assert_true(scene_find(&scene, cell, &box));
    }
    assert_true(scene_says(&scene, "top-k: 5 words stay"));
    assert_true(scene_says(&scene, "top-p: 0.8 is reached"));
    arena_destroy(arena);
}

static void test_a_tree_links_each_kept_text_to_its_sum(void **state) {
    const Fixture *at = *state;
    const LessonGenerate *generate = generation(at->lesson, "tree");
    const Generated *said = &generate->generated;
    Arena *arena = arena_create((size_t)64 << 20);
    Scene scene;
    GeneratedCell place;
    draw(at, arena, player_statement_step(&at->player, 4), at->files.language, 1600, 900,
         &scene);
    for (size_t i = 1; generated_cell(said, i, &place); i++) {
        Box box;
        Link cell = {LINK_CELL, said->steps[place.step].result, place.row, place.col};
        if (candidate_fate(said, at->lesson->tape, i) != CANDIDATE_CUT)
            assert_true(scene_find(&scene, cell, &box));
    }
    arena_destroy(arena);
}

/* How many of a scene's paths run through a text. */
static size_t crossings(const Scene *scene, const SceneItem *text) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        for (size_t j = 0; item->kind == SCENE_LINE && j < item->count; j++)
            count += box_contains(text->box, item->points[j].x, item->points[j].y);
    }
    return count;
}

/* "finished" below a sum keeps clear of the edges, or stands at none. */
static void test_no_edge_crosses_what_became_of_a_text(void **state) {
    Fixture at = {0};
    course_begin(&at.files);
    course_load_lesson(&at.files, "lessons/26-choosing.yaml");
    at.lesson = at.files.lessons[0];
    assert_true(player_init(&at.player, at.lesson));
    Arena *arena = arena_create((size_t)64 << 20);
    size_t step = player_statement_step(&at.player, 10), said = 0;
    for (double width = 1200; width <= 1920; width += 60) {
        Scene scene;
        draw(&at, arena, step, at.files.language, width, 960, &scene);
        for (size_t i = 0; i < scene.count; i++) {
            const SceneItem *item = &scene.items[i];
            if (item->kind != SCENE_TEXT || item->link.kind != LINK_CELL ||
                strcmp(item->text, "finished") != 0)
                continue;
            assert_int_equal(crossings(&scene, item), 0);
            said++;
        }
        arena_reset(arena);
    }
    assert_true(said > 0);
    arena_destroy(arena);
    course_finish(&at.files);
}

/* ---- other models, other texts ---- */

static void
test_a_translation_begins_with_the_start_and_ends_by_itself_or_by_length(void **state) {
    Lesson *lesson = lesson_good(PAIR "  - generate: {length: 3}\n"
                                      "  - generate: {text: \"die die\", length: 2}\n");
    const Generated *said = &generation(lesson, "said")->generated;
    const Tensor *ids = tensor(lesson, said->steps[0].ids[0]);
    assert_int_equal(ids->cols, 1);
    assert_string_equal(ids->col_labels[0], "<sos>");
    assert_true(said->ended ? said->step_count <= 3 : said->step_count == 3);
    assert_int_equal(named(lesson, "said_2.turn_1.source")->cols, 2);
    assert_true(tensor_at(named(lesson, "said_2.turn_1.source"), 0, 0) ==
                tensor_at(named(lesson, "said_2.turn_1.source"), 0, 1));
    lesson_destroy(lesson);
}

static void test_a_learners_own_text_is_answered_anew(void **state) {
    char path[512];
    ErrorList errors = {0};
    snprintf(path, sizeof path, "%s/lessons/29-eleven-steps.yaml",
             getenv("GLASSFORMER_SOURCE"));
    Lesson *lesson = lesson_load(path, &(LessonOptions){.text = "I drink"}, &errors);
    assert_non_null(lesson);
    const LessonGenerate *generate = generation(lesson, "said");
    const char *const words[] = {"and", "I", "know", "things", "<eos>"};
    assert_int_equal(generate->generated.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(lesson_generated_token(generate, generate->generated.ids[i]),
                            words[i]);
    assert_true(generate->generated.ended);
    lesson_destroy(lesson);
}

static void test_a_model_that_is_switched_says_its_words_with_that(void **state) {
    char path[512];
    ErrorList errors = {0};
    const LessonSwitches open = {.mask = TRANSFORMER_MASK_NONE};
    snprintf(path, sizeof path, "%s/tests/lessons/generate.yaml",
             getenv("GLASSFORMER_SOURCE"));
    Lesson *lesson = lesson_load(path, &(LessonOptions){.switches = &open}, &errors);
    assert_non_null(lesson);
    const char *const masked = "said.turn_2.decoder.0.self_attention.head.0.masked";
    const Fixture *at = *state;
    assert_true(tape_find(at->lesson->tape, masked) != TAPE_NONE);
    assert_true(tape_find(lesson->tape, masked) == TAPE_NONE);
    double theirs = named(at->lesson, "said.turn_2.logits")->values[0];
    assert_true(named(lesson, "said.turn_2.logits")->values[0] != theirs);
    lesson_destroy(lesson);
}

/* Whatever the step says; words that are not drawn are said as ever. */
static void test_a_switched_temperature_is_that_of_drawn_words(void **state) {
    LessonSwitches cold = {.temperature = 0.25};
    ErrorList errors = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/lessons/generate.yaml",
             getenv("GLASSFORMER_SOURCE"));
    Lesson *lesson = lesson_load(path, &(LessonOptions){.switches = &cold}, &errors);
    assert_non_null(lesson);
    const DecodingStep *turn = &generation(lesson, "drawn")->generated.steps[0];
    assert_true(tensor(lesson, turn->scaled)->values[0] ==
                tensor(lesson, turn->logits)->values[0] * 4);
    assert_true(generation(lesson, "said")->generated.steps[0].scaled == TAPE_NONE);
    lesson_destroy(lesson);
}

static void test_every_tensor_of_a_generation_has_a_name_of_its_own(void **state) {
    const Fixture *at = *state;
    const Tape *tape = at->lesson->tape;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->quiet && node->name[0])
            assert_int_equal(tape_find(tape, node->name), i);
    }
}

static void test_shown_results_are_not_called_given(void **state) {
    Lesson *lesson =
        lesson_good(PAIR "  - generate: {draws: 5, rule: sample, length: 2}\n"
                         "  - show: [cost_said, drawn_said]\n"
                         "  - show: [source, cost_said]\n");
    assert_string_equal(lesson->steps[1].topic, "results");
    assert_null(lesson->steps[2].topic);
    lesson_destroy(lesson);
}

/* ---- what can't be ---- */

#define GENERATE(options) PAIR "  - generate: " options "\n"

static void test_short_memory_is_told_not_fatal(void **state) {
    static const char text[] = GENERATE("{length: 4}");
    size_t failures = 0;
    for (size_t limit = 20000; limit < 1500000; limit += limit / 9) {
        ErrorList errors = {0};
        Lesson *lesson = lesson_parse("test.yaml", text, sizeof text - 1,
                                      &(LessonOptions){.memory = limit}, &errors);
        failures += !lesson;
        assert_true(lesson ? errors.count == 0 : errors.count > 0);
        lesson_destroy(lesson);
    }
    assert_true(failures > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chances_are_the_softmax_of_the_words_that_stay),
        cmocka_unit_test(test_words_are_cut_by_the_rule_that_is_named),
        cmocka_unit_test(test_a_tensor_of_all_turns_has_the_logits_that_they_chose_by),
        cmocka_unit_test(test_greedy_takes_the_largest_chance_in_every_turn),
        cmocka_unit_test(test_each_turn_reads_the_text_before_and_the_word_said),
        cmocka_unit_test(test_a_beams_totals_are_sums_over_the_words_of_a_text),
        cmocka_unit_test(test_a_cache_says_the_same_with_fewer_multiplications),
        cmocka_unit_test(test_lesson_23_counts_what_a_cache_saves),
        cmocka_unit_test(test_draws_come_near_the_chances_and_nowhere_else),
        cmocka_unit_test(test_a_weight_set_by_hand_reaches_every_turn),
        cmocka_unit_test(test_what_the_present_numbers_would_say_is_told),
        cmocka_unit_test(test_a_cell_set_in_the_model_is_set_in_each_run),
        cmocka_unit_test(test_a_run_without_the_cell_takes_the_model_s_mute_alone),
        cmocka_unit_test(test_a_cell_of_a_run_is_set_over_the_model_s),
        cmocka_unit_test(test_a_text_of_its_own_takes_no_cells),
        cmocka_unit_test(test_generated_tokens_are_not_the_target_s),
        cmocka_unit_test(test_a_source_set_by_hand_changes_its_own_turn_alone),
        cmocka_unit_test(test_down_opens_turns_and_left_undoes_right),
        cmocka_unit_test(test_a_single_turn_is_its_step),
        cmocka_unit_test(test_every_turn_can_be_drawn_in_both_languages_and_sizes),
        cmocka_unit_test(test_a_choice_links_every_word_it_shows_and_says_what_cut),
        cmocka_unit_test(test_a_tree_links_each_kept_text_to_its_sum),
        cmocka_unit_test(test_no_edge_crosses_what_became_of_a_text),
        cmocka_unit_test(
            test_a_translation_begins_with_the_start_and_ends_by_itself_or_by_length),
        cmocka_unit_test(test_a_learners_own_text_is_answered_anew),
        cmocka_unit_test(test_a_model_that_is_switched_says_its_words_with_that),
        cmocka_unit_test(test_a_switched_temperature_is_that_of_drawn_words),
        cmocka_unit_test(test_shown_results_are_not_called_given),
        cmocka_unit_test(test_every_tensor_of_a_generation_has_a_name_of_its_own),
        cmocka_unit_test(test_short_memory_is_told_not_fatal),
    };
    return cmocka_run_group_tests(tests, load, unload);
}

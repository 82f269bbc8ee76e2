/* Generation in lessons: the tape's turns hold what the loop chose by, their pictures
 * show it, and bad options are told with their place. */
#include "close.h"
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/model/generate_step.h"
#include "lesson/read/reader.h"
#include "lesson_text.h"
#include "picture/page/page.h"

#include <math.h>
#include <stdlib.h>

/* The lesson with every rule, and a player on it. */
typedef struct Said {
    CourseFiles files;
    Lesson *lesson;
    Player player;
} Said;

static int load(void **state) {
    Said *said = calloc(1, sizeof *said);
    assert_non_null(said);
    course_begin(&said->files);
    course_load_lesson(&said->files, "tests/lessons/generate.yaml");
    said->lesson = said->files.lessons[0];
    assert_true(player_init(&said->player, said->lesson));
    *state = said;
    return 0;
}

static int unload(void **state) {
    Said *said = *state;
    course_finish(&said->files);
    free(said);
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

/* ---- the tape's numbers are the loop's ---- */

static void test_turns_have_the_chances_that_were_chosen_by(void **state) {
    const Said *said = *state;
    for (size_t g = 0; g < sizeof decoded / sizeof *decoded; g++) {
        const LessonGenerate *generate = generation(said->lesson, decoded[g]);
        if (generate->rule == LESSON_GREEDY)
            continue; /* the loop's chance of the largest is 1 */
        for (size_t i = 0; i < generate->turn_count; i++) {
            const Tensor *chances = tensor(said->lesson, generate->turns[i].chances);
            const Tensor *shares = tensor(said->lesson, generate->turns[i].shares);
            for (size_t j = 0; j < generate->word_count; j++) {
                const ChooseWord *word = &generate->decode.turns[i].words[j];
                assert_close(&chances->values[j], &word->chance, 1, 1e-12);
                assert_close(&shares->values[j], &word->share, 1, 1e-12);
            }
        }
    }
}

static void test_turns_read_logits_that_equal_the_loops_to_the_bit(void **state) {
    const Said *said = *state;
    for (size_t g = 0; g < sizeof decoded / sizeof *decoded; g++) {
        const LessonGenerate *generate = generation(said->lesson, decoded[g]);
        for (size_t i = 0; i < generate->turn_count; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s.turn_%zu.next_logits", decoded[g], i + 1);
            const Tensor *logits = named(said->lesson, name);
            for (size_t j = 0; j < generate->word_count; j++)
                assert_true(logits->values[j] ==
                            generate->decode.turns[i].words[j].logit);
        }
    }
}

static void test_words_are_cut_by_the_operation_that_the_loop_names(void **state) {
    const Said *said = *state;
    const LessonGenerate *generate = generation(said->lesson, "drawn");
    size_t by_k = 0, by_p = 0;
    for (size_t i = 0; i < generate->turn_count; i++) {
        const LessonTurn *turn = &generate->turns[i];
        const Tensor *top_k = tensor(said->lesson, turn->top_k);
        const Tensor *top_p = tensor(said->lesson, turn->top_p);
        for (size_t j = 0; j < generate->word_count; j++) {
            ChooseFate fate = generate->decode.turns[i].words[j].fate;
            assert_true((isinf(top_k->values[j]) != 0) == (fate == CHOOSE_PAST_TOP_K));
            assert_true((isinf(top_p->values[j]) != 0) == (fate != CHOOSE_KEPT));
            by_k += fate == CHOOSE_PAST_TOP_K;
            by_p += fate == CHOOSE_PAST_TOP_P;
        }
    }
    assert_true(by_k > 0);
    assert_true(by_p > 0);
}

static void test_greedy_takes_the_largest_chance_in_every_turn(void **state) {
    const Said *said = *state;
    const LessonGenerate *generate = generation(said->lesson, "said");
    assert_true(generate->turn_count > 1);
    for (size_t i = 0; i < generate->turn_count; i++) {
        const Tensor *chances = tensor(said->lesson, generate->turns[i].chances);
        size_t chosen = generate->turns[i].chosen - generate->first_output;
        for (size_t j = 0; j < chances->cols; j++)
            assert_true(chances->values[chosen] >= chances->values[j]);
        assert_int_equal(generate->said[i], generate->turns[i].chosen);
    }
}

static void test_each_turn_reads_the_text_before_and_the_word_said(void **state) {
    const Said *said = *state;
    for (size_t g = 0; g < sizeof decoded / sizeof *decoded; g++) {
        const LessonGenerate *generate = generation(said->lesson, decoded[g]);
        for (size_t i = 1; i < generate->turn_count; i++) {
            const Tensor *before = tensor(said->lesson, generate->turns[i - 1].ids[0]);
            const Tensor *ids = tensor(said->lesson, generate->turns[i].ids[0]);
            assert_int_equal(ids->cols, before->cols + 1);
            assert_memory_equal(ids->values, before->values,
                                before->cols * sizeof(double));
            assert_true(ids->values[before->cols] ==
                        (double)generate->turns[i - 1].chosen);
            assert_string_equal(
                ids->col_labels[before->cols],
                lesson_said_word(generate, generate->turns[i - 1].chosen));
        }
    }
    const LessonGenerate *one = generation(said->lesson, "one");
    const Tensor *ids = tensor(said->lesson, one->turns[0].ids[0]);
    assert_int_equal(ids->cols, 2);
    assert_string_equal(ids->col_labels[1], "brings");
}

static void test_a_beams_sums_on_the_tape_are_the_searchs(void **state) {
    const Said *said = *state;
    const char *const names[] = {"tree", "fair"};
    for (size_t g = 0; g < 2; g++) {
        const LessonGenerate *generate = generation(said->lesson, names[g]);
        const Beam *beam = &generate->beam;
        for (size_t i = 1; i < beam->node_count; i++) {
            size_t turn, row, col;
            assert_true(lesson_beam_cell(generate, i, &turn, &row, &col));
            const Tensor *totals = tensor(said->lesson, generate->turns[turn].result);
            double total = tensor_at(totals, row, col);
            assert_close(&total, &beam->nodes[i].total, 1, 1e-12);
            assert_int_equal(beam->nodes[i].id, generate->first_output + col);
        }
        size_t turn, row, col;
        assert_false(lesson_beam_cell(generate, 0, &turn, &row, &col));
        assert_int_equal(generate->said_count, beam->nodes[beam->best].depth);
    }
}

static void test_a_cache_says_the_same_with_fewer_multiplications(void **state) {
    const Said *said = *state;
    const LessonGenerate *plain = generation(said->lesson, "said");
    const LessonGenerate *kept = generation(said->lesson, "kept");
    const Tensor *difference = named(said->lesson, "difference");
    assert_int_equal(plain->said_count, kept->said_count);
    for (size_t i = 0; i < plain->said_count; i++)
        assert_int_equal(plain->said[i], kept->said[i]);
    for (size_t i = 0; i < tensor_cells(difference); i++)
        assert_true(difference->values[i] == 0);
    const Tensor *many = named(said->lesson, "cost_said");
    const Tensor *few = named(said->lesson, "cost_kept");
    for (size_t i = 0; i < many->cols; i++) {
        assert_true(many->values[i] == (double)lesson_turn_multiplications(plain, i));
        assert_true(i == 0 || few->values[i] < many->values[i]);
    }
    assert_true(kept->multiplications < plain->multiplications);
}

static void test_draws_come_near_the_chances_and_nowhere_else(void **state) {
    const Said *said = *state;
    const LessonGenerate *generate = generation(said->lesson, "drawn");
    const Tensor *drawn = tensor(said->lesson, generate->drawn);
    assert_int_equal(drawn->rows, generate->turn_count);
    for (size_t i = 0; i < drawn->rows; i++) {
        const Tensor *chances = tensor(said->lesson, generate->turns[i].chances);
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

static void test_a_weight_set_by_hand_reaches_every_turn(void **state) {
    Said *said = *state;
    Tape *tape = said->lesson->tape;
    size_t weight = tape_find(tape, "logits.W");
    const char *const names[] = {"said", "drawn", "tree"};
    assert_true(tape_edit(tape, weight, 0, 0, 5));
    for (size_t g = 0; g < 3; g++) {
        const LessonGenerate *generate = generation(said->lesson, names[g]);
        for (size_t i = 0; i < generate->turn_count; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s.turn_%zu.next_logits", names[g], i + 1);
            assert_true(tape_find(tape, name) < generate->turns[i].result);
            assert_true(tape_changed(tape, tape_find(tape, name)));
        }
    }
    tape_restore(tape);
    assert_false(tape_changed(tape, generation(said->lesson, "tree")->turns[1].result));
}

/* ---- the tree of steps ---- */

static void test_down_opens_turns_and_left_undoes_right(void **state) {
    Said *said = *state;
    Player player = said->player;
    const LessonGenerate *generate = generation(said->lesson, "said");
    size_t turn;
    assert_ptr_equal(lesson_generation_at(&player, player.step, &turn), generate);
    assert_int_equal(turn, PLAYER_NONE);
    assert_true(player_move(&player, PLAYER_DOWN));
    size_t places[64], count = 0;
    do {
        places[count++] = player.step;
        if (count <= generate->turn_count) {
            assert_ptr_equal(lesson_generation_at(&player, player.step, &turn), generate);
            assert_int_equal(turn, count - 1);
        }
    } while (count < 64 && player_move(&player, PLAYER_RIGHT));
    assert_true(count > generate->turn_count + 8);
    while (count-- > 1) {
        assert_int_equal(player.step, places[count]);
        assert_true(player_move(&player, PLAYER_LEFT));
    }
    assert_true(player_move(&player, PLAYER_UP));
    assert_int_equal(player.step, said->player.step);
}

static void test_a_single_turn_is_its_step(void **state) {
    Said *said = *state;
    size_t turn = 7, step = player_statement_step(&said->player, 3);
    const LessonGenerate *one = generation(said->lesson, "one");
    assert_ptr_equal(lesson_generation_at(&said->player, step, &turn), one);
    assert_int_equal(turn, 0);
    FollowCell cell = lesson_generation_cell(one, turn);
    assert_int_equal(cell.node, one->turns[0].chances);
    assert_int_equal(cell.col, one->turns[0].chosen - one->first_output);
}

/* ---- pictures ---- */

static bool scene_says(const Scene *scene, const char *text) {
    for (size_t i = 0; i < scene->count; i++) {
        if (scene->items[i].kind == SCENE_TEXT && strcmp(scene->items[i].text, text) == 0)
            return true;
    }
    return false;
}

/* Draws the page of a step; what it draws must be whole and on the page. */
static void draw(const Said *said, Arena *arena, size_t step, const Language *language,
                 double width, double height, Scene *scene) {
    static TextMetrics metrics;
    metrics = fixed_metrics();
    Player player = said->player;
    player_jump(&player, step);
    Page page = {.player = &player,
                 .theme = &said->files.themes.items[0],
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
    const Said *said = *state;
    const double sizes[][2] = {{1600, 900}, {1024, 640}, {1920, 1080}};
    size_t drawn = 0;
    for (size_t i = 0; i < said->player.step_count; i++) {
        size_t turn;
        if (!lesson_generation_at(&said->player, i, &turn))
            continue;
        for (size_t j = 0; j < 6; j++) {
            Arena *arena = arena_create((size_t)64 << 20);
            Scene scene;
            draw(said, arena, i, said->files.languages.items[j % 2], sizes[j / 2][0],
                 sizes[j / 2][1], &scene);
            arena_destroy(arena);
        }
        drawn++;
    }
    size_t expected = 0; /* a step for each turn, and one for several of them */
    for (size_t i = 0; i < said->lesson->step_count; i++) {
        const LessonGenerate *generate = said->lesson->steps[i].generate;
        if (generate)
            expected += generate->turn_count + (generate->turn_count > 1);
    }
    assert_int_equal(drawn, expected);
}

static void test_a_choice_links_every_word_it_shows_and_says_what_cut(void **state) {
    const Said *said = *state;
    const LessonGenerate *generate = generation(said->lesson, "drawn");
    size_t step = player_statement_step(&said->player, 2) + 1, turn;
    assert_ptr_equal(lesson_generation_at(&said->player, step, &turn), generate);
    Arena *arena = arena_create((size_t)64 << 20);
    Scene scene;
    draw(said, arena, step, said->files.language, 1600, 900, &scene);
    for (size_t j = 0; j < generate->word_count; j++) {
        Box box;
        Link cell = {LINK_CELL, generate->turns[0].chances, 0, j};
        assert_true(scene_find(&scene, cell, &box));
    }
    assert_true(scene_says(&scene, "top-k: 5 words stay"));
    assert_true(scene_says(&scene, "top-p: 0.8 is reached"));
    arena_destroy(arena);
}

static void test_a_tree_links_each_kept_text_to_its_sum(void **state) {
    const Said *said = *state;
    const LessonGenerate *generate = generation(said->lesson, "tree");
    const Beam *beam = &generate->beam;
    Arena *arena = arena_create((size_t)64 << 20);
    Scene scene;
    draw(said, arena, player_statement_step(&said->player, 4), said->files.language, 1600,
         900, &scene);
    for (size_t i = 1; i < beam->node_count; i++) {
        size_t turn, row, col;
        Box box;
        lesson_beam_cell(generate, i, &turn, &row, &col);
        Link cell = {LINK_CELL, generate->turns[turn].result, row, col};
        if (beam->nodes[i].fate != BEAM_CUT)
            assert_true(scene_find(&scene, cell, &box));
    }
    arena_destroy(arena);
}

/* ---- other models, other texts ---- */

#define PAIR                                                                             \
    "title: t\nmodel:\n  d_model: 4\n  steps: false\n"                                   \
    "  corpus: [\"you win or die\"]\n  source: \"you win\"\n  target: \"or\"\n"          \
    "  weights: {random: 2}\nsteps:\n"

static void
test_a_translation_begins_with_the_start_and_ends_by_itself_or_by_length(void **state) {
    (void)state;
    Lesson *lesson = lesson_good(PAIR "  - generate: {length: 3}\n"
                                      "  - generate: {text: \"die die\", length: 2}\n");
    const LessonGenerate *said = generation(lesson, "said");
    const Tensor *ids = tensor(lesson, said->turns[0].ids[0]);
    assert_int_equal(ids->cols, 1);
    assert_string_equal(ids->col_labels[0], "<sos>");
    assert_true(said->ended ? said->turn_count <= 3 : said->turn_count == 3);
    assert_int_equal(named(lesson, "said_2.turn_1.source")->cols, 2);
    assert_true(tensor_at(named(lesson, "said_2.turn_1.source"), 0, 0) ==
                tensor_at(named(lesson, "said_2.turn_1.source"), 0, 1));
    lesson_destroy(lesson);
}

static void test_a_learners_own_text_is_answered_anew(void **state) {
    (void)state;
    char path[512];
    ErrorList errors = {0};
    snprintf(path, sizeof path, "%s/lessons/24-eleven-steps.yaml",
             getenv("GLASSFORMER_SOURCE"));
    Lesson *lesson = lesson_load_with_text(path, "I drink", &errors);
    assert_non_null(lesson);
    const LessonGenerate *said = generation(lesson, "said");
    const char *const words[] = {"and", "I", "know", "things", "<eos>"};
    assert_int_equal(said->said_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(lesson_said_word(said, said->said[i]), words[i]);
    assert_true(said->ended);
    lesson_destroy(lesson);
}

static void test_a_model_that_is_switched_says_its_words_with_that(void **state) {
    (void)state;
    char path[512];
    ErrorList errors = {0};
    const LessonSwitches open = {.mask = TRANSFORMER_MASK_NONE};
    snprintf(path, sizeof path, "%s/tests/lessons/generate.yaml",
             getenv("GLASSFORMER_SOURCE"));
    Lesson *lesson = lesson_load_with(path, &(LessonOptions){.switches = &open}, &errors);
    assert_non_null(lesson);
    const LessonGenerate *said = generation(lesson, "said");
    for (size_t i = 0; i < said->turn_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "said.turn_%zu.next_logits", i + 1);
        for (size_t j = 0; j < said->word_count; j++)
            assert_true(named(lesson, name)->values[j] ==
                        said->decode.turns[i].words[j].logit);
    }
    lesson_destroy(lesson);
}

static void test_every_tensor_of_a_generation_has_a_name_of_its_own(void **state) {
    const Said *said = *state;
    const Tape *tape = said->lesson->tape;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->quiet && node->name[0])
            assert_int_equal(tape_find(tape, node->name), i);
    }
}

/* ---- what can't be ---- */

#define GENERATE(options) PAIR "  - generate: " options "\n"

static const BadText bad[] = {
    {GENERATE("greedy"), ERROR_VALUE, 10, 15, "generate: {rule: greedy}"},
    {GENERATE("{rule: best}"), ERROR_VALUE, 10, 22, "greedy, sample, beam"},
    {GENERATE("{rul: beam}"), ERROR_NAME, 10, 16, "'rule'"},
    {GENERATE("{temperature: 2}"), ERROR_VALUE, 10, 16, "rule: sample"},
    {GENERATE("{rule: sample, beam: 2}"), ERROR_VALUE, 10, 30, "rule: beam"},
    {GENERATE("{rule: sample, temperature: 0}"), ERROR_VALUE, 10, 43, "temperature"},
    {GENERATE("{rule: sample, top_p: 1.5}"), ERROR_VALUE, 10, 37, "1.5"},
    {GENERATE("{rule: sample, top_k: 0}"), ERROR_VALUE, 10, 37, "from 1"},
    {GENERATE("{rule: sample, draws: 9999999}"), ERROR_VALUE, 10, 37, "1000000"},
    {GENERATE("{rule: beam, beam: 9}"), ERROR_VALUE, 10, 34, "from 1 to 8"},
    {GENERATE("{rule: beam, length_exponent: -1}"), ERROR_VALUE, 10, 45, "-1"},
    {GENERATE("{length: 65}"), ERROR_VALUE, 10, 24, "from 1 to 64"},
    {GENERATE("{length: 0}"), ERROR_VALUE, 10, 24, "from 1 to 64"},
    {GENERATE("{cache: perhaps}"), ERROR_VALUE, 10, 23, "true or false"},
    {GENERATE("{name: a-b}"), ERROR_NAME, 10, 22, "letters"},
    {GENERATE("{name: memory}"), ERROR_NAME, 10, 22, "memory"},
    {GENERATE("{text: \"zebra\"}"), ERROR_NAME, 10, 22, "zebra"},
    {GENERATE("{begin: [zebra]}"), ERROR_NAME, 10, 24, "zebra"},
    {GENERATE("{length: 1}\n    do: A = 1"), ERROR_VALUE, 11, 5, "leave 'do:' out"},
    {GENERATE("{length: 1}\n    as: bars"), ERROR_VALUE, 11, 5, "leave 'as:' out"},
    {GENERATE("{length: 1}\n    ask: {cell: [1, 0]}"), ERROR_VALUE, 11, 17, "no cell"},
    {GENERATE("{length: 1}\n  - generate: {name: said, length: 1}"), ERROR_NAME, 11, 22,
     "already"},
    {"title: t\nsteps:\n  - generate: {length: 1}\n", ERROR_VALUE, 3, 15, "no model"},
    {"title: t\nmodel: {kind: encoder, d_model: 2, corpus: [a], source: a}\nsteps:\n"
     "  - generate: {length: 1}\n",
     ERROR_VALUE, 4, 15, "kind encoder_decoder or decoder"},
    {"title: t\nmodel: {kind: decoder, d_model: 2, corpus: [a], target: a}\nsteps:\n"
     "  - generate: {text: a}\n",
     ERROR_NAME, 4, 16, "begin"},
    {"title: t\ngiven: {logits_said: 1}\nmodel: {kind: decoder, d_model: 2, corpus: "
     "[a], target: a}\nsteps:\n  - show: logits_said\n  - generate: {length: 1}\n",
     ERROR_NAME, 6, 15, "logits_said"},
};

static void test_bad_options_are_told_with_their_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_bad_lesson(&bad[i]);
}

static void test_short_memory_is_told_not_fatal(void **state) {
    (void)state;
    static const char text[] = GENERATE("{length: 4}");
    size_t failures = 0;
    for (size_t limit = 20000; limit < 1500000; limit += limit / 9) {
        ErrorList errors = {0};
        Lesson *lesson = reader_parse("test.yaml", text, sizeof text - 1, limit, &errors);
        failures += !lesson;
        assert_true(lesson ? errors.count == 0 : errors.count > 0);
        lesson_destroy(lesson);
    }
    assert_true(failures > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_have_the_chances_that_were_chosen_by),
        cmocka_unit_test(test_turns_read_logits_that_equal_the_loops_to_the_bit),
        cmocka_unit_test(test_words_are_cut_by_the_operation_that_the_loop_names),
        cmocka_unit_test(test_greedy_takes_the_largest_chance_in_every_turn),
        cmocka_unit_test(test_each_turn_reads_the_text_before_and_the_word_said),
        cmocka_unit_test(test_a_beams_sums_on_the_tape_are_the_searchs),
        cmocka_unit_test(test_a_cache_says_the_same_with_fewer_multiplications),
        cmocka_unit_test(test_draws_come_near_the_chances_and_nowhere_else),
        cmocka_unit_test(test_a_weight_set_by_hand_reaches_every_turn),
        cmocka_unit_test(test_down_opens_turns_and_left_undoes_right),
        cmocka_unit_test(test_a_single_turn_is_its_step),
        cmocka_unit_test(test_every_turn_can_be_drawn_in_both_languages_and_sizes),
        cmocka_unit_test(test_a_choice_links_every_word_it_shows_and_says_what_cut),
        cmocka_unit_test(test_a_tree_links_each_kept_text_to_its_sum),
        cmocka_unit_test(
            test_a_translation_begins_with_the_start_and_ends_by_itself_or_by_length),
        cmocka_unit_test(test_a_learners_own_text_is_answered_anew),
        cmocka_unit_test(test_a_model_that_is_switched_says_its_words_with_that),
        cmocka_unit_test(test_every_tensor_of_a_generation_has_a_name_of_its_own),
        cmocka_unit_test(test_bad_options_are_told_with_their_place),
        cmocka_unit_test(test_short_memory_is_told_not_fatal),
    };
    return cmocka_run_group_tests(tests, load, unload);
}

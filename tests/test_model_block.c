#include "close.h"
#include "formula_check.h"
#include "lesson_text.h"

#include "lesson/content/question.h"
#include "lesson/load/load.h"
#include "lesson/model/generate_step.h"
#include "lesson/play/player.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>

#define HEAD                                                                             \
    "title: t\n"                                                                         \
    "model:\n"                                                                           \
    "  d_model: 8\n"                                                                     \
    "  heads: 2\n"                                                                       \
    "  layers: 2\n"                                                                      \
    "  corpus: [when you play the game of thrones, you win or you die]\n"                \
    "  source: when you play\n"                                                          \
    "  target: you win\n"

#define STEPS HEAD "steps:\n"

static const Tensor *tensor_of(const Lesson *lesson, const char *name) {
    size_t node = tape_find(lesson->tape, name);
    if (node == TAPE_NONE)
        print_error("there is no '%s'\n", name);
    assert_int_not_equal(node, TAPE_NONE);
    return &tape_node(lesson->tape, node)->output;
}

static Player player_of(const Lesson *lesson) {
    Player player;
    assert_true(player_init(&player, lesson));
    return player;
}

/* The step whose result is called `name`, the innermost one: an operation. */
static const PlayerStep *step_of(const Player *player, const char *name) {
    const PlayerStep *found = NULL;
    for (size_t i = 0; i < player->step_count; i++) {
        if (strcmp(player->steps[i].name, name) == 0)
            found = &player->steps[i];
    }
    assert_non_null(found);
    return found;
}

/* ---- steps ---- */

static void test_a_models_parts_are_the_lessons_first_steps(void **state) {
    static const char *const sources[] = {"source",
                                          "encoder.embedding",
                                          "encoder.position",
                                          "encoder.input",
                                          "encoder.0",
                                          "encoder.1",
                                          "memory",
                                          "target",
                                          "decoder.embedding",
                                          "decoder.position",
                                          "decoder.input",
                                          "decoder.mask",
                                          "decoder.0",
                                          "decoder.1",
                                          "logits",
                                          "probabilities",
                                          "Y = memory * 2"};
    Lesson *lesson = lesson_good(STEPS "  - do: Y = memory * 2\n");
    assert_non_null(lesson->model);
    assert_int_equal(lesson->step_count, sizeof sources / sizeof *sources);
    for (size_t i = 0; i < lesson->step_count; i++) {
        const LessonStep *step = &lesson->steps[i];
        assert_string_equal(step->source, sources[i]);
        assert_int_equal(step->shown_count, i == 0 || i == 6 || i == 7);
        assert_true(!step->formula || formula_check(step->formula));
        if (step->count)
            assert_int_equal(step->result, step->first + step->count - 1);
    }
    assert_string_equal(lesson->steps[0].chapter.key, "chapter.encoder");
    assert_string_equal(lesson->steps[7].chapter.key, "chapter.decoder");
    assert_string_equal(lesson->steps[6].topic, "memory");
    assert_int_equal(lesson->steps[0].view, LESSON_VIEW_CHIPS);
    assert_int_equal(lesson->steps[15].view, LESSON_VIEW_BARS);
    lesson_destroy(lesson);
}

static void test_a_model_needs_no_steps_of_its_own(void **state) {
    Lesson *lesson = lesson_good(HEAD);
    Player player = player_of(lesson);
    assert_int_equal(lesson->step_count, 16);
    assert_int_equal(player_statement_count(&player), 16);
    lesson_destroy(lesson);
}

static void test_a_layer_opens_into_sublayers_operations_and_cells(void **state) {
    Lesson *lesson = lesson_good(HEAD);
    Player player = player_of(lesson);
    static const struct {
        PlayerMove move;
        const char *path, *name, *topic;
    } moves[] = {
        {PLAYER_RIGHT, "2", "encoder.embedding", "embedding"},
        {PLAYER_RIGHT, "3", "encoder.position", "position"},
        {PLAYER_RIGHT, "4", "encoder.input", "input"},
        {PLAYER_RIGHT, "5", "encoder.0.norm_2", "encoder_layer"},
        {PLAYER_DOWN, "5.1", "encoder.0.self_attention.projected", "self_attention"},
        {PLAYER_RIGHT, "5.2", "encoder.0.residual_1", "add"},
        {PLAYER_LEFT, "5.1", "encoder.0.self_attention.projected", "self_attention"},
        {PLAYER_DOWN, "5.1.1", "encoder.0.self_attention.query_product", "matmul"},
        {PLAYER_RIGHT, "5.1.2", "encoder.0.self_attention.query", "add"},
        {PLAYER_RIGHT, "5.1.3", "encoder.0.self_attention.key_product", "matmul"},
        {PLAYER_RIGHT, "5.1.4", "encoder.0.self_attention.key", "add"},
        {PLAYER_RIGHT, "5.1.5", "encoder.0.self_attention.value_product", "matmul"},
        {PLAYER_RIGHT, "5.1.6", "encoder.0.self_attention.value", "add"},
        {PLAYER_RIGHT, "5.1.7", "encoder.0.self_attention.head.0.output", "head"},
        {PLAYER_DOWN, "5.1.7.1", "encoder.0.self_attention.head.0.query", "slice"},
        {PLAYER_DOWN, "5.1.7.1", "encoder.0.self_attention.head.0.query", "slice"},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        assert_true(player_move(&player, moves[i].move));
        assert_string_equal(player_step(&player)->path, moves[i].path);
        assert_string_equal(player_step(&player)->name, moves[i].name);
        assert_string_equal(player_step(&player)->topic, moves[i].topic);
    }
    size_t row, col;
    assert_true(player_cell(&player, &row, &col));
    lesson_destroy(lesson);
}

static void test_six_layers_are_a_few_steps_or_hundreds(void **state) {
    Lesson *lesson = lesson_good("title: t\n"
                                 "model: {d_model: 8, heads: 2, layers: 6,\n"
                                 "  vocabulary: 9, source: [1, 2, 3], target: [4, 5]}\n");
    Player player = player_of(lesson);
    size_t shallow = 1, deep = 1;
    while (player_move(&player, PLAYER_RIGHT))
        shallow++;
    assert_int_equal(shallow, 24);
    assert_int_equal(player.depth_max, 4);
    player_jump(&player, 0);
    player.depth = player.depth_max;
    while (player_move(&player, PLAYER_RIGHT))
        deep++;
    /* Before and behind the layers 13; in an encoder layer 23 of the attention, 5 of the
     * feed-forward, two sums and two norms; a decoder layer masks and attends twice. */
    assert_int_equal(deep, 13 + 6 * 32 + 6 * 59);
    while (player_move(&player, PLAYER_LEFT))
        deep--;
    assert_int_equal(deep, 1);
    lesson_destroy(lesson);
}

static void test_a_step_knows_what_it_is(void **state) {
    Lesson *lesson = lesson_good("title: t\n"
                                 "given: {X: [[1, 2], [3, 4]]}\n"
                                 "steps:\n"
                                 "  - do: A = attention(X, X, X)\n"
                                 "  - do: B = multi_head_attention(X, X, X, X, X, X, 2)\n"
                                 "  - do: C = softmax(X @ X)\n"
                                 "  - show: X\n");
    Player player = player_of(lesson);
    assert_string_equal(player.steps[player_statement_step(&player, 0)].topic,
                        "attention");
    const PlayerStep *several = &player.steps[player_statement_step(&player, 1)];
    assert_string_equal(several->topic, "multi_head_attention");
    assert_string_equal(step_of(&player, "B.head_2.scores")->topic, "matmul");
    assert_string_equal(player.steps[step_of(&player, "B.head_2.scores")->parent].topic,
                        "head");
    assert_string_equal(player.steps[player_statement_step(&player, 2)].topic, "softmax");
    assert_string_equal(player.steps[player_statement_step(&player, 3)].topic, "given");
    lesson_destroy(lesson);
}

/* ---- at ---- */

static void test_words_are_put_on_steps_at_any_depth(void **state) {
    Lesson *lesson = lesson_good(
        STEPS "  - at: encoder.1\n"
              "    heading: layer\n"
              "    chapter: {en: again}\n"
              "  - at: memory\n"
              "    say: read me\n"
              "    printed: [[_, _, _, _, _, _, _, 5], [_, _, _, _, _, _, _, _],\n"
              "              [_, _, _, _, _, _, _, _]]\n"
              "  - do: Y = memory * 2\n"
              "  - at: decoder.0.cross_attention\n"
              "    heading: sublayer\n"
              "  - at: decoder.0.cross_attention.head.1\n"
              "    heading: head\n"
              "  - at: decoder.0.cross_attention.head.1.weights\n"
              "    heading: {en: operation, zh: 运算}\n"
              "    ask: {cell: [1, 2]}\n"
              "    as: arcs\n"
              "  - at: decoder.1.norm_3\n"
              "    heading: norm\n");
    Player player = player_of(lesson);
    static const struct {
        const char *path, *heading;
    } expected[] = {{"6", "layer"},
                    {"13", ""},
                    {"13.4", "sublayer"},
                    {"13.4.8", "head"},
                    {"13.4.8.6", "operation"},
                    {"14.9", "norm"}};
    assert_int_equal(lesson->step_count, 17);
    assert_int_equal(lesson->note_count, 4);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        size_t at = 0;
        while (at < player.step_count &&
               strcmp(player.steps[at].path, expected[i].path) != 0)
            at++;
        assert_true(at < player.step_count);
        const LessonStep *words = player.steps[at].words;
        assert_non_null(words);
        assert_string_equal(text_in(&words->heading, &ENGLISH), expected[i].heading);
    }
    size_t with_words = 0;
    for (size_t i = 0; i < player.step_count; i++)
        with_words += player.steps[i].depth > 1 && player.steps[i].words;
    assert_int_equal(with_words, 4);
    assert_string_equal(text_in(&lesson->steps[5].chapter, &CHINESE), "again");
    size_t printed, differing;
    lesson_count_printed(lesson, &lesson->steps[6], &printed, &differing);
    assert_int_equal(printed, 1);
    assert_int_equal(differing, 1);
    const PlayerStep *weights =
        step_of(&player, "decoder.0.cross_attention.head.1.weights");
    assert_int_equal(weights->words->question->col, 2);
    assert_int_equal(weights->words->view, LESSON_VIEW_ARCS);
    assert_int_equal(weights->words->result, weights->node);
    lesson_destroy(lesson);
}

/* The timeline's chapters are of whole steps. */
static void test_a_chapter_within_a_step_begins_with_that_step(void **state) {
    Lesson *lesson = lesson_good(STEPS "  - do: A = attention(memory, memory, memory)\n"
                                       "  - at: encoder.1.self_attention\n"
                                       "    chapter: within\n"
                                       "  - at: A.weights\n"
                                       "    chapter: shares\n");
    for (size_t i = 0; i < lesson->step_count; i++) {
        const LessonStep *step = &lesson->steps[i];
        bool layer = strcmp(step->source, "encoder.1") == 0;
        if (layer || i + 1 == lesson->step_count)
            assert_string_equal(text_in(&step->chapter, &ENGLISH),
                                layer ? "within" : "shares");
    }
    lesson_destroy(lesson);
    static const BadText bad = {STEPS "  - at: encoder.0\n"
                                      "    chapter: a\n"
                                      "  - at: encoder.0.self_attention\n"
                                      "    chapter: b\n",
                                ERROR_NAME, 13, 14,
                                "the step 'encoder.0' begins a chapter already"};
    assert_bad_lesson(&bad);
}

/* A composite that a statement calls has parts, too. */
static void test_words_are_put_within_a_composite(void **state) {
    Lesson *lesson = lesson_good("title: t\n"
                                 "given: {X: [[1, 2], [3, 4]]}\n"
                                 "steps:\n"
                                 "  - do: A = attention(X, X, X)\n"
                                 "  - at: A.weights\n"
                                 "    say: shares\n");
    Player player = player_of(lesson);
    assert_string_equal(text_in(&step_of(&player, "A.weights")->words->say, &ENGLISH),
                        "shares");
    lesson_destroy(lesson);
}

/* ---- names ---- */

static void test_a_models_tensors_have_names_in_expressions(void **state) {
    Lesson *lesson = lesson_good(
        STEPS
        "  - do: a = encoder.0.norm_2 + 0\n"
        "  - do: b = encoder.0 - encoder.0.norm_2\n"
        "  - do: c = encoder.1.norm_2 - memory\n"
        "  - do: d = encoder.0.self_attention.head.1.scores.T[0:2, 1]\n"
        "  - do: e = decoder.0.self_attention - decoder.0.self_attention.projected\n"
        "  - do: f = encoder.input @ encoder.0.self_attention.W_Q\n"
        "  - show: [encoder.0.norm_1.gamma, decoder]\n");
    const char *const zeros[] = {"b", "c", "e"};
    assert_close(tensor_of(lesson, "a")->values,
                 tensor_of(lesson, "encoder.0.norm_2")->values, 24, 0);
    for (size_t i = 0; i < 3; i++) {
        const double zero[24] = {0};
        assert_close(tensor_of(lesson, zeros[i])->values, zero,
                     tensor_cells(tensor_of(lesson, zeros[i])), 0);
    }
    assert_int_equal(tensor_of(lesson, "d")->rows, 2);
    assert_close(tensor_of(lesson, "f")->values,
                 tensor_of(lesson, "encoder.0.self_attention.query_product")->values, 24,
                 1e-12);
    lesson_destroy(lesson);
}

/* ---- words ---- */

static void assert_ids(const Lesson *lesson, const char *name, size_t count,
                       const double *ids, const char *const *labels) {
    const Tensor *tensor = tensor_of(lesson, name);
    assert_int_equal(tensor->rows, 1);
    assert_int_equal(tensor->cols, count);
    assert_close(tensor->values, ids, count, 0);
    for (size_t i = 0; labels && i < count; i++)
        assert_string_equal(tensor->col_labels[i], labels[i]);
}

static void test_a_corpus_numbers_its_words_from_one(void **state) {
    Lesson *lesson = lesson_good(HEAD);
    assert_ids(lesson, "source", 3, (const double[]){1, 2, 3},
               (const char *const[]){"when", "you", "play"});
    assert_ids(lesson, "target", 3, (const double[]){11, 2, 8},
               (const char *const[]){"<sos>", "you", "win"});
    const Tensor *table = tensor_of(lesson, "encoder.embedding.table");
    assert_int_equal(table->rows, 13);
    assert_string_equal(table->row_labels[0], "<pad>");
    assert_string_equal(table->row_labels[12], "<eos>");
    const Tensor *chances = tensor_of(lesson, "probabilities");
    assert_int_equal(chances->cols, 12);
    assert_string_equal(chances->col_labels[0], "when");
    assert_string_equal(chances->row_labels[2], "win");
    lesson_destroy(lesson);
}

#define SMALL "title: t\nmodel:\n  d_model: 4\n"

/* "3 1 2" */
static const char *ids_text(const Lesson *lesson, const char *name) {
    static char text[64];
    const Tensor *ids = tensor_of(lesson, name);
    size_t length = 0;
    for (size_t i = 0; i < tensor_cells(ids) && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i ? " %g" : "%g",
                                   ids->values[i]);
    return text;
}

static void test_texts_are_read_in_every_way(void **state) {
    static const struct {
        const char *source, *target; /* their IDs */
        const char *text;
    } cases[] = {
        /* a list of tokens; padding; start only where it is a token */
        {"2 1 0 0", "3 1",
         SMALL "  vocabulary: [a, b, c]\n  source: b a <pad> <pad>\n  target: [c, a]\n"},
        {"3", "1 2", SMALL "  vocabulary: [<sos>, a, b]\n  source: [b]\n  target: a\n"},
        {"3", "1 2",
         SMALL "  vocabulary: [<sos>, a, b]\n  source: b\n  target: <sos> a\n"},
        /* a list has its start as a text has: put before it, and not put twice */
        {"3", "1 2", SMALL "  vocabulary: [<sos>, a, b]\n  source: [b]\n  target: [a]\n"},
        {"3", "1 3 2",
         SMALL "  vocabulary: [<sos>, a, b]\n  source: [b]\n  target: [3, 2]\n"},
        {"3", "1 2",
         SMALL "  vocabulary: [<sos>, a, b]\n  source: [b]\n  target: [<sos>, a]\n"},
        {"1 3", "1",
         SMALL "  vocabulary: [<sos>, a, b]\n  source: [<sos>, b]\n  target: [1]\n"},
        {"2", "3 1 4",
         SMALL "  corpus: [a b]\n  start: '[BOS]'\n  end: '[EOS]'\n  source: b\n"
               "  target: a [EOS]\n"},
        /* two languages */
        {"2", "4 3 1",
         SMALL "  corpus: [one two]\n  target_corpus: [un deux trois]\n  source: two\n"
               "  target: trois un\n"},
        {"7 0", "2 1",
         SMALL "  vocabulary: 7\n  target_vocabulary: [x, y]\n  source: [7, 0]\n"
               "  target: y x\n"},
        /* other tokenizers */
        {"2 1", "3 2",
         SMALL
         "  tokenizer: characters\n  corpus: [看书]\n  source: 书看\n  target: 书\n"},
        {"1 2", "1",
         SMALL "  tokenizer: wordpiece\n  vocabulary: [play, '##ing']\n"
               "  source: playing\n  target: play\n"},
        {"4 3", "5 2 3",
         SMALL "  tokenizer: bpe\n  merges: 1\n  corpus: [aab aab]\n  source: aa\n"
               "  target: b\n"},
        /* a vocabulary that the lesson names */
        {"2 3", "1 3",
         "title: t\nvocabularies: {V: {tokens: [a, b], first: 1, special: ['<sos>']}}\n"
         "model: {d_model: 4, vocabulary: V, source: a b, target: b}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Lesson *lesson = lesson_good(cases[i].text);
        assert_string_equal(ids_text(lesson, "source"), cases[i].source);
        assert_string_equal(ids_text(lesson, "target"), cases[i].target);
        lesson_destroy(lesson);
    }
}

static void test_lesson_tokens_label_ids_that_have_no_words(void **state) {
    Lesson *lesson = lesson_good("title: t\ntokens: [I, am, learning]\n"
                                 "model: {kind: encoder, d_model: 3, vocabulary: 5,\n"
                                 "  source: [4, 1, 2]}\n");
    assert_string_equal(tensor_of(lesson, "source")->col_labels[2], "learning");
    assert_string_equal(tensor_of(lesson, "encoder.0.norm_2")->row_labels[0], "I");
    assert_null(tensor_of(lesson, "encoder.0.self_attention.W_Q")->row_labels);
    lesson_destroy(lesson);
}

/* ---- the shape ---- */

/* Nobody says ID 0: the first column is that of ID 1. */
static void test_ids_without_words_label_the_logits(void **state) {
    Lesson *lesson = lesson_good("title: t\n"
                                 "model: {kind: decoder, d_model: 2, vocabulary: 3,\n"
                                 "  target: [1, 3], weights: {random: 1}}\n");
    size_t logits = tape_find(lesson->tape, "logits");
    const Tensor *tensor = &tape_node(lesson->tape, logits)->output;
    assert_int_equal(tensor->cols, 3);
    assert_string_equal(tensor->col_labels[0], "1");
    assert_string_equal(tensor->col_labels[2], "3");
    lesson_destroy(lesson);
}

static void test_every_key_sets_its_field(void **state) {
    Lesson *lesson =
        lesson_good("title: t\nmodel:\n"
                    "  kind: decoder\n  d_model: 6\n  heads: 3\n  d_ff: 5\n"
                    "  layers: 9\n  decoder_layers: 2\n  norm: rms\n"
                    "  epsilon: 0.5\n  scale_embedding: true\n"
                    "  biases: false\n  vocabulary: 7\n  target: [1, 2]\n"
                    "  kv_heads: 1\n  positions: learned\n  context: 4\n  tie: true\n"
                    "  activation: swiglu\n");
    TransformerShape shape = lesson->model->shape;
    assert_int_equal(shape.kind, TRANSFORMER_DECODER);
    assert_int_equal(shape.d_model, 6);
    assert_int_equal(shape.heads, 3);
    assert_int_equal(shape.d_ff, 5);
    assert_int_equal(shape.decoder_layers, 2);
    assert_int_equal(shape.target_vocabulary, 8);
    assert_int_equal(shape.first_output, 1);
    assert_true(shape.epsilon == 0.5);
    assert_int_equal(shape.kv_heads, 1);
    assert_int_equal(tensor_of(lesson, "decoder.0.self_attention.W_K")->cols, 2);
    assert_true(shape.pre_norm && shape.final_norm && shape.scale_embedding);
    assert_true(shape.rms);
    assert_int_equal(tape_find(lesson->tape, "decoder.0.norm_1.beta"), TAPE_NONE);
    assert_false(shape.biases);
    assert_int_equal(shape.positions, TRANSFORMER_POSITIONS_LEARNED);
    assert_int_equal(shape.context, 4);
    assert_int_equal(shape.activation, ACTIVATION_SWIGLU);
    assert_true(shape.tied);
    assert_int_equal(tensor_of(lesson, "decoder.position.table")->rows, 4);
    assert_int_equal(tape_find(lesson->tape, "logits.W"), TAPE_NONE);
    assert_int_equal(tape_find(lesson->tape, "decoder.0.self_attention.b_Q"), TAPE_NONE);
    lesson_destroy(lesson);

    lesson = lesson_good("title: t\nmodel: {kind: encoder, d_model: 6, norm: pre,\n"
                         "  final_norm: false, vocabulary: 7, source: [1, 2]}\n");
    shape = lesson->model->shape;
    assert_int_equal(shape.heads, 1);
    assert_int_equal(shape.d_ff, 24);
    assert_int_equal(shape.encoder_layers, 1);
    assert_true(shape.epsilon == 1e-5 && shape.biases && !shape.rms);
    assert_false(shape.final_norm || shape.scale_embedding || shape.tied);
    assert_int_equal(shape.positions, TRANSFORMER_POSITIONS_SINES);
    assert_int_equal(shape.activation, ACTIVATION_RELU);
    lesson_destroy(lesson);
}

/* ---- other texts ---- */

static void assert_same_numbers(const Lesson *one, const char *name, const Lesson *other,
                                const char *other_name) {
    const Tensor *a = tensor_of(one, name), *b = tensor_of(other, other_name);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_memory_equal(a->values, b->values, tensor_cells(a) * sizeof(double));
}

/* Another text gives the numbers of a lesson that has it as its own, and changes none. */
static void test_another_text_is_read_as_if_it_were_the_lessons(void **state) {
    static const char *const names[] = {"encoder.embedding", "encoder.1.norm_1", "memory",
                                        "decoder.1.norm_3", "probabilities"};
    Lesson *plain = lesson_good(HEAD);
    Lesson *lesson = lesson_good(HEAD "  other_texts: {other: when thrones of you}\n");
    Lesson *own = lesson_good("title: t\nmodel:\n  d_model: 8\n  heads: 2\n  layers: 2\n"
                              "  corpus: [when you play the game of thrones, you win or "
                              "you die]\n  source: when thrones of you\n"
                              "  target: you win\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[80];
        snprintf(name, sizeof name, "other.%s", names[i]);
        assert_same_numbers(lesson, name, own, names[i]);
        assert_same_numbers(lesson, names[i], plain, names[i]);
    }
    assert_int_equal(lesson->step_count, plain->step_count);
    lesson_destroy(own);
    lesson_destroy(lesson);
    lesson_destroy(plain);
}

static void test_another_text_of_a_decoder_is_its_target(void **state) {
#define DECODER                                                                          \
    "title: t\nmodel:\n  kind: decoder\n  d_model: 8\n  corpus: [you win or you die]\n"
    Lesson *lesson =
        lesson_good(DECODER "  target: you win\n  other_texts: {other: or die you}\n");
    Lesson *own = lesson_good(DECODER "  target: or die you\n");
    assert_same_numbers(lesson, "other.probabilities", own, "probabilities");
    lesson_destroy(own);
    lesson_destroy(lesson);
}

/* A mute in the lesson's own run is repeated in the runs on other texts; a cell set by
 * hand is not. */
static void test_other_texts_are_muted_with_the_lessons(void **state) {
    Lesson *lesson = lesson_good(HEAD "  other_texts: {other: when play you}\n");
    Tape *tape = lesson->tape;
    size_t add = tape_find(tape, "encoder.0.residual_1");
    size_t other = tape_find(tape, "other.encoder.0.residual_1");
    assert_true(tape_mute(tape, add, true));
    assert_true(tape_node(tape, other)->muted);
    assert_same_numbers(lesson, "other.encoder.0.residual_1", lesson,
                        "other.encoder.0.self_attention.projected");
    tape_mute(tape, add, false);
    assert_false(tape_node(tape, other)->muted);
    double before = tensor_of(lesson, "other.memory")->values[0];
    assert_true(tape_edit(tape, tape_find(tape, "encoder.input"), 0, 0, 5));
    assert_true(tensor_of(lesson, "other.memory")->values[0] == before);
    assert_true(
        tape_edit(tape, tape_find(tape, "encoder.0.self_attention.W_Q"), 0, 0, 5));
    assert_false(tensor_of(lesson, "other.memory")->values[0] == before);
    lesson_destroy(lesson);
}

static void test_words_are_said_as_far_as_there_are_positions(void **state) {
    Lesson *lesson =
        lesson_good("title: t\nmodel: {kind: decoder, d_model: 6, context: 4,\n"
                    "  positions: learned, vocabulary: 7, target: [1, 2]}\n"
                    "steps:\n  - generate: {length: 9}\n"
                    "  - generate: {length: 2}\n"
                    "  - generate: {length: 9, rule: beam}\n");
    static const size_t said[] = {3, 2, 3};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(
            lesson->steps[lesson->step_count - 3 + i].generate->generated.step_count,
            said[i]);
    lesson_destroy(lesson);
    static const BadText bad = {
        "title: t\nmodel: {kind: decoder, d_model: 6, context: 4,\n"
        "  positions: learned, vocabulary: 7, target: [1, 2]}\n"
        "steps:\n  - generate: {begin: [1, 2, 3, 4, 5]}\n",
        ERROR_VALUE, 5, 15,
        "the decoder reads 5 words, but has positions for 4; "
        "'context: 5' would do"};
    assert_bad_lesson(&bad);
}

static void test_a_seed_chooses_the_weights(void **state) {
    Lesson *lessons[] = {lesson_good(HEAD "  weights: {random: 0}\n"), lesson_good(HEAD),
                         lesson_good(HEAD "  weights: {random: 1}\n")};
    const double *chances[3];
    for (size_t i = 0; i < 3; i++)
        chances[i] = tensor_of(lessons[i], "probabilities")->values;
    assert_memory_equal(chances[0], chances[1], 36 * sizeof(double));
    assert_true(memcmp(chances[0], chances[2], 36 * sizeof(double)) != 0);
    for (size_t i = 0; i < 3; i++)
        lesson_destroy(lessons[i]);
}

/* ---- errors ---- */

#define MODEL "title: t\nmodel:\n  d_model: 8\n"
#define WORDS MODEL "  vocabulary: [a, b, you]\n"
#define GOOD WORDS "  source: a b\n  target: b\n"

static void test_an_unknown_place_hides_nothing_else_that_is_wrong(void **state) {
    static const char text[] = GOOD "steps:\n  - at: nowhere\n    hading: a\n";
    ErrorList errors = {0};
    assert_null(lesson_parse("t.yaml", text, strlen(text), NULL, &errors));
    assert_int_equal(errors.count, 2);
}

/* ---- listed steps ---- */

#define LISTED(kind, texts)                                                              \
    "title: t\nmodel:\n  kind: " kind "\n  d_model: 8\n  heads: 2\n  layers: 2\n"        \
    "  steps: listed\n  corpus: [you win or you die]\n" texts "steps:\n"

static const struct {
    const char *text;
    const char *names[8]; /* of the steps' results */
} listed[] = {
    {LISTED(
         "encoder_decoder",
         "  source: you win\n  target: or\n") "  - at: source\n"
                                              "  - at: encoder.0.self_attention.head.1."
                                              "scores\n"
                                              "  - show: encoder.embedding\n"
                                              "  - at: encoder.0\n"
                                              "  - at: memory\n"
                                              "  - at: target\n"
                                              "  - at: decoder.1.cross_attention\n"
                                              "  - at: probabilities\n",
     {"source", "encoder.0.self_attention.head.1.scores", "encoder.embedding",
      "encoder.0.norm_2", "memory", "target", "decoder.1.cross_attention.projected",
      "probabilities"}},
    {LISTED("encoder", "  source: you win\n") "  - at: encoder.input\n"
                                              "  - at: encoder.1.residual_1\n"
                                              "  - at: encoder.1\n",
     {"encoder.input", "encoder.1.residual_1", "encoder.1.norm_2"}},
    {LISTED("decoder", "  target: you win\n") "  - at: decoder.0.self_attention\n"
                                              "  - at: logits\n"
                                              "  - at: probabilities\n"
                                              "  - generate: {length: 2}\n",
     {"decoder.0.self_attention.projected", "logits", "probabilities",
      "said.turn_2.chances"}},
};

static void test_only_listed_steps_are_at_the_top(void **state) {
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        Lesson *lesson = lesson_good(listed[i].text);
        Player player = player_of(lesson);
        for (size_t k = 0; k < player_statement_count(&player); k++) {
            size_t step = player_statement_step(&player, k);
            assert_string_equal(tape_node(lesson->tape, player.steps[step].node)->name,
                                listed[i].names[k]);
            assert_int_equal(player.steps[step].depth, 1);
        }
        lesson_destroy(lesson);
    }
}

/* A listed step has the words of what it shows: of a sublayer, not of the sum that it
 * ends with. */
static void test_listed_steps_have_topics(void **state) {
    Lesson *lesson = lesson_good(
        LISTED("encoder",
               "  source: you win\n") "  - at: encoder.input\n"
                                      "  - at: encoder.0.self_attention.head.0.output\n"
                                      "  - at: encoder.0.self_attention\n"
                                      "  - at: encoder.0.residual_1\n"
                                      "  - at: encoder.0.norm_1\n"
                                      "  - at: encoder.0.feed_forward\n"
                                      "  - at: encoder.1\n");
    static const char *const topics[] = {"input",        "blend",      "self_attention",
                                         "add",          "layer_norm", "feed_forward",
                                         "encoder_layer"};
    Player player = player_of(lesson);
    for (size_t i = 0; i < player_statement_count(&player); i++)
        assert_string_equal(player.steps[player_statement_step(&player, i)].topic,
                            topics[i]);
    lesson_destroy(lesson);
}

/* Every operation up to the last listed step is a step inside one, and is so first in the
 * step in which it is computed. */
static void test_listed_steps_fold_what_lies_between(void **state) {
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        Lesson *lesson = lesson_good(listed[i].text);
        Player player = player_of(lesson);
        size_t *leaves = calloc(tape_count(lesson->tape), sizeof *leaves), last = 0;
        for (size_t k = 0; k < player.step_count; k++) {
            const PlayerStep *at = &player.steps[k];
            const LessonStep *step = &lesson->steps[at->statement];
            if (!player_has_cells(&player, k) || step->generate)
                continue;
            assert_int_equal(at->repeats, leaves[at->node] > 0);
            leaves[at->node]++;
            last = at->node > last ? at->node : last;
            assert_true(at->node < step->first + step->count &&
                        at->node + step->folded >= step->first);
        }
        for (size_t node = lesson->model->parameters[0].node; node <= last; node++) {
            const TapeNode *at = tape_node(lesson->tape, node);
            assert_int_equal(leaves[node] > 0,
                             !at->quiet && at->operation != OPERATION_GIVEN);
        }
        free(leaves);
        lesson_destroy(lesson);
    }
}

static void test_right_within_a_fold_is_the_order_of_the_computation(void **state) {
    Lesson *lesson = lesson_good(listed[0].text);
    Player player = player_of(lesson);
    assert_true(player_move(&player, PLAYER_RIGHT));
    size_t scores = player.step, node = 0;
    assert_int_equal(player.steps[scores].child_count, 0); /* drawn as the operation */
    assert_true(player_opens(&player, scores));
    player.depth = player.depth_max;
    for (size_t i = scores + 1; i < player.steps[scores].next; i++) {
        if (player_opens(&player, i))
            continue;
        assert_true(player.steps[i].node > node);
        node = player.steps[i].node;
    }
    assert_int_equal(node, player.steps[scores].node);
    assert_true(player_move(&player, PLAYER_DOWN));
    assert_int_equal(player.step, scores + 1);
    assert_true(player_move(&player, PLAYER_UP));
    assert_int_equal(player.step, scores);
    lesson_destroy(lesson);
}

static void test_a_model_that_fails_gives_no_errors_of_its_steps(void **state) {
    static const BadText bad = {GOOD "  heads: 3\n"
                                     "steps:\n"
                                     "  - do: Y = memory + 1\n"
                                     "  - at: encoder.0\n",
                                ERROR_VALUE, 7, 10, "heads must divide d_model"};
    assert_bad_lesson(&bad);
}

static void test_a_model_past_its_memory_says_so(void **state) {
    static const char text[] =
        "title: t\nmodel: {d_model: 512, layers: 2, vocabulary: 9,\n"
        "  source: [1], target: [1]}\n";
    ErrorList errors = {0};
    assert_null(lesson_parse("t.yaml", text, strlen(text),
                             &(LessonOptions){.memory = (size_t)20 << 20}, &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].code, ERROR_MEMORY);
    assert_int_equal(errors.items[0].line, 2);
}

static void test_memory_that_runs_out_is_an_error_wherever_it_happens(void **state) {
    static const char text[] =
        "title: t\nmodel: {d_model: 2, heads: 2, d_ff: 2, corpus: [a b], source: a,\n"
        "  target: b}\nsteps:\n  - at: encoder.0.norm_1\n    say: x\n";
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 96) {
        ErrorList errors = {0};
        Lesson *lesson = lesson_parse("t.yaml", text, strlen(text),
                                      &(LessonOptions){.memory = limit}, &errors);
        Player player;
        complete = lesson && player_init(&player, lesson);
        bool told = false;
        for (size_t i = 0; i < errors.count; i++)
            told |= errors.items[i].code == ERROR_MEMORY;
        assert_int_equal(told, lesson == NULL);
        lesson_destroy(lesson);
        assert_true(limit < 2000000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_models_parts_are_the_lessons_first_steps),
        cmocka_unit_test(test_a_model_needs_no_steps_of_its_own),
        cmocka_unit_test(test_a_layer_opens_into_sublayers_operations_and_cells),
        cmocka_unit_test(test_six_layers_are_a_few_steps_or_hundreds),
        cmocka_unit_test(test_a_step_knows_what_it_is),
        cmocka_unit_test(test_words_are_put_on_steps_at_any_depth),
        cmocka_unit_test(test_a_chapter_within_a_step_begins_with_that_step),
        cmocka_unit_test(test_words_are_put_within_a_composite),
        cmocka_unit_test(test_a_models_tensors_have_names_in_expressions),
        cmocka_unit_test(test_a_corpus_numbers_its_words_from_one),
        cmocka_unit_test(test_texts_are_read_in_every_way),
        cmocka_unit_test(test_lesson_tokens_label_ids_that_have_no_words),
        cmocka_unit_test(test_ids_without_words_label_the_logits),
        cmocka_unit_test(test_every_key_sets_its_field),
        cmocka_unit_test(test_another_text_is_read_as_if_it_were_the_lessons),
        cmocka_unit_test(test_another_text_of_a_decoder_is_its_target),
        cmocka_unit_test(test_other_texts_are_muted_with_the_lessons),
        cmocka_unit_test(test_words_are_said_as_far_as_there_are_positions),
        cmocka_unit_test(test_a_seed_chooses_the_weights),
        cmocka_unit_test(test_an_unknown_place_hides_nothing_else_that_is_wrong),
        cmocka_unit_test(test_only_listed_steps_are_at_the_top),
        cmocka_unit_test(test_listed_steps_have_topics),
        cmocka_unit_test(test_listed_steps_fold_what_lies_between),
        cmocka_unit_test(test_right_within_a_fold_is_the_order_of_the_computation),
        cmocka_unit_test(test_a_model_that_fails_gives_no_errors_of_its_steps),
        cmocka_unit_test(test_a_model_past_its_memory_says_so),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error_wherever_it_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

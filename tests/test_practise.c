/* Practice: answers are parsed and judged, hints are true, and in no lesson is an answer
 * visible before it is given. */
#include "close.h"
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/practise/practise.h"
#include "lesson_text.h"
#include "picture/overlays/overlays.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

enum {
    SCRATCH_BYTES = 64 << 20,
    FRAME_BYTES = 64 << 20,
    HIDDEN_CELLS = 64,
    STEPS_MOST = 600
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- reading answers ---- */

static void test_answers_are_numbers_and_simple_expressions(void **state) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"0.5", 0.5},
                 {" -2 ", -2},
                 {"−2", -2},
                 {"1*0+1*1", 1},
                 {"2/3", 2.0 / 3},
                 {"1 + 2 * 3", 7},
                 {"(1 + 2) × 3", 9},
                 {"8 ÷ 2 ÷ 2", 2},
                 {"1 - 2 - 3", -4},
                 {"-2^2", -4},
                 {"2^3^2", 512},
                 {"2**-1", 0.5},
                 {"sqrt(2)", 1.4142135623730951},
                 {"√4 + √(9)", 5},
                 {"e^0.5", 1.6487212707001282},
                 {"exp(1)/e", 1},
                 {"ln(e)", 1},
                 {"sin(pi/2) - cos(0)", 0},
                 {"1e-3", 0.001},
                 {"1e3", 1000},
                 {".5", 0.5},
                 {"0,5", 0.5},
                 {"1 + 2，5", 3.5},
                 {"--1", 1},
                 {"-inf", -INFINITY},
                 {"−∞", -INFINITY}};
    Arena *arena = arena_create(SCRATCH_BYTES);
    for (size_t i = 0; i < COUNT(cases); i++) {
        AnswerProblem problem;
        const Term *term = answer_parse(arena, cases[i].text, &problem);
        if (!term)
            fail_msg("'%s' gives fault %d", cases[i].text, problem.fault);
        assert_close(&term->value, &cases[i].value, 1, 1e-12);
        assert_int_equal(problem.fault, ANSWER_FINE);
    }
    arena_destroy(arena);
}

static void test_what_is_no_answer_says_why(void **state) {
    static const struct {
        const char *text;
        AnswerFault fault;
        const char *word;
    } cases[] = {{"", ANSWER_EMPTY, ""},           {"   ", ANSWER_EMPTY, ""},
                 {"0,5,2", ANSWER_COMMA, ","},     {",5", ANSWER_COMMA, ","},
                 {"1, 2", ANSWER_COMMA, ","},      {"1 +", ANSWER_UNFINISHED, ""},
                 {"1.000,5", ANSWER_COMMA, ","},   {"1 + 2，", ANSWER_COMMA, "，"},
                 {"sqrt", ANSWER_UNFINISHED, ""},  {"2 ^", ANSWER_UNFINISHED, ""},
                 {"(1", ANSWER_PARENTHESIS, "("},  {"1)", ANSWER_PARENTHESIS, ")"},
                 {")", ANSWER_PARENTHESIS, ")"},   {"1 2", ANSWER_TWO_NUMBERS, ""},
                 {"2(3)", ANSWER_TWO_NUMBERS, ""}, {"50%", ANSWER_SIGN, "%"},
                 {"? ", ANSWER_SIGN, "?"},         {"half", ANSWER_NAME, "half"},
                 {"e2", ANSWER_TWO_NUMBERS, ""},   {"1.2.3", ANSWER_SIGN, "1.2.3"},
                 {"0/0", ANSWER_NO_NUMBER, ""},    {"sqrt(-1)", ANSWER_NO_NUMBER, ""},
                 {"学习", ANSWER_SIGN, "学"},      {"1e999", ANSWER_BEYOND, "1e999"}};
    Arena *arena = arena_create(SCRATCH_BYTES);
    for (size_t i = 0; i < COUNT(cases); i++) {
        AnswerProblem problem;
        assert_null(answer_parse(arena, cases[i].text, &problem));
        if (problem.fault != cases[i].fault)
            fail_msg("'%s' gives fault %d, not %d", cases[i].text, problem.fault,
                     cases[i].fault);
        assert_string_equal(problem.word, cases[i].word);
        assert_true(answer_fault_name(problem.fault)[0] != 0);
    }
    arena_destroy(arena);
}

static void test_deep_answers_are_refused(void **state) {
    static const char *const openings[] = {"(", "-", "√", "2^", "sqrt("};
    Arena *arena = arena_create(SCRATCH_BYTES);
    for (size_t i = 0; i < COUNT(openings); i++) {
        char text[4000] = "";
        for (int j = 0; j < 500; j++)
            strcat(text, openings[i]);
        AnswerProblem problem;
        assert_null(answer_parse(arena, text, &problem));
        assert_int_equal(problem.fault, ANSWER_TOO_DEEP);
    }
    AnswerProblem problem;
    char digits[200];
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = 0;
    assert_null(answer_parse(arena, digits, &problem));
    assert_int_equal(problem.fault, ANSWER_TOO_DEEP);
    arena_destroy(arena);
}

/* ---- judging ---- */

static const char HEAD[] = "title: A head\n"
                           "tokens: [I, am, learning]\n"
                           "given:\n"
                           "  Q: [[1, 2, 0.5], [0, 3, 1], [4, 1, 2]]\n"
                           "  K: [[2, 1, 3], [1, 5, 2], [0.25, 2, 7]]\n"
                           "  G: [1, 2, 4]\n"
                           "  Z: [0, 0, 0]\n"
                           "steps:\n"
                           "  - do: S = Q @ K.T\n"
                           "    ask: {cell: [0, 2]}\n"
                           "  - do: S_scaled = S / sqrt(3)\n"
                           "    ask: {cell: [1, 0]}\n"
                           "  - do: S_masked = S_scaled + causal_mask(3)\n"
                           "  - do: A = softmax(S_masked)\n"
                           "    ask: {cell: [2, 0]}\n"
                           "  - do: N = layer_norm(Q, G, Z)\n"
                           "    ask: {cell: [1, 1]}\n"
                           "  - do: T = Q.T\n"
                           "    ask: {cell: [1, 2]}\n";

typedef struct Round {
    Lesson *lesson;
    Player player;
    Practise practise;
} Round;

static void begin(Round *round, const char *text, uint64_t seed) {
    round->lesson = lesson_good(text);
    assert_true(player_init(&round->player, round->lesson));
    assert_true(practise_begin(&round->practise, &round->player, seed));
}

static void end(Round *round) {
    practise_finish(&round->practise);
    lesson_destroy(round->lesson);
}

/* Goes to the exercise on a tensor's cell. */
static const Exercise *go_to(Round *round, const char *name) {
    Practise *practise = &round->practise;
    for (;;) {
        const Exercise *exercise = practise_exercise(practise);
        if (!exercise)
            fail_msg("no exercise on %s", name);
        if (strcmp(tape_node(round->lesson->tape, exercise->cell.node)->name, name) == 0)
            return exercise;
        practise_skip(practise);
        assert_true(practise_next(practise));
    }
}

/* The hint that a first wrong answer gets. */
static HintKind hint_on(const char *name, const char *answer) {
    Round round;
    begin(&round, HEAD, 1);
    go_to(&round, name);
    practise_answer(&round.practise, answer);
    HintKind kind = round.practise.hint.kind;
    end(&round);
    return kind;
}

static void assert_hint(const char *name, const char *answer, HintKind kind) {
    HintKind given = hint_on(name, answer);
    if (given != kind)
        fail_msg("%s = %s: '%s', not '%s'", name, answer, practise_hint_name(given),
                 practise_hint_name(kind));
}

/* S[0, 2] = 1×0.25 + 2×2 + 0.5×7 = 7.75 */
static void test_a_sum_is_compared_part_by_part(void **state) {
    assert_hint("S", "7.75", HINT_RIGHT);
    assert_hint("S", "1*0.25 + 2*2 + 0.5*7", HINT_RIGHT);
    assert_hint("S", "0.5*7 + 1/4 + 4", HINT_RIGHT);
    assert_hint("S", "1*0.25 + 2*5 + 0.5*7", HINT_PART);
    assert_hint("S", "1*0.25 + 0.5*7 + 2*5", HINT_PART);
    assert_hint("S", "1*0.25 + 2*2 - 0.5*7", HINT_SIGN);
    assert_hint("S", "1*0.25 + 2*2", HINT_MISSING);
    assert_hint("S", "0.25 + 4 + 3.5 + 3*1", HINT_TOO_MANY);
    Round round;
    begin(&round, HEAD, 1);
    go_to(&round, "S");
    practise_answer(&round.practise, "1*0.25 + 2*5 + 0.5*7");
    const Hint *hint = &round.practise.hint;
    assert_int_equal(hint->number, 2);
    assert_close(&hint->term->value, &(double){4}, 1, 0);
    assert_close(&hint->yours->value, &(double){10}, 1, 0);
    end(&round);
}

static void test_a_number_is_known_for_what_it_is(void **state) {
    assert_hint("S", "4.25", HINT_PARTIAL);
    assert_hint("S", "0.25", HINT_PARTIAL);
    assert_hint("S", "3.75", HINT_MISSING); /* without 2×2 */
    assert_hint("S", "0.75", HINT_SIGN);    /* with −0.5×7 */
    assert_hint("S", "-7.75", HINT_NEGATED);
    assert_hint("S", "9.5", HINT_LINES);           /* 1×2 in place of 1×0.25 */
    assert_hint("S", "10.5", HINT_ROW_FOR_COLUMN); /* Q @ K */
    assert_hint("S", "15", HINT_TRANSPOSED);       /* S[2, 0] */
    assert_hint("S", "12", HINT_OTHER_CELL);       /* S[0, 1] */
    assert_hint("S", "8", HINT_NEAR);
    assert_hint("S", "7.6", HINT_NEAR);
    assert_hint("S", "100", HINT_LINES);
    assert_hint("S", "inf", HINT_LINES);
}

static void test_what_was_forgotten_is_named(void **state) {
    assert_hint("S_scaled", "6", HINT_BEFORE);
    assert_hint("S_scaled", "12/sqrt(3)", HINT_NUMERATOR);
    assert_hint("S_scaled", "6/3", HINT_DENOMINATOR);
    assert_hint("S_scaled", "6/sqrt(3)", HINT_RIGHT);
    assert_hint("A", "0.2228", HINT_RIGHT);
    assert_hint("A", "0.117", HINT_LEFT_OUT);      /* without the division by √3 */
    assert_hint("A", "0.315", HINT_NOT_DIVIDED);   /* e^(x − max) */
    assert_hint("A", "e^8.660", HINT_NOT_DIVIDED); /* e^x */
    assert_hint("A", "8.66", HINT_BEFORE);
    assert_hint("T", "7", HINT_COPIED);
    Round round;
    begin(&round,
          "title: A mask\n"
          "given:\n"
          "  S: [[1, 2], [3, 1]]\n"
          "steps:\n"
          "  - do: A = softmax(S + causal_mask(2))\n"
          "    ask: {cell: [0, 0]}\n",
          1);
    go_to(&round, "A");
    practise_answer(&round.practise, "0.269");
    assert_int_equal(round.practise.hint.kind, HINT_LEFT_OUT);
    assert_int_equal(round.practise.hint.cell.node, tape_find(round.lesson->tape, "S"));
    end(&round);
}

/* A softmax may be written with or without subtracting the largest score first. */
static void test_a_softmax_may_be_written_without_its_shift(void **state) {
    assert_hint("A", "e^8.6603 / (e^8.6603 + e^7.5056 + e^9.8150)", HINT_RIGHT);
    assert_hint("A", "e^8.6603 / (e^8.6603 + e^7.5056 + e^1)", HINT_PART);
    assert_hint("A", "e^-1.1547 / (e^-1.1547 + e^-2.309 + e^2)", HINT_PART);
    assert_hint("A", "e^1 / (e^8.6603 + e^7.5056 + e^9.8150)", HINT_INNER);
}

static void test_the_tolerance_is_what_is_said(void **state) {
    const double values[] = {0, 0.01, 1, -250},
                 tolerances[] = {0.0005, 0.0005, 0.01, 2.5};
    for (size_t i = 0; i < COUNT(values); i++) {
        double tolerance = judge_tolerance(values[i]);
        assert_close(&tolerance, &tolerances[i], 1, 1e-15);
    }
    assert_hint("S", "7.8275", HINT_RIGHT);
    assert_hint("S", "7.6725", HINT_RIGHT);
    assert_hint("S", "7.829", HINT_NEAR);
}

static void test_hints_come_in_turn_and_the_third_shows_all(void **state) {
    Round round;
    begin(&round, HEAD, 1);
    const Exercise *exercise = go_to(&round, "S");
    Practise *practise = &round.practise;
    practise_answer(practise, "0.25 + 10 + 3.5");
    practise_answer(practise, "0,5,");
    assert_int_equal(practise->hint.kind, HINT_FAULT);
    assert_int_equal(practise->hint.problem.fault, ANSWER_COMMA);
    assert_int_equal(exercise->tries, 1);
    assert_true(practise_hides(practise));
    assert_false(practise_next(practise));
    practise_answer(practise, "99");
    assert_int_equal(practise->hint.kind, HINT_GAP);
    assert_true(practise_hides(practise));
    size_t gaps = 0;
    for (size_t i = 0; i < practise->hint.term->count; i++)
        gaps += practise->hint.term->parts[i] == practise->hint.gap;
    assert_int_equal(gaps, 1);
    practise_answer(practise, "99");
    assert_int_equal(practise->hint.kind, HINT_WHOLE);
    assert_int_equal(exercise->outcome, EXERCISE_SKIPPED);
    assert_false(practise_hides(practise));
    end(&round);
}

/* Names of hints: in --json, and as keys of the interface strings. */
static void test_hints_have_names_of_their_own(void **state) {
    (void)state;
    for (HintKind kind = 0; kind < HINT_COUNT; kind++) {
        assert_non_null(practise_hint_name(kind));
        for (HintKind other = 0; other < kind; other++)
            assert_string_not_equal(practise_hint_name(kind), practise_hint_name(other));
    }
}

/* The gap is where the first answer went astray. */
static void test_the_gap_is_where_it_went_astray(void **state) {
    Round round;
    begin(&round, HEAD, 1);
    go_to(&round, "S");
    practise_answer(&round.practise, "1*0.25 + 2*5 + 0.5*7");
    practise_answer(&round.practise, "99");
    assert_ptr_equal(round.practise.hint.gap, round.practise.hint.term->parts[1]);
    end(&round);
}

static void test_the_score_counts_how_exercises_ended(void **state) {
    Round round;
    begin(&round, HEAD, 1);
    Practise *practise = &round.practise;
    size_t count = practise->count;
    assert_true(count >= 5);
    for (size_t i = 0; i < count; i++) {
        char answer[64];
        snprintf(answer, sizeof answer, "%.17g", practise->term->value);
        const Exercise *exercise = practise_exercise(practise);
        if (exercise->kind != EXERCISE_CELL)
            snprintf(answer, sizeof answer, "%zu", exercise->cell.col);
        if (i == 1 && !exercise->count)
            practise_answer(practise, exercise->kind == EXERCISE_CELL ? "1e6" : "0");
        if (i == 2)
            practise_skip(practise);
        else if (exercise->count)
            practise_pick(practise, exercise->trend - 1);
        else
            practise_answer(practise, answer);
        assert_true(practise_next(practise));
    }
    assert_null(practise_exercise(practise));
    assert_false(practise_next(practise));
    PractiseScore score = practise_score(practise);
    assert_int_equal(score.at_once + score.after_hints + score.skipped, count);
    assert_int_equal(score.skipped, 1);
    assert_true(score.after_hints <= 1 && score.at_once >= count - 2);
    end(&round);
}

/* ---- rows ---- */

static const char WORDS[] = "title: Words\n"
                            "tokens: [or, die, you]\n"
                            "given:\n"
                            "  L: [[1, 2, 0], [0, 1, 5], [0, 7, 1]]\n"
                            "steps:\n"
                            "  - do: S = L @ L.T\n"
                            "  - do: P = softmax(S)\n";

/* P's last row is largest for "you". */
static void test_the_largest_of_a_row_is_named_or_numbered(void **state) {
    static const char *const good[] = {"you", " YOU ", "2"};
    for (size_t i = 0; i < COUNT(good); i++) {
        Round round;
        begin(&round, WORDS, 1);
        const Exercise *exercise = go_to(&round, "P");
        assert_int_equal(exercise->kind, EXERCISE_NEXT_WORD);
        assert_int_equal(exercise->cell.row, 2);
        assert_int_equal(exercise->cell.col, 2);
        practise_answer(&round.practise, good[i]);
        assert_int_equal(exercise->outcome, EXERCISE_AT_ONCE);
        end(&round);
    }
}

static void test_a_wrong_column_is_told_from_none(void **state) {
    Round round;
    begin(&round, WORDS, 1);
    const Exercise *exercise = go_to(&round, "P");
    Practise *practise = &round.practise;
    static const char *const none[] = {"zebra", "3", "-1", "99999999999999999999"};
    for (size_t i = 0; i < COUNT(none); i++) {
        practise_answer(practise, none[i]);
        assert_int_equal(practise->hint.kind, HINT_LABEL);
    }
    practise_answer(practise, "  ");
    assert_int_equal(practise->hint.problem.fault, ANSWER_EMPTY);
    practise_choose(practise, 3);
    assert_int_equal(exercise->tries, 0);
    practise_choose(practise, 1);
    assert_int_equal(exercise->tries, 1);
    assert_int_equal(practise->hint.kind, HINT_CHOSEN);
    assert_int_equal(practise->hint.cell.col, 1);
    practise_choose(practise, 2);
    assert_int_equal(exercise->outcome, EXERCISE_AFTER_HINTS);
    end(&round);
}

/* ---- every lesson ---- */

static int set_up(void **state) {
    course_set_up_all(state);
    course_load_lesson(*state, "tests/fuzz/everything.yaml");
    return 0;
}

/* The place of an option. */
static size_t place_of(const Exercise *exercise, size_t option) {
    size_t place = 0;
    while (exercise->shown[place] != option)
        place++;
    return place;
}

/* The option that is the answer. */
static size_t right_option(const Exercise *exercise) {
    size_t option = 0;
    if (exercise->kind == EXERCISE_DIRECTION)
        return exercise->trend - 1;
    while (!exercise->question->options[option].right)
        option++;
    return option;
}

/* Puts the options in order, or chooses the right one. */
static void pick_right(Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    if (exercise->kind != EXERCISE_ORDER) {
        practise_pick(practise, place_of(exercise, right_option(exercise)));
        return;
    }
    for (size_t i = 0; i < exercise->count; i++)
        practise_pick(practise, place_of(exercise, i));
}

/* Answers the present exercise as it should be: by its number, column or options. */
static void answer_right(Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    char answer[64];
    assert_non_null(practise->term);
    snprintf(answer, sizeof answer, "%.17g", practise->term->value);
    if (exercise->count)
        pick_right(practise);
    else if (exercise->kind == EXERCISE_CELL)
        practise_answer(practise, answer);
    else
        practise_choose(practise, exercise->cell.col);
    assert_int_equal(exercise->outcome, EXERCISE_AT_ONCE);
}

/* Every wrong option is refused with a reason; then it is given up. */
static void pick_wrong(Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    for (size_t i = 0; i < exercise->count; i++) {
        if (exercise->kind != EXERCISE_ORDER &&
            exercise->shown[i] == right_option(exercise))
            continue;
        practise_pick(practise, exercise->kind == EXERCISE_ORDER
                                    ? place_of(exercise, exercise->count - 1 - i)
                                    : i);
        if (exercise->kind != EXERCISE_ORDER)
            assert_true(practise->hint.kind == HINT_REASON ||
                        practise->hint.kind == HINT_TREND);
    }
    if (exercise->kind == EXERCISE_ORDER)
        assert_int_equal(practise->hint.kind, HINT_ORDER);
    assert_true(practise_hides(practise));
    practise_skip(practise);
}

/* Wrong until all is shown, three times at most; every hint has what its words speak of,
 * and none says again what the last one has written out. */
static void answer_wrong(Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    size_t cols =
        tape_node(practise->player->lesson->tape, exercise->cell.node)->output.cols;
    for (int i = 0; i < 3 && !exercise->count && practise_hides(practise); i++) {
        const Term *before =
            practise->hint.kind == HINT_FIRST ? practise->hint.term : NULL;
        if (exercise->kind == EXERCISE_CELL)
            practise_answer(practise, "123456.789 + 1");
        else
            practise_choose(practise, (exercise->cell.col + 1) % cols);
        assert_true(practise->hint.kind != HINT_NONE &&
                    practise->hint.kind != HINT_FAULT);
        assert_true(practise->hint.kind != HINT_FIRST || practise->hint.term);
        assert_true(practise->hint.kind != HINT_GAP || practise->hint.term);
        assert_false(practise->hint.kind == HINT_GAP && !practise->hint.gap &&
                     practise->hint.term == before);
    }
    if (exercise->count)
        pick_wrong(practise);
    assert_int_equal(exercise->outcome, EXERCISE_SKIPPED);
}

static void test_every_lesson_can_be_practised(void **state) {
    CourseFiles *files = *state;
    size_t rounds = 0;
    for (size_t i = 0; i < files->count; i++) {
        Player player;
        assert_true(player_init(&player, files->lessons[i]));
        for (uint64_t seed = 0; seed < 4; seed++) {
            Practise practise;
            if (!practise_begin(&practise, &player, seed))
                break;
            rounds++;
            for (size_t j = 0; practise_exercise(&practise); j++) {
                if ((j + seed) % 2)
                    answer_right(&practise);
                else
                    answer_wrong(&practise);
                assert_true(practise_next(&practise));
            }
            practise_finish(&practise);
        }
    }
    assert_true(rounds > 2 * files->count);
}

/* The questions of a round, of each step whether it is asked; each once. */
static size_t ask_round(const Player *player, uint64_t seed, bool *asked) {
    Practise practise;
    size_t count = 0, numbers = 0;
    if (!practise_begin(&practise, player, seed))
        return 0;
    for (size_t j = 0; j < practise.count; j++) {
        const Exercise *exercise = &practise.exercises[j];
        numbers += exercise->kind == EXERCISE_CELL ||
                   exercise->kind == EXERCISE_LARGEST ||
                   exercise->kind == EXERCISE_NEXT_WORD;
        for (size_t k = 0; exercise->question && k < j; k++) {
            if (practise.exercises[k].question == exercise->question)
                fail_msg("%s: '%s' is asked again", player->lesson->id,
                         player->steps[exercise->step].path);
        }
        asked[exercise->step] |= exercise->question != NULL;
        count += exercise->question != NULL;
    }
    if (count == PRACTISE_OWN && numbers < PRACTISE_OWN / 2)
        fail_msg("%s: only %zu numbers among %zu exercises", player->lesson->id, numbers,
                 practise.count);
    practise_finish(&practise);
    return count;
}

/* The lesson's own questions are all asked, each once a round; where there are many, in
 * several rounds. */
static void test_every_question_of_a_lesson_is_asked(void **state) {
    enum { ROUNDS = 40 };
    CourseFiles *files = *state;
    size_t questions = 0;
    for (size_t i = 0; i < files->count; i++) {
        const Lesson *lesson = files->lessons[i];
        size_t is_question = 0, all = 0;
        for (size_t j = 0; j < lesson->step_count; j++)
            is_question += lesson->steps[j].question &&
                           lesson->steps[j].question->kind != QUESTION_THOUGHT;
        Player player;
        assert_true(player_init(&player, lesson));
        if (!is_question)
            continue;
        bool *asked = calloc(player.step_count, sizeof *asked);
        assert_non_null(asked);
        size_t first = ask_round(&player, 0, asked);
        assert_true(first >= (is_question < PRACTISE_OWN ? is_question : PRACTISE_OWN));
        for (uint64_t seed = 1; first < is_question && seed < ROUNDS; seed++)
            ask_round(&player, seed, asked);
        for (size_t j = 0; j < player.step_count; j++)
            all += asked[j];
        free(asked);
        if (all < is_question)
            fail_msg("%s: %zu of %zu questions are asked", lesson->id, all, is_question);
        questions += all;
    }
    assert_true(questions >= 15);
}

/* The operations that no lesson of the course makes a step. */
static const char OTHERS[] = "title: The others\n"
                             "given:\n"
                             "  X: [[1, 2, 0.5], [0.25, 3, 1]]\n"
                             "steps:\n"
                             "  - do: N = log(X)\n"
                             "  - do: S = stack(X, N)\n"
                             "  - do: P = top_p(X, 0.8)\n"
                             "  - do: T = sum(X)\n";

/* Right and wrong answers to exercises from a lesson's steps; notes which operations they
 * were about. */
static void practise_steps(const Lesson *lesson, bool seen[OPERATION_COUNT]) {
    Player player;
    assert_true(player_init(&player, lesson));
    size_t stride = player.step_count / STEPS_MOST + 1;
    for (size_t j = 0; j < player.step_count; j += stride) {
        Practise practise;
        if (!practise_begin_at(&practise, &player, j, j))
            continue;
        assert_int_equal(practise.count, 1);
        if (!practise.exercises[0].count)
            assert_int_equal(practise.exercises[0].cell.node, player.steps[j].node);
        if (!practise.exercises[0].question)
            seen[tape_node(lesson->tape, player.steps[j].node)->operation] = true;
        if (j % 2)
            answer_right(&practise);
        else
            answer_wrong(&practise);
        practise_finish(&practise);
    }
}

static void test_every_operation_makes_an_exercise(void **state) {
    CourseFiles *files = *state;
    bool seen[OPERATION_COUNT] = {false};
    for (size_t i = 0; i < files->count; i++)
        practise_steps(files->lessons[i], seen);
    Lesson *others = lesson_good(OTHERS);
    practise_steps(others, seen);
    lesson_destroy(others);
    for (OperationKind kind = OPERATION_GIVEN + 1; kind < OPERATION_COUNT; kind++) {
        if (!seen[kind])
            fail_msg("there is no exercise on '%s': add a step to "
                     "tests/lessons/every-operation.yaml",
                     operation_of(kind)->name);
    }
    assert_false(seen[OPERATION_GIVEN]);
}

static bool same_exercises(const Practise *a, const Practise *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->exercises[i].kind == b->exercises[i].kind &&
               follow_same(a->exercises[i].cell, b->exercises[i].cell);
    return same;
}

static void test_a_seed_gives_one_round(void **state) {
    CourseFiles *files = *state;
    size_t different = 0;
    for (size_t i = 0; i < files->count; i++) {
        Player player;
        Practise one, same, other;
        assert_true(player_init(&player, files->lessons[i]));
        if (!practise_begin(&one, &player, 7))
            continue;
        assert_true(practise_begin(&same, &player, 7));
        assert_true(practise_begin(&other, &player, 8));
        assert_true(same_exercises(&one, &same));
        different += !same_exercises(&one, &other);
        practise_finish(&one);
        practise_finish(&same);
        practise_finish(&other);
    }
    assert_true(different > files->count / 2);
}

/* ---- what is not to be seen yet ---- */

typedef struct Look {
    Arena *arena;
    CourseFiles *files;
    Player player;
    Practise practise;
} Look;

/* The page with the present exercise. */
static uint64_t look(Look *look, const Language *language) {
    const Exercise *exercise = practise_exercise(&look->practise);
    FollowCell cell = exercise->cell;
    PractisePanel panel = {
        .practise = &look->practise, .answer = "", .chosen = PLAYER_NONE};
    TextMetrics metrics = fixed_metrics();
    Scene scene;
    arena_reset(look->arena);
    player_jump(&look->player, exercise->step);
    page_draw(&scene, look->arena,
              &(Page){.player = &look->player,
                      .theme = &look->files->themes.items[0],
                      .metrics = &metrics,
                      .language = language,
                      .width = 1440,
                      .height = 900,
                      .interactive = true,
                      .practise = &panel,
                      .view = LESSON_VIEW_PICTURE,
                      .has_focus = !practise_panel_hides_cell(&panel),
                      .focus = {LINK_CELL, cell.node, cell.row, cell.col}});
    assert_true(scene_complete(&scene));
    return scene_digest(&scene);
}

/* Turns a tensor's numbers round, so that they stand elsewhere and are as wide. False
 * where that changes nothing. */
static bool turn_round(Tape *tape, size_t node) {
    const Tensor *out = &tape_node(tape, node)->output;
    size_t count = tensor_cells(out);
    double values[HIDDEN_CELLS];
    memcpy(values, out->values, count * sizeof *values);
    bool changed = false;
    assert_true(tape_hold(tape));
    for (size_t i = 0; i < count; i++) {
        double value = values[count - 1 - i];
        changed |= value != values[i];
        if (!isnan(value))
            assert_true(tape_edit(tape, node, i / out->cols, i % out->cols, value));
    }
    assert_true(tape_release(tape));
    return changed;
}

/* With another result in its place the page is the same, digit for digit; once the answer
 * is given it is not. */
static void test_nothing_on_the_page_gives_the_answer_away(void **state) {
    CourseFiles *files = *state;
    Look at = {.arena = arena_create(FRAME_BYTES), .files = files};
    size_t looked = 0;
    for (size_t i = 0; i < files->count; i++) {
        Tape *tape = files->lessons[i]->tape;
        assert_true(player_init(&at.player, files->lessons[i]));
        if (!practise_begin(&at.practise, &at.player, 3))
            continue;
        for (; practise_exercise(&at.practise);
             practise_skip(&at.practise), practise_next(&at.practise)) {
            size_t node = at.player.steps[practise_exercise(&at.practise)->step].node;
            if (!practise_hides_node(&at.practise, node))
                continue;
            const Language *language = files->languages.items[i % files->languages.count];
            if (tensor_cells(&tape_node(tape, node)->output) <= HIDDEN_CELLS) {
                uint64_t before = look(&at, language);
                bool changed = turn_round(tape, node);
                if (look(&at, language) != before)
                    fail_msg("%s: '%s' can be seen", files->lessons[i]->id,
                             tape_node(tape, node)->name);
                practise_skip(&at.practise);
                uint64_t turned = look(&at, language);
                tape_restore(tape);
                if (changed && look(&at, language) == turned)
                    fail_msg("%s: '%s' is never shown", files->lessons[i]->id,
                             tape_node(tape, node)->name);
                looked++;
            }
        }
        practise_finish(&at.practise);
    }
    arena_destroy(at.arena);
    assert_true(looked > files->count);
}

/* ---- on paper ---- */

static bool is_small(const Tensor *tensor) {
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        if (tensor->values[i] != round(tensor->values[i]) || fabs(tensor->values[i]) > 12)
            return false;
    }
    return tensor_cells(tensor) > 1;
}

/* A copy's whole numbers lie where the lesson's do, and are the same for the same seed.
 */
static void test_copies_have_numbers_of_the_lessons_kind(void **state) {
    static const char text[] = "title: t\n"
                               "given:\n"
                               "  X: [[1, 0], [0, 1], [1, 1]]\n"
                               "  W: [[2, 5, 3], [3, 4, 2]]\n"
                               "  ids: [2, 0, 1]\n"
                               "  E: [[0.25, 0.5], [1, 0.75], [0, 0.5]]\n"
                               "  M: [[0, -inf], [0, 0]]\n"
                               "steps:\n"
                               "  - do: Y = X @ W\n"
                               "  - do: Z = embed(E, ids)\n"
                               "  - show: M\n";
    static const char *const kept[] = {"ids", "M"}, *const drawn[] = {"X", "W", "E"};
    Lesson *own = lesson_good(text), *copy = lesson_good(text), *same = lesson_good(text);
    bool redrawn, again;
    assert_true(lesson_redraw(copy, 7, &redrawn) && lesson_redraw(same, 7, &again));
    assert_true(redrawn && again);
    for (size_t i = 0; i < tape_count(own->tape); i++) {
        const TapeNode *node = tape_node(copy->tape, i);
        const Tensor *mine = &node->output, *theirs = &tape_node(own->tape, i)->output;
        assert_memory_equal(mine->values, tape_node(same->tape, i)->output.values,
                            tensor_cells(mine) * sizeof(double));
        for (size_t k = 0; k < COUNT(kept); k++) {
            if (strcmp(node->name, kept[k]) == 0)
                assert_memory_equal(mine->values, theirs->values,
                                    tensor_cells(mine) * sizeof(double));
        }
        for (size_t k = 0; k < COUNT(drawn); k++) {
            if (strcmp(node->name, drawn[k]) == 0)
                assert_memory_not_equal(mine->values, theirs->values,
                                        tensor_cells(mine) * sizeof(double));
        }
        assert_int_equal(is_small(mine), is_small(theirs));
    }
    lesson_destroy(own);
    lesson_destroy(copy);
    lesson_destroy(same);
}

static void test_drawn_numbers_leave_softmax_its_middle(void **state) {
    static const char text[] = "title: t\n"
                               "given:\n"
                               "  X: [[1, 0, 0], [0, 1, 1], [0, 0, 4]]\n"
                               "  W: [[1, 0], [0, 2], [0.5, 0]]\n"
                               "steps:\n"
                               "  - do: A = softmax(X @ W)\n";
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Lesson *lesson = lesson_good(text);
        bool redrawn;
        assert_true(lesson_redraw(lesson, seed, &redrawn) && redrawn);
        const Tensor *a = &tape_node(lesson->tape, tape_find(lesson->tape, "A"))->output;
        for (size_t i = 0; i < tensor_cells(a); i++)
            assert_true(a->values[i] <= 0.97);
        lesson_destroy(lesson);
    }
}

/* Of two numbers, each 1, 2 or 3, none may be 2: four draws in nine will do. */
static void test_drawing_takes_no_more_work_than_the_lesson_may(void **state) {
    static const char text[] = "title: t\n"
                               "given: {X: [[1, 3]]}\n"
                               "steps:\n"
                               "  - do: Y = log((X - 2) * (X - 2) - 0.5)\n";
    enum { SEEDS = 20 };
    size_t free = 0, once = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        Lesson *lesson = lesson_good(text), *bounded = lesson_good(text);
        bool redrawn;
        assert_true(lesson_redraw(lesson, seed, &redrawn));
        free += redrawn;
        arena_allow(bounded->arena, tape_cost(bounded->tape) / 2);
        assert_true(lesson_redraw(bounded, seed, &redrawn));
        once += redrawn;
        const Tensor *x =
            &tape_node(bounded->tape, tape_find(bounded->tape, "X"))->output;
        assert_true(redrawn || (x->values[0] == 1 && x->values[1] == 3));
        lesson_destroy(lesson);
        lesson_destroy(bounded);
    }
    assert_int_equal(free, SEEDS);
    assert_true(once > 0 && once < SEEDS);
}

/* No question is about a change that three decimals don't show. */
static void test_ideas_are_about_changes_that_can_be_seen(void **state) {
    const CourseFiles *files = *state;
    Arena *arena = arena_create(64 << 20);
    size_t ideas = 0;
    for (size_t i = 0; i < files->count; i++) {
        Player player;
        Random random;
        random_init(&random, i + 1);
        assert_true(player_init(&player, files->lessons[i]));
        for (size_t step = 0; step < player.step_count && step < 200; step++) {
            Exercise exercise;
            if (!exercise_of_idea(&exercise, &player, step, &random, arena))
                continue;
            double from = fabs(exercise.before);
            double by = fabs(exercise.after - exercise.before);
            if ((from > 0 && from < 0.0005) || (by > 1e-6 * fmax(from, 1) && by < 0.0005))
                fail_msg("%s: the change from %g to %g can't be seen",
                         files->lessons[i]->id, exercise.before, exercise.after);
            ideas++;
        }
    }
    arena_destroy(arena);
    assert_true(ideas > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_numbers_and_simple_expressions),
        cmocka_unit_test(test_what_is_no_answer_says_why),
        cmocka_unit_test(test_deep_answers_are_refused),
        cmocka_unit_test(test_a_sum_is_compared_part_by_part),
        cmocka_unit_test(test_a_number_is_known_for_what_it_is),
        cmocka_unit_test(test_what_was_forgotten_is_named),
        cmocka_unit_test(test_a_softmax_may_be_written_without_its_shift),
        cmocka_unit_test(test_the_tolerance_is_what_is_said),
        cmocka_unit_test(test_hints_come_in_turn_and_the_third_shows_all),
        cmocka_unit_test(test_hints_have_names_of_their_own),
        cmocka_unit_test(test_the_gap_is_where_it_went_astray),
        cmocka_unit_test(test_the_score_counts_how_exercises_ended),
        cmocka_unit_test(test_the_largest_of_a_row_is_named_or_numbered),
        cmocka_unit_test(test_a_wrong_column_is_told_from_none),
        cmocka_unit_test(test_every_lesson_can_be_practised),
        cmocka_unit_test(test_every_question_of_a_lesson_is_asked),
        cmocka_unit_test(test_every_operation_makes_an_exercise),
        cmocka_unit_test(test_a_seed_gives_one_round),
        cmocka_unit_test(test_nothing_on_the_page_gives_the_answer_away),
        cmocka_unit_test(test_copies_have_numbers_of_the_lessons_kind),
        cmocka_unit_test(test_ideas_are_about_changes_that_can_be_seen),
        cmocka_unit_test(test_drawn_numbers_leave_softmax_its_middle),
        cmocka_unit_test(test_drawing_takes_no_more_work_than_the_lesson_may),
    };
    return cmocka_run_group_tests(tests, set_up, course_tear_down);
}

/* Questions: a step with a question hides its result until it is answered; keys and the
 * pointer answer; every lesson has a question about its idea, in every language. */
#include "contains.h"
#include "session/state.h"
#include "session_stand.h"

#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "session/mode.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include "close.h"
#include "golden.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"
#include "picture/overlays/overlays.h"
#include "tensor/tape/what_if.h"

#include <string.h>

enum { LESSONS_OF_COURSE = 29, LEAST_IDEAS = 4, LEAST_TOUCH = 44 };

/* On "S / √2" of lesson 08, with questions. */
static void press_and_look(Stand *stand, const char *keys) {
    try_keys(stand, keys);
    look(stand);
}

static int set_up(void **state) {
    Stand *stand = *state;
    if (begin_session(state))
        return -1;
    session_ask(stand->session, true);
    session_open_number(stand->session, course_find(&stand->course, "08-one-head"));
    for (int i = 0; i < 6; i++)
        player_move(&stand->session->player, PLAYER_RIGHT);
    return 0;
}

static const Exercise *asked(const Stand *stand) {
    return practise_exercise(&practise_state(stand->session)->round);
}

/* The place of the right option. */
static size_t right_place(const Exercise *exercise) {
    size_t place = 0;
    while (!exercise->question->options[exercise->shown[place]].right)
        place++;
    return place;
}

/* An item that begins as a text does, which goes over several lines; NULL. */
static const SceneItem *starting(const Stand *stand, const char *text) {
    enum { ENOUGH = 12 };
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        if (item->kind == SCENE_TEXT && strncmp(item->text, text, ENOUGH) == 0)
            return item;
    }
    return NULL;
}

static bool shows_start(const Stand *stand, const char *text) {
    return starting(stand, text) != NULL;
}

/* ---- answering ---- */

static void test_right_shows_the_answer_and_then_goes_on(void **state) {
    Stand *stand = *state;
    look(stand);
    assert_true(mode_on(stand->session, &mode_question));
    assert_false(shows(stand, "1.414"));
    press_and_look(stand, "Right");
    assert_int_equal(statement(stand), 6);
    assert_int_equal(asked(stand)->outcome, EXERCISE_SKIPPED);
    assert_true(shows(stand, "1.414"));
    press_and_look(stand, "Right");
    assert_int_equal(statement(stand), 7);
    press_and_look(stand, "Left");
    assert_int_equal(statement(stand), 6);
    assert_int_equal(asked(stand)->outcome, EXERCISE_SKIPPED); /* with its answer still */
    assert_true(
        shows(stand, language_words(stand->session->language, "practise.ended.shown")));
    assert_true(shows(stand, "1.414"));
    press_and_look(stand, "Right");
    assert_int_equal(statement(stand), 7);
}

/* Whoever had the answer shown by one press too many can have another try. */
static void test_what_was_shown_is_asked_again(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "Right 1");
    const Language *language = stand->session->language;
    assert_true(says(stand, language_words(language, "question.answered")));
    click_link(stand, action_link("ask_again"));
    look(stand);
    assert_true(questions_wait(stand->session));
    assert_false(shows(stand, "1.414"));
    press_and_look(stand, "Right Right Left");
    assert_int_equal(asked(stand)->outcome, EXERCISE_SKIPPED);
    press_and_look(stand, "Shift+N");
    assert_true(questions_wait(stand->session));
}

/* Lesson 30's question is which encoder output a decoder layer reads, so its matrices
 * aren't shown. */
static void test_a_part_is_asked_about_without_its_weights(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session,
                        course_find(&stand->course, "30-the-whole-transformer"));
    press_and_look(stand, "End Left Shift+Return Left Left");
    assert_true(questions_wait(stand->session));
    const Tape *tape = stand->session->player.lesson->tape;
    size_t cells = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        Link link = stand->scene.items[i].link;
        if (link.kind != LINK_CELL)
            continue;
        assert_true(tape_node(tape, link.index)->input_count > 0);
        cells++;
    }
    assert_true(cells > 0);
}

/* Of what the lesson says only the heading is read while a question waits: lesson 08's
 * number is asked for with its step, and its answer may stand in the sentences. */
static void test_no_sentence_is_read_while_a_question_waits(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "Left");
    const LessonStep *words = player_step(&stand->session->player)->words;
    const Language *language = stand->session->language;
    assert_int_equal(asked(stand)->kind, EXERCISE_CELL);
    assert_true(shows_start(stand, text_in(&words->heading, language)));
    assert_false(shows_start(stand, text_in(&words->say, language)));
    press_and_look(stand, "Shift+Return");
    assert_true(shows_start(stand, text_in(&words->say, language)));
}

/* Read aloud, too, a question stands in place of the words, whatever its kind; and no
 * text is called by its key. */
static void test_a_question_is_read_aloud_with_its_options(void **state) {
    enum { ENOUGH = 8 };
    Stand *stand = *state;
    TextMetrics metrics = fixed_metrics();
    const Language *language = stand->session->language;
    size_t options = 0, said_of_them = 0;
    for (size_t lesson = 0; lesson < stand->course.count; lesson++) {
        session_open_number(stand->session, lesson);
        questions_look(stand->session);
        size_t steps = stand->session->player.lesson->step_count;
        for (size_t step = 0; step < 2 * steps; step++, try_keys(stand, "Right")) {
            arena_reset(stand->arena);
            const char *said = session_read(stand->session, &metrics, stand->arena);
            assert_non_null(said);
            assert_lacks(said, "practise.");
            const Question *question =
                questions_wait(stand->session) ? asked(stand)->question : NULL;
            for (size_t i = 0; question && i < question->count; i++, options++) {
                char begin[ENOUGH + 1];
                snprintf(begin, sizeof begin, "%s",
                         text_in(&question->options[i].text, language));
                said_of_them += strstr(said, begin) != NULL;
            }
        }
    }
    assert_true(options > 200);
    assert_true(said_of_them > options * 4 / 5);
}

/* Lesson 28's question is which tables of an attention are cached: no arrow leads to
 * them, and the map doesn't show what is computed. */
static void test_what_is_done_next_tells_no_answer(void **state) {
    Stand *stand = *state;
    for (int presents = 0; presents < 2; presents++) {
        session_open_number(stand->session, course_find(&stand->course, "28-kv-cache"));
        press_and_look(stand, presents ? "Home F5" : "Home");
        while (statement(stand) < 3)
            press_and_look(stand, "Right");
        assert_true(questions_wait(stand->session));
        size_t kept = player_step(&stand->session->player)->node, keys = 0;
        for (size_t i = 0; i < stand->scene.count; i++) {
            const SceneItem *item = &stand->scene.items[i];
            assert_false(item->link.kind == LINK_CELL && item->link.index >= kept);
            assert_false(item->kind == SCENE_TEXT && strcmp(item->text, "kept") == 0);
            keys += item->link.kind == LINK_CELL;
        }
        assert_true(keys > 0); /* what was there before is seen */
        press_and_look(stand, "Right");
        assert_true(shows(stand, "kept"));
    }
}

/* In the presenter, where the sentences are left out: an answer says why it is so, and
 * the row that was asked about is framed. */
static void test_an_answer_says_why_where_it_was_asked(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, course_find(&stand->course, "28-kv-cache"));
    press_and_look(stand, "Home F5");
    while (statement(stand) < 3)
        press_and_look(stand, "Right");
    press_and_look(stand, "Right");
    const LessonStep *words = player_step(&stand->session->player)->words;
    assert_true(text_is_empty(&words->question->because));
    assert_true(shows_start(stand, text_in(&words->say, stand->session->language)));
    session_open_number(stand->session, course_find(&stand->course, "13-masks"));
    press_and_look(stand, "Home");
    while (statement(stand) < 7 || questions_wait(stand->session))
        press_and_look(stand, "Right"); /* to the answer about row "I" */
    words = player_step(&stand->session->player)->words;
    assert_true(
        shows_start(stand, text_in(&words->question->because, stand->session->language)));
    Page page = {.player = &stand->session->player,
                 .language = stand->session->language,
                 .presents = true};
    size_t node, row, col;
    assert_true(page_focus(&page, &node, &row, &col));
    assert_int_equal(row, 0);
}

/* Cells named in a question are labelled even where labels have no room. */
static void test_what_a_question_names_can_be_found(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, course_find(&stand->course, "25-next-word"));
    press_and_look(stand, "Home F5");
    while (statement(stand) < 2 || !questions_wait(stand->session))
        press_and_look(stand, "Right");
    assert_true(scene_says(&stand->scene, "true"));
    assert_true(scene_says(&stand->scene, "game"));
}

/* Once it isn't asked a step is about what its words say, not about what a question
 * watches. */
static void test_what_is_watched_has_no_frame_unasked(void **state) {
    Stand *stand = *state;
    session_ask(stand->session, false);
    session_open_number(stand->session, course_find(&stand->course, "25-next-word"));
    lesson_go_to_step(stand->session, 2);
    Page page = {.player = &stand->session->player, .language = stand->session->language};
    size_t node, row, col;
    assert_true(page_focus(&page, &node, &row, &col));
    assert_string_equal(
        tape_node(stand->session->lesson->tape, node)->output.col_labels[col], "true");
}

/* Of a choice the answer stands above; of no number anything is said below. */
static void test_a_choice_ends_without_a_number(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "04-embedding");
    press_and_look(stand, "P");
    assert_int_equal(asked(stand)->kind, EXERCISE_CHOICE);
    press_and_look(stand, "Shift+Return");
    assert_true(asked(stand)->outcome != EXERCISE_OPEN);
    assert_false(scene_shows(&stand->scene, "is computed:"));
}

/* How many cells' numbers are on the page. */
static size_t count_digits(const Stand *stand) {
    size_t count = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        count += item->kind == SCENE_TEXT && item->link.kind == LINK_CELL;
    }
    return count;
}

/* Where it would take them above, it stands beside the picture, or in place of the
 * heading. */
static void test_an_answer_leaves_the_picture_its_digits(void **state) {
    Stand *stand = *state;
    static const char *const keys[] = {"Home", "Home F5"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        session_open_number(stand->session, course_find(&stand->course, "04-embedding"));
        press_and_look(stand, keys[i]);
        session_ask(stand->session, false);
        Player *player = &stand->session->player;
        player_jump(player, player_statement_step(player, 2));
        look(stand);
        size_t unasked = count_digits(stand);
        session_ask(stand->session, true);
        while (statement(stand) < 2 || questions_wait(stand->session))
            press_and_look(stand, "Right");
        assert_true(shows_start(stand, "The row of E"));
        assert_true(count_digits(stand) >= (i ? unasked : 90));
    }
}

/* Of tables side by side only the last is hidden: the others are needed for the
 * answer. */
static void test_what_is_compared_with_can_be_seen(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, course_find(&stand->course, "08-one-head"));
    lesson_go_to_step(stand->session, 0);
    while (statement(stand) < 11 || !questions_wait(stand->session))
        press_and_look(stand, "Right");
    assert_int_equal(count_digits(stand), 9);
}

/* Returns true if a page shows the number of a cell. */
static bool shows_number(const Scene *scene, const Term *cell, size_t node) {
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT &&
            link_equal(item->link, (Link){LINK_CELL, node, cell->row, cell->col}))
            return true;
    }
    return false;
}

/* How many of the cells that a number was made of the page doesn't show. */
static size_t count_unseen(const Scene *scene, const TapeNode *made, const Term *term) {
    size_t unseen = 0;
    if (term->kind == TERM_CELL) /* a single number stands in words: "÷ √2" */
        return tensor_cells(made->operands[term->input]) > 1 &&
               !shows_number(scene, term, made->inputs[term->input]);
    for (size_t i = 0; i < term->count; i++)
        unseen += count_unseen(scene, made, term->parts[i]);
    return unseen;
}

/* Whoever is asked for a number sees what it is made of. */
static void check_asked_number(Stand *stand, const char *lesson) {
    Session *session = stand->session;
    const Practise *round = &practise_state(session)->round;
    const Exercise *exercise = asked(stand);
    if (!questions_wait(session) || exercise->kind != EXERCISE_CELL || !round->term)
        return;
    const TapeNode *made = tape_node(session->lesson->tape, exercise->cell.node);
    if (made->operation == OPERATION_BACKWARD)
        return; /* drawn as the product that it is, of other tables */
    size_t unseen = count_unseen(&stand->scene, made, round->term);
    if (unseen > session_presents(session))
        print_error("%s %s%s: %zu numbers unseen\n", lesson,
                    player_step(&session->player)->path,
                    session_presents(session) ? " presented" : "", unseen);
    assert_true(unseen <= session_presents(session)); /* in a font that is wide */
}

static void test_what_is_asked_for_can_be_worked_out(void **state) {
    Stand *stand = *state;
    for (size_t i = 1; i <= stand->course.count; i++) {
        session_open_number(stand->session, i);
        for (int presents = 0; presents < 2; presents++) {
            size_t last = player_statement_count(&stand->session->player);
            press_and_look(stand, presents ? "Home F5" : "Home");
            for (size_t step = 0; step < last; step++) {
                player_jump(&stand->session->player,
                            player_statement_step(&stand->session->player, step));
                questions_look(stand->session);
                look(stand);
                check_asked_number(stand, stand->session->lesson->id);
            }
        }
        try_keys(stand, "F5");
    }
}

/* While presenting, from the lesson's beginning, and whatever was answered before. */
static void test_the_next_class_is_asked_again(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "Right");
    assert_false(questions_wait(stand->session));
    press_and_look(stand, "Shift+F5");
    assert_true(questions_wait(stand->session));
    press_and_look(stand, "PageDown PageDown PageUp");
    assert_int_equal(statement(stand), 6);
    assert_false(questions_wait(stand->session));
    press_and_look(stand, "Home");
    for (int presses = 0; presses < 20 && statement(stand) < 6; presses++)
        press_and_look(stand, "PageDown");
    assert_true(questions_wait(stand->session));
}

/* The question stays above its answer, for viewers who looked away. */
static void test_an_answer_repeats_its_question(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, course_find(&stand->course, "36-todays-block"));
    for (int presents = 0; presents < 2; presents++) {
        go_to(stand, "N_today");
        press_and_look(stand, questions_wait(stand->session) ? "Right" : "");
        const SceneItem *asked = starting(stand, "For which row");
        assert_non_null(asked);
        assert_true(asked->size >= (presents ? 30 : 0)); /* 24 pixels at 1280 × 720 */
        press_and_look(stand, "F5");
    }
}

/* For the back row, and whole: what is said to a wrong answer, too. */
/* How often a text is drawn. */
static size_t times_shown(const Stand *stand, const char *text) {
    size_t times = 0;
    for (size_t i = 0; i < stand->scene.count; i++)
        times += stand->scene.items[i].kind == SCENE_TEXT &&
                 strcmp(stand->scene.items[i].text, text) == 0;
    return times;
}

/* Text typed into another field is no answer, neither before that field is left nor
 * after. */
static void test_only_an_answer_stands_in_its_field(void **state) {
    static const char *const others[] = {"Ctrl+K", "G"};
    Stand *stand = *state;
    static const Prompt prompt = {.title = "text.title", .keys = "text.keys"};
    for (size_t i = 0; i < 3; i++) {
        session_open_number(stand->session, course_find(&stand->course, "07-averages"));
        go_to(stand, "U");
        look(stand);
        assert_true(questions_take_text(stand->session));
        if (i < 2)
            try_keys(stand, others[i]);
        else
            prompt_begin(stand->session, &prompt, "");
        assert_true(session_type(stand->session, "zzqzz"));
        look(stand);
        assert_int_equal(times_shown(stand, "zzqzz"), 1);
        try_keys(stand, "Escape");
        look(stand);
        assert_int_equal(times_shown(stand, "zzqzz"), 0);
        try_keys(stand, "Return");
        assert_true(questions_open(stand->session));
    }
}

static void test_a_class_reads_a_question_for_a_number_and_its_hint(void **state) {
    Stand *stand = *state;
    const double LEAST = 30; /* 24 pixels at 1280 × 720 */
    session_open_number(stand->session, course_find(&stand->course, "07-averages"));
    press_and_look(stand, "F5");
    go_to(stand, "U");
    look(stand);
    const SceneItem *row = scene_find_text(&stand->scene, "row “was”");
    assert_non_null(row);
    assert_true(row->size >= LEAST);
    for (size_t i = 0; i < 2; i++) {
        stand->session->language = stand->course.languages.items[i];
        assert_true(session_type(stand->session, "9"));
        press_and_look(stand, "Return");
        assert_true(shows(stand, session_words(stand->session, "practise.not_yet")));
        for (size_t k = 0; k < stand->scene.count; k++) {
            const SceneItem *item = &stand->scene.items[k];
            if (item->kind == SCENE_TEXT && strcmp(item->text, "…") != 0) /* a sum's */
                assert_lacks(item->text, "…");
        }
    }
}

/* The hint that leaves out a number ends with a question mark, every other with its
 * value. */
static void test_a_hint_shows_no_number_that_is_still_asked(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, course_find(&stand->course, "07-averages"));
    go_to(stand, "U");
    look(stand);
    const Practise *round = &practise_state(stand->session)->round;
    size_t gaps = 0, wholes = 0;
    for (size_t tries = 0; tries < 4 && practise_hides(round); tries++) {
        assert_true(session_type(stand->session, "9"));
        press_and_look(stand, "Return");
        bool open = round->hint.kind == HINT_GAP ||
                    (round->hint.kind == HINT_FIRST &&
                     fabs(round->hint.term->value - round->term->value) < 1e-9);
        if (round->hint.term)
            assert_int_equal(says(stand, "= ?"), open);
        gaps += round->hint.kind == HINT_GAP;
        wholes += round->hint.kind == HINT_WHOLE;
    }
    assert_int_equal(gaps, 1);
    assert_int_equal(wholes, 1);
}

/* Behind the last step of all there is still its answer. */
static void test_right_shows_the_last_answer_too(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, course_find(&stand->course, "33-alignment"));
    press_and_look(stand, "End Left");
    assert_true(mode_on(stand->session, &mode_question));
    press_and_look(stand, "Right");
    assert_int_equal(asked(stand)->outcome, EXERCISE_SKIPPED);
}

/* A whole lesson is walked by Right alone, with two presses at a question. */
static void test_right_alone_walks_a_lesson(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "Home");
    size_t presses = 0, last = player_statement_count(&stand->session->player) - 1;
    for (; statement(stand) < last && presses < 100; presses++)
        session_key(stand->session, "Right");
    assert_int_equal(statement(stand), last);
    assert_true(presses > last);
}

static void test_a_wrong_choice_says_why_and_the_right_one_is_taken(void **state) {
    Stand *stand = *state;
    look(stand);
    size_t right = right_place(asked(stand)), wrong = right ? 0 : 1;
    char key[2] = {(char)('1' + wrong), 0};
    press_and_look(stand, key);
    assert_true(practise_hides(&practise_state(stand->session)->round));
    assert_int_equal(practise_state(stand->session)->round.hint.kind, HINT_REASON);
    press_and_look(stand, key); /* it is out */
    assert_int_equal(asked(stand)->tries, 1);
    key[0] = (char)('1' + right);
    press_and_look(stand, key);
    assert_int_equal(asked(stand)->outcome, EXERCISE_AFTER_HINTS);
    assert_true(shows(stand, "1.414"));
    assert_int_equal(statement(stand), 6);
}

static void test_arrows_and_enter_choose(void **state) {
    Stand *stand = *state;
    look(stand);
    press_and_look(stand, "Return"); /* nothing is chosen yet */
    assert_true(practise_hides(&practise_state(stand->session)->round));
    for (size_t i = 0; i <= right_place(asked(stand)); i++)
        press_and_look(stand, "Down");
    assert_int_equal(statement(stand), 6);
    press_and_look(stand, "Return");
    assert_int_equal(asked(stand)->outcome, EXERCISE_AT_ONCE);
}

/* While it waits a question says why a key does nothing; once it is answered, its words
 * stay and the keys are the lesson's. */
static void test_an_answered_question_keeps_no_keys(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    look(stand);
    press_and_look(stand, "Return");
    assert_true(shows(stand, session_words(session, "action.why.nothing_chosen")));
    press_and_look(stand, "Backspace");
    assert_true(shows(stand, session_words(session, "action.why.question_waits")));
    assert_false(mode_on(session, &mode_trace));
    press_and_look(stand, "Shift+Return");
    assert_true(mode_on(session, &mode_question));
    press_and_look(stand, "C Return");
    assert_true(mode_on(session, &mode_prompt));
    press_and_look(stand, "Escape Backspace");
    assert_true(mode_on(session, &mode_trace));
}

/* Lesson 08's steps 8 and 7 have questions; a number followed from step 8 back to 7 is
 * shown there, and the question opens when the number is released. */
static void test_who_follows_a_number_sees_it(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    press_and_look(stand, "N Right N Shift+Return Backspace");
    assert_true(mode_on(session, &mode_trace));
    assert_int_equal(statement(stand), 6);
    assert_false(questions_wait(session));
    assert_true(shows(stand, "1.414"));
    assert_true(mode_on(session, &mode_pin));
    press_and_look(stand, "Escape");
    assert_int_equal(statement(stand), 7);
    press_and_look(stand, "Backspace");
    action_do(session, action_number("unpin"));
    questions_look(session);
    look(stand);
    assert_int_equal(statement(stand), 6);
    assert_true(questions_wait(session));
    assert_false(shows(stand, "1.414"));
}

static void press_at(Stand *stand, Box box) {
    session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                          box.y + box.h / 2);
    session_pointer_release(stand->session);
    look(stand);
}

static void click(Stand *stand, Link link) {
    Box box;
    assert_true(scene_find(&stand->scene, link, &box));
    assert_true(box.w >= LEAST_TOUCH && box.h >= LEAST_TOUCH);
    press_at(stand, box);
}

static void test_the_pointer_chooses_and_asks_to_see(void **state) {
    Stand *stand = *state;
    look(stand);
    static const char *const names[] = {"choose_1", "choose_2", "choose_3", "choose_4"};
    click(stand, action_link(names[right_place(asked(stand))]));
    assert_int_equal(asked(stand)->outcome, EXERCISE_AT_ONCE);
    press_and_look(stand, "Right");
    click(stand, action_link("see_answer"));
    assert_int_equal(asked(stand)->outcome, EXERCISE_SKIPPED);
}

/* Lesson 08's step 9: what attention does, in order. */
static void test_an_order_is_put_together_and_taken_back(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "Right Right Right Right");
    const Exercise *exercise = asked(stand);
    assert_int_equal(exercise->kind, EXERCISE_ORDER);
    assert_false(shows(stand, "softmax"));
    size_t places[QUESTION_OPTIONS_MAX];
    for (size_t i = 0; i < exercise->count; i++)
        places[exercise->shown[i]] = i;
    char keys[] = "1 1 1 1";
    for (size_t i = 0; i < 4; i++)
        keys[2 * i] = (char)('1' + places[3 - i]);
    press_and_look(stand, keys); /* from the end */
    assert_int_equal(practise_state(stand->session)->round.hint.kind, HINT_ORDER);
    assert_int_equal(exercise->placed_count, 0);
    keys[0] = (char)('1' + places[0]);
    keys[1] = 0;
    press_and_look(stand, keys);
    press_and_look(stand, "Backspace");
    assert_int_equal(exercise->placed_count, 0);
    keys[1] = ' ';
    for (size_t i = 0; i < 4; i++)
        keys[2 * i] = (char)('1' + places[i]);
    press_and_look(stand, keys);
    assert_int_equal(exercise->outcome, EXERCISE_AFTER_HINTS);
}

/* Nor does it take the question away. */
static void test_a_wheel_changes_nothing_while_a_question_waits(void **state) {
    Stand *stand = *state;
    look(stand);
    assert_true(questions_wait(stand->session));
    for (double y = 2; y < HEIGHT; y += 12) {
        for (double x = 2; x < WIDTH; x += 12)
            assert_false(session_pointer_wheel(stand->session, &stand->scene, x, y, 1));
    }
    assert_true(questions_wait(stand->session));
    assert_false(changes_any(stand->session->lesson->changes));
}

/* Lesson 08's step 6 has a question about S[learning, learning], which is 2. */
static void test_a_number_is_typed(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "Left");
    assert_int_equal(asked(stand)->kind, EXERCISE_CELL);
    assert_false(session_is_writing(stand->session)); /* letters are keys still */
    press_and_look(stand, "3");
    assert_true(session_is_writing(stand->session));
    press_and_look(stand, "Return");
    assert_int_equal(asked(stand)->tries, 1);
    assert_true(shows(stand, "Not yet. "));
    assert_string_equal(stand->session->field.text, "3");
    assert_false(session_is_writing(stand->session)); /* → would show the answer */
    press_and_look(stand, "2");
    session_key(stand->session, "2"); /* the second digit comes as text, not twice */
    assert_string_equal(stand->session->field.text, "2");
    press_and_look(stand, "Return");
    assert_int_equal(asked(stand)->outcome, EXERCISE_AFTER_HINTS);
    press_and_look(stand, "Right");
    assert_int_equal(statement(stand), 6);
}

static void test_questions_are_turned_off_and_on(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "N");
    assert_false(mode_on(stand->session, &mode_question));
    assert_true(shows(stand, "1.414"));
    press_and_look(stand, "N");
    assert_true(mode_on(stand->session, &mode_question));
    assert_false(shows(stand, "1.414"));
}

static void test_autoplay_waits_at_a_question(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "Left Left A");
    for (int i = 0; i < 200; i++)
        session_tick(stand->session, 1000);
    look(stand);
    assert_int_equal(statement(stand), 5);
    assert_true(mode_on(stand->session, &mode_question));
    assert_false(stand->session->play.runs);
}

static void test_a_changed_lesson_asks_nothing(void **state) {
    Stand *stand = *state;
    press_and_look(stand, "N M N");
    assert_true(changes_any(stand->session->lesson->changes));
    assert_false(mode_on(stand->session, &mode_question));
    press_and_look(stand, "R");
}

/* "V[am, 1]" is the row am, column 1, in the question as in the crumbs. */
static void test_a_place_without_a_name_is_counted_as_it_is_written(void **state) {
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    go_to(stand, "V");
    press(stand, "Shift+P");
    for (int i = 0; i < 100 && asked(stand)->kind != EXERCISE_CELL; i++)
        press(stand, "Escape Shift+P");
    char column[64];
    snprintf(column, sizeof column, "column %zu (counted from 0)",
             asked(stand)->cell.col);
    look(stand);
    assert_true(shows(stand, column));
}

static void test_practising_ends_the_question_and_asks_it_in_its_turn(void **state) {
    Stand *stand = *state;
    look(stand);
    press_and_look(stand, "P");
    assert_true(mode_on(stand->session, &mode_practise));
    size_t options = 0;
    for (; asked(stand); press_and_look(stand, "Right")) {
        options += asked(stand)->count > 0;
        assert_int_equal(mode_on(stand->session, &mode_question),
                         asked(stand)->count > 0);
        press_and_look(stand, "Shift+Return");
        assert_true(asked(stand)->outcome == EXERCISE_SKIPPED);
    }
    assert_true(options >= 4);
    press_and_look(stand, "Escape");
    assert_true(mode_on(stand->session, &mode_question)); /* where it began */
}

static void test_a_question_waits_again_when_practising_ends(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    size_t ended = 0, count = player_statement_count(&session->player);
    for (size_t i = 0; i < count; i++) {
        lesson_go_to_step(session, player_statement_step(&session->player, i));
        look(stand);
        if (!questions_open(session))
            continue;
        press_and_look(stand, "Shift+P");
        assert_true(mode_on(session, &mode_practise));
        click_link(stand, action_link("stop_practising"));
        look(stand);
        assert_false(mode_on(session, &mode_practise));
        assert_true(questions_open(session));
        ended++;
    }
    assert_true(ended > 1);
}

/* ---- what would be ---- */

static void test_what_if_is_what_an_edit_makes(void **state) {
    Stand *stand = *state;
    Tape *tape = stand->session->lesson->tape;
    Arena *arena = arena_create(FRAME_BYTES);
    WhatIf what = {.node = tape_find(tape, "O"),
                   .row = 1,
                   .col = 1,
                   .changed = tape_find(tape, "S"),
                   .changed_row = 1,
                   .changed_col = 2,
                   .times = 2,
                   .add = 3};
    double before, after, old = tensor_at(&tape_node(tape, what.changed)->output, 1, 2);
    assert_int_equal(tape_what_if(tape, &what, arena, &before, &after), TREND_UP);
    assert_close(&before, &tape_node(tape, what.node)->output.values[3], 1, 0);
    assert_true(tape_edit(tape, what.changed, 1, 2, 2 * old + 3));
    assert_close(&after, &tape_node(tape, what.node)->output.values[3], 1, 0);
    tape_restore(tape);
    assert_close(&before, &tape_node(tape, what.node)->output.values[3], 1, 0);
    what.row = 0; /* another word's */
    assert_int_equal(tape_what_if(tape, &what, arena, &before, &after), TREND_SAME);
    what = (WhatIf){.node = what.node, .row = 2, .col = 0, .mutes = true};
    what.changed = tape_find(tape, "S_scaled");
    assert_int_equal(tape_what_if(tape, &what, arena, &before, &after), TREND_UP);
    assert_true(tape_mute(tape, what.changed, true));
    assert_close(&after, &tape_node(tape, what.node)->output.values[4], 1, 0);
    tape_restore(tape);
    arena_destroy(arena);
}

/* In a feed-forward network no information flows between tokens. */
static void test_a_composite_has_an_idea(void **state) {
    Stand *stand = *state;
    session_open_number(stand->session, course_find(&stand->course, "29-eleven-steps"));
    const Player *player = &stand->session->player;
    Arena *arena = arena_create(FRAME_BYTES);
    Random random;
    random_init(&random, 1);
    size_t asked = 0;
    for (size_t i = 0; i < player->step_count; i++) {
        WhatIf what;
        double before, after;
        if (strcmp(player->steps[i].topic, "feed_forward") != 0)
            continue;
        const Tensor *out =
            &tape_node(player->lesson->tape, player->steps[i].node)->output;
        assert_int_equal(idea_of(player, i, &random, &what), out->rows > 1);
        if (out->rows < 2)
            continue;
        assert_int_equal(
            tape_what_if(player->lesson->tape, &what, arena, &before, &after),
            TREND_SAME);
        asked++;
    }
    assert_true(asked >= 2);
    arena_destroy(arena);
}

/* ---- every lesson ---- */

static bool has_words(const Text *text, size_t languages) {
    bool all = text->count == languages;
    for (size_t i = 0; i < text->count; i++)
        all &= text->wordings[i].words[0] != 0;
    return all;
}

/* Everything that is said of a question, in each language. */
static void check_words(const Lesson *lesson, const LessonStep *step, size_t languages) {
    const Question *question = step->question;
    bool good = question->kind == QUESTION_CELL || has_words(&question->text, languages);
    good &= text_is_empty(&question->because) || has_words(&question->because, languages);
    for (size_t i = 0; i < question->count; i++) {
        const QuestionOption *option = &question->options[i];
        good &= has_words(&option->text, languages);
        good &= question->kind == QUESTION_ORDER || option->right ||
                has_words(&option->because, languages);
    }
    if (!good)
        fail_msg("%s, line %d: a question lacks words in one of the languages",
                 lesson->id, step->line);
}

/* A cell as a lesson names it: A[2, 1], and * where the whole axis is meant. */
static void write_cell(FILE *out, const Tape *tape, size_t node, size_t row, size_t col) {
    const size_t place[] = {row, col};
    fprintf(out, "%s[", tape_node(tape, node)->name);
    for (size_t axis = 0; axis < 2; axis++) {
        fputs(axis ? ", " : "", out);
        if (place[axis] == TAPE_NONE)
            fputc('*', out);
        else
            fprintf(out, "%zu", place[axis]);
    }
    fputc(']', out);
}

static void write_direction(FILE *out, const Tape *tape, const WhatIf *what) {
    static const char *const trends[TREND_COUNT] = {"no number", "up", "down",
                                                    "the same"};
    double before = NAN, after = NAN;
    Arena *arena = arena_create(FRAME_BYTES);
    write_cell(out, tape, what->node, what->row, what->col);
    fputs(" when ", out);
    write_cell(out, tape, what->changed, what->changed_row, what->changed_col);
    if (what->mutes)
        fputs(" is left out", out);
    else
        fprintf(out, " becomes %g x + %g", what->times, what->add);
    Trend trend = tape_what_if(tape, what, arena, &before, &after);
    fprintf(out, ": %s, %.5g to %.5g\n", trends[trend], before, after);
    arena_destroy(arena);
}

/* Writes the answer that the program accepts for a question, whatever its text. */
static void write_answer(FILE *out, const Lesson *lesson, const LessonStep *step) {
    const Question *question = step->question;
    size_t right = 0;
    while (right < question->count && !question->options[right].right)
        right++;
    switch (question->kind) {
    case QUESTION_CELL:
        write_cell(out, lesson->tape, step->result, question->row, question->col);
        fprintf(out, " = %.5g\n",
                tensor_at(&tape_node(lesson->tape, step->result)->output, question->row,
                          question->col));
        break;
    case QUESTION_CHOICE:
        fprintf(out, "number %zu of %zu\n", right + 1, question->count);
        break;
    case QUESTION_ORDER:
        fprintf(out, "%zu in order\n", question->count);
        break;
    case QUESTION_DIRECTION:
        write_direction(out, lesson->tape, &question->what);
        break;
    case QUESTION_THOUGHT:
        fputs("thought about\n", out);
        break;
    }
}

static void test_every_lesson_asks_for_its_idea(void **state) {
    Stand *stand = *state;
    size_t languages = stand->course.languages.count;
    char *text;
    size_t length;
    FILE *answers = open_memstream(&text, &length);
    assert_non_null(answers);
    assert_true(stand->course.count >= LESSONS_OF_COURSE);
    for (size_t i = 0; i < stand->course.count; i++) {
        ErrorList errors = {0};
        size_t ideas = 0;
        Lesson *lesson =
            course_open(&stand->course, stand->course.lessons[i].id, &errors);
        assert_non_null(lesson);
        for (size_t j = 0; j < lesson->step_count + lesson->note_count; j++) {
            const LessonStep *step = j < lesson->step_count
                                         ? &lesson->steps[j]
                                         : &lesson->notes[j - lesson->step_count].words;
            if (!step->question)
                continue;
            check_words(lesson, step, languages);
            fprintf(answers, "%s, step %zu: ", lesson->id, j + 1);
            write_answer(answers, lesson, step);
            QuestionKind kind = step->question->kind;
            ideas += kind != QUESTION_CELL && kind != QUESTION_THOUGHT;
        }
        if (ideas < LEAST_IDEAS)
            fail_msg("%s asks for its idea %zu times; it should %d times and more",
                     lesson->id, ideas, LEAST_IDEAS);
        lesson_destroy(lesson);
    }
    assert_int_equal(fclose(answers), 0);
    assert_golden("answers.txt", text);
    free(text);
}

#define QUESTION_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, end_session)

/* "1.5-" and the last one away again. */
static void assert_keys_write(Stand *stand, const char *action) {
    static const size_t keys[] = {1, 10, 5, 11, 12};
    look(stand);
    for (size_t i = 0; i < 5; i++) {
        Box box;
        Link key = {LINK_COMMAND, action_number(action), 1, keys[i]};
        assert_true(scene_find(&stand->scene, key, &box));
        press_at(stand, box);
    }
    assert_string_equal(stand->session->field.text, "1.5");
}

static void test_a_number_is_written_by_the_pointer_alone(void **state) {
    Stand *stand = *state;
    session_ask(stand->session, false);
    try_keys(stand, "P");
    assert_true(practise_exercise(&practise_state(stand->session)->round)->kind ==
                EXERCISE_CELL);
    assert_keys_write(stand, "answer");
    try_keys(stand, "Escape");
    try_keys(stand, "Home");
    try_keys(stand, "Right C Return");
    assert_true(mode_on(stand->session, &mode_prompt));
    assert_keys_write(stand, "use_text");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        QUESTION_TEST(test_right_shows_the_answer_and_then_goes_on),
        QUESTION_TEST(test_what_was_shown_is_asked_again),
        QUESTION_TEST(test_no_sentence_is_read_while_a_question_waits),
        QUESTION_TEST(test_a_question_is_read_aloud_with_its_options),
        QUESTION_TEST(test_what_is_done_next_tells_no_answer),
        QUESTION_TEST(test_an_answer_says_why_where_it_was_asked),
        QUESTION_TEST(test_a_choice_ends_without_a_number),
        QUESTION_TEST(test_what_a_question_names_can_be_found),
        QUESTION_TEST(test_what_is_watched_has_no_frame_unasked),
        QUESTION_TEST(test_an_answer_leaves_the_picture_its_digits),
        QUESTION_TEST(test_what_is_compared_with_can_be_seen),
        QUESTION_TEST(test_what_is_asked_for_can_be_worked_out),
        QUESTION_TEST(test_the_next_class_is_asked_again),
        QUESTION_TEST(test_a_part_is_asked_about_without_its_weights),
        QUESTION_TEST(test_only_an_answer_stands_in_its_field),
        QUESTION_TEST(test_a_class_reads_a_question_for_a_number_and_its_hint),
        QUESTION_TEST(test_a_hint_shows_no_number_that_is_still_asked),
        QUESTION_TEST(test_right_shows_the_last_answer_too),
        QUESTION_TEST(test_right_alone_walks_a_lesson),
        QUESTION_TEST(test_a_wrong_choice_says_why_and_the_right_one_is_taken),
        QUESTION_TEST(test_arrows_and_enter_choose),
        QUESTION_TEST(test_an_answered_question_keeps_no_keys),
        QUESTION_TEST(test_an_answer_repeats_its_question),
        QUESTION_TEST(test_who_follows_a_number_sees_it),
        QUESTION_TEST(test_the_pointer_chooses_and_asks_to_see),
        QUESTION_TEST(test_a_wheel_changes_nothing_while_a_question_waits),
        QUESTION_TEST(test_an_order_is_put_together_and_taken_back),
        QUESTION_TEST(test_a_number_is_typed),
        QUESTION_TEST(test_a_number_is_written_by_the_pointer_alone),
        QUESTION_TEST(test_questions_are_turned_off_and_on),
        QUESTION_TEST(test_autoplay_waits_at_a_question),
        QUESTION_TEST(test_a_changed_lesson_asks_nothing),
        QUESTION_TEST(test_a_place_without_a_name_is_counted_as_it_is_written),
        QUESTION_TEST(test_practising_ends_the_question_and_asks_it_in_its_turn),
        QUESTION_TEST(test_a_question_waits_again_when_practising_ends),
        QUESTION_TEST(test_what_if_is_what_an_edit_makes),
        QUESTION_TEST(test_a_composite_has_an_idea),
        cmocka_unit_test(test_every_lesson_asks_for_its_idea),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}

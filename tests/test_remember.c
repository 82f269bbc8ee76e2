/* State kept between runs: positions, changes and settings. */
#include "contains.h"
#include "course/notes.h"
#include "drive/drive.h"
#include "lesson/content/content.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 1024 };

/* A run of the program: what is set up anew each time. */
typedef struct Run {
    char folder[PATH_SIZE], path[PATH_SIZE];
    Course course;
    Notes *memory;
    Session *session;
} Run;

static void begin(Run *run) {
    ErrorList errors = {0};
    assert_true(course_init(&run->course, &errors));
    run->memory = notes_open(run->path, &notes_of_memory);
    assert_non_null(run->memory);
    run->session = session_create(&run->course, NULL);
    session_keep_memory(run->session, run->memory);
}

static void end(Run *run) {
    Error error;
    session_remember(run->session);
    assert_true(notes_write(run->memory, &error));
    session_destroy(run->session);
    notes_close(run->memory);
    course_finish(&run->course);
}

static void begin_again(Run *run) {
    end(run);
    begin(run);
}

static int set_up(void **state) {
    Run *run = calloc(1, sizeof *run);
    const char *source = getenv("GLASSFORMER_SOURCE");
    if (source)
        setenv("GLASSFORMER_DATA", source, 1);
    setenv("GLASSFORMER_CACHE", "", 1);
    strcpy(run->folder, "/tmp/glassformer-remember-XXXXXX");
    if (!mkdtemp(run->folder))
        return -1;
    snprintf(run->path, sizeof run->path, "%.900s/memory.json", run->folder);
    begin(run);
    *state = run;
    return 0;
}

static int tear_down(void **state) {
    Run *run = *state;
    char command[PATH_SIZE + 16];
    end(run);
    snprintf(command, sizeof command, "rm -r '%s'", run->folder);
    int status = system(command);
    free(run);
    return status;
}

static void open_lesson(Run *run, const char *name) {
    ErrorList errors = {0};
    assert_true(session_open(run->session, name, &errors));
}

/* Keys with blanks between. */
static void press(Run *run, const char *keys) {
    char all[400], *rest = all;
    snprintf(all, sizeof all, "%s", keys);
    for (char *key; (key = strtok_r(rest, " ", &rest));)
        session_key(run->session, key);
}

static void type(Run *run, const char *text) {
    action_do(run->session, action_number("change_cell"));
    session_key(run->session, "Ctrl+A");
    session_type(run->session, text);
    session_key(run->session, "Return");
}

static const char *path(const Run *run) {
    return player_step(&run->session->player)->path;
}

static size_t edits(const Run *run) {
    return tape_edit_count(run->session->lesson->tape);
}

static bool says(const Run *run, const char *words) {
    return strstr(run->session->message, words) != NULL;
}

static void test_a_lesson_opens_where_it_was_left(void **state) {
    Run *run = *state;
    MemoryPlace last;
    assert_false(memory_last(run->memory, &last));
    open_lesson(run, "08-one-head");
    press(run, "Right Right Right Down Right");
    size_t cell = run->session->player.cell;
    char left[40];
    snprintf(left, sizeof left, "%s", path(run));
    assert_int_not_equal(cell, PLAYER_NONE);
    begin_again(run);
    assert_true(memory_last(run->memory, &last));
    assert_string_equal(last.lesson, "08-one-head");
    assert_string_equal(last.path, left);
    assert_int_equal(last.step, 4);
    assert_true(last.steps > 4);
    assert_true(last.seen >= 1 && last.seen < last.steps);
    assert_false(memory_place(run->memory, "09-shapes", &last));
    assert_int_equal(home_place(run->session).lesson,
                     course_find(&run->course, "08-one-head"));
    open_lesson(run, "08-one-head");
    assert_string_equal(path(run), left);
    assert_int_equal(run->session->player.cell, cell);
    assert_false(says(run, "changes"));
    press(
        run,
        "Ctrl+Right Ctrl+Left"); /* from lesson to lesson all begin at their first step */
    assert_string_equal(path(run), "1");
}

/* A second class sees it from the start. */
static void
test_a_lesson_that_was_finished_is_presented_from_its_first_step(void **state) {
    Run *run = *state;
    open_lesson(run, "23-cross-attention");
    press(run, "Right Right");
    char left[40];
    snprintf(left, sizeof left, "%s", path(run));
    begin_again(run);
    open_lesson(run, "23-cross-attention");
    press(run, "Shift+F5");
    assert_string_equal(path(run), left);
    press(run, "End");
    begin_again(run);
    open_lesson(run, "23-cross-attention");
    assert_string_not_equal(path(run), "1");
    press(run, "Shift+F5");
    assert_string_equal(path(run), "1");
    press(run, "Escape End");
    open_lesson(run, "22-shift-right");
    press(run, "F5 End PageDown PageDown");
    assert_string_equal(run->session->lesson->id, "23-cross-attention");
    assert_string_equal(path(run), "1");
}

static void test_what_is_changed_is_there_again_and_can_be_undone(void **state) {
    Run *run = *state;
    MemoryDraft draft;
    open_lesson(run, "08-one-head");
    press(run, "Right");
    type(run, "0.25");
    press(run, "Right Right");
    type(run, "1/3");
    size_t count = edits(run);
    assert_int_equal(count, 2);
    begin_again(run);
    open_lesson(run, "08-one-head");
    assert_int_equal(edits(run), count);
    assert_true(says(run, "Your changes of 2"));
    press(run, "Ctrl+Z");
    assert_int_equal(edits(run), 1);
    press(run, "Ctrl+Z");
    assert_int_equal(edits(run), 0);
    press(run, "Ctrl+Y R");
    assert_int_equal(edits(run), 0);
    begin_again(run);
    open_lesson(run, "08-one-head");
    assert_int_equal(edits(run), 0);
    assert_false(says(run, "changes"));
    begin_again(run);
    assert_false(memory_draft(run->memory, "08-one-head", &draft));
}

/* The changes noted for a lesson; "" for none. */
static const char *noted(const Run *run, const char *lesson) {
    MemoryDraft draft;
    return memory_draft(run->memory, lesson, &draft) ? draft.changes : "";
}

static const char LINK[] =
    "?lesson=08-one-head&step=6&changes={cell:+[X,+0,+1],+value:+3}";

static void test_a_link_is_a_visit_until_something_is_changed(void **state) {
    Run *run = *state;
    open_lesson(run, LINK);
    assert_int_equal(edits(run), 1);
    press(run, "Right O");
    begin_again(run);
    assert_string_equal(noted(run, "08-one-head"), "");
    open_lesson(run, "08-one-head");
    assert_int_equal(edits(run), 0);

    begin_again(run);
    open_lesson(run, LINK);
    press(run, "Home Right");
    type(run, "0.25");
    begin_again(run);
    assert_contains(noted(run, "08-one-head"), "value: 3");
    assert_contains(noted(run, "08-one-head"), "value: 0.25");
    open_lesson(run, "08-one-head");
    assert_int_equal(edits(run), 2);
}

static void test_a_link_leaves_what_the_reader_has_changed(void **state) {
    static const char *const links[] = {
        LINK,
        "?lesson=08-one-head&changes={cell:+[Y,",
        "?lesson=08-one-head&changes={cell:+[Nothing,+0,+0],+value:+3}",
        "?lesson=08-one-head&changes={switch:+1}",
        "?lesson=08-one-head&changes={text:+nothing+known}",
    };
    Run *run = *state;
    char mine[200];
    open_lesson(run, "08-one-head");
    press(run, "Right");
    type(run, "0.25");
    begin_again(run);
    snprintf(mine, sizeof mine, "%s", noted(run, "08-one-head"));
    assert_contains(mine, "value: 0.25");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        open_lesson(run, links[i]);
        press(run, "Right");
        begin_again(run);
        assert_string_equal(noted(run, "08-one-head"), mine);
        open_lesson(run, "08-one-head");
        assert_int_equal(edits(run), 1);
        assert_true(says(run, "Your changes"));
        begin_again(run);
    }

    open_lesson(run, LINK); /* what is changed in a visit doesn't replace it either */
    assert_true(says(run, "Yours of"));
    press(run, "Home Right");
    type(run, "0.75");
    press(run, "R");
    assert_int_equal(edits(run), 0);
    assert_string_equal(noted(run, "08-one-head"), mine);
    press(run, "O");
    open_lesson(run, "08-one-head"); /* in the same window */
    assert_int_equal(edits(run), 1);
    assert_string_equal(noted(run, "08-one-head"), mine);
    open_lesson(run, LINK); /* over what is there */
    press(run, "O");
    assert_string_equal(noted(run, "08-one-head"), mine);
}

static void test_a_link_with_a_text_leaves_that_of_the_reader(void **state) {
    static const char *const links[] = {
        "?lesson=29-eleven-steps&changes={text:+you+know}",
        "?lesson=29-eleven-steps&changes={text:+you+know},+{cell:+[X,+0,+0],+value:+3}",
        "?lesson=29-eleven-steps&changes={cell:+[X,+0,+0],+value:+3}",
    };
    Run *run = *state;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        open_lesson(run, "29-eleven-steps");
        press(run, "E Ctrl+A Backspace");
        session_type(run->session, "you win");
        press(run, "Return");
        assert_string_equal(run->session->lesson->text, "you win");
        open_lesson(run, links[i]);
        assert_string_not_equal(run->session->lesson->text, "you win");
        press(run, "O");
        open_lesson(run, "29-eleven-steps");
        assert_string_equal(run->session->lesson->text, "you win");
        open_lesson(run, links[i]);
        begin_again(run);
        open_lesson(run, "29-eleven-steps");
        assert_string_equal(run->session->lesson->text, "you win");
        press(run, "R");
    }
}

static void test_a_link_to_what_one_has_oneself_is_no_visit(void **state) {
    Run *run = *state;
    char mine[200];
    open_lesson(run, LINK);
    press(run, "Home Right");
    type(run, "0.25");
    begin_again(run);
    snprintf(mine, sizeof mine, "%s", noted(run, "08-one-head"));
    open_lesson(run, "08-one-head");
    Arena *arena = arena_create(1 << 20);
    open_lesson(run, link_write(run->session, arena)); /* as a page that is reloaded */
    arena_destroy(arena);
    assert_false(says(run, "Yours of"));
    press(run, "Ctrl+Z");
    begin_again(run);
    assert_string_not_equal(noted(run, "08-one-head"), mine);
}

static void test_what_is_changed_is_noted_as_the_lesson_is_left(void **state) {
    Run *run = *state;
    MemoryDraft draft;
    open_lesson(run, "08-one-head");
    type(run, "0.25");
    press(run, "O"); /* before anybody has asked for it to be noted */
    assert_true(memory_draft(run->memory, "08-one-head", &draft));
    open_lesson(run, "12-blend");
    press(run, "Right");
    open_lesson(run, "08-one-head");
    MemoryPlace place;
    assert_true(memory_place(run->memory, "12-blend", &place));
    assert_int_equal(place.step, 2);
    assert_int_equal(edits(run), 1);
}

static void test_a_text_and_switches_are_there_again(void **state) {
    Run *run = *state;
    open_lesson(run, "30-the-whole-transformer");
    press(run, "X Down Right Escape");
    LessonSwitches put = run->session->lesson->switches;
    open_lesson(run, "29-eleven-steps");
    press(run, "E Ctrl+A Backspace");
    session_type(run->session, "you win");
    press(run, "Return Right ]");
    assert_string_equal(run->session->lesson->text, "you win");
    size_t count = edits(run);
    begin_again(run);
    open_lesson(run, "29-eleven-steps");
    assert_string_equal(run->session->lesson->text, "you win");
    assert_int_equal(edits(run), count);
    assert_true(says(run, "Your changes"));
    press(run, "R");
    assert_string_not_equal(run->session->lesson->text, "you win");
    press(run, "Ctrl+Z");
    assert_string_equal(run->session->lesson->text, "you win");
    open_lesson(run, "30-the-whole-transformer");
    assert_memory_equal(&run->session->lesson->switches, &put, sizeof put);
}

static void write_lesson(const Run *run, const char *name, const char *text,
                         char file[PATH_SIZE]) {
    snprintf(file, PATH_SIZE, "%.900s/%s", run->folder, name);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static const char SMALL[] = "title: Mine\ngiven: {X: [1, 2]}\nsteps:\n"
                            "  - do: Y = X + X\n  - do: Z = Y + X\n";

static void test_a_file_goes_by_its_path_and_may_be_another_by_now(void **state) {
    Run *run = *state;
    char file[PATH_SIZE], with[400];
    write_lesson(run, "mine.yaml", SMALL, file);
    open_lesson(run, file);
    press(run, "Right");
    type(run, "9");
    assert_int_equal(edits(run), 1);
    begin_again(run);
    assert_string_equal(memory_recent(run->memory, 0), file);
    write_lesson(run, "mine.yaml",
                 "title: Mine\ngiven: {X: [1, 2]}\nsteps:\n  - do: A = X + X\n", file);
    open_lesson(run, file);
    assert_int_equal(edits(run), 0);
    assert_string_equal(path(run), "1");

    snprintf(with, sizeof with, "%schanges:\n  - {cell: [Y, 0, 0], value: 5}\n", SMALL);
    write_lesson(run, "kept.yaml", with, file);
    open_lesson(run, file);
    assert_int_equal(edits(run), 1);
    press(run, "R");
    assert_int_equal(edits(run), 0);
    begin_again(run);
    open_lesson(run, file); /* what the file has changed itself was taken back */
    assert_int_equal(edits(run), 0);
    assert_true(says(run, "Your changes"));
    press(run, "Ctrl+Z");
    assert_int_equal(edits(run), 1);
}

static void test_home_goes_on_with_a_file_of_ones_own(void **state) {
    Run *run = *state;
    char file[PATH_SIZE];
    write_lesson(run, "mine.yaml", SMALL, file);
    open_lesson(run, "08-one-head");
    press(run, "O");
    open_lesson(run, file);
    press(run, "O");
    HomePlace place = home_place(run->session);
    assert_true(place.known);
    assert_string_equal(run->course.lessons[place.lesson].path, file);
    open_lesson(run, file);
    begin_again(run);
    assert_true(course_add_file(&run->course, memory_recent(run->memory, 0)));
    place = home_place(run->session);
    assert_true(place.known);
    assert_string_equal(run->course.lessons[place.lesson].path, file);
}

/* Returns true if the second check reads the file again: the first waits until it is
 * completely written. */
static bool is_read_again(Run *run) {
    bool first = session_look_at_file(run->session);
    assert_false(first);
    return session_look_at_file(run->session);
}

static void test_a_file_that_is_saved_is_read_again_in_its_place(void **state) {
    Run *run = *state;
    char file[PATH_SIZE];
    const ErrorList *errors = &run->session->watched.errors;
    write_lesson(run, "mine.yaml", SMALL, file);
    open_lesson(run, file);
    assert_true(session_has_file(run->session));
    assert_false(is_read_again(run));
    press(run, "Right");
    type(run, "9");
    write_lesson(run, "mine.yaml",
                 "title: Mine\ngiven: {X: [1, 2, 3]}\nsteps:\n  - do: W = X * X\n"
                 "  - do: Y = X + X\n  - do: Z = Y + X\n",
                 file);
    assert_true(is_read_again(run));
    assert_true(says(run, "read again"));
    assert_string_equal(player_step(&run->session->player)->name, "Z");
    assert_string_equal(path(run), "3");
    assert_int_equal(edits(run), 1);
    press(run, "Ctrl+Z");
    assert_int_equal(edits(run), 0);
    assert_false(is_read_again(run));

    const Lesson *good = run->session->lesson;
    write_lesson(run, "mine.yaml", "title: Mine\nsteps:\n  - do: Y = X + X\n", file);
    assert_true(is_read_again(run));
    assert_ptr_equal(run->session->lesson, good);
    assert_true(errors->count > 0);
    assert_int_equal(errors->items[0].line, 3);
    assert_false(is_read_again(run)); /* not before it is another */
    press(run, "Left Right");
    assert_true(errors->count > 0);
    write_lesson(run, "mine.yaml", SMALL, file);
    assert_true(is_read_again(run));
    assert_int_equal(errors->count, 0);
    assert_string_equal(player_step(&run->session->player)->name, "Z");

    assert_int_equal(unlink(file), 0);
    assert_true(is_read_again(run)); /* it may come back */
    assert_true(says(run, "isn't there any more"));
    assert_false(is_read_again(run)); /* and is reported once */
    open_lesson(run, "08-one-head");
    assert_false(session_has_file(run->session));
}

static void test_a_file_says_that_its_tokens_label_nothing(void **state) {
    Run *run = *state;
    char file[PATH_SIZE];
    static const char lesson[] =
        "title: t\ntokens: [a, b%s]\ngiven: {X: [[1], [2], [3]]}\n"
        "steps:\n  - do: Y = X * 2\n";
    char text[sizeof lesson + 8];
    snprintf(text, sizeof text, lesson, ", c");
    write_lesson(run, "words.yaml", text, file);
    open_lesson(run, file);
    assert_false(is_read_again(run));
    snprintf(text, sizeof text, lesson, "");
    write_lesson(run, "words.yaml", text, file);
    assert_true(is_read_again(run));
    assert_true(says(run, "tokens label nothing"));
    assert_true(run->session->message_left == 0); /* it stays until a key */
    snprintf(text, sizeof text, lesson, ", d");
    write_lesson(run, "words.yaml", text, file);
    assert_true(is_read_again(run));
    assert_false(says(run, "tokens label nothing"));
    snprintf(text, sizeof text, lesson, "");
    write_lesson(run, "other-words.yaml", text, file);
    open_lesson(run, file);
    assert_true(says(run, "tokens label nothing"));
}

/* Also a lesson that was opened from a file is returned to, with what is changed in it.
 */
static void test_a_search_leads_back_to_a_file(void **state) {
    Run *run = *state;
    char file[PATH_SIZE];
    write_lesson(run, "mine.yaml", SMALL, file);
    open_lesson(run, file);
    press(run, "End");
    size_t step = run->session->player.step;
    press(run, "Ctrl+K");
    assert_true(session_type(run->session, "causal and padding"));
    press(run, "Return");
    assert_string_equal(run->session->lesson->id, "13-masks");
    press(run, "Right");
    press(run, "Escape");
    assert_string_equal(run->session->lesson->id, "mine");
    assert_int_equal(run->session->player.step, step);
}

static void test_a_file_that_is_dropped_opens_or_is_told_of(void **state) {
    Run *run = *state;
    char file[PATH_SIZE];
    const ErrorList *errors = &run->session->watched.errors;
    write_lesson(run, "mine.yaml", SMALL, file);
    session_drop(run->session, file);
    assert_string_equal(run->session->lesson->id, "mine");
    write_lesson(run, "bad.yaml", "title: Bad\n", file);
    session_drop(run->session, file);
    assert_string_equal(run->session->lesson->id, "mine");
    assert_true(errors->count > 0);
    press(run, "Left");
    assert_int_equal(errors->count, 0);
    session_drop(run->session, "/nowhere/at/all.yaml");
    assert_true(errors->count > 0);
    assert_string_equal(run->session->lesson->id, "mine");
}

static void test_windows_keep_what_others_have_kept(void **state) {
    Run *run = *state, other = *run;
    begin(&other);
    open_lesson(run, "08-one-head");
    type(run, "0.5");
    open_lesson(&other, "12-blend");
    press(&other, "Right T");
    Error error;
    session_remember(run->session);
    assert_true(notes_write(run->memory, &error));
    press(run, "Right L U");
    end(&other);
    begin_again(run);
    MemoryPlace place;
    MemoryDraft draft;
    assert_true(memory_place(run->memory, "12-blend", &place));
    assert_true(memory_draft(run->memory, "08-one-head", &draft));
    assert_contains(draft.changes, "value: 0.5");
    assert_string_equal(memory_text(run->memory, "theme"), "dark");
    assert_string_equal(memory_text(run->memory, "language"), "zh");
    assert_string_equal(memory_text(run->memory, "sources"), "on");
    assert_true(memory_last(run->memory, &place));
    assert_string_equal(place.lesson, "08-one-head");
    assert_int_equal(place.seen, 2);
}

/* A result that a question hides doesn't count as seen, nor does a step passed by
 * dragging, nor one that the lesson no longer has. */
static void test_only_what_was_seen_is_noted_as_seen(void **state) {
    Run *run = *state;
    MemoryPlace place;
    session_ask(run->session, true);
    open_lesson(run, "13-masks"); /* its second step has a question */
    session_remember(run->session);
    press(run, "Right");
    assert_true(questions_wait(run->session));
    session_remember(run->session);
    assert_true(memory_place(run->memory, "13-masks", &place));
    assert_int_equal(place.step, 2);
    assert_int_equal(place.seen, 1);
    press(run, "Right"); /* the answer */
    session_remember(run->session);
    assert_true(memory_place(run->memory, "13-masks", &place));
    assert_int_equal(place.seen, 2);
    run->session->scrubbing = true;
    press(run, "Right");
    session_remember(run->session);
    run->session->scrubbing = false;
    assert_true(memory_place(run->memory, "13-masks", &place));
    assert_int_equal(place.step, 3);
    assert_int_equal(place.seen, 2);
    memory_note_place(run->memory, &(MemoryPlace){.lesson = "13-masks",
                                                  .path = "99",
                                                  .cell = SIZE_MAX,
                                                  .steps = place.steps});
    assert_true(memory_place(run->memory, "13-masks", &place));
    assert_int_equal(place.seen, 2);
}

static void test_so_many_files_are_remembered(void **state) {
    Run *run = *state;
    char name[20];
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "/a/%d.yaml", i % 10);
        memory_note_opened(run->memory, name);
    }
    begin_again(run);
    assert_string_equal(memory_recent(run->memory, 0), "/a/1.yaml");
    assert_string_equal(memory_recent(run->memory, 1), "/a/0.yaml");
    assert_string_equal(memory_recent(run->memory, 2), "/a/9.yaml");
    assert_non_null(memory_recent(run->memory, MEMORY_RECENT_MOST - 1));
    assert_null(memory_recent(run->memory, MEMORY_RECENT_MOST));
}

static void test_nothing_is_written_where_nothing_changes(void **state) {
    Run *run = *state;
    open_lesson(run, "08-one-head");
    type(run, "0.5");
    begin_again(run);
    open_lesson(run, "08-one-head");
    session_remember(run->session);
    assert_false(notes_unwritten(run->memory));
    MemoryWindow window = {1, 2, 1000, 700, false}, found;
    memory_note_window(run->memory, &window);
    assert_true(notes_unwritten(run->memory));
    begin_again(run);
    assert_true(memory_window(run->memory, &found));
    assert_true(found.x == 1 && found.y == 2 && found.width == 1000 &&
                found.height == 700 && !found.maximized);
    assert_false(notes_unwritten(run->memory));
}

static void test_a_damaged_memory_is_told_of(void **state) {
    Run *run = *state;
    end(run);
    FILE *file = fopen(run->path, "w");
    fputs("{\"version\": 1, \"lessons\": {\"a\": 3}}", file);
    fclose(file);
    begin(run);
    assert_true(says(run, "memory-damaged.json"));
    begin_again(run);
    assert_false(says(run, "damaged"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_lesson_opens_where_it_was_left),
        TEST(test_a_lesson_that_was_finished_is_presented_from_its_first_step),
        TEST(test_what_is_changed_is_there_again_and_can_be_undone),
        TEST(test_a_link_is_a_visit_until_something_is_changed),
        TEST(test_a_link_leaves_what_the_reader_has_changed),
        TEST(test_a_link_with_a_text_leaves_that_of_the_reader),
        TEST(test_a_link_to_what_one_has_oneself_is_no_visit),
        TEST(test_what_is_changed_is_noted_as_the_lesson_is_left),
        TEST(test_a_text_and_switches_are_there_again),
        TEST(test_a_file_goes_by_its_path_and_may_be_another_by_now),
        TEST(test_home_goes_on_with_a_file_of_ones_own),
        TEST(test_a_file_that_is_saved_is_read_again_in_its_place),
        TEST(test_a_file_says_that_its_tokens_label_nothing),
        TEST(test_a_search_leads_back_to_a_file),
        TEST(test_a_file_that_is_dropped_opens_or_is_told_of),
        TEST(test_windows_keep_what_others_have_kept),
        TEST(test_only_what_was_seen_is_noted_as_seen),
        TEST(test_so_many_files_are_remembered),
        TEST(test_nothing_is_written_where_nothing_changes),
        TEST(test_a_damaged_memory_is_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

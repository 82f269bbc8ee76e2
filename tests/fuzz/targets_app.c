/* Fuzz targets of the program's input: command line, notes, keys, links, and actions in a
 * window. The course is tests/fuzz/course: small lessons, read once and kept. */
#include "course/notes.h"
#include "drive/drive.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "session/mode.h"
#include "target.h"

#include "../fixed_metrics.h"
#include "commands/command.h"
#include "lesson/content/changes.h"
#include "session/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAME_BYTES = 256 << 20, WORDS_MOST = 20, ARGUMENTS_MOST = 40 };

/* ---- the course ---- */

static Course course;
static Arena *frame;
static bool begun;
static FILE *nowhere;

static void end_course(void) {
    if (begun)
        course_finish(&course);
    arena_destroy(frame);
    if (nowhere)
        fclose(nowhere);
}

static void begin_course(void) {
    char path[1024];
    ErrorList errors = {0};
    if (begun)
        return;
    if (!frame)
        atexit(end_course);
    setenv("GLASSFORMER_DATA", target_source(path, "tests/fuzz/course"), 1);
    setenv("GLASSFORMER_CACHE", "", 1);
    frame = frame ? frame : arena_create(FRAME_BYTES);
    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    begun = course_init(&course, &errors);
    if (!begun)
        error_list_print(&errors, stderr);
    TARGET_EXPECT(begun && frame && nowhere);
}

/* As it was before a session: lessons stay loaded, what was changed in them goes, and
 * with it what hangs on to the course. */
static void clean_course(size_t was) {
    for (size_t i = 0; i < course.all; i++) {
        CourseLesson *entry = &course.lessons[i];
        while (entry->lesson && changes_undo(entry->lesson->changes)) {
        }
        if (entry->lesson)
            changes_forget_undone(entry->lesson->changes);
        lesson_destroy(entry->own);
        entry->own = NULL;
        entry->shown = false;
    }
    static size_t sessions;
    enum { SESSIONS_MOST = 20000 }; /* each takes a little of the course's arena */
    if (course.all == was && ++sessions % SESSIONS_MOST)
        return;
    course_finish(&course);
    begun = false;
}

/* ---- sessions ---- */

typedef struct Stand {
    Session *session;
    size_t lessons; /* number of lessons at first */
    Scene scene;    /* the last picture */
    bool fresh;     /* the picture is up to date: nothing was done since */
    double width, height;
} Stand;

static Stand begin_session(void) {
    begin_course();
    Stand stand = {.session = session_create(&course, NULL),
                   .lessons = course.all,
                   .width = 1280,
                   .height = 720};
    TARGET_EXPECT(stand.session != NULL);
    return stand;
}

static void look(Stand *stand) {
    TextMetrics metrics = fixed_metrics();
    if (stand->fresh)
        return;
    arena_reset(frame);
    session_draw(stand->session, &stand->scene, frame, &metrics, stand->width,
                 stand->height, true);
    TARGET_EXPECT(scene_complete(&stand->scene));
    stand->fresh = true;
}

/* Reads out everything a session shows, and destroys it. */
static void end_session(Stand *stand) {
    TextMetrics metrics = fixed_metrics();
    look(stand);
    TARGET_EXPECT(session_read(stand->session, &metrics, frame) != NULL);
    TARGET_EXPECT(session_print(stand->session, nowhere));
    TARGET_EXPECT(session_title(stand->session, frame) != NULL);
    session_destroy(stand->session);
    clean_course(stand->lessons);
}

/* "@pX,Y": the pointer, or a finger, at a place of the page in percent. */
static void point(Stand *stand, const char *word) {
    int x = 50, y = 50;
    sscanf(word + 1, "%3d,%3d", &x, &y);
    double at_x = stand->width * x / 100, at_y = stand->height * y / 100;
    Session *session = stand->session;
    const Scene *scene = &stand->scene;
    look(stand);
    switch (word[0]) {
    case 'm':
        session_pointer_move(session, scene, at_x, at_y);
        break;
    case 'p':
        session_pointer_press(session, scene, at_x, at_y);
        break;
    case 'r':
        session_pointer_release(session);
        break;
    case 'd':
        session_pointer_double(session, scene, at_x, at_y);
        break;
    case 'w':
        session_pointer_wheel(session, scene, at_x, at_y, 1);
        break;
    case 'W':
        session_pointer_wheel(session, scene, at_x, at_y, -1);
        break;
    case 'o':
        session_pointer_menu(session, scene, at_x, at_y);
        break;
    case 'f':
        session_touch_down(session, scene, at_x, at_y);
        break;
    case 'g':
        session_touch_move(session, scene, at_x, at_y);
        break;
    case 'u':
        session_touch_up(session, scene, at_x, at_y);
        break;
    case 'c':
        session_touch_cancel(session);
        break;
    case 'z':
        session_touch_pinch(session, (x - 50) / 100.0);
        break;
    default:
        return;
    }
    stand->fresh = false;
}

/* A number from `least` to `most`, whatever is written. */
static int number_in(const char *digits, int least, int most) {
    int value = atoi(digits);
    return value < least ? least : value > most ? most : value;
}

/* "#3" a lesson, "=WIDTH" a page's, "~300" so many milliseconds, "!" things to be
 * answered, "%" motion. */
static void act(Stand *stand, const char *word) {
    Session *session = stand->session;
    if (word[0] == '@' && word[1]) {
        point(stand, word + 1);
        return;
    }
    stand->fresh = false;
    if (word[0] == '#')
        session_open_number(session, (size_t)number_in(word + 1, 0, 100));
    else if (word[0] == '=' && word[1])
        stand->width = number_in(word + 1, 300, 4000);
    else if (word[0] == '~')
        session_tick(session, number_in(word + 1, 0, 100000));
    else if (word[0] == '!')
        session_ask(session, true);
    else if (word[0] == '%')
        session_animate(session, SESSION_MOVES);
    else if (word[0] == '"')
        session_type(session, word + 1);
    else
        session_key(session, word);
    session_take_request(session);
}

/* Words separated by blanks: names of keys, and commands of act; a text is in quotes. */
void target_run_session(const uint8_t *bytes, size_t length) {
    char *text = target_text(bytes, length), *at = text;
    Stand stand = begin_session();
    session_open_number(stand.session, 0);
    for (size_t i = 0; i < WORDS_MOST; i++) {
        at += strspn(at, " \n");
        size_t size = *at == '"' ? 1 + strcspn(at + 1, "\"") : strcspn(at, " \n");
        bool last = !at[size];
        if (!size)
            break;
        at[size] = 0;
        act(&stand, at);
        if (last)
            break;
        at += size + 1;
    }
    end_session(&stand);
    free(text);
}

/* Followed, written, and followed again: that leads to the same place. */
void target_run_link(const uint8_t *bytes, size_t length) {
    char *text = target_text(bytes, length);
    Arena *arena = arena_create(1 << 20);
    Stand stand = begin_session();
    ErrorList errors = {0};
    if (link_is(text)) {
        session_open(stand.session, text, &errors);
        const char *written = link_write(stand.session, arena);
        TARGET_EXPECT(written != NULL);
        session_open(stand.session, written, &errors);
        const char *again = link_write(stand.session, arena);
        TARGET_EXPECT(again && strcmp(written, again) == 0);
    }
    end_session(&stand);
    arena_destroy(arena);
    free(text);
}

/* As `glassformer play` takes them; what is kept or saved goes into the folder of
 * target_file. */
void target_run_keys(const uint8_t *bytes, size_t length) {
    begin_course();
    static char folder[1024];
    static const char *const lessons[] = {"everything"};
    snprintf(folder, sizeof folder, "%s", target_file(bytes, length));
    *strrchr(folder, '/') = 0;
    char *keys = target_text(bytes, length);
    size_t was = course.all;
    CommandLine line = {.command = command_line_at(0),
                        .keys = keys,
                        .out = folder,
                        .width = 640,
                        .height = 360,
                        .lessons = lessons,
                        .lesson_count = 1,
                        .frames = 2};
    ExitCode code = command_play(&course, &line);
    TARGET_EXPECT(code != EXIT_DATA);
    clean_course(was);
    free(keys);
}

void target_words_keys(void) {
    static const char *const words[] = {" @p10,90", " @m50,50", " @d30,40", " @w50,50",
                                        " @o40,40", " @f20,60", " @u80,60", " #1",
                                        " #4",      " =800",    " ~500",    " \"0.5\"",
                                        " Wait:10", " Type:1",  " %",       " !"};
    char word[100];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        target_print_word(words[i]);
    for (size_t i = 0; i < action_count(); i++) {
        char key[SESSION_KEY_SIZE];
        for (const char *keys = action_at(i)->keys; action_next_key(&keys, key);) {
            snprintf(word, sizeof word, " %s ", key);
            target_print_word(word);
        }
    }
}

/* ---- notes ---- */

static void remove_aside(const Notes *notes) {
    if (*notes_aside(notes))
        unlink(notes_aside(notes));
}

/* Reads notes, adds to them and reads them again. */
void target_run_progress(const uint8_t *bytes, size_t length) {
    const char *path = target_file(bytes, length), *id = "08-one-head";
    Notes *progress = notes_open(path, &notes_of_progress);
    ProgressLesson round = {.id = id, .at_once = 1};
    Error error = {0};
    TARGET_EXPECT(progress != NULL);
    size_t rounds = progress_of(progress, id).rounds;
    progress_has_answer(progress, id, "3");
    bool kept = progress_record(progress, &round, &error) &&
                progress_answer(progress, id, "3", "at_once", &error);
    target_expect_error(kept, &error);
    remove_aside(progress);
    notes_close(progress);
    progress = notes_open(path, &notes_of_progress);
    TARGET_EXPECT(progress != NULL);
    if (kept) {
        TARGET_EXPECT(notes_state(progress) == NOTES_FINE);
        TARGET_EXPECT(progress_of(progress, id).id &&
                      progress_of(progress, id).rounds >= rounds);
        TARGET_EXPECT(progress_has_answer(progress, id, "3"));
    }
    notes_close(progress);
}

/* A session goes on from it, in a lesson that was left. */
void target_run_memory(const uint8_t *bytes, size_t length) {
    Notes *memory = notes_open(target_file(bytes, length), &notes_of_memory);
    MemoryPlace place;
    MemoryWindow window;
    Error error = {0};
    TARGET_EXPECT(memory != NULL);
    Stand stand = begin_session();
    memory_last(memory, &place);
    memory_window(memory, &window);
    for (size_t i = 0; i < MEMORY_RECENT_MOST; i++)
        memory_recent(memory, i);
    session_keep_memory(stand.session, memory);
    look(&stand);
    session_open_number(stand.session, course_find(&course, "everything"));
    stand.fresh = false;
    session_remember(stand.session);
    bool written = notes_write(memory, &error);
    target_expect_error(written, &error);
    end_session(&stand);
    remove_aside(memory);
    notes_close(memory);
}

/* ---- the command line ---- */

/* A word on each line. */
void target_run_command_line(const uint8_t *bytes, size_t length) {
    begin_course();
    char *text = target_text(bytes, length), *name = "glassformer";
    char *words[ARGUMENTS_MOST + 1] = {name};
    int count = 1;
    for (char *at = text; at && *at && count < ARGUMENTS_MOST;) {
        words[count++] = at;
        at = strchr(at, '\n');
        if (at)
            *at++ = 0;
    }
    CommandLine line;
    Error error = {0};
    bool good = command_line_parse(&line, count, words, &error);
    target_expect_error(good, &error);
    if (good)
        command_line_help(&line, &course.languages, course.language, nowhere);
    free(text);
}

void target_words_command_line(void) {
    char word[100];
    for (size_t i = 1; command_line_at(i); i++) {
        const Command *command = command_line_at(i);
        CommandOption option;
        target_print_word(command->name);
        for (size_t k = 0; command_option_at(command, k, NULL, &option); k++) {
            snprintf(word, sizeof word, "\n--%s%s", option.name,
                     option.value ? "\n" : "");
            target_print_word(word);
        }
    }
}

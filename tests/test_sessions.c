/* Sessions written as scripts: tests/sessions.txt, whose head lists the commands. Each
 * script is a test. Pages are laid out with fixed advances; equal digests are equal
 * pictures. */
#include "golden.h"
#include "lesson/content/content.h"
#include "picture/draw/marks.h"
#include "picture/scene/theme.h"
#include "session/mode.h"
#include "session_changes.h"
#include "tensor/tape/tape.h"

enum { PATH_SIZE = 1024, SCRIPTS_MAX = 400, PICTURES_MAX = 16 };

/* A script that runs. */
typedef struct Run {
    Stand *stand;
    const char *command; /* the present one's name */
    char *words;         /* what follows the name, without blanks at its ends or quotes */
    int line;            /* of the present command */
    struct {
        char name[32];
        uint64_t digest;
    } pictures[PICTURES_MAX]; /* those of `remember` */
    size_t picture_count;
} Run;

typedef struct Script {
    char *name;
    char *commands; /* its lines, each of which ends with '\n' */
    int line;       /* of the first command */
} Script;

static Script scripts[SCRIPTS_MAX];
static size_t script_count;

#define FAIL(run, ...)                                                                   \
    do {                                                                                 \
        print_error("sessions.txt:%d: %s %s: ", (run)->line, (run)->command,             \
                    (run)->words);                                                       \
        print_error(__VA_ARGS__);                                                        \
        print_error("\n");                                                               \
        fail();                                                                          \
    } while (0)

static Session *session_of(const Run *run) {
    return run->stand->session;
}

static const LessonStep *words_of(const Run *run) {
    return player_step(&session_of(run)->player)->words;
}

/* Fails unless `holds` is true; `now` says what is there in its place. */
static void check(const Run *run, bool holds, const char *now) {
    if (!holds)
        FAIL(run, "it is '%s'", now ? now : "nothing");
}

static void check_number(const Run *run, size_t now) {
    char text[32];
    snprintf(text, sizeof text, "%zu", now);
    check(run, strcmp(text, run->words) == 0, text);
}

/* True for `yes`, false for `no`, which are `on` and `off`, too. */
static bool is_yes(const Run *run) {
    bool yes = strcmp(run->words, "yes") == 0 || strcmp(run->words, "on") == 0;
    if (!yes && strcmp(run->words, "no") != 0 && strcmp(run->words, "off") != 0)
        FAIL(run, "expected yes or no, or on or off");
    return yes;
}

static void check_yes(const Run *run, bool now) {
    check(run, now == is_yes(run), now ? "yes" : "no");
}

/* ---- what is done ---- */

static void do_open(Run *run) {
    open_lesson(run->stand, run->words);
}

static void do_go_to(Run *run) {
    go_to(run->stand, run->words);
}

static void do_press(Run *run) {
    size_t idle = try_keys(run->stand, run->words);
    if (idle)
        FAIL(run, "%zu of the keys did nothing", idle);
}

static void do_idle(Run *run) {
    size_t idle = try_keys(run->stand, run->words), count = 0;
    for (const char *at = run->words; *at; at += strspn(at, " "), count++)
        at += strcspn(at, " ");
    if (idle != count)
        FAIL(run, "%zu of the keys did something", count - idle);
}

static void do_try(Run *run) {
    try_keys(run->stand, run->words);
}

static void do_write(Run *run) {
    if (!session_type(session_of(run), run->words))
        FAIL(run, "the field doesn't take it");
}

static void do_compose(Run *run) {
    session_compose(session_of(run), run->words);
}

static void do_type(Run *run) {
    type(run->stand, run->words);
}

static void do_click(Run *run) {
    click_link(run->stand, action_link(run->words));
}

/* The middle of a cell on the page: "NAME ROW COLUMN"; the rest of the words is returned.
 */
static Point cell_point(Run *run, const char **rest) {
    char name[64];
    size_t row, col;
    int length;
    Box box;
    if (sscanf(run->words, "%63s %zu %zu%n", name, &row, &col, &length) != 3)
        FAIL(run, "expected NAME ROW COLUMN");
    size_t node = tape_find(session_of(run)->lesson->tape, name);
    look(run->stand);
    if (node == TAPE_NONE ||
        !marks_cell_box(&run->stand->scene, (Link){LINK_CELL, node, row, col}, &box))
        FAIL(run, "that cell isn't drawn");
    *rest = run->words + length;
    return (Point){box.x + box.w / 2, box.y + box.h / 2};
}

static void do_click_cell(Run *run) {
    const char *rest;
    Point at = cell_point(run, &rest);
    session_pointer_press(session_of(run), &run->stand->scene, at.x, at.y);
    session_pointer_release(session_of(run));
}

static void do_double_click(Run *run) {
    const char *rest;
    Point at = cell_point(run, &rest);
    session_pointer_press(session_of(run), &run->stand->scene, at.x, at.y);
    session_pointer_release(session_of(run));
    look(run->stand); /* the second click comes after the first one's page */
    if (!session_pointer_double(session_of(run), &run->stand->scene, at.x, at.y))
        FAIL(run, "it changed nothing");
}

static void do_point(Run *run) {
    const char *rest;
    Point at = {-1, -1};
    if (strcmp(run->words, "away") != 0)
        at = cell_point(run, &rest);
    session_pointer_move(session_of(run), &run->stand->scene, at.x, at.y);
}

static void do_wheel(Run *run) {
    const char *rest;
    Point at = cell_point(run, &rest);
    long notches = strtol(rest, NULL, 10);
    if (notches < 1)
        FAIL(run, "expected NAME ROW COLUMN and a number of notches");
    for (; notches > 0; notches--)
        session_pointer_wheel(session_of(run), &run->stand->scene, at.x, at.y, 1);
}

static void do_motion(Run *run) {
    static const char *const names[] = {"still", "ends", "moves"};
    static const SessionMotion motions[] = {SESSION_STILL, SESSION_ENDS, SESSION_MOVES};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(names[i], run->words) == 0) {
            session_animate(session_of(run), motions[i]);
            return;
        }
    }
    FAIL(run, "expected still, ends or moves");
}

static void do_tick(Run *run) {
    session_tick(session_of(run), strtod(run->words, NULL));
}

static void do_ask(Run *run) {
    session_ask(session_of(run), is_yes(run));
}

static void do_language(Run *run) {
    const Languages *languages = &run->stand->course.languages;
    for (size_t i = 0; i < languages->count; i++) {
        if (strcmp(languages->items[i]->code, run->words) == 0) {
            session_of(run)->language = languages->items[i];
            return;
        }
    }
    FAIL(run, "there is no such language");
}

static void do_clear_message(Run *run) {
    session_of(run)->message[0] = 0;
}

/* ---- what is expected ---- */

static void check_shows(Run *run) {
    look(run->stand);
    if (!says(run->stand, run->words))
        FAIL(run, "isn't on the page");
}

static void check_hides(Run *run) {
    look(run->stand);
    if (says(run->stand, run->words))
        FAIL(run, "is on the page");
}

static void check_message(Run *run) {
    const char *now = session_of(run)->message;
    if (strcmp(run->words, "none") == 0)
        check(run, !now[0], now);
    else if (strcmp(run->words, "any") == 0)
        check(run, now[0], now);
    else
        check(run, strstr(now, run->words), now);
}

static const Mode *find_mode(Run *run) {
    static const Mode *const modes[] = {
        &mode_home,        &mode_lesson,  &mode_pin,      &mode_influence, &mode_switches,
        &mode_practise,    &mode_prompt,  &mode_question, &mode_help,      &mode_glossary,
        &mode_present,     &mode_lens,    &mode_finder,   &mode_menu,      &mode_trace,
        &mode_differences, &mode_setting, &mode_pin_rests};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(modes[i]->name, run->words) == 0)
            return modes[i];
    }
    FAIL(run, "there is no such mode");
    return NULL;
}

static void check_on(Run *run) {
    if (!mode_on(session_of(run), find_mode(run)))
        FAIL(run, "it is off");
}

static void check_off(Run *run) {
    if (mode_on(session_of(run), find_mode(run)))
        FAIL(run, "it is on");
}

static void check_lesson(Run *run) {
    const Lesson *lesson = session_of(run)->lesson;
    check(run, lesson && strcmp(lesson->id, run->words) == 0, lesson ? lesson->id : NULL);
}

static void check_at(Run *run) {
    const char *now = player_step(&session_of(run)->player)->name;
    check(run, strcmp(now, run->words) == 0, now);
}

static void check_step(Run *run) {
    size_t now = statement(run->stand) + 1;
    if (strcmp(run->words, "last") == 0)
        check(run, now == session_of(run)->lesson->step_count, "one before");
    else
        check_number(run, now);
}

static void check_cell(Run *run) {
    size_t now = session_of(run)->player.cell;
    if (strcmp(run->words, "none") == 0)
        check(run, now == PLAYER_NONE, "a cell");
    else
        check_number(run, now);
}

static void check_depth(Run *run) {
    check_number(run, player_step(&session_of(run)->player)->depth);
}

static void check_value(Run *run) {
    char name[64], text[32];
    size_t row, col;
    double value;
    const Tape *tape = session_of(run)->lesson->tape;
    if (sscanf(run->words, "%63s %zu %zu %lf", name, &row, &col, &value) != 4)
        FAIL(run, "expected NAME ROW COLUMN NUMBER");
    size_t node = tape_find(tape, name);
    if (node == TAPE_NONE)
        FAIL(run, "there is no such tensor");
    double now = tensor_at(&tape_node(tape, node)->output, row, col);
    snprintf(text, sizeof text, "%.17g", now);
    check(run, now >= value && now <= value, text);
}

static void check_pin(Run *run) {
    char text[128];
    Link pin = session_of(run)->pin;
    if (!mode_on(session_of(run), &mode_pin))
        FAIL(run, "no cell is pinned");
    snprintf(text, sizeof text, "%s %zu %zu",
             tape_node(session_of(run)->lesson->tape, pin.index)->name, pin.row, pin.col);
    check(run, strcmp(text, run->words) == 0, text);
}

static void check_undoable(Run *run) {
    check_number(run, changes_undoable(changes(run->stand)));
}

static void check_moving(Run *run) {
    check_yes(run, session_moves(session_of(run)));
}

static void check_playing(Run *run) {
    check_yes(run, session_of(run)->play.runs);
}

static void check_writing(Run *run) {
    check_yes(run, session_is_writing(session_of(run)));
}

static void check_field(Run *run) {
    const char *now = session_of(run)->field.text;
    check(run, strcmp(now, run->words) == 0, now);
}

static void check_text(Run *run) {
    const char *now = session_of(run)->lesson->text;
    check(run, now ? strcmp(now, run->words) == 0 : strcmp("none", run->words) == 0, now);
}

static void check_says(Run *run) {
    const char *now = text_in(&words_of(run)->say, session_of(run)->language);
    check(run, strstr(now, run->words), now);
}

static void check_title(Run *run) {
    const char *now = session_title(session_of(run), run->stand->arena);
    check(run, strcmp(now, run->words) == 0, now);
}

static void check_request(Run *run) {
    static const char *const names[] = {"nothing", "quit",  "save", "fullscreen",
                                        "keep",    "paste", "copy"};
    const char *now = names[session_take_request(session_of(run))];
    check(run, strcmp(now, run->words) == 0, now);
}

static void check_waits(Run *run) {
    check_yes(run, questions_wait(session_of(run)));
}

static size_t find_picture(const Run *run) {
    size_t i = 0;
    while (i < run->picture_count && strcmp(run->pictures[i].name, run->words) != 0)
        i++;
    return i;
}

static void do_remember(Run *run) {
    size_t i = find_picture(run);
    assert_true(i < PICTURES_MAX);
    run->picture_count += i == run->picture_count;
    snprintf(run->pictures[i].name, sizeof run->pictures[i].name, "%s", run->words);
    run->pictures[i].digest = look(run->stand);
}

/* True if the page is the remembered one. */
static bool page_is(Run *run) {
    size_t i = find_picture(run);
    if (i == run->picture_count)
        FAIL(run, "no picture of that name is remembered");
    return look(run->stand) == run->pictures[i].digest;
}

static void check_same(Run *run) {
    if (!page_is(run))
        FAIL(run, "the page is another");
}

static void check_differs(Run *run) {
    if (page_is(run))
        FAIL(run, "the page is the same");
}

static const struct {
    const char *name;
    void (*run)(Run *run);
} commands[] = {
    {"open", do_open},
    {"go-to", do_go_to},
    {"press", do_press},
    {"idle", do_idle},
    {"try", do_try},
    {"write", do_write},
    {"compose", do_compose},
    {"type", do_type},
    {"click", do_click},
    {"click-cell", do_click_cell},
    {"double-click", do_double_click},
    {"point", do_point},
    {"wheel", do_wheel},
    {"motion", do_motion},
    {"tick", do_tick},
    {"ask", do_ask},
    {"language", do_language},
    {"clear-message", do_clear_message},
    {"remember", do_remember},
    {"same", check_same},
    {"differs", check_differs},
    {"shows", check_shows},
    {"hides", check_hides},
    {"message", check_message},
    {"on", check_on},
    {"off", check_off},
    {"lesson", check_lesson},
    {"at", check_at},
    {"step", check_step},
    {"cell", check_cell},
    {"depth", check_depth},
    {"value", check_value},
    {"pin", check_pin},
    {"undoable", check_undoable},
    {"moving", check_moving},
    {"playing", check_playing},
    {"writing", check_writing},
    {"field", check_field},
    {"text", check_text},
    {"says", check_says},
    {"title", check_title},
    {"request", check_request},
    {"waits", check_waits},
};

/* ---- scripts ---- */

/* Splits a command into its name and its words. */
static void take_command(Run *run, char *text) {
    text += strspn(text, " ");
    run->command = text;
    text += strcspn(text, " ");
    if (*text)
        *text++ = 0;
    run->words = text + strspn(text, " ");
    size_t length = strlen(run->words);
    while (length > 0 && run->words[length - 1] == ' ')
        run->words[--length] = 0;
    if (length > 1 && run->words[0] == '"' && run->words[length - 1] == '"') {
        run->words[length - 1] = 0;
        run->words++;
    }
}

static void run_command(Run *run, char *text) {
    take_command(run, text);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, run->command) == 0) {
            commands[i].run(run);
            return;
        }
    }
    FAIL(run, "there is no such command");
}

static void run_line(Run *run, const char *line, size_t length) {
    char copy[512];
    assert_true(length < sizeof copy);
    memcpy(copy, line, length);
    copy[length] = 0;
    if (copy[0] != ' ' && copy[0] != '\t')
        return; /* a comment or blank */
    for (char *text = copy, *next; text; text = next) {
        next = strchr(text, ';');
        if (next)
            *next++ = 0;
        run_command(run, text);
    }
}

/* A session of its own that runs a script; its state is the group's. */
static void run_script(void **state, const Script *script) {
    Run run = {.stand = *state, .line = script->line};
    for (const char *line = script->commands; *line; run.line++) {
        size_t length = strcspn(line, "\n");
        run_line(&run, line, length);
        line += length + (line[length] == '\n');
    }
}

/* Cmocka tells a test neither its number nor its name, and runs them in their order. */
static size_t next_script;

static void test_script(void **state) {
    run_script(state, &scripts[next_script++]);
}

/* Finds the scripts: a line that begins with a letter is the name of one. */
static void read_scripts(char *text) {
    int number = 1;
    for (char *line = text, *next; *line; line = next, number++) {
        next = line + strcspn(line, "\n");
        char *end = next;
        next += *next == '\n';
        if (*line == ' ' || *line == '\t' || *line == '#' || line == end)
            continue;
        assert_true(script_count < SCRIPTS_MAX);
        *end = line[-(line > text)] = 0; /* ends the name, and the script before */
        scripts[script_count++] =
            (Script){.name = line, .commands = next, .line = number + 1};
    }
}

int main(void) {
    static struct CMUnitTest tests[SCRIPTS_MAX];
    char path[PATH_SIZE];
    size_t length;
    snprintf(path, sizeof path, "%s/tests/sessions.txt", getenv("GLASSFORMER_SOURCE"));
    char *text = golden_read(path, &length);
    read_scripts(text);
    if (!script_count)
        return EXIT_FAILURE;
    for (size_t i = 0; i < script_count; i++)
        tests[i] = (struct CMUnitTest){scripts[i].name, test_script, begin_session,
                                       tear_down, NULL};
    int failed = _cmocka_run_group_tests("sessions", tests, script_count, set_up_course,
                                         tear_down_course);
    free(text);
    return failed;
}

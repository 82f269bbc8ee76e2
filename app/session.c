#include "session.h"

#include "base/utf8.h"
#include "picture/views.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys: one table for what they do and for the help that lists them ---- */

typedef bool (*KeyAction)(Session *session);

typedef struct KeyEntry {
    const char *keys[3]; /* names, any of them */
    const char *shown;   /* as the help writes them */
    const char *words;   /* strings key */
    KeyAction in_lesson; /* NULL: nothing there */
    KeyAction in_overview;
} KeyEntry;

static bool move(Session *session, PlayerMove how) {
    session->has_pin = false;
    return player_move(&session->player, how);
}

static bool go_right(Session *session) {
    return move(session, PLAYER_RIGHT);
}

static bool go_left(Session *session) {
    return move(session, PLAYER_LEFT);
}

static bool go_down(Session *session) {
    return move(session, PLAYER_DOWN);
}

static bool go_up(Session *session) {
    return move(session, PLAYER_UP);
}

static bool go_first(Session *session) {
    return move(session, PLAYER_FIRST);
}

static bool go_last(Session *session) {
    return move(session, PLAYER_LAST);
}

static bool choose(Session *session, size_t index) {
    if (index >= session->course->count || index == session->chosen)
        return false;
    session->chosen = index;
    return true;
}

static bool choose_next(Session *session) {
    return choose(session, session->chosen + 1);
}

static bool choose_previous(Session *session) {
    return session->chosen && choose(session, session->chosen - 1);
}

static bool choose_first(Session *session) {
    return choose(session, 0);
}

static bool choose_last(Session *session) {
    return session->course->count && choose(session, session->course->count - 1);
}

static bool open_chosen(Session *session) {
    return session_open_number(session, session->chosen);
}

static bool next_lesson(Session *session) {
    return session->number < session->course->count &&
           session_open_number(session, session->number);
}

static bool previous_lesson(Session *session) {
    return session->number > 1 && session_open_number(session, session->number - 2);
}

static bool show_overview(Session *session) {
    session->view = SESSION_OVERVIEW;
    session->has_pin = session->has_hover = false;
    session->chosen = session->number ? session->number - 1 : 0;
    return true;
}

static bool let_go(Session *session) {
    bool had_pin = session->has_pin;
    session->has_pin = false;
    return had_pin || show_overview(session);
}

static bool begin_typing(Session *session) {
    if (!session->lesson->text) {
        session_say(session, "text.none", "");
        return true;
    }
    session->typing = true;
    session->typed[0] = 0;
    return true;
}

static bool save(Session *session) {
    session->request = SESSION_SAVE;
    return true;
}

static bool change_language(Session *session) {
    session->language = (Language)((session->language + 1) % LANGUAGE_COUNT);
    return true;
}

static bool change_theme(Session *session) {
    const Themes *themes = &session->course->themes;
    size_t index = (size_t)(session->theme - themes->items);
    session->theme = &themes->items[(index + 1) % themes->count];
    return true;
}

/* What V has chosen for the present step; another step is drawn as its lesson asks. */
static LessonView asked_view(const Session *session) {
    bool here = session->tensor_view_step == session->player.step;
    return here ? session->tensor_view : LESSON_VIEW_NONE;
}

static bool change_view(Session *session) {
    LessonView present = views_present(&session->player, asked_view(session));
    session->tensor_view = views_next(&session->player, present);
    session->tensor_view_step = session->player.step;
    return session->tensor_view != present;
}

static bool full_screen(Session *session) {
    session->request = SESSION_FULLSCREEN;
    return true;
}

static bool toggle_help(Session *session) {
    session->help = !session->help;
    return true;
}

static bool quit(Session *session) {
    session->request = SESSION_QUIT;
    return true;
}

static const KeyEntry keys[] = {
    {{"Right", "Space"}, "→   Space", "key.right", go_right, choose_next},
    {{"Left"}, "←", "key.left", go_left, choose_previous},
    {{"Down"}, "↓", "key.down", go_down, NULL},
    {{"Up"}, "↑", "key.up", go_up, NULL},
    {{"Home"}, "Home", "key.first", go_first, choose_first},
    {{"End"}, "End", "key.last", go_last, choose_last},
    {{"PageDown"}, "Page Down", "key.next_lesson", next_lesson, choose_next},
    {{"PageUp"}, "Page Up", "key.previous_lesson", previous_lesson, choose_previous},
    {{"Return", "Keypad Enter"}, "Enter", "key.enter", NULL, open_chosen},
    {{"O"}, "O", "key.overview", show_overview, NULL},
    {{"Escape"}, "Esc", "key.unpin", let_go, NULL},
    {{"E"}, "E", "key.text", begin_typing, NULL},
    {{"S"}, "S", "key.save", save, save},
    {{"L"}, "L", "key.language", change_language, change_language},
    {{"T"}, "T", "key.theme", change_theme, change_theme},
    {{"V"}, "V", "key.view", change_view, NULL},
    {{"F11"}, "F11", "key.fullscreen", full_screen, full_screen},
    {{"?", "F1", "H"}, "?", "key.help", toggle_help, toggle_help},
    {{"Q"}, "Q", "key.quit", quit, quit},
};

enum { KEY_COUNT = sizeof keys / sizeof *keys, KEY_NAMES = 3 };

static bool same_key(const char *a, const char *b) {
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

static const KeyEntry *find_key(const char *name) {
    for (size_t i = 0; i < KEY_COUNT; i++) {
        for (size_t j = 0; j < KEY_NAMES && keys[i].keys[j]; j++) {
            if (same_key(name, keys[i].keys[j]))
                return &keys[i];
        }
    }
    return NULL;
}

bool session_key_exists(const char *key) {
    return find_key(key) != NULL;
}

const char *session_nearest_key(const char *key) {
    const char *names[KEY_COUNT * KEY_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        for (size_t j = 0; j < KEY_NAMES && keys[i].keys[j]; j++)
            names[count++] = keys[i].keys[j];
    }
    return error_nearest(key, names, count);
}

/* The overview as it stands, on the page it was last drawn on. Loads the lessons. */
static Overview overview_of(Session *session) {
    Course *course = session->course;
    for (size_t i = 0; i < session->item_count; i++) {
        ErrorList errors = {0};
        session->items[i] =
            (OverviewItem){course_lesson(course, i, &errors), course->lessons[i].id};
    }
    return (Overview){.count = session->item_count,
                      .items = session->items,
                      .chosen = session->chosen,
                      .theme = session->theme,
                      .strings = &course->strings,
                      .language = session->language,
                      .width = session->width,
                      .height = session->height};
}

/* In the overview, Down and Up go by rows. */
static bool choose_by_row(Session *session, const char *key) {
    bool down = same_key(key, "Down");
    if (!down && !same_key(key, "Up"))
        return false;
    Overview overview = overview_of(session);
    return choose(session, overview_step(&overview, down ? 1 : -1));
}

/* While a text is typed, keys edit it. */
static bool edit_text(Session *session, const char *key) {
    size_t length = strlen(session->typed);
    if (same_key(key, "Escape")) {
        session->typing = false;
        return true;
    }
    if (same_key(key, "Return") || same_key(key, "Keypad Enter")) {
        session->typing = false;
        session_use_text(session, session->typed);
        return true;
    }
    if (!same_key(key, "Backspace") || !length)
        return false;
    do /* a whole character: all its continuation bytes, then its first */
        length--;
    while (length && ((unsigned char)session->typed[length] & 0xC0) == 0x80);
    session->typed[length] = 0;
    return true;
}

bool session_type(Session *session, const char *text) {
    size_t length = strlen(session->typed), added = strlen(text);
    if (!session->typing || !added || length + added + 1 > sizeof session->typed ||
        utf8_check(text, added) != added)
        return false;
    memcpy(session->typed + length, text, added + 1);
    return true;
}

bool session_key(Session *session, const char *key) {
    if (session->typing)
        return edit_text(session, key);
    const KeyEntry *entry = find_key(key);
    bool had_message = session->message[0] != 0;
    session->message[0] = 0;
    if (!entry)
        return had_message;
    if (session->help && entry->in_lesson != quit && entry->in_lesson != toggle_help &&
        entry->in_lesson != change_language && entry->in_lesson != change_theme &&
        entry->in_lesson != full_screen) {
        session->help = false; /* any other key closes the help, Escape too */
        return true;
    }
    bool overview = session->view == SESSION_OVERVIEW;
    if (overview && choose_by_row(session, key))
        return true;
    KeyAction action = overview ? entry->in_overview : entry->in_lesson;
    return (action && action(session)) || had_message;
}

/* ---- opening ---- */

void session_init(Session *session, Course *course) {
    *session = (Session){.course = course,
                         .theme = &course->themes.items[0],
                         .width = 1600,
                         .height = 900};
    session->items = arena_alloc(course->arena, course->count, sizeof *session->items);
    session->item_count = session->items ? course->count : 0;
}

void session_finish(Session *session) {
    lesson_destroy(session->own);
    session->own = NULL;
    session->lesson = NULL;
}

static bool show_lesson(Session *session, const Lesson *lesson, size_t number) {
    Player player;
    if (!player_init(&player, lesson))
        return false;
    session->lesson = lesson;
    session->number = number;
    session->player = player;
    session->view = SESSION_LESSON;
    session->tensor_view = LESSON_VIEW_NONE;
    session->has_pin = session->has_hover = session->help = false;
    return true;
}

bool session_open_number(Session *session, size_t index) {
    if (index >= session->course->count)
        return false;
    ErrorList errors = {0};
    const Lesson *lesson = course_lesson(session->course, index, &errors);
    if (lesson && show_lesson(session, lesson, index + 1))
        return true;
    snprintf(
        session->message, sizeof session->message, "%s",
        strings_get(&session->course->strings, session->language, "overview.broken"));
    return true;
}

bool session_open(Session *session, const char *name, ErrorList *errors) {
    size_t number;
    Lesson *lesson = course_open(session->course, name, &number, errors);
    if (!lesson)
        return false;
    if (!show_lesson(session, lesson, number)) {
        if (!number)
            lesson_destroy(lesson);
        return error_list_add(errors, ERROR_MEMORY, 0, 0,
                              "there is no memory for this lesson");
    }
    if (!number) {
        lesson_destroy(session->own);
        session->own = lesson;
    }
    size_t index = course_find(session->course, name);
    session->number = index < session->course->count ? index + 1 : 0;
    return true;
}

bool session_use_text(Session *session, const char *text) {
    ErrorList errors = {0};
    Lesson *lesson = lesson_load_with_text(session->lesson->file, text, &errors);
    size_t statement = player_statement(&session->player);
    if (!lesson || !show_lesson(session, lesson, session->number)) {
        lesson_destroy(lesson);
        session_say(session, "text.refused", errors.count ? errors.items[0].message : "");
        return false;
    }
    lesson_destroy(session->own);
    session->own = lesson;
    if (statement < player_statement_count(&session->player))
        player_jump(&session->player, player_statement_step(&session->player, statement));
    return true;
}

/* ---- the pointer ---- */

static bool set_hover(Session *session, bool has, Link link) {
    bool changed =
        has != session->has_hover || (has && !link_equal(link, session->hover));
    session->has_hover = has;
    session->hover = link;
    return changed;
}

static bool scrub(Session *session, const Scene *scene, double x) {
    Box bar;
    if (!scene_find(scene, (Link){LINK_TIMELINE, 0, 0, 0}, &bar))
        return false;
    size_t statement = timeline_statement_at(&session->player, bar, x);
    if (statement == player_statement(&session->player))
        return false;
    player_jump(&session->player, player_statement_step(&session->player, statement));
    session->has_pin = false;
    return true;
}

/* Whether a card is whole in view: choosing one that is not would move the page away from
 * under the pointer. */
static bool is_whole(const Scene *scene, Link link) {
    Box box;
    return scene_find(scene, link, &box) && box.y >= 0 && box.y + box.h <= scene->height;
}

bool session_pointer_move(Session *session, const Scene *scene, double x, double y) {
    if (session->help)
        return false;
    if (session->scrubbing)
        return scrub(session, scene, x);
    Link link = scene_hit(scene, x, y);
    if (session->view == SESSION_OVERVIEW)
        return link.kind == LINK_LESSON && is_whole(scene, link) &&
               choose(session, link.index);
    return set_hover(session, link.kind == LINK_CELL, link);
}

bool session_pointer_press(Session *session, const Scene *scene, double x, double y) {
    session->message[0] = 0;
    if (session->help) {
        session->help = false;
        return true;
    }
    Link link = scene_hit(scene, x, y);
    switch (link.kind) {
    case LINK_LESSON:
        return session_open_number(session, link.index);
    case LINK_STEP:
        player_jump(&session->player, link.index);
        session->has_pin = false;
        return true;
    case LINK_TIMELINE:
        session->scrubbing = true;
        return scrub(session, scene, x);
    case LINK_CELL:
    case LINK_SOURCE:
        link.kind = LINK_CELL;
        session->has_pin = !session->has_pin || !link_equal(link, session->pin);
        session->pin = link;
        return true;
    default:
        session->has_pin = false;
        return true;
    }
}

bool session_pointer_release(Session *session) {
    bool was = session->scrubbing;
    session->scrubbing = false;
    return was;
}

SessionRequest session_take_request(Session *session) {
    SessionRequest request = session->request;
    session->request = SESSION_NOTHING;
    return request;
}

void session_say(Session *session, const char *key, const char *argument) {
    const char *pattern = strings_get(&session->course->strings, session->language, key);
    const char *place = strstr(pattern, "{0}");
    if (place)
        snprintf(session->message, sizeof session->message, "%.*s%s%s",
                 (int)(place - pattern), pattern, argument, place + 3);
    else
        snprintf(session->message, sizeof session->message, "%s", pattern);
}

/* ---- drawing ---- */

static void draw_overview(Session *session, Scene *scene, Arena *arena,
                          const TextMetrics *metrics) {
    Overview overview = overview_of(session);
    overview.metrics = metrics;
    overview_draw(scene, arena, &overview);
}

static Canvas canvas_of(const Session *session, Scene *scene,
                        const TextMetrics *metrics) {
    return (Canvas){.scene = scene,
                    .theme = session->theme,
                    .metrics = metrics,
                    .strings = &session->course->strings,
                    .language = session->language,
                    .unit = canvas_unit(scene->width, scene->height)};
}

static void draw_typing(const Session *session, Scene *scene,
                        const TextMetrics *metrics) {
    Canvas canvas = canvas_of(session, scene, metrics);
    help_draw_field(&canvas, session->typed);
}

static void draw_help(const Session *session, Scene *scene, const TextMetrics *metrics) {
    HelpEntry entries[KEY_COUNT];
    for (size_t i = 0; i < KEY_COUNT; i++)
        entries[i] = (HelpEntry){keys[i].shown, keys[i].words};
    Canvas canvas = canvas_of(session, scene, metrics);
    help_draw(&canvas, entries, KEY_COUNT);
}

void session_draw(Session *session, Scene *scene, Arena *arena,
                  const TextMetrics *metrics, double width, double height,
                  bool interactive) {
    session->width = width;
    session->height = height;
    if (session->view == SESSION_OVERVIEW) {
        draw_overview(session, scene, arena, metrics);
    } else {
        bool hovers = interactive && session->has_hover;
        page_draw(scene, arena,
                  &(Page){.player = &session->player,
                          .theme = session->theme,
                          .metrics = metrics,
                          .strings = &session->course->strings,
                          .language = session->language,
                          .width = width,
                          .height = height,
                          .number = strtoul(session->lesson->id, NULL, 10),
                          .view = asked_view(session),
                          .interactive = interactive,
                          .has_focus = hovers || session->has_pin,
                          .focus = hovers ? session->hover : session->pin,
                          .message = interactive && session->message[0] ? session->message
                                                                        : NULL});
    }
    if (!interactive)
        return;
    if (session->help)
        draw_help(session, scene, metrics);
    if (session->typing)
        draw_typing(session, scene, metrics);
}

const char *session_picture_name(const Session *session, Arena *arena) {
    if (session->view == SESSION_OVERVIEW)
        return "glassformer.png";
    size_t row, col;
    const char *path = player_step(&session->player)->path;
    if (player_cell(&session->player, &row, &col))
        return arena_format(arena, "%s-%s-cell-%zu-%zu.png", session->lesson->id, path,
                            row, col);
    return arena_format(arena, "%s-%s.png", session->lesson->id, path);
}

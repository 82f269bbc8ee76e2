#include "modes/modes.h"

#include "actions/actions.h"
#include "lesson/content/changes.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Presenting to a class: the lesson's page in type for the back row, gone through by a
 * clicker, which has no more than Page Down, Page Up and a key for a black screen. It
 * goes on from lesson to lesson, over a slide that says that one ends. */

enum { FROM_FIRST, FROM_HERE };

/* Shows the lesson as its file has it, in the usual view. */
static bool clean(Session *session) {
    static const Variant plain;
    const Mode *const looks[] = {&mode_pin, &mode_pin_rests, &mode_trace, &mode_influence,
                                 &mode_differences};
    Variant variant = variant_of(session->lesson, session->entry);
    session->tensor_view = LESSON_VIEW_NONE;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        mode_leave(session, looks[i]);
    bool took = present_take_changes(session);
    if (variant_is_plain(&variant) || variant.bare)
        return took;
    present_give_changes(session); /* they stay with the text or the switches */
    present_state(session)->took_variant = true;
    opening_variant(session, &plain, VARIANT_NEW);
    return true;
}

/* ---- beginning ---- */

/* Begins at the first step, or at the present one unless the lesson was left at its end.
 */
static bool begin(Session *session, int from) {
    bool first = from == FROM_FIRST;
    session_remember(session);
    *present_state(session) =
        (PresentState){.notes = present_state(session)->notes, .clean = first};
    if (first)
        present_state(session)->before = session->player;
    if (first || lesson_ends(&session->player))
        lesson_go_to_step(session, 0);
    mode_enter(session, &mode_present);
    bool took = first && clean(session);
    questions_ask_again(session, !first);
    session_show_message(session, took ? "present.begins_clean" : "present.begins", NULL,
                         NULL);
    return true;
}

/* Begins; while the lesson is presented as its file has it, shows it with the changes. */
static bool begin_here(Session *session) {
    PresentState *present = present_state(session);
    if (!session_presents(session))
        return begin(session, FROM_HERE);
    present->clean = false;
    if (!present->took_variant)
        return present_give_changes(session);
    present->took_variant = false;
    const Variant *before = variant_before(&session->variants);
    return before && opening_variant(session, before, VARIANT_BACK);
}

/* Makes the changes again that were taken back when presenting began. */
static void end(Session *session) {
    present_give_changes(session);
}

/* ---- going on ---- */

/* Whatever covers the page goes. */
static bool uncover(Session *session) {
    bool was = present_state(session)->screen != PRESENT_PAGE;
    present_state(session)->screen = PRESENT_PAGE;
    return was;
}

/* The lesson after the present one; the course's count for none. */
static size_t next_lesson(const Session *session) {
    Course *course = session->course;
    return session->number ? course_after(course, session->number - 1) : course->count;
}

/* Goes on: from the last step to the slide behind it, from there to the next lesson. */
static bool go_on(Session *session) {
    bool ends = present_state(session)->screen == PRESENT_END;
    size_t next = ends ? next_lesson(session) : 0;
    if (next == session->course->count)
        return false;
    if (uncover(session))
        return ends ? session_open_number(session, next) : true;
    if (!lesson_step_within(session))
        present_state(session)->screen = PRESENT_END;
    return true;
}

/* Goes back: from the first step to the slide behind the lesson before. */
static bool go_back(Session *session) {
    return uncover(session) || lesson_step_back(session);
}

/* ---- what is laid over the page ---- */

static bool cover(Session *session, int screen) {
    bool was = (int)present_state(session)->screen == screen;
    present_state(session)->screen = was ? PRESENT_PAGE : (PresentScreen)screen;
    return true;
}

/* First a spotlight, then a dot, then neither. */
static bool turn_light(Session *session) {
    PresentState *present = present_state(session);
    bool dots = present->spotlight;
    present->spotlight = !present->spotlight && !present->points;
    present->points = dots;
    return true;
}

/* Returns to where F5 was pressed, if presenting hasn't gone on from the first step. */
static void restore_place(Session *session) {
    const Player *before = &present_state(session)->before;
    if (before->lesson == session->lesson && session->player.step == 0)
        session->player = *before;
}

static bool end_presenting(Session *session) {
    const Variant *before = variant_before(&session->variants);
    bool took = present_state(session)->took_variant && before;
    present_state(session)->took_variant = false;
    mode_leave(session, &mode_present);
    restore_place(session);
    if (took)
        opening_variant(session, before, VARIANT_BACK);
    return true;
}

/* Spotlight and pointer, or a tensor by itself, go before the presenting does. */
static bool leave(Session *session) {
    bool lit = present_state(session)->spotlight || present_state(session)->points;
    present_state(session)->spotlight = present_state(session)->points = false;
    return mode_leave(session, &mode_lens) || lit || end_presenting(session);
}

/* Where the class would see the notes, too, a menu asks first. */
static bool turn_notes(Session *session) {
    const PresentState *present = present_state(session);
    if (present->notes == SESSION_NOTES_SHARED && !present->notes_turned)
        menu_ask(session);
    else
        session_turn_notes(session);
    return true;
}

/* Begins at the present step and shows the notes. */
static bool begin_with_notes(Session *session) {
    begin(session, FROM_HERE);
    return present_state(session)->notes == SESSION_NOTES_APART || turn_notes(session);
}

static bool show_notes(Session *session) {
    session_turn_notes(session);
    return true;
}

static const char *why_presents(const Session *session) {
    const PresentState *present = present_state(session);
    bool took = present->changes || present->took_variant;
    return session_presents(session) && !took ? "action.why.presents" : NULL;
}

static const char *why_presents_already(const Session *session) {
    return session_presents(session) ? "action.why.presents" : NULL;
}

static bool begin_first(Session *session) {
    return !session_presents(session) && begin(session, FROM_FIRST);
}

static const Action beginning[] = {
    {"present", "F5", "F5   Shift+F5", .act = begin_first, .why_not = why_presents,
     .traits = ACTION_MORE},
    {"present_here", "Shift+F5", .act = begin_here, .why_not = why_presents,
     .traits = ACTION_ON_STEP | ACTION_QUIET},
    {"present_notes", .act = begin_with_notes, .why_not = why_presents_already,
     .traits = ACTION_MORE},
};

const ActionGroup actions_present = ACTION_GROUP(&mode_lesson, beginning);

static const Action presenting[] = {
    {"present_on", "PageDown|Right|Space|Return", .act = go_on, .traits = ACTION_OF_KEYS},
    {"present_back", "PageUp|Left", .act = go_back, .traits = ACTION_OF_KEYS},
    {"black_screen", "B|.", "B   W", .act_by = cover, .by = PRESENT_BLACK,
     .traits = ACTION_ON_STEP},
    {"white_screen", "W", .act_by = cover, .by = PRESENT_WHITE, .traits = ACTION_ON_STEP},
    {"spotlight", "F", "F", .act = turn_light, .traits = ACTION_ON_STEP},
    {"notes_window", "S", "S", .act = turn_notes, .traits = ACTION_ON_STEP},
    {"notes_here", .act = show_notes, .traits = ACTION_OF_KEYS | ACTION_ASKED},
    {"end_presenting", "F5", .act = end_presenting,
     .traits = ACTION_OF_KEYS | ACTION_ON_STEP},
    {"leave_presenting", "Escape", .act = leave,
     .traits = ACTION_OF_KEYS | ACTION_ON_STEP},
};

const ActionGroup actions_presenting = ACTION_GROUP(&mode_present, presenting);

/* ---- before other modes ---- */

static bool is_covering_key(const char *key) {
    size_t number = action_of_key(&mode_present, key);
    return number < action_count() && action_at(number)->act_by == cover;
}

/* Reports whether a clicker sends a key that isn't part of a text. */
static bool is_clicker_key(const Session *session, const char *key) {
    static const char *const keys[] = {"PageDown", "PageUp", "F5", "Shift+F5"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcasecmp(key, keys[i]) == 0)
            return true;
    }
    return is_covering_key(key) && !mode_writing(session);
}

/* Closes menus, panels and fields over the page; an exercise stays, and the help, which
 * has pages of its own. */
static void close_overlays(Session *session) {
    for (size_t i = session->mode_count; i > 0; i--) {
        const Mode *mode = session->modes[i - 1];
        if (mode->closed && mode->overlays && mode != &mode_practise &&
            mode != &mode_help)
            mode_leave(session, mode);
    }
}

bool present_takes_key(Session *session, const char *key) {
    PresentScreen screen = present_state(session)->screen;
    if (!session_presents(session))
        return false;
    if ((screen == PRESENT_BLACK || screen == PRESENT_WHITE) && !is_covering_key(key))
        return uncover(session);
    if (is_clicker_key(session, key))
        close_overlays(session);
    return false;
}

/* ---- the pointer ---- */

static bool move(Session *session, const Scene *scene, double x, double y) {
    PresentState *present = present_state(session);
    present->at = (Point){x, y};
    present->has_at = x >= 0 && y >= 0;
    bool follows = present->points || present->spotlight || present->held;
    bool hovers =
        present->screen == PRESENT_PAGE && mode_lesson.move(session, scene, x, y);
    return follows || hovers;
}

/* A click on what covers the page is one on a clicker. */
static ModeAnswer press(Session *session, Link link) {
    (void)link;
    if (present_state(session)->screen == PRESENT_PAGE)
        return MODE_PASSES;
    return go_on(session) ? MODE_CHANGES : MODE_TAKES;
}

/* ---- what is shown ---- */

static void show(Session *session, Page *page, Arena *arena) {
    (void)session, (void)arena;
    page->presents = true;
    page->bar = NULL;
    page->note = NULL;
}

static const char *next_title(const Session *session, Arena *arena) {
    if (!session->number)
        return NULL;
    size_t next = next_lesson(session);
    if (next == session->course->count)
        return session_words(session, "present.course_ends");
    const char *title = course_title(session->course, next, session->language);
    return language_sentence(session->language, "present.next_lesson", 1, &title, arena);
}

static void draw(Session *session, const Canvas *canvas) {
    const PresentState *present = present_state(session);
    switch (present->screen) {
    case PRESENT_BLACK:
    case PRESENT_WHITE:
        presenter_blank(canvas, present->screen == PRESENT_WHITE);
        return;
    case PRESENT_END:
        presenter_end(canvas, canvas_string(canvas, "present.lesson_ends"),
                      next_title(session, canvas->scene->arena));
        break;
    case PRESENT_PAGE:
        break;
    }
    Point middle = {session->width / 2, session->height / 2};
    Point at = present->has_at ? present->at : middle;
    if (present->spotlight || present->held)
        presenter_spotlight(canvas, at);
    if (present->points)
        presenter_pointer(canvas, at);
}

const Mode mode_present = {.name = "present",
                           .state_size = sizeof(PresentState),
                           .missing = "action.why.not_presenting",
                           .press = press,
                           .move = move,
                           .show = show,
                           .draw = draw,
                           .leave = end};

/* ---- the lecturer's own page ---- */

static const char *covered_by(const Session *session) {
    static const char *const keys[] = {[PRESENT_BLACK] = "present.black",
                                       [PRESENT_WHITE] = "present.white",
                                       [PRESENT_END] = "present.lesson_ends"};
    PresentScreen screen = present_state(session)->screen;
    return screen == PRESENT_PAGE ? NULL : session_words(session, keys[screen]);
}

/* The lecturer's notes, drawn under the guard of the scene's arena. */
typedef struct NotesDrawing {
    Session *session;
    Scene *scene;
    const TextMetrics *metrics;
    SessionClock clock;
} NotesDrawing;

static void draw_notes_guarded(void *context) {
    const NotesDrawing *this = context;
    Session *session = this->session;
    Arena *arena = this->scene->arena;
    Page shown = lesson_page(session, this->metrics, arena);
    Player player = session->player;
    Page next = {.player = &player,
                 .theme = shown.theme,
                 .metrics = this->metrics,
                 .language = shown.language,
                 .width = shown.width,
                 .height = shown.height,
                 .text_scale = shown.text_scale,
                 .presents = true,
                 .number = shown.number,
                 .needs = shown.needs};
    shown.moment = (PaceMoment){0};
    shown.presents = true;
    bool goes_on = player_move(&player, PLAYER_RIGHT);
    notes_page_draw(this->scene,
                    &(NotesPage){.shown = &shown,
                                 .next = goes_on ? &next : NULL,
                                 .after = next_title(session, arena),
                                 .state = covered_by(session),
                                 .elapsed = present_state(session)->elapsed / 1000,
                                 .hour = this->clock.hour,
                                 .minute = this->clock.minute});
}

void session_draw_notes(Session *session, Scene *scene, Arena *arena,
                        const TextMetrics *metrics, SessionClock clock, double width,
                        double height) {
    scene_init(scene, arena, width, height, session->theme->page);
    arena_guard(arena, draw_notes_guarded,
                &(NotesDrawing){session, scene, metrics, clock});
}

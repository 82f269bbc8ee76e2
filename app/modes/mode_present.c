#include "modes/modes.h"

#include "actions/actions.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"

/* Presenting to a class: the lesson's page in type for the back row, gone through by a
 * clicker, which has no more than Page Down, Page Up and a key for a black screen. It
 * goes on from lesson to lesson, over a slide that says that one ends. */

enum { FROM_FIRST, FROM_HERE };

/* Begins at the first step, or at the present one unless the lesson was left at its end.
 */
static bool begin(Session *session, int from) {
    *present_state(session) = (PresentState){.one_screen =
                                                 present_state(session)->one_screen};
    if (from == FROM_FIRST || lesson_ends(&session->player))
        lesson_go_to_step(session, 0);
    mode_enter(session, &mode_present);
    questions_ask_again(session);
    session_show_message(session, "present.begins", NULL, NULL);
    return true;
}

/* ---- going on ---- */

/* Whatever covers the page goes. */
static bool uncover(Session *session) {
    bool was = present_state(session)->screen != PRESENT_PAGE;
    present_state(session)->screen = PRESENT_PAGE;
    return was;
}

static bool has_next_lesson(const Session *session) {
    return session->number && session->number < session->course->count;
}

/* Goes on: from the last step to the slide behind it, from there to the next lesson. */
static bool go_on(Session *session) {
    bool ends = present_state(session)->screen == PRESENT_END;
    if (ends && !has_next_lesson(session))
        return false;
    if (uncover(session))
        return ends ? session_open_number(session, session->number) : true;
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

static bool toggle_spotlight(Session *session) {
    present_state(session)->spotlight = !present_state(session)->spotlight;
    return true;
}

/* Spotlight and pointer, or a tensor by itself, go before the presenting does. */
static bool leave(Session *session) {
    bool lit = present_state(session)->spotlight || present_state(session)->points;
    present_state(session)->spotlight = present_state(session)->points = false;
    return mode_leave(session, &mode_lens) || lit || mode_leave(session, &mode_present);
}

static bool toggle_pointer(Session *session) {
    present_state(session)->points = !present_state(session)->points;
    return true;
}

/* Where the class would see the notes, too, a menu asks first. */
static bool turn_notes(Session *session) {
    const PresentState *present = present_state(session);
    if (present->one_screen && !present->notes_turned)
        menu_ask(session);
    else
        session_turn_notes(session);
    return true;
}

static bool show_notes(Session *session) {
    session_turn_notes(session);
    return true;
}

static const char *why_presents(const Session *session, int from) {
    (void)from;
    return session_presents(session) ? "action.why.presents" : NULL;
}

static const Action beginning[] = {
    {"present", "F5", "F5   Shift+F5", .act_by = begin, .by = FROM_FIRST,
     .why_not_by = why_presents, .traits = ACTION_TOOL(TOOL_PRESENT)},
    {"present_here", "Shift+F5", .act_by = begin, .by = FROM_HERE,
     .why_not_by = why_presents, .traits = ACTION_ON_STEP | ACTION_QUIET},
};

const ActionGroup actions_present = ACTION_GROUP(&mode_lesson, beginning);

static const Action presenting[] = {
    {"present_on", "PageDown|Right|Space|Return", .act = go_on, .traits = ACTION_OF_KEYS},
    {"present_back", "PageUp|Left", .act = go_back, .traits = ACTION_OF_KEYS},
    {"black_screen", "B|.", "B   .   W   ,", .act_by = cover, .by = PRESENT_BLACK,
     .traits = ACTION_ON_STEP},
    {"white_screen", "W|,", .act_by = cover, .by = PRESENT_WHITE,
     .traits = ACTION_ON_STEP},
    {"spotlight", "F", "F   J", .act = toggle_spotlight, .traits = ACTION_ON_STEP},
    {"point_with_dot", "J", .act = toggle_pointer, .traits = ACTION_ON_STEP},
    {"notes_window", .act = turn_notes, .traits = ACTION_ON_STEP},
    {"notes_here", .act = show_notes, .traits = ACTION_OF_KEYS | ACTION_ASKED},
    {"end_presenting", "F5", .traits = ACTION_OF_KEYS | ACTION_ON_STEP},
    {"leave_presenting", "Escape", .act = leave,
     .traits = ACTION_OF_KEYS | ACTION_ON_STEP},
};

const ActionGroup actions_presenting = ACTION_GROUP(&mode_present, presenting);

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
    if (!has_next_lesson(session))
        return session_words(session, "present.course_ends");
    const char *title = course_title(session->course, session->number, session->language);
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
                           .draw = draw};

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

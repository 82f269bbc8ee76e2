#include "session/session_actions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A lesson that is there within so many milliseconds never shows that it was opened. */
static const double SHORT_WAIT = 30;

void session_init(Session *session, Course *course) {
    *session = (Session){.course = course,
                         .language = course->language,
                         .theme = &course->themes.items[0],
                         .width = 1600,
                         .height = 900,
                         .play = {.speed = PACE_NORMAL}};
    session->items = arena_alloc(course->arena, course->count, sizeof *session->items);
    session->item_count = session->items ? course->count : 0;
}

void session_abandon_opening(Session *session) {
    if (!session->opening.loader)
        return;
    loader_abandon(session->opening.loader);
    if (!session->opening.with_text)
        session->opening.entry->tried = false;
    session->opening = (SessionOpening){0};
}

void session_finish(Session *session) {
    session_abandon_opening(session);
    finish_following(session);
    leave_influence(session);
    leave_practise(session);
    course_lesson_finish(&session->file);
    session->lesson = NULL;
}

void session_open_in_background(Session *session, LoaderWatch watch) {
    session->in_background = true;
    session->watch = watch;
}

bool session_is_opening(const Session *session) {
    return session->opening.loader != NULL;
}

void session_tell_opening(Session *session) {
    session->opening.told = session_is_opening(session);
}

/* ---- showing a lesson that is there ---- */

SessionArrival arrive_first(void) {
    return (SessionArrival){.statement = PLAYER_NONE, .depth = 1};
}

static size_t number_of(const Session *session, const CourseLesson *entry) {
    return entry == &session->file ? 0 : (size_t)(entry - session->course->lessons) + 1;
}

/* Goes to the step of the tensor that the arrival names. */
static bool arrive_at_name(Player *player, const SessionArrival *arrival) {
    for (size_t i = 0; arrival->name[0] && i < player->step_count; i++) {
        const PlayerStep *step = &player->steps[i];
        if (strcmp(step->name, arrival->name) != 0)
            continue;
        player_jump(player, i);
        const Tensor *tensor = &tape_node(player->lesson->tape, step->node)->output;
        if (player_has_cells(player, i) && arrival->cell < tensor_cells(tensor))
            player->cell = arrival->cell;
        return true;
    }
    return false;
}

/* Ends all that was going on with the lesson shown. The panel of switches stays while
 * the lesson is only read anew. */
static void leave_lesson(Session *session, const CourseLesson *next) {
    end_motion(session);
    forget_way(session);
    leave_influence(session);
    leave_practise(session);
    session->switching &= session->entry == next;
}

/* False, and no change, when there is nothing in the lesson to arrive at. */
static bool show_entry(Session *session, CourseLesson *entry, SessionArrival arrival) {
    bool own = entry->own && !arrival.plain;
    Player player = own ? entry->own_player : entry->player;
    if (arrive_at_name(&player, &arrival))
        ; /* there */
    else if (arrival.statement < player_statement_count(&player))
        player_jump(&player, player_statement_step(&player, arrival.statement));
    else if (!player_enter(&player, arrival.depth, arrival.cells, arrival.last))
        return false;
    leave_lesson(session, entry);
    session->entry = entry;
    session->lesson = player.lesson;
    session->number = number_of(session, entry);
    session->player = player;
    session->view = SESSION_LESSON;
    session->choosing = false;
    session->tensor_view = LESSON_VIEW_NONE;
    session->has_pin = session->has_hover = session->help = false;
    if (arrival.plain) {
        lesson_destroy(entry->own);
        entry->own = NULL;
    }
    return true;
}

/* ---- opening one that isn't ---- */

/* Says why a text can't be used: by the word that is unknown, where it is that. */
static void refuse_text(Session *session, const ErrorList *errors) {
    const char *why = errors->count ? errors->items[0].message : "";
    session_say(session, session->opening.switched ? "switch.refused" : "text.refused",
                why, NULL);
}

static bool take_text(Session *session, Lesson *lesson, Player player,
                      SessionArrival arrival, const ErrorList *errors) {
    CourseLesson *entry = session->opening.entry;
    if (!lesson) {
        refuse_text(session, errors);
        return false;
    }
    Lesson *before = entry->own;
    entry->own = lesson;
    entry->own_player = player;
    bool shown = show_entry(session, entry, arrival);
    if (session->lesson == before && before) { /* not shown, and soon gone */
        session->lesson = lesson;
        forget_way(session);
        leave_influence(session);
    }
    lesson_destroy(before);
    return shown;
}

/* Shows what the loader has read. */
static bool finish_opening(Session *session, ErrorList *errors) {
    SessionOpening *opening = &session->opening;
    CourseLesson *entry = opening->entry;
    SessionArrival arrival = opening->arrival;
    Player player;
    errors->file = entry->path;
    Lesson *lesson = loader_take(opening->loader, &player, errors);
    opening->loader = NULL;
    opening->told = false;
    if (opening->with_text)
        return take_text(session, lesson, player, arrival, errors);
    entry->lesson = lesson;
    entry->player = player;
    if (lesson && show_entry(session, entry, arrival))
        return true;
    session_say(session, lesson ? "overview.no_cells" : "overview.broken", NULL, NULL);
    return false;
}

bool open_entry(Session *session, CourseLesson *entry, SessionArrival arrival,
                const LessonOptions *options, ErrorList *errors) {
    if (!options && (entry->lesson || (entry->own && !arrival.plain)))
        return show_entry(session, entry, arrival);
    if (!options && entry->tried) {
        session_say(session, "overview.broken", NULL, NULL);
        return false;
    }
    session_abandon_opening(session);
    LoaderWatch nobody = {0};
    Loader *loader = loader_start(entry->path, options,
                                  session->in_background ? session->watch : nobody);
    if (!loader)
        return error_list_add(errors, ERROR_MEMORY, 0, 0,
                              "there is no memory for this lesson");
    session->opening = (SessionOpening){.loader = loader,
                                        .entry = entry,
                                        .arrival = arrival,
                                        .with_text = options != NULL,
                                        .switched = options && options->switches};
    entry->tried |= !options; /* so that the overview doesn't read it as well */
    if (session->in_background && !loader_wait(loader, SHORT_WAIT))
        return true;
    return finish_opening(session, errors);
}

bool session_open_number(Session *session, size_t index) {
    ErrorList errors = {0};
    return index < session->course->count &&
           open_entry(session, &session->course->lessons[index], arrive_first(), NULL,
                      &errors);
}

/* Opens the lesson of a path. */
static bool open_file(Session *session, const char *name, ErrorList *errors) {
    Course *course = session->course;
    CourseLesson before = session->file;
    size_t length = strlen(name);
    const char *path = arena_copy(course->arena, name, length);
    if (!path)
        return error_list_add(errors, ERROR_MEMORY, 0, 0,
                              "there is no memory for this lesson");
    session->file = (CourseLesson){.path = path};
    LessonOptions options = {.text = course->text};
    if (!open_entry(session, &session->file, arrive_first(),
                    course->text ? &options : NULL, errors)) {
        session->file = before;
        return false;
    }
    course_lesson_finish(&before);
    return true;
}

bool session_open(Session *session, const char *name, ErrorList *errors) {
    Course *course = session->course;
    size_t index = course_find(course, name);
    CourseLesson *entry = index < course->count ? &course->lessons[index] : NULL;
    if (!entry && !course_is_path(name)) {
        course_explain_unknown(course, name, errors);
        return false;
    }
    LessonOptions options = {.text = course->text};
    bool open = entry ? open_entry(session, entry, arrive_first(),
                                   course->text ? &options : NULL, errors)
                      : open_file(session, name, errors);
    if (open && !session->lesson)
        session->view = SESSION_OPENING;
    return open;
}

bool session_use_text(Session *session, const char *text) {
    ErrorList errors = {0};
    CourseLesson *entry = session->entry;
    SessionArrival arrival = {.statement = player_statement(&session->player)};
    LessonOptions options = {.text = text};
    if (text && is_switched(session))
        options.switches = &session->lesson->switches;
    arrival.plain = !text;
    return (text || entry->own) &&
           open_entry(session, entry, arrival, text ? &options : NULL, &errors);
}

static bool has_switches(const LessonSwitches *switches) {
    return switches->heads || switches->norm || switches->mask ||
           switches->temperature > 0;
}

bool session_use_switches(Session *session, const LessonSwitches *switches) {
    ErrorList errors = {0};
    const Lesson *lesson = session->lesson;
    const char *text = lesson == session->entry->own ? lesson->own_text : NULL;
    SessionArrival arrival = {.statement = player_statement(&session->player),
                              .cell = session->player.cell};
    snprintf(arrival.name, sizeof arrival.name, "%s",
             player_step(&session->player)->name);
    LessonOptions options = {.text = text};
    options.switches = switches;
    arrival.plain = !text && !has_switches(switches) && session->entry->lesson;
    return open_entry(session, session->entry, arrival, arrival.plain ? NULL : &options,
                      &errors);
}

/* What was pressed while the lesson was being read. */
static void press_kept(Session *session, const SessionOpening *opening) {
    for (size_t i = 0; i < opening->kept_count && session->request != SESSION_QUIT; i++)
        session_key(session, opening->kept[i]);
}

bool session_poll(Session *session, ErrorList *errors) {
    if (!session->opening.loader || !loader_wait(session->opening.loader, 0))
        return false;
    bool had_nothing = session->view == SESSION_OPENING;
    bool shown = finish_opening(session, errors);
    SessionOpening opening = session->opening;
    session->opening = (SessionOpening){0};
    if (shown)
        press_kept(session, &opening);
    else if (had_nothing)
        session->request = SESSION_QUIT;
    return true;
}

/* ---- what it says ---- */

SessionRequest session_take_request(Session *session) {
    SessionRequest request = session->request;
    session->request = SESSION_NOTHING;
    return request;
}

void session_say(Session *session, const char *key, const char *first,
                 const char *second) {
    const char *at = language_words(session->language, key);
    const char *const arguments[] = {first ? first : "", second ? second : ""};
    size_t used = 0;
    session->message[0] = 0;
    while (*at && used + 1 < sizeof session->message) {
        bool place = at[0] == '{' && (at[1] == '0' || at[1] == '1') && at[2] == '}';
        int length = place ? -1 : (int)(1 + strcspn(at + 1, "{"));
        int written = snprintf(session->message + used, sizeof session->message - used,
                               "%.*s", length, place ? arguments[at[1] - '0'] : at);
        used += written > 0 ? (size_t)written : 0;
        at += place ? 3 : length;
    }
}

const char *session_picture_name(const Session *session, Arena *arena) {
    if (session->view != SESSION_LESSON)
        return "glassformer.png";
    size_t row, col;
    const char *path = player_step(&session->player)->path;
    if (player_cell(&session->player, &row, &col))
        return arena_format(arena, "%s-%s-cell-%zu-%zu.png", session->lesson->id, path,
                            row, col);
    return arena_format(arena, "%s-%s.png", session->lesson->id, path);
}

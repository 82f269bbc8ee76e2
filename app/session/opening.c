#include "session/state.h"

#include "lesson/content/changes.h"
#include "lesson/content/lesson.h"
#include "picture/overlays/overlays.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <string.h>

/* Opening lessons, at once or in the background; while one is being read that is a mode
 * of its own. */

/* A lesson that is there within so many milliseconds never shows that it was opened. */
static const double SHORT_WAIT = 30;
static const double SAID_LONG = 2500; /* milliseconds */

enum { DRAFT_MAX_MEMORY = 64 << 20 };

/* ---- showing a lesson that is there ---- */

static Arrival at_first(bool remembered) {
    return (Arrival){.cell = PLAYER_NONE,
                     .statement = PLAYER_NONE,
                     .depth = 1,
                     .remembered = remembered};
}

/* The step that the arrival names: by its path and the name it has, by its name alone
 * where that has moved, by its path where no name is asked for; or PLAYER_NONE. */
static size_t find_step(const Player *player, const Arrival *arrival) {
    size_t named = PLAYER_NONE;
    for (size_t i = player->step_count; i > 0; i--) {
        const PlayerStep *step = &player->steps[i - 1];
        bool at = arrival->path[0] && strcmp(step->path, arrival->path) == 0;
        bool is = arrival->name[0] && strcmp(step->name, arrival->name) == 0;
        if (at && (is || !arrival->name[0]))
            return i - 1;
        if (is)
            named = i - 1;
    }
    return named;
}

static bool arrive_at_step(Player *player, const Arrival *arrival) {
    size_t step = find_step(player, arrival);
    if (step == PLAYER_NONE)
        return false;
    player_jump(player, step);
    size_t node = player->steps[step].node;
    const Tensor *tensor = &tape_node(player->lesson->tape, node)->output;
    if (player_has_cells(player, step) && arrival->cell < tensor_cells(tensor))
        player->cell = arrival->cell;
    return true;
}

/* False, and no change, when there is nothing in the lesson to arrive at. */
static bool arrive(Player *player, const Arrival *arrival) {
    size_t last = player_statement_count(player) - 1;
    if (arrive_at_step(player, arrival))
        return true;
    if (arrival->statement == PLAYER_NONE)
        return player_enter(player, arrival->depth, arrival->cells, arrival->last);
    size_t statement = arrival->statement < last ? arrival->statement : last;
    player_jump(player, player_statement_step(player, statement));
    return true;
}

/* All that went on with the lesson before ends here, before that may go. */
static bool show_entry(Session *session, CourseLesson *entry, const Arrival *arrival) {
    bool own = entry->own && !arrival->plain;
    Player player = own ? entry->own_player : entry->player;
    if (!arrive(&player, arrival))
        return false;
    bool presents = session_presents(session); /* from lesson to lesson */
    bool noted = arrival->follows && returns_note(session);
    if (!noted && !arrival->returns && entry != session->entry)
        returns_forget(session);
    if (presents && arrival->remembered && lesson_ends(&player))
        player_jump(&player, 0);
    mode_begin(session, &mode_lesson);
    if (presents) {
        mode_enter(session, &mode_present);
        present_state(session)->screen = arrival->last ? PRESENT_END : PRESENT_PAGE;
    }
    if (arrival->moves == VARIANT_NEW && entry->lesson)
        changes_forget_undone(entry->lesson->changes);
    session->entry = entry;
    session->lesson = player.lesson;
    session->number = location_number(session, entry);
    session->player = player;
    session->tensor_view = LESSON_VIEW_NONE;
    if (arrival->plain) {
        lesson_destroy(entry->own);
        entry->own = NULL;
    }
    Variant variant = variant_of(session->lesson, entry);
    variant_note(&session->variants, entry, &variant, arrival->moves);
    if (arrival->compares)
        mode_enter(session, &mode_differences);
    if (arrival->panel)
        mode_enter(session, &mode_switches);
    entry->shown = true;
    reload_watch(session);
    remember_opened(session);
    session->watched.carried = 0;
    if (arrival->carries)
        reload_change_again(session);
    if (arrival->draft)
        remember_changes(session, arrival->changes[0] ? arrival->changes : NULL);
    if (presents && present_state(session)->clean)
        present_take_changes(session);
    if (arrival->act)
        action_do(session, action_number(arrival->act));
    quiz_state(session)->on = false;
    if (arrival->begins)
        arrival->begins->arrive(session);
    if (lesson_unlabelled(session->lesson))
        session_show_message(session, "reload.unlabelled", NULL, NULL);
    if (noted)
        returns_arrive(session);
    return true;
}

/* ---- opening one that isn't ---- */

/* Takes a variant over, in place of the one before. */
static bool take_variant(Session *session, CourseLesson *entry, Lesson *lesson,
                         const Player *player) {
    session_remember(session);
    Lesson *before = entry->own;
    Player before_player = entry->own_player;
    entry->own = lesson;
    entry->own_player = *player;
    bool shown = show_entry(session, entry, &session->opening.arrival);
    if (!shown) {
        entry->own = before;
        entry->own_player = before_player;
    }
    lesson_destroy(shown ? before : lesson);
    return shown;
}

/* Replaces the shown lesson by the one read again; if that is NULL, shows the errors over
 * it. */
static bool take_reloaded(Session *session, Lesson *lesson, const Player *player,
                          const ErrorList *errors) {
    CourseLesson *entry = session->entry, before = *entry;
    FileStamp read = session->watched.read;
    Variant variant = variant_of(session->lesson, entry);
    bool own = !variant_is_plain(&variant);
    session_remember(session);
    if (!lesson) {
        reload_report(session, entry->path, errors);
        return false;
    }
    entry->lesson = own ? NULL : lesson;
    entry->own = own ? lesson : NULL;
    *(own ? &entry->own_player : &entry->player) = *player;
    entry->tried = !own; /* else it is read when all is taken back */
    bool practised = mode_on(session, &mode_practise);
    if (!show_entry(session, entry, &session->opening.arrival)) {
        *entry = before;
        lesson_destroy(lesson);
        return false;
    }
    session->watched.read = read;
    course_lesson_finish(&before);
    if (lesson_unlabelled(lesson))
        return true;
    session_show_message(session, practised ? "reload.practised" : "reload.again", NULL,
                         NULL);
    session->message_left = practised ? 0 : SAID_LONG;
    return true;
}

static bool begin(Session *session, CourseLesson *entry, Arrival arrival,
                  const LessonOptions *options, ErrorList *errors);

bool opening_finish(Session *session, ErrorList *errors) {
    Opening *opening = &session->opening;
    CourseLesson *entry = opening->entry;
    Player player;
    errors->file = entry->path;
    Lesson *lesson = loader_take(opening->loader, &player, errors);
    opening->loader = NULL;
    mode_leave(session, &mode_opening);
    if (opening->arrival.reloads)
        return take_reloaded(session, lesson, &player, errors);
    course_note_missing(session->course, entry->path, errors->items, errors->count);
    if (!lesson && opening->modified && opening->arrival.changes[0]) {
        Arrival own = opening->arrival; /* the link's changes can't be made */
        own.changes[0] = 0;
        own.moves = VARIANT_STAYS;
        errors->count = 0;
        return opening_begin(session, entry, own, NULL, errors);
    }
    if (!lesson && opening->arrival.draft && opening->modified) {
        Arrival plain = opening->arrival; /* the file is another by now */
        plain.draft = false;
        errors->count = 0;
        return begin(session, entry, plain, NULL, errors);
    }
    if (!lesson && opening->modified) {
        const char *why = errors->count ? errors->items[0].message : "";
        bool longer =
            !opening->switched && errors->count && errors->items[0].code == ERROR_LIMIT;
        session_show_message(session,
                             opening->switched ? "switch.refused"
                             : longer          ? "text.too_long"
                                               : "text.refused",
                             why, NULL);
        return false;
    }
    if (opening->modified)
        return take_variant(session, entry, lesson, &player);
    entry->lesson = lesson;
    entry->player = player;
    if (lesson && show_entry(session, entry, &opening->arrival))
        return true;
    if (!lesson && !mode_on(session, &mode_nothing))
        reload_report(session, entry->path, errors);
    session_show_message(session, lesson ? "home.no_cells" : "home.broken", NULL, NULL);
    return false;
}

static bool begin(Session *session, CourseLesson *entry, Arrival arrival,
                  const LessonOptions *options, ErrorList *errors) {
    if (!options && (entry->lesson || (entry->own && !arrival.plain)))
        return show_entry(session, entry, &arrival);
    if (!options && entry->tried) {
        session_show_message(session, "home.broken", NULL, NULL);
        return false;
    }
    session_abandon_opening(session);
    LoaderWatch nobody = {0};
    LessonOptions with_work = options ? *options : (LessonOptions){0};
    with_work.work = session->course->work;
    Loader *loader = loader_start(entry->path, &with_work,
                                  session->in_background ? session->watch : nobody);
    if (!loader)
        return error_list_add(errors, ERROR_MEMORY, 0, 0,
                              "there is no memory for this lesson");
    session->opening = (Opening){.loader = loader,
                                 .entry = entry,
                                 .arrival = arrival,
                                 .modified = options != NULL,
                                 .switched = options && options->switches};
    entry->tried |= !options; /* so that home doesn't read it as well */
    mode_enter(session, &mode_opening);
    if (session->in_background && !loader_wait(loader, SHORT_WAIT))
        return true;
    return opening_finish(session, errors);
}

static LessonOptions options_of(const Variant *variant) {
    LessonOptions options = {.text = variant->text, .bare = variant->bare};
    if (variant_is_switched(variant))
        options.switches = &variant->switches;
    return options;
}

/* Opens a lesson as it was left: at its last position, with its changes. A lesson that
 * was already shown keeps its changes, except those of a visit that ends. */
bool opening_begin(Session *session, CourseLesson *entry, Arrival arrival,
                   const LessonOptions *options, ErrorList *errors) {
    bool linked = arrival.changes[0];
    if ((!session->memory && !linked) || options || arrival.plain)
        return begin(session, entry, arrival, options, errors);
    if (arrival.remembered && session->memory)
        remember_place(session, entry, &arrival);
    bool own = session->memory &&
               (!entry->shown || (!linked && remember_ends_visit(session, entry)));
    Arena *arena = linked || own ? arena_create(DRAFT_MAX_MEMORY) : NULL;
    MemoryDraft noted = {0};
    ChangesDraft draft;
    LessonOptions as_left;
    Variant variant = {0};
    linked = linked && arena && changes_draft_read(&draft, arrival.changes, arena);
    arrival.draft =
        linked || (own && arena && remember_draft(session, entry, arena, &noted, &draft));
    if (!linked)
        arrival.changes[0] = 0;
    if (linked)
        noted.modified =
            !variant_is_plain(&(Variant){.text = draft.text, .switches = draft.switches});
    if (arrival.draft && noted.modified) {
        variant =
            (Variant){.text = draft.text, .switches = draft.switches, .bare = noted.bare};
        as_left = options_of(&variant);
        options = &as_left;
        arrival.moves = VARIANT_NEW;
    } else if (arrival.draft && entry->own) {
        arrival.plain = true; /* a text of before isn't the draft's */
        arrival.moves = VARIANT_NEW;
    }
    bool begun = begin(session, entry, arrival, options, errors);
    arena_destroy(arena);
    return begun;
}

bool opening_variant(Session *session, const Variant *variant, VariantMove move) {
    ErrorList errors = {0};
    bool plain = variant_is_plain(variant);
    LessonOptions options = options_of(variant);
    bool leads_back = plain && move == VARIANT_BACK; /* it has its own changes still */
    Arrival arrival = {.cell = session->player.cell,
                       .statement = player_statement(&session->player),
                       .plain = plain,
                       .moves = move,
                       .carries = !variant->bare && !leads_back,
                       .panel = mode_on(session, &mode_switches),
                       .begins = mode_on(session, &mode_tour) ? &mode_tour : NULL,
                       .compares = mode_on(session, &mode_differences)};
    const PlayerStep *step = player_step(&session->player);
    snprintf(arrival.name, sizeof arrival.name, "%s", step->name);
    if (step->name[0]) /* of several steps that show this tensor, the present one */
        snprintf(arrival.path, sizeof arrival.path, "%s", step->path);
    reload_note_changes(session);
    return opening_begin(session, session->entry, arrival, plain ? NULL : &options,
                         &errors);
}

static bool open_number(Session *session, size_t index, Arrival arrival) {
    ErrorList errors = {0};
    return index < session->course->all &&
           opening_begin(session, &session->course->lessons[index], arrival, NULL,
                         &errors);
}

bool session_open_number(Session *session, size_t index) {
    return open_number(session, index, at_first(true));
}

bool opening_number(Session *session, size_t index, Arrival arrival) {
    arrival.cell = PLAYER_NONE;
    arrival.depth = 1;
    return open_number(session, index, arrival) || session->message[0];
}

bool opening_at(Session *session, size_t index, const char *tensor) {
    Arrival arrival = at_first(false);
    snprintf(arrival.name, sizeof arrival.name, "%s", tensor);
    return open_number(session, index, arrival);
}

bool opening_follow(Session *session, size_t index, const char *tensor) {
    Arrival arrival = at_first(!tensor);
    arrival.follows = true;
    snprintf(arrival.name, sizeof arrival.name, "%s", tensor ? tensor : "");
    return open_number(session, index, arrival);
}

bool opening_with_text(Session *session, size_t index, const char *text) {
    ErrorList errors = {0};
    Variant variant = {.text = text};
    LessonOptions options = options_of(&variant);
    Arrival arrival = at_first(false);
    arrival.moves = text ? VARIANT_NEW : VARIANT_STAYS;
    arrival.act = text ? NULL : "own_text";
    arrival.follows = true;
    return index < session->course->all &&
           opening_begin(session, &session->course->lessons[index], arrival,
                         text ? &options : NULL, &errors);
}

/* Opens the lesson of a path: one that is in the course's list, behind its own, as any of
 * these. The one shown stays while another is read. */
static bool open_file(Session *session, const char *name, const LessonOptions *options,
                      ErrorList *errors) {
    Course *course = session->course;
    size_t index = course_of_file(course, name);
    if (index < course->all)
        return opening_begin(session, &course->lessons[index], at_first(true), options,
                             errors);
    const char *path = arena_copy(course->arena, name, strlen(name));
    if (!path)
        return error_list_add(errors, ERROR_MEMORY, 0, 0,
                              "there is no memory for this lesson");
    CourseLesson *file = &session->files[session->entry == &session->files[0]];
    session_abandon_opening(session);
    course_lesson_finish(file);
    *file = (CourseLesson){.path = path};
    return opening_begin(session, file, at_first(true), options, errors);
}

static bool follow_link(Session *session, const char *link) {
    ErrorList errors = {0};
    char lesson[SESSION_NAME_SIZE];
    Arrival arrival = at_first(false);
    if (!link_read(session, link, lesson, &arrival)) {
        session_abandon_opening(session);
        if (mode_on(session, &mode_lesson))
            home_enter(session);
        return true;
    }
    Course *course = session->course;
    size_t index = course_find(course, lesson);
    bool first = !session->lesson;
    if (first)
        mode_begin(session, &mode_nothing);
    if (index < course->all &&
        opening_begin(session, &course->lessons[index], arrival, NULL, &errors))
        return true;
    if (first)
        home_enter(session);
    session_show_message(session, "page.link_leads_nowhere", lesson, NULL);
    return true;
}

bool session_open(Session *session, const char *name, ErrorList *errors) {
    Course *course = session->course;
    size_t index = course_find(course, name);
    if (link_is(name))
        return follow_link(session, name);
    if (index == course->all && !course_is_path(name)) {
        course_explain_unknown(course, name, errors);
        return false;
    }
    LessonOptions with_text = {.text = course->text};
    const LessonOptions *options = course->text ? &with_text : NULL;
    bool first = !session->lesson;
    if (first)
        mode_begin(session, &mode_nothing);
    bool open = index < course->all ? opening_begin(session, &course->lessons[index],
                                                    at_first(true), options, errors)
                                    : open_file(session, name, options, errors);
    if (!open && first)
        home_enter(session);
    return open;
}

/* ---- while one is being read ---- */

bool session_opening_shown(const Session *session) {
    return session->opening.told;
}

void session_open_in_background(Session *session, LoaderWatch watch) {
    session->in_background = true;
    session->watch = watch;
}

void session_report_opening(Session *session) {
    session->opening.told = session_is_opening(session);
}

void session_abandon_opening(Session *session) {
    mode_leave(session, &mode_opening);
}

/* ---- files ---- */

bool session_has_file(const Session *session) {
    return mode_on(session, &mode_lesson) && !session->number;
}

/* The place that is kept: the same step, or the one of its name wherever that has gone.
 */
static Arrival same_place(const Session *session) {
    const PlayerStep *step = player_step(&session->player);
    Arrival place = {.cell = session->player.cell,
                     .statement = player_statement(&session->player),
                     .moves = VARIANT_STAYS,
                     .reloads = true,
                     .carries = true,
                     .panel = mode_on(session, &mode_switches)};
    snprintf(place.path, sizeof place.path, "%s", step->path);
    snprintf(place.name, sizeof place.name, "%s", step->name);
    return place;
}

bool session_look_at_file(Session *session) {
    Watched *watched = &session->watched;
    if (!session_has_file(session) || session_is_opening(session) ||
        session_is_writing(session))
        return false;
    FileStamp now = file_stamp(session->lesson->file);
    bool settled = file_stamp_equal(now, watched->last);
    watched->last = now;
    if (!settled || file_stamp_equal(now, watched->read))
        return false;
    watched->read = now;
    if (!now.number) {
        session_show_message(session, "reload.gone", NULL, NULL);
        return true;
    }
    ErrorList errors = {0};
    Variant variant = variant_of(session->lesson, session->entry);
    LessonOptions options = options_of(&variant);
    reload_note_changes(session);
    opening_begin(session, session->entry, same_place(session), &options, &errors);
    return true;
}

void session_drop(Session *session, const char *path) {
    ErrorList errors = {.file = path};
    const char *copy =
        path ? arena_copy(session->course->arena, path, strlen(path)) : NULL;
    session->message[0] = 0;
    if (!copy)
        session_report_no_memory(session);
    else if (!session_open(session, copy, &errors) && errors.count)
        reload_report(session, copy, &errors);
}

#include "modes/modes.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/chrome/chrome.h"
#include "picture/explain/explain.h"
#include "session/mode.h"
#include "session/state.h"

#include <stdlib.h>

enum { SCRATCH_BYTES = 64 << 20, FIRST_CAPACITY = 16 };

/* ---- where the session is ---- */

static FollowPathPoint place_now(const Session *session, FollowCell cell) {
    return (FollowPathPoint){.cell = cell,
                             .step = session->player.step,
                             .depth = session->player.depth,
                             .at = session->player.cell,
                             .has_pin = mode_on(session, &mode_pin),
                             .pin = session->pin,
                             .view = session->tensor_view,
                             .view_step = session->tensor_view_step};
}

static void return_to(Session *session, const FollowPathPoint *place) {
    session->player.step = place->step;
    session->player.depth = place->depth;
    session->player.cell = place->at;
    lesson_leave_place(session);
    pin_drop(session);
    if (place->has_pin)
        pin_put(session, place->pin);
    session->tensor_view = place->view;
    session->tensor_view_step = place->view_step;
    session->has_hover = false;
    autoplay_stop(session);
    autoplay_end_motion(session);
}

/* Shows a cell in the step where it was made, pinned, with all its tensor around it: one
 * has come from what came later. A given that no step shows is pinned where it is used.
 */
static void show_cell(Session *session, FollowCell cell) {
    size_t step = follow_step(&session->player, cell.node);
    autoplay_stop(session);
    autoplay_end_motion(session);
    session->has_hover = false;
    if (step != PLAYER_NONE)
        player_jump(&session->player, step);
    pin_put(session, (Link){LINK_CELL, cell.node, cell.row, cell.col});
}

/* ---- the way ---- */

static void forget(Session *session) {
    follow_path(session)->count = 0;
}

static bool append(Session *session, FollowPathPoint place) {
    FollowPath *way = follow_path(session);
    if (way->count == way->capacity) {
        size_t capacity = way->capacity ? 2 * way->capacity : FIRST_CAPACITY;
        FollowPathPoint *places = realloc(way->places, capacity * sizeof *places);
        if (!places) {
            session_report_no_memory(session);
            return false;
        }
        way->places = places;
        way->capacity = capacity;
    }
    way->places[way->count++] = place;
    return true;
}

/* Goes on to a cell that `from`, which is explained now, was made of. */
static bool go_on(Session *session, FollowCell from, FollowCell to) {
    if (!trace_is_open(session))
        mode_leave(session, &mode_trace);
    if (!follow_path(session)->count && !append(session, place_now(session, from)))
        return false;
    mode_enter(session, &mode_trace);
    show_cell(session, to);
    mode_raise(session, &mode_trace); /* Escape ends it before it lets the pin go */
    return append(session, place_now(session, to));
}

/* The cells of the way, new in the arena; NULL when that is exhausted. */
static FollowCell *way_cells(const Session *session, size_t *count, Arena *arena) {
    const FollowPath *way = follow_path(session);
    FollowCell *cells = arena_alloc(arena, way->count, sizeof *cells);
    *count = way->count;
    for (size_t i = 0; cells && i < way->count; i++)
        cells[i] = way->places[i].cell;
    return cells;
}

/* Says what the way has come to, which goes no further. */
static void show_end(Session *session, FollowCell cell, Arena *scratch) {
    const char *word;
    size_t count;
    FollowCell *cells = way_cells(session, &count, scratch);
    bool whole = trace_is_open(session) && cells;
    FollowEnd end = follow_end(session->lesson, whole ? cells : &cell, whole ? count : 1,
                               &word, scratch);
    session_show_message(session, "follow.ends",
                         trail_ending(session->language, end, word, scratch), NULL);
}

static bool follow_back(Session *session) {
    FollowCell cell, before;
    Arena *scratch = arena_create(SCRATCH_BYTES);
    if (scratch && lesson_explained_cell(session, &cell)) {
        if (follow_strongest(session->lesson->tape, cell, &before, scratch))
            go_on(session, cell, before);
        else
            show_end(session, cell, scratch);
    }
    if (!scratch || arena_exhausted(scratch))
        session_report_no_memory(session);
    arena_destroy(scratch);
    return true;
}

static const char *why_no_cell(const Session *session) {
    FollowCell cell;
    return lesson_explained_cell(session, &cell) ? NULL : "follow.none";
}

bool trace_follow_to(Session *session, FollowCell to) {
    FollowCell from;
    Arena *scratch = arena_create(SCRATCH_BYTES);
    bool goes = scratch && lesson_explained_cell(session, &from);
    if (goes)
        goes = go_on(session, from, follow_through(session->lesson->tape, to, scratch));
    if (!scratch || arena_exhausted(scratch))
        session_report_no_memory(session);
    arena_destroy(scratch);
    return goes;
}

bool trace_return_to(Session *session, size_t index) {
    FollowPath *way = follow_path(session);
    if (index >= way->count)
        return false;
    return_to(session, &way->places[index]);
    mode_raise(session, &mode_trace);
    if (index)
        way->count = index + 1;
    else
        mode_leave(session, &mode_trace);
    return true;
}

static bool follow_return(Session *session) {
    size_t count = follow_path(session)->count;
    return trace_return_to(session, trace_is_open(session) ? count - 2 : count - 1);
}

static const char *why_no_path(const Session *session) {
    return follow_path(session)->count ? NULL : "follow.nowhere";
}

static const Action following[] = {
    {"follow_back", "Backspace", "Backspace", .act = follow_back, .why_not = why_no_cell,
     .traits = ACTION_ON_CELL},
    {"follow_return", "Shift+Backspace", .act = follow_return, .why_not = why_no_path},
};

const ActionGroup actions_follow = ACTION_GROUP(&mode_lesson, following);

/* From the path's end to where it began; from anywhere else the path just goes. */
static bool drop_way(Session *session) {
    return trace_is_open(session) ? trace_return_to(session, 0)
                                  : mode_leave(session, &mode_trace);
}

const ActionGroup actions_followed = {
    &mode_trace, 1, &(const Action){"drop_way", "Escape", .act = drop_way}};

/* ---- what is shown of it ---- */

const Trail *session_trail(const Session *session, Arena *arena) {
    Trail *trail = arena_alloc(arena, 1, sizeof *trail);
    size_t count;
    FollowCell *cells = way_cells(session, &count, arena);
    TrailChip *chips = arena_alloc(arena, count, sizeof *chips);
    if (!trail || !cells || !chips || count < 2)
        return NULL;
    for (size_t i = 0; i < count; i++)
        chips[i] = (TrailChip){.link = {LINK_TRAIL, i, 0, 0}, .cell = cells[i]};
    *trail = (Trail){.between = "←",
                     .count = count,
                     .chips = chips,
                     .at = count - 1,
                     .away = !trace_is_open(session)};
    trail->end = follow_end(session->lesson, cells, count, &trail->word, arena);
    return trail;
}

static void show(Session *session, Page *page, Arena *arena) {
    lesson_add_trail(page, session_trail(session, arena));
}

const Mode mode_trace = {.name = "way",
                         .state_size = sizeof(FollowPath),
                         .missing = "follow.nowhere",
                         .banner = "banner.way",
                         .show = show,
                         .leave = forget};

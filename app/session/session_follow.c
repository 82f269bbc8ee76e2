#include "picture/explain/page_focus.h"
#include "picture/page/trail.h"
#include "session/session_actions.h"

#include <stdlib.h>
#include <string.h>

/* Following a number back from cell to cell, and returning. Where the session stands at
 * each cell of the way is kept, so that returning shows what was there. */

enum { SCRATCH_BYTES = 64 << 20, FIRST_CAPACITY = 16 };

/* ---- where the session is ---- */

bool explained_cell(const Session *session, FollowCell *cell) {
    Page page = {.player = &session->player,
                 .view = session_tensor_view(session),
                 .has_focus = session->has_pin || session->has_hover,
                 .focus = session->has_pin ? session->pin : session->hover};
    return page_focus(&page, &cell->node, &cell->row, &cell->col);
}

static FollowPlace place_now(const Session *session, FollowCell cell) {
    return (FollowPlace){.cell = cell,
                         .step = session->player.step,
                         .depth = session->player.depth,
                         .at = session->player.cell,
                         .has_pin = session->has_pin,
                         .pin = session->pin,
                         .view = session->tensor_view,
                         .view_step = session->tensor_view_step};
}

static void return_to(Session *session, const FollowPlace *place) {
    session->player.step = place->step;
    session->player.depth = place->depth;
    session->player.cell = place->at;
    session->has_pin = place->has_pin;
    session->pin = place->pin;
    session->tensor_view = place->view;
    session->tensor_view_step = place->view_step;
    session->has_hover = false;
    stop_playing(session);
    end_motion(session);
}

/* Whether the session still stands at the way's end. */
static bool is_at_end(const Session *session) {
    const Follow *follow = &session->follow;
    if (!follow->count)
        return false;
    const FollowPlace *end = &follow->places[follow->count - 1];
    return session->player.step == end->step && session->player.depth == end->depth &&
           session->player.cell == end->at && session->has_pin == end->has_pin &&
           (!end->has_pin || link_equal(session->pin, end->pin));
}

/* Shows a cell in the step where it was made: the cursor comes onto it where it was among
 * cells, else it is pinned; a given that no step shows is pinned where it is used. */
static void show_cell(Session *session, FollowCell cell) {
    Player *player = &session->player;
    size_t step = follow_step(player, cell.node);
    bool cells = player->cell != PLAYER_NONE;
    stop_playing(session);
    end_motion(session);
    session->has_hover = false;
    session->has_pin = true;
    session->pin = (Link){LINK_CELL, cell.node, cell.row, cell.col};
    if (step == PLAYER_NONE)
        return;
    player_jump(player, step);
    if (!cells || !player_has_cells(player, step))
        return;
    player->depth = player->depth_max;
    player->cell =
        cell.row * tape_node(session->lesson->tape, cell.node)->output.cols + cell.col;
    session->has_pin = false;
}

/* ---- the way ---- */

void forget_way(Session *session) {
    session->follow.count = 0;
}

void finish_following(Session *session) {
    free(session->follow.places);
    session->follow = (Follow){0};
}

static bool append(Session *session, FollowPlace place) {
    Follow *follow = &session->follow;
    if (follow->count == follow->capacity) {
        size_t capacity = follow->capacity ? 2 * follow->capacity : FIRST_CAPACITY;
        FollowPlace *places = realloc(follow->places, capacity * sizeof *places);
        if (!places)
            return false;
        follow->places = places;
        follow->capacity = capacity;
    }
    follow->places[follow->count++] = place;
    return true;
}

/* Goes on to a cell that `from`, which is explained now, was made of. */
static bool go_on(Session *session, FollowCell from, FollowCell to) {
    if (!is_at_end(session))
        forget_way(session);
    if (!session->follow.count && !append(session, place_now(session, from)))
        return false;
    show_cell(session, to);
    return append(session, place_now(session, to));
}

/* Says what the way has come to, which goes no further. */
static void say_end(Session *session, FollowCell cell, Arena *scratch) {
    const char *word;
    size_t count;
    FollowCell *way = way_cells(session, &count, scratch);
    bool whole = is_at_end(session) && way;
    FollowEnd end = follow_end(session->lesson, whole ? way : &cell, whole ? count : 1,
                               &word, scratch);
    session_say(session, "follow.ends",
                trail_ending(session->language, end, word, scratch), NULL);
}

FollowCell *way_cells(const Session *session, size_t *count, Arena *arena) {
    const Follow *follow = &session->follow;
    FollowCell *cells = arena_alloc(arena, follow->count, sizeof *cells);
    *count = follow->count;
    for (size_t i = 0; cells && i < follow->count; i++)
        cells[i] = follow->places[i].cell;
    return cells;
}

bool follow_back(Session *session) {
    FollowCell cell, before;
    Arena *scratch = arena_create(SCRATCH_BYTES);
    if (scratch && explained_cell(session, &cell)) {
        if (follow_strongest(session->lesson->tape, cell, &before, scratch))
            go_on(session, cell, before);
        else
            say_end(session, cell, scratch);
    } else {
        session_say(session, "follow.none", NULL, NULL);
    }
    arena_destroy(scratch);
    return true;
}

bool follow_to(Session *session, FollowCell to) {
    FollowCell from;
    Arena *scratch = arena_create(SCRATCH_BYTES);
    bool goes = scratch && explained_cell(session, &from);
    if (goes)
        goes = go_on(session, from, follow_through(session->lesson->tape, to, scratch));
    arena_destroy(scratch);
    return goes;
}

bool follow_return(Session *session) {
    Follow *follow = &session->follow;
    if (!follow->count) {
        session_say(session, "follow.nowhere", NULL, NULL);
        return true;
    }
    return return_along(session,
                        is_at_end(session) ? follow->count - 2 : follow->count - 1);
}

bool return_along(Session *session, size_t index) {
    Follow *follow = &session->follow;
    if (index >= follow->count)
        return false;
    return_to(session, &follow->places[index]);
    follow->count = index ? index + 1 : 0;
    return true;
}

bool drop_way(Session *session) {
    bool had = session->follow.count > 0;
    forget_way(session);
    return had;
}

const Trail *session_trail(const Session *session, Arena *arena) {
    Trail *trail = arena_alloc(arena, 1, sizeof *trail);
    size_t count;
    FollowCell *cells = way_cells(session, &count, arena);
    if (!trail || !cells || count < 2)
        return NULL;
    *trail = (Trail){.count = count, .cells = cells, .away = !is_at_end(session)};
    trail->end = follow_end(session->lesson, cells, count, &trail->word, arena);
    return trail;
}

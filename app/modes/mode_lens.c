#include "session/state.h"

/* The lens: one tensor of the picture by itself, as large as there is room. It is of the
 * step it was taken at. */

/* A cell of the tensor. */
static Link *lens_tensor(const Session *session) {
    return mode_state(session, &mode_lens);
}

static bool close_lens(Session *session) {
    return mode_leave(session, &mode_lens);
}

/* Shows the tensor of the cell under the pointer, or of the explained one. */
static bool take_lens(Session *session) {
    FollowCell cell;
    if (close_lens(session))
        return true;
    lesson_explained_cell(session, &cell);
    if (session->has_hover)
        cell.node = session->hover.index;
    *lens_tensor(session) = (Link){LINK_CELL, cell.node, 0, 0};
    autoplay_end_motion(session);
    mode_enter(session, &mode_lens);
    return true;
}

/* A tensor by itself would show the answer of an open question. */
static const char *why_no_tensor(const Session *session) {
    return questions_wait(session) ? "action.why.question_waits"
                                   : lesson_no_cell_reason(session);
}

static void show(Session *session, Page *page, Arena *arena) {
    (void)arena;
    page->lens = *lens_tensor(session);
}

const ActionGroup actions_lens = {&mode_lesson, 1,
                                  &(const Action){"lens", "Z", "Z", .act = take_lens,
                                                  .why_not = why_no_tensor,
                                                  .traits = ACTION_MORE}};

const ActionGroup actions_lensed = {
    &mode_lens, 1, &(const Action){.name = "close_lens", .keys = "Escape"}};

const Mode mode_lens = {.name = "lens",
                        .state_size = sizeof(Link),
                        .missing = "action.why.no_lens",
                        .banner = "banner.lens",
                        .show = show};

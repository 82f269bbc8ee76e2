#include "lesson/content/changes.h"
#include "session/state.h"

/* Differences in place of values, from the lesson as it was. */

static bool toggle(Session *session) {
    if (!mode_leave(session, &mode_differences))
        mode_enter(session, &mode_differences);
    return true;
}

static const char *nothing_to_compare(const Session *session) {
    bool can = mode_on(session, &mode_differences) ||
               changes_any(session->lesson->changes) || session_base(session);
    return can ? NULL : "change.nothing_to_compare";
}

static const Action entering[] = {
    {"differences", {"D"}, "D", toggle, nothing_to_compare, 0},
};

const ActionGroup actions_compare = ACTION_GROUP(&mode_lesson, entering);

static bool stop(Session *session) {
    return mode_leave(session, &mode_differences);
}

static const Action leaving[] = {
    {.name = "leave_differences", .keys = {"Escape"}, .act = stop},
};

const ActionGroup actions_compared = ACTION_GROUP(&mode_differences, leaving);

static void show(Session *session, Page *page, Arena *arena) {
    (void)session;
    (void)arena;
    page->compares = true;
}

const Mode mode_differences = {.name = "differences",
                               .missing = "action.why.no_differences",
                               .banner = "banner.differences",
                               .show = show};

#include "lesson/content/changes.h"
#include "session/state.h"

/* Differences in place of values, from the lesson as it was. */

static const char *nothing_to_compare(const Session *session) {
    bool can = mode_on(session, &mode_differences) ||
               changes_any(session->lesson->changes) || session_base(session);
    return can ? NULL : "change.nothing_to_compare";
}

const ActionGroup actions_compare = {
    &mode_lesson, 1,
    &(const Action){"differences", "D", "D", .toggles = &mode_differences,
                    .why_not = nothing_to_compare, .traits = ACTION_MORE}};

const ActionGroup actions_compared = {
    &mode_differences, 1, &(const Action){.name = "leave_differences", .keys = "Escape"}};

static void show(Session *session, Page *page, Arena *arena) {
    (void)session;
    (void)arena;
    page->compares = true;
}

const Mode mode_differences = {.name = "differences",
                               .missing = "action.why.no_differences",
                               .banner = "banner.differences",
                               .show = show};

#include "session/mode.h"

#include "session/state.h"

#include <strings.h>

void list_scroll(List *list, size_t shown) {
    list->shown = shown;
    if (list->chosen < list->first)
        list->first = list->chosen;
    if (shown && list->chosen >= list->first + shown)
        list->first = list->chosen - shown + 1;
}

/* Chooses a row that is one; false if it is chosen already. */
static bool put(Session *session, const ListControl *control, size_t row) {
    List *list = control->list(session);
    if (row == list->chosen)
        return false;
    list->chosen = row;
    list_scroll(list, list->shown);
    if (control->chosen)
        control->chosen(session);
    return true;
}

bool list_choose(Session *session, const ListControl *control, size_t row) {
    return row != control->list(session)->chosen && row < control->count(session) &&
           put(session, control, row);
}

/* ---- keys ---- */

/* The row that a key leads to; false if it is no key of the list. */
static bool find_row(const ListControl *control, const char *key, size_t chosen,
                     size_t count, size_t *row) {
    bool none = chosen >= count;
    size_t last = count - 1, page = control->page;
    if (strcasecmp(key, "Up") == 0)
        *row = none ? last : chosen ? chosen - 1 : control->wraps ? last : 0;
    else if (strcasecmp(key, "Down") == 0)
        *row = none ? 0 : chosen < last ? chosen + 1 : control->wraps ? 0 : last;
    else if (page && strcasecmp(key, "PageUp") == 0)
        *row = none || chosen < page ? 0 : chosen - page;
    else if (page && strcasecmp(key, "PageDown") == 0)
        *row = none ? 0 : last - chosen < page ? last : chosen + page;
    else if (page && strcasecmp(key, "Home") == 0)
        *row = 0;
    else if (page && strcasecmp(key, "End") == 0)
        *row = last;
    else
        return false;
    return true;
}

ModeAnswer list_key(Session *session, const ListControl *control, const char *key) {
    size_t count = control->count(session), row;
    if (!count)
        return MODE_PASSES;
    bool uses = strcasecmp(key, "Return") == 0 ||
                (strcasecmp(key, "Space") == 0 && !mode_writing(session));
    bool moves = find_row(control, key, control->list(session)->chosen, count, &row);
    if (!moves && !(uses && control->use))
        return MODE_PASSES;
    autoplay_stop(session);
    bool changed = moves ? put(session, control, row) : control->use(session);
    return changed ? MODE_CHANGES : MODE_TAKES;
}

/* ---- the pointer ---- */

static bool is_row(const ListControl *control, Link link) {
    return control->link && link.kind == LINK_COMMAND && link.row &&
           link.index == action_number(control->link);
}

ModeAnswer list_point(Session *session, const ListControl *control, Link link) {
    if (!is_row(control, link))
        return MODE_PASSES;
    return list_choose(session, control, link.row - 1) ? MODE_CHANGES : MODE_TAKES;
}

ModeAnswer list_press(Session *session, const ListControl *control, Link link) {
    if (!is_row(control, link))
        return MODE_PASSES;
    bool changed = list_choose(session, control, link.row - 1);
    return (control->use && control->use(session)) || changed ? MODE_CHANGES : MODE_TAKES;
}

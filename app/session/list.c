#include "session/list.h"

#include "session/actions.h"

#include <string.h>

void list_scroll(List *list, size_t shown) {
    list->shown = shown;
    if (list->chosen < list->first)
        list->first = list->chosen;
    if (shown && list->chosen >= list->first + shown)
        list->first = list->chosen - shown + 1;
}

bool list_choose(Session *session, const ListControl *control, size_t row) {
    List *list = control->list(session);
    if (row == list->chosen || row >= control->count(session))
        return false;
    list->chosen = row;
    list_scroll(list, list->shown);
    if (control->chosen)
        control->chosen(session);
    return true;
}

/* ---- keys ---- */

/* The row that a key leads to; false if it is no key of the list. */
static bool find_row(const ListControl *control, const char *key, size_t chosen,
                     size_t count, size_t *row) {
    bool none = chosen >= count;
    size_t last = count - 1, page = control->page;
    if (strcmp(key, "Up") == 0)
        *row = none ? last : chosen ? chosen - 1 : control->wraps ? last : 0;
    else if (strcmp(key, "Down") == 0)
        *row = none ? 0 : chosen < last ? chosen + 1 : control->wraps ? 0 : last;
    else if (page && strcmp(key, "PageUp") == 0)
        *row = none || chosen < page ? 0 : chosen - page;
    else if (page && strcmp(key, "PageDown") == 0)
        *row = none ? 0 : last - chosen < page ? last : chosen + page;
    else if (page && strcmp(key, "Home") == 0)
        *row = 0;
    else if (page && strcmp(key, "End") == 0)
        *row = last;
    else
        return false;
    return true;
}

ListAnswer list_key(Session *session, const ListControl *control, const char *key) {
    size_t count = control->count(session), row;
    if (!count)
        return LIST_PASSES;
    if (find_row(control, key, control->list(session)->chosen, count, &row))
        return list_choose(session, control, row) ? LIST_CHANGES : LIST_STAYS;
    bool uses = strcmp(key, "Return") == 0 || strcmp(key, "Space") == 0;
    if (!uses || !control->use)
        return LIST_PASSES;
    return control->use(session) ? LIST_CHANGES : LIST_STAYS;
}

/* ---- the pointer ---- */

static bool is_row(const ListControl *control, Link link) {
    return control->link && link.kind == LINK_COMMAND && link.row &&
           link.index == action_number(control->link);
}

ListAnswer list_point(Session *session, const ListControl *control, Link link) {
    if (!is_row(control, link))
        return LIST_PASSES;
    return list_choose(session, control, link.row - 1) ? LIST_CHANGES : LIST_STAYS;
}

ListAnswer list_press(Session *session, const ListControl *control, Link link) {
    if (!is_row(control, link))
        return LIST_PASSES;
    bool changed = list_choose(session, control, link.row - 1);
    return (control->use && control->use(session)) || changed ? LIST_CHANGES : LIST_STAYS;
}

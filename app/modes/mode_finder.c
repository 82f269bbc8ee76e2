#include "modes/modes.h"

#include "picture/overlays/overlays.h"
#include "session/state.h"

/* The finder: a few letters find all that can be done and gone to. */

enum { SCRATCH_BYTES = 64 << 20 };

List *finder_state(Session *session) {
    return mode_state(session, &mode_finder);
}

/* ---- opening and closing ---- */

static bool close(Session *session) {
    return mode_leave(session, &mode_finder);
}

static bool toggle(Session *session) {
    if (close(session))
        return true;
    field_begin(&session->field, "");
    *finder_state(session) = (List){.shown = FINDER_ROWS};
    mode_enter(session, &mode_finder);
    return true;
}

static const char *why_writing(const Session *session) {
    const Mode *writing = mode_writing(session);
    return writing && writing != &mode_finder ? "action.why.busy" : NULL;
}

const ActionGroup actions_find = {NULL, 1,
                                  &(const Action){"find", "Ctrl+K", "Ctrl+K",
                                                  .act = toggle, .why_not = why_writing,
                                                  .traits = ACTION_FIRST | ACTION_MORE}};

/* ---- choosing ---- */

static size_t count_found(Session *session) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    size_t count = 0;
    if (arena)
        finder_items_find(session, session->field.text, arena, &count);
    arena_destroy(arena);
    return count;
}

/* Does what is chosen, on what the finder lies over. */
static bool use(Session *session) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    size_t count = 0, chosen = finder_state(session)->chosen;
    FinderMatch *offers =
        arena ? finder_items_find(session, session->field.text, arena, &count) : NULL;
    bool can = offers && chosen < count && !offers[chosen].item.why;
    if (can) {
        close(session);
        offers[chosen].source->use(session, offers[chosen].index);
    }
    arena_destroy(arena);
    return can;
}

static void begin_again(Session *session) {
    *finder_state(session) = (List){.shown = FINDER_ROWS};
}

const ActionGroup actions_finding = {
    &mode_finder, 1, &(const Action){.name = "close_finder", .keys = "Escape"}};

static const ListControl control = {.list = finder_state,
                                    .count = count_found,
                                    .use = use,
                                    .link = "find",
                                    .page = FINDER_ROWS};

/* ---- the pointer ---- */

/* A press beside the finder closes it, and does what it is on. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind == LINK_FIELD || (link.kind == LINK_COMMAND && link.col))
        return MODE_TAKES;
    bool own = link.kind != LINK_COMMAND || link.index == action_number("find") ||
               action_mode(link.index) == &mode_finder;
    if (!own) {
        close(session);
        return MODE_PASSES;
    }
    return close(session) ? MODE_CHANGES : MODE_TAKES;
}

/* ---- what is shown ---- */

static void draw(Session *session, const Canvas *canvas) {
    Arena *arena = canvas->scene->arena;
    FinderRow rows[FINDER_ROWS];
    size_t count = 0;
    list_scroll(finder_state(session), finder_rows(canvas));
    FinderMatch *offers = finder_items_find(session, session->field.text, arena, &count);
    const List *state = finder_state(session);
    size_t found = offers ? count : 0;
    Finder finder = {.field = {.title = "finder.title",
                               .keys = "finder.keys",
                               .text = session->field.text,
                               .caret = session->field.caret,
                               .selected = session->field.selected,
                               .problem = ""},
                     .found = found,
                     .first = state->first,
                     .rows = rows,
                     .chosen = state->chosen,
                     .told =
                         state->chosen < found ? offers[state->chosen].item.told : NULL,
                     .link = action_link("find"),
                     .close = action_link("close_finder")};
    for (size_t i = state->first; i < found && finder.shown < state->shown; i++) {
        const FinderMatch *offer = &offers[i];
        const char *kind = canvas_format(canvas, "finder.%s", offer->source->name);
        rows[finder.shown++] =
            (FinderRow){.kind = canvas_string(canvas, kind),
                        .words = offer->item.words,
                        .detail = offer->item.why ? offer->item.why : offer->item.detail,
                        .can = !offer->item.why};
    }
    finder_draw(canvas, &finder);
}

const Mode mode_finder = {.name = "finder",
                          .state_size = sizeof(List),
                          .missing = "action.why.no_finder",
                          .closed = true,
                          .overlays = true,
                          .grows = true,
                          .offers = true,
                          .rolls = true,
                          .always_writes = true,
                          .typed = begin_again,
                          .list = &control,
                          .press = press,
                          .draw = draw};

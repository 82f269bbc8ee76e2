#include "modes/modes.h"

#include "picture/overlays/overlays.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 8, PLACE_SIZE = 160, TERMS_PAGE = 10 };

GlossaryState *glossary_state(const Session *session) {
    return mode_state(session, &mode_glossary);
}

static const Glossary *glossary_now(const Session *session) {
    return course_glossary(session->course, session->language);
}

/* The first term from number `from` on that is found by what is written; the glossary's
 * count for none. */
static size_t next_found(const Session *session, size_t from) {
    const Glossary *glossary = glossary_now(session);
    while (from < glossary->count &&
           !glossary_matches(&glossary->terms[from], session->field.text))
        from++;
    return from;
}

/* The term whose entry is shown: the chosen one, else the first that is found; the
 * glossary's count where none is. */
static size_t shown_term(const Session *session) {
    size_t chosen = glossary_state(session)->term;
    return next_found(session, chosen) == chosen ? chosen : next_found(session, 0);
}

/* Number of terms before one that are found. */
static size_t count_before(const Session *session, size_t term) {
    size_t count = 0;
    for (size_t i = next_found(session, 0); i < term; i = next_found(session, i + 1))
        count++;
    return count;
}

/* ---- where a term is at work ---- */

typedef struct Place {
    size_t lesson;
    char tensor[PLACE_SIZE]; /* "": none */
} Place;

/* "08-one-head:S" */
static bool read_place(const Session *session, const char *text, size_t length,
                       Place *place) {
    char id[PLACE_SIZE];
    size_t stem = strcspn(text, ":,");
    stem = stem < length ? stem : length;
    snprintf(id, sizeof id, "%.*s", (int)stem, text);
    snprintf(place->tensor, sizeof place->tensor, "%.*s",
             stem < length ? (int)(length - stem - 1) : 0, text + stem + 1);
    place->lesson = course_find(session->course, id);
    return place->lesson < session->course->count;
}

static size_t places_of(const Session *session, size_t term, Place places[PLACES_MOST]) {
    const Glossary *glossary = glossary_now(session);
    const char *list = term < glossary->count ? glossary->terms[term].see : "", *text;
    size_t count = 0;
    for (size_t length; (length = glossary_next(&list, &text)) && count < PLACES_MOST;)
        count += read_place(session, text, length, &places[count]);
    return count;
}

static bool go_to_place(Session *session, size_t number) {
    Place places[PLACES_MOST];
    size_t count = places_of(session, shown_term(session), places);
    if (number >= count)
        return false;
    return opening_follow(session, places[number].lesson, places[number].tensor) ||
           session->message[0];
}

/* ---- entering and leaving ---- */

void glossary_enter(Session *session, size_t term) {
    autoplay_stop(session);
    *glossary_state(session) = (GlossaryState){.term = term};
    field_begin(&session->field, "");
    mode_enter(session, &mode_glossary);
}

/* True if a term is used by a step's tensor. */
static bool is_at_work(const Session *session, size_t step, const GlossaryTerm *term) {
    const Tape *tape = session->lesson->tape;
    const char *name = tape_node(tape, session->player.steps[step].node)->name;
    const char *id = session->lesson->id, *list = term->see, *text;
    size_t stem = strlen(id);
    for (size_t length; name && (length = glossary_next(&list, &text));) {
        if (length == stem + 1 + strlen(name) && strncmp(text, id, stem) == 0 &&
            text[stem] == ':' && strncmp(text + stem + 1, name, strlen(name)) == 0)
            return true;
    }
    return false;
}

/* The first term that is at work in a step, or that its words name; the glossary's count
 * for none. */
static size_t term_of_step(const Session *session, size_t step) {
    const Glossary *glossary = glossary_now(session);
    const LessonStep *words = player_words(&session->player, step);
    for (size_t i = 0; i < glossary->count; i++) {
        if (is_at_work(session, step, &glossary->terms[i]))
            return i;
    }
    size_t term = glossary_first(glossary, text_in(&words->heading, session->language));
    return term < glossary->count
               ? term
               : glossary_first(glossary, text_in(&words->say, session->language));
}

/* Returns the term of the present step, or of the last step before it that has one;
 * else the first term of the course. */
static size_t term_of_page(const Session *session) {
    const Glossary *glossary = glossary_now(session);
    size_t term = glossary->count;
    size_t step = mode_on(session, &mode_lesson) ? session->player.step + 1 : 0;
    while (term == glossary->count && step > 0)
        term = term_of_step(session, --step);
    for (size_t i = 0; term == glossary->count && i < glossary->count; i++) {
        if (strcmp(glossary->terms[i].name, "token") == 0)
            return i;
    }
    return term < glossary->count ? term : 0;
}

static bool enter(Session *session) {
    bool points = session->term.kind == LINK_TERM;
    glossary_enter(session, points ? session->term.index : term_of_page(session));
    return true;
}

const ActionGroup actions_glossary = {
    NULL, 1, &(const Action){"glossary", "G", "G", .act = enter, .traits = ACTION_MORE}};

/* The terms that are found, the one shown being chosen. */
static List *terms_of(Session *session) {
    List *terms = &glossary_state(session)->terms;
    terms->chosen = count_before(session, shown_term(session));
    return terms;
}

static size_t count_terms(Session *session) {
    return count_before(session, glossary_now(session)->count);
}

static void show_chosen(Session *session) {
    size_t term = next_found(session, 0);
    for (size_t i = glossary_state(session)->terms.chosen; i > 0; i--)
        term = next_found(session, term + 1);
    if (term < glossary_now(session)->count)
        *glossary_state(session) = (GlossaryState){.term = term};
}

static const ListControl control = {
    .list = terms_of, .count = count_terms, .chosen = show_chosen, .page = TERMS_PAGE};

static bool next_place(Session *session) {
    Place places[PLACES_MOST];
    size_t count = places_of(session, shown_term(session), places);
    if (count)
        glossary_state(session)->place = (glossary_state(session)->place + 1) % count;
    return true;
}

static bool go_there(Session *session) {
    return go_to_place(session, glossary_state(session)->place);
}

static const Action actions[] = {
    {.name = "leave_glossary", .keys = "Escape"},
    {"next_use", "Tab", .act = next_place, .traits = ACTION_OF_KEYS},
    {"go_to_use", "Return", .act = go_there, .traits = ACTION_OF_KEYS},
};

const ActionGroup actions_in_glossary = ACTION_GROUP(&mode_glossary, actions);

/* ---- the mode ---- */

static ModeAnswer press(Session *session, Link link) {
    if (link.kind == LINK_TERM) {
        *glossary_state(session) = (GlossaryState){.term = link.index};
        return MODE_CHANGES;
    }
    if (link.kind == LINK_LESSON)
        return go_to_place(session, link.row) ? MODE_CHANGES : MODE_TAKES;
    return link.kind == LINK_COMMAND ? MODE_PASSES : MODE_TAKES;
}

static const char *place_words(const Session *session, const Place *place, Arena *arena) {
    Course *course = session->course;
    const char *title = course_title(course, place->lesson, session->language);
    unsigned long number = strtoul(course->lessons[place->lesson].id, NULL, 10);
    return number ? arena_format(arena, "→  %lu  %s", number, title)
                  : arena_format(arena, "→  %s", title);
}

static void draw(Session *session, const Canvas *canvas) {
    Arena *arena = canvas->scene->arena;
    GlossaryPanel panel = {.glossary = glossary_now(session),
                           .place = glossary_state(session)->place,
                           .search = {.text = session->field.text,
                                      .caret = session->field.caret,
                                      .selected = session->field.selected},
                           .close = action_link("leave_glossary")};
    size_t term = shown_term(session);
    size_t *found = arena_alloc(arena, panel.glossary->count + 1, sizeof *found);
    for (size_t i = 0; (i = next_found(session, i)) < panel.glossary->count; i++)
        found[panel.count++] = i;
    panel.found = found;
    panel.chosen = panel.count ? count_before(session, term) : 0;
    Place places[PLACES_MOST];
    GlossaryPlace shown[PLACES_MOST];
    size_t count = places_of(session, term, places);
    for (size_t i = 0; i < count; i++) {
        const char *words = place_words(session, &places[i], arena);
        shown[i] =
            (GlossaryPlace){words ? words : "", {LINK_LESSON, places[i].lesson, i, 0}};
    }
    panel.places = shown;
    panel.place_count = count;
    glossary_panel_draw(canvas, &panel);
}

const Mode mode_glossary = {.name = "glossary",
                            .state_size = sizeof(GlossaryState),
                            .missing = "action.why.no_glossary",
                            .closed = true,
                            .overlays = true,
                            .grows = true,
                            .rolls = true,
                            .always_writes = true,
                            .list = &control,
                            .press = press,
                            .draw = draw};

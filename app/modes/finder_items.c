#include "modes/modes.h"

#include "actions/actions.h"
#include "base/hash.h"
#include "base/strings/fuzzy.h"
#include "base/strings/glossary.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>
#include <string.h>

/* Deductions from a score: OTHER for a name that is not the title, GREY for an action
 * that can't be done now. NAMED: the least score of a name that matches by the beginnings
 * of its words. */
enum { SOURCE_MOST = 5000, OTHER = 20, GREY = 6, NAMED = 600, SCRATCH_BYTES = 16 << 20 };

static const char *english(const Session *session, const char *key) {
    const Language *language = languages_lookup(&session->course->languages, "en");
    return language ? language_words(language, key) : "";
}

static const char *text_or_empty(const char *text) {
    return text ? text : "";
}

/* ---- actions ---- */

static size_t count_actions(const Session *session) {
    (void)session;
    return action_count();
}

/* True if an action is offered: its mode is on, a lesson's or presenting, and it neither
 * moves a choice in another list nor belongs to one. */
static bool offers_action(const Session *session, size_t number) {
    const Mode *mode = action_mode(number);
    if (action_at(number)->traits & ACTION_OF_KEYS || (mode && mode->offers))
        return false;
    return !mode || mode == &mode_lesson || mode == &mode_present ||
           mode_on(session, mode);
}

/* English words, and others by which it is looked for. */
static const char *action_other(const Session *session, const char *name, Arena *arena) {
    const char *key = arena_format(arena, "action.%s", name);
    const char *sought = arena_format(arena, "sought.%s", name);
    if (!key || !sought || !language_has(session->language, sought))
        return key ? english(session, key) : "";
    return text_or_empty(arena_format(arena, "%s, %s, %s", english(session, key),
                                      session_words(session, sought),
                                      english(session, sought)));
}

static FinderItem action_item(Session *session, size_t number, Arena *arena) {
    const Action *action = action_at(number);
    const char *key = arena_format(arena, "action.%s", action->name);
    if (!key || !offers_action(session, number))
        return (FinderItem){0};
    return (FinderItem){
        .words = session_words(session, key),
        .other = action_other(session, action->name, arena),
        .detail = action_is_taken(session, number) ? "" : action_shown_key(action, arena),
        .why = action_why_not(session, number)};
}

/* ---- lessons ---- */

static size_t count_lessons(const Session *session) {
    return session->course->all;
}

static FinderItem lesson_item(Session *session, size_t index, Arena *arena) {
    Course *course = session->course;
    const Language *other = languages_lookup(&course->languages, "en");
    const char *title = course_title(course, index, session->language);
    unsigned long number =
        index < course->count ? strtoul(course->lessons[index].id, NULL, 10) : 0;
    const char *words = number ? arena_format(arena, "%lu · %s", number, title) : title;
    return (FinderItem){
        .words = words,
        .other = other ? course_title(course, index, other) : course->lessons[index].id,
        .about = course_contents(course, index)->words,
        .told = text_in(&course_head(course, index)->goal, session->language),
        .detail = ""};
}

static bool open_found(Session *session, size_t index) {
    return opening_follow(session, index, NULL);
}

/* ---- steps of the present lesson ---- */

static const char *not_in_lesson(const Session *session) {
    return mode_reached(session, &mode_lesson)
               ? NULL
               : session_words(session, "action.why.busy");
}

static size_t count_steps(const Session *session) {
    return mode_on(session, &mode_lesson) ? session->player.step_count : 0;
}

static const char *step_topic(const Session *session, const PlayerStep *step,
                              Arena *arena) {
    const char *key = arena_format(arena, "operation.%s", step->topic);
    return key && language_has(session->language, key) ? key : "";
}

static FinderItem step_item(Session *session, size_t index, Arena *arena) {
    const PlayerStep *step = &session->player.steps[index];
    const LessonStep *own = &session->lesson->steps[step->statement];
    const Text *heading = text_is_empty(&own->concept) ? &own->heading : &own->concept;
    const char *topic = step_topic(session, step, arena), *words;
    bool headed = step->depth == 1 && !text_is_empty(heading);
    words = headed     ? text_in(heading, session->language)
            : topic[0] ? session_words(session, topic)
                       : step->name;
    const char *place, *name;
    tensor_name(session, step->node, arena, &name, &place);
    return (FinderItem){.words = arena_format(arena, "%s · %s", step->path, words),
                        .same = step->depth > 1 ? words : NULL,
                        .other = text_or_empty(arena_format(
                            arena, "%s, %s, %s", step->depth > 1 ? "" : step->name, name,
                            topic[0] ? english(session, topic) : "")),
                        .detail = place[0] ? place : name,
                        .why = not_in_lesson(session)};
}

/* Escape then returns to the present step. */
static bool go_to_step(Session *session, size_t index) {
    bool noted = index != session->player.step && returns_note(session);
    lesson_go_to_step(session, index);
    if (noted)
        returns_arrive(session);
    return true;
}

/* ---- tensors of the present lesson ---- */

static size_t count_tensors(const Session *session) {
    return mode_on(session, &mode_lesson) ? tape_count(session->lesson->tape) : 0;
}

static FinderItem tensor_item(Session *session, size_t index, Arena *arena) {
    const TapeNode *node = tape_node(session->lesson->tape, index);
    if (!node->name[0])
        return (FinderItem){0};
    const char *place, *name;
    tensor_name(session, index, arena, &name, &place);
    return (FinderItem){.words = name,
                        .same = name,
                        .other = node->name,
                        .detail = text_or_empty(arena_format(
                            arena, "%s%s%zu × %zu", place, place[0] ? "   " : "",
                            node->output.rows, node->output.cols)),
                        .why = not_in_lesson(session)};
}

/* The step that shows a tensor; PLAYER_NONE for a given that none shows. */
static size_t step_of_tensor(const Session *session, size_t node) {
    const Player *player = &session->player;
    size_t step = follow_step(player, node);
    for (size_t i = 0; step == PLAYER_NONE && i < player->step_count; i++)
        step = player->steps[i].node == node ? i : PLAYER_NONE;
    return step;
}

/* The tensor of the same name in the next step that has one; behind the last the first
 * again. */
static size_t next_of_name(Session *session, size_t node, Arena *arena) {
    const Tape *tape = session->lesson->tape;
    const char *name, *other;
    tensor_name(session, node, arena, &name, NULL);
    size_t best = PLAYER_NONE, first = PLAYER_NONE;
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (!tape_node(tape, i)->name[0])
            continue;
        tensor_name(session, i, arena, &other, NULL);
        if (strcmp(other, name) != 0)
            continue;
        size_t step = step_of_tensor(session, i);
        if (step == PLAYER_NONE)
            continue;
        first = first == PLAYER_NONE || step < first ? step : first;
        if (step > session->player.step && (best == PLAYER_NONE || step < best))
            best = step;
    }
    return best == PLAYER_NONE ? first : best;
}

/* A given that no step shows stays where it is, and says so. */
static bool go_to_tensor(Session *session, size_t index) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    size_t step = arena ? next_of_name(session, index, arena) : PLAYER_NONE;
    arena_destroy(arena);
    if (step == PLAYER_NONE)
        session_show_message(session, "finder.no_step",
                             tape_node(session->lesson->tape, index)->name, NULL);
    else
        go_to_step(session, step);
    return true;
}

/* ---- terms ---- */

static const Glossary *glossary_now(const Session *session) {
    return course_glossary(session->course, session->language);
}

static size_t count_terms(const Session *session) {
    return glossary_now(session)->count;
}

static FinderItem term_item(Session *session, size_t index, Arena *arena) {
    const GlossaryTerm *term = &glossary_now(session)->terms[index];
    return (FinderItem){
        .words = term->term,
        .other = text_or_empty(arena_format(arena, "%s, %s", term->plain, term->also)),
        .detail = ""};
}

static bool open_term(Session *session, size_t index) {
    glossary_enter(session, index);
    return true;
}

/* ---- all of them ---- */

static const FinderSource sources[] = {
    {"action", count_actions, action_item, action_do, 0},
    {"lesson", count_lessons, lesson_item, open_found, 0},
    {"term", count_terms, term_item, open_term, 0},
    {"step", count_steps, step_item, go_to_step, 1},
    {"tensor", count_tensors, tensor_item, go_to_tensor, 2},
};

enum { SOURCE_COUNT = sizeof sources / sizeof *sources };

static size_t count_of(const Session *session, const FinderSource *source) {
    size_t count = source->count(session);
    return count < SOURCE_MOST ? count : SOURCE_MOST;
}

/* Best score of the names in a list with commas between them. */
static int score_in_list(const char *pattern, const char *list, Arena *arena) {
    static const char *const commas[] = {",", "、", "，"};
    int best = FUZZY_NONE;
    for (const char *name = list, *end; *name; name = end) {
        size_t comma = 0;
        end = name + strlen(name);
        for (size_t i = 0; i < sizeof commas / sizeof *commas; i++) {
            const char *found = strstr(name, commas[i]);
            comma = found && found < end ? strlen(commas[i]) : comma;
            end = found && found < end ? found : end;
        }
        name += strspn(name, " ");
        const char *one = arena_copy(arena, name, name < end ? (size_t)(end - name) : 0);
        int score = one ? fuzzy_score(pattern, one) : FUZZY_NONE;
        best = score > best ? score : best;
        end += comma;
    }
    return best;
}

/* A step or lesson goes by its title without the number before it, too. */
static int score_of(const FinderItem *item, const char *pattern, Arena *arena) {
    const char *title = strstr(item->words, " · ");
    int words = fuzzy_score(pattern, item->words);
    int titled = title ? fuzzy_score(pattern, title + strlen(" · ")) : FUZZY_NONE;
    int other = score_in_list(pattern, text_or_empty(item->other), arena);
    int about = item->about ? fuzzy_score_words(pattern, item->about) : FUZZY_NONE;
    words = titled > words ? titled : words;
    other -= other > OTHER ? OTHER : 0;
    int named = words > other ? words : other;
    return named > about ? named : about;
}

static int compare(const void *a, const void *b) {
    const FinderMatch *left = a, *right = b;
    bool named = left->score >= NAMED;
    if (named != (right->score >= NAMED))
        return named ? -1 : 1;
    if (left->source->rank != right->source->rank)
        return left->source->rank < right->source->rank ? -1 : 1;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Of matches that are the same the first stays. Returns how many there are then. */
static size_t drop_same(FinderMatch *matches, size_t count, Arena *arena) {
    size_t slots = 2 * count + 1, kept = 0;
    const FinderMatch **seen = arena_alloc(arena, slots, sizeof *seen);
    for (size_t i = 0; i < count; i++) {
        const FinderSource *source = matches[i].source;
        const char *same = seen ? matches[i].item.same : NULL;
        size_t slot = same ? hash_bytes(HASH_START, same, strlen(same)) % slots : 0;
        while (same && seen[slot] &&
               (seen[slot]->source != source || strcmp(seen[slot]->item.same, same) != 0))
            slot = (slot + 1) % slots;
        if (same && seen[slot])
            continue;
        matches[kept] = matches[i];
        if (same)
            seen[slot] = &matches[kept];
        kept++;
    }
    return kept;
}

FinderMatch *finder_items_find(Session *session, const char *pattern, Arena *arena,
                               size_t *count) {
    size_t all = 0;
    for (size_t s = 0; s < SOURCE_COUNT; s++)
        all += count_of(session, &sources[s]);
    FinderMatch *offers = arena_alloc(arena, all, sizeof *offers);
    *count = 0;
    for (size_t s = 0; offers && s < SOURCE_COUNT; s++) {
        size_t of_source = count_of(session, &sources[s]);
        for (size_t i = 0; i < of_source; i++) {
            FinderItem item = sources[s].at(session, i, arena);
            int score = item.words ? score_of(&item, pattern, arena) : FUZZY_NONE;
            if (score == FUZZY_NONE)
                continue;
            score -= item.why ? GREY : 0;
            offers[*count] = (FinderMatch){&sources[s], i, item, score, *count};
            ++*count;
        }
    }
    if (!offers)
        return NULL;
    qsort(offers, *count, sizeof *offers, compare);
    *count = drop_same(offers, *count, arena);
    return offers;
}

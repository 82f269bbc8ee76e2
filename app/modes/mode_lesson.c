#include "modes/modes.h"

#include "actions/actions.h"
#include "lesson/content/changes.h"
#include "lesson/content/lesson.h"
#include "lesson/model/generate_step.h"
#include "picture/chrome/chrome.h"
#include "picture/draw/marks.h"
#include "picture/explain/explain.h"
#include "picture/map/map.h"
#include "picture/page/page.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the page says below the picture ---- */

/* The sentences joined; `so_far` may be NULL, and `more` too. */
static const char *join(Arena *arena, const char *so_far, const char *more) {
    if (!so_far || !more)
        return so_far ? so_far : more;
    return arena_format(arena, "%s   ·   %s", so_far, more);
}

static const char *sentence(const Session *session, Arena *arena, const char *key,
                            const char *argument) {
    return language_sentence(session->language, key, 1, &argument, arena);
}

/* True if Right would leave the lesson. */
static bool is_at_end(const Session *session) {
    Player player = session->player;
    return !player_move(&player, PLAYER_RIGHT);
}

/* Links behind the lesson's last step: to its exercises, and to the next lesson. */
static const Trail *end_trail(const Session *session, Arena *arena) {
    Course *course = session->course;
    Trail *trail = arena_alloc(arena, 1, sizeof *trail);
    TrailChip *chips = arena_alloc(arena, 2, sizeof *chips);
    if (!is_at_end(session))
        return NULL;
    *trail = (Trail){.chips = chips, .away = true};
    if (!action_why_not(session, action_number("practise_lesson")))
        chips[trail->count++] =
            (TrailChip){.link = action_link("practise_lesson"),
                        .words = session_words(session, "page.practise")};
    size_t next =
        session->number ? course_after(course, session->number - 1) : course->count;
    if (next < course->count)
        chips[trail->count++] =
            (TrailChip){.link = action_link("next_step"),
                        .words = sentence(session, arena, "page.next_lesson",
                                          course_title(course, next, session->language))};
    else if (session->number)
        trail->tail = session_words(session, "page.last_lesson");
    return trail;
}

/* Returns the strings key of what the differences are from, or why there are none. */
static const char *compared_words(const Session *session) {
    const Tape *base = session_base(session);
    FollowCell cell = {player_step(&session->player)->node, 0, 0};
    double unused;
    if (!base)
        return "change.differences_on";
    if (!difference_base(session->lesson->tape, base, cell, &unused))
        return session->lesson->own_text ? "change.no_text_counterpart"
                                         : "change.no_counterpart";
    return session->lesson->own_text ? "change.text_on" : "change.switched_on";
}

/* Words that the lesson says of its own text may not be true of another. */
static const char *own_text_words(const Session *session) {
    const LessonStep *words = player_step(&session->player)->words;
    const char *said = words ? text_in(&words->say, session->language) : "";
    bool speaks = said[0] && !lesson_words_lost(session->lesson, said);
    return speaks ? "text.own_said" : "text.own";
}

/* Warns that the lesson's words with numbers are about the lesson from before the
 * change; presented pages, which have no notes, leave the sentences out instead. The
 * placeholders of a switched model have its own numbers. */
static const char *words_before_change(const Session *session) {
    const Lesson *lesson = session->lesson;
    const LessonStep *words = player_step(&session->player)->words;
    const char *said = words ? text_in(&words->say, session->language) : "";
    bool changed = changes_any(lesson->changes) && changes_shown(session);
    if (!said[strcspn(said, "0123456789")] ||
        (!changed && !lesson_switches_any(&lesson->switches)))
        return NULL;
    bool follows = !changed && text_is_filled_in(&words->say, session->language);
    return session_words(session, follows ? "switch.told_before" : "change.told_before");
}

/* Returns the words about a generation's step while cells are changed, or NULL: its
 * tokens were generated when the lesson was read and don't follow the change. */
static const char *words_of_generation(const Session *session, Arena *arena) {
    size_t turn, step = session->player.step;
    const LessonGenerate *generate = lesson_generation_at(&session->player, step, &turn);
    const Tape *tape = session->lesson->tape;
    bool stands = true, reached = false;
    if (!generate || !changes_any(session->lesson->changes))
        return NULL;
    for (size_t i = 0; i < generate->generated.step_count; i++) {
        if (turn != PLAYER_NONE && turn != i)
            continue;
        stands &= generate_choice_holds(&generate->generated, tape, i, arena);
        reached |= tape_changed(tape, generate->generated.steps[i].result);
    }
    if (!reached)
        return session_words(session, "change.not_reached");
    return stands ? NULL : session_words(session, "change.said_before");
}

/* Returns the note about the difference between the page and the lesson. */
static const char *note_of(const Session *session, Arena *arena) {
    const char *note = words_of_generation(session, arena),
               *muted = mute_words(session, arena);
    const char *put = switches_words(session, arena);
    if (muted)
        note = join(arena, note, sentence(session, arena, "mute.muted", muted));
    if (put)
        note = join(arena, note, sentence(session, arena, "switch.switched", put));
    note = join(arena, note, retrained_words(session, arena));
    note = join(arena, note, predicted_words(session, arena));
    if (mode_on(session, &mode_differences))
        note = join(arena, note, session_words(session, compared_words(session)));
    if (session->lesson->own_text && session->lesson == session->entry->own)
        note = join(arena, note, session_words(session, own_text_words(session)));
    else
        note = join(arena, note, words_before_change(session));
    return note;
}

/* ---- the page ---- */

/* Returns the page without the parts for the learner at the screen. */
static Page page_of(const Session *session, const TextMetrics *metrics, Arena *arena) {
    Page page = {
        .player = &session->player,
        .theme = session->theme,
        .metrics = metrics,
        .language = session->language,
        .width = session->width,
        .height = session->height,
        .text_scale = session_text_scale(session),
        .number = strtoul(session->lesson->id, NULL, 10),
        .needs = course_needs(session->course, session->lesson, session->language, arena),
        .view = session_tensor_view(session),
        .note = note_of(session, arena),
        .base = session_base(session),
        .moment = session_moment(session),
        .with_map = session->with_map,
        .without_sentences = session_presents(session) && words_before_change(session),
        .words = session->words,
        .sources = session_shows_sources(session)};
    lesson_add_trail(&page, session_moved(session, arena));
    return page;
}

/* All modes but one, or NULL. */
static void let_modes_show(Session *session, Page *page, Arena *arena,
                           const Mode *without) {
    for (size_t i = 0; i < session->mode_count; i++) {
        if (session->modes[i]->show && session->modes[i] != without)
            session->modes[i]->show(session, page, arena);
    }
}

Page lesson_page(Session *session, const TextMetrics *metrics, Arena *arena) {
    Page page = page_of(session, metrics, arena);
    page.layouts = &session->layouts;
    let_modes_show(session, &page, arena, NULL);
    return page;
}

/* ---- how rows and columns are counted: a hint at the first step that needs it ---- */

static bool was_counted(const Session *session) {
    bool here = session->counted_in == session->lesson &&
                session->counted_at == session->player.step;
    return session->counted && !here;
}

static void note_counted(Session *session, const Scene *scene) {
    const char *hint = session_words(session, "inspector.counted");
    for (size_t i = 0; !session->counted && i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        session->counted = item->kind == SCENE_TEXT && strlen(item->text) > 8 &&
                           strstr(hint, item->text) == hint;
        session->counted_in = session->lesson;
        session->counted_at = session->player.step;
    }
    if (session->counted && session->memory && !memory_text(session->memory, "counted"))
        memory_note_text(session->memory, "counted", "on");
}

/* Notes which cell of the page a change is about while none is pinned. */
static void note_drawn_cell(Session *session, const Scene *scene) {
    FollowCell cell = {0};
    Box box;
    bool explained = lesson_explained_cell(session, &cell);
    Link link = {LINK_CELL, cell.node, cell.row, cell.col};
    if (!explained || !marks_cell_box(scene, link, &box))
        link = (Link){0};
    for (size_t i = 0; !link.kind && i < scene->count; i++) {
        Link drawn = scene->items[i].link;
        if (drawn.kind == LINK_CELL && marks_cell_box(scene, drawn, &box))
            link = drawn;
    }
    session->drawn_cell = link;
    session->drawn_step = session->player.step;
    session->drawn_for = session->lesson;
}

/* Returns the page that fills the canvas. */
static Page page_on(Session *session, const Canvas *canvas, bool interactive,
                    const Mode *without) {
    Arena *arena = canvas->scene->arena;
    Page page = page_of(session, canvas->metrics, arena);
    page.layouts = &session->layouts;
    if (interactive) {
        page.interactive = true;
        page.glossary = course_glossary(session->course, session->language);
        page.bar = session_bar(session, arena);
        page.compare = action_link("sources");
        page.map = action_link("map");
        lesson_add_trail(&page, end_trail(session, arena));
        page.counted = was_counted(session);
        page.has_focus = session->has_hover;
        page.focus = session->hover;
        if (session->message[0] && !mode_on(session, &mode_prompt))
            page.message = session->message;
    }
    let_modes_show(session, &page, arena, without);
    if (interactive && touch_is_low(session) && !page.presents) {
        page.presents = true;
        page.text_scale = session->text_scale;
    }
    return page;
}

static void fill(Session *session, const Canvas *canvas, bool interactive) {
    Page page = page_on(session, canvas, interactive, NULL);
    page_draw(canvas->scene, canvas->scene->arena, &page);
    if (interactive) {
        note_counted(session, canvas->scene);
        note_drawn_cell(session, canvas->scene);
    }
}

bool lesson_next_place(const Session *session, Player *next) {
    size_t known = 1u + session_presents(session) + mode_on(session, &mode_question);
    *next = session->player;
    return session->modes[0] == &mode_lesson && session->mode_count == known &&
           !session_is_opening(session) &&
           (questions_open(session) || player_move(next, PLAYER_RIGHT));
}

void lesson_fill_unseen(Session *session, const Canvas *canvas) {
    Page page = page_on(session, canvas, true, &mode_question);
    page_draw(canvas->scene, canvas->scene->arena, &page);
}

/* ---- the pointer ---- */

static bool set_hover(Session *session, bool has, Link link) {
    bool changed =
        has != session->has_hover || (has && !link_equal(link, session->hover));
    session->has_hover = has;
    session->hover = link;
    return changed;
}

static bool move(Session *session, const Scene *scene, double x, double y) {
    if (session->scrubbing)
        return scrub_timeline(session, scene, x);
    if (session->scrubbing_training)
        return scrub_training(session, scene, x);
    Link link = scene_hit(scene, x, y);
    return set_hover(session, link.kind == LINK_CELL, link);
}

static void pin_or_let_go(Session *session, Link link) {
    bool was = mode_leave(session, &mode_pin) && link_equal(link, session->pin);
    if (!was)
        pin_put(session, link);
}

static ModeAnswer answer(bool changes) {
    return changes ? MODE_CHANGES : MODE_TAKES;
}

static ModeAnswer press(Session *session, Link link) {
    if (link.kind == LINK_COMMAND)
        return MODE_PASSES;
    autoplay_stop(session);
    switch (link.kind) {
    case LINK_TERM:
        glossary_enter(session, link.index);
        return MODE_CHANGES;
    case LINK_WORDS:
        return answer(words_turn_to(session, link.index));
    case LINK_TIMELINE:
        session->scrubbing = true; /* which the pointer goes on with */
        return MODE_TAKES;
    case LINK_SOURCE:
        return answer(
            trace_follow_to(session, (FollowCell){link.index, link.row, link.col}));
    case LINK_TRAIL:
        return answer(trace_return_to(session, link.index));
    case LINK_STEP:
        lesson_go_to_step(session, link.index);
        return MODE_CHANGES;
    case LINK_CELL:
        pin_or_let_go(session, link);
        return MODE_CHANGES;
    default:
        return MODE_TAKES;
    }
}

static void leave(Session *session) {
    autoplay_end_motion(session);
    session->has_hover = session->scrubbing = session->scrubbing_training = false;
}

const Mode mode_lesson = {.name = "lesson",
                          .missing = "action.why.in_lesson",
                          .press = press,
                          .move = move,
                          .fill = fill,
                          .leave = leave};

#include "session/session_actions.h"

#include "picture/draw/marks.h"
#include "picture/explain/differences.h"
#include "picture/page/playing.h"
#include "picture/page/practise_panel.h"

#include <stdlib.h>
#include <string.h>

/* Pages smaller than this can't hold a lesson. */
static const double LEAST_WIDTH = 700, LEAST_HEIGHT = 500;

static Canvas canvas_of(const Session *session, Scene *scene,
                        const TextMetrics *metrics) {
    return (Canvas){.scene = scene,
                    .theme = session->theme,
                    .metrics = metrics,
                    .language = session->language,
                    .unit = canvas_unit(scene->width, scene->height)};
}

static Link help_link(void) {
    return (Link){LINK_COMMAND, key_index("?"), 0, 0};
}

static void draw_overview(Session *session, Scene *scene, Arena *arena,
                          const TextMetrics *metrics, bool interactive) {
    Overview overview = overview_of(session);
    overview.metrics = metrics;
    overview_draw(scene, arena, &overview);
    Canvas canvas = canvas_of(session, scene, metrics);
    if (interactive)
        help_draw_hint(&canvas, help_link());
    if (interactive && session->message[0])
        help_draw_notice(&canvas, session->message);
}

/* ---- what the page says below the picture ---- */

static const char *words(const Session *session, const char *key) {
    return language_words(session->language, key);
}

/* The sentences joined; `so_far` may be NULL, and `more` too. */
static const char *join(Arena *arena, const char *so_far, const char *more) {
    if (!so_far || !more)
        return so_far ? so_far : more;
    return arena_format(arena, "%s   ·   %s", so_far, more);
}

/* The sentence of a key with {0} replaced. */
static const char *sentence(const Session *session, Arena *arena, const char *key,
                            const char *argument) {
    const char *pattern = words(session, key), *place = strstr(pattern, "{0}");
    return place ? arena_format(arena, "%.*s%s%s", (int)(place - pattern), pattern,
                                argument, place + 3)
                 : pattern;
}

/* Whether Right would leave the lesson. */
static bool is_at_end(const Session *session) {
    Player player = session->player;
    return !player_move(&player, PLAYER_RIGHT);
}

/* What comes behind the lesson's last step, by its title where that is known. */
static const char *next_lesson_words(const Session *session, Arena *arena) {
    Course *course = session->course;
    if (!session->number || !is_at_end(session))
        return NULL;
    if (session->number == course->count)
        return words(session, "page.last_lesson");
    const char *title = course_title(course, session->number, session->language);
    return sentence(session, arena, "page.next_lesson", title);
}

/* "changed: 5 cells of 3 tensors · computed again: 4 operations" */
static const char *changed_words(const Session *session, Arena *arena) {
    ChangesCount count = changes_count(session->lesson->changes);
    const size_t numbers[] = {count.cells, count.tensors, count.computed};
    const char *text = words(session, "change.status");
    if (!changes_any(session->lesson->changes))
        return NULL;
    for (size_t i = 0; text && i < sizeof numbers / sizeof *numbers; i++) {
        const char place[] = {'{', (char)('0' + i), '}', 0};
        const char *at = strstr(text, place);
        if (at)
            text = arena_format(arena, "%.*s%zu%s", (int)(at - text), text, numbers[i],
                                at + 3);
    }
    return text;
}

/* What differences are shown, where they can be. */
static const char *compared_words(const Session *session) {
    const Tape *base = session_base(session);
    Differences differences = {.tape = session->lesson->tape, .base = base};
    double unused;
    if (!base)
        return "change.differences_on";
    bool can = differences_base(&differences, player_step(&session->player)->node, 0, 0,
                                &unused);
    return can ? "change.switched_on" : "change.no_counterpart";
}

static const char *note_of(const Session *session, Arena *arena) {
    const char *note = NULL, *muted = muted_names(session, arena);
    if (muted)
        note = sentence(session, arena, "mute.muted", muted);
    note = join(arena, note, changed_words(session, arena));
    if (is_switched(session))
        note = join(
            arena, note,
            sentence(session, arena, "switch.switched", switched_words(session, arena)));
    if (session->compares)
        note = join(arena, note, words(session, compared_words(session)));
    if (session->lesson->own_text && session->lesson == session->entry->own)
        note = join(arena, note, words(session, "text.own"));
    return join(arena, note, next_lesson_words(session, arena));
}

static Link command_link(const char *key) {
    return (Link){LINK_COMMAND, key_index(key), 0, 0};
}

/* The exercise in place of what the page shows otherwise. */
static void show_exercise(const Session *session, Page *page,
                          const PractisePanel *panel) {
    page->practise = panel;
    page->has_focus = !practise_panel_hides_cell(panel);
    page->focus = practised_cell(session);
    page->moment = (PaceMoment){0};
    page->view = LESSON_VIEW_PICTURE;
    page->playing = NULL;
    page->note = NULL;
    if (practise_hides(panel->practise))
        page->words = WORDS_USUAL;
}

static void draw_lesson(Session *session, Scene *scene, Arena *arena,
                        const TextMetrics *metrics, bool interactive) {
    bool hovers = interactive && session->has_hover;
    bool says = interactive && session->message[0] && !session->prompt;
    Playing playing = {.runs = session->play.runs,
                       .speed = session->play.speed,
                       .speeds = PACE_SPEEDS,
                       .toggle = command_link("A"),
                       .slower = command_link("-"),
                       .faster = command_link("+")};
    Page page = {.player = &session->player,
                 .theme = session->theme,
                 .metrics = metrics,
                 .language = session->language,
                 .width = session->width,
                 .height = session->height,
                 .number = strtoul(session->lesson->id, NULL, 10),
                 .view = session_tensor_view(session),
                 .compares = session->compares,
                 .base = session_base(session),
                 .moment = session_moment(session),
                 .playing = interactive ? &playing : NULL,
                 .words = session->words,
                 .interactive = interactive,
                 .help = interactive ? help_link() : (Link){0},
                 .note = interactive ? note_of(session, arena) : NULL,
                 .trail = session_trail(session, arena),
                 .influence = influence_of(session),
                 .has_focus = hovers || session->has_pin,
                 .focus = hovers ? session->hover : session->pin,
                 .message = says ? session->message : NULL};
    PractisePanel panel = practise_panel(session);
    if (is_practising(session) && practise_exercise(panel.practise))
        show_exercise(session, &page, &panel);
    page_draw(scene, arena, &page);
}

/* ---- what is laid over it ---- */

static void draw_help(const Session *session, const Canvas *canvas) {
    size_t count = 0;
    HelpEntry *entries = arena_alloc(canvas->scene->arena, key_count(), sizeof *entries);
    for (size_t i = 0; entries && i < key_count(); i++) {
        HelpEntry entry = key_help(i);
        if (entry.keys)
            entries[count++] = entry;
    }
    (void)session;
    help_draw(canvas, entries, count);
}

static void draw_prompt(const Session *session, const Canvas *canvas) {
    HelpField field = {.title = session->prompt->title,
                       .keys = session->prompt->keys,
                       .text = session->field.text,
                       .caret = session->field.caret,
                       .selected = session->field.selected,
                       .problem = session->message};
    Box cell;
    if (!session->prompt->at_cell) {
        help_draw_field(canvas, &field);
        return;
    }
    const char *name = edited_cell_name(session, &session->edited, canvas->scene->arena);
    if (!marks_cell_box(canvas->scene, session->edited.shown, &cell))
        cell = (Box){session->width / 2, session->height / 2, 0, 0};
    field.title =
        canvas_words(canvas, field.title, 1, (const char *const[]){name ? name : ""});
    help_draw_cell_field(canvas, &field, cell);
}

static void draw_over(const Session *session, Scene *scene, const TextMetrics *metrics) {
    Canvas canvas = canvas_of(session, scene, metrics);
    if (session->help)
        draw_help(session, &canvas);
    if (is_practising(session) && !practise_exercise(&session->practise.round) &&
        !session->help) {
        PractisePanel panel = practise_panel(session);
        practise_score_draw(&canvas, &panel);
    }
    if (session->prompt)
        draw_prompt(session, &canvas);
    if (session->switching && session->view == SESSION_LESSON)
        draw_switches(session, &canvas);
    if (session->opening.told)
        help_draw_notice(&canvas, canvas_string(&canvas, "page.opening"));
}

void session_draw(Session *session, Scene *scene, Arena *arena,
                  const TextMetrics *metrics, double width, double height,
                  bool interactive) {
    session->width = width;
    session->height = height;
    if (interactive && (width < LEAST_WIDTH || height < LEAST_HEIGHT)) {
        scene_init(scene, arena, width, height, session->theme->page);
        Canvas canvas = canvas_of(session, scene, metrics);
        help_draw_too_small(&canvas, LEAST_WIDTH, LEAST_HEIGHT);
        return;
    }
    switch (session->view) {
    case SESSION_OVERVIEW:
        draw_overview(session, scene, arena, metrics, interactive);
        break;
    case SESSION_LESSON:
        draw_lesson(session, scene, arena, metrics, interactive);
        break;
    case SESSION_OPENING:
        scene_init(scene, arena, width, height, session->theme->page);
        break;
    }
    if (interactive)
        draw_over(session, scene, metrics);
}

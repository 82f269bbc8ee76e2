#include "picture/page/notes_page.h"

#include "lesson/content/content.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"

#include <math.h>
#include <string.h>

static const double MARGIN = 36, BAR = 84, GAP = 28;
/* Largest fraction of the width for the presented page. */
static const double SEEN_FRACTION = 0.42;
static const double CAPTION = 30, EDGE = 2;
static const double TIME_UNITS = 40, CLOCK_UNITS = 26, TITLE_UNITS = 24,
                    CAPTION_UNITS = 18, NOTES_UNITS = 46, LEAST_NOTES = 18,
                    SHORT_NOTES = 30; /* readable size of short notes in points */
static const double LEADING = 1.4;
enum { LINES_MOST = 30 };

/* Speaker's notes of the step, else its own sentences. */
static const char *notes_of(const NotesPage *notes, bool *own) {
    const Page *page = notes->shown;
    const LessonStep *words = player_words(page->player, page->player->step);
    const char *text = text_in(&words->notes, page->language);
    *own = text && text[0];
    return *own ? text : text_in(&words->say, page->language);
}

/* Draws "07 · One attention head     12:34   14:05". */
static void draw_bar(const NotesPage *notes, const Canvas *canvas, Box area) {
    const Theme *theme = canvas->theme;
    const Page *page = notes->shown;
    const Player *player = page->player;
    canvas_fill(canvas, area, 0, theme->bar);
    double baseline = area.y + area.h * 0.64, right = area.x + area.w - MARGIN;
    size_t seconds = (size_t)fmax(notes->elapsed, 0);
    const char *clock = canvas_format(canvas, "%02d:%02d", notes->hour, notes->minute);
    const char *since = canvas_format(canvas, "%zu:%02zu", seconds / 60, seconds % 60);
    right = canvas_label(canvas, FONT_TEXT, CLOCK_UNITS, theme->ink_soft,
                         (Point){right, baseline}, LABEL_RIGHT, clock)
                .x -
            GAP;
    right = canvas_label(canvas, FONT_BOLD, TIME_UNITS, theme->ink,
                         (Point){right, baseline}, LABEL_RIGHT, since)
                .x -
            GAP;
    const char *step = canvas_words(
        canvas, "page.step_of", canvas_count(canvas, player_statement(player) + 1),
        canvas_count(canvas, player_statement_count(player)), NULL);
    const char *title = text_in(&player->lesson->title, page->language);
    if (page->number)
        title = canvas_format(canvas, "%zu · %s", page->number, title);
    title = canvas_format(canvas, "%s  ·  %s", title, step);
    canvas_text_within(canvas, FONT_TEXT, canvas_size(canvas, TITLE_UNITS, title),
                       right - MARGIN, theme->ink, (Point){MARGIN, baseline}, LABEL_LEFT,
                       title);
}

static void draw_caption(const Canvas *canvas, const char *caption, Box *column) {
    canvas_line(canvas, FONT_BOLD, CAPTION_UNITS, canvas->theme->ink_soft,
                box_take_top(column, CAPTION), caption);
}

/* Draws a small page with a caption above it. */
static void draw_small(const Canvas *canvas, const Page *page, const char *caption,
                       Box box) {
    draw_caption(canvas, caption, &box);
    page_draw_small(canvas->scene, page, box);
    canvas_outline(canvas, box, 0, canvas->theme->line, EDGE);
}

static void draw_next(const NotesPage *notes, const Canvas *canvas, Box box) {
    const char *caption = canvas_string(canvas, "present.next_step");
    if (notes->next) {
        draw_small(canvas, notes->next, caption, box);
        return;
    }
    draw_caption(canvas, caption, &box);
    const char *after = notes->after ? notes->after : "";
    canvas_paragraph(canvas, FONT_TEXT, canvas_size(canvas, TITLE_UNITS, after),
                     canvas->theme->ink, box, round(TITLE_UNITS * LEADING), 4, after);
}

/* Largest size at which the notes fit an area, and their height at it. */
static double notes_size(const NotesPage *notes, const Canvas *canvas, Box area,
                         double *tall) {
    bool own;
    const char *text = notes_of(notes, &own);
    double size = canvas_size(canvas, NOTES_UNITS, text);
    double least = canvas_size(canvas, LEAST_NOTES, text);
    for (;; size--) {
        *tall =
            paragraph_measure_with(canvas->metrics, canvas->insets, FONT_TEXT, size,
                                   area.w, round(size * LEADING), LINES_MOST, text, NULL);
        if (*tall <= area.h || size <= least)
            return size;
    }
}

static void draw_notes(const NotesPage *notes, const Canvas *canvas, Box area) {
    bool own;
    double tall;
    const char *text = notes_of(notes, &own);
    double size = notes_size(notes, canvas, area, &tall), leading = round(size * LEADING);
    size_t lines = (size_t)fmax(floor(area.h / leading), 1);
    paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_TEXT, size,
                        own ? canvas->theme->ink : canvas->theme->ink_soft, area, leading,
                        lines, text);
}

/* Boxes of the page's parts. */
typedef struct NotesLayout {
    Box notes_box, seen, next;
} NotesLayout;

/* Lays out long notes beside the two pages, which stand one above the other. */
static NotesLayout lay_out_long(Box rest, double shape) {
    double high = (rest.h - GAP) / 2;
    double wide = round(fmin(rest.w * SEEN_FRACTION, (high - CAPTION) * shape));
    high = CAPTION + wide / shape;
    Box seen = {rest.x + rest.w - wide, rest.y, wide, high};
    return (NotesLayout){.notes_box = {rest.x, rest.y, rest.w - wide - GAP, rest.h},
                         .seen = seen,
                         .next = {seen.x, seen.y + high + GAP, wide, high}};
}

/* Lays out short notes above the pages, which are larger then. */
static NotesLayout lay_out_short(Box rest, double shape) {
    double wide = round((rest.w - GAP) / 2), high = CAPTION + wide / shape;
    Box below = box_take_bottom(&rest, high);
    box_take_bottom(&rest, GAP);
    return (NotesLayout){.notes_box = rest,
                         .seen = {below.x, below.y, wide, high},
                         .next = {below.x + below.w - wide, below.y, wide, high}};
}

static NotesLayout lay_out(const NotesPage *notes, const Canvas *canvas, Box rest) {
    double shape = notes->shown->width / notes->shown->height, tall;
    NotesLayout layout = lay_out_short(rest, shape);
    bool short_notes =
        layout.notes_box.h > 0 &&
        notes_size(notes, canvas, layout.notes_box, &tall) >= SHORT_NOTES &&
        tall <= layout.notes_box.h;
    return short_notes ? layout : lay_out_long(rest, shape);
}

void notes_page_draw(Scene *scene, const NotesPage *notes) {
    const Page *page = notes->shown;
    scene_set_lines(scene, page->theme->lines);
    Canvas canvas = {.scene = scene,
                     .theme = page->theme,
                     .metrics = page->metrics,
                     .language = page->language};
    SentenceNames names;
    sentence_names_use(&names, &canvas, page->player->lesson->tape);
    Box rest = {0, 0, scene->width, scene->height};
    draw_bar(notes, &canvas, box_take_top(&rest, BAR));
    rest = (Box){rest.x + MARGIN, rest.y + GAP / 2, rest.w - 2 * MARGIN,
                 rest.h - GAP / 2 - MARGIN};
    NotesLayout at = lay_out(notes, &canvas, rest);
    draw_small(&canvas, page,
               notes->state ? notes->state : canvas_string(&canvas, "present.now"),
               at.seen);
    draw_next(notes, &canvas, at.next);
    draw_notes(notes, &canvas, at.notes_box);
}

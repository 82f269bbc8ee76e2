#include "picture/page/page.h"
#include "picture/page/page_parts.h"

#include "lesson/content/content.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double MARGIN = 36, BAR = 84, GAP = 28, CAPTION = 30, EDGE = 2;
/* Largest fraction of the width for the presented page. */
static const double SEEN_FRACTION = 0.42;
static const double NOTES = 46, LEAST_NOTES = 18, /* sizes of the notes */
    SHORT_NOTES = 30;                             /* readable size of short notes */
static const double NOTES_SPACING = 1.4;
enum { LINES_MOST = 30, AFTER_LINES = 4 };

/* Speaker's notes of the step, else its own sentences. */
static TextBlock notes_of(const NotesPage *notes, const Canvas *canvas) {
    const Page *page = notes->shown;
    const LessonStep *words = player_words(page->player, page->player->step);
    const char *text = text_in(&words->notes, page->language);
    bool own = text && text[0];
    TextBlock block = text_block(
        canvas, FONT_TEXT, NOTES, own ? canvas->theme->ink : canvas->theme->ink_soft,
        LINES_MOST, own ? text : text_in(&words->say, page->language));
    block.spacing = NOTES_SPACING;
    return block;
}

/* Draws "07 · One attention head     12:34   14:05". */
static void draw_bar(const NotesPage *notes, const Canvas *canvas, Box area) {
    const Theme *theme = canvas->theme;
    const Player *player = notes->shown->player;
    canvas_fill(canvas, area, 0, theme->bar);
    area = box_narrowed(area, MARGIN);
    size_t seconds = (size_t)fmax(notes->elapsed, 0);
    Box clock =
        text_line(canvas, FONT_TEXT, TYPE_HEAD, theme->ink_soft, area, LABEL_RIGHT,
                  canvas_format(canvas, "%02d:%02d", notes->hour, notes->minute));
    box_take_right(&area, clock.w + GAP);
    Box since = text_line(canvas, FONT_BOLD, TYPE_POSTER, theme->ink, area, LABEL_RIGHT,
                          canvas_format(canvas, "%zu:%02zu", seconds / 60, seconds % 60));
    box_take_right(&area, since.w + GAP);
    const char *step = canvas_words(
        canvas, "page.step_of", canvas_count(canvas, player_statement(player) + 1),
        canvas_count(canvas, player_statement_count(player)), NULL);
    text_line(canvas, FONT_TEXT, TYPE_HEAD, theme->ink, area, LABEL_LEFT,
              canvas_format(canvas, "%s  ·  %s", page_title(canvas, notes->shown), step));
}

static void draw_caption(const Canvas *canvas, const char *caption, Box *column) {
    text_line(canvas, FONT_BOLD, TYPE_TEXT, canvas->theme->ink_soft,
              box_take_top(column, CAPTION), LABEL_LEFT, caption);
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
    TextBlock after = text_block(canvas, FONT_TEXT, TYPE_HEAD, canvas->theme->ink,
                                 AFTER_LINES, notes->after ? notes->after : "");
    text_block_draw(canvas, &after, box);
}

static void draw_notes(const NotesPage *notes, const Canvas *canvas, Box area) {
    TextBlock block = notes_of(notes, canvas);
    text_block_fit(canvas, &block, area.w, area.h);
    block.size = fmax(block.size, LEAST_NOTES);
    double lines = floor(area.h / round(block.size * NOTES_SPACING));
    block.most = (size_t)fmax(lines, 1);
    text_block_draw(canvas, &block, area);
}

/* Boxes of the page's parts. */
typedef struct NotesLayout {
    Box notes_box, seen, next;
} NotesLayout;

/* Lays out long notes beside the two pages, which stand one above the other. */
static NotesLayout lay_out_long(Box rest, double shape) {
    double high = (rest.h - GAP) / 2;
    double wide = round(fmin(rest.w * SEEN_FRACTION, (high - CAPTION) * shape));
    Box column = box_take_right(&rest, wide);
    box_take_right(&rest, GAP);
    NotesLayout layout = {.notes_box = rest,
                          .seen = box_take_top(&column, CAPTION + wide / shape)};
    box_take_top(&column, GAP);
    layout.next = box_take_top(&column, CAPTION + wide / shape);
    return layout;
}

/* Lays out short notes above the pages, which are larger then. */
static NotesLayout lay_out_short(Box rest, double shape) {
    double wide = round((rest.w - GAP) / 2);
    Box below = box_take_bottom(&rest, CAPTION + wide / shape);
    box_take_bottom(&rest, GAP);
    return (NotesLayout){.notes_box = rest,
                         .seen = box_take_left(&below, wide),
                         .next = box_take_right(&below, wide)};
}

static NotesLayout lay_out(const NotesPage *notes, const Canvas *canvas, Box rest) {
    double shape = notes->shown->width / notes->shown->height;
    NotesLayout layout = lay_out_short(rest, shape);
    Box box = layout.notes_box;
    TextBlock block = notes_of(notes, canvas);
    bool short_notes = box.h > 0 &&
                       text_block_fit(canvas, &block, box.w, box.h) <= box.h &&
                       block.size >= SHORT_NOTES;
    return short_notes ? layout : lay_out_long(rest, shape);
}

void notes_page_draw(Scene *scene, const NotesPage *notes) {
    PageDrawing drawing;
    const Canvas *canvas = &drawing.canvas;
    page_drawing_init(&drawing, scene, notes->shown);
    Box rest = {0, 0, scene->width, scene->height};
    draw_bar(notes, canvas, box_take_top(&rest, BAR));
    box_take_top(&rest, GAP / 2);
    box_take_bottom(&rest, MARGIN);
    rest = box_narrowed(rest, MARGIN);
    NotesLayout at = lay_out(notes, canvas, rest);
    draw_small(canvas, notes->shown,
               notes->state ? notes->state : canvas_string(canvas, "present.now"),
               at.seen);
    draw_next(notes, canvas, at.next);
    draw_notes(notes, canvas, at.notes_box);
}

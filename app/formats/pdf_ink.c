#include "formats/formats_parts.h"

#include "base/array.h"
#include "base/strings/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR_PEN = 2 /* of VECTOR_EM */ };

/* ---- texts ---- */

void pdf_utf16(Writer *writer, const char *text) {
    size_t length = strlen(text), offset = 0;
    while (offset < length) {
        uint32_t c = utf8_next(text, length, &offset);
        if (c > 0xFFFF)
            writer_format(writer, "%04x%04x", (unsigned)(0xD7C0 + (c >> 10)),
                          (unsigned)(0xDC00 + (c & 0x3FF)));
        else
            writer_format(writer, "%04x", (unsigned)c);
    }
}

void pdf_string(Writer *writer, const char *text) {
    writer_text(writer, "<feff");
    pdf_utf16(writer, text);
    writer_text(writer, ">");
}

/* ---- beginning ---- */

void pdf_ink_init(PdfInk *ink, Fonts *fonts, Arena *arena) {
    *ink =
        (PdfInk){.arena = arena, .fonts = fonts, .met = {.arena = arena, .fonts = fonts}};
}

/* Numbers, each with a blank behind it. */
static void put(Writer *writer, const double *values, size_t count) {
    vector_numbers(writer, values, count);
    writer_text(writer, " ");
}

static void put_color(PdfInk *ink, Writer *writer, Color color, const char *operator) {
    writer_format(writer, "/A%u gs ", (unsigned)color.a);
    ink->opacities[color.a] = true;
    const uint8_t parts[] = {color.r, color.g, color.b};
    for (size_t i = 0; i < 3; i++)
        writer_format(writer, "%.4g ", parts[i] / 255.0);
    writer_text(writer, operator);
}

/* ---- shapes ---- */

/* A rectangle whose corners are quarter circles. Source: a cubic curve comes nearest with
 * its control points 0.5523 of the radius from the ends. */
static void put_rounded(Writer *writer, Box box, double radius) {
    double l = box.x, t = box.y, r = box.x + box.w, b = box.y + box.h;
    double in = radius * (1 - 0.5523);
    const double corners[4][8] = {{r - radius, t, r - in, t, r, t + in, r, t + radius},
                                  {r, b - radius, r, b - in, r - in, b, r - radius, b},
                                  {l + radius, b, l + in, b, l, b - in, l, b - radius},
                                  {l, t + radius, l, t + in, l + in, t, l + radius, t}};
    put(writer, corners[3] + 6, 2);
    writer_text(writer, "m ");
    for (int i = 0; i < 4; i++) {
        put(writer, corners[i], 2);
        writer_text(writer, "l ");
        put(writer, corners[i] + 2, 6);
        writer_text(writer, "c ");
    }
    writer_text(writer, "h ");
}

static void put_rectangle(Writer *writer, Box box, double radius) {
    if (radius > 0) {
        put_rounded(writer, box, radius);
        return;
    }
    put(writer, (double[]){box.x, box.y, box.w, box.h}, 4);
    writer_text(writer, "re ");
}

static void draw_rectangle(PdfInk *ink, Writer *writer, const SceneItem *item) {
    double radius, outline = vector_outline(item);
    Box box = vector_inset(item, outline, &radius);
    if (item->fill.a) {
        put_color(ink, writer, item->fill, "rg ");
        put_rectangle(writer, box, radius);
        writer_text(writer, "f\n");
    }
    if (outline > 0) {
        put_color(ink, writer, item->stroke, "RG ");
        put(writer, &outline, 1);
        writer_text(writer, "w ");
        put_rectangle(writer, box, radius);
        writer_text(writer, "S\n");
    }
}

static void put_points(Writer *writer, const SceneItem *item) {
    for (size_t i = 0; i < item->count; i++) {
        put(writer, (double[]){item->points[i].x, item->points[i].y}, 2);
        writer_text(writer, i ? "l " : "m ");
    }
}

static void draw_line(PdfInk *ink, Writer *writer, const SceneItem *item) {
    const Point *first = &item->points[0], *last = &item->points[item->count - 1];
    bool closed = item->count > 2 && first->x == last->x && first->y == last->y;
    put_color(ink, writer, item->fill, "RG ");
    put(writer, &item->width, 1);
    writer_text(writer, "w ");
    put_points(writer, item);
    writer_text(writer, closed ? "s\n" : "S\n");
}

static void draw_polygon(PdfInk *ink, Writer *writer, const SceneItem *item) {
    put_color(ink, writer, item->fill, "rg ");
    put_points(writer, item);
    writer_text(writer, "h f*\n");
}

static void draw_pixels(Writer *writer, const SceneItem *item, const VectorImage *image) {
    Box box = item->box;
    writer_text(writer, "q ");
    put(writer, (double[]){box.w, 0, 0, -box.h, box.x, box.y + box.h}, 6);
    writer_format(writer, "cm BI /W %zu /H %zu /BPC 8 /CS /RGB /F /AHx ID ", image->width,
                  image->height);
    for (size_t i = 0; i < image->width * image->height; i++)
        writer_format(writer, "%06x", (unsigned)(image->pixels[i] & 0xFFFFFF));
    writer_text(writer, "> EI Q\n");
}

static void draw_image(PdfInk *ink, Writer *writer, const SceneItem *item) {
    VectorImage image;
    if (!vector_image(&image, ink->arena, item))
        return;
    if (image.width * image.height > VECTOR_FEW_CELLS) {
        draw_pixels(writer, item, &image);
        return;
    }
    for (size_t i = 0; i < image.width * image.height; i++) {
        Color color;
        Box cell = vector_cell(&image, item, i, &color);
        put_color(ink, writer, color, "rg ");
        put_rectangle(writer, cell, 0);
        writer_text(writer, "f\n");
    }
}

/* ---- letters ---- */

typedef struct Outline {
    Writer writer;
    Point at; /* where the pen is */
} Outline;

/* A curve with one control point is one with two, a third of the way from it. */
static void add_part(void *context, const OutlinePart *part) {
    Outline *outline = context;
    const Point *p = part->points;
    Point a = outline->at, parts[3] = {p[0], p[1], p[2]};
    size_t count = part->kind == 'Q' || part->kind == 'C' ? 3 : 1;
    if (part->kind == 'Q') {
        parts[0] = (Point){(a.x + 2 * p[0].x) / 3, (a.y + 2 * p[0].y) / 3};
        parts[1] = (Point){(p[1].x + 2 * p[0].x) / 3, (p[1].y + 2 * p[0].y) / 3};
        parts[2] = p[1];
    }
    for (size_t i = 0; i < count; i++)
        writer_format(&outline->writer, "%ld %ld ", lround(parts[i].x * VECTOR_EM),
                      lround(parts[i].y * VECTOR_EM));
    writer_text(&outline->writer, part->kind == 'M' ? "m " : count == 1 ? "l " : "c ");
    outline->at = parts[count - 1];
}

/* Its number, and its procedure once. */
static uint32_t meet_glyph(PdfInk *ink, const PlacedGlyph *placed) {
    bool is_new;
    uint32_t number = glyph_set_add(&ink->met, placed->face, placed->index, &is_new);
    if (!is_new)
        return number;
    ink->glyphs = array_reserve(ink->arena, ink->glyphs, number - 1, &ink->capacity,
                                sizeof *ink->glyphs);
    Outline outline = {.writer = {.arena = ink->arena}};
    long advance = lround(placed->advance * VECTOR_EM);
    writer_format(&outline.writer, "%ld 0 0 -%d %ld %d d1 ", advance, VECTOR_EM,
                  advance > VECTOR_EM ? advance : VECTOR_EM, VECTOR_EM);
    size_t empty = outline.writer.length;
    vector_need(ink->arena, typeface_outline(fonts_typeface(ink->fonts, placed->face),
                                             placed->index, add_part, &outline));
    if (outline.writer.length > empty)
        writer_text(&outline.writer, "f");
    char *text = arena_copy(ink->arena, placed->text, placed->length);
    ink->glyphs[number - 1] = (PdfGlyph){outline.writer.text, advance, text};
    return number;
}

/* A text being written: the font it is in, and where the last glyph's advance led. */
typedef struct Line {
    PdfInk *ink;
    Writer *writer;
    uint32_t font; /* from 1; 0: none yet */
    bool in_codes; /* between < and > */
    long pen;      /* in 1 / VECTOR_EM ems */
} Line;

static void end_codes(Line *line) {
    if (line->in_codes)
        writer_text(line->writer, ">");
    line->in_codes = false;
}

static void choose_font(Line *line, uint32_t font) {
    if (font == line->font)
        return;
    end_codes(line);
    writer_format(line->writer, "%s/F%u 1 Tf [", line->font ? "] TJ " : "",
                  (unsigned)font);
    line->font = font;
}

/* Moves the pen where it is further off than advances are rounded by. */
static void move_pen(Line *line, long x) {
    if (labs(line->pen - x) <= NEAR_PEN)
        return;
    end_codes(line);
    writer_format(line->writer, "%ld", line->pen - x);
    line->pen = x;
}

static void place_glyph(void *context, const PlacedGlyph *placed) {
    Line *line = context;
    uint32_t number = meet_glyph(line->ink, placed);
    choose_font(line, (number - 1) / PDF_FONT_GLYPHS + 1);
    move_pen(line, lround(placed->x * VECTOR_EM));
    bool raised = fabs(placed->y) * VECTOR_EM >= 1; /* as marks over letters are */
    if (raised) {
        end_codes(line);
        writer_format(line->writer, "] TJ %.3f Ts [", placed->y);
    }
    if (!line->in_codes)
        writer_text(line->writer, "<");
    line->in_codes = true;
    writer_format(line->writer, "%02x", (unsigned)(number - 1) % PDF_FONT_GLYPHS);
    if (raised) {
        end_codes(line);
        writer_text(line->writer, "] TJ 0 Ts [");
    }
    line->pen += line->ink->glyphs[number - 1].advance;
}

static void draw_text(PdfInk *ink, Writer *writer, const SceneItem *item) {
    static const double DEGREES = 180 / 3.14159265358979323846;
    double right = item->size * cos(item->angle / DEGREES);
    double up = item->size * sin(item->angle / DEGREES);
    put_color(ink, writer, item->fill, "rg ");
    writer_text(writer, "BT ");
    put(writer, (double[]){right, -up, -up, -right, item->origin.x, item->origin.y}, 6);
    writer_text(writer, "Tm ");
    Line line = {.ink = ink, .writer = writer};
    vector_need(ink->arena,
                fonts_place(ink->fonts, item->font, item->text, place_glyph, &line));
    end_codes(&line);
    writer_text(writer, line.font ? "] TJ ET\n" : "ET\n");
}

/* ---- all of it ---- */

static void begin_clip(Writer *writer, const SceneItem *item) {
    writer_text(writer, "q ");
    put_rectangle(writer, item->box, 0);
    writer_text(writer, "W n\n");
}

static void draw_item(PdfInk *ink, Writer *writer, const SceneItem *item) {
    switch (item->kind) {
    case SCENE_RECTANGLE:
        draw_rectangle(ink, writer, item);
        break;
    case SCENE_LINE:
        draw_line(ink, writer, item);
        break;
    case SCENE_POLYGON:
        draw_polygon(ink, writer, item);
        break;
    case SCENE_TEXT:
        draw_text(ink, writer, item);
        break;
    case SCENE_IMAGE:
        draw_image(ink, writer, item);
        break;
    case SCENE_CLIP:
        begin_clip(writer, item);
        break;
    case SCENE_UNCLIP:
        writer_text(writer, "Q\n");
        break;
    }
}

/* Begins the words that stand for the following items, after the end of those before;
 * NULL: each text stands for itself. */
static void change_words(Writer *writer, const char *before, const char *aloud) {
    if (before)
        writer_text(writer, "EMC\n");
    if (!aloud)
        return;
    writer_text(writer, "/Span<</ActualText");
    pdf_string(writer, aloud);
    writer_text(writer, ">>BDC\n");
}

void pdf_ink_draw(PdfInk *ink, Writer *writer, const Scene *scene, double x, double y,
                  double scale) {
    SceneItem page = {.kind = SCENE_RECTANGLE,
                      .box = {0, 0, scene->width, scene->height},
                      .fill = scene->background};
    writer_format(writer, "q %.6f 0 0 %.6f %.3f %.3f cm 1 j\n", scale, -scale, x, y);
    begin_clip(writer, &page);
    draw_item(ink, writer, &page);
    const char *aloud = NULL;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (!vector_visible(item))
            continue;
        if (item->aloud != aloud)
            change_words(writer, aloud, item->aloud);
        aloud = item->aloud;
        draw_item(ink, writer, item);
    }
    change_words(writer, aloud, NULL);
    writer_text(writer, "Q Q\n");
}

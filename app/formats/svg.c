#include "formats/formats_parts.h"

#include "base/strings/utf8.h"

#include <math.h>
#include <string.h>

enum { SVG_MAX_MEMORY = 256 << 20 };

/* Straight edges along the axes are fitted to whole pixels, as painted pictures have
 * them. The text that is searched lies over its outlines. */
const char svg_style[] = "rect,line{shape-rendering:crispEdges}"
                         "rect[rx]{shape-rendering:auto}"
                         "text{font:1000px sans-serif;fill-opacity:0}"
                         "image{image-rendering:pixelated}";

void svg_init(Svg *svg, Fonts *fonts, Png *png, Arena *arena) {
    *svg = (Svg){.fonts = fonts,
                 .png = png,
                 .met = {.arena = arena, .fonts = fonts},
                 .outlines = {.arena = arena},
                 .body = {.arena = arena}};
}

/* ---- attributes ---- */

static void put_attribute(Writer *writer, const char *name, double value) {
    writer_format(writer, " %s=\"", name);
    vector_number(writer, value);
    writer_text(writer, "\"");
}

/* fill="#abc" fill-opacity=".5" */
static void put_color(Writer *writer, const char *name, Color color) {
    if (color.r % 17 == 0 && color.g % 17 == 0 && color.b % 17 == 0)
        writer_format(writer, " %s=\"#%x%x%x\"", name, color.r / 17U, color.g / 17U,
                      color.b / 17U);
    else
        writer_format(writer, " %s=\"#%02x%02x%02x\"", name, (unsigned)color.r,
                      (unsigned)color.g, (unsigned)color.b);
    if (color.a == 255)
        return;
    writer_format(writer, " %s-opacity=\"", name);
    vector_number(writer, color.a / 255.0);
    writer_text(writer, "\"");
}

void svg_box(Writer *writer, Box box) {
    put_attribute(writer, "x", box.x);
    put_attribute(writer, "y", box.y);
    put_attribute(writer, "width", box.w);
    put_attribute(writer, "height", box.h);
}

/* Source: XML 1.0, section 2.2: characters. A byte that isn't UTF-8 is U+FFFD, too. */
void svg_text(Writer *writer, const char *text) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        char character[4];
        uint32_t c = utf8_next(text, length, &at);
        const char *instead = c == '&'                     ? "&amp;"
                              : c == '<'                   ? "&lt;"
                              : c == '>'                   ? "&gt;"
                              : c == '"'                   ? "&quot;"
                              : c < ' ' && c != '\n'       ? " "
                              : c == 0xFFFE || c == 0xFFFF ? "\uFFFD"
                                                           : NULL;
        if (instead)
            writer_text(writer, instead);
        else
            writer_put(writer, character, utf8_encode(c, character));
    }
}

const char *svg_xml(Arena *arena, const char *text) {
    Writer writer = {.arena = arena};
    svg_text(&writer, text ? text : "");
    return writer.text ? writer.text : "";
}

/* ---- items ---- */

static void draw_rectangle(Svg *svg, const SceneItem *item) {
    Writer *body = &svg->body;
    double radius, outline = vector_outline(item);
    Box box = vector_inset(item, outline, &radius);
    writer_text(body, "<rect");
    svg_box(body, box);
    if (radius > 0)
        put_attribute(body, "rx", radius);
    if (item->fill.a)
        put_color(body, "fill", item->fill);
    else
        writer_text(body, " fill=\"none\"");
    if (outline > 0) {
        put_color(body, "stroke", item->stroke);
        if (outline != 1)
            put_attribute(body, "stroke-width", outline);
    }
    writer_text(body, "/>\n");
}

static void put_points(Writer *writer, const SceneItem *item) {
    writer_text(writer, " d=\"");
    for (size_t i = 0; i < item->count; i++) {
        writer_text(writer, i == 0 ? "M" : i == 1 ? "L" : " ");
        vector_numbers(writer, (double[]){item->points[i].x, item->points[i].y}, 2);
    }
}

static void draw_line(Svg *svg, const SceneItem *item) {
    Writer *body = &svg->body;
    const Point *a = &item->points[0], *b = &item->points[1];
    if (item->count == 2 && (a->x == b->x || a->y == b->y)) {
        writer_text(body, "<line");
        put_attribute(body, "x1", a->x);
        put_attribute(body, "y1", a->y);
        put_attribute(body, "x2", b->x);
        put_attribute(body, "y2", b->y);
    } else {
        writer_text(body, "<path fill=\"none\" stroke-linejoin=\"round\"");
        put_points(body, item);
        const Point *end = &item->points[item->count - 1];
        writer_text(body,
                    item->count > 2 && a->x == end->x && a->y == end->y ? "z\"" : "\"");
    }
    put_color(body, "stroke", item->fill);
    if (item->width != 1)
        put_attribute(body, "stroke-width", item->width);
    writer_text(body, "/>\n");
}

static void draw_polygon(Svg *svg, const SceneItem *item) {
    writer_text(&svg->body, "<path fill-rule=\"evenodd\"");
    put_points(&svg->body, item);
    writer_text(&svg->body, "z\"");
    put_color(&svg->body, "fill", item->fill);
    writer_text(&svg->body, "/>\n");
}

/* ---- letters ---- */

/* An outline in the writing: relative numbers are shorter. */
typedef struct Outline {
    Writer *writer;
    long x, y; /* where the pen is */
    bool begun;
} Outline;

static void put_part(void *context, const OutlinePart *part) {
    Outline *outline = context;
    Writer *writer = outline->writer;
    size_t count = part->kind == 'C' ? 3 : part->kind == 'Q' ? 2 : 1;
    long x = outline->x, y = outline->y;
    if (part->kind == 'M' && outline->begun)
        writer_text(writer, "z");
    char letter = part->kind == 'M' ? 'M' : (char)(part->kind - 'A' + 'a');
    writer_put(writer, &letter, 1);
    for (size_t i = 0; i < count; i++) {
        outline->x = lround(part->points[i].x * VECTOR_EM);
        outline->y = -lround(part->points[i].y * VECTOR_EM);
        long right = outline->x - (letter == 'M' ? 0 : x);
        long down = outline->y - (letter == 'M' ? 0 : y);
        writer_format(writer, i && right >= 0 ? " %ld" : "%ld", right);
        writer_format(writer, down >= 0 ? " %ld" : "%ld", down);
    }
    outline->begun = true;
}

static void put_outline(Svg *svg, uint32_t number, const PlacedGlyph *glyph) {
    writer_format(&svg->outlines, "<path id=\"g%x\" d=\"", (unsigned)number);
    Outline outline = {.writer = &svg->outlines};
    vector_need(svg->body.arena, typeface_outline(fonts_typeface(svg->fonts, glyph->face),
                                                  glyph->index, put_part, &outline));
    writer_text(&svg->outlines, outline.begun ? "z\"/>\n" : "\"/>\n");
}

static void put_glyph(void *context, const PlacedGlyph *glyph) {
    Svg *svg = context;
    bool is_new;
    uint32_t number = glyph_set_add(&svg->met, glyph->face, glyph->index, &is_new);
    if (glyph->length == 1 && *glyph->text == ' ')
        return;
    if (is_new)
        put_outline(svg, number, glyph);
    writer_format(&svg->body, "<use xlink:href=\"#g%x\"", (unsigned)number);
    long x = lround(glyph->x * VECTOR_EM), y = -lround(glyph->y * VECTOR_EM);
    if (x)
        writer_format(&svg->body, " x=\"%ld\"", x);
    if (y)
        writer_format(&svg->body, " y=\"%ld\"", y);
    writer_text(&svg->body, "/>");
}

/* Draws a text, and over it, not to be seen, `words` across `width` points for searching
 * and copying; NULL: the words of an item before cover it. */
static void draw_text(Svg *svg, const SceneItem *item, const char *words, double width) {
    Writer *body = &svg->body;
    writer_text(body, "<g transform=\"translate(");
    vector_numbers(body, (double[]){item->origin.x, item->origin.y}, 2);
    writer_text(body, ")");
    if (item->angle != 0) {
        writer_text(body, "rotate(");
        vector_number(body, -item->angle);
        writer_text(body, ")");
    }
    writer_format(body, "scale(%.6g)\"", item->size / VECTOR_EM);
    put_color(body, "fill", item->fill);
    writer_text(body, ">");
    vector_need(body->arena,
                fonts_place(svg->fonts, item->font, item->text, put_glyph, svg));
    if (words && *words) {
        writer_format(body, "<text textLength=\"%ld\">",
                      lround(width / item->size * VECTOR_EM));
        svg_text(body, words);
        writer_text(body, "</text>");
    }
    writer_text(body, "</g>\n");
}

/* Draws text number `index` of a scene with the words that it is read as: a formula's
 * stand over all of its texts. */
static void draw_words(Svg *svg, const Scene *scene, size_t index) {
    const SceneItem *items = scene->items, *item = &items[index];
    const char *words = item->aloud ? item->aloud : item->text;
    double right = item->box.x + item->box.w;
    for (size_t i = index; item->aloud && i-- > 0 && items[i].aloud == item->aloud;) {
        if (items[i].kind == SCENE_TEXT)
            words = NULL;
    }
    for (size_t i = index + 1;
         item->aloud && i < scene->count && items[i].aloud == item->aloud; i++) {
        if (items[i].kind == SCENE_TEXT)
            right = fmax(right, items[i].box.x + items[i].box.w);
    }
    draw_text(svg, item, words, right - item->box.x);
}

/* ---- images ---- */

void svg_base64(Writer *writer, const uint8_t *bytes, size_t size) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned three = (unsigned)bytes[i] << 16 |
                         (i + 1 < size ? (unsigned)bytes[i + 1] << 8 : 0) |
                         (i + 2 < size ? bytes[i + 2] : 0);
        char four[4];
        for (unsigned k = 0; k < 4; k++)
            four[k] = i + k <= size ? letters[three >> (18 - 6 * k) & 63] : '=';
        writer_put(writer, four, 4);
    }
}

static void draw_cells(Svg *svg, const SceneItem *item, const VectorImage *image) {
    for (size_t i = 0; i < image->width * image->height; i++) {
        Color color;
        Box cell = vector_cell(image, item, i, &color);
        writer_text(&svg->body, "<rect");
        svg_box(&svg->body, cell);
        put_color(&svg->body, "fill", color);
        writer_text(&svg->body, "/>\n");
    }
}

static void draw_pixels(Svg *svg, const SceneItem *item, const VectorImage *image) {
    size_t size;
    Error error;
    Arena *arena = svg->body.arena;
    vector_need(arena, png_begin(svg->png, image->width, image->height, &error));
    png_add(svg->png, image->pixels, image->height, image->width);
    const uint8_t *bytes = png_pack(svg->png, &size, &error);
    vector_need(arena, bytes);
    writer_text(&svg->body, "<image preserveAspectRatio=\"none\"");
    svg_box(&svg->body, item->box);
    writer_text(&svg->body, " xlink:href=\"data:image/png;base64,");
    svg_base64(&svg->body, bytes, size);
    writer_text(&svg->body, "\"/>\n");
}

static void draw_image(Svg *svg, const SceneItem *item) {
    VectorImage image;
    if (!vector_image(&image, svg->body.arena, item))
        return;
    if (image.width * image.height <= VECTOR_FEW_CELLS)
        draw_cells(svg, item, &image);
    else
        draw_pixels(svg, item, &image);
}

/* ---- all of it ---- */

static void begin_clip(Svg *svg, const SceneItem *item) {
    svg->clip_count++;
    writer_format(&svg->body, "<clipPath id=\"c%zx\"><rect", svg->clip_count);
    svg_box(&svg->body, item->box);
    writer_format(&svg->body, "/></clipPath><g clip-path=\"url(#c%zx)\">\n",
                  svg->clip_count);
}

static void draw_item(Svg *svg, const Scene *scene, size_t index) {
    const SceneItem *item = &scene->items[index];
    switch (item->kind) {
    case SCENE_RECTANGLE:
        draw_rectangle(svg, item);
        break;
    case SCENE_LINE:
        draw_line(svg, item);
        break;
    case SCENE_POLYGON:
        draw_polygon(svg, item);
        break;
    case SCENE_TEXT:
        draw_words(svg, scene, index);
        break;
    case SCENE_IMAGE:
        draw_image(svg, item);
        break;
    case SCENE_CLIP:
        begin_clip(svg, item);
        break;
    case SCENE_UNCLIP:
        writer_text(&svg->body, "</g>\n");
        break;
    }
}

void svg_draw(Svg *svg, const Scene *scene) {
    writer_text(&svg->body, "<rect width=\"100%\" height=\"100%\"");
    put_color(&svg->body, "fill", scene->background);
    writer_text(&svg->body, "/>\n");
    for (size_t i = 0; i < scene->count; i++) {
        if (vector_visible(&scene->items[i]))
            draw_item(svg, scene, i);
    }
}

static void write_file(const Svg *svg, const SheetPicture *picture, WholeFile *file) {
    Writer head = {.arena = svg->body.arena};
    bool paper = picture->millimetres > 0;
    double width = paper ? picture->millimetres : (double)picture->width;
    double height = width * (double)picture->height / (double)picture->width;
    const char *unit = paper ? "mm" : "";
    writer_format(&head,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                  "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%.6g%s\" "
                  "height=\"%.6g%s\" viewBox=\"0 0 ",
                  width, unit, height, unit);
    vector_numbers(&head, (double[]){picture->scene->width, picture->scene->height}, 2);
    writer_format(&head, "\">\n<style>%s</style>\n<defs>\n", svg_style);
    whole_file_add(file, head.text, head.length);
    whole_file_add(file, svg->outlines.text, svg->outlines.length);
    whole_file_add(file, "</defs>\n", 8);
    whole_file_add(file, svg->body.text, svg->body.length);
    whole_file_add(file, "</svg>\n", 7);
}

/* A picture being written, under its arena's guard. */
typedef struct Writing {
    const SheetPicture *picture;
    WholeFile *file;
    Arena *arena;
    Png *png;
} Writing;

static void write_guarded(void *context) {
    Writing *this = context;
    Svg svg;
    svg_init(&svg, this->picture->fonts, this->png, this->arena);
    svg_draw(&svg, this->picture->scene);
    write_file(&svg, this->picture, this->file);
}

bool svg_write(const SheetPicture *picture, WholeFile *file, Error *error) {
    Writing this = {picture, file, arena_create(SVG_MAX_MEMORY), png_create()};
    bool written =
        this.arena && this.png && arena_guard(this.arena, write_guarded, &this);
    if (!written)
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", file->asked);
    png_destroy(this.png);
    arena_destroy(this.arena);
    return written;
}

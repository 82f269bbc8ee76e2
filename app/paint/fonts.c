#include "paint/fonts.h"

#include "base/strings/utf8.h"
#include "paint/cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN_MAX = 256,        /* code points; longer runs are cut */
    REMEMBERED = 0x20000, /* code points below this remember their face */
    MEASURE_BYTES = 8 << 20
};

/* Ideographs fill their em box, whose baseline lies 0.12 em above its lower edge. Source:
 * Noto Sans CJK's BASE and hmtx tables. */
static const double IDEOGRAPH_ASCENT = 0.88, IDEOGRAPH_DESCENT = 0.12;

/* In ems. */
typedef struct Extent {
    double advance, ascent, descent;
} Extent;

/* A piece of text in one face, zero-terminated and fit for the font libraries. */
typedef struct Run {
    FontFace face;
    size_t bytes; /* of the original text */
    size_t count; /* of code points */
    bool ideographs;
    uint32_t code_points[RUN_MAX];
    char text[4 * RUN_MAX + 1];
} Run;

struct Fonts {
    const FontFiles *files;
    uint8_t *faces; /* FONT_COUNT × REMEMBERED: 1 + face, 0 not asked yet */
    hb_buffer_t *buffer;
    Glyphs *glyphs; /* what texts are put together from */
    Cache *extents, *masks;
    Stencil stencil; /* a mask in the making */
    bool short_of_memory;
};

Fonts *fonts_create(Error *error) {
    const FontFiles *files = font_files_find(error);
    if (!files)
        return NULL;
    Fonts *fonts = calloc(1, sizeof *fonts);
    if (!fonts)
        goto no_memory;
    fonts->files = files;
    fonts->glyphs = glyphs_create(files, error);
    if (!fonts->glyphs)
        goto fail;
    fonts->faces = calloc(FONT_COUNT, REMEMBERED);
    fonts->buffer = hb_buffer_create();
    fonts->extents = cache_create(MEASURE_BYTES);
    fonts->masks = cache_create(FONTS_CACHE_BYTES);
    if (!fonts->faces || !hb_buffer_allocation_successful(fonts->buffer) ||
        !fonts->extents || !fonts->masks)
        goto no_memory;
    return fonts;
no_memory:
    error_set(error, ERROR_MEMORY, 0, 0, "not enough memory for the fonts");
fail:
    fonts_destroy(fonts);
    return NULL;
}

void fonts_destroy(Fonts *fonts) {
    if (!fonts)
        return;
    glyphs_destroy(fonts->glyphs);
    hb_buffer_destroy(fonts->buffer);
    cache_destroy(fonts->extents);
    cache_destroy(fonts->masks);
    stencil_finish(&fonts->stencil);
    free(fonts->faces);
    free(fonts);
}

bool fonts_were_short(Fonts *fonts) {
    bool were = fonts->short_of_memory;
    fonts->short_of_memory = false;
    return were;
}

int fonts_em(double size, double scale) {
    double em = floor(size * scale * GLYPH_EM_PARTS + 0.5);
    return !(em >= GLYPH_EM_PARTS) ? GLYPH_EM_PARTS
           : em > FONTS_MAX_EM     ? FONTS_MAX_EM
                                   : (int)em;
}

/* The face of a code point, asked once; the role's own font where none has it. */
static FontFace face_of(Fonts *fonts, FontRole role, uint32_t code_point,
                        bool *provided) {
    uint8_t *remembered = code_point < REMEMBERED
                              ? &fonts->faces[role * (size_t)REMEMBERED + code_point]
                              : NULL;
    errno = 0;
    FontFace face = remembered && *remembered ? (FontFace)(*remembered - 1)
                                              : font_files_face(role, code_point);
    if (face == FACE_NONE && errno == ENOMEM)
        fonts->short_of_memory = true;
    else if (remembered)
        *remembered = (uint8_t)(face + 1);
    *provided = face != FACE_NONE;
    if (*provided)
        return face;
    return role == FONT_BOLD ? FACE_BOLD : FACE_TEXT;
}

/* Whether the code point's glyph is exactly one em wide in an East Asian font. */
static bool is_ideograph(uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x3000 && c <= 0x3011) || (c >= 0xFF01 && c <= 0xFF5E);
}

/* Fills the run that begins a text. Control characters become blanks. */
static void take_run(Fonts *fonts, FontRole role, const char *text, size_t length,
                     Run *run) {
    run->bytes = run->count = 0;
    run->ideographs = true;
    size_t written = 0, offset = 0;
    while (offset < length && run->count < RUN_MAX) {
        uint32_t code_point = utf8_next(text, length, &offset);
        if (code_point < ' ' || code_point == 0x7F)
            code_point = ' ';
        bool provided;
        FontFace face = face_of(fonts, role, code_point, &provided);
        if (run->count == 0)
            run->face = face;
        else if (face != run->face)
            break;
        run->ideographs = run->ideographs && is_ideograph(code_point);
        run->code_points[run->count++] = code_point;
        written += utf8_encode(code_point, run->text + written);
        run->bytes = offset;
    }
    run->text[written] = 0;
    run->ideographs = run->ideographs && run->count > 0 &&
                      (run->face == FACE_CJK || run->face == FACE_CJK_BOLD);
}

/* The run's glyphs stay in the buffer. HarfBuzz leaves out in silence what it has no
 * memory for; malloc says so in errno. */
static hb_font_t *shape_run(Fonts *fonts, const Run *run) {
    hb_font_t *font = fonts->files->faces[run->face].shaper;
    errno = 0;
    font_files_shape(font, fonts->buffer, run->text, strlen(run->text));
    fonts->short_of_memory |= errno == ENOMEM;
    return font;
}

static double em_of(hb_font_t *font) {
    return hb_face_get_upem(hb_font_get_face(font));
}

static Extent measure_run(Fonts *fonts, const Run *run) {
    if (run->ideographs)
        return (Extent){(double)run->count, IDEOGRAPH_ASCENT, IDEOGRAPH_DESCENT};
    hb_font_t *font = shape_run(fonts, run);
    unsigned count = 0;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(fonts->buffer, &count);
    const hb_glyph_position_t *positions =
        hb_buffer_get_glyph_positions(fonts->buffer, &count);
    int advance = 0, ascent = 0, descent = 0;
    errno = 0;
    for (unsigned i = 0; i < count; i++) {
        hb_glyph_extents_t ink;
        advance += positions[i].x_advance;
        if (!hb_font_get_glyph_extents(font, glyphs[i].codepoint, &ink))
            continue;
        int top = ink.y_bearing + positions[i].y_offset, bottom = top + ink.height;
        ascent = top > ascent ? top : ascent;
        descent = -bottom > descent ? -bottom : descent;
    }
    fonts->short_of_memory |= errno == ENOMEM;
    double em = em_of(font);
    return (Extent){advance / em, ascent / em, descent / em};
}

static Extent measure(Fonts *fonts, FontRole role, const char *text, size_t length) {
    Extent *known = cache_find(fonts->extents, role, text, length);
    if (known)
        return *known;
    Extent extent = {0};
    Run run;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        Extent part = measure_run(fonts, &run);
        extent.advance += part.advance;
        extent.ascent = fmax(extent.ascent, part.ascent);
        extent.descent = fmax(extent.descent, part.descent);
    }
    known = fonts->short_of_memory
                ? NULL
                : cache_add(fonts->extents, role, text, length, sizeof *known);
    if (known)
        *known = extent;
    return extent;
}

static double advance_in_points(void *context, FontRole font, double size,
                                const char *text, size_t length) {
    return measure(context, font, text, length).advance * size;
}

static void ink_in_points(void *context, FontRole font, double size, const char *text,
                          size_t length, double *ascent, double *descent) {
    Extent extent = measure(context, font, text, length);
    *ascent = extent.ascent * size;
    *descent = extent.descent * size;
}

static bool provides(void *context, FontRole font, uint32_t code_point) {
    bool provided;
    face_of(context, font, code_point, &provided);
    return provided;
}

TextMetrics fonts_metrics(Fonts *fonts) {
    return (TextMetrics){.context = fonts,
                         .advance = advance_in_points,
                         .ink = ink_in_points,
                         .provides = provides,
                         .math = fonts->files->math};
}

/* ---- drawing ---- */

/* Adds a glyph to the text's stencil, with its pen at `pen` pixels from the origin. */
static void add_glyph(Fonts *fonts, const Run *run, int em, double pen, size_t start,
                      size_t end) {
    if (end == start + 1 && run->text[start] == ' ')
        return;
    int steps = (int)floor(pen * GLYPH_PHASES + 0.5);
    int phase = steps % GLYPH_PHASES;
    const TextMask *mask =
        glyphs_mask(fonts->glyphs, run->face, em, phase, run->text + start, end - start);
    fonts->short_of_memory |= !mask;
    if (mask && mask->width)
        stencil_add(&fonts->stencil, mask, mask->width, steps / GLYPH_PHASES);
}

/* Whether letters look alike in any company, as they don't in Arabic or Devanagari. */
static bool is_put_together(const Run *run) {
    for (size_t i = 0; i < run->count; i++) {
        uint32_t c = run->code_points[i];
        if (!(c < 0x0300 || (c >= 0x0370 && c < 0x0590) || (c >= 0x1D00 && c < 0x2C00) ||
              (c >= 0x3000 && c < 0xA000) || (c >= 0xFF00 && c < 0xFFF0) ||
              (c >= 0x1D400 && c < 0x1D800)))
            return false;
    }
    return true;
}

/* Puts a run together from its glyphs, with its pen at `pen` ems. */
static void join_run(Fonts *fonts, const Run *run, int em, double pen) {
    double pixels = (double)em / GLYPH_EM_PARTS;
    if (!is_put_together(run)) {
        fonts->short_of_memory |=
            !glyphs_draw(fonts->glyphs, run->face, em, run->text, strlen(run->text),
                         floor(pen * pixels + 0.5), &fonts->stencil);
        return;
    }
    if (run->ideographs) {
        size_t length = strlen(run->text);
        for (size_t start = 0, end = 0; start < length; start = end, pen += 1) {
            utf8_next(run->text, length, &end);
            add_glyph(fonts, run, em, floor(pen * pixels + 0.5), start, end);
        }
        return;
    }
    double units = em_of(shape_run(fonts, run));
    unsigned count = 0;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(fonts->buffer, &count);
    const hb_glyph_position_t *positions =
        hb_buffer_get_glyph_positions(fonts->buffer, &count);
    for (unsigned i = 0, next; i < count; i = next) {
        double advance = 0;
        for (next = i; next < count && glyphs[next].cluster == glyphs[i].cluster; next++)
            advance += positions[next].x_advance / units;
        size_t end = next < count ? glyphs[next].cluster : strlen(run->text);
        add_glyph(fonts, run, em, pen * pixels, glyphs[i].cluster, end);
        pen += advance;
    }
}

static const TextMask *make_mask(Fonts *fonts, FontRole role, int em, uint32_t key,
                                 const char *text, size_t length) {
    if (!stencil_begin(&fonts->stencil, measure(fonts, role, text, length).advance,
                       em / GLYPH_EM_PARTS + 1))
        return NULL;
    Run run;
    double pen = 0;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        join_run(fonts, &run, em, pen);
        if (run.bytes == length)
            break; /* the usual case: one run, whose advance moves no other */
        pen += measure_run(fonts, &run).advance;
        if (pen * em > (double)fonts->stencil.width * GLYPH_EM_PARTS)
            break;
    }
    return fonts->short_of_memory
               ? NULL
               : stencil_keep(&fonts->stencil, fonts->masks, key, text, length);
}

const TextMask *fonts_mask(Fonts *fonts, FontRole role, int em, const char *text) {
    size_t length = strlen(text);
    uint32_t key = (uint32_t)em * FONT_COUNT + role;
    const TextMask *mask = cache_find(fonts->masks, key, text, length);
    if (!mask)
        mask = make_mask(fonts, role, em, key, text, length);
    fonts->short_of_memory |= !mask;
    return mask && mask->width ? mask : NULL;
}

/* ---- outlines ---- */

static void place_run(Fonts *fonts, const Run *run, double pen,
                      void (*place)(void *context, const PlacedGlyph *glyph),
                      void *context) {
    double units = em_of(shape_run(fonts, run));
    unsigned count = 0;
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(fonts->buffer, &count);
    const hb_glyph_position_t *places =
        hb_buffer_get_glyph_positions(fonts->buffer, &count);
    for (unsigned i = 0; i < count; i++) {
        unsigned next = i + 1;
        while (next < count && infos[next].cluster == infos[i].cluster)
            next++;
        size_t start = infos[i].cluster,
               end = next < count ? infos[next].cluster : strlen(run->text);
        bool begins = i == 0 || infos[i - 1].cluster != start;
        PlacedGlyph glyph = {.face = run->face,
                             .index = infos[i].codepoint,
                             .x = pen + places[i].x_offset / units,
                             .y = places[i].y_offset / units,
                             .advance = places[i].x_advance / units,
                             .text = begins ? run->text + start : "",
                             .length = begins && end > start ? end - start : 0};
        place(context, &glyph);
        pen += places[i].x_advance / units;
    }
}

bool fonts_place(Fonts *fonts, FontRole role, const char *text,
                 void (*place)(void *context, const PlacedGlyph *glyph), void *context) {
    size_t length = strlen(text);
    Run run;
    double pen = 0;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        place_run(fonts, &run, pen, place, context);
        pen += measure_run(fonts, &run).advance;
    }
    return !fonts_were_short(fonts);
}

Glyphs *fonts_glyphs(Fonts *fonts) {
    return fonts->glyphs;
}

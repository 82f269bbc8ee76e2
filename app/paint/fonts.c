#include "paint/paint_parts.h"

#include "base/strings/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum {
    REMEMBERED = 0x20000, /* code points below this remember their face */
    MEASURE_BYTES = 8 << 20,
    LATIN = 0x4C61746E,     /* Latn: the script of digits and punctuation alone */
    IDEOGRAPH_KEY = 1 << 30 /* added to the key of one ideograph's mask, for all texts */
};

/* Ideographs fill their em box, whose baseline lies 0.12 em above its lower edge. Source:
 * Noto Sans CJK's BASE and hmtx tables. */
static const double IDEOGRAPH_ASCENT = 0.88, IDEOGRAPH_DESCENT = 0.12;

struct Fonts {
    const FontFiles *files;
    uint8_t *faces; /* FONT_COUNT × REMEMBERED: 1 + face, 0 not asked yet */
    Letters *letters;
    Cache *extents, *masks;
    Stencil text, ideograph; /* masks in the making: a text's, one ideograph's of it */
    bool short_of_memory;
};

Fonts *fonts_create(Error *error) {
    const FontFiles *files = font_files_find(error);
    if (!files)
        return NULL;
    Fonts *fonts = calloc(1, sizeof *fonts);
    if (fonts) {
        fonts->files = files;
        fonts->faces = calloc(FONT_COUNT, REMEMBERED);
        fonts->letters = letters_create(files);
        fonts->extents = cache_create(MEASURE_BYTES);
        fonts->masks = cache_create(FONTS_CACHE_BYTES);
        if (fonts->faces && fonts->letters && fonts->extents && fonts->masks)
            return fonts;
    }
    error_set(error, ERROR_MEMORY, 0, 0, "not enough memory for the fonts");
    fonts_destroy(fonts);
    return NULL;
}

void fonts_destroy(Fonts *fonts) {
    if (!fonts)
        return;
    letters_destroy(fonts->letters);
    cache_destroy(fonts->extents);
    cache_destroy(fonts->masks);
    free(fonts->text.coverage);
    free(fonts->ideograph.coverage);
    free(fonts->faces);
    free(fonts);
}

bool fonts_were_short(Fonts *fonts) {
    bool were = fonts->short_of_memory;
    fonts->short_of_memory = false;
    return were;
}

int fonts_em(double size, double scale) {
    double em = floor(size * scale * EM_PARTS + 0.5);
    return !(em >= EM_PARTS) ? EM_PARTS : em > FONTS_MAX_EM ? FONTS_MAX_EM : (int)em;
}

/* The face of a code point, asked once; FACE_NONE where none has it. */
static FontFace face_of(Fonts *fonts, FontRole role, uint32_t code_point) {
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
    return face;
}

/* Returns true if the code point's glyph is exactly one em wide in an East Asian font. */
static bool is_ideograph(uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x3000 && c <= 0x3011) || (c >= 0xFF01 && c <= 0xFF5E);
}

/* Returns the direction of a character: marks have that of `before`, blanks and most
 * punctuation that of their neighbours. Source: Unicode 15, UAX #9, "Bidirectional
 * Character Types". */
static Direction direction_of(uint32_t code_point, Direction before) {
    switch (utf8proc_get_property((utf8proc_int32_t)code_point)->bidi_class) {
    case UTF8PROC_BIDI_CLASS_L:
    case UTF8PROC_BIDI_CLASS_EN:
    case UTF8PROC_BIDI_CLASS_AN:
        return DIRECTION_RIGHT;
    case UTF8PROC_BIDI_CLASS_R:
    case UTF8PROC_BIDI_CLASS_AL:
        return DIRECTION_LEFT;
    case UTF8PROC_BIDI_CLASS_NSM:
        return before;
    default:
        return DIRECTION_NONE;
    }
}

/* Begins a run with a character that is written so. */
static void begin_run(TextRun *run, FontFace face, Direction direction) {
    run->face = face;
    run->script = 0;
    run->direction = direction == DIRECTION_LEFT ? DIRECTION_LEFT : DIRECTION_RIGHT;
    run->is_ideographs = face == FACE_CJK || face == FACE_CJK_BOLD;
}

/* Fills the run that begins a text. Control characters become blanks; what no font has is
 * shown as the role's own shows it. */
static void take_run(Fonts *fonts, FontRole role, const char *text, size_t length,
                     TextRun *run) {
    size_t count = 0, written = 0, offset = 0;
    while (offset < length && count < RUN_MAX) {
        uint32_t code_point = utf8_next(text, length, &offset);
        if (code_point < ' ' || code_point == 0x7F)
            code_point = ' ';
        FontFace face = face_of(fonts, role, code_point);
        if (face == FACE_NONE)
            face = role == FONT_BOLD ? FACE_BOLD : FACE_TEXT;
        uint32_t script = typeface_script(code_point);
        Direction direction =
            direction_of(code_point, count ? run->direction : DIRECTION_RIGHT);
        if (count == 0)
            begin_run(run, face, direction);
        else if (face != run->face || (script && run->script && script != run->script) ||
                 (direction && direction != run->direction))
            break;
        run->script = script ? script : run->script;
        run->is_ideographs = run->is_ideographs && is_ideograph(code_point);
        written += utf8_encode(code_point, run->text + written);
        count++;
        /* Blanks and punctuation behind the words of a run to the left aren't its own. */
        if (run->direction == DIRECTION_RIGHT || direction == DIRECTION_LEFT) {
            run->bytes = offset;
            run->count = count;
            run->length = written;
        }
    }
    run->text[run->length] = 0;
    run->script = run->script ? run->script : LATIN;
}

static TextExtent measure_run(Fonts *fonts, const TextRun *run) {
    TextExtent extent = {(double)run->count, IDEOGRAPH_ASCENT, IDEOGRAPH_DESCENT};
    if (!run->is_ideographs)
        fonts->short_of_memory |= !letters_measure(fonts->letters, run, &extent);
    return extent;
}

static TextExtent measure(Fonts *fonts, FontRole role, const char *text, size_t length) {
    TextExtent *known = cache_find(fonts->extents, role, text, length);
    if (known)
        return *known;
    TextExtent extent = {0};
    TextRun run;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        TextExtent part = measure_run(fonts, &run);
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
    TextExtent extent = measure(context, font, text, length);
    *ascent = extent.ascent * size;
    *descent = extent.descent * size;
}

static bool provides(void *context, FontRole font, uint32_t code_point) {
    return face_of(context, font, code_point) != FACE_NONE;
}

TextMetrics fonts_metrics(Fonts *fonts) {
    return (TextMetrics){.context = fonts,
                         .advance = advance_in_points,
                         .ink = ink_in_points,
                         .provides = provides,
                         .math = fonts->files->math};
}

/* ---- drawing ---- */

static const TextMask *mask_of(Fonts *fonts, FontRole role, int em, uint32_t key,
                               const char *text, size_t length, Stencil *stencil);

/* Ideographs stand on whole pixels, `pen` ems from the origin, so that all are alike. */
static void draw_ideographs(Fonts *fonts, FontRole role, const TextRun *run, int em,
                            double pen) {
    for (size_t start = 0, end = 0; start < run->length; start = end, pen++) {
        utf8_next(run->text, run->length, &end);
        const TextMask *mask = mask_of(fonts, role, em, IDEOGRAPH_KEY, run->text + start,
                                       end - start, &fonts->ideograph);
        if (mask && mask->width)
            stencil_add(&fonts->text, mask, mask->width, 1,
                        (int)floor(pen * em / EM_PARTS + 0.5));
    }
}

static void draw_text(Fonts *fonts, FontRole role, int em, const char *text,
                      size_t length, Stencil *stencil) {
    TextRun run;
    double pen = 0;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        if (run.is_ideographs && stencil == &fonts->text)
            draw_ideographs(fonts, role, &run, em, pen);
        else
            fonts->short_of_memory |=
                !letters_draw(fonts->letters, &run, em, pen * em / EM_PARTS, stencil);
        if (run.bytes == length)
            break; /* the usual case: one run, whose advance moves no other */
        pen += measure_run(fonts, &run).advance;
        if (pen * em > (double)stencil->width * EM_PARTS)
            break;
    }
}

/* A text's mask, drawn where it isn't kept. NULL without memory, of no width when there
 * is no ink. */
static const TextMask *mask_of(Fonts *fonts, FontRole role, int em, uint32_t key,
                               const char *text, size_t length, Stencil *stencil) {
    key |= (uint32_t)em * FONT_COUNT + role;
    const TextMask *mask = cache_find(fonts->masks, key, text, length);
    if (mask)
        return mask;
    if (stencil_begin(stencil, measure(fonts, role, text, length).advance,
                      em / EM_PARTS + 1)) {
        draw_text(fonts, role, em, text, length, stencil);
        if (!fonts->short_of_memory)
            mask = stencil_keep(stencil, fonts->masks, key, text, length);
    }
    fonts->short_of_memory |= !mask;
    return mask;
}

const TextMask *fonts_mask(Fonts *fonts, FontRole role, int em, const char *text) {
    const TextMask *mask = mask_of(fonts, role, em, 0, text, strlen(text), &fonts->text);
    return mask && mask->width ? mask : NULL;
}

bool fonts_place(Fonts *fonts, FontRole role, const char *text,
                 void (*place)(void *context, const PlacedGlyph *glyph), void *context) {
    size_t length = strlen(text);
    TextRun run;
    double pen = 0;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        fonts->short_of_memory |=
            !typeface_place(&fonts->files->faces[run.face], &run, pen, place, context);
        pen += measure_run(fonts, &run).advance;
    }
    return !fonts_were_short(fonts);
}

const Typeface *fonts_typeface(const Fonts *fonts, FontFace face) {
    return &fonts->files->faces[face];
}

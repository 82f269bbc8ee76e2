#include "fonts.h"

#include "base/utf8.h"
#include "cache.h"

#include <SDL_ttf.h>
#include <hb-ot.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN_MAX = 256,        /* code points; longer runs are cut */
    REMEMBERED = 0x20000, /* code points below this remember their face */
    MEASURE_BYTES = 8 << 20,
    GLYPH_BYTES = 8 << 20,
    PHASES = 4 /* places between two pixels that a glyph may stand at */
};

/* Ideographs fill their em box, whose baseline lies 0.12 em above its lower edge. Source:
 * Noto Sans CJK's BASE and hmtx tables. */
static const double IDEOGRAPH_ASCENT = 0.88, IDEOGRAPH_DESCENT = 0.12;

/* As SDL_ttf has it; no font until one is drawn with. */
typedef struct OpenFont {
    TTF_Font *font;
    int pixels; /* the size it is set to */
} OpenFont;

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
    double scale;
    const FontFiles *files;
    uint8_t *faces; /* FONT_COUNT × REMEMBERED: 1 + face, 0 not asked yet */
    hb_buffer_t *buffer;
    hb_blob_t *contents[FACE_COUNT]; /* of the files, mapped when first needed */
    hb_font_t *shapers[FACE_COUNT];  /* made when first measured with */
    OpenFont open[FACE_COUNT];
    Cache *extents, *masks;
    Cache *glyphs;          /* masks of what texts are put together from */
    Stencil glyph, stencil; /* masks in the making: a glyph's, a text's */
};

/* SDL_ttf has one FreeType library for all, which keeps a list of open faces: opening and
 * closing take the lock. The library is begun once and stays; ending it would race with
 * other threads that ask whether it has begun. */
static pthread_mutex_t ttf_lock = PTHREAD_MUTEX_INITIALIZER;

static bool ttf_begin(void) {
    pthread_mutex_lock(&ttf_lock);
    bool begun = TTF_WasInit() > 0 || TTF_Init() == 0;
    pthread_mutex_unlock(&ttf_lock);
    return begun;
}

Fonts *fonts_create(double scale, Error *error) {
    const FontFiles *files = font_files_find(error);
    if (!files)
        return NULL;
    if (!ttf_begin()) {
        error_set(error, ERROR_MEMORY, 0, 0, "SDL_ttf can't start: %s", TTF_GetError());
        return NULL;
    }
    Fonts *fonts = calloc(1, sizeof *fonts);
    if (!fonts)
        goto fail;
    fonts->scale = scale;
    fonts->files = files;
    fonts->faces = calloc(FONT_COUNT, REMEMBERED);
    fonts->buffer = hb_buffer_create();
    fonts->extents = cache_create(MEASURE_BYTES);
    fonts->masks = cache_create(FONTS_CACHE_BYTES);
    fonts->glyphs = cache_create(GLYPH_BYTES);
    if (!fonts->faces || !hb_buffer_allocation_successful(fonts->buffer) ||
        !fonts->extents || !fonts->masks || !fonts->glyphs)
        goto fail;
    return fonts;
fail:
    error_set(error, ERROR_MEMORY, 0, 0, "not enough memory for the fonts");
    fonts_destroy(fonts);
    return NULL;
}

void fonts_destroy(Fonts *fonts) {
    if (!fonts)
        return;
    pthread_mutex_lock(&ttf_lock);
    for (size_t i = 0; i < FACE_COUNT; i++) {
        if (fonts->open[i].font)
            TTF_CloseFont(fonts->open[i].font);
    }
    pthread_mutex_unlock(&ttf_lock);
    for (size_t i = 0; i < FACE_COUNT; i++) {
        hb_font_destroy(fonts->shapers[i]);
        hb_blob_destroy(fonts->contents[i]);
    }
    hb_buffer_destroy(fonts->buffer);
    cache_destroy(fonts->extents);
    cache_destroy(fonts->masks);
    cache_destroy(fonts->glyphs);
    stencil_finish(&fonts->glyph);
    stencil_finish(&fonts->stencil);
    free(fonts->faces);
    free(fonts);
}

const char *fonts_warning(const Fonts *fonts, size_t index) {
    return index < fonts->files->warning_count ? fonts->files->warnings[index] : NULL;
}

int fonts_pixels(double size, double scale) {
    double pixels = floor(size * scale + 0.5);
    return !(pixels >= 1)              ? 1
           : pixels > FONTS_MAX_PIXELS ? FONTS_MAX_PIXELS
                                       : (int)pixels;
}

/* The face of a code point, asked once; the role's own font where none has it. */
static FontFace face_of(Fonts *fonts, FontRole role, uint32_t code_point,
                        bool *provided) {
    uint8_t *remembered = code_point < REMEMBERED
                              ? &fonts->faces[role * (size_t)REMEMBERED + code_point]
                              : NULL;
    FontFace face = remembered && *remembered
                        ? (FontFace)(*remembered - 1)
                        : font_files_face(fonts->files, role, code_point);
    if (remembered)
        *remembered = (uint8_t)(face + 1);
    *provided = face != FACE_NONE;
    if (*provided)
        return face;
    bool bold = role == FONT_BOLD && fonts->files->faces[FACE_BOLD].path[0];
    return bold ? FACE_BOLD : FACE_TEXT;
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

size_t fonts_run(Fonts *fonts, FontRole role, const char *text, size_t length,
                 const FontFile **file) {
    Run run;
    take_run(fonts, role, text, length, &run);
    *file = run.count ? &fonts->files->faces[run.face] : NULL;
    return run.bytes;
}

/* A face's file as the system maps it: nothing is read but what is used, and reading
 * takes no system calls. Empty when it can't be opened. */
static hb_blob_t *contents_of(Fonts *fonts, FontFace face) {
    if (!fonts->contents[face])
        fonts->contents[face] = hb_blob_create_from_file(fonts->files->faces[face].path);
    return fonts->contents[face];
}

/* A face in font units. */
static hb_font_t *shaper_of(Fonts *fonts, FontFace face) {
    if (!fonts->shapers[face]) {
        unsigned index = (unsigned)fonts->files->faces[face].index;
        hb_face_t *hb_face = hb_face_create(contents_of(fonts, face), index);
        fonts->shapers[face] = hb_font_create(hb_face);
        hb_face_destroy(hb_face);
    }
    return fonts->shapers[face];
}

/* Shapes a run as SDL_ttf will when it draws it, so that both agree on every advance. The
 * glyphs stay in the buffer. */
static hb_font_t *shape_run(Fonts *fonts, const Run *run) {
    hb_font_t *font = shaper_of(fonts, run->face);
    hb_buffer_t *buffer = fonts->buffer;
    hb_buffer_reset(buffer);
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, HB_SCRIPT_UNKNOWN);
    hb_buffer_guess_segment_properties(buffer);
    hb_buffer_add_utf8(buffer, run->text, -1, 0, -1);
    hb_shape(font, buffer, NULL, 0);
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
    for (unsigned i = 0; i < count; i++) {
        hb_glyph_extents_t ink;
        advance += positions[i].x_advance;
        if (!hb_font_get_glyph_extents(font, glyphs[i].codepoint, &ink))
            continue;
        int top = ink.y_bearing + positions[i].y_offset, bottom = top + ink.height;
        ascent = top > ascent ? top : ascent;
        descent = -bottom > descent ? -bottom : descent;
    }
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
    known = cache_add(fonts->extents, role, text, length, sizeof *known);
    if (known)
        *known = extent;
    return extent;
}

/* The em, in points, of what is drawn at a size: whole pixels. */
static double drawn_em(const Fonts *fonts, double size) {
    return fonts_pixels(size, fonts->scale) / fonts->scale;
}

static double advance_in_points(void *context, FontRole font, double size,
                                const char *text, size_t length) {
    return measure(context, font, text, length).advance * drawn_em(context, size);
}

static void ink_in_points(void *context, FontRole font, double size, const char *text,
                          size_t length, double *ascent, double *descent) {
    Extent extent = measure(context, font, text, length);
    double em = drawn_em(context, size);
    *ascent = extent.ascent * em;
    *descent = extent.descent * em;
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

/* The font of a face, opened when it is first drawn with, at a size. One open font serves
 * all sizes: its hinter studies a face when it is opened, which takes longer than to
 * change the size. NULL when it can't be opened. */
static TTF_Font *font_of(Fonts *fonts, FontFace face, int pixels) {
    OpenFont *open = &fonts->open[face];
    if (open->font && open->pixels != pixels && TTF_SetFontSize(open->font, pixels) != 0)
        return NULL;
    open->pixels = pixels;
    if (open->font)
        return open->font;
    unsigned length = 0;
    const char *data = hb_blob_get_data(contents_of(fonts, face), &length);
    SDL_RWops *stream = data ? SDL_RWFromConstMem(data, (int)length) : NULL;
    if (!stream)
        return NULL;
    pthread_mutex_lock(&ttf_lock);
    open->font = TTF_OpenFontIndexRW(stream, 1, pixels, fonts->files->faces[face].index);
    pthread_mutex_unlock(&ttf_lock);
    /* Advances as designed, at every size and scale; stems keep their shape. */
    if (open->font)
        TTF_SetFontHinting(open->font, TTF_HINTING_LIGHT_SUBPIXEL);
    return open->font;
}

/* ---- drawing ---- */

/* Draws a run into a stencil, with its pen at `pen` pixels from the origin. */
static void draw_run(Fonts *fonts, const Run *run, int pixels, int pen,
                     Stencil *stencil) {
    TTF_Font *font = font_of(fonts, run->face, pixels);
    if (!font)
        return;
    SDL_Color white = {255, 255, 255, 255}, black = {0, 0, 0, 255};
    SDL_Surface *surface = TTF_RenderUTF8_Shaded(font, run->text, white, black);
    if (!surface)
        return; /* nothing has ink or width */
    /* SDL_ttf moves a line right and down to make room for ink left of its origin and
     * above its ascent; the glyphs tell by how much. */
    int ascent = TTF_FontAscent(font), left = 0, top = ascent;
    for (size_t i = 0; i < run->count; i++) {
        int min_x = 0, max_y = 0;
        TTF_GlyphMetrics32(font, run->code_points[i], &min_x, NULL, NULL, &max_y, NULL);
        if (i == 0)
            left = min_x < 0 ? -min_x : 0;
        top = max_y > top ? max_y : top;
    }
    TextMask drawn = {-left, -top, surface->w, surface->h, surface->pixels};
    stencil_add(stencil, &drawn, surface->pitch, pen);
    SDL_FreeSurface(surface);
}

/* Keeps what a stencil holds as a mask; an empty one when that is nothing. */
static const TextMask *keep_mask(const Stencil *stencil, Cache *cache, uint32_t key,
                                 const char *text, size_t length) {
    TextMask ink;
    size_t bytes =
        stencil_ink(stencil, &ink) ? (size_t)ink.width * (size_t)ink.height : 0;
    TextMask *mask = cache_add(cache, key, text, length, sizeof *mask + bytes);
    if (mask && bytes) {
        stencil_copy(stencil, &ink, (uint8_t *)(mask + 1));
        *mask = ink;
        mask->coverage = (uint8_t *)(mask + 1);
    }
    return mask;
}

static void append(Run *run, uint32_t code_point) {
    size_t length = strlen(run->text);
    length += utf8_encode(code_point, run->text + length);
    run->text[length] = 0;
    run->code_points[run->count++] = code_point;
}

/* The width of a blank in pixels; negative when the face doesn't have it. */
static double blank_width(Fonts *fonts, FontFace face, int pixels, uint32_t blank) {
    hb_codepoint_t glyph;
    hb_font_t *font = shaper_of(fonts, face);
    return hb_font_get_nominal_glyph(font, blank, &glyph)
               ? hb_font_get_glyph_h_advance(font, glyph) * pixels / em_of(font)
               : -1;
}

/* SDL_ttf begins every line on a whole pixel. So that a glyph stands between two, it gets
 * the one or two blanks before it that move it best. Gives back how many whole pixels
 * they take. */
static int append_blanks(Fonts *fonts, FontFace face, int pixels, int phase, Run *run) {
    static const uint32_t blanks[] = {' ',    0x2002, 0x2003, 0x2004,
                                      0x2005, 0x2006, 0x2009, 0x200A};
    enum { COUNT = sizeof blanks / sizeof *blanks };
    double widths[COUNT + 1] = {0}, best = 1, wanted = (double)phase / PHASES;
    size_t first = 0, second = 0; /* 1 + which; 0: none */
    for (size_t i = 0; i < COUNT; i++)
        widths[i + 1] = blank_width(fonts, face, pixels, blanks[i]);
    for (size_t i = 0; phase && i <= COUNT; i++) {
        for (size_t j = 0; j <= i; j++) {
            double width = widths[i] + widths[j];
            double wrong = fabs(width - floor(width) - wanted);
            if (widths[i] < 0 || widths[j] < 0 || wrong >= best)
                continue;
            best = wrong;
            first = i;
            second = j;
        }
    }
    if (first)
        append(run, blanks[first - 1]);
    if (second)
        append(run, blanks[second - 1]);
    return (int)floor(widths[first] + widths[second]);
}

/* The mask of a glyph, or of the letters that make one, `phase` right of a whole pixel.
 */
static const TextMask *glyph_mask(Fonts *fonts, FontFace face, int pixels, int phase,
                                  const char *text, size_t length) {
    uint32_t key = ((uint32_t)pixels * FACE_COUNT + face) * PHASES + (uint32_t)phase;
    const TextMask *known = cache_find(fonts->glyphs, key, text, length);
    if (known)
        return known;
    if (!stencil_begin(&fonts->glyph, 2, pixels))
        return NULL;
    Run run = {.face = face};
    int blanks = append_blanks(fonts, face, pixels, phase, &run);
    for (size_t offset = 0; offset < length;)
        append(&run, utf8_next(text, length, &offset));
    draw_run(fonts, &run, pixels, -blanks, &fonts->glyph);
    return keep_mask(&fonts->glyph, fonts->glyphs, key, text, length);
}

/* Adds a glyph to the text's stencil, with its pen at `pen` pixels from the origin. */
static void add_glyph(Fonts *fonts, const Run *run, int pixels, double pen, size_t start,
                      size_t end) {
    if (end == start + 1 && run->text[start] == ' ')
        return;
    int steps = (int)floor(pen * PHASES + 0.5);
    int phase = steps & (PHASES - 1);
    const TextMask *mask =
        glyph_mask(fonts, run->face, pixels, phase, run->text + start, end - start);
    if (mask && mask->width)
        stencil_add(&fonts->stencil, mask, mask->width, (steps - phase) / PHASES);
}

/* Whether letters look alike in any company, as they don't in Arabic or Devanagari, and
 * few of them make one glyph. */
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
static void join_run(Fonts *fonts, const Run *run, int pixels, double pen) {
    if (!is_put_together(run)) {
        draw_run(fonts, run, pixels, (int)floor(pen * pixels + 0.5), &fonts->stencil);
        return;
    }
    if (run->ideographs) {
        size_t length = strlen(run->text);
        for (size_t start = 0, end = 0; start < length; start = end, pen += 1) {
            utf8_next(run->text, length, &end);
            add_glyph(fonts, run, pixels, floor(pen * pixels + 0.5), start, end);
        }
        return;
    }
    double em = em_of(shape_run(fonts, run));
    unsigned count = 0;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(fonts->buffer, &count);
    const hb_glyph_position_t *positions =
        hb_buffer_get_glyph_positions(fonts->buffer, &count);
    for (unsigned i = 0, next; i < count; i = next) {
        double advance = 0;
        for (next = i; next < count && glyphs[next].cluster == glyphs[i].cluster; next++)
            advance += positions[next].x_advance / em;
        size_t end = next < count ? glyphs[next].cluster : strlen(run->text);
        add_glyph(fonts, run, pixels, pen * pixels, glyphs[i].cluster, end);
        pen += advance;
    }
}

static const TextMask *make_mask(Fonts *fonts, FontRole role, int pixels, uint32_t key,
                                 const char *text, size_t length) {
    if (!stencil_begin(&fonts->stencil, measure(fonts, role, text, length).advance,
                       pixels))
        return NULL;
    Run run;
    double pen = 0;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        join_run(fonts, &run, pixels, pen);
        if (run.bytes == length)
            break; /* the usual case: one run, whose advance moves no other */
        pen += measure_run(fonts, &run).advance;
        if (pen * pixels > fonts->stencil.width)
            break;
    }
    return keep_mask(&fonts->stencil, fonts->masks, key, text, length);
}

const TextMask *fonts_mask(Fonts *fonts, FontRole role, int pixels, const char *text) {
    size_t length = strlen(text);
    uint32_t key = (uint32_t)pixels * FONT_COUNT + role;
    const TextMask *mask = cache_find(fonts->masks, key, text, length);
    if (!mask)
        mask = make_mask(fonts, role, pixels, key, text, length);
    return mask && mask->width ? mask : NULL;
}

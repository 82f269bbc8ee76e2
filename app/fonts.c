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
    OPEN_MAX = 32,        /* fonts of one face and size open at once */
    REMEMBERED = 0x20000, /* code points below this remember their face */
    MEASURE_BYTES = 8 << 20
};

/* Ideographs fill their em box, whose baseline lies 0.12 em above its lower edge. Source:
 * Noto Sans CJK's BASE and hmtx tables. */
static const double IDEOGRAPH_ASCENT = 0.88, IDEOGRAPH_DESCENT = 0.12;

typedef struct OpenFont {
    FontFace face;
    int pixels;
    TTF_Font *font;
    uint64_t used;
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
    OpenFont open[OPEN_MAX];
    size_t open_count;
    uint64_t clock;
    Cache *extents, *masks;
    uint8_t *sheet; /* a mask in the making */
    size_t sheet_bytes;
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
    if (!fonts->faces || !hb_buffer_allocation_successful(fonts->buffer) ||
        !fonts->extents || !fonts->masks)
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
    for (size_t i = 0; i < fonts->open_count; i++)
        TTF_CloseFont(fonts->open[i].font);
    pthread_mutex_unlock(&ttf_lock);
    for (size_t i = 0; i < FACE_COUNT; i++) {
        hb_font_destroy(fonts->shapers[i]);
        hb_blob_destroy(fonts->contents[i]);
    }
    hb_buffer_destroy(fonts->buffer);
    cache_destroy(fonts->extents);
    cache_destroy(fonts->masks);
    free(fonts->sheet);
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

/* Shapes a run as SDL_ttf will when it draws it, so that both agree on every advance. */
static Extent measure_run(Fonts *fonts, const Run *run) {
    if (run->ideographs)
        return (Extent){(double)run->count, IDEOGRAPH_ASCENT, IDEOGRAPH_DESCENT};
    hb_font_t *font = shaper_of(fonts, run->face);
    hb_buffer_t *buffer = fonts->buffer;
    hb_buffer_reset(buffer);
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, HB_SCRIPT_UNKNOWN);
    hb_buffer_guess_segment_properties(buffer);
    hb_buffer_add_utf8(buffer, run->text, -1, 0, -1);
    hb_shape(font, buffer, NULL, 0);
    unsigned count = 0;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *positions = hb_buffer_get_glyph_positions(buffer, &count);
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
    double em = hb_face_get_upem(hb_font_get_face(font));
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

/* Large files take long to open, so they are opened once and change their size; the text
 * fonts are opened once a size, since their hinting takes longer to change. */
static bool changes_size(FontFace face) {
    return face == FACE_CJK || face == FACE_CJK_BOLD || face == FACE_MATH;
}

/* The open font of a face and size; NULL when there is none. *oldest is the one unused
 * longest. */
static TTF_Font *open_font_of(Fonts *fonts, FontFace face, int pixels, size_t *oldest) {
    fonts->clock++;
    *oldest = 0;
    for (size_t i = 0; i < fonts->open_count; i++) {
        OpenFont *open = &fonts->open[i];
        if (open->face == face && (open->pixels == pixels || changes_size(face))) {
            if (open->pixels != pixels && TTF_SetFontSize(open->font, pixels) != 0)
                return NULL;
            open->pixels = pixels;
            open->used = fonts->clock;
            return open->font;
        }
        if (open->used < fonts->open[*oldest].used)
            *oldest = i;
    }
    return NULL;
}

/* The font of a face and size, opened when it is first drawn with; the one unused longest
 * is closed when too many are open. NULL when it can't be opened. */
static TTF_Font *font_of(Fonts *fonts, FontFace face, int pixels) {
    size_t slot;
    TTF_Font *known = open_font_of(fonts, face, pixels, &slot);
    if (known)
        return known;
    unsigned length = 0;
    const char *data = hb_blob_get_data(contents_of(fonts, face), &length);
    SDL_RWops *stream = data ? SDL_RWFromConstMem(data, (int)length) : NULL;
    if (!stream)
        return NULL;
    pthread_mutex_lock(&ttf_lock);
    TTF_Font *font =
        TTF_OpenFontIndexRW(stream, 1, pixels, fonts->files->faces[face].index);
    if (font && fonts->open_count == OPEN_MAX)
        TTF_CloseFont(fonts->open[slot].font);
    pthread_mutex_unlock(&ttf_lock);
    if (!font)
        return NULL;
    if (fonts->open_count < OPEN_MAX)
        slot = fonts->open_count++;
    fonts->open[slot] = (OpenFont){face, pixels, font, fonts->clock};
    /* Advances as designed, at every size and scale; stems keep their shape. */
    TTF_SetFontHinting(font, TTF_HINTING_LIGHT_SUBPIXEL);
    return font;
}

/* Where a mask is put together: its baseline begins at (origin_x, origin_y). */
typedef struct Sheet {
    uint8_t *coverage;
    int width, height, origin_x, origin_y;
} Sheet;

/* Room for a text and for ink outside its advance: an em on either side, two above. */
static bool sheet_begin(Fonts *fonts, double advance, int pixels, Sheet *sheet) {
    double wide = ceil(advance * pixels);
    sheet->width =
        (wide < FONTS_MAX_MASK_WIDTH ? (int)wide : FONTS_MAX_MASK_WIDTH) + 2 * pixels;
    sheet->height = 3 * pixels + 2;
    sheet->origin_x = pixels;
    sheet->origin_y = 2 * pixels;
    size_t bytes = (size_t)sheet->width * (size_t)sheet->height;
    if (bytes > fonts->sheet_bytes) {
        free(fonts->sheet);
        fonts->sheet = malloc(bytes);
        fonts->sheet_bytes = fonts->sheet ? bytes : 0;
        if (!fonts->sheet)
            return false;
    }
    sheet->coverage = memset(fonts->sheet, 0, bytes);
    return true;
}

/* Adds a surface whose bytes are coverage; where two runs overlap the stronger stays. */
static void sheet_add(Sheet *sheet, const SDL_Surface *surface, int left, int top) {
    int first_x = left < 0 ? -left : 0, first_y = top < 0 ? -top : 0;
    int end_x = surface->w < sheet->width - left ? surface->w : sheet->width - left;
    int end_y = surface->h < sheet->height - top ? surface->h : sheet->height - top;
    for (int y = first_y; y < end_y; y++) {
        const uint8_t *from = (const uint8_t *)surface->pixels + y * surface->pitch;
        uint8_t *to = sheet->coverage + (ptrdiff_t)(top + y) * sheet->width + left;
        for (int x = first_x; x < end_x; x++)
            to[x] = from[x] > to[x] ? from[x] : to[x];
    }
}

/* Draws a run with its pen at `pen` pixels from the sheet's origin. */
static void draw_run(Fonts *fonts, const Run *run, int pixels, int pen, Sheet *sheet) {
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
    sheet_add(sheet, surface, sheet->origin_x + pen - left, sheet->origin_y - top);
    SDL_FreeSurface(surface);
}

/* The smallest box around all coverage; false when there is none. */
static bool sheet_ink(const Sheet *sheet, TextMask *mask) {
    int left = sheet->width, right = 0, top = sheet->height, bottom = 0;
    for (int y = 0; y < sheet->height; y++) {
        const uint8_t *row = sheet->coverage + (ptrdiff_t)y * sheet->width;
        int first = 0, last = sheet->width;
        while (first < sheet->width && !row[first])
            first++;
        if (first == sheet->width)
            continue;
        while (!row[last - 1])
            last--;
        left = first < left ? first : left;
        right = last > right ? last : right;
        top = y < top ? y : top;
        bottom = y + 1;
    }
    *mask = (TextMask){left - sheet->origin_x, top - sheet->origin_y, right - left,
                       bottom - top, NULL};
    return right > left;
}

static const TextMask *make_mask(Fonts *fonts, FontRole role, int pixels, uint32_t key,
                                 const char *text, size_t length) {
    Sheet sheet;
    if (!sheet_begin(fonts, measure(fonts, role, text, length).advance, pixels, &sheet))
        return NULL;
    Run run;
    double pen = 0;
    for (size_t offset = 0; offset < length; offset += run.bytes) {
        take_run(fonts, role, text + offset, length - offset, &run);
        draw_run(fonts, &run, pixels, (int)floor(pen * pixels + 0.5), &sheet);
        if (run.bytes == length)
            break; /* the usual case: one run, whose advance moves no other */
        pen += measure_run(fonts, &run).advance;
        if (pen * pixels > sheet.width)
            break;
    }
    TextMask ink;
    size_t bytes = sheet_ink(&sheet, &ink) ? (size_t)ink.width * (size_t)ink.height : 0;
    TextMask *mask = cache_add(fonts->masks, key, text, length, sizeof *mask + bytes);
    if (!mask)
        return NULL;
    if (bytes) {
        uint8_t *coverage = (uint8_t *)(mask + 1);
        const uint8_t *from = sheet.coverage +
                              (ptrdiff_t)(ink.top + sheet.origin_y) * sheet.width +
                              ink.left + sheet.origin_x;
        for (int y = 0; y < ink.height; y++)
            memcpy(coverage + (ptrdiff_t)y * ink.width, from + (ptrdiff_t)y * sheet.width,
                   (size_t)ink.width);
        *mask = ink;
        mask->coverage = coverage;
    }
    return mask;
}

const TextMask *fonts_mask(Fonts *fonts, FontRole role, int pixels, const char *text) {
    size_t length = strlen(text);
    uint32_t key = (uint32_t)pixels * FONT_COUNT + role;
    const TextMask *mask = cache_find(fonts->masks, key, text, length);
    if (!mask)
        mask = make_mask(fonts, role, pixels, key, text, length);
    return mask && mask->width ? mask : NULL;
}

#include "paint/glyphs.h"

#include "base/strings/utf8.h"

#include <SDL_ttf.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    GLYPHS_BYTES = 8 << 20,
    DRAWN_MAX = 64, /* bytes of a glyph's text and its blanks */
    /* SDL_ttf counts in points of 1 / 72 inch: at so few dots an inch one is a part. */
    PARTS_DPI = 72 / GLYPH_EM_PARTS
};

/* As far as it has been needed. */
typedef struct OpenFace {
    TTF_Font *font;
    int em; /* the size that `font` is set to */
} OpenFace;

struct Glyphs {
    const FontFiles *files;
    OpenFace faces[FACE_COUNT];
    Cache *masks;
    Stencil stencil; /* a mask in the making */
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

Glyphs *glyphs_create(const FontFiles *files, Error *error) {
    if (!ttf_begin()) {
        error_set(error, ERROR_MEMORY, 0, 0, "SDL_ttf can't start: %s", TTF_GetError());
        return NULL;
    }
    Glyphs *glyphs = calloc(1, sizeof *glyphs);
    if (glyphs)
        glyphs->masks = cache_create(GLYPHS_BYTES);
    if (!glyphs || !glyphs->masks) {
        error_set(error, ERROR_MEMORY, 0, 0, "not enough memory for the fonts");
        glyphs_destroy(glyphs);
        return NULL;
    }
    glyphs->files = files;
    return glyphs;
}

void glyphs_destroy(Glyphs *glyphs) {
    if (!glyphs)
        return;
    pthread_mutex_lock(&ttf_lock);
    for (size_t i = 0; i < FACE_COUNT; i++) {
        if (glyphs->faces[i].font)
            TTF_CloseFont(glyphs->faces[i].font);
    }
    pthread_mutex_unlock(&ttf_lock);
    cache_destroy(glyphs->masks);
    stencil_finish(&glyphs->stencil);
    free(glyphs);
}

/* A face's font at a size. One open font serves all sizes: its hinter studies a face when
 * it is opened, which takes longer than to change the size. NULL when it can't be opened.
 */
static TTF_Font *font_of(Glyphs *glyphs, FontFace face, int em) {
    OpenFace *open = &glyphs->faces[face];
    if (open->font && open->em != em &&
        TTF_SetFontSizeDPI(open->font, em, PARTS_DPI, PARTS_DPI) != 0)
        return NULL;
    open->em = em;
    if (open->font)
        return open->font;
    unsigned length = 0;
    const FontFile *file = &glyphs->files->faces[face];
    const char *data = hb_blob_get_data(file->contents, &length);
    SDL_RWops *stream = data ? SDL_RWFromConstMem(data, (int)length) : NULL;
    if (!stream)
        return NULL;
    pthread_mutex_lock(&ttf_lock);
    open->font = TTF_OpenFontIndexDPIRW(stream, 1, em, file->index, PARTS_DPI, PARTS_DPI);
    pthread_mutex_unlock(&ttf_lock);
    /* Advances as designed, at every size and scale; stems keep their shape. */
    if (open->font)
        TTF_SetFontHinting(open->font, TTF_HINTING_LIGHT_SUBPIXEL);
    return open->font;
}

void glyphs_draw(Glyphs *glyphs, FontFace face, int em, const char *text, int pen,
                 Stencil *stencil) {
    TTF_Font *font = font_of(glyphs, face, em);
    if (!font)
        return;
    SDL_Color white = {255, 255, 255, 255}, black = {0, 0, 0, 255};
    SDL_Surface *surface = TTF_RenderUTF8_Shaded(font, text, white, black);
    if (!surface)
        return; /* nothing has ink or width */
    /* SDL_ttf moves a line right and down to make room for ink left of its origin and
     * above its ascent; the glyphs tell by how much. */
    int left = 0, top = TTF_FontAscent(font);
    size_t length = strlen(text);
    for (size_t offset = 0; offset < length;) {
        bool is_first = offset == 0;
        int min_x = 0, max_y = 0;
        TTF_GlyphMetrics32(font, utf8_next(text, length, &offset), &min_x, NULL, NULL,
                           &max_y, NULL);
        if (is_first)
            left = min_x < 0 ? -min_x : 0;
        top = max_y > top ? max_y : top;
    }
    TextMask drawn = {-left, -top, surface->w, surface->h, surface->pixels};
    stencil_add(stencil, &drawn, surface->pitch, pen);
    SDL_FreeSurface(surface);
}

/* ---- between two pixels ---- */

/* The width of a blank in pixels; negative when the face doesn't have it. */
static double blank_width(Glyphs *glyphs, FontFace face, int em, uint32_t blank) {
    hb_codepoint_t glyph;
    hb_font_t *font = glyphs->files->faces[face].shaper;
    return hb_font_get_nominal_glyph(font, blank, &glyph)
               ? (double)hb_font_get_glyph_h_advance(font, glyph) * em / GLYPH_EM_PARTS /
                     hb_face_get_upem(hb_font_get_face(font))
               : -1;
}

/* Fills `text` with the one or two blanks that move best by a phase, and counts the whole
 * pixels that they take besides. Gives back their bytes. */
static size_t put_blanks(Glyphs *glyphs, FontFace face, int em, int phase, char *text,
                         int *whole) {
    static const uint32_t blanks[] = {' ',    0x2002, 0x2003, 0x2004,
                                      0x2005, 0x2006, 0x2009, 0x200A};
    enum { COUNT = sizeof blanks / sizeof *blanks };
    double widths[COUNT + 1] = {0}; /* the first is that of none */
    double best = 1, wanted = (double)phase / GLYPH_PHASES;
    size_t first = 0, second = 0;
    for (size_t i = 0; phase && i < COUNT; i++)
        widths[i + 1] = blank_width(glyphs, face, em, blanks[i]);
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
    size_t length = first ? utf8_encode(blanks[first - 1], text) : 0;
    length += second ? utf8_encode(blanks[second - 1], text + length) : 0;
    *whole = (int)floor(widths[first] + widths[second]);
    return length;
}

const TextMask *glyphs_mask(Glyphs *glyphs, FontFace face, int em, int phase,
                            const char *text, size_t length) {
    uint32_t key = ((uint32_t)em * FACE_COUNT + face) * GLYPH_PHASES + (uint32_t)phase;
    const TextMask *known = cache_find(glyphs->masks, key, text, length);
    if (known)
        return known;
    if (!stencil_begin(&glyphs->stencil, (double)length, em / GLYPH_EM_PARTS + 1))
        return NULL;
    char drawn[DRAWN_MAX];
    int whole = 0;
    size_t blanks = put_blanks(glyphs, face, em, phase, drawn, &whole);
    size_t kept = length < DRAWN_MAX - 1 - blanks ? length : DRAWN_MAX - 1 - blanks;
    memcpy(drawn + blanks, text, kept);
    drawn[blanks + kept] = 0;
    glyphs_draw(glyphs, face, em, drawn, -whole, &glyphs->stencil);
    return stencil_keep(&glyphs->stencil, glyphs->masks, key, text, length);
}

#include "paint/paint_parts.h"

#include "base/strings/utf8.h"

#include <SDL_ttf.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SIZES = 7,     /* at which a face is open: the last 6 drawn, and MEASURING */
    MEASURING = 0, /* in place of an em: a font unit is a pixel, and nothing is hinted */
    COLUMNS = 8,   /* of a pixel: light hinting leaves letters where they are across */
    COLUMNS_MAX_EM = 64 * EM_PARTS, /* above, whole pixels are fine enough */
    /* SDL_ttf counts in points of 1 / 72 inch: at so few dots an inch one is a part. */
    PARTS_DPI = 72 / EM_PARTS,
    HINTER_BYTES = 1 << 20 /* more than FreeType's hinter takes for a glyph */
};

/* An em's blank, before and behind each text: SDL_ttf counts ink where it reaches further
 * than the advance, and doesn't say how far left of its picture's origin ink begins. */
#define PAD "\u2003"

typedef struct OpenFont {
    TTF_Font *font; /* NULL: none */
    int em;
    int pad;       /* columns that PAD moves the pen */
    uint64_t used; /* when, by the count of uses */
} OpenFont;

struct Letters {
    const FontFiles *files;
    OpenFont fonts[FACE_COUNT][SIZES];
    uint64_t uses;
    char text[sizeof PAD + sizeof((TextRun *)0)->text + sizeof PAD]; /* with its blanks */
};

/* Guards the library that all fonts share, as fonts are opened and closed. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

Letters *letters_create(const FontFiles *files) {
    Letters *letters = calloc(1, sizeof *letters);
    if (letters)
        letters->files = files;
    return letters;
}

static void close_font(OpenFont *open) {
    pthread_mutex_lock(&lock);
    TTF_CloseFont(open->font);
    pthread_mutex_unlock(&lock);
    *open = (OpenFont){0};
}

void letters_destroy(Letters *letters) {
    if (!letters)
        return;
    for (size_t i = 0; i < FACE_COUNT * SIZES; i++) {
        if (letters->fonts[i / SIZES][i % SIZES].font)
            close_font(&letters->fonts[i / SIZES][i % SIZES]);
    }
    free(letters);
}

/* The library is opened once a process. FreeType leaves out in silence the modules that
 * it has no memory for; malloc says so in errno. SDL asks the processor what it can, when
 * it is first asked that, without a lock: a second thread that asks meanwhile is answered
 * wrongly, and SDL_ttf then draws letters that overwrite each other. */
static bool open_library(void) {
    if (TTF_WasInit())
        return true;
    SDL_HasSSE2();
    if (TTF_Init() == 0 && errno != ENOMEM)
        return true;
    TTF_Quit();
    return false;
}

static int columns_of(int em) {
    return em == MEASURING || em > COLUMNS_MAX_EM ? 1 : COLUMNS;
}

/* Sets a font, opened where it isn't, to a size. False when that fails. */
static bool set_size(OpenFont *open, const Typeface *typeface, int em) {
    bool measures = em == MEASURING;
    if (!open->font) {
        pthread_mutex_lock(&lock);
        SDL_RWops *stream =
            open_library() ? SDL_RWFromConstMem(typeface->bytes, typeface->size) : NULL;
        if (stream)
            open->font = TTF_OpenFontIndexRW(stream, 1, typeface->units, typeface->index);
        pthread_mutex_unlock(&lock);
    }
    if (!open->font ||
        TTF_SetFontSizeDPI(open->font, measures ? typeface->units : em,
                           measures ? 72 : (unsigned)(PARTS_DPI * columns_of(em)),
                           measures ? 72 : PARTS_DPI) != 0)
        return false;
    TTF_SetFontHinting(open->font, measures ? TTF_HINTING_NONE : TTF_HINTING_LIGHT);
    open->em = em;
    return TTF_SizeUTF8(open->font, PAD, &open->pad, NULL) == 0;
}

/* Returns a run's font at a size, set to the run's script and direction; the run's text
 * with its blanks is in `text`. The face's font that has been unused longest is closed
 * for it. Returns NULL if it can't be opened; errno is 0 unless memory is short. */
static OpenFont *begin(Letters *letters, const TextRun *run, int em) {
    OpenFont *open = letters->fonts[run->face];
    for (size_t i = 0; i < SIZES; i++) {
        OpenFont *other = &letters->fonts[run->face][i];
        bool fits = other->font && other->em == em;
        if (fits || other->used < open->used)
            open = other;
        if (fits)
            break;
    }
    open->used = ++letters->uses;
    errno = 0;
    if (!libraries_have(HINTER_BYTES))
        return NULL;
    if ((!open->font || open->em != em) &&
        !set_size(open, &letters->files->faces[run->face], em)) {
        int error = errno;
        close_font(open);
        errno = error;
        return NULL;
    }
    uint32_t tag = run->script;
    char script[] = {(char)(tag >> 24), (char)(tag >> 16), (char)(tag >> 8), (char)tag,
                     0};
    TTF_SetFontScriptName(open->font, script);
    TTF_SetFontDirection(open->font, run->direction == DIRECTION_LEFT
                                         ? TTF_DIRECTION_RTL
                                         : TTF_DIRECTION_LTR);
    snprintf(letters->text, sizeof letters->text, PAD "%s" PAD, run->text);
    return open;
}

/* Returns true if memory sufficed; else closes the font, because it may have cached
 * incomplete data. */
static bool end(OpenFont *open) {
    if (errno != ENOMEM)
        return true;
    if (open && open->font)
        close_font(open);
    return false;
}

/* Measures how far the ink of a run's characters extends above and below the baseline, in
 * pixels of the font. */
static void find_ink(const OpenFont *open, const TextRun *run, int *above, int *below) {
    *above = *below = 0;
    for (size_t offset = 0; offset < run->length;) {
        int top, bottom;
        uint32_t code_point = utf8_next(run->text, run->length, &offset);
        if (TTF_GlyphMetrics32(open->font, code_point, NULL, NULL, &bottom, &top, NULL))
            continue;
        *above = top > *above ? top : *above;
        *below = -bottom > *below ? -bottom : *below;
    }
}

bool letters_measure(Letters *letters, const TextRun *run, TextExtent *extent) {
    double units = letters->files->faces[run->face].units;
    int width, above, below;
    OpenFont *open = begin(letters, run, MEASURING);
    *extent = (TextExtent){0};
    if (open && TTF_SizeUTF8(open->font, letters->text, &width, NULL) == 0) {
        find_ink(open, run, &above, &below);
        *extent =
            (TextExtent){(width - 2 * open->pad) / units, above / units, below / units};
    }
    return end(open);
}

/* Adds a picture of a run and its blanks to a stencil. Where ink reaches over the font's
 * own height the picture is higher by what it needs above and below. */
static void add_picture(const OpenFont *open, const TextRun *run, double pen,
                        const SDL_Surface *picture, Stencil *stencil) {
    int columns = columns_of(open->em), above, below;
    int height = TTF_FontHeight(open->font), ascent = TTF_FontAscent(open->font);
    int top = ascent;
    if (picture->h > height) {
        find_ink(open, run, &above, &below);
        int under = below > height - ascent ? below - (height - ascent) : 0;
        int over = picture->h - height - under;
        top += over > 0 ? over : 0;
    }
    int steps = (int)floor(pen * columns + 0.5), phase = steps % columns;
    /* Where the pen's pixel begins; a font's blank may be narrow. */
    int origin = open->pad - (phase <= open->pad ? phase : 0);
    TextMask mask = {.left = -(origin / columns),
                     .top = -top,
                     .width = (picture->w - origin % columns) / columns,
                     .height = picture->h,
                     .coverage = (const uint8_t *)picture->pixels + origin % columns};
    stencil_add(stencil, &mask, picture->pitch, columns, steps / columns);
}

bool letters_draw(Letters *letters, const TextRun *run, int em, double pen,
                  Stencil *stencil) {
    static const SDL_Color white = {255, 255, 255, 255}, black = {0, 0, 0, 255};
    OpenFont *open = begin(letters, run, em);
    SDL_Surface *picture =
        open ? TTF_RenderUTF8_Shaded(open->font, letters->text, white, black) : NULL;
    if (picture && errno != ENOMEM)
        add_picture(open, run, pen, picture, stencil);
    int error = errno;
    SDL_FreeSurface(picture);
    errno = error;
    return end(open);
}

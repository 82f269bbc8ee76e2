/* A typeface: one face of a font file, opened.
 *
 * HarfBuzz is called here and nowhere else, for what SDL_ttf doesn't offer: glyphs by
 * index and their outlines, which PDF and SVG keep, a formula font's MATH table, and the
 * script of a character. Several threads may use a typeface at a time. */
#pragma once

#include "picture/scene/metrics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FontFace {
    FACE_TEXT,
    FACE_BOLD,
    FACE_MATH,
    FACE_CJK,
    FACE_CJK_BOLD,
    FACE_MONO,
    FACE_SYSTEM, /* the first of those that the system lent */
    FACE_COUNT = FACE_SYSTEM + 8,
    FACE_NONE = FACE_COUNT
} FontFace;

typedef struct Typeface {
    struct hb_blob_t *contents; /* of its file; the system maps it, so that only what is
                                   used is read */
    struct hb_font_t *shaper;   /* in font units */
    const char *bytes;          /* the contents' */
    int size;                   /* of the contents */
    int index;                  /* of the face in the file */
    int units;                  /* an em */
} Typeface;

/* Opens face `index` of a file. False when there is no such face, or, as errno then says,
 * no memory for it; it is to be closed all the same. */
bool typeface_open(Typeface *typeface, const char *path, int index);

void typeface_close(Typeface *typeface);

/* Returns true if the face has a glyph for the code point. */
bool typeface_has(const Typeface *typeface, uint32_t code_point);

/* The number of its glyphs; 0 where none is open. */
size_t typeface_glyph_count(const Typeface *typeface);

/* The constants of its MATH table. */
MathConstants typeface_math(const Typeface *typeface);

/* The script of a code point, a tag of ISO 15924: four letters in a number. 0 for what
 * goes with any script, as blanks, digits, punctuation and marks do. */
uint32_t typeface_script(uint32_t code_point);

/* Which way letters follow one another; NONE: as those beside them do. */
typedef enum Direction { DIRECTION_NONE, DIRECTION_RIGHT, DIRECTION_LEFT } Direction;

enum { RUN_MAX = 256 /* code points; longer runs are cut */ };

/* A piece of text in one face, one script and one direction. */
typedef struct TextRun {
    FontFace face;
    uint32_t script;            /* never 0 */
    Direction direction;        /* never DIRECTION_NONE */
    bool is_ideographs;         /* all of it, in a face where each is an em wide */
    size_t bytes;               /* of the text that it was taken from */
    size_t count;               /* of code points */
    size_t length;              /* of text */
    char text[4 * RUN_MAX + 1]; /* zero-terminated UTF-8 without control characters */
} TextRun;

/* A glyph of a text that is to be drawn as outlines. */
typedef struct PlacedGlyph {
    FontFace face;
    uint32_t index;
    double x, y;      /* of its origin, in ems right of and above the text's */
    double advance;   /* in ems */
    const char *text; /* the characters that it stands for, `length` bytes, where it is
                         the first of its cluster; else "" */
    size_t length;
} PlacedGlyph;

/* Places a run's glyphs from left to right, the first at `pen` ems, with one call each.
 * The glyph is valid during the call. False where memory is short, so that some are left
 * out. */
bool typeface_place(const Typeface *typeface, const TextRun *run, double pen,
                    void (*place)(void *context, const PlacedGlyph *glyph),
                    void *context);

/* A part of an outline: a path begins at a point ('M'), goes on straight ('L'), along a
 * curve with one control point ('Q') or with two ('C'); its end is its last point. */
typedef struct OutlinePart {
    char kind;
    Point points[3];
} OutlinePart;

/* Walks a glyph's outline as it was designed, in ems, y upwards; each path is closed
 * where the next begins. Nothing for a glyph without ink. False without memory. */
bool typeface_outline(const Typeface *typeface, uint32_t index,
                      void (*add)(void *context, const OutlinePart *part), void *context);

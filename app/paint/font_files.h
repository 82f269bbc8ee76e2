/* Which files the program's fonts are in, found by fontconfig.
 *
 * Looked up once a process and kept; nothing is opened here but the formula font's MATH
 * table. Safe to call from several threads. */
#ifndef APP_FONT_FILES_H
#define APP_FONT_FILES_H

#include "base/error.h"
#include "picture/scene/metrics.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum FontFace {
    FACE_TEXT,
    FACE_BOLD,
    FACE_MATH,
    FACE_CJK,
    FACE_CJK_BOLD,
    FACE_MONO,
    FACE_COUNT,
    FACE_NONE = FACE_COUNT
} FontFace;

enum { FONT_PATH_SIZE = 1024, FONT_WARNING_SIZE = 240 };

typedef struct FontFile {
    char path[FONT_PATH_SIZE]; /* "" when no such font is installed */
    int index;                 /* of the face in the file */
    const char *family;        /* "DejaVu Sans" */
    bool bold;
} FontFile;

typedef struct FontFiles {
    FontFile faces[FACE_COUNT];
    MathConstants math;
    size_t warning_count;
    char warnings[FACE_COUNT][FONT_WARNING_SIZE]; /* a sentence each */
} FontFiles;

/* The process's fonts; borrowed, never freed, never changed. NULL and ERROR_FILE when the
 * text font is missing; every other missing font is a warning. */
const FontFiles *font_files_find(Error *error);

/* The face that draws a code point in a role's chain of fonts; FACE_NONE when none has
 * it. Reads fontconfig's record of the fonts, so that no font need be open. */
FontFace font_files_face(const FontFiles *files, FontRole role, uint32_t code_point);

#endif

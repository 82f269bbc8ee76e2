/* The files that the program's fonts are in.
 *
 * They come with the program, in assets/fonts of its data folder, so that a picture is
 * the same on every machine. Only a character that none of them has is looked for among
 * the system's fonts. Opened once a process and kept. Safe to call from several threads.
 */
#ifndef APP_FONT_FILES_H
#define APP_FONT_FILES_H

#include "base/error.h"
#include "picture/scene/metrics.h"

#include <hb.h>
#include <stdbool.h>
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

typedef struct FontFile {
    hb_blob_t *contents; /* as the system maps it: nothing is read but what is used */
    int index;           /* of the face in the file */
    hb_font_t *shaper;   /* in font units; several threads may shape with it */
} FontFile;

typedef struct FontFiles {
    FontFile faces[FACE_COUNT]; /* {0}: none yet; what font_files_face gave is there */
    MathConstants math;
} FontFiles;

/* The process's fonts; borrowed, never freed. NULL and ERROR_FILE when one that comes
 * with the program can't be read, ERROR_MEMORY when there is no memory for it. */
const FontFiles *font_files_find(Error *error);

/* Opens the files anew when they are next needed: they are others now. Nobody may use
 * what was borrowed. */
void font_files_forget(void);

/* The face that draws a code point in a role's chain of fonts, else one of the system's;
 * FACE_NONE when none has it, or, as errno then says, there is no memory to look. */
FontFace font_files_face(FontRole role, uint32_t code_point);

/* Shapes UTF-8 text from left to right, in font units; gives how many glyphs the buffer
 * has then. */
unsigned font_files_shape(hb_font_t *font, hb_buffer_t *buffer, const char *text,
                          size_t length);

#endif

/* The files that the program's fonts are in.
 *
 * They come with the program, in assets/fonts of its data folder, so that a picture is
 * the same on every machine. Only a character that none of them has is looked for among
 * the system's fonts. Opened once a process and kept. Safe to call from several threads.
 */
#pragma once

#include "base/error.h"
#include "paint/typeface.h"

typedef struct FontFiles {
    Typeface faces[FACE_COUNT]; /* {0}: none yet; what font_files_face gave is there */
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

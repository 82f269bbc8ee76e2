#include "paint/paint_parts.h"

#include "files/files.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static const char *const names[FACE_SYSTEM] = {
    [FACE_TEXT] = "DejaVuSans.ttf",
    [FACE_BOLD] = "DejaVuSans-Bold.ttf",
    [FACE_MATH] = "texgyretermes-math.otf",
    [FACE_CJK] = "NotoSansCJKsc-Regular.otf",
    [FACE_CJK_BOLD] = "NotoSansCJKsc-Bold.otf",
    [FACE_MONO] = "DejaVuSansMono.ttf",
};

/* The fonts of a role, in the order they are asked for a glyph. */
static const FontFace chains[FONT_COUNT][FACE_SYSTEM + 1] = {
    [FONT_TEXT] = {FACE_TEXT, FACE_CJK, FACE_MATH, FACE_NONE},
    [FONT_BOLD] = {FACE_BOLD, FACE_CJK_BOLD, FACE_TEXT, FACE_CJK, FACE_MATH, FACE_NONE},
    [FONT_MATH] = {FACE_MATH, FACE_TEXT, FACE_CJK, FACE_NONE},
    [FONT_MONO] = {FACE_MONO, FACE_TEXT, FACE_CJK, FACE_MATH, FACE_NONE},
};

/* Guards what follows, and the search among the system's fonts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool found;
static FontFiles process_files;

/* ---- the program's own ---- */

static bool open_own(Error *error) {
    char folder[DATA_FOLDER_SIZE], path[DATA_FOLDER_SIZE + 60];
    if (!data_folder_find(folder, error))
        return false;
    for (FontFace face = 0; face < FACE_SYSTEM; face++) {
        snprintf(path, sizeof path, "%s/assets/fonts/%s", folder, names[face]);
        if (typeface_open(&process_files.faces[face], path, 0))
            continue;
        bool memory = errno != ENOMEM;
        for (FontFace opened = 0; opened <= face; opened++)
            typeface_close(&process_files.faces[opened]);
        if (!memory)
            return error_set(error, ERROR_MEMORY, 0, 0,
                             "there is no memory for the fonts");
        return error_set(error, ERROR_FILE, 0, 0,
                         "the font '%s' can't be read; it belongs to the program", path);
    }
    process_files.math = typeface_math(&process_files.faces[FACE_MATH]);
    return true;
}

const FontFiles *font_files_find(Error *error) {
    pthread_mutex_lock(&lock);
    if (!found)
        found = open_own(error);
    bool usable = found;
    pthread_mutex_unlock(&lock);
    return usable ? &process_files : NULL;
}

void font_files_forget(void) {
    pthread_mutex_lock(&lock);
    for (FontFace face = 0; face < FACE_COUNT; face++)
        typeface_close(&process_files.faces[face]);
    found = false;
    pthread_mutex_unlock(&lock);
}

/* ---- the system's ---- */

/* A face that the system lends for the character, while there are places for one. */
static FontFace borrow_face(bool bold, uint32_t code_point) {
    FontFace face = FACE_SYSTEM;
    for (; face < FACE_COUNT && process_files.faces[face].shaper; face++) {
        if (typeface_has(&process_files.faces[face], code_point))
            return face;
    }
    char path[SYSTEM_FONT_PATH];
    int index;
    if (face == FACE_COUNT || !system_font_find(bold, code_point, path, &index))
        return FACE_NONE;
    Typeface *file = &process_files.faces[face];
    if (typeface_open(file, path, index) && typeface_has(file, code_point))
        return face;
    typeface_close(file);
    return FACE_NONE;
}

FontFace font_files_face(FontRole role, uint32_t code_point) {
    for (const FontFace *face = chains[role]; *face != FACE_NONE; face++) {
        if (typeface_has(&process_files.faces[*face], code_point))
            return *face;
    }
    pthread_mutex_lock(&lock);
    FontFace face = borrow_face(role == FONT_BOLD, code_point);
    pthread_mutex_unlock(&lock);
    return face;
}

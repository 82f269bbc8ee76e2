#include "paint/font_files.h"

#include "files/data_folder.h"
#include "paint/system_font.h"

#include <errno.h>
#include <hb-ot.h>
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

/* HarfBuzz reads a face's tables when they are first needed, and a table that there was
 * no memory for is as if the face had none, from then on: all are read at once. */
static void read_tables(hb_font_t *font) {
    hb_buffer_t *buffer = hb_buffer_create();
    hb_glyph_extents_t ink;
    font_files_shape(font, buffer, "A", 1);
    hb_font_get_glyph_extents(font, 1, &ink);
    hb_ot_math_has_data(hb_font_get_face(font));
    hb_buffer_destroy(buffer);
}

/* False when there is no such face, or, as errno then says, no memory for it. */
static bool open_file(FontFile *file, const char *path, int index) {
    errno = 0;
    file->contents = hb_blob_create_from_file(path);
    file->index = index;
    hb_face_t *face = hb_face_create(file->contents, (unsigned)index);
    file->shaper = hb_font_create(face);
    hb_font_make_immutable(file->shaper);
    bool good = hb_face_get_glyph_count(face) > 0;
    if (good)
        read_tables(file->shaper);
    hb_face_destroy(face);
    return good && errno != ENOMEM;
}

static void close_file(FontFile *file) {
    hb_font_destroy(file->shaper);
    hb_blob_destroy(file->contents);
    *file = (FontFile){0};
}

static double constant(hb_font_t *font, hb_ot_math_constant_t which) {
    return (double)hb_ot_math_get_constant(font, which) /
           (double)hb_face_get_upem(hb_font_get_face(font));
}

/* Source: OpenType specification, "MATH - The Mathematical Typesetting Table". */
static void read_math_constants(hb_font_t *font, MathConstants *math) {
    math->axis_height = constant(font, HB_OT_MATH_CONSTANT_AXIS_HEIGHT);
    math->rule_thickness = constant(font, HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS);
    math->numerator_shift =
        constant(font, HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP);
    math->denominator_shift =
        constant(font, HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN);
    math->numerator_gap =
        constant(font, HB_OT_MATH_CONSTANT_FRACTION_NUM_DISPLAY_STYLE_GAP_MIN);
    math->denominator_gap =
        constant(font, HB_OT_MATH_CONSTANT_FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN);
    math->superscript_shift = constant(font, HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP);
    math->subscript_shift = constant(font, HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN);
    math->script_gap = constant(font, HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN);
    math->script_scale =
        hb_ot_math_get_constant(font, HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN) /
        100.0;
    math->radical_gap =
        constant(font, HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP);
    math->radical_rule_thickness =
        constant(font, HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS);
    math->radical_extra_ascender =
        constant(font, HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER);
}

static bool open_own(Error *error) {
    char folder[DATA_FOLDER_SIZE], path[DATA_FOLDER_SIZE + 60];
    if (!data_folder_find(folder, error))
        return false;
    for (FontFace face = 0; face < FACE_SYSTEM; face++) {
        snprintf(path, sizeof path, "%s/assets/fonts/%s", folder, names[face]);
        if (open_file(&process_files.faces[face], path, 0))
            continue;
        bool memory = errno != ENOMEM;
        for (FontFace opened = 0; opened <= face; opened++)
            close_file(&process_files.faces[opened]);
        if (!memory)
            return error_set(error, ERROR_MEMORY, 0, 0,
                             "there is no memory for the fonts");
        return error_set(error, ERROR_FILE, 0, 0,
                         "the font '%s' can't be read; it belongs to the program", path);
    }
    read_math_constants(process_files.faces[FACE_MATH].shaper, &process_files.math);
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
        close_file(&process_files.faces[face]);
    found = false;
    pthread_mutex_unlock(&lock);
}

/* ---- the system's ---- */

static bool has(FontFace face, uint32_t code_point) {
    hb_codepoint_t glyph;
    return hb_font_get_nominal_glyph(process_files.faces[face].shaper, code_point,
                                     &glyph);
}

/* A face that the system lends for the character, while there are places for one. */
static FontFace borrow_face(bool bold, uint32_t code_point) {
    FontFace face = FACE_SYSTEM;
    for (; face < FACE_COUNT && process_files.faces[face].shaper; face++) {
        if (has(face, code_point))
            return face;
    }
    char path[SYSTEM_FONT_PATH];
    int index;
    if (face == FACE_COUNT || !system_font_find(bold, code_point, path, &index))
        return FACE_NONE;
    FontFile *file = &process_files.faces[face];
    if (open_file(file, path, index) && has(face, code_point))
        return face;
    close_file(file);
    return FACE_NONE;
}

FontFace font_files_face(FontRole role, uint32_t code_point) {
    for (const FontFace *face = chains[role]; *face != FACE_NONE; face++) {
        if (has(*face, code_point))
            return *face;
    }
    pthread_mutex_lock(&lock);
    FontFace face = borrow_face(role == FONT_BOLD, code_point);
    pthread_mutex_unlock(&lock);
    return face;
}

unsigned font_files_shape(hb_font_t *font, hb_buffer_t *buffer, const char *text,
                          size_t length) {
    hb_buffer_reset(buffer);
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, HB_SCRIPT_UNKNOWN);
    hb_buffer_guess_segment_properties(buffer);
    hb_buffer_add_utf8(buffer, text, (int)length, 0, (int)length);
    hb_shape(font, buffer, NULL, 0);
    if (!hb_buffer_allocation_successful(buffer))
        errno = ENOMEM;
    return hb_buffer_get_length(buffer);
}

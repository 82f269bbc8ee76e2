#include "paint/glyphs.h"

#include "paint/libraries.h"

#include <errno.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GLYPHS_BYTES = 8 << 20,
    HINTER_BYTES = 1 << 20, /* more than FreeType's takes for a glyph */
    PIXEL = 64,             /* FreeType's units */
    /* FreeType counts in points of 1 / 72 inch: at so few dots an inch one is a part. */
    PARTS_DPI = 72 / GLYPH_EM_PARTS
};

/* As far as it has been needed. */
typedef struct OpenFace {
    FT_Face face;
    int em; /* the size that it is set to */
} OpenFace;

struct Glyphs {
    const FontFiles *files;
    FT_Library library;
    OpenFace faces[FACE_COUNT];
    hb_buffer_t *buffer;
    Cache *masks;
    Stencil stencil; /* a mask in the making */
};

Glyphs *glyphs_create(const FontFiles *files, Error *error) {
    errno = 0;
    Glyphs *glyphs = calloc(1, sizeof *glyphs);
    if (glyphs) {
        glyphs->files = files;
        glyphs->buffer = hb_buffer_create();
        glyphs->masks = cache_create(GLYPHS_BYTES);
    }
    if (glyphs && glyphs->masks && hb_buffer_allocation_successful(glyphs->buffer) &&
        FT_Init_FreeType(&glyphs->library) == 0 && errno != ENOMEM)
        return glyphs;
    error_set(error, ERROR_MEMORY, 0, 0, "not enough memory for the fonts");
    glyphs_destroy(glyphs);
    return NULL;
}

void glyphs_destroy(Glyphs *glyphs) {
    if (!glyphs)
        return;
    if (glyphs->library)
        FT_Done_FreeType(glyphs->library); /* with its faces */
    hb_buffer_destroy(glyphs->buffer);
    cache_destroy(glyphs->masks);
    stencil_finish(&glyphs->stencil);
    free(glyphs);
}

/* A face at a size. One open face serves all sizes: its hinter studies it when it is
 * opened, which takes longer than to change the size. NULL when it can't be opened. */
static FT_Face face_at(Glyphs *glyphs, FontFace face, int em) {
    OpenFace *open = &glyphs->faces[face];
    unsigned length = 0;
    const FontFile *file = &glyphs->files->faces[face];
    const char *data = hb_blob_get_data(file->contents, &length);
    if (!open->face && FT_New_Memory_Face(glyphs->library, (const FT_Byte *)data,
                                          (FT_Long)length, file->index, &open->face) != 0)
        return NULL;
    if (open->em != em &&
        FT_Set_Char_Size(open->face, 0, em * PIXEL, PARTS_DPI, PARTS_DPI) != 0)
        return NULL;
    open->em = em;
    return open->face;
}

/* Draws a glyph whose origin is `x` and `y` of FreeType's units from the text's. Advances
 * are as designed, at every size and scale; stems keep their shape. */
static void draw_glyph(FT_Face face, FT_UInt index, FT_Pos x, FT_Pos y,
                       Stencil *stencil) {
    FT_GlyphSlot slot = face->glyph;
    if (FT_Load_Glyph(face, index, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0)
        return;
    FT_Pos whole = x & -PIXEL;
    FT_Outline_Translate(&slot->outline, x - whole, y);
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0)
        return;
    TextMask drawn = {slot->bitmap_left, -slot->bitmap_top, (int)slot->bitmap.width,
                      (int)slot->bitmap.rows, slot->bitmap.buffer};
    stencil_add(stencil, &drawn, slot->bitmap.pitch, (int)(whole / PIXEL));
}

/* One that was short of memory may have kept half of what it was to keep. */
static void forget_face(OpenFace *open) {
    if (open->face)
        FT_Done_Face(open->face);
    *open = (OpenFace){0};
}

static void draw_text(Glyphs *glyphs, FontFace face, FT_Face open, int em,
                      const char *text, size_t length, double pen, Stencil *stencil) {
    hb_font_t *font = glyphs->files->faces[face].shaper;
    double unit = (double)em * PIXEL / GLYPH_EM_PARTS /
                  hb_face_get_upem(hb_font_get_face(font)); /* a font's, in FreeType's */
    unsigned count = font_files_shape(font, glyphs->buffer, text, length);
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(glyphs->buffer, NULL);
    const hb_glyph_position_t *places =
        hb_buffer_get_glyph_positions(glyphs->buffer, NULL);
    int advance = 0;
    for (unsigned i = 0; i < count; i++) {
        double x = pen * PIXEL + (advance + places[i].x_offset) * unit;
        draw_glyph(open, infos[i].codepoint, (FT_Pos)floor(x + 0.5),
                   (FT_Pos)floor(places[i].y_offset * unit + 0.5), stencil);
        advance += places[i].x_advance;
    }
}

/* What there was no memory for is left out; malloc says in errno that there was none. */
bool glyphs_draw(Glyphs *glyphs, FontFace face, int em, const char *text, size_t length,
                 double pen, Stencil *stencil) {
    errno = 0;
    FT_Face open = libraries_have(HINTER_BYTES) ? face_at(glyphs, face, em) : NULL;
    if (open)
        draw_text(glyphs, face, open, em, text, length, pen, stencil);
    if (errno != ENOMEM)
        return true;
    forget_face(&glyphs->faces[face]);
    return false;
}

const TextMask *glyphs_mask(Glyphs *glyphs, FontFace face, int em, int phase,
                            const char *text, size_t length) {
    uint32_t key = ((uint32_t)em * FACE_COUNT + face) * GLYPH_PHASES + (uint32_t)phase;
    const TextMask *known = cache_find(glyphs->masks, key, text, length);
    if (known)
        return known;
    if (!stencil_begin(&glyphs->stencil, (double)length, em / GLYPH_EM_PARTS + 1))
        return NULL;
    bool drawn = glyphs_draw(glyphs, face, em, text, length, (double)phase / GLYPH_PHASES,
                             &glyphs->stencil);
    return drawn ? stencil_keep(&glyphs->stencil, glyphs->masks, key, text, length)
                 : NULL;
}

/* ---- outlines ---- */

typedef struct Walk {
    void (*add)(void *context, const OutlinePart *part);
    void *context;
    double units; /* an em */
} Walk;

static void walk_on(const Walk *walk, char kind, const FT_Vector *const *vectors,
                    size_t count) {
    OutlinePart part = {.kind = kind};
    for (size_t i = 0; i < count; i++)
        part.points[i] = (Point){(double)vectors[i]->x / walk->units,
                                 (double)vectors[i]->y / walk->units};
    walk->add(walk->context, &part);
}

static int walk_move(const FT_Vector *to, void *walk) {
    walk_on(walk, 'M', (const FT_Vector *[]){to}, 1);
    return 0;
}

static int walk_line(const FT_Vector *to, void *walk) {
    walk_on(walk, 'L', (const FT_Vector *[]){to}, 1);
    return 0;
}

static int walk_conic(const FT_Vector *control, const FT_Vector *to, void *walk) {
    walk_on(walk, 'Q', (const FT_Vector *[]){control, to}, 2);
    return 0;
}

static int walk_cubic(const FT_Vector *first, const FT_Vector *second,
                      const FT_Vector *to, void *walk) {
    walk_on(walk, 'C', (const FT_Vector *[]){first, second, to}, 3);
    return 0;
}

bool glyphs_outline(Glyphs *glyphs, FontFace face, uint32_t index,
                    void (*add)(void *context, const OutlinePart *part), void *context) {
    static const FT_Outline_Funcs functions = {walk_move,  walk_line, walk_conic,
                                               walk_cubic, 0,         0};
    errno = 0;
    FT_Face open =
        libraries_have(HINTER_BYTES) ? face_at(glyphs, face, GLYPH_EM_PARTS) : NULL;
    if (open && FT_Load_Glyph(open, index, FT_LOAD_NO_SCALE) == 0) {
        Walk walk = {add, context, open->units_per_EM};
        FT_Outline_Decompose(&open->glyph->outline, &functions, &walk);
    }
    if (errno != ENOMEM)
        return true;
    forget_face(&glyphs->faces[face]);
    return false;
}

size_t glyphs_count(const Glyphs *glyphs, FontFace face) {
    const FontFile *file = &glyphs->files->faces[face];
    return file->shaper ? hb_face_get_glyph_count(hb_font_get_face(file->shaper)) : 0;
}

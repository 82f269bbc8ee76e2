#include "paint/paint.h"

#include <errno.h>
#include <hb-ot.h>

/* HarfBuzz leaves out in silence what it has no memory for; malloc says so in errno. */
static hb_buffer_t *shape(hb_font_t *font, const TextRun *run) {
    hb_buffer_t *buffer = hb_buffer_create();
    hb_buffer_set_direction(buffer, run->direction == DIRECTION_LEFT ? HB_DIRECTION_RTL
                                                                     : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, (hb_script_t)run->script);
    hb_buffer_add_utf8(buffer, run->text, (int)run->length, 0, (int)run->length);
    hb_shape(font, buffer, NULL, 0);
    if (!hb_buffer_allocation_successful(buffer))
        errno = ENOMEM;
    return buffer;
}

/* HarfBuzz reads a face's tables when they are first needed, and a table that there was
 * no memory for is as if the face had none, from then on: all are read at once. */
static void read_tables(hb_font_t *font) {
    TextRun run = {.script = HB_SCRIPT_LATIN, .length = 1, .text = "A"};
    hb_glyph_extents_t ink;
    hb_buffer_destroy(shape(font, &run));
    hb_font_get_glyph_extents(font, 1, &ink);
    hb_ot_math_has_data(hb_font_get_face(font));
}

bool typeface_open(Typeface *typeface, const char *path, int index) {
    unsigned size;
    errno = 0;
    typeface->contents = hb_blob_create_from_file(path);
    typeface->bytes = hb_blob_get_data(typeface->contents, &size);
    typeface->size = (int)size;
    typeface->index = index;
    hb_face_t *face = hb_face_create(typeface->contents, (unsigned)index);
    typeface->units = (int)hb_face_get_upem(face);
    typeface->shaper = hb_font_create(face);
    hb_font_make_immutable(typeface->shaper);
    bool good = hb_face_get_glyph_count(face) > 0;
    if (good)
        read_tables(typeface->shaper);
    hb_face_destroy(face);
    return good && errno != ENOMEM;
}

void typeface_close(Typeface *typeface) {
    hb_font_destroy(typeface->shaper);
    hb_blob_destroy(typeface->contents);
    *typeface = (Typeface){0};
}

bool typeface_has(const Typeface *typeface, uint32_t code_point) {
    hb_codepoint_t glyph;
    return hb_font_get_nominal_glyph(typeface->shaper, code_point, &glyph);
}

size_t typeface_glyph_count(const Typeface *typeface) {
    return typeface->shaper ? hb_face_get_glyph_count(hb_font_get_face(typeface->shaper))
                            : 0;
}

/* Source: OpenType specification, "MATH - The Mathematical Typesetting Table". */
MathConstants typeface_math(const Typeface *typeface) {
    MathConstants math;
    const struct {
        double *constant;
        hb_ot_math_constant_t which;
    } lengths[] = {
        {&math.axis_height, HB_OT_MATH_CONSTANT_AXIS_HEIGHT},
        {&math.rule_thickness, HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS},
        {&math.numerator_shift,
         HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP},
        {&math.denominator_shift,
         HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN},
        {&math.numerator_gap, HB_OT_MATH_CONSTANT_FRACTION_NUM_DISPLAY_STYLE_GAP_MIN},
        {&math.denominator_gap, HB_OT_MATH_CONSTANT_FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN},
        {&math.superscript_shift, HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP},
        {&math.subscript_shift, HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN},
        {&math.script_gap, HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN},
        {&math.radical_gap, HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP},
        {&math.radical_rule_thickness, HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS},
        {&math.radical_extra_ascender, HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER},
    };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        *lengths[i].constant =
            (double)hb_ot_math_get_constant(typeface->shaper, lengths[i].which) /
            typeface->units;
    math.script_scale =
        hb_ot_math_get_constant(typeface->shaper,
                                HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN) /
        100.0;
    return math;
}

uint32_t typeface_script(uint32_t code_point) {
    hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), code_point);
    return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED ||
                   script == HB_SCRIPT_UNKNOWN
               ? 0
               : (uint32_t)script;
}

/* ---- glyphs ---- */

/* The end of a glyph's cluster in the text: where the next cluster begins, which in a
 * run to the left was placed before it. */
static size_t cluster_end(const hb_glyph_info_t *infos, unsigned count, unsigned at,
                          const TextRun *run) {
    size_t end = run->length;
    for (unsigned i = 0; i < count; i++) {
        if (infos[i].cluster > infos[at].cluster && infos[i].cluster < end)
            end = infos[i].cluster;
    }
    return end;
}

bool typeface_place(const Typeface *typeface, const TextRun *run, double pen,
                    void (*place)(void *context, const PlacedGlyph *glyph),
                    void *context) {
    errno = 0;
    hb_buffer_t *buffer = shape(typeface->shaper, run);
    unsigned count = 0;
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(buffer, NULL);
    double units = typeface->units;
    bool good = errno != ENOMEM;
    for (unsigned i = 0; i < count; i++) {
        size_t start = infos[i].cluster;
        bool begins = i == 0 || infos[i - 1].cluster != start;
        PlacedGlyph glyph = {.face = run->face,
                             .index = infos[i].codepoint,
                             .x = pen + places[i].x_offset / units,
                             .y = places[i].y_offset / units,
                             .advance = places[i].x_advance / units,
                             .text = begins ? run->text + start : "",
                             .length =
                                 begins ? cluster_end(infos, count, i, run) - start : 0};
        place(context, &glyph);
        pen += places[i].x_advance / units;
    }
    hb_buffer_destroy(buffer);
    return good;
}

/* ---- outlines ---- */

typedef struct Walk {
    void (*add)(void *context, const OutlinePart *part);
    void *context;
    double units; /* an em */
} Walk;

static void walk_on(const Walk *walk, char kind, const float *coordinates, size_t count) {
    OutlinePart part = {.kind = kind};
    for (size_t i = 0; i < count; i++)
        part.points[i] = (Point){(double)coordinates[2 * i] / walk->units,
                                 (double)coordinates[2 * i + 1] / walk->units};
    walk->add(walk->context, &part);
}

static void walk_move(hb_draw_funcs_t *functions, void *walk, hb_draw_state_t *state,
                      float x, float y, void *data) {
    (void)functions, (void)state, (void)data;
    walk_on(walk, 'M', (const float[]){x, y}, 1);
}

static void walk_line(hb_draw_funcs_t *functions, void *walk, hb_draw_state_t *state,
                      float x, float y, void *data) {
    (void)functions, (void)state, (void)data;
    walk_on(walk, 'L', (const float[]){x, y}, 1);
}

static void walk_quadratic(hb_draw_funcs_t *functions, void *walk, hb_draw_state_t *state,
                           float x1, float y1, float x, float y, void *data) {
    (void)functions, (void)state, (void)data;
    walk_on(walk, 'Q', (const float[]){x1, y1, x, y}, 2);
}

static void walk_cubic(hb_draw_funcs_t *functions, void *walk, hb_draw_state_t *state,
                       float x1, float y1, float x2, float y2, float x, float y,
                       void *data) {
    (void)functions, (void)state, (void)data;
    walk_on(walk, 'C', (const float[]){x1, y1, x2, y2, x, y}, 3);
}

bool typeface_outline(const Typeface *typeface, uint32_t index,
                      void (*add)(void *context, const OutlinePart *part),
                      void *context) {
    Walk walk = {add, context, typeface->units};
    errno = 0;
    hb_draw_funcs_t *functions = hb_draw_funcs_create();
    hb_draw_funcs_set_move_to_func(functions, walk_move, NULL, NULL);
    hb_draw_funcs_set_line_to_func(functions, walk_line, NULL, NULL);
    hb_draw_funcs_set_quadratic_to_func(functions, walk_quadratic, NULL, NULL);
    hb_draw_funcs_set_cubic_to_func(functions, walk_cubic, NULL, NULL);
    hb_font_get_glyph_shape(typeface->shaper, index, functions, &walk);
    hb_draw_funcs_destroy(functions);
    return errno != ENOMEM;
}

#include "picture/stage/caption.h"

#include "picture/draw/canvas.h"
#include "picture/scene/label.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double SHAPE_UNITS = 14, SMALLEST_SHARE = 0.7; /* of a name's size */
static const double WIDEST_TAB = 260;  /* units: a longer name is a caption */
static const double WORDS_SHARE = 0.8; /* upright words look larger than symbols */

static FormulaExtent extent_of(const Canvas *canvas, const char *formula, double units) {
    return canvas_formula_extent(canvas, formula, canvas_size(canvas, units, ""));
}

static bool fit_name(const Canvas *canvas, Caption *caption, const char *formula,
                     double units, double width) {
    const double shares[] = {1, (1 + SMALLEST_SHARE) / 2, SMALLEST_SHARE};
    if (strncmp(formula, "\\text", 5) == 0)
        units *= WORDS_SHARE;
    bool built = strstr(formula, "\\frac"); /* has parts that are set small already */
    size_t count = built ? 1 : sizeof shares / sizeof *shares;
    for (size_t i = 0; i < count; i++) {
        FormulaExtent extent = extent_of(canvas, formula, units * shares[i]);
        if (extent.width > width)
            continue;
        double axis = canvas->metrics->math.axis_height *
                      canvas_size(canvas, units * shares[i], "");
        caption->name = formula;
        caption->units = units * shares[i];
        caption->above = extent.ascent - axis;
        caption->below = extent.descent + axis;
        caption->width = fmax(caption->width, extent.width);
        return true;
    }
    return false;
}

Caption caption_fit(const Stage *stage, const char *formula, size_t node,
                    const Tensor *tensor, double units, double width) {
    const Canvas *canvas = stage->canvas;
    Caption caption = {.node = node, .name = "", .units = units};
    caption.shape = canvas_format(canvas, "%zu × %zu", tensor->rows, tensor->cols);
    caption.width = canvas_text_width(
        canvas, FONT_TEXT, canvas_size(canvas, SHAPE_UNITS, ""), caption.shape);
    bool mean = node != TAPE_NONE && formula && strstr(formula, "\\sum");
    if (formula && (mean || !fit_name(canvas, &caption, formula, units, width)) &&
        node != TAPE_NONE)
        fit_name(canvas, &caption, stage_operation_words(stage, node), units, width);
    return caption;
}

bool caption_rename(const Canvas *canvas, Caption *caption, const char *name,
                    double units, double width) {
    bool fits = fit_name(canvas, caption, name, units, width);
    if (!fits)
        caption->name = "";
    return fits;
}

Caption caption_of(const Stage *stage, size_t node, double units, double width) {
    return caption_fit(stage, stage_formula_name(stage, node), node,
                       stage_tensor(stage, node), units, width);
}

Caption caption_low(const Stage *stage, const char *formula, size_t node,
                    const Tensor *tensor, double units, double width, double height) {
    Caption caption = caption_fit(stage, formula, node, tensor, units, width);
    double part = height / (caption.above + caption.below);
    if (part >= 1 || node == TAPE_NONE)
        return caption;
    if (tape_node(stage->tape, node)->name[0])
        return caption_fit(stage, formula, node, tensor, units * part, width);
    caption = caption_fit(stage, stage_operation_words(stage, node), TAPE_NONE, tensor,
                          units, width);
    return caption;
}

RoleTab caption_tab(const Stage *stage, const char *formula, size_t node) {
    Role role = node == TAPE_NONE ? ROLE_NONE : role_of_node(stage->tape, node);
    if (!role_has_tab(role))
        return (RoleTab){0};
    return caption_tab_of(stage, formula, node, role, role_is_weight(stage->tape, node));
}

RoleTab caption_tab_of(const Stage *stage, const char *formula, size_t node, Role role,
                       bool weight) {
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, node);
    RoleTab tab = {.node = node,
                   .role = role,
                   .name = formula,
                   .shape =
                       canvas_format(canvas, "%zu × %zu", tensor->rows, tensor->cols),
                   .weight = weight};
    if (role_tab_width(canvas, &tab) > WIDEST_TAB)
        tab.name = NULL;
    return tab;
}

const char *caption_scaled_shape(const Canvas *canvas, const char *shape,
                                 HeatmapColors colors, double reach, bool told) {
    int exponent = heatmap_exponent(colors, reach);
    if (exponent > 0)
        shape = canvas_format(canvas, "%s  · %s", shape ? shape : "",
                              heatmap_power(canvas, exponent));
    if (told && colors != HEATMAP_PLAIN)
        shape = canvas_format(canvas, "%s%s%s%s", shape ? shape : "", shape ? "  " : "",
                              colors == HEATMAP_SIGNED ? "±" : "0…",
                              heatmap_mark(canvas, reach, reach));
    return shape;
}

void caption_show_scale(const Canvas *canvas, Caption *caption, HeatmapColors colors,
                        double reach, bool told) {
    double size = canvas_size(canvas, SHAPE_UNITS, "");
    caption->shape = caption_scaled_shape(canvas, caption->shape, colors, reach, told);
    caption->width =
        fmax(caption->width, canvas_text_width(canvas, FONT_TEXT, size, caption->shape));
}

double caption_shape_drop(const Canvas *canvas, double below) {
    return fmax(30, below + 9 + LABEL_ASCENT * canvas_size(canvas, SHAPE_UNITS, ""));
}

void caption_draw_name(const Stage *stage, const Caption *caption, Point axis,
                       LabelAlign align) {
    if (caption->name[0])
        canvas_formula(stage->canvas, caption->name, caption->units, axis, align);
}

void caption_draw(const Stage *stage, const Caption *caption, Point axis, double drop,
                  LabelAlign align) {
    const Canvas *canvas = stage->canvas;
    scene_begin_caption(canvas->scene, caption->node);
    caption_draw_name(stage, caption, axis, align);
    canvas_label(canvas, FONT_TEXT, SHAPE_UNITS, canvas->theme->ink_faint,
                 (Point){axis.x, axis.y + drop}, align, caption->shape);
    scene_end_caption(canvas->scene);
}

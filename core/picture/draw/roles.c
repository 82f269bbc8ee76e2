#include "picture/draw/roles.h"

#include "picture/draw/patterns.h"
#include "picture/scene/label.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double NAME_UNITS = 20, SHAPE_UNITS = 14, TAB_UNITS = 32;
static const double LINE = 2.5, RADIUS = 8; /* of a frame */
static const double PAD = 12, GAP = 9; /* padding of a tab, and gap between its words */

/* ---- roles of tensors ---- */

/* Roles of operations' results, for tensors without a telling name. */
static const Role made[OPERATION_COUNT] = {
    [OPERATION_SOFTMAX] = ROLE_PROBABILITIES,
    [OPERATION_LAYER_NORM] = ROLE_NORM,
    [OPERATION_RMS_NORM] = ROLE_NORM,
};

static bool only_moves(const TapeNode *node) {
    return node->input_count == 1 &&
           (node->operation == OPERATION_TRANSPOSE || node->operation == OPERATION_SLICE);
}

static bool is_in_feed_forward(const Tape *tape, const TapeNode *node) {
    for (size_t group = node->group; group != TAPE_NONE;) {
        const TapeGroup *at = tape_group(tape, group);
        if (role_of_name(at->name) == ROLE_FEED_FORWARD)
            return true;
        group = at->parent;
    }
    return false;
}

/* Role of a product such as X W_Q, for tensors without a telling name. */
static Role role_of_product(const Tape *tape, const TapeNode *node) {
    const char *right =
        node->operation == OPERATION_MATMUL ? tape_node(tape, node->inputs[1])->name : "";
    return role_names_weight(right) ? role_of_name(right) : ROLE_NONE;
}

/* Role by a tensor's name or operation, or by those of the tensor that it moves. */
static Role role_of_result(const Tape *tape, size_t number) {
    const TapeNode *node = tape_node(tape, number);
    if (node->gradient_of != TAPE_NONE)
        return ROLE_NONE;
    Role role = role_of_name(node->name);
    if (role == ROLE_NONE)
        role = made[node->operation];
    if (role == ROLE_NONE)
        role = role_of_product(tape, node);
    return role == ROLE_NONE && only_moves(node) ? role_of_result(tape, node->inputs[0])
                                                 : role;
}

Role role_of_node(const Tape *tape, size_t number) {
    Role role = role_of_result(tape, number);
    const TapeNode *node = tape_node(tape, number);
    while (role == ROLE_NONE && node->gradient_of == TAPE_NONE) {
        if (is_in_feed_forward(tape, node))
            role = ROLE_FEED_FORWARD;
        else if (only_moves(node))
            node = tape_node(tape, node->inputs[0]);
        else
            break;
    }
    return role;
}

bool role_adds_or_norms(const Tape *tape, size_t number) {
    Role role = role_of_result(tape, number);
    return role == ROLE_NORM || role == ROLE_RESIDUAL;
}

bool role_is_weight(const Tape *tape, size_t number) {
    const TapeNode *node = tape_node(tape, number);
    while (!node->name[0] && only_moves(node))
        node = tape_node(tape, node->inputs[0]);
    return role_names_weight(node->name);
}

bool role_has_tab(Role role) {
    return role == ROLE_QUERY || role == ROLE_KEY || role == ROLE_VALUE;
}

/* ---- frames ---- */

Box role_frame_box(Box table) {
    return box_inset(table, -ROLE_FRAME_MARGIN);
}

static void draw_dashed(const Canvas *canvas, Box box, PatternDash dash, Color color) {
    double right = box.x + box.w, bottom = box.y + box.h;
    pattern_path(canvas, dash,
                 (Point[]){{box.x, box.y},
                           {right, box.y},
                           {right, bottom},
                           {box.x, bottom},
                           {box.x, box.y}},
                 5, LINE, 1, color);
}

Box role_frame(const Canvas *canvas, Role role, Box table) {
    const Theme *theme = canvas->theme;
    Box frame = role_frame_box(table);
    Color color = role_color(theme, role, theme->line);
    PatternDash dash = pattern_dash(theme, role);
    bool whole = dash.on == 0;
    scene_rectangle(canvas->scene, frame, RADIUS, theme->page, whole ? color : (Color){0},
                    LINE);
    if (!whole)
        draw_dashed(canvas, box_inset(frame, LINE / 2), dash, color);
    return frame;
}

/* ---- tabs ---- */

typedef struct TabParts {
    FormulaExtent name;
    double name_size, shape_size, shape_width;
} TabParts;

static TabParts parts_of(const Canvas *canvas, const RoleTab *tab) {
    TabParts parts = {.name_size = canvas_size(canvas, NAME_UNITS, ""),
                      .shape_size = canvas_size(canvas, SHAPE_UNITS, "")};
    parts.name = canvas_formula_extent(canvas, tab->name, parts.name_size);
    if (tab->shape && tab->shape[0])
        parts.shape_width =
            canvas_text_width(canvas, FONT_TEXT, parts.shape_size, tab->shape);
    return parts;
}

double role_tab_height(const Canvas *canvas, const RoleTab *tab) {
    TabParts parts = parts_of(canvas, tab);
    double shape = parts.shape_width > 0 ? parts.shape_size : 0;
    return fmax(fmax(TAB_UNITS, ceil(parts.name.ascent + parts.name.descent + 8)),
                shape > 0 ? ceil(shape * 1.12 + 9) : 0);
}

double role_tab_width(const Canvas *canvas, const RoleTab *tab) {
    TabParts parts = parts_of(canvas, tab);
    double gap = parts.shape_width > 0 ? GAP : 0;
    return ceil(parts.name.width + gap + parts.shape_width + 2 * PAD);
}

/* Box of a tab beside its frame, without the root under the frame. */
static Box place_tab(const Canvas *canvas, const RoleTab *tab, Box frame) {
    double w = role_tab_width(canvas, tab), h = role_tab_height(canvas, tab);
    switch (tab->side) {
    case ROLE_TAB_ABOVE:
        return (Box){frame.x, frame.y - h, w, h};
    case ROLE_TAB_BELOW:
        return (Box){frame.x, frame.y + frame.h, w, h};
    case ROLE_TAB_BESIDE:
        break;
    }
    return (Box){frame.x + frame.w, round(frame.y + (frame.h - h) / 2 - tab->lift), w, h};
}

/* Draws a tab as one rounded box with its root, which the frame covers; a filled tab that
 * is wider than its frame has no root beside it. */
static void draw_ground(const Canvas *canvas, const RoleTab *tab, Box box, Box frame,
                        Color color) {
    double radius = RADIUS;
    if (tab->side != ROLE_TAB_BESIDE && box.w > frame.w && !tab->weight) {
        scene_rectangle(canvas->scene, box, RADIUS, color, color, LINE);
        double strip = 4, lower = box.y + box.h - strip;
        radius = 0;
        box = (Box){box.x, tab->side == ROLE_TAB_BELOW ? box.y : lower, frame.w, strip};
    }
    if (tab->side == ROLE_TAB_BELOW)
        box.y -= RADIUS;
    if (tab->side == ROLE_TAB_BESIDE) {
        box.x -= RADIUS;
        box.w += RADIUS;
    } else {
        box.h += RADIUS;
    }
    scene_rectangle(canvas->scene, box, radius, tab->weight ? canvas->theme->page : color,
                    color, LINE);
}

Box role_tab(const Canvas *canvas, const RoleTab *tab, Box frame) {
    const Theme *theme = canvas->theme;
    TabParts parts = parts_of(canvas, tab);
    Box box = place_tab(canvas, tab, frame);
    Color color = role_color(theme, tab->role, theme->ink_soft);
    Color ink =
        tab->weight ? color : palette_ink(color, theme->cell_dark, theme->cell_light);
    draw_ground(canvas, tab, box, frame, color);
    Theme inked = role_one_ink(theme, ink);
    Canvas named = *canvas;
    named.theme = &inked;
    double middle = round(box.y + box.h / 2), left = box.x + PAD;
    double lower = (parts.name.ascent - parts.name.descent) / 2;
    double axis = canvas->metrics->math.axis_height * parts.name_size;
    scene_begin_caption(canvas->scene, tab->node);
    canvas_formula(&named, tab->name, NAME_UNITS, (Point){left, middle + lower - axis},
                   LABEL_LEFT);
    if (parts.shape_width > 0)
        canvas_text(canvas, FONT_TEXT, parts.shape_size, ink,
                    (Point){left + parts.name.width + GAP,
                            label_baseline(middle, parts.shape_size)},
                    LABEL_LEFT, tab->shape);
    scene_end_caption(canvas->scene);
    return box;
}

/* ---- on the residual lane ---- */

Box role_thumbnail(const Canvas *canvas, const Heatmap *heatmap) {
    Box frame = role_frame(canvas, ROLE_RESIDUAL, heatmap->cells);
    Heatmap small = *heatmap;
    small.without_numbers = true;
    small.row_labels = small.col_labels = false;
    heatmap_draw(canvas, &small);
    return frame;
}

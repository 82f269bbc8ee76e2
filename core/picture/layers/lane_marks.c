#include "base/strings/language.h"
#include "lesson/content/content.h"
#include "picture/draw/roles.h"
#include "picture/layers/layers_parts.h"
#include "picture/stage/caption.h"

#include <math.h>
#include <string.h>

static const double NAME = 21, FRAME = 6, ABOVE = 16, BELOW = 18, PAD = 2;

/* ---- tables ---- */

void lane_tables_measure(LaneTables *tables, const size_t *nodes, size_t count) {
    Box cells = {0, 0, tables->width, tables->height};
    tables->digits = INFINITY;
    for (size_t i = 0; i < count; i++) {
        Heatmap table = stage_heatmap(tables->stage, nodes[i], cells, tables->reach);
        tables->digits =
            fmin(tables->digits, heatmap_number_size(tables->stage->canvas, &table));
    }
}

const char *lane_table_name(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    const char *key = at->operation == OPERATION_POSITIONAL_ENCODING ? "part.position"
                      : at->operation == OPERATION_EMBED             ? "part.embedding"
                                                                     : NULL;
    return at->name[0] || !key ? stage_formula_name(stage, node)
                               : canvas_format(stage->canvas, "\\text{%s}",
                                               canvas_string(stage->canvas, key));
}

void lane_frame(const Canvas *canvas, Box cells) {
    scene_rectangle(canvas->scene, box_inset(cells, -FRAME), 8, canvas->theme->page,
                    canvas->theme->line, 2);
}

void lane_table_draw(const LaneTables *tables, size_t node, Box cells, bool labels,
                     bool above, Color outline) {
    const Stage *stage = tables->stage;
    const Canvas *canvas = stage->canvas;
    lane_frame(canvas, cells);
    Heatmap heatmap = stage_heatmap(stage, node, cells, tables->reach);
    heatmap.colors = HEATMAP_SIGNED;
    heatmap.number_size = tables->digits;
    heatmap.without_numbers = !(tables->digits > 0);
    heatmap.row_labels = labels;
    heatmap.label_room = tables->labels;
    stage_focus(stage, &heatmap, true, false);
    if (node == stage->node || node == stage->step->result)
        stage_result(stage, &heatmap);
    heatmap_draw(canvas, &heatmap);
    if (outline.a)
        heatmap_outline_cell(canvas, &heatmap, stage->focus_row, stage->focus_col,
                             outline);
    Caption caption = caption_fit(stage, lane_table_name(stage, node), node,
                                  heatmap.tensor, NAME, cells.w);
    double drop = tables->without_shapes ? caption.below
                                         : caption_shape_drop(canvas, caption.below);
    if (tables->without_shapes)
        caption.shape = "";
    caption_draw(stage, &caption,
                 (Point){cells.x + cells.w / 2, above
                                                    ? cells.y - FRAME - ABOVE - drop
                                                    : cells.y + cells.h + FRAME + BELOW},
                 drop, LABEL_CENTER);
}

/* ---- marks ---- */

void lane_question(const Canvas *canvas, Point centre, double radius) {
    double size = canvas_size(canvas, radius * 1.3, "?");
    canvas_dot(canvas, centre, radius, canvas->theme->page, canvas->theme->ink,
               fmax(round(radius / 9), 1.5));
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                (Point){centre.x, label_baseline(centre.y, size)}, LABEL_CENTER, "?");
}

void lane_norm_dots(const Stage *stage, size_t node, size_t row, Box gate, double y,
                    bool chosen) {
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = stage_tensor(stage, node);
    Color color = role_color(canvas->theme, ROLE_NORM, canvas->theme->ink);
    double radius = round(chosen ? 3.5 : 2.5), half = gate.w / 2 - 7;
    double middle = gate.x + gate.w / 2;
    scene_line(canvas->scene, (Point){middle - half, y}, (Point){middle + half, y}, 1,
               lane_color(canvas, ROLE_NORM, false));
    for (size_t col = 0; col < tensor->cols; col++) {
        double value = tensor_at(tensor, row, col);
        if (!isfinite(value))
            continue;
        canvas_link_cell(canvas, node, row, col);
        canvas_dot(canvas, (Point){middle + half * value / heatmap_reach(tensor), y},
                   radius, color, (Color){0}, 0);
        canvas_unlink(canvas);
    }
}

/* ---- blocks ---- */

/* A name in lines of about equal length. */
typedef struct Name {
    const char *text;
    size_t lines;
    /* Size of a line; distance of lines; width of the longest. */
    double size, leading, width;
} Name;

static size_t count_lines(const Canvas *canvas, const LaneBlock *block, const Name *name,
                          double width) {
    size_t lines;
    paragraph_measure(canvas->metrics, block->font, name->size, width, name->leading, 9,
                      name->text, &lines);
    return lines;
}

/* Name of a block in as few lines as have room, which may break at a hyphen. */
static Name name_in(const Canvas *canvas, const LaneBlock *block, double width) {
    double size = canvas_size(canvas, block->units, block->name);
    Name name = {
        .text = block->name, .size = size, .leading = round(size * LANE_LEADING)};
    const char *hyphen = strchr(name.text, '-');
    if (hyphen && canvas_text_width(canvas, block->font, size, name.text) > width)
        name.text = canvas_format(canvas, "%.*s-\n%s", (int)(hyphen - name.text),
                                  name.text, hyphen + 1);
    name.lines = count_lines(canvas, block, &name, width);
    name.width = width;
    while (name.width > size &&
           count_lines(canvas, block, &name, name.width - 1) == name.lines)
        name.width--;
    return name;
}

bool lane_block_fits(const Canvas *canvas, const LaneBlock *block, Box box) {
    Name name = name_in(canvas, block, box.w - 2 * PAD);
    return name.lines <= 2 && name.leading * (double)name.lines <= box.h - 2 * PAD;
}

void lane_block_draw(const Canvas *canvas, const LaneBlock *block, Box box) {
    scene_rectangle(canvas->scene, box, 8, block->fill, block->edge, 2);
    if (block->sign && (!block->name[0] || !lane_block_fits(canvas, block, box))) {
        sign_draw(canvas, block->sign, box, block->name[0] ? block->ink : block->edge);
        return;
    }
    Name name = name_in(canvas, block, box.w - 2 * PAD);
    double height = name.leading * (double)name.lines;
    Box words = {box.x + round((box.w - name.width) / 2),
                 box.y + round((box.h - height) / 2), name.width, height};
    canvas_paragraph(canvas, block->font, name.size, block->ink, words, name.leading, 2,
                     name.text);
}

LaneBlock lane_block_of(const Canvas *canvas, const char *topic) {
    static const struct {
        const char *topic;
        Sign sign;
        Role role;
    } known[] = {{"feed_forward", SIGN_HINGE, ROLE_FEED_FORWARD},
                 {"cross_attention", SIGN_CROSSES, ROLE_PROBABILITIES},
                 {"", SIGN_LOOKS, ROLE_PROBABILITIES}}; /* other attention */
    const char *key = canvas_format(canvas, "map.%s", topic);
    size_t i = 0;
    if (!language_has(canvas->language, key))
        key = "lane.sublayer";
    while (known[i].topic[0] && strcmp(known[i].topic, topic) != 0)
        i++;
    return (LaneBlock){.name = canvas_string(canvas, key),
                       .sign = known[i].sign,
                       .role = known[i].role,
                       .fill = canvas->theme->page,
                       .edge =
                           role_color(canvas->theme, known[i].role, canvas->theme->ink),
                       .ink = canvas->theme->ink};
}

void lane_box(const Canvas *canvas, Box box, Role role) {
    scene_rectangle(canvas->scene, box, 12, canvas->theme->bar,
                    lane_color(canvas, role, true), 2);
}

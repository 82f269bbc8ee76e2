#include "picture/pictures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void given_picture(const Stage *stage) {
    Panel panel = panel_of(stage, stage->node, NULL);
    panel.is_output = true;
    panels_show(stage, &panel, 1);
}

void plain_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->input_count == 0 || node->input_count >= PANELS_MAX) {
        given_picture(stage);
        return;
    }
    Panel panels[PANELS_MAX];
    size_t count = node->input_count;
    for (size_t i = 0; i < count; i++)
        panels[i] = panel_of(stage, node->inputs[i], i ? "," : NULL);
    panels[count] = panel_of(stage, stage->node, "\\to");
    panels[count].is_output = true;
    panels_show(stage, panels, count + 1);
}

/* A model's part as the map has it, "Cross-attention", with the layer's number before it
 * where there are several. */
static const char *part_words(const Stage *stage, const char *owner) {
    const Canvas *canvas = stage->canvas;
    const TransformerShape *shape = &stage->player->lesson->model->shape;
    const char *part = strrchr(owner, '.');
    bool decodes = strncmp(owner, "decoder.", 8) == 0;
    if (!part)
        return owner;
    bool masked =
        decodes && shape->encoder_layers && strcmp(part, ".self_attention") == 0;
    const char *key =
        canvas_format(canvas, "map.%s", masked ? "masked_attention" : part + 1);
    if (!strings_has(canvas->strings, key))
        return owner;
    const char *words = canvas_string(canvas, key);
    size_t layers = decodes ? shape->decoder_layers : shape->encoder_layers;
    size_t layer = strtoul(owner + strcspn(owner, "0123456789"), NULL, 10) + 1;
    return layers > 1 ? canvas_format(canvas, "%zu · %s", layer, words) : words;
}

/* Whose weights, of two layers'? "L_1" of L_1.self_attention.weights, of a model's the
 * part; NULL for a tensor of the lesson's own. */
static const char *owner_of(const Stage *stage, size_t node) {
    const char *name = stage_node(stage, node)->name;
    const char *dot = strchr(name, '.');
    while (dot && isdigit((unsigned char)dot[1]))
        dot = strchr(dot + 1, '.');
    if (!dot)
        return NULL;
    const char *owner = canvas_format(stage->canvas, "%.*s", (int)(dot - name), name);
    return stage->player->lesson->model ? part_words(stage, owner) : owner;
}

void show_picture(const Stage *stage) {
    Panel panels[PANELS_MAX];
    size_t count = stage->step->shown_count;
    count = count < PANELS_MAX ? count : PANELS_MAX;
    for (size_t i = 0; i < count; i++) {
        panels[i] = panel_of(stage, stage->step->shown[i], NULL);
        panels[i].is_output = stage->step->shown[i] == stage->step->result;
    }
    for (size_t i = 0; count > 1 && i < count; i++)
        panels[i].note = owner_of(stage, panels[i].node);
    panels_show(stage, panels, count);
}

#include "picture/draw/part_name.h"

#include "lesson/content/content.h"
#include "model/build/layers.h"
#include "model/build/model.h"
#include "tensor/tape/tape.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART_MAX = 64 };

/* A lesson writes `head_1`, a model `head.0`; the last one in a path counts. */
unsigned long part_head(const char *name) {
    static const char head[] = "head";
    const char *found = NULL, *next = name;
    for (; (next = strstr(next, head)) != NULL; next++) {
        if (next == name || next[-1] == '.')
            found = next;
    }
    if (!found)
        return 0;
    found += sizeof head - 1;
    if ((*found != '_' && *found != '.') || !isdigit((unsigned char)found[1]))
        return 0;
    return strtoul(found + 1, NULL, 10) + (*found == '.');
}

/* Removes a number from the end of a text: norm_2. */
static void drop_number(char *text) {
    char *end = text + strlen(text);
    while (end > text && isdigit((unsigned char)end[-1]))
        end--;
    if (*end && end > text && end[-1] == '_')
        end[-1] = 0;
}

/* Strings key of a model's part or, for "decoder.0", of that side of the model. */
static const char *part_words_key(const Canvas *canvas, const char *owner) {
    const char *dot = strrchr(owner, '.'), *side = strchr(owner, '.');
    char part[PART_MAX];
    if (!dot)
        return canvas_format(canvas, "chapter.%s", owner);
    if (isdigit((unsigned char)dot[1]))
        return canvas_format(canvas, "chapter.%.*s", (int)(side - owner), owner);
    if (strncmp(owner, "decoder.", 8) == 0 && strcmp(dot, ".self_attention") == 0)
        return "map.masked_attention";
    snprintf(part, sizeof part, "%s", dot + 1);
    drop_number(part);
    return canvas_format(canvas, "map.%s", part);
}

/* Name of a model's part as on the map, "Cross-attention", with the layer's number before
 * it if there are several. */
static const char *part_words(const Canvas *canvas, const TransformerShape *shape,
                              const char *owner) {
    bool decodes = strncmp(owner, "decoder.", 8) == 0;
    const char *key = part_words_key(canvas, owner);
    if (!language_has(canvas->language, key))
        return owner;
    const char *words = canvas_string(canvas, key);
    size_t layers = decodes ? shape->decoder_layers : shape->encoder_layers;
    unsigned long layer = strtoul(owner + strcspn(owner, "0123456789"), NULL, 10) + 1;
    return strchr(owner, '.') && layers > 1
               ? canvas_format(canvas, "%lu · %s", layer, words)
               : words;
}

/* End of the path before the first non-numeric part of a name. */
static const char *end_of_group(const char *name) {
    const char *dot = strchr(name, '.');
    while (dot && isdigit((unsigned char)dot[1]))
        dot = strchr(dot + 1, '.');
    return dot;
}

/* Number of the generation step in a name, "said.turn_3.logits", or 0; *name is moved
 * behind it. */
static unsigned long take_turn(const char **name) {
    static const char turn[] = ".turn_";
    const char *found = strstr(*name, turn);
    char *end;
    if (!found || !isdigit((unsigned char)found[sizeof turn - 1]))
        return 0;
    unsigned long number = strtoul(found + sizeof turn - 1, &end, 10);
    if (*end != '.')
        return 0;
    *name = end + 1;
    return number;
}

/* Owner of a model's tensor, without the generation step. */
static const char *owner_of(const Canvas *canvas, const Lesson *lesson,
                            const char *name) {
    const char *head = strstr(name, ".head.");
    const char *end = !lesson->model ? end_of_group(name)
                      : head         ? head
                                     : strrchr(name, '.');
    if (!end)
        return NULL;
    const char *owner = canvas_format(canvas, "%.*s", (int)(end - name), name);
    return lesson->model ? part_words(canvas, &lesson->model->shape, owner) : owner;
}

static const char *step_words(const Canvas *canvas, unsigned long turn) {
    return canvas_words(canvas, "view.turn", canvas_format(canvas, "%lu", turn), NULL);
}

const char *part_step(const Canvas *canvas, const Lesson *lesson, const char *name) {
    unsigned long turn = lesson->model ? take_turn(&name) : 0;
    return turn ? step_words(canvas, turn) : NULL;
}

const char *part_owner(const Canvas *canvas, const Lesson *lesson, const char *name) {
    unsigned long turn = lesson->model ? take_turn(&name) : 0;
    const char *owner = owner_of(canvas, lesson, name);
    if (!turn)
        return owner;
    const char *words = step_words(canvas, turn);
    return owner ? canvas_format(canvas, "%s · %s", words, owner) : words;
}

static bool has_end(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* Key of the sublayer in a path, as in the strings; NULL if there is none. */
static const char *sublayer_of(const char *name) {
    static const struct {
        const char *path, *key;
    } sublayers[] = {{"cross_attention", "cross_attention"},
                     {"self_attention", "attention"},
                     {"feed_forward", "feed_forward"}};
    for (size_t i = 0; i < sizeof sublayers / sizeof *sublayers; i++) {
        if (strstr(name, sublayers[i].path))
            return sublayers[i].key;
    }
    return NULL;
}

/* Name of the activation in the feed-forward network that a part belongs to. */
static const char *activation_of(const Canvas *canvas, const Lesson *lesson,
                                 const char *name) {
    const char *dot = strrchr(name, '.');
    int owner = dot ? (int)(dot + 1 - name) : 0;
    Activation found = ACTIVATION_RELU;
    while (found < ACTIVATION_SWIGLU &&
           tape_find(lesson->tape, canvas_format(canvas, "%.*s%s", owner, name,
                                                 activation_name(found))) == TAPE_NONE)
        found++;
    return activation_name(found);
}

/* Formula of a product with a weight before the bias is added: "x W_Q". */
static const char *product_formula(const Canvas *canvas, const Lesson *lesson,
                                   const char *name, const char *part) {
    static const struct {
        const char *part, *weight, *factor; /* key of the factor's words; NULL: x */
    } products[] = {
        {"query_product", "W_Q", NULL},      {"key_product", "W_K", NULL},
        {"value_product", "W_V", NULL},      {"linear_1_product", "W_1", NULL},
        {"linear_2_product", "W_2", ""}, /* the activation's */
        {"gate_product", "W_gate", NULL},    {"up_product", "W_up", NULL},
        {"down_product", "W_down", "gated"}, {"projected_product", "W_O", "concat"},
        {"logits_product", "W", NULL},
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        const char *factor = products[i].factor;
        if (strcmp(products[i].part, part) != 0)
            continue;
        if (!factor)
            return canvas_format(canvas, "x \\tensor{%s}", products[i].weight);
        factor = *factor ? factor : activation_of(canvas, lesson, name);
        return canvas_format(
            canvas, "\\text{%s } \\tensor{%s}",
            canvas_string(canvas, canvas_format(canvas, "part.%s", factor)),
            products[i].weight);
    }
    return NULL;
}

static bool is_result(const char *part) {
    static const char *const results[] = {
        "output",       "projected",       "linear_2", "self_attention",
        "feed_forward", "cross_attention", "down"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strcmp(part, results[i]) == 0)
            return true;
    }
    return false;
}

const char *part_sublayer(const Canvas *canvas, const char *name) {
    const char *dot = strrchr(name, '.'), *sublayer = sublayer_of(name);
    if (!sublayer || part_head(name) || !is_result(dot ? dot + 1 : name))
        return NULL;
    return canvas_format(
        canvas, "\\text{%s}",
        canvas_string(canvas, canvas_format(canvas, "part.%s", sublayer)));
}

/* Key of a part's words; the result of a sublayer is named after the sublayer. */
static const char *part_key(const Canvas *canvas, const Lesson *lesson, const char *name,
                            char *part) {
    const char *sublayer = sublayer_of(name);
    if (sublayer && is_result(part))
        return part_head(name) ? "part.head"
                               : canvas_format(canvas, "part.after_%s", sublayer);
    bool both = lesson->model && lesson->model->shape.kind == TRANSFORMER_ENCODER_DECODER;
    if (both && strcmp(part, "input") == 0)
        return strncmp(name, "decoder.", 8) == 0 || strstr(name, ".decoder.")
                   ? "part.decoder_input"
                   : "part.encoder_input";
    if (strcmp(part, "table") == 0 && strstr(name, ".position."))
        return "part.position_table";
    const char *key = canvas_format(canvas, "part.%s", part);
    if (language_has(canvas->language, key))
        return key;
    if (strcmp(part, "linear_1") == 0)
        return canvas_format(canvas, "part.before_%s",
                             activation_of(canvas, lesson, name));
    drop_number(part);
    return canvas_format(canvas, "part.%s", part);
}

const char *part_name(const Canvas *canvas, const Lesson *lesson, const char *name,
                      const char *added) {
    char part[PART_MAX];
    size_t length = strlen(name);
    bool transposed = length > 2 && strcmp(name + length - 2, ".T") == 0;
    length -= transposed ? 2 : 0;
    size_t begin = length;
    while (begin > 0 && name[begin - 1] != '.')
        begin--;
    if ((begin == 0 && !lesson->model) || length - begin >= sizeof part)
        return NULL;
    memcpy(part, name + begin, length - begin);
    part[length - begin] = 0;
    unsigned long head = part_head(name);
    if (strcmp(part, "query") == 0 || strcmp(part, "key") == 0 ||
        strcmp(part, "value") == 0)
        return canvas_format(canvas, "\\tensor{%c%s%s}", toupper((unsigned char)*part),
                             head ? canvas_format(canvas, "_%lu", head) : "",
                             transposed ? ".T" : "");
    if (has_end(part, "_product"))
        return product_formula(canvas, lesson, name, part);
    const char *sublayer = added ? part_sublayer(canvas, added) : NULL;
    if (sublayer && strncmp(part, "residual", 8) == 0)
        return canvas_format(canvas, "x + %s", sublayer);
    const char *key = part_key(canvas, lesson, name, part);
    if (!language_has(canvas->language, key))
        return NULL;
    const char *words = canvas_string(canvas, key);
    const char *raised = transposed ? "^{\\text{T}}" : "";
    const char *last = strrchr(name, '_');
    if (strcmp(part, "norm") == 0 && last && isdigit((unsigned char)last[1]))
        return canvas_format(canvas, "\\text{%s %lu}%s", words,
                             strtoul(last + 1, NULL, 10), raised);
    if (head)
        return canvas_format(canvas, "\\text{%s}_{%lu}%s", words, head, raised);
    return canvas_format(canvas, "\\text{%s}%s", words, raised);
}

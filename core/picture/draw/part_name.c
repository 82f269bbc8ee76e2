#include "picture/draw/part_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PART_MAX = 64 };

/* The number behind the last `head` of a path, from 1, or 0. A lesson writes `head_1`, a
 * model `head.0`. */
static unsigned long head_of(const char *name) {
    static const char head[] = ".head";
    const char *found = NULL, *next = name;
    while ((next = strstr(next, head)) != NULL)
        found = next++;
    if (!found)
        return 0;
    found += sizeof head - 1;
    if ((*found != '_' && *found != '.') || !isdigit((unsigned char)found[1]))
        return 0;
    return strtoul(found + 1, NULL, 10) + (*found == '.');
}

/* Takes a number off the end of a text and gives it back: 2 of norm_2; else "". */
static const char *take_number(char *text) {
    char *end = text + strlen(text);
    while (end > text && isdigit((unsigned char)end[-1]))
        end--;
    if (!*end || end == text || end[-1] != '_')
        return "";
    end[-1] = 0;
    return end;
}

/* A model's part as the map has it, "Cross-attention", with the layer's number before it
 * where there are several. */
static const char *part_words(const Canvas *canvas, const TransformerShape *shape,
                              const char *owner) {
    const char *part = strrchr(owner, '.');
    bool decodes = strncmp(owner, "decoder.", 8) == 0;
    if (!part)
        return owner;
    bool masked = decodes && strcmp(part, ".self_attention") == 0;
    const char *key =
        canvas_format(canvas, "map.%s", masked ? "masked_attention" : part + 1);
    if (!language_has(canvas->language, key))
        return owner;
    const char *words = canvas_string(canvas, key);
    size_t layers = decodes ? shape->decoder_layers : shape->encoder_layers;
    unsigned long layer = strtoul(owner + strcspn(owner, "0123456789"), NULL, 10) + 1;
    return layers > 1 ? canvas_format(canvas, "%lu · %s", layer, words) : words;
}

/* The path before the first part of a name that is no number. */
static const char *end_of_group(const char *name) {
    const char *dot = strchr(name, '.');
    while (dot && isdigit((unsigned char)dot[1]))
        dot = strchr(dot + 1, '.');
    return dot;
}

/* The number of the turn of a generation that a name belongs to, "said.turn_3.logits", or
 * 0; *name is then what stands behind it. */
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

/* Whose a tensor of a model is, without the turn. */
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

const char *part_owner(const Canvas *canvas, const Lesson *lesson, const char *name) {
    unsigned long turn = lesson->model ? take_turn(&name) : 0;
    const char *owner = owner_of(canvas, lesson, name);
    if (!turn)
        return owner;
    const char *words =
        canvas_words(canvas, "view.turn", canvas_format(canvas, "%lu", turn), NULL);
    return owner ? canvas_format(canvas, "%s · %s", words, owner) : words;
}

static bool has_end(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static const char *symbol_of(const char *part) {
    static const struct {
        const char *part, *symbol;
    } symbols[] = {{"query", "Q"}, {"key", "K"}, {"value", "V"}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (strcmp(symbols[i].part, part) == 0)
            return symbols[i].symbol;
    }
    return NULL;
}

const char *part_name(const Canvas *canvas, const char *name, bool in_model) {
    char part[PART_MAX];
    size_t length = strlen(name);
    bool transposed = length > 2 && strcmp(name + length - 2, ".T") == 0;
    length -= transposed ? 2 : 0;
    size_t begin = length;
    while (begin > 0 && name[begin - 1] != '.')
        begin--;
    if ((begin == 0 && !in_model) || length - begin >= sizeof part)
        return NULL;
    memcpy(part, name + begin, length - begin);
    part[length - begin] = 0;
    unsigned long head = head_of(name);
    const char *mark = transposed ? ".T" : "", *symbol = symbol_of(part);
    if (symbol)
        return head ? canvas_format(canvas, "\\tensor{%s_%lu%s}", symbol, head, mark)
                    : canvas_format(canvas, "\\tensor{%s%s}", symbol, mark);
    bool product = has_end(part, "_product");
    const char *key = canvas_format(canvas, "part.%s", product ? "product" : part);
    const char *number = "";
    if (!language_has(canvas->language, key)) {
        number = take_number(part);
        key = canvas_format(canvas, "part.%s", part);
    }
    if (!language_has(canvas->language, key))
        return NULL;
    const char *words = canvas_string(canvas, key);
    if (*number)
        words = canvas_format(canvas, "%s %s", words, number);
    const char *raised = transposed ? "^{\\text{T}}" : "";
    if (head)
        return canvas_format(canvas, "\\text{%s}_{%lu}%s", words, head, raised);
    return canvas_format(canvas, "\\text{%s}%s", words, raised);
}

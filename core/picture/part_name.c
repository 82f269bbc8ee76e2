#include "picture/part_name.h"

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

/* Takes a number off the end of a text: norm_2. */
static void drop_number(char *text) {
    char *end = text + strlen(text);
    while (end > text && isdigit((unsigned char)end[-1]))
        end--;
    if (*end && end > text && end[-1] == '_')
        end[-1] = 0;
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
    drop_number(part);
    if (!strings_has(canvas->strings, key))
        key = canvas_format(canvas, "part.%s", part);
    if (!strings_has(canvas->strings, key))
        return NULL;
    const char *words = canvas_string(canvas, key);
    const char *raised = transposed ? "^{\\text{T}}" : "";
    if (head)
        return canvas_format(canvas, "\\text{%s}_{%lu}%s", words, head, raised);
    return canvas_format(canvas, "\\text{%s}%s", words, raised);
}

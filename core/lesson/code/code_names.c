#include "lesson/code/code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether the script has a function of that name. */
static bool is_helper(const char *name, CodeLanguage language) {
    const char *piece;
    size_t length = strlen(name);
    for (size_t i = 0; (piece = code_prelude(language, i)); i++) {
        for (const char *at = piece; (at = strstr(at, "def ")); at++) {
            if (strncmp(at + 4, name, length) == 0 && at[4 + length] == '(')
                return true;
        }
    }
    return false;
}

/* What Python, the two libraries and the script's own helpers are called. */
static bool is_taken(const char *name) {
    static const char *const words[] = {
        "and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
        "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
        "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
        "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield",
        "None",   "True", "False",  "len",    "range",  "float",   "int",      "np",
        "torch",  "F",    "math"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], name) == 0)
            return true;
    }
    return is_helper(name, CODE_NUMPY) || is_helper(name, CODE_TORCH);
}

/* Letters, digits and lines; everything else becomes a line. */
static char *identifier(Arena *arena, const char *prefix, const char *name) {
    char *text = arena_format(arena, "%s%s", prefix, name);
    for (char *c = text; c && *c; c++) {
        if (!isalnum((unsigned char)*c))
            *c = '_';
    }
    return text;
}

typedef struct Named {
    const char *name;
    size_t node;
} Named;

static int compare_names(const void *a, const void *b) {
    const Named *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order ? order : left->node < right->node ? -1 : left->node > right->node;
}

/* Gives the later ones of equal names their nodes' numbers. False when the arena is
 * exhausted; *again: some were given. */
static bool tell_apart(Arena *arena, const char **names, size_t count, bool *again) {
    Named *sorted = arena_alloc(arena, count + 1, sizeof *sorted);
    *again = false;
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (Named){names[i], i};
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < count; i++) {
        size_t node = sorted[i].node;
        if (strcmp(sorted[i - 1].name, sorted[i].name) != 0)
            continue;
        *again = true;
        names[node] = arena_format(arena, "%s_n%zu", names[node], node);
        if (!names[node])
            return false;
    }
    return true;
}

static const char *name_of(Arena *arena, const Tape *tape, size_t node,
                           const char *made_by) {
    const TapeNode *at = tape_node(tape, node);
    const char *name;
    if (*at->name && !at->quiet)
        name = identifier(arena, isdigit((unsigned char)*at->name) ? "_" : "", at->name);
    else if (made_by)
        name = identifier(arena, "step_", made_by);
    else
        name = arena_format(arena, "node_%zu", node);
    return name && is_taken(name) ? arena_format(arena, "%s_", name) : name;
}

bool code_init(Code *code, Arena *arena, const Player *player) {
    const Tape *tape = player->lesson->tape;
    size_t count = tape_count(tape);
    const char **made_by = arena_alloc(arena, count + 1, sizeof *made_by);
    const char **names = arena_alloc(arena, count + 1, sizeof *names);
    bool again = true;
    if (!made_by || !names)
        return false;
    for (size_t i = 0; i < player->step_count; i++) {
        if (player_has_cells(player, i))
            made_by[player->steps[i].node] = player->steps[i].path;
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = name_of(arena, tape, i, made_by[i]);
        if (!names[i])
            return false;
    }
    while (again && tell_apart(arena, names, count, &again))
        continue;
    *code = (Code){tape, names, NULL};
    return !again;
}

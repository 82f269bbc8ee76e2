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

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether no two of the names are the same. */
static bool are_different(Arena *arena, const char *const *names, size_t count,
                          bool *memory) {
    const char **sorted = arena_alloc(arena, count + 1, sizeof *sorted);
    *memory = sorted != NULL;
    if (!sorted)
        return false;
    memcpy(sorted, names, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return false;
    }
    return true;
}

static const char *name_of(Arena *arena, const Tape *tape, size_t node,
                           const char *made_by, bool numbered) {
    const TapeNode *at = tape_node(tape, node);
    const char *name;
    if (*at->name && !at->quiet)
        name = identifier(arena, isdigit((unsigned char)*at->name) ? "_" : "", at->name);
    else if (made_by)
        name = identifier(arena, "step_", made_by);
    else
        name = arena_format(arena, "node_%zu", node);
    if (name && (numbered || is_taken(name)))
        name = arena_format(arena, numbered ? "%s_n%zu" : "%s_", name, node);
    return name;
}

bool code_init(Code *code, Arena *arena, const Player *player) {
    const Tape *tape = player->lesson->tape;
    size_t count = tape_count(tape);
    const char **made_by = arena_alloc(arena, count + 1, sizeof *made_by);
    const char **names = arena_alloc(arena, count + 1, sizeof *names);
    if (!made_by || !names)
        return false;
    for (size_t i = 0; i < player->step_count; i++) {
        if (player_has_cells(player, i))
            made_by[player->steps[i].node] = player->steps[i].path;
    }
    bool memory = true, numbered = false;
    do { /* names that fall together are told apart by their nodes' numbers */
        for (size_t i = 0; i < count; i++) {
            names[i] = name_of(arena, tape, i, made_by[i], numbered);
            if (!names[i])
                return false;
        }
    } while (!are_different(arena, names, count, &memory) && memory && !numbered &&
             (numbered = true));
    *code = (Code){tape, names, NULL};
    return memory;
}

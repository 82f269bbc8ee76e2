#include "picture/formula/formula_name.h"

#include "picture/formula/formula_symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A piece of a name: the bytes [begin, end) of the text. */
typedef struct Piece {
    const char *begin, *end;
} Piece;

static size_t piece_length(Piece piece) {
    return (size_t)(piece.end - piece.begin);
}

static bool is_digit(char c) {
    return isdigit((unsigned char)c) != 0;
}

static Piece last_digits(Piece piece) {
    Piece digits = {piece.end, piece.end};
    while (digits.begin > piece.begin && is_digit(digits.begin[-1]))
        digits.begin--;
    return digits;
}

/* Number of a tensor's owner, from 1: "1" in `head_1`, and in a model's `head.0`. */
static Piece owner_number(Arena *arena, Piece owner) {
    Piece digits = last_digits(owner);
    if (digits.begin > owner.begin || digits.begin == owner.end)
        return digits;
    const char *text = arena_format(arena, "%lu", strtoul(digits.begin, NULL, 10) + 1);
    return (Piece){text, text + strlen(text)};
}

/* Piece before the first `separator`; *rest is set to the piece behind it. */
static Piece take_before(Piece *rest, char separator) {
    Piece taken = {rest->begin, rest->begin};
    while (taken.end < rest->end && *taken.end != separator)
        taken.end++;
    rest->begin = taken.end + (taken.end < rest->end);
    return taken;
}

/* Piece behind the last dot; *before is set to the piece before it. */
static Piece take_last_component(Piece name, Piece *before) {
    Piece last = {name.end, name.end};
    while (last.begin > name.begin && last.begin[-1] != '.')
        last.begin--;
    *before = (Piece){name.begin, last.begin > name.begin ? last.begin - 1 : name.begin};
    return last;
}

/* Removes ".T" or primes from the end of a name; reports whether it did. */
static bool take_mark(Piece *name, const char *mark) {
    size_t length = strlen(mark);
    if (piece_length(*name) <= length || memcmp(name->end - length, mark, length) != 0)
        return false;
    name->end -= length;
    return true;
}

static FormulaNode *atom(Arena *arena, const char *text, size_t length,
                         FormulaFace face) {
    FormulaNode *node = arena_alloc(arena, 1, sizeof *node);
    const char *copy = arena_copy(arena, text, length);
    *node = (FormulaNode){.kind = FORMULA_ATOM, .text = copy, .face = face};
    return node;
}

/* A piece as an atom: a Greek letter by its name, else letters and digits. Words of
 * several letters are italic as a base, upright as a subscript. */
static FormulaNode *piece_atom(Arena *arena, Piece piece, bool base) {
    size_t length = piece_length(piece);
    const FormulaSymbol *symbol = formula_symbol_named(piece.begin, length);
    if (symbol && symbol->face == FACE_ITALIC)
        return atom(arena, symbol->text, strlen(symbol->text), FACE_ITALIC);
    FormulaFace face = base || length == 1 ? FACE_ITALIC : FACE_UPRIGHT;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)piece.begin[i] >= 0x80)
            face = FACE_SENTENCE;
    }
    FormulaNode *node = atom(arena, piece.begin, length, face);
    node->word = base && length > 1;
    return node;
}

/* A FormulaNode row under construction. */
typedef struct List {
    Arena *arena;
    FormulaNode *row, *last;
} List;

static void list_add(List *list, FormulaNode *node) {
    if (!list->row)
        list->row = arena_alloc(list->arena, 1, sizeof *list->row);
    list->row->kind = FORMULA_ROW;
    if (list->last)
        list->last->next = node;
    else
        list->row->list = node;
    list->last = node;
}

static void list_add_index(List *list, Piece piece) {
    if (piece_length(piece) == 0)
        return;
    if (list->row) {
        FormulaNode *comma = atom(list->arena, ",", 1, FACE_UPRIGHT);
        list_add(list, comma);
    }
    list_add(list, piece_atom(list->arena, piece, false));
}

static bool is_name(const char *name) {
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (!isalnum(c) && c < 0x80 && !strchr("_.'", c))
            return false;
    }
    return true;
}

const char *formula_primes(Arena *arena, size_t count) {
    static const char prime[] = "′";
    size_t length = strlen(prime);
    char *primes = count ? arena_alloc(arena, count + 1, length) : NULL;
    for (size_t i = 0; i < count; i++)
        memcpy(primes + i * length, prime, length);
    return primes;
}

FormulaNode *formula_name(Arena *arena, const char *name) {
    if (!is_name(name))
        return NULL;
    List above = {.arena = arena}, below = {.arena = arena};
    Piece rest = {name, name + strlen(name)};
    size_t primes = 0;
    while (take_mark(&rest, "'"))
        primes++;
    if (take_mark(&rest, ".T"))
        list_add(&above, atom(arena, "T", 1, FACE_UPRIGHT));

    Piece before;
    Piece component = take_last_component(rest, &before);
    Piece number = owner_number(arena, take_last_component(before, &before));
    Piece base = {component.begin, component.begin};
    while (piece_length(base) == 0 && component.begin < component.end)
        base = take_before(&component, '_');
    if (piece_length(base) == 0)
        return NULL;
    Piece digits = last_digits(base);
    if (digits.begin > base.begin)
        base.end = digits.begin;
    else
        digits.begin = digits.end; /* only digits: they are the base */

    FormulaNode *letter = piece_atom(arena, base, true);
    list_add_index(&below, digits);
    while (component.begin < component.end)
        list_add_index(&below, take_before(&component, '_'));
    list_add_index(&below, number);
    FormulaNode *node = arena_alloc(arena, 1, sizeof *node);
    *node = (FormulaNode){.kind = FORMULA_SCRIPTS,
                          .tensor = arena_copy(arena, name, strlen(name)),
                          .word = letter->word,
                          .primes = formula_primes(arena, primes),
                          .parts = {letter, below.row, above.row}};
    return node;
}

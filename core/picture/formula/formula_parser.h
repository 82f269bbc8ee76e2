/* The parser's inside: formula_parse.c reads rows, atoms and scripts, formula_commands.c
 * what begins with a backslash. For these two alone. */
#ifndef PICTURE_FORMULA_PARSER_H
#define PICTURE_FORMULA_PARSER_H

#include "base/arena.h"
#include "picture/formula/formula_symbols.h"

typedef struct Parser {
    Arena *arena;
    const char *source; /* UTF-8 without control characters */
    size_t length, at;
    size_t depth;
    bool bad;          /* something is not understood */
    FormulaNode spare; /* stands for every node once the arena is exhausted; the tree is
                          thrown away then */
} Parser;

/* What ends a row: nothing; a `}`; also a \right. */
typedef enum ParserStop { STOP_END, STOP_BRACE, STOP_RIGHT } ParserStop;

/* New nodes; never NULL. Text is copied. */
FormulaNode *parser_node(Parser *parser, FormulaKind kind);
FormulaNode *parser_atom(Parser *parser, const char *text, size_t length,
                         FormulaFace face);

/* Adds to the end of a list; *last is NULL before the first. */
void parser_append(FormulaNode *row, FormulaNode **last, FormulaNode *node);

FormulaNode *parser_symbol(Parser *parser, const FormulaSymbol *symbol);

/* The source from `from` up to the parser's place, as it stands. */
FormulaNode *parser_bad(Parser *parser, size_t from);

/* The same for the source [from, to), with what was read behind it: no source is read
 * twice, or nested mistakes would take time without end. */
FormulaNode *parser_bad_before(Parser *parser, size_t from, size_t to, FormulaNode *node);

/* The character at the parser's place; 0 at the end. */
char parser_peek(const Parser *parser);
void parser_skip_spaces(Parser *parser);

/* Whether the command `name` stands here: \right, but not \rightly. */
bool parser_at_command(const Parser *parser, const char *name);

/* Reads a row up to a stop, which it leaves standing. */
FormulaNode *parser_row(Parser *parser, ParserStop stop);

/* Reads a row in braces; the parser stands at the opening one. */
FormulaNode *parser_braced(Parser *parser);

/* Reads a command; the parser stands at its backslash. */
FormulaNode *parser_command(Parser *parser);

#endif

/* Internals of the parser: formula_parse.c parses rows, atoms and scripts,
 * formula_commands.c commands, which begin with a backslash. For these two alone. */
#pragma once

#include "base/arena.h"
#include "picture/formula/formula_symbols.h"

typedef struct Parser {
    Arena *arena;
    const char *source; /* UTF-8 without control characters */
    size_t length, at;
    size_t depth;
    bool bad; /* part of the source couldn't be parsed */
} Parser;

/* End of a row: only the source's end; also a `}`; also a \right. */
typedef enum ParserStop { STOP_END, STOP_BRACE, STOP_RIGHT } ParserStop;

/* Create nodes. Text is copied. */
FormulaNode *parser_node(Parser *parser, FormulaKind kind);
FormulaNode *parser_atom(Parser *parser, const char *text, size_t length,
                         FormulaFace face);

/* Appends to a list; *last is NULL before the first. */
void parser_append(FormulaNode *row, FormulaNode **last, FormulaNode *node);

FormulaNode *parser_symbol(Parser *parser, const FormulaSymbol *symbol);

/* Atom of the unparsed source from `from` up to the parser's position. */
FormulaNode *parser_bad(Parser *parser, size_t from);

/* Atom of the unparsed source [from, to), followed by `node`, which was parsed behind it:
 * no source is parsed twice, because nested errors would take exponential time. */
FormulaNode *parser_bad_before(Parser *parser, size_t from, size_t to, FormulaNode *node);

/* Character at the parser's position; 0 at the end. */
char parser_peek(const Parser *parser);
void parser_skip_spaces(Parser *parser);

/* Reports whether the command `name` begins at the parser's position: \right, but not
 * \rightly. */
bool parser_at_command(const Parser *parser, const char *name);

/* Parses a row up to a stop, which is not consumed. */
FormulaNode *parser_row(Parser *parser, ParserStop stop);

/* Parses a row in braces; the parser is at the opening brace. */
FormulaNode *parser_braced(Parser *parser);

/* Parses a command; the parser is at its backslash. */
FormulaNode *parser_command(Parser *parser);

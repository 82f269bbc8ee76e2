/* The prelude of a script: imports and helper functions, reduced to those that are
 * used. */
#pragma once

#include "lesson/code/code_line.h"

enum { CODE_BLOCKS_MAX = 64 };

/* A complete import or function. */
typedef struct CodeBlock {
    const char *text, *name; /* neither is zero-terminated there */
    size_t length, name_length;
    bool imports, used;
} CodeBlock;

typedef struct CodePrelude {
    size_t count;
    CodeBlock blocks[CODE_BLOCKS_MAX];
} CodePrelude;

/* Initializes all blocks; `masked` as in Code. */
void code_prelude_init(CodePrelude *prelude, CodeLanguage language, bool masked);

/* Marks the blocks that a text uses, and those that they use. */
void code_prelude_use(CodePrelude *prelude, const char *text);

/* Reports whether a block has that name. */
bool code_prelude_has(const CodePrelude *prelude, const char *name);

/* Returns the imports that every script has. */
const char *code_imports(CodeLanguage language);

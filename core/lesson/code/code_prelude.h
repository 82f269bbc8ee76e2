/* What a script needs before its lines: imports and functions, of which it has those that
 * are used. */
#ifndef LESSON_CODE_PRELUDE_H
#define LESSON_CODE_PRELUDE_H

#include "lesson/code/code_line.h"

enum { CODE_BLOCKS_MAX = 64 };

/* One import or function, whole. */
typedef struct CodeBlock {
    const char *text, *name; /* neither ends there */
    size_t length, name_length;
    bool imports, used;
} CodeBlock;

typedef struct CodePrelude {
    size_t count;
    CodeBlock blocks[CODE_BLOCKS_MAX];
} CodePrelude;

/* All that there are; `masked` as in Code. */
void code_prelude_init(CodePrelude *prelude, CodeLanguage language, bool masked);

/* Marks what a text calls, and what that calls. */
void code_prelude_use(CodePrelude *prelude, const char *text);

/* Whether one of them has that name. */
bool code_prelude_has(const CodePrelude *prelude, const char *name);

/* The imports that every script has. */
const char *code_imports(CodeLanguage language);

#endif

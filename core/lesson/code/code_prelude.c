#include "lesson/code/code.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const char *const IMPORTS[CODE_LANGUAGE_COUNT] = {
    [CODE_NUMPY] = "import numpy as np\n",
    [CODE_TORCH] = "import torch\n"
                   "import torch.nn.functional as F\n"
                   "\n"
                   "torch.set_default_dtype(torch.float64)\n",
};

/* Functions for gradients of any operation, and for random numbers. */
static const char *const OTHERS[CODE_LANGUAGE_COUNT] = {
    [CODE_NUMPY] = "def unset(g, *cells):  # what is set by hand gives nothing back\n"
                   "    g = g.copy()\n"
                   "    for cell in cells:\n"
                   "        g[cell] = 0\n"
                   "    return g\n"
                   "\n"
                   "def sum_to(g, x):  # undoes broadcasting\n"
                   "    for axis in range(2):\n"
                   "        if np.shape(x)[axis] == 1:\n"
                   "            g = g.sum(axis=axis, keepdims=True)\n"
                   "    return g\n",
    [CODE_TORCH] = "def unset(g, *cells):  # what is set by hand gives nothing back\n"
                   "    g = g.clone()\n"
                   "    for cell in cells:\n"
                   "        g[cell] = 0\n"
                   "    return g\n",
};

/* The generator of base/random.h, also used by dropout. */
static const char DRAWING[] =
    "import math\n"
    "\n"
    "def uniform(state):  # xoshiro256**, the next number from 0 to 1\n"
    "    bits = 2**64 - 1\n"
    "    turn = lambda x, by: (x << by | x >> 64 - by) & bits\n"
    "    result = turn(state[1] * 5 & bits, 7) * 9 & bits\n"
    "    shifted = state[1] << 17 & bits\n"
    "    state[2] ^= state[0]\n"
    "    state[3] ^= state[1]\n"
    "    state[1] ^= state[2]\n"
    "    state[0] ^= state[3]\n"
    "    state[2] ^= shifted\n"
    "    state[3] = turn(state[3], 45)\n"
    "    return (result >> 11) / 2**53\n"
    "\n"
    "def seeded(seed):  # splitmix64\n"
    "    bits, state = 2**64 - 1, []\n"
    "    for _ in range(4):\n"
    "        seed = seed + 0x9E3779B97F4A7C15 & bits\n"
    "        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & bits\n"
    "        z = (z ^ z >> 27) * 0x94D049BB133111EB & bits\n"
    "        state.append(z ^ z >> 31)\n"
    "    return state\n"
    "\n"
    "def draw(count, seed):  # the lesson's own random numbers, the same everywhere\n"
    "    state, numbers = seeded(seed), []\n"
    "    while len(numbers) < count:\n"
    "        u, v = 2 * uniform(state) - 1, 2 * uniform(state) - 1\n"
    "        square = u * u + v * v\n"
    "        if 0 < square < 1:  # Marsaglia's polar method\n"
    "            stretch = math.sqrt(-2 * math.log(square) / square)\n"
    "            numbers += [round(n * stretch * 2**32) / 2**32 for n in (u, v)]\n"
    "    return numbers[:count]\n";

static const char *const RETURNS[CODE_LANGUAGE_COUNT] = {
    [CODE_NUMPY] = "def normal(rows, cols, seed):\n"
                   "    return np.array(draw(rows * cols, seed)).reshape(rows, cols)\n",
    [CODE_TORCH] = "def normal(rows, cols, seed):\n"
                   "    return torch.tensor(draw(rows * cols, seed)).view(rows, cols)\n",
};

const char *code_imports(CodeLanguage language) {
    return IMPORTS[language];
}

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

bool code_prelude_has(const CodePrelude *prelude, const char *name) {
    for (size_t i = 0; i < prelude->count; i++) {
        const CodeBlock *block = &prelude->blocks[i];
        if (block->name_length == strlen(name) &&
            strncmp(block->name, name, block->name_length) == 0)
            return true;
    }
    return false;
}

static void add_block(CodePrelude *prelude, const char *text, size_t length) {
    CodeBlock block = {.text = text, .length = length};
    block.imports = strncmp(text, "import ", 7) == 0;
    block.name = text + (block.imports ? 7 : strlen("def "));
    while (is_letter(block.name[block.name_length]))
        block.name_length++;
    assert(block.name_length); /* blocks are separated by exactly one empty line */
    for (size_t i = 0; i < prelude->count; i++) {
        const CodeBlock *other = &prelude->blocks[i];
        if (other->name_length == block.name_length &&
            strncmp(other->name, block.name, block.name_length) == 0)
            return; /* the import is shared by two operations */
    }
    assert(prelude->count < CODE_BLOCKS_MAX);
    prelude->blocks[prelude->count++] = block;
}

/* Adds blocks, which are separated by empty lines. */
static void add_blocks(CodePrelude *prelude, const char *text) {
    while (text && *text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) + 1 : strlen(text);
        add_block(prelude, text, length);
        text = end ? end + 2 : NULL;
    }
}

void code_prelude_init(CodePrelude *prelude, CodeLanguage language, bool masked) {
    prelude->count = 0;
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        const OperationCode *code = &operation_of(kind)->code;
        const char *numpy = !masked && code->numpy_usual_helpers
                                ? code->numpy_usual_helpers
                                : code->numpy_helpers;
        add_blocks(prelude, language == CODE_NUMPY ? numpy : code->torch_helpers);
    }
    add_blocks(prelude, OTHERS[language]);
    add_blocks(prelude, DRAWING);
    add_blocks(prelude, RETURNS[language]);
}

/* Reports whether [text, end) calls a block's function, or uses its import. */
static bool names(const char *text, const char *end, const CodeBlock *block) {
    char behind = block->imports ? '.' : '(';
    for (const char *at = text; at + block->name_length < end; at++) {
        if (at[block->name_length] == behind &&
            strncmp(at, block->name, block->name_length) == 0 &&
            (at == text || !(is_letter(at[-1]) || at[-1] == '.')))
            return true;
    }
    return false;
}

static void use(CodePrelude *prelude, const char *text, const char *end) {
    for (size_t i = 0; i < prelude->count; i++) {
        CodeBlock *block = &prelude->blocks[i];
        if (block->used || !names(text, end, block))
            continue;
        block->used = true;
        use(prelude, block->text, block->text + block->length);
    }
}

void code_prelude_use(CodePrelude *prelude, const char *text) {
    use(prelude, text, text + strlen(text));
}

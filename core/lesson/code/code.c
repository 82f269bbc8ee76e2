#include "lesson/code/code.h"

#include <string.h>

static const struct {
    const char *name, *title, *imports;
} LANGUAGES[CODE_LANGUAGE_COUNT] = {
    [CODE_NUMPY] = {"numpy", "NumPy", "import numpy as np\n"},
    [CODE_TORCH] = {"torch", "PyTorch",
                    "import torch\n"
                    "import torch.nn.functional as F\n"
                    "\n"
                    "torch.set_default_dtype(torch.float64)\n"},
};

const char *code_language_title(CodeLanguage language) {
    return LANGUAGES[language].title;
}

bool code_language_from_name(const char *name, CodeLanguage *language) {
    for (size_t i = 0; i < CODE_LANGUAGE_COUNT; i++) {
        if (strcmp(LANGUAGES[i].name, name) == 0) {
            *language = (CodeLanguage)i;
            return true;
        }
    }
    return false;
}

/* For the way back through any operation. */
static const char *const BACK_HELPERS[CODE_LANGUAGE_COUNT][2] = {
    [CODE_NUMPY] = {"def unset(g, *cells):  # what is set by hand gives nothing back\n"
                    "    g = g.copy()\n"
                    "    for cell in cells:\n"
                    "        g[cell] = 0\n"
                    "    return g\n",
                    "def sum_to(g, x):  # undoes broadcasting\n"
                    "    for axis in range(2):\n"
                    "        if np.shape(x)[axis] == 1:\n"
                    "            g = g.sum(axis=axis, keepdims=True)\n"
                    "    return g\n"},
    [CODE_TORCH] = {"def unset(g, *cells):  # what is set by hand gives nothing back\n"
                    "    g = g.clone()\n"
                    "    for cell in cells:\n"
                    "        g[cell] = 0\n"
                    "    return g\n"},
};

const char *code_prelude(CodeLanguage language, size_t piece) {
    bool numpy = language == CODE_NUMPY;
    if (piece == 0)
        return LANGUAGES[language].imports;
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        const OperationCode *code = &operation_of(kind)->code;
        const char *helpers = numpy ? code->numpy_helpers : code->torch_helpers;
        if (helpers && --piece == 0)
            return helpers;
    }
    return piece <= 2 ? BACK_HELPERS[language][piece - 1] : NULL;
}

/* The line that shows what the last operation gave; of given tensors alone the last. */
static const char *last_line(const Code *code, Arena *arena) {
    const char *last = NULL;
    bool computed = false;
    for (size_t i = 0; i < tape_count(code->tape); i++) {
        bool computes = tape_node(code->tape, i)->operation != OPERATION_GIVEN;
        if (code_is_within(code, i) || (computed && !computes))
            continue;
        last = code->names[i];
        computed |= computes;
    }
    return last ? arena_format(arena, "\nprint(%s)\n", last) : "";
}

bool code_script(const Code *code, CodeLanguage language, Arena *scratch,
                 bool (*write)(void *context, const char *text), void *context) {
    bool given = true;
    const char *piece;
    for (size_t i = 0; (piece = code_prelude(language, i)); i++) {
        if ((i && !write(context, "\n")) || !write(context, piece))
            return false;
    }
    for (size_t i = 0; i < tape_count(code->tape); i++) {
        const TapeNode *node = tape_node(code->tape, i);
        if (code_is_within(code, i))
            continue;
        arena_reset(scratch);
        const char *line = code_line(code, language, i, scratch);
        bool begins = i == 0 || given != (node->operation == OPERATION_GIVEN);
        given = node->operation == OPERATION_GIVEN;
        if (!line || (begins && !write(context, "\n")) || !write(context, line) ||
            !write(context, "\n"))
            return false;
    }
    arena_reset(scratch);
    const char *last = last_line(code, scratch);
    return last && write(context, last);
}

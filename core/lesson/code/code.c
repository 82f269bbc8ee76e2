#include "lesson/code/code.h"

#include "base/strings/language.h"
#include "base/strings/literal.h"
#include "lesson/content/content.h"
#include "tensor/tape/tape.h"

#include <string.h>

static const struct {
    const char *name, *title;
} LANGUAGES[CODE_LANGUAGE_COUNT] = {
    [CODE_NUMPY] = {"numpy", "NumPy"},
    [CODE_TORCH] = {"torch", "PyTorch"},
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

/* Writes the functions that are used, each after `before`. */
static void put_functions(Writer *writer, const CodePrelude *prelude,
                          const char *before) {
    for (size_t i = 0; i < prelude->count; i++) {
        const CodeBlock *block = &prelude->blocks[i];
        if (block->used && !block->imports)
            writer_format(writer, "%s%.*s", before, (int)block->length, block->text);
    }
}

const char *code_functions(const Code *code, CodeLanguage language, const CodeStep *lines,
                           Arena *arena) {
    CodePrelude *prelude = arena_alloc(arena, 1, sizeof *prelude);
    Writer text = {.arena = arena};
    code_prelude_init(prelude, language, code->masked);
    for (size_t i = 0; i < lines->count; i++)
        code_prelude_use(prelude, lines->lines[i]);
    put_functions(&text, prelude, "");
    return text.length ? text.text : "";
}

/* ---- a script ---- */

enum { MANY_CELLS = 1000, LONGEST_INNER = 80 };

typedef struct Script {
    Code code;
    CodeLanguage language;
    const Language *words;
    Arena *arena;
    const LessonStep **steps; /* the lesson's step that computes each node; NULL: none */
    size_t *uses;
    CodePart *parts;
    const char **lines; /* lines of each node; NULL: none */
    CodePrelude prelude;
    Writer *writer;
} Script;

static const TapeNode *node_of(const Script *script, size_t node) {
    return tape_node(script->code.tape, node);
}

/* Counts the given numbers that would be written out. */
static size_t count_cells(const Code *code) {
    size_t cells = 0;
    for (size_t i = 0; i < tape_count(code->tape); i++)
        cells +=
            code_is_large(code, i) ? tensor_cells(&tape_node(code->tape, i)->output) : 0;
    return cells;
}

/* Counts the uses of nodes; inputs of a gradient always get a line of their own. */
static void count_uses(Script *script) {
    for (size_t i = 0; i < tape_count(script->code.tape); i++) {
        const TapeNode *node = node_of(script, i);
        if (code_is_within(&script->code, i))
            continue;
        for (size_t j = 0; j < node->input_count; j++)
            script->uses[code_through(&script->code, node->inputs[j])] +=
                node->operation == OPERATION_BACKWARD ? 2 : 1;
    }
}

/* Reports whether a node is written inside others: it has no name, or is the product of a
 * linear map, "query_product". */
static bool is_inner(const TapeNode *node) {
    static const char product[] = "_product";
    size_t length = strlen(node->name), tail = sizeof product - 1;
    return !node->quiet &&
           (!length || (strchr(node->name, '.') && length > tail &&
                        strcmp(node->name + length - tail, product) == 0));
}

/* Writes a node; inner nodes are inlined as long as the line stays readable. */
static void write_node(Script *script, size_t node) {
    const TapeNode *at = node_of(script, node);
    bool inner = is_inner(at) && at->operation != OPERATION_GIVEN && !at->edited;
    const LessonStep *step = script->steps[node];
    if (inner && script->uses[node] == 1 && !(step && step->result == node)) {
        const char *value =
            code_value(&script->code, script->language, node, script->arena);
        if (strlen(value) <= LONGEST_INNER) {
            script->parts[node] = (CodePart){value, code_strength(&script->code, node)};
            return;
        }
    }
    script->lines[node] = code_line(&script->code, script->language, node, script->arena);
}

/* Writes the loading of large given tensors, and the command that exports their file. */
static void put_load(const Script *script) {
    const char *id = script->code.lesson->id;
    Writer *writer = script->writer;
    writer_format(
        writer, "\n# the file is written by: glassformer export --out . --format npz %s",
        *id == '-' ? "-- " : "");
    literal_shell(writer, id);
    writer_text(writer, "\ndata = np.load(");
    literal_quoted(writer, arena_format(script->arena, "%s.npz", id));
    writer_text(writer, ")\n");
}

/* Writes the imports and functions that the lines use. */
static void put_prelude(Script *script) {
    Writer *writer = script->writer;
    bool numpy = script->language == CODE_NUMPY;
    code_prelude_init(&script->prelude, script->language, script->code.masked);
    for (size_t i = 0; i < tape_count(script->code.tape); i++) {
        if (script->lines[i])
            code_prelude_use(&script->prelude, script->lines[i]);
    }
    for (size_t i = 0; i < script->prelude.count; i++) {
        const CodeBlock *block = &script->prelude.blocks[i];
        if (block->used && block->imports)
            writer_text(writer, "import math\n");
    }
    writer_text(writer, script->code.loads && !numpy ? "import numpy as np\n" : "");
    writer_text(writer, code_imports(script->language));
    if (numpy)
        writer_text(writer, "\nnp.set_printoptions(precision=4, suppress=True)\n");
    if (script->code.loads)
        put_load(script);
    put_functions(writer, &script->prelude, "\n");
}

/* Writes all lines, each step's under its heading. */
static void put_lines(const Script *script) {
    bool given = true;
    const LessonStep *last = NULL;
    for (size_t i = 0; i < tape_count(script->code.tape); i++) {
        if (!script->lines[i])
            continue;
        bool is_given = node_of(script, i)->operation == OPERATION_GIVEN;
        const LessonStep *step = script->steps[i];
        const char *heading =
            step && step != last ? text_in(&step->heading, script->words) : "";
        if ((i == 0 || given != is_given) && !*heading)
            writer_text(script->writer, "\n");
        if (*heading && !strchr(heading, '\n'))
            writer_format(script->writer, "\n# %s\n", heading);
        writer_format(script->writer, "%s\n", script->lines[i]);
        given = is_given;
        last = step ? step : last;
    }
}

static void put_print(const Script *script, const char *name) {
    writer_text(script->writer, "print(");
    literal_quoted(script->writer, arena_format(script->arena, "%s =", name));
    writer_format(script->writer, ", %s, sep=\"\\n\")\n", name);
}

/* Writes a print of each step's result that no later operation uses, or else of the last
 * result or given tensor. */
static void put_prints(const Script *script) {
    const char *last = NULL;
    bool any = false, computed = false;
    for (size_t i = 0; i < tape_count(script->code.tape); i++) {
        if (!script->lines[i])
            continue;
        const LessonStep *step = script->steps[i];
        bool computes = node_of(script, i)->operation != OPERATION_GIVEN;
        if (computes || !computed)
            last = script->code.names[i];
        computed |= computes;
        if (!computes || script->uses[i] || !step || step->result != i || step->generate)
            continue;
        writer_text(script->writer, any ? "" : "\n");
        put_print(script, last);
        any = true;
    }
    if (!any && last) {
        writer_text(script->writer, "\n");
        put_print(script, last);
    }
}

void code_script(const Code *code, CodeLanguage language, const Language *words,
                 Writer *writer) {
    Arena *scratch = writer->arena;
    size_t count = tape_count(code->tape);
    Script script = {
        .code = *code,
        .language = language,
        .words = words,
        .arena = scratch,
        .steps = code_steps(code->lesson, code->lesson->model_step_count, scratch),
        .uses = arena_alloc(scratch, count + 1, sizeof *script.uses),
        .parts = arena_alloc(scratch, count + 1, sizeof *script.parts),
        .lines = arena_alloc(scratch, count + 1, sizeof *script.lines),
        .writer = writer};
    script.code.parts = script.parts;
    script.code.loads = count_cells(code) > MANY_CELLS;
    count_uses(&script);
    for (size_t i = 0; i < count; i++) {
        if (!code_is_within(code, i))
            write_node(&script, i);
    }
    put_prelude(&script);
    put_lines(&script);
    put_prints(&script);
}

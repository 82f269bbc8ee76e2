#include "lesson/code/code.h"

#include "base/table.h"
#include "lesson/content/content.h"
#include "tensor/tape/tape.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Python's keywords and built-in names (except those of two underscores), and the names
 * that scripts import and load, surrounded by blanks. Source: keyword.kwlist and
 * dir(builtins) of Python 3.13. */
static const char TAKEN[] =
    " ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup "
    "BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError "
    "ConnectionAbortedError ConnectionError ConnectionRefusedError "
    "ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning "
    "EnvironmentError Exception ExceptionGroup F False FileExistsError "
    "FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError "
    "ImportError ImportWarning IndentationError IndexError InterruptedError "
    "IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError "
    "ModuleNotFoundError NameError None NotADirectoryError NotImplemented "
    "NotImplementedError OSError OverflowError PendingDeprecationWarning "
    "PermissionError ProcessLookupError PythonFinalizationError RecursionError "
    "ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration "
    "StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError "
    "TimeoutError True TypeError UnboundLocalError UnicodeDecodeError "
    "UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning "
    "UserWarning ValueError Warning ZeroDivisionError _IncompleteInputError abs aiter "
    "all and anext any arg "
    "as ascii assert async await bin bool break breakpoint bytearray bytes callable "
    "chr class classmethod compile complex continue copyright credits data def del "
    "delattr dict dir divmod elif else enumerate eval except exec exit filter "
    "finally float for format from frozenset getattr global globals hasattr hash "
    "help hex id if import in input int is isinstance issubclass iter lambda len "
    "license list locals map math max memoryview min next nonlocal not np object "
    "oct open or ord pass pow print property quit raise range repr return reversed "
    "round set setattr slice sorted staticmethod str sum super torch try tuple type "
    "vars while with yield zip ";

static bool is_word(const char *name) {
    size_t length = strlen(name);
    for (const char *at = TAKEN + 1; (at = strstr(at, name)); at++) {
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    }
    return false;
}

/* Reports whether a script uses a name already: Python, which reserves all that begin
 * with two underscores, or a helper function of either library. */
static bool is_taken(const CodePrelude preludes[CODE_LANGUAGE_COUNT], const char *name) {
    return strncmp(name, "__", 2) == 0 || is_word(name) ||
           code_prelude_has(&preludes[CODE_NUMPY], name) ||
           code_prelude_has(&preludes[CODE_TORCH], name);
}

/* Replaces everything but letters, digits and underscores by underscores. */
static char *identifier(Arena *arena, const char *prefix, const char *name) {
    char *text = arena_format(arena, "%s%s", prefix, name);
    for (char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c))
            *c = '_';
    }
    return text;
}

/* Adds a number to equal names after the first, "A_matmul_2", skipping numbers that make
 * a name that exists already. */
static void distinguish(Arena *arena, const char **names, size_t count) {
    Table first = {.arena = arena}; /* the first node of each name */
    size_t *equal = arena_alloc(arena, count + 1, sizeof *equal);
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i];
        size_t node = i, other;
        bool taken = table_lookup(&first, name, strlen(name), &node);
        while (taken) {
            names[i] = arena_format(arena, "%s_%zu", name, ++equal[node] + 1);
            taken = table_lookup(&first, names[i], strlen(names[i]), &other);
        }
        table_add(&first, names[i], strlen(names[i]), i);
    }
}

const LessonStep **code_steps(const Lesson *lesson, size_t first, Arena *arena) {
    size_t count = tape_count(lesson->tape);
    const LessonStep **steps = arena_alloc(arena, count + 1, sizeof *steps);
    for (size_t i = first; i < lesson->step_count; i++) {
        const LessonStep *step = &lesson->steps[i];
        for (size_t node = step->first; node < step->first + step->count; node++)
            steps[node] = steps[node] ? steps[node] : step;
    }
    return steps;
}

/* Returns a node's own name, or else one made of the name of its step's result and its
 * operation, "A_matmul". The step may be NULL. */
static const char *name_of(Arena *arena, const Lesson *lesson, size_t node,
                           const LessonStep *step, const CodePrelude *preludes) {
    const TapeNode *at = tape_node(lesson->tape, node);
    const char *name;
    if (*at->name && !at->quiet) {
        name = identifier(arena, isdigit((unsigned char)*at->name) ? "_" : "", at->name);
    } else {
        const char *made = operation_of(at->operation)->name;
        const char *result =
            at->quiet || !step ? "" : tape_node(lesson->tape, step->result)->name;
        name = identifier(
            arena, "", arena_format(arena, "%s%s%s", result, *result ? "_" : "", made));
    }
    return is_taken(preludes, name) ? arena_format(arena, "%s_", name) : name;
}

/* Reports whether a row of attention weights is masked whole somewhere. */
static bool masks_a_row(const Tape *tape) {
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        OperationKind kind = node->operation == OPERATION_BACKWARD
                                 ? node->options.operation
                                 : node->operation;
        if (kind != OPERATION_SOFTMAX && kind != OPERATION_TOP_P &&
            kind != OPERATION_CROSS_ENTROPY)
            continue;
        const Tensor *scores = node->operands[0];
        for (size_t row = 0; row < scores->rows; row++) {
            size_t col = 0;
            while (col < scores->cols && tensor_at(scores, row, col) == -INFINITY)
                col++;
            if (col == scores->cols)
                return true;
        }
    }
    return false;
}

Code code_of(const Player *player, Arena *arena) {
    const Lesson *lesson = player->lesson;
    size_t count = tape_count(lesson->tape);
    const char **names = arena_alloc(arena, count + 1, sizeof *names);
    CodePrelude *preludes = arena_alloc(arena, CODE_LANGUAGE_COUNT, sizeof *preludes);
    const LessonStep **steps = code_steps(lesson, 0, arena);
    for (CodeLanguage i = 0; i < CODE_LANGUAGE_COUNT; i++)
        code_prelude_init(&preludes[i], i, true);
    for (size_t i = 0; i < count; i++)
        names[i] = name_of(arena, lesson, i, steps[i], preludes);
    distinguish(arena, names, count);
    return (Code){.lesson = lesson,
                  .tape = lesson->tape,
                  .names = names,
                  .masked = masks_a_row(lesson->tape)};
}

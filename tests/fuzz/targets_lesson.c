/* Fuzz targets of lessons: YAML, statements, changes, answers, playlists. */
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "target.h"
#include "tensor/terms/term.h"

#include "../formula_check.h"
#include "../term_value.h"
#include "lesson/code/code.h"
#include "lesson/formula/formula.h"
#include "lesson/load/load.h"
#include "lesson/play/changes_file.h"
#include "lesson/practise/practise.h"
#include "lesson/read/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 << 20, STEPS_MOST = 64 };

void target_run_yaml(const uint8_t *bytes, size_t length) {
    static ErrorList errors; /* too large for some stacks */
    memset(&errors, 0, sizeof errors);
    Arena *arena = arena_create(ROOM);
    const YamlNode *root = yaml_read(arena, (const char *)bytes, length, &errors);
    if (!root)
        target_expect_errors(false, &errors);
    arena_destroy(arena);
}

/* ---- lessons ---- */

/* A lesson's scripts, written under their arena's guard. */
typedef struct Scripts {
    const Player *player;
    Arena *arena;
    size_t written;
} Scripts;

static void write_scripts(void *context) {
    Scripts *this = context;
    Code code = code_of(this->player, this->arena);
    Writer writer = {.arena = this->arena};
    for (CodeLanguage i = 0; i < CODE_LANGUAGE_COUNT; i++)
        code_script(&code, i, NULL, &writer);
    this->written = writer.length;
}

/* Goes through the steps, writes their code, and typesets their formulas. */
static void look_at_lesson(const Lesson *lesson) {
    Player player;
    Arena *arena = arena_create(ROOM);
    TARGET_EXPECT(player_init(&player, lesson));
    for (size_t i = 0; i < player.step_count && i < STEPS_MOST; i++)
        player_jump(&player, i);
    player_jump(&player, 0);
    arena_guard(arena, write_scripts, &(Scripts){&player, arena, 0});
    arena_reset(arena);
    for (size_t i = 0; i < lesson->step_count && i < STEPS_MOST; i++) {
        const char *formula = lesson->steps[i].formula;
        TARGET_EXPECT(!formula || formula_check(formula));
    }
    const char *list = changes_list(&player, arena);
    ChangesDraft draft;
    TARGET_EXPECT(!list || !*list || changes_draft_read(&draft, list, arena));
    arena_destroy(arena);
}

static void run_lesson(const char *text, size_t length) {
    static ErrorList errors;
    memset(&errors, 0, sizeof errors);
    Lesson *lesson = lesson_parse("fuzz.yaml", text, length,
                                  &(LessonOptions){.memory = ROOM}, &errors);
    target_expect_errors(lesson != NULL, &errors);
    if (lesson)
        look_at_lesson(lesson);
    lesson_destroy(lesson);
}

void target_run_lesson(const uint8_t *bytes, size_t length) {
    run_lesson((const char *)bytes, length);
}

/* ---- statements ---- */

void target_run_expression(const uint8_t *bytes, size_t length) {
    char *text = target_text(bytes, length);
    Arena *arena = arena_create(ROOM);
    Statement statement;
    Error error = {0};
    target_expect_error(statement_parse(arena, text, &statement, &error), &error);
    arena_destroy(arena);
    free(text);
}

static const char GIVEN[] = "title: t\n"
                            "tokens: [a, b, c]\n"
                            "given:\n"
                            "  X: [[1, 0], [0.5, -1], [1e-3, 2]]\n"
                            "  Q: [[1, 2], [3, 4]]\n"
                            "  M: [[0, -inf, -inf], [0, 0, -inf], [0, 0, 0]]\n"
                            "  b: [1, 2]\n"
                            "  n: 2\n"
                            "  ids: [0, 2, 1]\n"
                            "steps:\n";

/* A step for each line: "  - do: 'LINE'". */
void target_run_evaluation(const uint8_t *bytes, size_t length) {
    size_t most = sizeof GIVEN + 2 * length + 16, count = sizeof GIVEN - 1;
    for (size_t i = 0; i < length; i++)
        most += bytes[i] == '\n' ? 16 : 0;
    char *text = malloc(most);
    TARGET_EXPECT(text != NULL);
    memcpy(text, GIVEN, count);
    for (size_t i = 0; i <= length; i++) {
        if (i == 0 || (i < length && bytes[i - 1] == '\n'))
            count += (size_t)sprintf(text + count, "  - do: '");
        if (i == length || bytes[i] == '\n')
            count += (size_t)sprintf(text + count, "'\n");
        else
            text[count++] = (char)bytes[i];
        if (i < length && bytes[i] == '\'')
            text[count++] = '\'';
        if (i + 1 == length && bytes[i] == '\n')
            break;
    }
    run_lesson(text, count);
    free(text);
}

/* ---- what is done to a lesson ---- */

static const char *rename_file(void *context, const char *name, bool weights) {
    (void)context;
    return weights ? NULL : *name ? "/a/b" : name;
}

void target_run_changes(const uint8_t *bytes, size_t length) {
    Player player = target_player("tests/fuzz/everything.yaml");
    const Lesson *lesson = player.lesson;
    char *text = target_text(bytes, length);
    Arena *arena = arena_create(ROOM);
    ChangesDraft draft;
    Error error = {0};
    size_t left_out;
    if (changes_draft_read(&draft, text, arena)) {
        changes_draft_apply(&player, &draft, &left_out);
        const char *list = changes_list(&player, arena);
        TARGET_EXPECT(list && (!*list || changes_draft_read(&draft, list, arena)));
        TARGET_EXPECT(changes_draft_apply(&player, &draft, &left_out) == 0 || !*list);
    }
    size_t written = length;
    const char *file = changes_write(&player, text, &written, arena, &error);
    target_expect_error(file != NULL, &error);
    written = length;
    TARGET_EXPECT(changes_move(text, &written, rename_file, NULL, arena) ||
                  arena_exhausted(arena));
    while (changes_undo(lesson->changes)) {
    }
    changes_forget_undone(lesson->changes);
    arena_destroy(arena);
    free(text);
}

/* Parses and evaluates an answer, and submits it to every exercise of a round. */
void target_run_answer(const uint8_t *bytes, size_t length) {
    Player player = target_player("lessons/08-one-head.yaml");
    char *text = target_text(bytes, length);
    Arena *arena = arena_create(ROOM);
    AnswerProblem problem = {0};
    const Term *term = answer_parse(arena, text, &problem);
    TARGET_EXPECT((term != NULL) == (problem.fault == ANSWER_FINE));
    TARGET_EXPECT(!term || !isnan(term_evaluate(term, NULL)));
    Practise practise;
    TARGET_EXPECT(practise_begin(&practise, &player, length));
    while (practise_exercise(&practise)) {
        practise_answer(&practise, text);
        practise_skip(&practise);
        TARGET_EXPECT(practise_next(&practise));
    }
    practise_finish(&practise);
    arena_destroy(arena);
    free(text);
}

void target_run_playlist(const uint8_t *bytes, size_t length) {
    static ErrorList errors;
    Playlist playlist;
    memset(&errors, 0, sizeof errors);
    Arena *arena = arena_create(ROOM);
    target_expect_errors(
        playlist_read(target_file(bytes, length), arena, &playlist, &errors), &errors);
    arena_destroy(arena);
}

/* ---- words ---- */

/* Prints the keys and words of a schema and of those below it; a recursive one only
 * once. */
static void print_schema(const Schema *schema, int depth) {
    char line[200];
    for (size_t i = 0; i < schema->count; i++) {
        const SchemaRow *row = &schema->rows[i];
        snprintf(line, sizeof line, "%s: %s", row->key, row->example ? row->example : "");
        target_print_word(line);
        for (size_t k = 0; row->word && row->word(k); k++)
            target_print_word(row->word(k));
        if (row->schema && row->schema != schema && depth < 6)
            print_schema(row->schema, depth + 1);
    }
}

void target_words_lesson(void) {
    static const char *const signs[] = {"- ",  "\n  ", "\n    - ", "[[1, 2], [3, 4]]",
                                        "_",   "-inf", "1e308",    "{en: a, zh: b}",
                                        "&a ", "*a",   "!!str ",   "---\n"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        target_print_word(signs[i]);
    print_schema(&SPEC_LESSON, 0);
    target_words_expression();
}

void target_words_expression(void) {
    static const char *const words[] = {" = ",     " @ ",  ".T",   "[0]",
                                        "[:, 1:]", "[-1]", "inf",  "X",
                                        "ids",     "M",    "1e-5", ".weights"};
    Call call;
    char line[200];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        target_print_word(words[i]);
    for (size_t i = 0; calls_at(&call, i); i++) {
        snprintf(line, sizeof line, "%s(", call.name);
        target_print_word(line);
    }
}

void target_words_changes(void) {
    target_print_word("changes:\n  - {");
    target_print_word("cell: [W_Q, 0, 1], value: ");
    print_schema(&SPEC_CHANGE, 0);
}

void target_words_playlist(void) {
    print_schema(&SPEC_PLAYLIST, 0);
}

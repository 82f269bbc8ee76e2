#include "base/json_watch.h"
#include "base/number.h"
#include "base/strings/literal.h"
#include "base/strings/utf8.h"
#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/code/code.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_SIZE = 400 };

/* The lesson that is printed, and the step that made each node of the tape. */
typedef struct Show {
    const Lesson *lesson;
    const Language *language;
    const Tape *tape;
    Player player;
    const char **made_by;         /* the path of the step that made a node, or NULL */
    const char *only;             /* the name of the only tensor to show; or NULL */
    size_t first_row, behind_row; /* of each tensor; 0, 0: all */
    bool json, sources, began;
    char names[NAMES_SIZE]; /* names of the tensors that were not asked for: " X W_Q " */
    bool names_cut;         /* `names` is incomplete */
    bool counting;          /* only count the numbers instead of printing them */
    double numbers;         /* number of numbers counted */
    Error error;            /* ERROR_NONE: a failure means lack of memory */
} Show;

/* A tensor to show: a given one, or the result of a step that doesn't open. */
typedef struct Shown {
    const char *path, *name, *operation;
    size_t node;
    size_t input_count;
    const size_t *inputs;
    const LessonStep *compared; /* what its source says of this tensor; or NULL */
} Shown;

/* Returns the name of a tensor as an input: its own (of a quiet one its source's), else
 * that of the step that made it. */
static const char *input_name(const Show *show, size_t node) {
    const TapeNode *input = tape_node(show->tape, node);
    if (*input->name)
        return input->name;
    return show->made_by[node] ? show->made_by[node]
                               : operation_of(input->operation)->name;
}

/* The rows of a tensor that are to be shown. */
static Tensor shown_rows(const Show *show, const Tensor *tensor) {
    Tensor part = *tensor;
    if (!show->behind_row)
        return part;
    size_t first = show->first_row < tensor->rows ? show->first_row : tensor->rows;
    size_t behind = show->behind_row < tensor->rows ? show->behind_row : tensor->rows;
    part.rows = behind - first;
    part.values += first * tensor->cols;
    if (part.row_labels)
        part.row_labels += first;
    return part;
}

/* ---- JSON: one step a line ---- */

/* Rows of values; with `nan_is_null` a cell without a number is null. */
static json_t *json_values(const Tensor *tensor, bool nan_is_null) {
    json_t *rows = json_array();
    for (size_t i = 0; i < tensor->rows; i++) {
        json_t *row = json_array();
        for (size_t j = 0; j < tensor->cols; j++) {
            double value = tensor_at(tensor, i, j);
            json_array_append_new(row, nan_is_null && isnan(value) ? json_null()
                                                                   : json_number(value));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *json_printed(const Lesson *lesson, const LessonStep *step) {
    const Tensor *values = &step->printed->values;
    json_t *differing = json_array();
    for (size_t i = 0; i < values->rows; i++) {
        for (size_t j = 0; j < values->cols; j++) {
            double value;
            int decimals;
            bool differs;
            if (lesson_printed_at(lesson, step, i, j, &value, &decimals, &differs) &&
                differs)
                json_array_append_new(differing,
                                      json_pack("[II]", (json_int_t)i, (json_int_t)j));
        }
    }
    return json_pack("{s:o, s:o}", "values", json_values(values, true), "differs",
                     differing);
}

static bool show_json(Show *show, const Shown *shown) {
    const Tensor *tensor = &tape_node(show->tape, shown->node)->output;
    Tensor rows = shown_rows(show, tensor);
    json_t *inputs = json_array();
    for (size_t i = 0; i < shown->input_count; i++)
        json_array_append_new(inputs, json_string(input_name(show, shown->inputs[i])));
    json_t *step = json_pack(
        "{s:s, s:s, s:s, s:o, s:[II], s:o}", "path", shown->path, "name", shown->name,
        "op", shown->operation, "inputs", inputs, "shape", (json_int_t)tensor->rows,
        (json_int_t)tensor->cols, "values", json_values(&rows, false));
    if (step && shown->compared && shown->compared->printed)
        json_object_set_new(step, "printed", json_printed(show->lesson, shown->compared));
    if (step && shown->compared && !text_is_empty(&shown->compared->compared))
        json_object_set_new(
            step, "source",
            json_string(text_in(&shown->compared->compared, show->language)));
    print(show->began ? ",\n  " : "\n  ");
    return print_json(stdout, step, JSON_REAL_PRECISION(17) | JSON_COMPACT);
}

/* ---- text: aligned tables ---- */

/* Returns the number of terminal columns of a text. */
static int text_columns(const char *text) {
    int columns = 0;
    size_t length = strlen(text);
    for (size_t offset = 0; offset < length;)
        columns += utf8_is_cjk(utf8_next(text, length, &offset)) ? 2 : 1;
    return columns;
}

static void print_padded(const char *text, int columns, bool right) {
    int blanks = columns - text_columns(text);
    if (right)
        print("%*s%s", blanks > 0 ? blanks : 0, "", text);
    else
        print("%s%*s", text, blanks > 0 ? blanks : 0, "");
}

static int widest_label(const char *const *labels, size_t count) {
    int widest = 0;
    for (size_t i = 0; labels && i < count; i++) {
        int columns = text_columns(labels[i]);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

static void print_table(const Tensor *tensor) {
    enum { INDENT = 8 };
    int decimals = tensor_is_whole(tensor) ? 0 : 3;
    int label = widest_label(tensor->row_labels, tensor->rows);
    int width = widest_label(tensor->col_labels, tensor->cols);
    char text[NUMBER_SIZE];
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        int columns = text_columns(number_format(text, tensor->values[i], decimals));
        width = columns > width ? columns : width;
    }
    if (tensor->col_labels) {
        print("%*s", INDENT + label, "");
        for (size_t j = 0; j < tensor->cols; j++) {
            print("  ");
            print_padded(tensor->col_labels[j], width, true);
        }
        print("\n");
    }
    for (size_t i = 0; i < tensor->rows; i++) {
        print("%*s", INDENT, "");
        print_padded(tensor->row_labels ? tensor->row_labels[i] : "", label, false);
        for (size_t j = 0; j < tensor->cols; j++) {
            print("  ");
            print_padded(number_format(text, tensor_at(tensor, i, j), decimals), width,
                         true);
        }
        print("\n");
    }
}

/* A step that only shows what is there already is one line. */
static bool show_text(Show *show, const Shown *shown) {
    const Tensor *tensor = &tape_node(show->tape, shown->node)->output;
    bool is_given = !shown->input_count && strcmp(shown->path, "given") == 0;
    bool only_shows = strcmp(shown->operation, "show") == 0;
    print("\n");
    print_padded(shown->path, 7, false);
    print(" ");
    if (only_shows || is_given || strcmp(shown->name, shown->operation) == 0)
        print_text(stdout, is_given ? shown->name : shown->operation);
    else
        print("%s = %s", shown->name, shown->operation);
    for (size_t i = 0; i < shown->input_count; i++)
        print("%s%s",
              i            ? ", "
              : only_shows ? " "
                           : "(",
              input_name(show, shown->inputs[i]));
    print(shown->input_count && !only_shows ? ")" : "");
    if (only_shows) {
        print("\n");
        return true;
    }
    print("  [%zu,%zu]\n", tensor->rows, tensor->cols);
    Tensor rows = shown_rows(show, tensor);
    print_table(&rows);
    if (shown->compared && !text_is_empty(&shown->compared->compared))
        print("        %s\n", text_in(&shown->compared->compared, show->language));
    return true;
}

/* ---- every tensor ---- */

/* Adds the name of a tensor to the list for the message that the requested one is
 * missing. */
static void add_name(Show *show, size_t node) {
    const char *name = tape_node(show->tape, node)->name;
    char word[NAMES_SIZE];
    size_t length = strlen(show->names);
    if (!*name || show->names_cut)
        return;
    int size = snprintf(word, sizeof word, " %s ", name);
    show->names_cut = length + (size_t)size > NAMES_SIZE - 1;
    if (!show->names_cut && !strstr(show->names, word))
        strcpy(show->names + (length ? length - 1 : 0), word);
}

/* Reports that the wanted tensor is missing, with the names of those that are there. */
static void report_missing(const Show *show) {
    size_t length = strlen(show->names);
    bool any = length || show->names_cut;
    print_to(stderr, "glassformer: the lesson shows no tensor '%s'; %s%.*s%s\n",
             show->only, any ? "it has" : "none of its tensors has a name",
             length ? (int)length - 1 : 0, show->names, show->names_cut ? " …" : "");
}

static void count_numbers(Show *show, const Shown *shown) {
    Tensor rows = shown_rows(show, &tape_node(show->tape, shown->node)->output);
    if (show->json || strcmp(shown->operation, "show") != 0)
        show->numbers += (double)tensor_cells(&rows);
    if (show->json && shown->compared && shown->compared->printed)
        show->numbers += (double)tensor_cells(&shown->compared->printed->values);
}

static bool show_one(Show *show, const Shown *shown) {
    bool good = true;
    if (show->only && (show->began || strcmp(show->only, shown->name) != 0)) {
        add_name(show, shown->node);
        return true;
    }
    if (show->counting)
        count_numbers(show, shown);
    else
        good = show->json ? show_json(show, shown) : show_text(show, shown);
    show->began = true;
    return good;
}

static bool show_given(Show *show) {
    for (size_t i = 0; i < tape_count(show->tape); i++) {
        const TapeNode *node = tape_node(show->tape, i);
        if (node->operation != OPERATION_GIVEN || node->quiet || show->made_by[i])
            continue; /* made_by: it has a step of its own */
        Shown shown = {
            .path = "given", .name = node->name, .operation = "given", .node = i};
        if (!show_one(show, &shown))
            return false;
    }
    return true;
}

static bool show_steps(Show *show) {
    for (size_t i = 0; i < show->player.step_count; i++) {
        const PlayerStep *step = &show->player.steps[i];
        const LessonStep *statement = &show->lesson->steps[step->statement];
        bool training = step->frame != PLAYER_NONE; /* as it stands at its end */
        if (statement->generate && step->depth == 1 && !show->json && !show->only &&
            !show->counting)
            show_generated_text(statement, step->path);
        if (step->repeats ||
            (training ? step->parent != PLAYER_NONE : step->child_count > 0))
            continue;
        const TapeNode *node = tape_node(show->tape, step->node);
        bool computes = statement->count > 0;
        Shown shown = {
            .path = step->path,
            .name = step->name,
            .operation = computes ? operation_of(node->operation)->name : "show",
            .node = step->node,
            .input_count = computes ? node->input_count : statement->shown_count,
            .inputs = computes ? node->inputs : statement->shown};
        const LessonStep *words = player_words(&show->player, i);
        if (show->sources && words->result == step->node &&
            (words->printed || !text_is_empty(&words->compared)))
            shown.compared = words;
        if (!show_one(show, &shown))
            return false;
    }
    return true;
}

static bool find_makers(Show *show) {
    show->made_by =
        arena_alloc(show->lesson->arena, tape_count(show->tape), sizeof *show->made_by);
    if (!show->made_by)
        return false;
    for (size_t i = 0; i < show->player.step_count; i++) {
        if (player_has_cells(&show->player, i))
            show->made_by[show->player.steps[i].node] = show->player.steps[i].path;
    }
    return true;
}

/* Reports whether the work of printing is allowed. */
static bool may_show(Show *show) {
    show->counting = true;
    show_given(show);
    show_steps(show);
    show->counting = show->began = false;
    return print_allowed(show->lesson->arena, show->numbers, &show->error);
}

static bool show_lesson(Show *show) {
    if (!player_init(&show->player, show->lesson) || !find_makers(show) ||
        !may_show(show))
        return false;
    if (show->json) {
        print("{\"lesson\": ");
        bool written = print_json(stdout, json_string(show->lesson->id), JSON_ENCODE_ANY);
        print(", \"steps\": [");
        written = written && show_given(show) && show_steps(show);
        print("\n]");
        written = written && (show->only || show_generated_json(show->lesson));
        print("}\n");
        return written;
    }
    if (!show->only)
        print("%s  %s\n", show->lesson->id,
              text_in(&show->lesson->title, show->language));
    return show_given(show) && show_steps(show);
}

/* ---- as a script ---- */

/* A lesson's code, written under its arena's guard. */
typedef struct Coding {
    Show *show;
    CodeLanguage language;
    Arena *arena;
    json_t *steps;
    bool shown;
} Coding;

static void show_script(void *context) {
    Coding *this = context;
    const char *lesson = this->show->lesson->id;
    Writer id = {.arena = this->arena};
    (literal_is_plain(lesson) ? writer_text : literal_quoted)(&id, lesson);
    print("# %s, as Glassformer computes it.\n", id.text);
    Code code = code_of(&this->show->player, this->arena);
    Writer script = {.arena = this->arena};
    code_script(&code, this->language, this->show->language, &script);
    print_text(stdout, script.text);
    this->shown = !ferror(stdout);
}

/* The code of one step, its lines one below the other. */
static json_t *code_json(const Show *show, const CodeStep *lines, size_t step) {
    json_t *code = json_array();
    for (size_t i = 0; i < lines->count; i++)
        json_array_append_new(code, json_string(lines->lines[i]));
    const PlayerStep *at = &show->player.steps[step];
    return json_pack("{s:s, s:s, s:o}", "path", at->path, "result", at->name, "code",
                     code);
}

/* Prints the code of every step of the tree, as the page shows it. */
static void show_steps_code(void *context) {
    Coding *this = context;
    const Player *player = &this->show->player;
    Code code = code_of(player, this->arena);
    ArenaMark mark = arena_mark(this->arena);
    for (size_t i = 0; i < player->step_count; i++) {
        arena_rewind(this->arena, mark);
        CodeStep lines = code_step(&code, this->language, player, i, this->arena);
        json_array_append_new(this->steps, code_json(this->show, &lines, i));
    }
    json_t *all =
        json_pack("{s:s, s:O}", "lesson", this->show->lesson->id, "steps", this->steps);
    this->shown = print_json(stdout, all, JSON_INDENT(1));
    print("\n");
}

static bool show_code(Show *show, CodeLanguage language) {
    Coding coding = {.show = show,
                     .language = language,
                     .arena = arena_create(LESSON_MAX_MEMORY),
                     .steps = json_array()};
    bool whole =
        coding.arena && player_init(&show->player, show->lesson) &&
        arena_guard(coding.arena, show->json ? show_steps_code : show_script, &coding);
    json_decref(coding.steps);
    arena_destroy(coding.arena);
    return whole && coding.shown;
}

ExitCode command_show(Course *course, const CommandLine *line) {
    ErrorList errors = {0};
    Lesson *lesson = course_open(course, line->lessons[0], &errors);
    if (!lesson)
        return report_errors(&errors);
    Show show = {.lesson = lesson,
                 .language = course->language,
                 .tape = lesson->tape,
                 .only = line->tensor,
                 .first_row = line->first_row,
                 .behind_row = line->behind_row,
                 .json = line->json,
                 .sources = line->sources};
    json_watch();
    bool shown = line->has_code ? show_code(&show, line->code) : show_lesson(&show);
    bool found = !show.only || show.began;
    lesson_destroy(lesson);
    if (!found && shown) {
        report_missing(&show);
        return EXIT_DATA;
    }
    if (show.error.code != ERROR_NONE)
        return report_error(&show.error);
    if (!shown && !ferror(stdout)) /* main reports an error of the stream */
        return report_no_memory("to show this lesson");
    return EXIT_DONE;
}

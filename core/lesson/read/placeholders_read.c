#include "lesson/read/reader.h"

#include "base/number.h"
#include "base/strings/utf8.h"
#include "lesson/content/changes.h"
#include "lesson/content/lesson.h"
#include "lesson/content/placeholders.h"
#include "lesson/content/question.h"
#include "lesson/formula/formula.h"

#include <ctype.h>
#include <string.h>

/* The text with placeholders being read. */
typedef struct PlaceholderReader {
    LessonReader *reader;
    Placeholders *placeholders;
    Names names;      /* names on the placeholders' tape */
    bool slots;       /* "{0}" belongs to the tour, and stays */
    LessonStep *step; /* the step whose words may select its cell, or NULL */
    Wording *wording;
    size_t count;
    PlaceholderPiece *pieces;
} PlaceholderReader;

/* ---- errors ---- */

/* Fails at a byte of the text, or some letters after it. */
static bool fail_at(const PlaceholderReader *this, size_t offset, int further,
                    const Error *error) {
    const Wording *wording = this->wording;
    bool placed = wording->words_column > 0;
    Error at = *error;
    if (error->code == ERROR_NONE) /* the name is broken, which has been reported */
        return false;
    at.line = placed ? wording->words_line : wording->line;
    at.column = placed ? wording->words_column + further : wording->column;
    for (size_t i = 0; placed && i < offset; at.column++)
        utf8_next(wording->words, offset, &i);
    return error_list_append(this->reader->errors, &at, at.line, at.column);
}

static bool refuse(const PlaceholderReader *this, size_t offset, ErrorCode code,
                   const char *sentence) {
    Error error;
    error_set(&error, code, 0, 0, "%s", sentence);
    return fail_at(this, offset, 0, &error);
}

/* ---- cells ---- */

const LessonCell *reader_cell(LessonReader *reader, const Statement *statement,
                              const LessonStep *step, Error *error) {
    Arena *arena = reader->lesson->arena;
    LessonCell *cell = arena_alloc(arena, 1, sizeof *cell);
    Evaluation evaluation =
        evaluation_of(arena, reader->lesson->tape, &reader->names, statement, error);
    if (!evaluate_cell(&evaluation, &cell->node, &cell->row, &cell->col))
        return NULL;
    if (lesson_shows(step, cell->node) || step->result == cell->node)
        return cell;
    evaluate_fail(&evaluation, statement->value, ERROR_VALUE,
                  "this step doesn't show that tensor; name a cell of its result, or of "
                  "what it shows");
    return NULL;
}

/* ---- expressions in braces ---- */

/* Length of the expression; a colon outside of brackets separates it from the number of
 * digits. */
static size_t expression_length(const char *text, size_t length) {
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        depth += (text[i] == '[' || text[i] == '(') - (text[i] == ']' || text[i] == ')');
        if (text[i] == ':' && depth <= 0)
            return i;
    }
    return length;
}

static bool read_decimals(const PlaceholderReader *this, size_t offset, size_t length,
                          int *decimals) {
    size_t value = 0, i = 0;
    const char *text = this->wording->words + offset;
    for (; i < length && isdigit((unsigned char)text[i]) && value < 100; i++)
        value = value * 10 + (size_t)(text[i] - '0');
    *decimals = (int)value;
    if (i && i == length && value <= PLACEHOLDER_DECIMALS_MAX)
        return true;
    return refuse(this, offset, ERROR_VALUE,
                  "after the colon stands the number of digits after the decimal "
                  "point, from 0 to 17: {A[0, 1]:3}");
}

/* Puts the lesson's tensors on a separate tape, on which the expressions are appended. */
static void take_tensors(PlaceholderReader *this) {
    LessonReader *reader = this->reader;
    Arena *arena = reader->lesson->arena;
    Error error;
    this->placeholders = arena_alloc(arena, 1, sizeof *this->placeholders);
    *this->placeholders = (Placeholders){.tape = tape_create(arena)};
    this->names = (Names){.arena = arena};
    for (size_t i = 0; i < reader->names.count; i++) {
        Name name = reader->names.items[i];
        if (!name.broken &&
            !tape_given(this->placeholders->tape, name.name,
                        tape_node(reader->lesson->tape, name.node)->output, &name.node,
                        &error))
            name.broken = true;
        names_add(&this->names, name);
    }
    this->placeholders->lesson_nodes = tape_count(this->placeholders->tape);
}

/* Reads one placeholder, the text [offset, offset + length). */
static bool read_number(PlaceholderReader *this, size_t offset, size_t length,
                        PlaceholderPiece *piece) {
    Arena *arena = this->reader->lesson->arena;
    const char *words = this->wording->words + offset;
    size_t said = expression_length(words, length);
    Statement statement = {0};
    Error error;
    if (!this->placeholders)
        take_tensors(this);
    Evaluation evaluation =
        evaluation_of(arena, this->placeholders->tape, &this->names, &statement, &error);
    piece->decimals = -1;
    if (said < length &&
        !read_decimals(this, offset + said + 1, length - said - 1, &piece->decimals))
        return false;
    if (!statement_parse(arena, arena_copy(arena, words, said), &statement, &error))
        return fail_at(this, offset, error.column - 1, &error);
    if (statement.name || statement.value->kind == EXPRESSION_NUMBER)
        return refuse(this, offset, ERROR_VALUE,
                      "braces name a number that the lesson computes, {A[0, 1]}; write a "
                      "number of your own without them, and '{{' for a brace");
    if (!evaluate(&evaluation, statement.value, "", &piece->node))
        return fail_at(this, offset, error.column - 1, &error);
    if (this->step && !this->step->named)
        this->step->named = reader_cell(this->reader, &statement, this->step, &error);
    const Tensor *made = &tape_node(this->placeholders->tape, piece->node)->output;
    if (tensor_cells(made) == 1)
        return true;
    char name[UTF8_SHORT_SIZE];
    error_set(&error, ERROR_SHAPE, 0, 0,
              "%s is [%zu,%zu], but a text names one number; take one of its cells, "
              "{A[0, 1]}",
              utf8_shorten(name, words, said), made->rows, made->cols);
    return fail_at(this, offset, 0, &error);
}

/* ---- words ---- */

static bool is_slot(const PlaceholderReader *this, const char *brace) {
    return this->slots && isdigit((unsigned char)brace[1]) && brace[2] == '}';
}

/* Reads what begins with a brace at *at, which moves behind it. */
static bool read_brace(PlaceholderReader *this, size_t *at, PlaceholderPiece *piece) {
    const char *words = this->wording->words, *brace = words + *at;
    size_t begin = *at + 1, length = strcspn(brace + 1, "{}");
    if (brace[1] == brace[0] || *brace == '}' || is_slot(this, brace)) {
        piece->length++; /* an escaped brace */
        *at += brace[1] == brace[0] ? 2 : 1;
        return true;
    }
    if (words[begin + length] != '}')
        return refuse(this, *at, ERROR_SYNTAX,
                      "this brace is not closed: {A[0, 1]} names a number; a brace "
                      "itself is written '{{'");
    *at = begin + length + 1;
    return read_number(this, begin, length, piece);
}

static bool read_pieces(PlaceholderReader *this) {
    const char *words = this->wording->words;
    for (size_t at = 0; words[at];) {
        PlaceholderPiece *piece = &this->pieces[this->count++];
        size_t length = strcspn(words + at, "{}");
        *piece =
            (PlaceholderPiece){.words = words + at, .length = length, .node = TAPE_NONE};
        at += length;
        if (words[at] && !read_brace(this, &at, piece))
            return false;
    }
    return true;
}

static size_t count_braces(const char *words) {
    size_t count = 0;
    for (; *words; words++)
        count += *words == '{' || *words == '}';
    return count;
}

static void describe_wording(PlaceholderReader *this, Wording *wording) {
    size_t braces = count_braces(wording->words);
    Arena *arena = this->reader->lesson->arena;
    size_t errors = this->reader->errors->count;
    if (!braces || wording->written)
        return;
    this->wording = wording;
    this->count = 0;
    this->pieces = arena_alloc(arena, braces + 1, sizeof *this->pieces);
    wording->written = wording->words;
    bool good = read_pieces(this);
    char *out = arena_alloc(arena, strlen(wording->words) + braces * NUMBER_SIZE + 1, 1);
    wording->words = out;
    /* a learner's own text may lack the tokens that it names */
    if (!good && (reader_leaves_out(this->reader) || this->reader->texts.override))
        this->reader->errors->count = errors;
    if (!good)
        return;
    if (!this->placeholders)
        take_tensors(this);
    PlaceholderWording *placeholders = arena_alloc(arena, 1, sizeof *placeholders);
    *placeholders = (PlaceholderWording){out, this->count, this->pieces,
                                         this->placeholders->wordings};
    this->placeholders->wordings = placeholders;
}

static void tell(PlaceholderReader *this, const Text *text) {
    for (size_t i = 0; i < text->count; i++)
        describe_wording(this, &text->wordings[i]);
}

/* ---- the lesson's texts ---- */

static void describe_question(PlaceholderReader *this, const Question *question) {
    tell(this, &question->text);
    tell(this, &question->because);
    for (size_t i = 0; i < question->count; i++) {
        tell(this, &question->options[i].text);
        tell(this, &question->options[i].because);
    }
}

/* Reads the step's texts, in the order question, words; the first cell in them is
 * selected by the step. */
static void describe_step(PlaceholderReader *this, LessonStep *step) {
    const Text *const texts[] = {&step->chapter, &step->notes, &step->compared};
    this->step = step;
    if (step->question)
        tell(this, &step->question->text);
    tell(this, &step->concept);
    tell(this, &step->heading);
    tell(this, &step->say);
    this->step = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        tell(this, texts[i]);
    if (step->question)
        describe_question(this, step->question);
    this->slots = true;
    tell(this, &step->tour);
    this->slots = false;
}

/* Refuses placeholders in texts that are shown before the lesson is computed. */
static void refuse_braces(PlaceholderReader *this, const Text *text) {
    for (size_t i = 0; i < text->count; i++) {
        this->wording = &text->wordings[i];
        size_t at = strcspn(this->wording->words, "{");
        if (this->wording->words[at])
            refuse(this, at, ERROR_VALUE,
                   "the title, part, about and goal are shown before anything is "
                   "computed: they can't name a number, and have no braces");
    }
}

void reader_read_placeholders(LessonReader *reader) {
    Lesson *lesson = reader->lesson;
    PlaceholderReader this = {.reader = reader};
    const Text *const heads[] = {&lesson->title, &lesson->part, &lesson->about,
                                 &lesson->goal};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        refuse_braces(&this, heads[i]);
    for (size_t i = 0; i < lesson->step_count; i++)
        describe_step(&this, &reader->steps[i]);
    for (size_t i = 0; i < lesson->note_count; i++)
        describe_step(&this, &reader->notes[i].words);
    for (size_t i = 0; i < lesson->remember_count; i++)
        tell(&this, &lesson->remember[i]);
    if (!this.placeholders)
        return;
    changes_set_placeholders(lesson->changes, this.placeholders);
    placeholders_refresh(this.placeholders);
}

#include "lesson/play/changes_file.h"

#include "base/number.h"
#include "base/strings/literal.h"
#include "base/strings/utf8.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/read/spec.h"
#include "lesson/schema/yaml.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <string.h>

/* Writes a name, without quotes if it has only letters, digits, _ and dots. */
static void put_name(Writer *writer, const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    (name[strspn(name, plain)] ? literal_quoted : writer_text)(writer, name);
}

static void begin_entry(Writer *writer, int indent, const char *key) {
    writer_format(writer, "%*s- {%s: ", indent + 2, "", key);
}

/* Writes an entry whose value is written as it is, unless that is NULL. */
static void put_entry(Writer *writer, int indent, const char *key, const char *value) {
    if (value)
        writer_format(writer, "%*s- {%s: %s}\n", indent + 2, "", key, value);
}

static void put_switches(Writer *writer, const Lesson *lesson, int indent) {
    static const char *const norms[] = {
        [LESSON_NORM_PRE] = "pre", [LESSON_NORM_POST] = "post", [LESSON_NORM_RMS] = NULL};
    static const char *const masks[] = {
        [TRANSFORMER_MASK_NONE] = "none", [TRANSFORMER_MASK_CAUSAL] = "causal"};
    const LessonSwitches *switches = &lesson->switches;
    char number[NUMBER_SIZE];
    if (lesson->own_text) {
        begin_entry(writer, indent, "text");
        literal_quoted(writer, lesson->own_text);
        writer_text(writer, "}\n");
    }
    snprintf(number, sizeof number, "%zu", switches->heads);
    put_entry(writer, indent, "heads", switches->heads ? number : NULL);
    put_entry(writer, indent, "norm", norms[switches->norm]);
    put_entry(writer, indent, "mask", masks[switches->mask]);
    if (switches->temperature > 0)
        put_entry(writer, indent, "temperature",
                  number_write(number, switches->temperature));
    snprintf(number, sizeof number, "%zu", switches->seed);
    put_entry(writer, indent, "seed", switches->seeded ? number : NULL);
}

static bool put_cells(Writer *writer, const Player *player, int indent) {
    const Tape *tape = player->lesson->tape;
    char number[NUMBER_SIZE];
    for (size_t i = 0; i < tape_edit_count(tape); i++) {
        const TapeEdit *edit = tape_edit_at(tape, i);
        const char *name = changes_name(player, edit->node, writer->arena);
        if (!name)
            return false;
        begin_entry(writer, indent, "cell");
        writer_text(writer, "[");
        put_name(writer, name);
        writer_format(writer, ", %zu, %zu], value: ", edit->row, edit->col);
        writer_format(writer, "%s}\n", number_write(number, edit->value));
    }
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (!tape_node(tape, i)->muted_itself)
            continue;
        const char *name = changes_name(player, i, writer->arena);
        if (!name)
            return false;
        begin_entry(writer, indent, "mute");
        put_name(writer, name);
        writer_text(writer, "}\n");
    }
    return true;
}

static bool changes_anything(const Lesson *lesson) {
    const LessonSwitches *switches = &lesson->switches;
    return changes_any(lesson->changes) || lesson->own_text ||
           lesson_switches_any(switches);
}

/* Writes all changes; nothing if there are none. False for a change that no step
 * shows. */
static bool put_changes(Writer *list, const Player *player, int indent) {
    if (!changes_anything(player->lesson))
        return true;
    writer_format(list, "%*schanges:\n", indent, "");
    put_switches(list, player->lesson, indent);
    return put_cells(list, player, indent);
}

const char *changes_list(const Player *player, Arena *arena) {
    Writer list = {.arena = arena};
    if (!put_changes(&list, player, 0) || list.full)
        return NULL;
    return list.length ? list.text : "";
}

/* Returns the length of the line ending here, or 0: "\n", "\r\n" or "\r". */
static size_t line_end(const char *text, size_t length) {
    if (length > 1 && text[0] == '\r' && text[1] == '\n')
        return 2;
    return length && (text[0] == '\n' || text[0] == '\r');
}

/* Returns the beginning of the next line. */
static size_t next_line(const char *text, size_t length, size_t at) {
    while (at < length && !line_end(text + at, length - at))
        at++;
    return at + line_end(text + at, length - at);
}

/* Returns the beginning of line `line`, from 1. */
static size_t line_offset(const char *text, size_t length, int line) {
    size_t at = 0;
    while (--line > 0)
        at = next_line(text, length, at);
    return at;
}

/* Returns the end of the document: before a line "...", or at the text's end. */
static size_t document_end(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && (length - at < 3 || memcmp(text + at, "...", 3) != 0 ||
                           (length - at > 3 && !strchr(" \t\r\n", text[at + 3]))))
        at = next_line(text, length, at);
    return at;
}

/* Writes lines with the line ending of the text's first line. */
static void put_lines(Writer *writer, const char *lines, const char *text,
                      size_t length) {
    size_t first = next_line(text, length, 0), end = first;
    while (end > 0 && line_end(text + end - 1, 1))
        end--;
    for (; *lines; lines++) {
        if (*lines == '\n' && first > end)
            writer_put(writer, text + end, first - end);
        else
            writer_put(writer, lines, 1);
    }
}

/* Writes everything except the list of changes that the text has. */
static void put_rest(Writer *writer, const char *text, size_t length,
                     const YamlNode *changes) {
    size_t end = line_offset(text, length, changes->end_line + 1);
    writer_put(writer, text, line_offset(text, length, changes->key->line));
    writer_put(writer, text + end, length - end);
}

/* Writes the list at the end of the document. */
static void put_list(Writer *writer, const Writer *rest, const Writer *list) {
    size_t end = document_end(rest->text, rest->length);
    writer_put(writer, rest->text, end);
    if (end && !line_end(rest->text + end - 1, 1))
        put_lines(writer, "\n", rest->text, rest->length);
    if (list->length)
        put_lines(writer, list->text, rest->text, rest->length);
    writer_put(writer, rest->text + end, rest->length - end);
}

static const YamlNode *read_root(const char *text, size_t length, Arena *arena,
                                 Error *error) {
    ErrorList errors = {0};
    const YamlNode *root = yaml_read(arena, text, length, &errors);
    if (root && root->kind == YAML_MAPPING && !errors.count)
        return root;
    error_set(error, ERROR_VALUE, 0, 0,
              "the lesson's file has changed and is wrong now%s%s",
              errors.count ? ": " : "", errors.count ? errors.items[0].message : "");
    return NULL;
}

const char *changes_write(const Player *player, const char *text, size_t *length,
                          Arena *arena, Error *error) {
    const Lesson *lesson = player->lesson;
    Writer writer = {.arena = arena}, rest = writer, list = writer;
    const YamlNode *root = read_root(text, *length, arena, error);
    if (!root)
        return NULL;
    if (tape_edit_count(lesson->tape) > SPEC_CHANGES_MOST) {
        error_set(error, ERROR_LIMIT, 0, 0, "a file may have at most %d changes in it",
                  SPEC_CHANGES_MOST);
        return NULL;
    }
    int indent = root->column - 1;
    if (text[line_offset(text, *length, root->line) + (size_t)indent] == '{') {
        error_set(error, ERROR_VALUE, 0, 0,
                  "the lesson's file is one pair of braces; begin each of its keys on a "
                  "line of its own");
        return NULL;
    }
    const YamlNode *changes = yaml_lookup(root, "changes");
    if (changes)
        put_rest(&rest, text, *length, changes);
    else
        writer_put(&rest, text, *length);
    if (!put_changes(&list, player, indent)) {
        error_set(error, ERROR_VALUE, 0, 0,
                  "a number is changed that no step of the lesson shows");
        return NULL;
    }
    put_list(&writer, &rest, &list);
    if (writer.full || rest.full || list.full) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
        return NULL;
    }
    if (writer.length > LESSON_MAX_BYTES) {
        error_set(error, ERROR_LIMIT, 0, 0, "the file would be larger than 4 MiB");
        return NULL;
    }
    *length = writer.length;
    return read_root(writer.text, writer.length, arena, error) ? writer.text : NULL;
}

/* Finds a file's name in the text, including quotes; size 0 if it is not there literally.
 */
static size_t find_name(const YamlNode *file, const char *text, size_t length,
                        size_t *size) {
    size_t at = line_offset(text, length, file->line), count = strlen(file->text);
    for (int column = 1; column < file->text_column && at < length; column++)
        utf8_next(text, length, &at);
    bool quoted = file->text_column > file->column && at > 0;
    bool same = file->text_column && at + count + quoted <= length &&
                memcmp(text + at, file->text, count) == 0;
    *size = same ? count + 2 * quoted : 0;
    return at - quoted;
}

/* A lesson's text as it is written with new names. */
typedef struct Move {
    const char *text;
    size_t length;
    size_t written; /* bytes of the text that have been dealt with */
    ChangesRename new_name;
    void *context;
    Writer writer;
} Move;

static void move_name(Move *move, const YamlNode *file, bool weights) {
    size_t size, at = find_name(file, move->text, move->length, &size);
    const char *name = size && at >= move->written
                           ? move->new_name(move->context, file->text, weights)
                           : NULL;
    if (!name)
        return;
    writer_put(&move->writer, move->text + move->written, at - move->written);
    literal_quoted(&move->writer, name);
    move->written = at + size;
}

static bool names_file(const YamlNode *node) {
    static const char *const keys[] = {"file",       "corpus_file",   "texts_file",
                                       "pairs_file", "held_out_file", "kept"};
    for (size_t i = 0; node->key && i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(node->key->text, keys[i]) == 0)
            return node->kind == YAML_SCALAR;
    }
    return false;
}

static void move_names(Move *move, const YamlNode *node, bool weights) {
    for (const YamlNode *item = node->first; item; item = item->next) {
        if (names_file(item))
            move_name(move, item, weights && strcmp(item->key->text, "file") == 0);
        else
            move_names(move, item, weights);
    }
}

const char *changes_move(const char *text, size_t *length, ChangesRename new_name,
                         void *context, Arena *arena) {
    ErrorList errors = {0};
    const YamlNode *root = yaml_read(arena, text, *length, &errors);
    Move move = {.text = text,
                 .length = *length,
                 .new_name = new_name,
                 .context = context,
                 .writer = {.arena = arena}};
    for (const YamlNode *item = root ? root->first : NULL; item; item = item->next) {
        bool model = item->key && strcmp(item->key->text, "model") == 0;
        if (model || (item->key && strcmp(item->key->text, "vocabularies") == 0))
            move_names(&move, item, model);
    }
    writer_put(&move.writer, text + move.written, *length - move.written);
    *length = move.writer.length;
    return move.writer.full ? NULL : move.writer.text;
}

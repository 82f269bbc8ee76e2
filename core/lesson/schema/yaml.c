#include "lesson/schema/yaml.h"

#include "base/strings/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

typedef struct Reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the present event; after read_*, the node's last */
    Arena *arena;
    const char *text;
    size_t length;
    ErrorList *errors;
    const YamlNode *root; /* the result, or NULL */
    size_t at;            /* offset of a byte already passed */
    size_t line, column;  /* position of that byte, both from 0 */
} Reader;

/* Computes the line and column of a byte, both from 1, columns in code points. */
static void place_of(const char *text, size_t offset, int *line, int *column) {
    *line = 1;
    *column = 1;
    for (size_t at = 0; at < offset;) {
        uint32_t code_point = utf8_next(text, offset, &at);
        ++*column;
        if (code_point == '\n') {
            ++*line;
            *column = 1;
        }
    }
}

static bool report_parser(Reader *reader) {
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem ? parser->problem : "not YAML";
    char sentence[ERROR_MESSAGE_SIZE];
    int line, column;
    if (parser->error == YAML_MEMORY_ERROR)
        return error_list_add(reader->errors, ERROR_MEMORY, 0, 0, "there is no memory");
    if (parser->error == YAML_READER_ERROR) {
        size_t offset = parser->problem_offset;
        place_of(reader->text, offset < reader->length ? offset : reader->length, &line,
                 &column);
        yaml_advise(sentence, problem, "", 0, &line, &column);
        return error_list_add(reader->errors, ERROR_ENCODING, line, column, "%s",
                              sentence);
    }
    line = (int)parser->problem_mark.line + 1;
    column = (int)parser->problem_mark.column + 1;
    if (parser->context &&
        strcmp(parser->context, "while scanning a quoted scalar") == 0 &&
        strncmp(problem, "found unexpected", 16) == 0)
        return error_list_add(reader->errors, ERROR_SYNTAX,
                              (int)parser->context_mark.line + 1,
                              (int)parser->context_mark.column + 1,
                              "a quotation mark is missing at the end of the text that "
                              "begins here");
    bool enough =
        yaml_advise(sentence, problem, reader->text, reader->length, &line, &column);
    if (!enough && parser->context && parser->context_mark.line + 1 < (size_t)line)
        return error_list_add(reader->errors, ERROR_SYNTAX, line, column,
                              "%s (%s that began at %zu:%zu)", sentence, parser->context,
                              parser->context_mark.line + 1,
                              parser->context_mark.column + 1);
    return error_list_add(reader->errors, ERROR_SYNTAX, line, column, "%s", sentence);
}

/* Reads the next event. */
static bool advance(Reader *reader) {
    yaml_event_delete(&reader->event);
    memset(&reader->event, 0, sizeof reader->event);
    return yaml_parser_parse(&reader->parser, &reader->event) || report_parser(reader);
}

static bool add_error(Reader *reader, const YamlNode *node, ErrorCode code,
                      const char *sentence) {
    return yaml_error(reader->errors, code, node, "%s", sentence);
}

static YamlNode *node_new(Reader *reader, YamlKind kind) {
    YamlNode *node = arena_alloc(reader->arena, 1, sizeof *node);
    node->kind = kind;
    node->line = node->end_line = (int)reader->event.start_mark.line + 1;
    node->column = (int)reader->event.start_mark.column + 1;
    return node;
}

/* Refuses anchors and tags, which change a node's meaning and have no use in a lesson. */
static void refuse_decoration(Reader *reader, const YamlNode *node,
                              const yaml_char_t *anchor, const yaml_char_t *tag) {
    if (anchor)
        add_error(
            reader, node, ERROR_SYNTAX,
            "a text that begins with '&' needs quotes around all of it; YAML's anchors "
            "are not used in lessons");
    if (tag)
        add_error(
            reader, node, ERROR_SYNTAX,
            "a text that begins with '!' needs quotes around all of it; YAML's tags "
            "are not used in lessons");
}

/* Also refuses U+FFFE and U+FFFF, which XML doesn't allow. The text is UTF-8. */
static bool has_control_character(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F ||
            (c == 0xEF && (memcmp(text + i, "\xEF\xBF\xBE", 3) == 0 ||
                           memcmp(text + i, "\xEF\xBF\xBF", 3) == 0)))
            return true;
    }
    return false;
}

/* Counts the code points of valid UTF-8. */
static size_t count_points(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Returns the column where the text begins if it is in the file literally. */
static int text_column(const yaml_event_t *event, const char *text) {
    size_t first = event->start_mark.column, end = event->end_mark.column;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    size_t quotes = plain ? 0 : 2;
    if (event->start_mark.line != event->end_mark.line || strchr(text, '\n') ||
        end - first != count_points(text, strlen(text)) + quotes)
        return 0;
    return (int)first + 1 + (plain ? 0 : 1);
}

/* Returns the byte at a mark; marks must come in the order of the text. */
static size_t byte_at(Reader *reader, const yaml_mark_t *mark) {
    const char *text = reader->text, *end = text + reader->length;
    for (; reader->line < mark->line && reader->at < reader->length; reader->line++) {
        const char *at = text + reader->at, *line = memchr(at, '\n', (size_t)(end - at));
        reader->at = line ? (size_t)(line + 1 - text) : reader->length;
        reader->column = 0;
    }
    for (; reader->line == mark->line && reader->column < mark->column &&
           reader->at < reader->length && text[reader->at] != '\n';
         reader->column++)
        utf8_next(text, reader->length, &reader->at);
    return reader->at;
}

/* Returns the column of a comment behind a text without quotes, on its last line; else
 * 0. */
static int comment_column(Reader *reader) {
    const yaml_event_t *event = &reader->event;
    if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !event->data.scalar.length)
        return 0;
    size_t end = byte_at(reader, &event->end_mark), at = end;
    while (at < reader->length && (reader->text[at] == ' ' || reader->text[at] == '\t'))
        at++;
    bool comment = at > end && at < reader->length && reader->text[at] == '#';
    return comment ? (int)(event->end_mark.column + (at - end)) + 1 : 0;
}

static YamlNode *read_scalar(Reader *reader) {
    YamlNode *node = node_new(reader, YAML_SCALAR);
    const yaml_event_t *event = &reader->event;
    size_t length = event->data.scalar.length;
    /* the end mark of a block scalar is at the beginning of the next line */
    node->end_line = (int)event->end_mark.line + (event->end_mark.column > 0);
    if (node->end_line < node->line)
        node->end_line = node->line;
    const char *text = (const char *)event->data.scalar.value;
    refuse_decoration(reader, node, event->data.scalar.anchor, event->data.scalar.tag);
    if (has_control_character(text, length)) {
        add_error(reader, node, ERROR_VALUE,
                  "the text has a control character in it; only line breaks and tabs may "
                  "stand in a text");
        length = 0;
    }
    node->text = arena_copy(reader->arena, text, length);
    node->text_column = text_column(event, node->text);
    node->comment_column = comment_column(reader);
    return node;
}

static int compare_keys(const void *left, const void *right) {
    const YamlNode *a = *(const YamlNode *const *)left;
    const YamlNode *b = *(const YamlNode *const *)right;
    int order = strcmp(a->text, b->text);
    if (order)
        return order;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

/* Reports repeated keys; sorts, so that very many keys don't take quadratic time. */
static void refuse_duplicates(Reader *reader, const YamlNode *mapping) {
    if (mapping->count < 2)
        return;
    const YamlNode **keys = arena_alloc(reader->arena, mapping->count, sizeof *keys);
    size_t count = 0;
    for (const YamlNode *item = mapping->first; item; item = item->next)
        keys[count++] = item->key;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++) {
        char key[UTF8_SHORT_SIZE];
        if (strcmp(keys[i]->text, keys[i - 1]->text) == 0)
            error_list_add(
                reader->errors, ERROR_NAME, keys[i]->line, keys[i]->column,
                "'%s' stands here a second time, first at line %d; a key comes "
                "once",
                utf8_shorten(key, keys[i]->text, strlen(keys[i]->text)),
                keys[i - 1]->line);
    }
}

static YamlNode *read_node(Reader *reader, int depth);

/* Reads the key of a mapping's next entry; the event is then the value's first. */
static bool read_key(Reader *reader, const YamlNode **key) {
    if (reader->event.type != YAML_SCALAR_EVENT) {
        int line = (int)reader->event.start_mark.line + 1;
        int column = (int)reader->event.start_mark.column + 1;
        return error_list_add(
            reader->errors, ERROR_SYNTAX, line, column,
            "a key is one word before a colon, not a list or a mapping");
    }
    *key = read_scalar(reader);
    return advance(reader);
}

static YamlNode *read_collection(Reader *reader, int depth) {
    bool mapping = reader->event.type == YAML_MAPPING_START_EVENT;
    YamlNode *node = node_new(reader, mapping ? YAML_MAPPING : YAML_SEQUENCE);
    if (depth > YAML_MAX_DEPTH) {
        yaml_error(reader->errors, ERROR_LIMIT, node,
                   "the file is nested more than %d deep; lessons need about 5",
                   YAML_MAX_DEPTH);
        return NULL;
    }
    if (mapping)
        refuse_decoration(reader, node, reader->event.data.mapping_start.anchor,
                          reader->event.data.mapping_start.tag);
    else
        refuse_decoration(reader, node, reader->event.data.sequence_start.anchor,
                          reader->event.data.sequence_start.tag);
    yaml_event_type_t end = mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    YamlNode *last = NULL;
    bool flow = mapping
                    ? reader->event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                    : reader->event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    if (!advance(reader))
        return NULL;
    while (reader->event.type != end) {
        const YamlNode *key = NULL;
        if (mapping && !read_key(reader, &key))
            return NULL;
        YamlNode *item = read_node(reader, depth + 1);
        if (!item || !advance(reader))
            return NULL;
        item->key = key;
        if (last)
            last->next = item;
        else
            node->first = item;
        last = item;
        node->count++;
        node->end_line = item->end_line;
    }
    if (flow) /* the end mark of a block is at the next token */
        node->end_line = (int)reader->event.end_mark.line + 1;
    if (mapping)
        refuse_duplicates(reader, node);
    return node;
}

static YamlNode *read_node(Reader *reader, int depth) {
    switch (reader->event.type) {
    case YAML_SCALAR_EVENT:
        return read_scalar(reader);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return read_collection(reader, depth);
    case YAML_ALIAS_EVENT: {
        YamlNode *node = node_new(reader, YAML_SCALAR);
        add_error(reader, node, ERROR_SYNTAX,
                  "a text that begins with '*' needs quotes around all of it; YAML's "
                  "aliases are not used in lessons");
        node->text = "";
        return node;
    }
    default: /* libyaml produces no other event here */
        error_list_add(reader->errors, ERROR_SYNTAX, 0, 0, "not YAML");
        return NULL;
    }
}

/* Reads the stream's only document. */
static const YamlNode *read_document(Reader *reader) {
    if (!advance(reader) || !advance(reader)) /* starts of stream and document */
        return NULL;
    if (reader->event.type == YAML_STREAM_END_EVENT) {
        error_list_add(reader->errors, ERROR_SYNTAX, 1, 1,
                       "the file is empty; a lesson begins with 'title:'");
        return NULL;
    }
    if (!advance(reader))
        return NULL;
    const YamlNode *root = read_node(reader, 1);
    if (!root || !advance(reader) ||
        !advance(reader)) /* ends of document and, then, stream */
        return NULL;
    if (reader->event.type != YAML_STREAM_END_EVENT) {
        error_list_add(reader->errors, ERROR_SYNTAX,
                       (int)reader->event.start_mark.line + 1,
                       (int)reader->event.start_mark.column + 1,
                       "a second document begins here; a file is one document, so remove "
                       "the '---'");
        return NULL;
    }
    return root;
}

static void read_guarded(void *reader) {
    ((Reader *)reader)->root = read_document(reader);
}

/* Checks properties that libyaml doesn't check, or only at high cost. */
static bool check_text(const char *text, size_t length, ErrorList *errors) {
    int line, column;
    if (length > YAML_MAX_BYTES)
        return error_list_add(errors, ERROR_LIMIT, 0, 0,
                              "the file has %zu bytes; at most %d (4 MiB) are read",
                              length, YAML_MAX_BYTES);
    size_t bad = utf8_check(text, length);
    if (bad < length) {
        place_of(text, bad, &line, &column);
        return error_list_add(errors, ERROR_ENCODING, line, column,
                              "byte 0x%02X is not UTF-8; save the file as UTF-8",
                              (unsigned char)text[bad]);
    }
    const char *zero = length ? memchr(text, 0, length) : NULL;
    if (zero) {
        place_of(text, (size_t)(zero - text), &line, &column);
        return error_list_add(errors, ERROR_ENCODING, line, column,
                              "a NUL byte stands here; a lesson is plain text");
    }
    return true;
}

const YamlNode *yaml_read(Arena *arena, const char *text, size_t length,
                          ErrorList *errors) {
    size_t mark = utf8_mark(text, length);
    text += mark;
    length -= mark;
    if (!check_text(text, length, errors))
        return NULL;
    Reader reader = {.arena = arena, .text = text, .length = length, .errors = errors};
    size_t before = errors->count;
    if (!yaml_parser_initialize(&reader.parser)) {
        error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
        return NULL;
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, length);
    bool whole = arena_guard(arena, read_guarded, &reader);
    yaml_event_delete(&reader.event);
    yaml_parser_delete(&reader.parser);
    if (whole)
        return reader.root;
    errors->count = before; /* earlier errors are meaningless */
    error_list_add(errors, ERROR_MEMORY, 0, 0,
                   "the file needs more memory than a lesson may use (1 GiB)");
    return NULL;
}

/* Opens a file for reading; -1 with an error. Doesn't block, as a pipe would. */
static int open_file(const char *path, ErrorList *errors) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool known = file >= 0 && fstat(file, &status) == 0;
    if (known && S_ISREG(status.st_mode))
        return file;
    if (known)
        error_list_add(errors, ERROR_FILE, 0, 0, "the file can't be read: it is %s",
                       S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
    else
        error_list_add(errors, errno == ENOMEM ? ERROR_MEMORY : ERROR_FILE, 0, 0,
                       "the file can't be opened: %s", strerror(errno));
    if (file >= 0)
        close(file);
    return -1;
}

/* Reads to the end, or `most` bytes; false with errno. */
static bool read_most(int file, char *buffer, size_t most, size_t *length) {
    *length = 0;
    while (*length < most) {
        ssize_t count = read(file, buffer + *length, most - *length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        *length += (size_t)count;
    }
    return true;
}

const char *yaml_read_file(Arena *arena, const char *path, size_t *length,
                           ErrorList *errors) {
    char *text = NULL, *buffer = NULL;
    int file = open_file(path, errors);
    if (file < 0)
        return NULL;
    buffer = malloc(YAML_MAX_BYTES + 1); /* one more, to detect longer files */
    if (!buffer) {
        error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
        goto done;
    }
    if (!read_most(file, buffer, YAML_MAX_BYTES + 1, length)) {
        error_list_add(errors, ERROR_FILE, 0, 0, "the file can't be read: %s",
                       strerror(errno));
        goto done;
    }
    if (*length > YAML_MAX_BYTES) {
        error_list_add(errors, ERROR_LIMIT, 0, 0,
                       "the file has more than %d bytes (4 MiB); no more are read",
                       YAML_MAX_BYTES);
        goto done;
    }
    text = arena_copy(arena, buffer, *length);
    if (!text)
        error_list_add(errors, ERROR_MEMORY, 0, 0,
                       "the file needs more memory than a lesson may use");
done:
    free(buffer);
    close(file);
    return text;
}

bool yaml_error(ErrorList *errors, ErrorCode code, const YamlNode *node,
                const char *format, ...) {
    char message[ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_list_add(errors, code, node->line, node->column, "%s", message);
}

bool yaml_error_append(ErrorList *errors, const Error *error, const YamlNode *node) {
    return error_list_append(errors, error, node->line, node->column);
}

const YamlNode *yaml_lookup(const YamlNode *node, const char *key) {
    if (!node || node->kind != YAML_MAPPING)
        return NULL;
    for (const YamlNode *item = node->first; item; item = item->next) {
        if (strcmp(item->key->text, key) == 0)
            return item;
    }
    return NULL;
}

#include "lesson/schema/yaml.h"

#include "base/strings/utf8.h"

#include <string.h>

/* Advice by the beginning of libyaml's message. */
static const struct {
    const char *problem, *advice;
} advices[] = {
    {"mapping values are not allowed",
     "a text that holds ': ' needs quotes around it, keys that belong together begin in "
     "the same column, and behind '-' stands a blank"},
    {"found character that cannot start any token",
     "a text can't begin with this character; put quotes around it, and indent with "
     "blanks, not tabs"},
    {"found a tab character", "indent with blanks"},
    {"mapping keys are not allowed",
     "a text that begins with a bracket needs quotes around all of it"},
    {"could not find expected ':'",
     "every line of a mapping is 'key: value', with a plain colon and a blank"},
    {"did not find expected ',' or ']'", "a comma or the closing ']' is missing"},
    {"did not find expected ',' or '}'", "a comma or the closing '}' is missing"},
    {"did not find expected key",
     "lines that belong together begin in the same column, and a text that begins with a "
     "bracket, or has more behind a quotation mark, needs quotes around all of it"},
    {"did not find expected '-' indicator",
     "entries of a list begin with '- ' in the same column"},
    {"did not find expected node content", "a value is missing"},
    {"did not find expected <document start>", "a lesson is one document"},
    {"block sequence entries are not allowed", "a list begins on a line of its own"},
    {"block mapping entries are not allowed", "'key: value' begins on a line of its own"},
    {"found unknown escape character",
     "in double quotes a backslash is written twice; single quotes take it as it is"},
    {"did not find expected hexdecimal number", "\\x takes two hexadecimal digits"},
    {"control characters are not allowed", "remove it"},
};

static const char *advice_for(const char *problem) {
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++) {
        if (strncmp(problem, advices[i].problem, strlen(advices[i].problem)) == 0)
            return advices[i].advice;
    }
    return "see the lessons that come with the program for examples";
}

/* ---- missing quotes ---- */

enum { LINE_MOST = 4096 };

/* A line of the file, without its end. */
typedef struct Line {
    const char *text;
    size_t length;
} Line;

static Line line_of(const char *text, size_t length, int number) {
    const char *end = text + length;
    for (const char *next; number > 1; number--, text = next + 1) {
        next = memchr(text, '\n', (size_t)(end - text));
        if (!next)
            return (Line){end, 0};
    }
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    size_t size = (size_t)((stop ? stop : end) - text);
    while (size && strchr(" \t\r", text[size - 1]))
        size--;
    return (Line){text, size < LINE_MOST ? size : 0};
}

/* Reports whether text follows a closing bracket. */
static bool has_text_after(Line value) {
    size_t depth = 0;
    for (size_t i = 0; i < value.length; i++) {
        depth += value.text[i] == '{' || value.text[i] == '[';
        depth -= value.text[i] == '}' || value.text[i] == ']';
        if (depth)
            continue;
        for (i++; i < value.length && value.text[i] == ' ';)
            i++;
        return i < value.length && !strchr(",}]#", value.text[i]);
    }
    return false;
}

/* Reports whether a value is meant as a text, but begins like something else. */
static bool needs_quotes(Line value, bool has_key) {
    if (value.length < 2)
        return false;
    if (strchr("{[", value.text[0]))
        return has_text_after(value);
    if (strchr("?-", value.text[0]))
        return has_key && value.text[1] == ' ';
    return strchr("*&!>|@`%", value.text[0]);
}

/* Returns the last value of a line that begins before a column and lacks quotes; length 0
 * if there is none. *alone: nothing else can be on the line. */
static Line unquoted_value(Line line, int column, bool *alone) {
    Line found = {line.text, 0};
    bool flow = false;
    int at = 1;
    for (size_t i = 0; i < line.length && at <= column;) {
        bool begins = i > 1 && line.text[i - 1] == ' ' && line.text[i] != ' ' &&
                      (line.text[i - 2] == ':' || line.text[i - 2] == '-');
        Line value = {line.text + i, line.length - i};
        if (begins && needs_quotes(value, line.text[i - 2] == ':')) {
            found = value;
            *alone = !flow;
        }
        flow |= line.text[i] == '{' || line.text[i] == '[';
        utf8_next(line.text, line.length, &i);
        at++;
    }
    return found;
}

/* Chooses quotes: backslashes and double quotes need no escape in single ones. */
static const char *quotes_for(Line value) {
    bool doubled =
        memchr(value.text, '"', value.length) || memchr(value.text, '\\', value.length);
    return !doubled ? "\"" : memchr(value.text, '\'', value.length) ? NULL : "'";
}

/* Returns the column of a byte in a line, from 1. */
static int column_of(Line line, const char *at) {
    int column = 1;
    for (size_t i = 0; i < line.length && line.text + i < at; column++)
        utf8_next(line.text, line.length, &i);
    return column;
}

static bool advise_quotes(char out[ERROR_MESSAGE_SIZE], Line line, int *column) {
    char shown[UTF8_SHORT_SIZE];
    bool alone = true;
    Line value = unquoted_value(line, *column, &alone);
    if (!value.length)
        return false;
    const char *quote = alone ? quotes_for(value) : NULL;
    snprintf(out, ERROR_MESSAGE_SIZE,
             "a text that begins with '%c' needs quotes around "
             "all of it%s%s%s%s",
             value.text[0], quote ? "; write " : "", quote ? quote : "",
             quote ? utf8_shorten(shown, value.text, value.length) : "",
             quote ? quote : "");
    *column = column_of(line, value.text);
    return true;
}

/* ---- quotes within a text ---- */

/* Returns the byte at a column. */
static size_t byte_of(Line line, int column) {
    size_t at = 0;
    for (int i = 1; i < column && at < line.length; i++)
        utf8_next(line.text, line.length, &at);
    return at;
}

/* Advises on a quotation mark within a text in the same marks. */
static bool advise_inner_quote(char out[ERROR_MESSAGE_SIZE], Line line, int *column) {
    size_t at = byte_of(line, *column), first = 0;
    char quote = at > 0 ? line.text[at - 1] : ' ';
    while (first < at && (line.text[first] != quote || first == 0 ||
                          !strchr(" [{", line.text[first - 1])))
        first++;
    if (!strchr("\"'", quote) || first + 1 >= at)
        return false;
    snprintf(out, ERROR_MESSAGE_SIZE,
             quote == '"' ? "the text ends at this quotation mark; within \"…\" it is "
                            "written \\\""
                          : "the text ends at this apostrophe; within '…' it is written "
                            "twice, ''");
    *column = column_of(line, line.text + at - 1);
    return true;
}

/* ---- a missing quotation mark ---- */

/* Returns the quotation mark that begins a text and isn't closed on the line; NULL if
 * there is none. *any reports whether the line has quotation marks of this kind. */
static const char *open_quote(Line line, char quote, bool *any) {
    *any = memchr(line.text, quote, line.length) != NULL;
    for (size_t i = 0; i < line.length; i++) {
        if (line.text[i] != quote || (i > 0 && !strchr(" [{", line.text[i - 1])))
            continue;
        size_t begin = i++;
        while (i < line.length && line.text[i] != quote)
            i += quote == '"' && line.text[i] == '\\' ? 2 : 1;
        if (i >= line.length)
            return line.text + begin;
    }
    return NULL;
}

enum { OPEN_LINES_MOST = 200 }; /* lines that are searched for the mark */

/* Advises on a text without a closing quotation mark, which therefore ends at the opening
 * mark of a later text. */
static bool advise_open_quote(char out[ERROR_MESSAGE_SIZE], const char *text,
                              size_t length, int *line, int *column) {
    Line here = line_of(text, length, *line);
    size_t at = byte_of(here, *column);
    while (at > 0 && here.text[at - 1] == ' ')
        at--;
    char quote = at > 0 ? here.text[at - 1] : ' ';
    if (!strchr("\"'", quote) || memchr(here.text, quote, at - 1))
        return false;
    for (int i = 1; i < OPEN_LINES_MOST && i < *line; i++) {
        Line above = line_of(text, length, *line - i);
        bool any;
        const char *begin = open_quote(above, quote, &any);
        if (any && !begin)
            return false;
        if (!begin)
            continue;
        snprintf(
            out, ERROR_MESSAGE_SIZE,
            "a quotation mark is missing at the end of the text that begins here; it "
            "goes on to the next one, at line %d",
            *line);
        *line -= i;
        *column = column_of(above, begin);
        return true;
    }
    return false;
}

/* Advises on a matrix without its outer brackets: [1, 0], [0, 0]. */
static bool advise_matrix(char out[ERROR_MESSAGE_SIZE], Line line, int *column) {
    size_t first = 0, depth = 0, rows = 0;
    while (first < line.length && line.text[first] != '[')
        first++;
    for (size_t i = first; i < line.length; i++) {
        char c = line.text[i];
        if (!strchr("[], +-.0123456789e_inf", c) || depth > 1)
            return false;
        depth += c == '[';
        rows += c == '[';
        depth -= c == ']' && depth;
    }
    if (rows < 2 || depth)
        return false;
    snprintf(out, ERROR_MESSAGE_SIZE,
             "a matrix is written [%.*s], with brackets around "
             "its rows",
             (int)(line.length - first < 80 ? line.length - first : 80),
             line.text + first);
    *column = column_of(line, line.text + first);
    return true;
}

/* ---- blanks and full-width signs ---- */

static bool begins_with(Line line, size_t at, const char *words) {
    size_t length = strlen(words);
    return line.length >= at + length && memcmp(line.text + at, words, length) == 0;
}

/* Finds indentation by characters other than blanks. */
static size_t strange_blank(Line line, size_t at) {
    static const char *const blanks[] = {"\xC2\xA0", "\xE3\x80\x80"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        if (begins_with(line, at, blanks[i]))
            return strlen(blanks[i]);
    }
    return 0;
}

/* Advises on "key:words" and "key：words" at the beginning of a line, and on characters
 * before a key. */
static bool advise_key(char out[ERROR_MESSAGE_SIZE], Line line, int *column) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    size_t first = 0, end;
    while (first < line.length && strchr(" -", line.text[first]))
        first++;
    for (end = first; end < line.length && strchr(letters, line.text[end]);)
        end++;
    bool plain = begins_with(line, end, ":");
    bool wide = begins_with(line, end, "\xEF\xBC\x9A");
    bool tight = plain && end + 1 < line.length && !strchr(" /:", line.text[end + 1]);
    if (strange_blank(line, first)) {
        snprintf(out, ERROR_MESSAGE_SIZE,
                 "a no-break or full-width blank stands here; indent with plain blanks");
        end = first;
    } else if (end > first && plain && first > 0 && line.text[first - 1] == '-') {
        snprintf(out, ERROR_MESSAGE_SIZE,
                 "behind the '-' of a list a blank is missing; write '- %.*s:'",
                 (int)(end - first), line.text + first);
        end = first - 1;
    } else if (end > first && wide)
        snprintf(out, ERROR_MESSAGE_SIZE,
                 "'：' is a full-width colon; write '%.*s: ', with a plain colon and a "
                 "blank",
                 (int)(end - first), line.text + first);
    else if (end > first && tight)
        snprintf(out, ERROR_MESSAGE_SIZE,
                 "behind a key's colon a blank is missing; write '%.*s: '",
                 (int)(end - first), line.text + first);
    else
        return false;
    *column = column_of(line, line.text + end);
    return true;
}

/* Advises on a full-width comma or closing bracket in place of a plain one; within
 * Chinese text they are punctuation. */
static bool advise_flow(char out[ERROR_MESSAGE_SIZE], Line line, int *column) {
    static const struct {
        const char *wide, *plain;
    } signs[] = {{"，", ","}, {"、", ","}, {"］", "]"}, {"｝", "}"}, {"：", ": "}};
    size_t end = byte_of(line, *column);
    char quote = 0;
    for (size_t at = 0; at <= end && at < line.length; at++) {
        char byte = line.text[at];
        bool opens = at && strchr(" [{", line.text[at - 1]);
        if (quote ? byte == quote : opens && (byte == '"' || byte == '\''))
            quote = quote ? 0 : byte;
        bool words = at && (unsigned char)line.text[at - 1] >= 0x80;
        for (size_t i = 0; !quote && !words && i < sizeof signs / sizeof *signs; i++) {
            if (!begins_with(line, at, signs[i].wide))
                continue;
            snprintf(out, ERROR_MESSAGE_SIZE, "'%s' is a full-width sign; write '%s'",
                     signs[i].wide, signs[i].plain);
            *column = column_of(line, line.text + at);
            return true;
        }
    }
    return false;
}

/* Advises on the position's line, or on the last one before it that isn't empty. */
static bool advise_line(char out[ERROR_MESSAGE_SIZE], const char *text, size_t length,
                        int *line, int *column) {
    Line here = line_of(text, length, *line);
    int before = *line;
    if (advise_key(out, here, column))
        return true;
    do
        here = line_of(text, length, --before);
    while (before > 1 && (!here.length || here.text[strspn(here.text, " ")] == '#'));
    if (before < 1 || !advise_key(out, here, column))
        return false;
    *line = before;
    return true;
}

static bool is_about(const char *problem, const char *words) {
    return strncmp(problem, words, strlen(words)) == 0;
}

bool yaml_advise(char out[ERROR_MESSAGE_SIZE], const char *problem, const char *text,
                 size_t length, int *line, int *column) {
    Line here = line_of(text, length, *line);
    bool flow = is_about(problem, "did not find expected ',' or");
    bool key = flow || is_about(problem, "did not find expected key");
    bool block = is_about(problem, "mapping values are not allowed") ||
                 is_about(problem, "could not find expected ':'") ||
                 is_about(problem, "did not find expected '-'") || (key && !flow);
    if (key && !flow &&
        (advise_open_quote(out, text, length, line, column) ||
         advise_matrix(out, here, column)))
        return true;
    if (!advise_quotes(out, here, column) && !(flow && advise_flow(out, here, column)) &&
        !(key && advise_inner_quote(out, here, column)) &&
        !(block && advise_line(out, text, length, line, column)))
        snprintf(out, ERROR_MESSAGE_SIZE, "%s; %s", problem, advice_for(problem));
    return false;
}

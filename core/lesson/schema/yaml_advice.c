#include "lesson/schema/yaml_advice.h"

#include "base/utf8.h"

#include <string.h>

/* By the beginning of what libyaml says. */
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
    {"found unexpected end of stream", "a quotation mark is missing"},
    {"found unexpected document indicator", "a quotation mark is missing"},
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

/* ---- a text without its quotes ---- */

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

/* Whether a bracket is closed again and more stands behind that. */
static bool goes_on_behind(Line value) {
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

/* Whether a value can only be meant as a text, but begins as something else does. */
static bool lacks_quotes(Line value, bool has_key) {
    if (value.length < 2)
        return false;
    if (strchr("{[", value.text[0]))
        return goes_on_behind(value);
    if (strchr("?-", value.text[0]))
        return has_key && value.text[1] == ' ';
    return strchr("*&!>|@`%", value.text[0]);
}

/* The last value of a line that begins before a column and lacks its quotes; of length 0
 * where none does. *alone: nothing else can stand on the line. */
static Line unquoted_value(Line line, int column, bool *alone) {
    Line found = {line.text, 0};
    bool flow = false;
    int at = 1;
    for (size_t i = 0; i < line.length && at <= column;) {
        bool begins = i > 1 && line.text[i - 1] == ' ' && line.text[i] != ' ' &&
                      (line.text[i - 2] == ':' || line.text[i - 2] == '-');
        Line value = {line.text + i, line.length - i};
        if (begins && lacks_quotes(value, line.text[i - 2] == ':')) {
            found = value;
            *alone = !flow;
        }
        flow |= line.text[i] == '{' || line.text[i] == '[';
        utf8_next(line.text, line.length, &i);
        at++;
    }
    return found;
}

/* Single quotes take a backslash and double quotes as they are. */
static const char *quotes_for(Line value) {
    bool doubled =
        memchr(value.text, '"', value.length) || memchr(value.text, '\\', value.length);
    return !doubled ? "\"" : memchr(value.text, '\'', value.length) ? NULL : "'";
}

static bool advise_quotes(char out[ERROR_MESSAGE_SIZE], Line line, int column) {
    char shown[UTF8_SHORT_SIZE];
    bool alone = true;
    Line value = unquoted_value(line, column, &alone);
    if (!value.length)
        return false;
    const char *quote = alone ? quotes_for(value) : NULL;
    snprintf(out, ERROR_MESSAGE_SIZE,
             "a text that begins with '%c' needs quotes around "
             "all of it%s%s%s%s",
             value.text[0], quote ? "; write " : "", quote ? quote : "",
             quote ? utf8_shorten(shown, value.text, value.length) : "",
             quote ? quote : "");
    return true;
}

void yaml_advise(char out[ERROR_MESSAGE_SIZE], const char *problem, const char *text,
                 size_t length, int line, int column) {
    if (!advise_quotes(out, line_of(text, length, line), column))
        snprintf(out, ERROR_MESSAGE_SIZE, "%s; %s", problem, advice_for(problem));
}

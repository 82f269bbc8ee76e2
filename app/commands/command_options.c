#include "commands/command.h"

#include "base/number.h"
#include "base/strings/language.h"
#include "formats/format.h"
#include "lesson/code/code.h"
#include "lesson/practise/practise.h"
#include "model/generate/generate.h"
#include "model/learn/train.h"
#include "picture/words/words.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

/* The descriptions of the options are in the strings, below `option:`. */

/* Kind of an option's value, and of the field that it sets. */
typedef enum OptionForm {
    OPTION_FLAG,   /* nothing; a bool becomes true */
    OPTION_TEXT,   /* a const char * */
    OPTION_WHOLE,  /* a size_t from `least` to `most` */
    OPTION_NUMBER, /* a double from `least` to `most` */
    OPTION_OWN     /* what `set` reads */
} OptionForm;

typedef struct Option {
    char letter; /* in Command.options; '*' is every command's */
    const char *name;
    const char *value;   /* what stands for it in the help; NULL: it takes none */
    const char *choices; /* all that it can be, "numpy|torch"; or NULL */
    const char *words;   /* the key of its words below `option:`; NULL: its name */
    OptionForm form;
    size_t offset; /* of the field in CommandLine */
    double least, most;
    const char *must_be; /* what is said of a wrong value; NULL: any text is fine */
    GenerateRule rule;   /* of generate: the one rule that it is for; greedy: of all */
    bool (*set)(CommandLine *line, const char *value);
} Option;

/* Reads digits, moving *text behind them. */
static bool read_whole(const char **text, uint64_t most, uint64_t *number) {
    uint64_t value = 0;
    const char *digit = *text;
    for (; *digit >= '0' && *digit <= '9' && value <= most; digit++)
        value = 10 * value + (uint64_t)(*digit - '0');
    bool good = digit != *text && value <= most;
    *text = digit;
    *number = value;
    return good;
}

/* ---- options that are read in their own way ---- */

static bool set_size(CommandLine *line, const char *value) {
    uint64_t width, height;
    if (!read_whole(&value, PICTURE_MAX_WIDTH, &width) || *value++ != 'x' ||
        !read_whole(&value, PICTURE_MAX_HEIGHT, &height) || *value)
        return false;
    line->width = (size_t)width;
    line->height = (size_t)height;
    return width >= PICTURE_MIN_WIDTH && height >= PICTURE_MIN_HEIGHT;
}

/* Formats with commas between. */
static bool set_format(CommandLine *line, const char *value) {
    line->formats = 0;
    for (;;) {
        size_t length = strcspn(value, ",");
        unsigned i = 0;
        const Format *format = format_at(i);
        while (format &&
               (strncmp(format->name, value, length) != 0 || format->name[length]))
            format = format_at(++i);
        if (!format)
            return false;
        line->formats |= 1U << i;
        if (!value[length])
            return true;
        value += length + 1;
    }
}

static bool set_handout(CommandLine *line, const char *value) {
    bool good = strlen(value) == 1 && strchr("246", *value);
    line->handout = good ? (size_t)(*value - '0') : 0;
    return good;
}

static bool set_paper(CommandLine *line, const char *value) {
    size_t i = 0;
    while (paper_at(i) && strcmp(paper_at(i)->name, value) != 0)
        i++;
    line->paper = paper_at(i);
    return line->paper != NULL;
}

/* "3" or "3-7". */
static bool set_steps(CommandLine *line, const char *value) {
    uint64_t first, last;
    if (!read_whole(&value, STEPS_MAX, &first))
        return false;
    last = first;
    if (*value == '-') {
        value++;
        if (!read_whole(&value, STEPS_MAX, &last))
            return false;
    }
    line->first_step = (size_t)first;
    line->last_step = (size_t)last;
    return !*value && first >= 1 && last >= first;
}

/* "0:2", the rows 0 and 1. */
static bool set_rows(CommandLine *line, const char *value) {
    uint64_t first, behind;
    if (!read_whole(&value, TENSOR_MAX_CELLS, &first) || *value++ != ':' ||
        !read_whole(&value, TENSOR_MAX_CELLS, &behind))
        return false;
    line->first_row = (size_t)first;
    line->behind_row = (size_t)behind;
    return !*value && behind > first;
}

static bool set_words(CommandLine *line, const char *value) {
    return words_from_name(value, &line->words);
}

static bool set_code(CommandLine *line, const char *value) {
    line->has_code = code_language_from_name(value, &line->code);
    return line->has_code;
}

static bool set_rule(CommandLine *line, const char *value) {
    line->generate.has_rule = true;
    return generate_rule_from_name(value, &line->generate.say.rule);
}

static bool set_seed(CommandLine *line, const char *value) {
    return read_whole(&value, (uint64_t)1 << 53, &line->generate.say.seed) && !*value;
}

static bool set_copy(CommandLine *line, const char *value) {
    line->copy = value;
    return read_whole(&value, (uint64_t)1 << 53, &line->seed) && !*value;
}

/* ---- the table ---- */

static const Option options[] = {
    {'j', "json", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, json)},
    {'C', "code", "numpy|torch", .form = OPTION_OWN, .set = set_code,
     .choices = "numpy|torch", .must_be = "numpy or torch"},
    {'G', "tensor", "NAME", .form = OPTION_TEXT, .offset = offsetof(CommandLine, tensor),
     .must_be = "a tensor's name"},
    {'I', "rows", "A:B", .form = OPTION_OWN, .set = set_rows,
     .must_be = "two row numbers from 0 on, as in 0:2 for rows 0 and 1"},
    {'o', "out", "FOLDER|FILE", .form = OPTION_TEXT, .offset = offsetof(CommandLine, out),
     .must_be = "a folder's name"},
    {'a', "all-steps", NULL, .form = OPTION_FLAG,
     .offset = offsetof(CommandLine, all_steps)},
    {'f', "format", "FORMATS", .form = OPTION_OWN, .set = set_format,
     .must_be = "png or svg for pictures, pdf, pptx or html for a deck, gif or apng for "
                "animations, worksheet or exam for paper, npz or csv for tensors, or "
                "several, as in "
                "png,npz"},
    {'g', "steps", "FIRST-LAST", .form = OPTION_OWN, .set = set_steps,
     .must_be = "a step's number, or two, as in 3-7"},
    {'i', "picture-only", NULL, .form = OPTION_FLAG,
     .offset = offsetof(CommandLine, picture_only)},
    {'A', "frame", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, frame)},
    {'H', "handout", "2|4|6", .form = OPTION_OWN, .set = set_handout, .choices = "2|4|6",
     .must_be = "2, 4 or 6 pages on a sheet"},
    {'z', "paper", "a4|letter", .form = OPTION_OWN, .set = set_paper,
     .choices = "a4|letter", .must_be = "a4 or letter"},
    {'y', "key", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, key)},
    {'Q', "questions", "NUMBER", .form = OPTION_WHOLE,
     .offset = offsetof(CommandLine, questions), .least = 1, .most = PAPER_POINTS,
     .must_be = "a number from 1 to 100"},
    {'D', "seed", "NUMBER", .words = "copy", .form = OPTION_OWN, .set = set_copy,
     .must_be = "a whole number"},
    {'k', "keys", "KEYS", .form = OPTION_TEXT, .offset = offsetof(CommandLine, keys)},
    {'p', "png", "FILE", .form = OPTION_TEXT, .offset = offsetof(CommandLine, png),
     .must_be = "a file's name"},
    {'s', "size", "WIDTHxHEIGHT", .form = OPTION_OWN, .set = set_size,
     .must_be = "WIDTHxHEIGHT in pixels, from 320x360 to 7680x4320, as in 1920x1080"},
    {'M', "width-mm", "NUMBER", .form = OPTION_NUMBER,
     .offset = offsetof(CommandLine, millimetres), .least = 10, .most = 2000,
     .must_be = "a width in millimetres, from 10 to 2000"},
    {'l', "lang", "CODE", .form = OPTION_TEXT, .offset = offsetof(CommandLine, language)},
    {'t', "theme", "NAME", .form = OPTION_TEXT, .offset = offsetof(CommandLine, theme)},
    {'m', "reduced-motion", NULL, .form = OPTION_FLAG,
     .offset = offsetof(CommandLine, reduced_motion)},
    {'N', "fresh", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, fresh)},
    {'B', "present", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, present)},
    {'Y', "say", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, say)},
    {'F', "frames", "NUMBER", .form = OPTION_WHOLE,
     .offset = offsetof(CommandLine, frames), .least = 2, .most = FRAMES_MAX,
     .must_be = "a number of pictures from 2 to 250"},
    {'q', "ask", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, ask)},
    {'S', "sources", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, sources)},
    {'w', "words", "DEPTH", .form = OPTION_OWN, .set = set_words,
     .choices = "usual|story|numbers|formula|code",
     .must_be = "story, numbers, formula or code; usual is heading, words and formula"},
    {'x', "text", "TEXT", .form = OPTION_TEXT, .offset = offsetof(CommandLine, text),
     .must_be = "a text with at least one word"},
    {'J', "work", "MILLIONS", .form = OPTION_NUMBER,
     .offset = offsetof(CommandLine, work), .least = 1, .most = 1e12,
     .must_be = "millions of operations, from 1 on; 10000 is usual"},
    {'r', "rule", "RULE", .form = OPTION_OWN, .set = set_rule,
     .choices = "greedy|sample|beam", .must_be = "greedy, sample or beam"},
    {'T', "temperature", "NUMBER", .form = OPTION_NUMBER,
     .offset = offsetof(CommandLine, generate.say.temperature), .rule = GENERATE_SAMPLE,
     .least = DBL_TRUE_MIN, .most = DBL_MAX, .must_be = "a number above 0, as in 0.8"},
    {'K', "top-k", "N", .form = OPTION_WHOLE,
     .offset = offsetof(CommandLine, generate.say.top_k), .rule = GENERATE_SAMPLE,
     .most = TENSOR_MAX_CELLS, .must_be = "a whole number; 0 keeps all tokens"},
    {'P', "top-p", "P", .form = OPTION_NUMBER,
     .offset = offsetof(CommandLine, generate.say.top_p), .rule = GENERATE_SAMPLE,
     .least = DBL_TRUE_MIN, .most = 1,
     .must_be = "a number above 0 and at most 1, which keeps all tokens"},
    {'d', "seed", "NUMBER", .form = OPTION_OWN, .set = set_seed, .rule = GENERATE_SAMPLE,
     .must_be = "a whole number"},
    {'b', "beam", "WIDTH", .form = OPTION_WHOLE,
     .offset = offsetof(CommandLine, generate.say.width), .rule = GENERATE_BEAM,
     .least = 1, .most = DECODING_WIDTH_MAX, .must_be = "a width from 1 to 1000"},
    {'e', "length-exponent", "A", .form = OPTION_NUMBER,
     .offset = offsetof(CommandLine, generate.say.length_exponent), .rule = GENERATE_BEAM,
     .most = DBL_MAX, .must_be = "a number from 0 on; 1 is the mean"},
    {'n', "length", "TOKENS", .form = OPTION_WHOLE,
     .offset = offsetof(CommandLine, generate.say.length), .least = 1,
     .most = DECODING_LENGTH_MAX, .must_be = "a number of tokens from 1 to 1000"},
    {'c', "cache", NULL, .form = OPTION_FLAG,
     .offset = offsetof(CommandLine, generate.say.cache)},
    {'h', "threads", "NUMBER", .form = OPTION_WHOLE,
     .offset = offsetof(CommandLine, threads), .least = 1, .most = THREADS_MAX,
     .must_be = "a number from 1 to 64"},
    {'O', "out", "FILE", .words = "model", .form = OPTION_TEXT,
     .offset = offsetof(CommandLine, out), .must_be = "a file's name"},
    {'E', "epochs", "NUMBER", .form = OPTION_WHOLE,
     .offset = offsetof(CommandLine, epochs), .least = 1, .most = TRAIN_MAX_EPOCHS,
     .must_be = "a number from 1 to 1000000"},
    {'W', "weights", "FILE", .form = OPTION_TEXT,
     .offset = offsetof(CommandLine, weights), .must_be = "a file's name"},
    {'R', "reference", NULL, .form = OPTION_FLAG,
     .offset = offsetof(CommandLine, reference)},
    {'L', "playlist", NULL, .form = OPTION_FLAG,
     .offset = offsetof(CommandLine, of_playlists)},
    {'*', "help", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, help)},
    {'*', "version", NULL, .form = OPTION_FLAG, .offset = offsetof(CommandLine, version)},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

/* ---- reading ---- */

/* The size_t of an option from `least` to `most`. */
static bool read_size(const char *text, const Option *option, size_t *size) {
    uint64_t number;
    bool good = read_whole(&text, (uint64_t)option->most, &number) && !*text &&
                (double)number >= option->least;
    *size = (size_t)number;
    return good;
}

static bool read_number(const char *text, const Option *option, double *number) {
    return number_parse(text, number, NULL) && *number >= option->least &&
           *number <= option->most;
}

/* Puts the value, NULL for one that takes none, where the option says. */
static bool set_option(CommandLine *line, const Option *option, const char *value) {
    void *field = (char *)line + option->offset;
    switch (option->form) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_TEXT:
        *(const char **)field = value;
        return *value || !option->must_be;
    case OPTION_WHOLE:
        return read_size(value, option, field);
    case OPTION_NUMBER:
        return read_number(value, option, field);
    case OPTION_OWN:
        return option->set(line, value);
    }
    return false;
}

static bool takes(const Command *command, const Option *option) {
    return option->letter == '*' || strchr(command->options, option->letter);
}

/* Fails with what was probably meant. */
static bool unknown_option(const Command *command, const char *name, Error *error) {
    const char *names[OPTION_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (takes(command, &options[i]))
            names[count++] = options[i].name;
    }
    const char *nearest = error_nearest(name, names, count);
    if (nearest)
        return error_set(error, ERROR_USAGE, 0, 0,
                         "there is no option --%s here; did you mean --%s?", name,
                         nearest);
    return error_set(error, ERROR_USAGE, 0, 0,
                     "there is no option --%s here; 'glassformer%s%s --help' lists them",
                     name, *command->name ? " " : "", command->name);
}

static const Option *find_option(const Command *command, const char *name,
                                 size_t length) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strncmp(options[i].name, name, length) == 0 && !options[i].name[length] &&
            takes(command, &options[i]))
            return &options[i];
    }
    return NULL;
}

bool command_option_read(CommandLine *line, int argc, char **argv, int *index,
                         Error *error) {
    const char *word = argv[*index];
    if (strcmp(word, "-h") == 0)
        word = "--help";
    if (word[1] != '-')
        return error_set(error, ERROR_USAGE, 0, 0,
                         "'%s' is not an option; options have two dashes and a name, as "
                         "in --help",
                         word);
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const Option *option = find_option(line->command, name, length);
    if (!option) {
        char copy[64];
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 60 ? length : 60), name);
        return unknown_option(line->command, copy, error);
    }
    const char *value = name[length] ? name + length + 1 : NULL;
    if (!option->value && value)
        return error_set(error, ERROR_USAGE, 0, 0, "--%s takes no value", option->name);
    if (option->value && !value) {
        if (*index + 1 >= argc)
            return error_set(error, ERROR_USAGE, 0, 0, "--%s needs a value, --%s %s",
                             option->name, option->name, option->value);
        value = argv[++*index];
    }
    if (option->rule == GENERATE_SAMPLE)
        line->generate.sample_option = option->name;
    if (option->rule == GENERATE_BEAM)
        line->generate.beam_option = option->name;
    return set_option(line, option, value) ||
           error_set(error, ERROR_USAGE, 0, 0, "--%s can't be '%s'; it must be %s",
                     option->name, value, option->must_be);
}

bool command_option_takes_next(const char *word) {
    for (size_t i = 0; i < OPTION_COUNT && strncmp(word, "--", 2) == 0; i++) {
        if (strcmp(options[i].name, word + 2) == 0)
            return options[i].value != NULL;
    }
    return false;
}

const char *command_words(const Language *language, const char *what, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "%s.%s", what, name);
    return language && language_has(language, key) ? language_words(language, key) : "";
}

static const char *words_of(const Option *option, const Language *language) {
    return command_words(language, "option",
                         option->words ? option->words : option->name);
}

bool command_option_at(const Command *command, size_t index, const Language *language,
                       CommandOption *found) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const Option *option = &options[i];
        if (!takes(command, option) || index--)
            continue;
        *found = (CommandOption){option->name, option->value, words_of(option, language),
                                 option->choices};
        return true;
    }
    return false;
}

void command_options_print(const Command *command, const Language *language,
                           FILE *stream) {
    CommandOption option;
    for (size_t i = 0; command_option_at(command, i, language, &option); i++) {
        char left[48];
        snprintf(left, sizeof left, "--%s %s", option.name,
                 option.value ? option.value : "");
        fprintf(stream, "  %-22s  %s\n", left, option.words);
    }
}

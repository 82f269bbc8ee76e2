#include "commands/command_options.h"

#include "base/number.h"
#include "model/learn/train.h"
#include "picture/words/words.h"

#include <math.h>
#include <string.h>

static bool bad_usage(Error *error, const char *option, const char *value,
                      const char *what) {
    return error_set(error, ERROR_USAGE, 0, 0, "--%s can't be '%s'; it must be %s",
                     option, value, what);
}

static bool read_number(const char **text, size_t most, size_t *number) {
    size_t value = 0;
    const char *digit = *text;
    for (; *digit >= '0' && *digit <= '9' && value <= most; digit++)
        value = 10 * value + (size_t)(*digit - '0');
    bool good = digit != *text && value <= most;
    *text = digit;
    *number = value;
    return good;
}

static bool set_size(CommandLine *line, const char *value, Error *error) {
    const char *rest = value;
    size_t width, height;
    bool good = read_number(&rest, PICTURE_MAX_WIDTH, &width) && *rest++ == 'x' &&
                read_number(&rest, PICTURE_MAX_HEIGHT, &height) && !*rest;
    if (!good || width < PICTURE_MIN_WIDTH || height < PICTURE_MIN_HEIGHT)
        return bad_usage(
            error, "size", value,
            "WIDTHxHEIGHT in pixels, from 640x360 to 7680x4320, as in 1920x1080");
    line->width = width;
    line->height = height;
    return true;
}

static bool set_language(CommandLine *line, const char *value, Error *error) {
    (void)error;
    line->language = value;
    return true;
}

/* Formats with commas between. */
static bool set_format(CommandLine *line, const char *value, Error *error) {
    static const struct {
        const char *name;
        ExportFormat format;
    } formats[] = {{"png", EXPORT_PNG}, {"npz", EXPORT_NPZ}};
    const char *word = value;
    line->formats = 0;
    for (;;) {
        size_t length = strcspn(word, ","), i = 0;
        while (i < 2 &&
               (strncmp(formats[i].name, word, length) != 0 || formats[i].name[length]))
            i++;
        if (i == 2)
            return bad_usage(error, "format", value,
                             "png for pictures, npz for NumPy, or both, png,npz");
        line->formats |= formats[i].format;
        if (!word[length])
            return true;
        word += length + 1;
    }
}

static bool set_threads(CommandLine *line, const char *value, Error *error) {
    const char *rest = value;
    return (read_number(&rest, THREADS_MAX, &line->threads) && !*rest && line->threads) ||
           bad_usage(error, "threads", value, "a number from 1 to 64");
}

static bool set_folder(CommandLine *line, const char *value, Error *error) {
    line->out = value;
    return *value || bad_usage(error, "out", value, "a folder's name");
}

static bool set_weights(CommandLine *line, const char *value, Error *error) {
    line->out = value;
    return *value || bad_usage(error, "out", value, "a file's name");
}

static bool set_epochs(CommandLine *line, const char *value, Error *error) {
    const char *rest = value;
    return (read_number(&rest, TRAIN_MAX_EPOCHS, &line->epochs) && !*rest &&
            line->epochs) ||
           bad_usage(error, "epochs", value, "a number from 1 to 1000000");
}

static bool set_png(CommandLine *line, const char *value, Error *error) {
    line->png = value;
    return *value || bad_usage(error, "png", value, "a file's name");
}

static bool set_keys(CommandLine *line, const char *value, Error *error) {
    (void)error;
    line->keys = value;
    return true;
}

static bool set_text(CommandLine *line, const char *value, Error *error) {
    line->text = value;
    return *value || bad_usage(error, "text", value, "a text with at least one word");
}

static bool set_theme(CommandLine *line, const char *value, Error *error) {
    (void)error;
    line->theme = value;
    return true;
}

static bool set_reduced_motion(CommandLine *line, const char *value, Error *error) {
    (void)value;
    (void)error;
    line->reduced_motion = true;
    return true;
}

static bool set_words(CommandLine *line, const char *value, Error *error) {
    return words_from_name(value, &line->words) ||
           bad_usage(error, "words", value,
                     "story, numbers, formula or code; usual is heading, words and "
                     "formula");
}

static bool set_json(CommandLine *line, const char *value, Error *error) {
    (void)value;
    (void)error;
    line->json = true;
    return true;
}

static bool set_reference(CommandLine *line, const char *value, Error *error) {
    (void)value;
    (void)error;
    line->reference = true;
    return true;
}

static bool set_code(CommandLine *line, const char *value, Error *error) {
    line->has_code = code_language_from_name(value, &line->code);
    return line->has_code || bad_usage(error, "code", value, "numpy or torch");
}

static bool set_all_steps(CommandLine *line, const char *value, Error *error) {
    (void)value;
    (void)error;
    line->all_steps = true;
    return true;
}

/* ---- of generate ---- */

static bool set_rule(CommandLine *line, const char *value, Error *error) {
    line->generate.has_rule = true;
    return say_rule_from_name(value, &line->generate.say.rule) ||
           bad_usage(error, "rule", value, "greedy, sample or beam");
}

static bool set_temperature(CommandLine *line, const char *value, Error *error) {
    line->generate.sample_option = "temperature";
    double *temperature = &line->generate.say.temperature;
    return (number_parse(value, temperature, NULL) && *temperature > 0 &&
            *temperature < INFINITY) ||
           bad_usage(error, "temperature", value, "a number above 0, as in 0.8");
}

static bool set_top_k(CommandLine *line, const char *value, Error *error) {
    const char *rest = value;
    line->generate.sample_option = "top-k";
    return (read_number(&rest, TENSOR_MAX_CELLS, &line->generate.say.top_k) && !*rest) ||
           bad_usage(error, "top-k", value, "a whole number; 0 keeps all words");
}

static bool set_top_p(CommandLine *line, const char *value, Error *error) {
    line->generate.sample_option = "top-p";
    double *p = &line->generate.say.top_p;
    return (number_parse(value, p, NULL) && *p > 0 && *p <= 1) ||
           bad_usage(error, "top-p", value,
                     "a number above 0 and at most 1, which keeps all words");
}

static bool set_seed(CommandLine *line, const char *value, Error *error) {
    const char *rest = value;
    size_t seed;
    line->generate.sample_option = "seed";
    if (!read_number(&rest, (size_t)1 << 53, &seed) || *rest)
        return bad_usage(error, "seed", value, "a whole number");
    line->generate.say.seed = seed;
    return true;
}

static bool set_beam(CommandLine *line, const char *value, Error *error) {
    const char *rest = value;
    line->generate.beam_option = "beam";
    return (read_number(&rest, SAY_WIDTH_MAX, &line->generate.say.width) && !*rest &&
            line->generate.say.width) ||
           bad_usage(error, "beam", value, "a width from 1 to 1000");
}

static bool set_length_exponent(CommandLine *line, const char *value, Error *error) {
    line->generate.beam_option = "length-exponent";
    double *exponent = &line->generate.say.length_exponent;
    return (number_parse(value, exponent, NULL) && *exponent >= 0 &&
            *exponent < INFINITY) ||
           bad_usage(error, "length-exponent", value,
                     "a number from 0 on; 1 is the mean");
}

static bool set_length(CommandLine *line, const char *value, Error *error) {
    const char *rest = value;
    return (read_number(&rest, SAY_LENGTH_MAX, &line->generate.say.length) && !*rest &&
            line->generate.say.length) ||
           bad_usage(error, "length", value, "a number of words from 1 to 1000");
}

static bool set_cache(CommandLine *line, const char *value, Error *error) {
    (void)value;
    (void)error;
    line->generate.say.cache = true;
    return true;
}

static bool set_help(CommandLine *line, const char *value, Error *error) {
    (void)value;
    (void)error;
    line->help = true;
    return true;
}

static bool set_version(CommandLine *line, const char *value, Error *error) {
    (void)value;
    (void)error;
    line->version = true;
    return true;
}

typedef struct Option {
    char letter; /* in Command.options; '*' is every command's */
    const char *name;
    const char *value; /* what stands for it in the help; NULL: it takes none */
    const char *summary;
    bool (*set)(CommandLine *line, const char *value, Error *error);
} Option;

static const Option options[] = {
    {'j', "json", NULL, "as JSON, with all digits", set_json},
    {'C', "code", "numpy|torch", "as a script that computes it", set_code},
    {'o', "out", "FOLDER", "where pictures go; made when it isn't there", set_folder},
    {'a', "all-steps", NULL, "also the operations that a step opens into", set_all_steps},
    {'f', "format", "png,npz", "pictures, every tensor for numpy.load, or both (png)",
     set_format},
    {'k', "keys", "KEYS", "keys with blanks between, \"Right Right Down s\"", set_keys},
    {'p', "png", "FILE", "write the picture that the window would show", set_png},
    {'s', "size", "WIDTHxHEIGHT", "of pictures, in pixels (1920x1080)", set_size},
    {'l', "lang", "CODE", "the language; the desktop's where nothing is said",
     set_language},
    {'t', "theme", "light|dark", "the colours", set_theme},
    {'m', "reduced-motion", NULL, "nothing moves or fades: all is there at once",
     set_reduced_motion},
    {'w', "words", "DEPTH", "of the words: story, numbers, formula or code", set_words},
    {'x', "text", "TEXT", "your own, in place of the lesson's first", set_text},
    {'r', "rule", "RULE", "how words are chosen: greedy, sample or beam", set_rule},
    {'T', "temperature", "NUMBER", "of sampling: above 1 more varied, below 1 less (1)",
     set_temperature},
    {'K', "top-k", "NUMBER", "sample among the likeliest so many only", set_top_k},
    {'P', "top-p", "SHARE", "sample among the likeliest that have this share", set_top_p},
    {'d', "seed", "NUMBER", "of sampling: the same gives the same words (0)", set_seed},
    {'b', "beam", "WIDTH", "how many texts beam search keeps (4)", set_beam},
    {'e', "length-exponent", "A", "score texts by sum / length^A in beam search (0)",
     set_length_exponent},
    {'n', "length", "WORDS", "say at most so many (50)", set_length},
    {'c', "cache", NULL, "keep keys and values instead of computing them again",
     set_cache},
    {'h', "threads", "NUMBER", "how many pictures are made at once", set_threads},
    {'O', "out", "FILE", "the .safetensors to write, and to go on from", set_weights},
    {'E', "epochs", "NUMBER", "how many to train; as many as the lesson says",
     set_epochs},
    {'R', "reference", NULL, "as Markdown, for people", set_reference},
    {'*', "help", NULL, "this text, or a command's", set_help},
    {'*', "version", NULL, "the program's version", set_version},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

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
    return option->set(line, value, error);
}

void command_options_print(const Command *command, FILE *stream) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const Option *option = &options[i];
        if (!takes(command, option))
            continue;
        char left[48];
        snprintf(left, sizeof left, "--%s %s", option->name,
                 option->value ? option->value : "");
        fprintf(stream, "  %-22s  %s\n", left, option->summary);
    }
}

#include "commands/command.h"

#include "course/course.h"
#include "files/files.h"
#include "formats/format.h"
#include "lesson/load/load.h"

#include <string.h>

/* The command `help` is read like --help and never run. */
#define HELP "help"

static const Command commands[] = {
    {"", "[LESSON]", "ltxJmNBS", 0, 1, command_window},
    {"list", "[PLAYLIST]", "LlJ", 0, 0, command_list},
    {"show", "LESSON", "jGIxJCS", 1, 1, command_show},
    {"check", "[LESSON…]", "J", 0, (size_t)-1, command_check},
    {"export", "[LESSON…] --out FOLDER|FILE", "oagiAfHzyQDsMlthxJwqBS", 0, (size_t)-1,
     command_export},
    {"play", "[LESSON] --keys KEYS", "kpYFosltxJmqS", 0, 1, command_play},
    {"generate", "LESSON", "xJrTKPdbencj", 1, 1, command_generate},
    {"train", "LESSON --out FILE", "OEWJ", 1, 1, command_train},
    {"new", "FILE", "", 1, 1, command_new},
    {"schema", "", "RL", 0, 0, command_schema},
    {"completions", "bash|zsh|fish", "", 1, 1, command_completions},
    {HELP, "[COMMAND]", "l", 0, 1, NULL},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

/* The command that completion scripts run; the help doesn't list it. */
static const Command complete = {"__complete", "-- WORD…",      "", 1,
                                 (size_t)-1,   command_complete};

static const Command *find_command(const char *name) {
    for (size_t i = 1; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return strcmp(complete.name, name) == 0 ? &complete : NULL;
}

const Command *command_line_at(size_t index) {
    return index < COMMAND_COUNT ? &commands[index] : NULL;
}

const char *command_line_words(const Command *command, const Language *language) {
    return command_words(language, "command", *command->name ? command->name : "window");
}

const char *command_line_nearest(const char *word) {
    const char *names[COMMAND_COUNT];
    for (size_t i = 1; i < COMMAND_COUNT; i++)
        names[i - 1] = commands[i].name;
    return error_nearest(word, names, COMMAND_COUNT - 1);
}

/* ---- reading ---- */

/* Says what there is, or what was probably meant. */
static bool no_command(const char *word, const char *besides, Error *error) {
    const char *nearest = command_line_nearest(word);
    if (nearest)
        return error_set(error, ERROR_USAGE, 0, 0,
                         "there is no command '%s'; did you mean '%s'?", word, nearest);
    char names[200] = "";
    for (size_t i = 1; i < COMMAND_COUNT; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i > 1 ? ", " : "",
                 commands[i].name);
    }
    return error_set(error, ERROR_USAGE, 0, 0,
                     "there is no command '%s'; the commands are %s%s%s", word, names,
                     *besides ? ", " : "", besides);
}

static bool check_count(const CommandLine *line, Error *error) {
    const Command *command = line->command;
    bool lesson = strncmp(command->arguments, "LESSON", 6) == 0;
    if (line->lesson_count < command->lessons_min)
        return error_set(error, ERROR_USAGE, 0, 0, "%s needs %s: glassformer %s %s",
                         command->name, lesson ? "a lesson" : command->arguments,
                         command->name, command->arguments);
    if (line->lesson_count <= command->lessons_max)
        return true;
    if (*command->name)
        return error_set(error, ERROR_USAGE, 0, 0,
                         "%s can't take '%s': glassformer %s %s", command->name,
                         line->lessons[command->lessons_max], command->name,
                         command->arguments);
    return no_command(line->lessons[0], "and the window shows one lesson", error);
}

static bool check_needs(const CommandLine *line, Error *error) {
    if (line->command->run == command_export && !line->out)
        return error_set(
            error, ERROR_USAGE, 0, 0,
            "export needs a folder or a file to write to: --out FOLDER|FILE");
    const Format *named = line->out ? format_of_file(line->out, ~0U) : NULL;
    if (line->command->run == command_export && named &&
        !format_of_file(line->out, line->formats))
        return error_set(error, ERROR_USAGE, 0, 0,
                         "'%s' is named like a file of the format %s, which is not "
                         "chosen: add --format %s, or name a folder",
                         line->out, named->name, named->name);
    if (line->handout && !formats_have(line->formats, FORMAT_HAS_HANDOUT))
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--handout is for decks: --format pdf --handout %zu",
                         line->handout);
    if (line->millimetres > 0 &&
        (line->handout || !formats_have(line->formats, FORMAT_HAS_WIDTH)))
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--width-mm is for figures: --format svg --width-mm %g, or pdf",
                         line->millimetres);
    if (line->paper != paper_at(0) && !line->handout &&
        !formats_have(line->formats, FORMAT_IS_WORKSHEET))
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--paper is for what is printed: --format worksheet --paper %s",
                         line->paper->name);
    if (line->key && !formats_have(line->formats, FORMAT_IS_WORKSHEET))
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--key is for worksheets: --format worksheet --key");
    if (line->questions && !formats_have(line->formats, FORMAT_IS_WORKSHEET))
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--questions is for worksheets: --format worksheet --questions "
                         "%zu, or exam",
                         line->questions);
    if (line->copy && !formats_have(line->formats, FORMAT_HAS_NUMBERS))
        return error_set(
            error, ERROR_USAGE, 0, 0,
            "--seed is for worksheets and tensors: --format worksheet --seed "
            "%s, or npz, or csv",
            line->copy);
    if (line->command->run == command_play && !line->keys)
        return error_set(error, ERROR_USAGE, 0, 0,
                         "play needs keys to press: --keys \"Right Right Down\"");
    if (line->has_code && (line->tensor || line->behind_row))
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--%s is for numbers: leave out --code",
                         line->tensor ? "tensor" : "rows");
    if (line->command->run == command_train && !line->out)
        return error_set(error, ERROR_USAGE, 0, 0,
                         "train needs a file to write to: --out NAME.safetensors");
    return true;
}

/* An option of one rule selects this rule, which is impossible if another was named. */
static bool settle_rule(GenerateOptions *generate, Error *error) {
    const char *sample = generate->sample_option, *beam = generate->beam_option;
    if (!generate->has_rule)
        generate->say.rule = beam     ? GENERATE_BEAM
                             : sample ? GENERATE_SAMPLE
                                      : GENERATE_GREEDY;
    if (sample && generate->say.rule != GENERATE_SAMPLE)
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--%s is for sampling only: leave it out, or take --rule sample",
                         sample);
    if (beam && generate->say.rule != GENERATE_BEAM)
        return error_set(error, ERROR_USAGE, 0, 0,
                         "--%s is for beam search only: leave it out, or take --rule "
                         "beam",
                         beam);
    return true;
}

/* `help show` says what `show --help` does. */
static bool read_help(CommandLine *line, Error *error) {
    const char *name = line->lesson_count ? line->lessons[0] : "";
    line->help = true;
    if (line->lesson_count > 1)
        return check_count(line, error);
    line->command = *name ? find_command(name) : &commands[0];
    return line->command || no_command(name, "", error);
}

/* The place of the command among words; options may come before it. `count` for none. */
static size_t place_of_command(const char *const *words, size_t count) {
    size_t i = 0;
    while (i < count && words[i][0] == '-' && strcmp(words[i], "--") != 0)
        i += command_option_takes_next(words[i]) ? 2 : 1;
    return i < count && find_command(words[i]) ? i : count;
}

const Command *command_line_find(const char *const *words, size_t count) {
    size_t place = place_of_command(words, count);
    return place < count ? find_command(words[place]) : &commands[0];
}

/* True for the path or the ID of a playlist where a command takes one. */
static bool is_playlist(const Command *command, const char *word) {
    bool takes =
        strstr(command->arguments, "LESSON") || strstr(command->arguments, "PLAYLIST");
    return takes && (playlist_is_file(word) || unit_is_id(word));
}

bool command_line_parse(CommandLine *line, int argc, char **argv, Error *error) {
    *line = (CommandLine){
        .command = &commands[0],
        .formats = 1,
        .paper = paper_at(0),
        .width = 1920,
        .height = 1080,
        .generate.say = {.temperature = 1, .top_p = 1, .width = 4, .length = 50}};
    const char *const *words = (const char *const *)argv + 1;
    size_t word_count = argc > 1 ? (size_t)argc - 1 : 0;
    int count = 0, named = 1 + (int)place_of_command(words, word_count);
    line->command = command_line_find(words, word_count);
    char **lessons = argv + 1;
    bool only_lessons = false; /* behind "--" */
    for (int i = 1; i < argc; i++) {
        if (i == named)
            continue;
        if (!only_lessons && strcmp(argv[i], "--") == 0)
            only_lessons = true;
        else if (!line->playlist && is_playlist(line->command, argv[i]))
            line->playlist = argv[i];
        else if (only_lessons || argv[i][0] != '-' || !argv[i][1])
            lessons[count++] = argv[i];
        else if (!command_option_read(line, argc, argv, &i, error))
            return false;
    }
    line->lesson_count = (size_t)count;
    line->lessons = (const char *const *)lessons;
    if (strcmp(line->command->name, HELP) == 0)
        return read_help(line, error);
    return line->help || line->version ||
           (check_count(line, error) && check_needs(line, error) &&
            settle_rule(&line->generate, error));
}

/* ---- help ---- */

static void print_languages(const Languages *languages, const Language *language,
                            FILE *stream) {
    char names[LANGUAGES_NAMES_SIZE], sentence[LANGUAGES_NAMES_SIZE + 200];
    if (!languages)
        return;
    const char *list = languages_names(languages, names);
    language_write(sentence, sizeof sentence, language, "command_line.languages", 1,
                   &list);
    print_to(stream, "\n%s\n", sentence);
}

void command_line_help(const CommandLine *line, const Languages *languages,
                       const Language *language, FILE *stream) {
    const Command *command = line->command;
    if (*command->name) {
        print_to(stream, "glassformer %s %s\n  %s\n\n", command->name, command->arguments,
                 command_line_words(command, language));
        command_options_print(command, language, stream);
        if (strchr(command->options, 'l'))
            print_languages(languages, language, stream);
        return;
    }
    print_to(stream, "Glassformer%s\n\n",
             command_words(language, "command_line", "about"));
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", commands[i].name,
                 *commands[i].name ? " " : "", commands[i].arguments);
        /* "…" is three bytes and one column wide */
        int width = 30 + (strstr(left, "…") ? 2 : 0);
        print_to(stream, "  glassformer %-*s  %s\n", width, left,
                 command_line_words(&commands[i], language));
    }
    fputs("\n", stream);
    command_options_print(command, language, stream);
    print_languages(languages, language, stream);
    print_to(stream, "\n%s\n", command_words(language, "command_line", "note"));
}

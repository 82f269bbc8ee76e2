/* Command lines and their interpretation. */
#include "commands/command.h"
#include "contains.h"

#include "base/strings/language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORDS_MAX = 12, HELP_SIZE = 8192 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A command line being read: argv is changed by it and must outlive it. */
typedef struct Typed {
    char *argv[WORDS_MAX + 2];
    char text[512];
    CommandLine line;
    Error error;
} Typed;

/* Reads "glassformer " + words; a word with a blank is written with a '+' for it. */
static bool read_words(Typed *typed, const char *words) {
    int argc = 1;
    *typed = (Typed){.argv = {"glassformer"}};
    snprintf(typed->text, sizeof typed->text, "%s", words);
    for (char *word = strtok(typed->text, " "); word; word = strtok(NULL, " ")) {
        assert_true(argc <= WORDS_MAX);
        for (char *c = word; *c; c++)
            *c = *c == '+' ? ' ' : *c;
        typed->argv[argc++] = word;
    }
    return command_line_parse(&typed->line, argc, typed->argv, &typed->error);
}

static void assert_reads(Typed *typed, const char *words) {
    if (read_words(typed, words))
        return;
    print_error("'%s' gave: %s\n", words, typed->error.message);
    fail();
}

static void test_options_may_stand_before_the_command(void **state) {
    Typed typed;
    assert_reads(&typed, "--lang zh list");
    assert_true(typed.line.command->run == command_list);
    assert_string_equal(typed.line.language, "zh");
    assert_reads(&typed, "--lang zh help show");
    assert_true(typed.line.help && typed.line.command->run == command_show);
    assert_reads(&typed, "--json show 08-one-head");
    assert_true(typed.line.json && typed.line.lesson_count == 1);
    assert_string_equal(typed.line.lessons[0], "08-one-head");
    assert_reads(&typed, "--text list 7"); /* a text, and no command */
    assert_true(typed.line.command->run == command_window);
}

static void test_no_words_open_the_window_on_all_lessons(void **state) {
    Typed typed;
    assert_reads(&typed, "");
    assert_true(typed.line.command->run == command_window);
    assert_int_equal(typed.line.lesson_count, 0);
    assert_int_equal(typed.line.width, 1920);
    assert_int_equal(typed.line.height, 1080);
    assert_null(typed.line.theme);
    assert_null(typed.line.language);
}

static void test_a_lesson_alone_opens_the_window_on_it(void **state) {
    Typed typed;
    assert_reads(&typed, "08-one-head --lang zh --theme dark");
    assert_true(typed.line.command->run == command_window);
    assert_int_equal(typed.line.lesson_count, 1);
    assert_string_equal(typed.line.lessons[0], "08-one-head");
    assert_string_equal(typed.line.language, "zh");
    assert_string_equal(typed.line.theme, "dark");
}

static void test_each_command_is_found_with_its_lessons(void **state) {
    const struct {
        const char *words;
        ExitCode (*run)(Course *course, const CommandLine *line);
        size_t lessons;
    } cases[] = {
        {"list", command_list, 0},
        {"show a", command_show, 1},
        {"check", command_check, 0},
        {"check a b c", command_check, 3},
        {"export --out x", command_export, 0},
        {"export a --out x b", command_export, 2},
        {"play --keys Right", command_play, 0},
        {"play --keys Right a", command_play, 1},
        {"generate a --cache", command_generate, 1},
        {"train a --out x --epochs 7", command_train, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Typed typed;
        assert_reads(&typed, cases[i].words);
        if (typed.line.command->run != cases[i].run ||
            typed.line.lesson_count != cases[i].lessons)
            fail_msg("'%s' was taken for '%s' with %zu lessons", cases[i].words,
                     typed.line.command->name, typed.line.lesson_count);
    }
}

static void test_options_stand_before_between_and_behind_lessons(void **state) {
    Typed typed;
    assert_reads(&typed, "export --out x a --size 640x360 b --all-steps");
    assert_int_equal(typed.line.lesson_count, 2);
    assert_string_equal(typed.line.lessons[0], "a");
    assert_string_equal(typed.line.lessons[1], "b");
    assert_string_equal(typed.line.out, "x");
    assert_int_equal(typed.line.width, 640);
    assert_int_equal(typed.line.height, 360);
    assert_true(typed.line.all_steps);
}

static void test_values_follow_an_equals_sign_or_come_next(void **state) {
    Typed typed;
    assert_reads(&typed, "export a --out=x=y --size=7680x4320 --threads=3 --format=png");
    assert_string_equal(typed.line.out, "x=y");
    assert_int_equal(typed.line.width, 7680);
    assert_int_equal(typed.line.height, 4320);
    assert_int_equal(typed.line.threads, 3);
    assert_reads(&typed, "play a --keys Right+Down --png p.png");
    assert_string_equal(typed.line.keys, "Right Down");
    assert_string_equal(typed.line.png, "p.png");
    assert_reads(&typed, "play a --keys=");
    assert_string_equal(typed.line.keys, "");
}

static void test_two_dashes_end_the_options(void **state) {
    Typed typed;
    assert_reads(&typed, "check -- --odd.yaml");
    assert_int_equal(typed.line.lesson_count, 1);
    assert_string_equal(typed.line.lessons[0], "--odd.yaml");
}

static void test_help_and_version_need_nothing_else(void **state) {
    Typed typed;
    assert_reads(&typed, "--help");
    assert_true(typed.line.help);
    assert_reads(&typed, "-h");
    assert_true(typed.line.help);
    assert_reads(&typed, "export --help");
    assert_true(typed.line.help);
    assert_true(typed.line.command->run == command_export);
    assert_reads(&typed, "--version");
    assert_true(typed.line.version);
}

static void test_what_is_wrong_is_said_with_what_would_be_right(void **state) {
    const struct {
        const char *words, *said;
    } cases[] = {
        {"chekc a", "did you mean 'check'"},
        {"exprot a b", "did you mean 'export'"},
        {"dance a b", "the commands are list, show"},
        {"show", "show needs a lesson"},
        {"new", "new needs FILE"},
        {"help shw", "did you mean 'show'"},
        {"help dance", "the commands are list, show"},
        {"help show export", "help can't take 'export'"},
        {"show a b", "show can't take 'b'"},
        {"list a", "list can't take 'a'"},
        {"play a b --keys x", "play can't take 'b'"},
        {"export a", "--out FOLDER"},
        {"play a", "--keys"},
        {"show a --jsno", "did you mean --json"},
        {"show a --out x", "no option --out here"},
        {"--all-step", "no option --all-step"},
        {"show a --json=yes", "takes no value"},
        {"export a --out", "--out needs a value"},
        {"export a --out=", "a folder's name"},
        {"play a --keys x --png=", "a file's name"},
        {"show a -j", "two dashes"},
        {"export a --out x --format bmp", "must be png or svg for pictures, pdf, pptx"},
        {"export a --out x --format png,bmp", "must be png"},
        {"export a --out x --format png,", "must be png"},
        {"export a --out x --format=", "must be png"},
        {"export a --out x --format pn", "must be png"},
        {"export a --out x --format npzz", "must be png"},
        {"export a --out x --threads 0", "from 1 to 64"},
        {"export a --out x --threads 65", "from 1 to 64"},
        {"export a --out x --threads 2x", "from 1 to 64"},
        {"train a", "--out NAME.safetensors"},
        {"train a --out=", "a file's name"},
        {"train a --out x --epochs 0", "from 1 to 1000000"},
        {"train a --out x --epochs 1000001", "from 1 to 1000000"},
        {"train --out x", "train needs a lesson"},
        {"generate", "generate needs a lesson"},
        {"generate a --rule likely", "greedy, sample or beam"},
        {"generate a --temperature 0", "above 0"},
        {"generate a --temperature inf", "above 0"},
        {"generate a --top-k -1", "whole number"},
        {"generate a --top-p 1.5", "at most 1"},
        {"generate a --top-p 0", "at most 1"},
        {"generate a --seed x", "whole number"},
        {"generate a --beam 0", "from 1 to 1000"},
        {"generate a --beam 1001", "from 1 to 1000"},
        {"generate a --length-exponent -1", "from 0 on"},
        {"generate a --length 0", "from 1 to 1000"},
        {"generate a --length 1001", "from 1 to 1000"},
        {"generate a --rule greedy --seed 1", "--seed is for sampling only"},
        {"generate a --beam 2 --top-p 0.5", "--top-p is for sampling only"},
        {"generate a --rule sample --beam 2", "--beam is for beam search only"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Typed typed;
        bool good = read_words(&typed, cases[i].words);
        if (good || typed.error.code != ERROR_USAGE ||
            !strstr(typed.error.message, cases[i].said))
            fail_msg("'%s' gave: %s", cases[i].words,
                     good ? "no error" : typed.error.message);
    }
}

static void test_sizes_out_of_bounds_or_not_sizes_are_refused(void **state) {
    const char *const bad[] = {
        "",
        "1920",
        "x",
        "1920x",
        "x1080",
        "319x360",
        "320x359",
        "7681x4320",
        "7680x4321",
        "0x0",
        "-640x-360",
        "1920X1080",
        "1920x1080x",
        "1920x1080p",
        "1e3x1e3",
        "+1920x1080",
        "99999999999999999999x1080",
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        Typed typed;
        char size[64];
        snprintf(size, sizeof size, "--size=%s", bad[i]);
        char *argv[] = {"glassformer", "export", "--out=x", size, NULL};
        if (command_line_parse(&typed.line, 4, argv, &typed.error))
            fail_msg("size '%s' was taken as %zux%zu", bad[i], typed.line.width,
                     typed.line.height);
        assert_int_equal(typed.error.code, ERROR_USAGE);
        assert_contains(typed.error.message, "1920x1080");
    }
}

static void test_an_option_of_one_rule_asks_for_it(void **state) {
    const struct {
        const char *words;
        GenerateRule rule;
    } cases[] = {
        {"generate a", GENERATE_GREEDY},
        {"generate a --cache --length 3", GENERATE_GREEDY},
        {"generate a --temperature 0.5", GENERATE_SAMPLE},
        {"generate a --top-k 0", GENERATE_SAMPLE},
        {"generate a --top-p 1", GENERATE_SAMPLE},
        {"generate a --seed 9007199254740992", GENERATE_SAMPLE},
        {"generate a --beam 1000", GENERATE_BEAM},
        {"generate a --length-exponent 0", GENERATE_BEAM},
        {"generate a --rule sample", GENERATE_SAMPLE},
    };
    Typed typed;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_reads(&typed, cases[i].words);
        assert_int_equal(typed.line.generate.say.rule, cases[i].rule);
    }
    assert_reads(&typed, "generate a --top-p 0.25 --top-k 4 --temperature 2 --length 9");
    const DecodingOptions *generate = &typed.line.generate.say;
    assert_true(generate->top_p == 0.25 && generate->temperature == 2);
    assert_int_equal(generate->top_k, 4);
    assert_int_equal(generate->length, 9);
    assert_false(generate->cache);
}

static void read_help(const char *words, char text[HELP_SIZE]) {
    Typed typed;
    assert_reads(&typed, words);
    FILE *stream = tmpfile();
    assert_non_null(stream);
    static const LanguageWord words_there[] = {
        {"command.show", "mussa mintga tensor"},
        {"command_line.languages", "The languages are {0}."},
        {"option.json", "sco JSON"}};
    static Language swiss = {
        .code = "rm", .name = "Rumantsch", .count = 3, .words = words_there};
    const Languages languages = {1, (Language *[]){&swiss}};
    command_line_help(&typed.line, &languages, &swiss, stream);
    rewind(stream);
    text[fread(text, 1, HELP_SIZE - 1, stream)] = 0;
    fclose(stream);
}

static void assert_says(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("the help lacks '%s':\n%s", words, text);
}

static void test_help_names_the_languages_where_one_can_be_chosen(void **state) {
    char text[HELP_SIZE];
    const char *const words[] = {"--help", "list --help", "export --help"};
    for (size_t i = 0; i < COUNT(words); i++) {
        read_help(words[i], text);
        assert_says(text, "The languages are rm (Rumantsch).");
    }
    read_help("check --help", text);
    assert_lacks(text, "Rumantsch");
}

static void test_help_names_every_command_and_option(void **state) {
    const char *const commands[] = {"[LESSON]", "list", "show",    "check",
                                    "export",   "play", "generate"};
    const struct {
        const char *command, *options[8];
    } cases[] = {
        {"show", {"--json"}},
        {"list", {"--lang"}},
        {"export",
         {"--out FOLDER|FILE", "--all-steps", "--format", "--size", "--lang", "--theme",
          "--threads"}},
        {"play", {"--keys", "--png", "--out", "--size", "--lang", "--theme"}},
        {"generate",
         {"--text", "--rule", "--temperature", "--top-k", "--top-p", "--beam WIDTH",
          "--length TOKENS", "--cache"}},
    };
    char text[HELP_SIZE];
    read_help("--help", text);
    for (size_t i = 0; i < COUNT(commands); i++)
        assert_says(text, commands[i]);
    assert_says(text, "--version");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char words[64];
        snprintf(words, sizeof words, "%s --help", cases[i].command);
        read_help(words, text);
        for (size_t j = 0; j < 8 && cases[i].options[j]; j++)
            assert_says(text, cases[i].options[j]);
    }
    read_help("show --help", text);
    assert_says(text, "mussa mintga tensor\n");
    assert_says(text, "--json                  sco JSON\n");
    assert_lacks(text, "--keys");
}

static void test_errors_end_the_program_with_their_kind(void **state) {
    ErrorList none = {0}, data = {0}, usage = {0}, file = {0};
    error_list_add(&data, ERROR_SHAPE, 1, 1, "x");
    error_list_add(&usage, ERROR_USAGE, 0, 0, "x");
    error_list_add(&file, ERROR_SYNTAX, 1, 1, "x");
    error_list_add(&file, ERROR_FILE, 0, 0, "x");
    assert_int_equal(report_errors(&none), 0);
    assert_int_equal(report_errors(&data), 1);
    assert_int_equal(report_errors(&usage), 2);
    assert_int_equal(report_errors(&file), 3);
}

/* Reads what report_errors prints on standard error, and checks its exit status. */
static void read_report(const ErrorList *errors, ExitCode wanted, char text[HELP_SIZE]) {
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    int usual = dup(STDERR_FILENO);
    assert_true(usual >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    ExitCode code = report_errors(errors);
    fflush(stderr);
    assert_true(dup2(usual, STDERR_FILENO) >= 0);
    close(usual);
    rewind(file);
    text[fread(text, 1, HELP_SIZE - 1, file)] = 0;
    fclose(file);
    assert_int_equal(code, wanted);
}

static void test_every_error_is_printed_with_its_place(void **state) {
    ErrorList errors = {.file = "a.yaml"}, none = {.file = "a.yaml"};
    char text[HELP_SIZE];
    error_list_add(&errors, ERROR_SHAPE, 7, 2, "it is too wide");
    error_list_add(&errors, ERROR_VALUE, 3, 12, "it has no %s", "name");
    read_report(&errors, EXIT_DATA, text);
    assert_string_equal(text,
                        "a.yaml:3:12: it has no name\na.yaml:7:2: it is too wide\n");
    read_report(&none, EXIT_DONE, text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_may_stand_before_the_command),
        cmocka_unit_test(test_no_words_open_the_window_on_all_lessons),
        cmocka_unit_test(test_a_lesson_alone_opens_the_window_on_it),
        cmocka_unit_test(test_each_command_is_found_with_its_lessons),
        cmocka_unit_test(test_options_stand_before_between_and_behind_lessons),
        cmocka_unit_test(test_values_follow_an_equals_sign_or_come_next),
        cmocka_unit_test(test_two_dashes_end_the_options),
        cmocka_unit_test(test_help_and_version_need_nothing_else),
        cmocka_unit_test(test_what_is_wrong_is_said_with_what_would_be_right),
        cmocka_unit_test(test_sizes_out_of_bounds_or_not_sizes_are_refused),
        cmocka_unit_test(test_an_option_of_one_rule_asks_for_it),
        cmocka_unit_test(test_help_names_the_languages_where_one_can_be_chosen),
        cmocka_unit_test(test_help_names_every_command_and_option),
        cmocka_unit_test(test_errors_end_the_program_with_their_kind),
        cmocka_unit_test(test_every_error_is_printed_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The program: reads the command line, finds the course, runs one command. */
#include "base/number.h"
#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "picture/scene/theme.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool check_theme(const Course *course, const CommandLine *line, Error *error) {
    const Themes *themes = &course->themes;
    if (!line->theme || themes_lookup(themes, line->theme))
        return true;
    char names[200] = "";
    for (size_t i = 0; i < themes->count; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                 themes->items[i].name);
    }
    return error_set(error, ERROR_USAGE, 0, 0,
                     "there is no theme '%s'; the themes are %s", line->theme, names);
}

/* The language asked for, else the desktop's where there are words of it. */
static bool choose_language(Course *course, const CommandLine *line, Error *error) {
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const Languages *languages = &course->languages;
    const char *locale = NULL;
    for (size_t i = 0; i < 3 && !(locale && *locale); i++)
        locale = getenv(variables[i]);
    const Language *found = line->language ? languages_lookup(languages, line->language)
                            : locale       ? languages_of_locale(languages, locale)
                                           : NULL;
    if (found)
        course->language = found;
    if (found || !line->language)
        return true;
    char names[LANGUAGES_NAMES_SIZE];
    return error_set(error, ERROR_USAGE, 0, 0,
                     "there is no language '%s'; the languages are %s", line->language,
                     languages_names(languages, names));
}

/* `glassformer chekc` is a command misspelt rather than a lesson. */
static bool check_word(const Course *course, const CommandLine *line, Error *error) {
    if (*line->command->name || !line->lesson_count)
        return true;
    const char *word = line->lessons[0];
    const char *nearest = command_line_nearest(word);
    if (!nearest || strchr(word, '/') || strchr(word, '.') ||
        course_find(course, word) < course->all)
        return true;
    return error_set(error, ERROR_USAGE, 0, 0,
                     "there is neither a command nor a lesson '%s'; did you mean '%s'?",
                     word, nearest);
}

/* Runs the command, or prints its help in the language of the command line or of the
 * desktop; if the texts can't be read, a bare help and the error. */
static ExitCode run(const CommandLine *line) {
    Course course;
    ErrorList errors = {0};
    Error error;
    ExitCode code = EXIT_DONE;
    if (!course_init(&course, &errors)) {
        if (line->help)
            command_line_help(line, NULL, NULL, stdout);
        code = errors.file ? report_errors(&errors) : report_error(&errors.items[0]);
    } else if (!(line->help || check_theme(&course, line, &error)) ||
               !choose_language(&course, line, &error) ||
               !(line->help || check_word(&course, line, &error))) {
        code = report_error(&error);
    } else if (line->help) {
        command_line_help(line, &course.languages, course.language, stdout);
    } else {
        course.text = line->text;
        course.work = 1e6 * line->work;
        unit_open_all(&course);
        Course *unit =
            line->playlist ? unit_open(&course, line->playlist, &errors) : &course;
        code = unit ? line->command->run(unit, line) : report_errors(&errors);
    }
    course_finish(&course);
    return code;
}

int main(int argc, char **argv) {
    CommandLine line;
    Error error;
    ExitCode code = EXIT_DONE;
    number_take_point();
    if (!command_line_parse(&line, argc, argv, &error))
        return (int)report_error(&error);
    if (line.version && !line.help)
        print("glassformer " GLASSFORMER_VERSION "\n");
    else
        code = run(&line);
    if (fflush(stdout) || ferror(stdout)) {
        print_to(stderr, "glassformer: the output can't be written: %s\n",
                 strerror(errno));
        return EXIT_IO;
    }
    if (print_was_short() && code == EXIT_DONE)
        return (int)report_no_memory("to print this");
    return (int)code;
}

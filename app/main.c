/* The program: reads the command line, finds the course, runs one command. */
#include "commands/report.h"

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

/* `glassformer chekc` is a command misspelt rather than a lesson. */
static bool check_word(const Course *course, const CommandLine *line, Error *error) {
    if (*line->command->name || !line->lesson_count)
        return true;
    const char *word = line->lessons[0];
    const char *nearest = command_line_nearest(word);
    if (!nearest || strchr(word, '/') || strchr(word, '.') ||
        course_find(course, word) < course->count)
        return true;
    return error_set(error, ERROR_USAGE, 0, 0,
                     "there is neither a command nor a lesson '%s'; did you mean '%s'?",
                     word, nearest);
}

static ExitCode run(const CommandLine *line) {
    Course course;
    ErrorList errors = {0};
    Error error;
    ExitCode code;
    if (!course_init(&course, &errors))
        code = errors.file ? report_errors(&errors) : report_error(&errors.items[0]);
    else if (!check_theme(&course, line, &error) || !check_word(&course, line, &error))
        code = report_error(&error);
    else {
        course.text = line->text;
        code = line->command->run(&course, line);
    }
    course_finish(&course);
    return code;
}

int main(int argc, char **argv) {
    CommandLine line;
    Error error;
    ExitCode code = EXIT_DONE;
    if (!command_line_parse(&line, argc, argv, &error))
        return (int)report_error(&error);
    if (line.help)
        command_line_help(&line, stdout);
    else if (line.version)
        puts("glassformer " GLASSFORMER_VERSION);
    else
        code = run(&line);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "glassformer: the output can't be written: %s\n",
                strerror(errno));
        return EXIT_IO;
    }
    return (int)code;
}

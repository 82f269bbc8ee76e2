#include "commands/commands.h"

#include "commands/report.h"

#include <stdio.h>
#include <string.h>

/* The lessons, one a line: id, number of steps, title. A lesson with errors is named too,
 * so that nobody misses it. */
ExitCode command_list(Course *course, const CommandLine *line) {
    (void)line;
    int width = 0;
    for (size_t i = 0; i < course->count; i++) {
        int length = (int)strlen(course->lessons[i].id);
        width = length > width ? length : width;
    }
    ExitCode code = EXIT_DONE;
    for (size_t i = 0; i < course->count; i++) {
        ErrorList errors = {0};
        const Lesson *lesson = course_lesson(course, i, &errors);
        const char *id = course->lessons[i].id;
        if (lesson) {
            printf("%-*s  %3zu  %s\n", width, id, lesson->step_count,
                   text_in(&lesson->title, course->language));
        } else {
            printf("%-*s    -  %s\n", width, id,
                   language_words(course->language, "overview.broken"));
            code = report_exit_code(&errors);
        }
    }
    return code;
}

#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"

#include <stdio.h>
#include <string.h>

/* Allowed work of a list, as a multiple of a lesson's, because a playlist can have many
 * heavy lessons. */
enum { LIST_LESSONS = 5 };

/* Prints a lesson's line. *left is the remaining work; if there is none, the lesson isn't
 * opened, and the number of its steps is not printed. */
static ExitCode print_lesson(Course *course, size_t index, int width, double *left) {
    ErrorList errors = {0};
    double each = course->work > 0 ? course->work : LESSON_WORK;
    if (*left <= 0) {
        print("%-*s    ?  %s\n", width, course_name(course, index),
              course_title(course, index, course->language));
        return EXIT_DONE;
    }
    Lesson *lesson = course_load(course, course->lessons[index].path,
                                 &(LessonOptions){.outline = true}, &errors);
    const char *id = course_name(course, index);
    *left -= lesson ? arena_spent(lesson->arena) : each;
    if (lesson) {
        print("%-*s  %3zu  %s\n", width, id, lesson->step_count,
              text_in(&lesson->title, course->language));
        lesson_destroy(lesson);
        return EXIT_DONE;
    }
    print("%-*s    -  %s\n", width, id, language_words(course->language, "home.broken"));
    return report_errors(&errors);
}

static int wider(int width, const char *name) {
    return (int)strlen(name) > width ? (int)strlen(name) : width;
}

/* Prints the playlists, one a line: ID, number of lessons, title. */
static ExitCode print_playlists(const Course *course) {
    const Course *first = course_first_unit(course);
    int width = 0;
    for (const Course *unit = first; unit && unit->id; unit = unit->next)
        width = wider(width, unit->id);
    for (const Course *unit = first; unit && unit->id; unit = unit->next)
        print("%-*s  %3zu  %s\n", width, unit->id, unit->count,
              text_in(&unit->title, course->language));
    Error error;
    return course_is_whole(course, &error) ? EXIT_DONE : report_error(&error);
}

/* The lessons, one a line: id, number of steps, title; behind a line with their name the
 * user's, by its path where the course has its id. A lesson with errors is named too; so
 * is a folder that can't be read. Each one's memory is given back, so that any number can
 * be listed. */
ExitCode command_list(Course *course, const CommandLine *line) {
    if (line->of_playlists)
        return print_playlists(course);
    int width = 0;
    for (size_t i = 0; i < course->all; i++)
        width = wider(width, course_name(course, i));
    double left = LIST_LESSONS * (course->work > 0 ? course->work : LESSON_WORK);
    ExitCode code = EXIT_DONE;
    for (size_t i = 0; i < course->all; i++) {
        if (i == course->count)
            print("\n%s\n", language_words(course->language, "home.mine"));
        ExitCode one = print_lesson(course, i, width, &left);
        code = one != EXIT_DONE ? one : code;
    }
    if (left <= 0)
        print_to(stderr,
                 "glassformer: the list has used the work of %d lessons; the "
                 "steps of those with a '?' aren't counted: 'glassformer check LESSON' "
                 "counts them\n",
                 LIST_LESSONS);
    Error error;
    return course_is_whole(course, &error) ? code : report_error(&error);
}

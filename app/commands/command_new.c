#define _XOPEN_SOURCE 700 /* realpath */
#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/schema/yaml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEW_MAX_MEMORY = 16 << 20 };

/* Returns the first lines of a new lesson, which name the author's guides: the one
 * installed beside the course's lessons, if there is one, and those that the program
 * prints. */
static const char *first_lines(const Course *course, const char *schema, Arena *arena) {
    static const char printed[] =
        "# 'glassformer schema --reference' prints the keys of a lesson.\n";
    const char *page = arena_format(arena, "%s/lessons/README.md", course->folder);
    char whole[PATH_MAX];
    if (!page || !realpath(page, whole))
        return arena_format(arena, "%s%s", schema, printed);
    return arena_format(arena, "%s%s# With examples: %s\n", schema, printed, whole);
}

/* The line by which an editor finds the schema that it completes keys from: beside the
 * installed lessons, else beside the new one, where the author has it written. */
static const char *schema_line(const Course *course, Arena *arena) {
    static const char beside[] =
        "# yaml-language-server: $schema=lesson.schema.json\n"
        "# Editors complete keys from that file; glassformer schema >lesson.schema.json "
        "writes it.\n";
    const char *installed = arena_format(arena, "%s/lesson.schema.json", course->folder);
    if (!installed || access(installed, R_OK) != 0)
        return beside;
    return arena_format(arena, "# yaml-language-server: $schema=%s\n", installed);
}

static bool write_template(const Course *course, Arena *arena, const char *path,
                           ErrorList *errors) {
    Error error;
    size_t length;
    const char *from = arena_format(arena, "%s/assets/new-lesson.yaml", course->folder);
    if (!from)
        return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
    errors->file = from;
    const char *text = yaml_read_file(arena, from, &length, errors);
    if (!text)
        return false;
    errors->file = NULL;
    const char *schema = schema_line(course, arena);
    const char *first = schema ? first_lines(course, schema, arena) : NULL;
    const char *whole = first ? arena_format(arena, "%s%s", first, text) : NULL;
    if (!whole || arena_exhausted(arena))
        return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
    return whole_file_write_new(arena, path, 1, whole, strlen(whole), &error) ||
           error_list_append(errors, &error, 0, 0);
}

/* Reports whether the last part of a path has any other characters than dots, blanks and
 * a lesson's file extension. */
static bool has_name(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    name += strspn(name, ". \t\r\n");
    return *name && !(name > path && name[-1] == '.' &&
                      (strcmp(name, "yaml") == 0 || strcmp(name, "yml") == 0));
}

ExitCode command_new(Course *course, const CommandLine *line) {
    ErrorList errors = {0};
    Arena *arena = arena_create(NEW_MAX_MEMORY);
    const char *path = line->lessons[0];
    if (!has_name(path)) {
        arena_destroy(arena);
        error_list_add(&errors, ERROR_USAGE, 0, 0,
                       "a new lesson can't be called '%s'; it must be named, as in "
                       "'glassformer new my-lesson'",
                       path);
        return report_errors(&errors);
    }
    if (arena && !course_is_path(path)) /* else it would mean a lesson of the course */
        path = arena_format(arena, "%s.yaml", path);
    bool good = arena && path
                    ? write_template(course, arena, path, &errors)
                    : error_list_add(&errors, ERROR_MEMORY, 0, 0, "there is no memory");
    ExitCode code = good ? EXIT_DONE : report_errors(&errors);
    if (good)
        print("wrote %s; 'glassformer %s' opens it, 'glassformer check %s' reports its "
              "errors\n",
              path, path, path);
    arena_destroy(arena);
    return code;
}

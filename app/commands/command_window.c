#include "commands/command.h"
#include "course/course.h"
#include "course/notes.h"
#include "files/files.h"
#include "window/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_MEMORY = 1 << 16 };

/* Without a screen: exports pictures of the lesson, or of the first one. */
static ExitCode export_instead(Course *course, const CommandLine *line,
                               const char *reason) {
    CommandLine pictures = *line;
    const char *lesson = line->lesson_count ? line->lessons[0] : course->lessons[0].id;
    pictures.lesson_count = 1;
    pictures.lessons = &lesson;
    pictures.out = "lesson-pictures";
    print_to(stderr, "glassformer: %s; writing the pictures of '%s' to lesson-pictures\n",
             reason, lesson);
    return command_export(course, &pictures);
}

/* Keeps libX11's table of composed keys in a folder, in a form that needs no parsing:
 * parsing takes longer than anything else before the window opens. Source: Compose(5). */
static void cache_compositions(void) {
    Error error;
    Arena *arena = arena_create(PATH_MAX_MEMORY);
    const char *folder = arena ? folder_of_cache(arena) : NULL;
    if (folder && !getenv("XCOMPOSECACHE") && folder_make(folder, &error))
        setenv("XCOMPOSECACHE", folder, 0);
    arena_destroy(arena);
}

static ExitCode show(Session *session, Notes *memory, Course *course,
                     const CommandLine *line) {
    Error error;
    ErrorList errors = {0};
    cache_compositions();
    Window *window = window_create(session, memory, &error);
    if (!window)
        return export_instead(course, line, error.message);
    bool shown = window_run(window, &errors);
    window_destroy(window);
    return shown ? EXIT_DONE : report_errors(&errors);
}

/* Restores language and theme from the last run, unless the command line sets them. */
static void restore_looks(Course *course, const Notes *memory, const CommandLine *line,
                          const char **theme) {
    const char *code = memory ? memory_text(memory, "language") : NULL;
    const char *name = memory ? memory_text(memory, "theme") : NULL;
    const Language *language = code ? languages_lookup(&course->languages, code) : NULL;
    if (language && !line->language)
        course->language = language;
    *theme = line->theme || !name || !themes_lookup(&course->themes, name) ? line->theme
                                                                           : name;
}

/* The files opened last stand behind the user's own lessons. */
static void list_recent(Course *course, const Notes *memory) {
    for (size_t i = 0; memory && memory_recent(memory, i); i++)
        course_add_file(course, memory_recent(memory, i));
}

static ExitCode run(Session *session, Notes *memory, Course *course,
                    const CommandLine *line) {
    ErrorList errors = {0};
    session_open_in_background(session, window_watch());
    if (line->lesson_count && !session_open(session, line->lessons[0], &errors))
        return report_errors(&errors);
    if (line->present && !line->lesson_count)
        session_open_number(session, 0);
    if (line->present)
        session_key(session, "F5");
    if (!window_possible())
        return export_instead(course, line, "there is no screen to open a window on");
    return show(session, memory, course, line);
}

ExitCode command_window(Course *course, const CommandLine *line) {
    Notes *memory = line->fresh ? NULL : notes_open_own(&notes_of_memory);
    const char *theme;
    restore_looks(course, memory, line, &theme);
    list_recent(course, memory);
    Session *session = session_create(course, theme);
    if (!session) {
        notes_close(memory);
        return report_no_memory("for the window");
    }
    Error missing_data;
    if (!course_is_whole(course, &missing_data))
        session_show_message(session, "home.lacks", missing_data.message, NULL);
    session_animate(session, line->reduced_motion ? SESSION_ENDS : SESSION_MOVES);
    const char *questions = memory ? memory_text(memory, "questions") : NULL;
    session_ask(session, !questions || strcmp(questions, "off") != 0);
    const char *sources = memory ? memory_text(memory, "sources") : NULL;
    session_compare_sources(session,
                            line->sources || (sources && strcmp(sources, "on") == 0));
    Notes *progress = notes_open_own(&notes_of_progress);
    session_keep_memory(session, memory);
    session_keep_progress(session, progress);
    ExitCode code = run(session, memory, course, line);
    session_destroy(session);
    notes_close(progress);
    notes_close(memory);
    return code;
}

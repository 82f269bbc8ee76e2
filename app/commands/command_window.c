#include "commands/commands.h"

#include "commands/report.h"
#include "files/folder.h"
#include "window/window.h"

#include <stdio.h>
#include <stdlib.h>

/* Without a screen there are still pictures to be had: the lesson's, or the first one's.
 */
static ExitCode export_instead(Course *course, const CommandLine *line,
                               const char *reason) {
    CommandLine pictures = *line;
    const char *lesson = line->lesson_count ? line->lessons[0] : course->lessons[0].id;
    pictures.lesson_count = 1;
    pictures.lessons = &lesson;
    pictures.out = "lesson-pictures";
    fprintf(stderr, "glassformer: %s; writing the pictures of '%s' to lesson-pictures\n",
            reason, lesson);
    return command_export(course, &pictures);
}

/* What keys compose to is a long table that libX11 would read anew each time, which takes
 * longer than anything else on the way to a window. Given a folder it keeps the table in
 * a form that needs no reading. Source: Compose(5). */
static void keep_compositions(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[1024];
    Error error;
    int length = 0;
    if (cache && *cache == '/')
        length = snprintf(path, sizeof path, "%s/glassformer", cache);
    else if (home && *home == '/')
        length = snprintf(path, sizeof path, "%s/.cache/glassformer", home);
    if (length > 0 && (size_t)length < sizeof path && !getenv("XCOMPOSECACHE") &&
        folder_make(path, &error))
        setenv("XCOMPOSECACHE", path, 0);
}

static ExitCode show(Session *session, Course *course, const CommandLine *line) {
    Error error;
    ErrorList errors = {0};
    keep_compositions();
    Window *window = window_create(session, &error);
    if (!window)
        return export_instead(course, line, error.message);
    bool shown = window_run(window, &errors);
    window_destroy(window);
    return shown ? EXIT_DONE : report_errors(&errors);
}

ExitCode command_window(Course *course, const CommandLine *line) {
    ErrorList errors = {0};
    Session *session = session_create(course, line->theme);
    if (!session)
        return report_no_memory("for the window");
    session_animate(session, line->reduced_motion ? SESSION_ENDS : SESSION_MOVES);
    Progress *progress = progress_open_own();
    session_keep_progress(session, progress);
    ExitCode code = EXIT_DONE;
    session_open_in_background(session, window_watch());
    if (line->lesson_count && !session_open(session, line->lessons[0], &errors))
        code = report_errors(&errors);
    else if (!window_possible())
        code = export_instead(course, line, "there is no screen to open a window on");
    else
        code = show(session, course, line);
    session_destroy(session);
    progress_close(progress);
    return code;
}

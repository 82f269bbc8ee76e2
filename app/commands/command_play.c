#include "commands/command.h"
#include "course/notes.h"
#include "drive/drive.h"
#include "files/files.h"
#include "paint/paint.h"
#include "session/mode.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { KEY_NAME_SIZE = FIELD_SIZE + 1, PLAY_MAX_MEMORY = 4 << 20, WAIT_MOST = 600000 };

/* ---- keys ---- */

/* The next word of *keys, moving *keys behind it; false at the end. What stands in
 * quotes is a text to be typed, given with the opening one. A word longer than any key's
 * name, and a text longer than any field, is cut. */
static bool next_key(const char **keys, char name[KEY_NAME_SIZE]) {
    static const char blanks[] = " \t\n";
    *keys += strspn(*keys, blanks);
    bool quoted = **keys == '"';
    size_t length = quoted ? 1 + strcspn(*keys + 1, "\"") : strcspn(*keys, blanks);
    snprintf(name, KEY_NAME_SIZE, "%.*s", (int)length, *keys);
    *keys += length + (quoted && (*keys)[length]);
    return length > 0;
}

/* "Wait:500" is no key: so many milliseconds pass. */
static const char WAIT[] = "Wait:";

static bool is_wait(const char *name) {
    return strncasecmp(name, WAIT, sizeof WAIT - 1) == 0;
}

static bool read_wait(const char *name, double *milliseconds) {
    const char *digits = name + sizeof WAIT - 1;
    size_t length = strlen(digits);
    *milliseconds = 0;
    if (!is_wait(name) || !length || strspn(digits, "0123456789") != length)
        return false;
    for (size_t i = 0; i < length && *milliseconds <= WAIT_MOST; i++)
        *milliseconds = *milliseconds * 10 + (digits[i] - '0');
    return *milliseconds <= WAIT_MOST;
}

/* "Type:0.5" is no key either: what stands behind it is typed. */
static const char TYPE[] = "Type:";

static bool is_text(const char *name) {
    return name[0] == '"' || strncasecmp(name, TYPE, sizeof TYPE - 1) == 0;
}

static const char *text_of(const char *name) {
    return name + (name[0] == '"' ? 1 : sizeof TYPE - 1);
}

/* Every name is checked before any key is pressed. */
static bool check_keys(const char *keys, Error *error) {
    char name[KEY_NAME_SIZE];
    double milliseconds;
    while (next_key(&keys, name)) {
        if (is_wait(name) && !read_wait(name, &milliseconds))
            return error_set(error, ERROR_USAGE, 0, 0,
                             "'%s' should have a number of milliseconds up to %d, as in "
                             "Wait:500",
                             name, WAIT_MOST);
        if (is_wait(name))
            continue;
        if (is_text(name) || action_key_exists(name))
            continue;
        char nearest[SESSION_KEY_SIZE];
        if (action_nearest_key(name, nearest))
            return error_set(error, ERROR_USAGE, 0, 0,
                             "there is no key '%s'; did you mean '%s'?", name, nearest);
        return error_set(error, ERROR_USAGE, 0, 0,
                         "no key is called '%s'; the key '?' shows those that do "
                         "something, in the window's help",
                         name);
    }
    return true;
}

/* Time passes only where the keys, or pictures of the last one's motion, say so: what
 * nothing follows is there at once. */
static bool time_follows(const CommandLine *line, const char *keys) {
    char name[KEY_NAME_SIZE];
    return next_key(&keys, name) ? is_wait(name) : line->frames > 0;
}

static SessionMotion motion_of(const CommandLine *line) {
    return line->reduced_motion ? SESSION_ENDS : SESSION_MOVES;
}

/* While something is written, keys of letters and digits write. */
static void press(Session *session, const char *name) {
    bool is_space = strcasecmp(name, "Space") == 0;
    char letter[] = {is_space ? ' ' : (char)tolower((unsigned char)name[0]), 0};
    if (session_is_writing(session) && (is_space || !name[1]))
        session_type(session, letter);
    else
        session_key(session, name);
}

/* Presses the keys until they end or one of them quits. */
static bool press_keys(Session *session, const CommandLine *line, Arena *arena,
                       Error *error) {
    const char *keys = line->keys;
    char name[KEY_NAME_SIZE];
    double milliseconds;
    while (next_key(&keys, name)) {
        if (is_text(name)) {
            session_type(session, text_of(name));
            continue;
        }
        if (read_wait(name, &milliseconds)) {
            session_tick(session, milliseconds);
            continue;
        }
        if (time_follows(line, keys))
            session_animate(session, motion_of(line));
        else if (!session_moves(session))
            session_animate(session, SESSION_STILL);
        press(session, name);
        if (!session_is_whole(session, error))
            return false;
        SessionRequest request = session_take_request(session);
        if (request == SESSION_QUIT)
            return true;
        if (request != SESSION_SAVE && request != SESSION_KEEP)
            continue;
        const char *path = save_requested(session, request, line->out, line->width,
                                          line->height, arena, error);
        if (!path)
            return false;
        print_to(stderr, "Saved %s\n", path);
    }
    return true;
}

static bool write_picture(Sheet *sheet, Session *session, const char *path,
                          Error *error) {
    return sheet_lay_out(sheet, session, error) && session_is_whole(session, error) &&
           sheet_write(sheet, path, error);
}

/* "steps.png" gives "steps-01.png", "steps-02.png" …, from the motion's first frame to
 * its last, as far apart from each other in time. */
static bool write_frames(Sheet *sheet, Session *session, const CommandLine *line,
                         Arena *arena, Error *error) {
    size_t count = line->reduced_motion ? 2 : line->frames;
    double step = session_motion_length(session) / (double)(count - 1);
    const char *end = strrchr(line->png, '.');
    size_t stem =
        end && !strchr(end, '/') ? (size_t)(end - line->png) : strlen(line->png);
    int digits = count < 100 ? 2 : 3;
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_format(arena, "%.*s-%0*zu%s", (int)stem, line->png,
                                        digits, i + 1, line->png + stem);
        if (!path)
            return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
        if (i)
            session_tick(session, i + 1 < count ? step : step + 1); /* to its very end */
        if (!write_picture(sheet, session, path, error))
            return false;
    }
    return true;
}

static bool write_png(Session *session, const CommandLine *line, Arena *arena,
                      Error *error) {
    Sheet *sheet = sheet_create(line->width, line->height, error);
    bool written =
        sheet && (line->frames ? write_frames(sheet, session, line, arena, error)
                               : write_picture(sheet, session, line->png, error));
    sheet_destroy(sheet);
    return written;
}

/* Prints the session's spoken text, line by line. */
static bool print_spoken(Session *session, Arena *arena, Error *error) {
    Fonts *fonts = fonts_create(error);
    if (!fonts)
        return false;
    TextMetrics metrics = fonts_metrics(fonts);
    const char *said = session_read(session, &metrics, arena);
    if (said)
        print("%s\n", said);
    fonts_destroy(fonts);
    return said || error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
}

static bool play(Session *session, const CommandLine *line, Error *error) {
    Arena *arena = arena_create(PLAY_MAX_MEMORY);
    session_ask(session, line->ask);
    session_compare_sources(session, line->sources);
    bool played = arena ? press_keys(session, line, arena, error)
                        : error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    played = played && (!line->png || write_png(session, line, arena, error));
    if (played && line->say)
        played = session_is_whole(session, error) && print_spoken(session, arena, error);
    arena_destroy(arena);
    if (!played || line->say)
        return played;
    return session_is_whole(session, error) &&
           (session_print(session, stdout) ||
            error_set(error, ERROR_MEMORY, 0, 0, "there is no memory"));
}

ExitCode command_play(Course *course, const CommandLine *line) {
    Error error;
    if (!check_keys(line->keys, &error))
        return report_error(&error);
    Session *session = session_create(course, line->theme);
    if (!session)
        return report_no_memory("to play a lesson");
    Notes *progress = notes_open_own(&notes_of_progress);
    session_keep_progress(session, progress);
    ErrorList errors = {0};
    ExitCode code = EXIT_DONE;
    if (line->lesson_count && !session_open(session, line->lessons[0], &errors))
        code = report_errors(&errors);
    else if (!play(session, line, &error))
        code = report_error(&error);
    session_destroy(session);
    notes_close(progress);
    return code;
}

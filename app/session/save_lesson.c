#include "session/session.h"

#include "base/user_folder.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"
#include "lesson/play/changes_file.h"
#include "lesson/schema/yaml.h"
#include "session/save_beside.h"
#include "session/state.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

enum { KEEP_MAX_MEMORY = 64 << 20 };

static const char ENDING[] = "-changed";

/* The lesson's id without what an earlier keeping put behind it. */
static size_t stem_length(const char *id) {
    size_t length = strlen(id), end = length;
    while (end > 0 && isdigit((unsigned char)id[end - 1]))
        end--;
    if (end < length && end > 0 && id[end - 1] == '-')
        end--;
    else
        end = length;
    size_t tail = sizeof ENDING - 1;
    if (end > tail && memcmp(id + end - tail, ENDING, tail) == 0)
        return end - tail;
    return length > tail && strcmp(id + length - tail, ENDING) == 0 ? length - tail
                                                                    : length;
}

static const char *folder_of_file(Arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    if (!slash)
        return ".";
    return slash == file ? "/" : arena_copy(arena, file, (size_t)(slash - file));
}

/* Returns true if a folder is that of the program's own lessons. */
static bool is_of_course(const Course *course, const char *folder, Arena *arena) {
    const char *lessons = arena_format(arena, "%s/lessons", course->folder);
    return lessons && file_is_same(lessons, folder);
}

/* Where the file goes: NULL with an error when nowhere. */
static const char *choose_folder(const Session *session, const char *wanted, Arena *arena,
                                 Error *error) {
    const char *beside = folder_of_file(arena, session->lesson->file);
    if (!wanted && beside && access(beside, W_OK) == 0 &&
        !is_of_course(session->course, beside, arena))
        return beside;
    const char *folder = wanted ? wanted : folder_of_user(arena, "lessons");
    if (!folder) {
        error_set(error, ERROR_FILE, 0, 0,
                  "'%s' can't be written to, and there is no home folder", beside);
        return NULL;
    }
    return folder_make(folder, error) ? folder : NULL;
}

/* Nothing is kept that can't be read: the lesson's file may be another by now, and what
 * it reads beside itself, its weights, may not be there from elsewhere. */
static bool reads_back(const Session *session, const char *path, const char *text,
                       size_t length, Error *error) {
    ErrorList errors = {0};
    Lesson *lesson = lesson_parse_with(
        path, text, length, &(LessonOptions){.work = session->course->work}, &errors);
    bool good = lesson != NULL;
    lesson_destroy(lesson);
    if (!good)
        error_set(error, ERROR_VALUE, 0, 0, "it couldn't be read again: %s",
                  errors.count ? errors.items[0].message : "");
    return good;
}

/* The lesson's text as it is to be kept in a folder. */
static const char *text_for(const Session *session, const char *folder, SaveBeside *along,
                            size_t *length, Arena *room, Error *error) {
    const char *file = session->lesson->file, *beside = folder_of_file(room, file);
    ErrorList errors = {0};
    const char *text = yaml_read_file(room, file, length, &errors);
    if (!text) {
        *error = errors.items[0];
        return NULL;
    }
    text = changes_write(&session->player, text, length, room, error);
    if (text && beside && strcmp(folder, beside) != 0)
        text = save_beside_move(along, text, length, error);
    return text;
}

static const char *write_lesson(const Session *session, const char *wanted, Arena *arena,
                                Arena *room, Error *error) {
    const Lesson *lesson = session->lesson;
    const char *folder = choose_folder(session, wanted, arena, error);
    if (!folder)
        return NULL;
    size_t length;
    SaveBeside along = {.lesson = lesson->file, .folder = folder, .arena = room};
    const char *text = text_for(session, folder, &along, &length, room, error);
    const char *path = arena_format(arena, "%s/%.*s%s.yaml", folder,
                                    (int)stem_length(lesson->id), lesson->id, ENDING);
    if (text && !path)
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    bool good = text && path && reads_back(session, path, text, length, error);
    const char *written =
        good ? whole_file_write_new(arena, path, SIZE_MAX, text, length, error) : NULL;
    if (!written)
        save_beside_remove(&along);
    return written;
}

const char *save_lesson_copy(Session *session, const char *folder, Arena *arena,
                             Error *error) {
    Arena *room = arena_create(KEEP_MAX_MEMORY);
    const char *path = NULL;
    if (room)
        path = write_lesson(session, folder, arena, room, error);
    else
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    arena_destroy(room);
    if (path) {
        course_add(session->course, path);
        session_show_message(session, "change.kept", path, NULL);
    } else {
        session_show_message(session, "change.not_kept", error->message, NULL);
    }
    return path;
}

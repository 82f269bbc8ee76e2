#include "paint/paint.h"

#include "files/files.h"

/* The path of the file if nothing has it yet, or NULL. */
static const char *choose_path(const Session *session, const char *folder, Arena *arena,
                               Error *error) {
    const char *into = folder ? folder : folder_of_pictures(arena);
    const char *name = session_picture_name(session, arena);
    const char *path = into && name ? arena_format(arena, "%s/%s", into, name) : NULL;
    if (!path) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the file's name");
        return NULL;
    }
    return folder_make(into, error) ? path : NULL;
}

const char *save_picture(Session *session, const char *folder, size_t width,
                         size_t height, Arena *arena, Error *error) {
    size_t size;
    const char *path = choose_path(session, folder, arena, error);
    Sheet *sheet = path ? sheet_create(width, height, error) : NULL;
    const uint8_t *bytes = sheet && sheet_lay_out(sheet, session, error)
                               ? sheet_pack(sheet, &size, error)
                               : NULL;
    path = bytes ? whole_file_write_new(arena, path, SIZE_MAX, bytes, size, error) : NULL;
    sheet_destroy(sheet);
    if (path)
        session_show_message(session, "page.saved", path, NULL);
    else
        session_show_message(session, "page.not_saved", error->message, NULL);
    return path;
}

const char *save_requested(Session *session, SessionRequest request, const char *folder,
                           size_t width, size_t height, Arena *arena, Error *error) {
    return request == SESSION_KEEP
               ? save_lesson_copy(session, folder, arena, error)
               : save_picture(session, folder, width, height, arena, error);
}

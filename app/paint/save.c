#include "paint/save.h"

#include "files/folder.h"
#include "paint/sheet.h"

#include <unistd.h>

/* The file's path, or NULL. */
static const char *choose_path(const Session *session, const char *folder, Arena *arena,
                               Error *error) {
    const char *into = folder ? folder : folder_of_pictures(arena);
    const char *name = session_picture_name(session, arena);
    if (!into || !name) {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the file's name");
        return NULL;
    }
    return folder_make(into, error) ? folder_claim(arena, into, name, error) : NULL;
}

const char *save_picture(Session *session, const char *folder, size_t width,
                         size_t height, Arena *arena, Error *error) {
    const char *path = choose_path(session, folder, arena, error);
    Sheet *sheet = path ? sheet_create(width, height, error) : NULL;
    bool saved =
        sheet && sheet_lay_out(sheet, session, error) && sheet_write(sheet, path, error);
    sheet_destroy(sheet);
    if (path && !saved)
        unlink(path);
    if (saved)
        session_say(session, "page.saved", path, NULL);
    else
        session_say(session, "page.not_saved", error->message, NULL);
    return saved ? path : NULL;
}

#include "course/notes.h"

#include "base/json_watch.h"
#include "base/user_folder.h"
#include "files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MEMORY_MAX = 8 << 20,
    PATH_MAX_MEMORY = 1 << 16,
    BYTES_MAX = 64 << 20,
    LOCK_TRIES = 500
};

struct Notes {
    Arena *arena; /* the paths' */
    const char *path, *folder, *name, *lock_path, *aside;
    const NotesKind *kind;
    NotesState state;
    json_t *root;
    json_t *noted; /* what was noted since it was written, of the root's form */
    int lock;      /* a descriptor; -1: not held */
};

/* ---- the lock ---- */

static void unlock(Notes *notes) {
    if (notes->lock >= 0)
        close(notes->lock);
    notes->lock = -1;
}

/* Takes the lock; waits for another process, but not for ever. On a disk without locks
 * it does nothing. */
static bool lock(Notes *notes, Error *error) {
    static const struct timespec while_waiting = {.tv_nsec = 10000000};
    if (!notes->name) /* which comes last of what is known of them */
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for notes");
    if (!folder_make(notes->folder, error))
        return false;
    char *path = links_resolve(notes->lock_path);
    if (path)
        notes->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    free(path);
    if (notes->lock < 0)
        return error_set(error, ERROR_FILE, 0, 0, "can't write '%s': %s",
                         notes->lock_path, links_reason(errno));
    for (int i = 0; flock(notes->lock, LOCK_EX | LOCK_NB) != 0; i++) {
        bool taken = errno == EWOULDBLOCK || errno == EINTR;
        if (!taken)
            return true;
        if (i == LOCK_TRIES) {
            unlock(notes);
            return error_set(error, ERROR_FILE, 0, 0,
                             "'%s' is being written by another window", notes->path);
        }
        nanosleep(&while_waiting, NULL);
    }
    return true;
}

/* ---- reading ---- */

typedef enum Found {
    FOUND_NONE,
    FOUND_NOTES,
    FOUND_NEWER,
    FOUND_WRONG,
    FOUND_UNREAD
} Found;

static const NotesState states[] = {[FOUND_NONE] = NOTES_FINE,
                                    [FOUND_NOTES] = NOTES_FINE,
                                    [FOUND_NEWER] = NOTES_NEWER,
                                    [FOUND_WRONG] = NOTES_STUCK,
                                    [FOUND_UNREAD] = NOTES_STUCK};

/* Reads all bytes of a descriptor to the heap; NULL if any of them can't be read. */
static char *read_all(int descriptor, size_t *length) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size > BYTES_MAX)
        return NULL;
    size_t room = (size_t)status.st_size + 1;
    char *text = malloc(room);
    *length = 0;
    while (text) {
        ssize_t count = read(descriptor, text + *length, room - *length);
        if (count == 0)
            return text;
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 || (*length += (size_t)count) == room) /* it has grown meanwhile */
            break;
    }
    free(text);
    return NULL;
}

static bool are_notes(const NotesKind *kind, json_t *root) {
    json_t *lessons = json_object_get(root, "lessons");
    return json_is_integer(json_object_get(root, "version")) && json_is_object(lessons) &&
           kind->is(lessons);
}

static Found judge(const NotesKind *kind, const char *text, size_t length,
                   json_t **root) {
    json_error_t unused;
    json_watch();
    json_t *read = json_loadb(text, length, JSON_REJECT_DUPLICATES, &unused);
    if (!read)
        return json_refused() ? FOUND_UNREAD : FOUND_WRONG;
    json_int_t version = json_integer_value(json_object_get(read, "version"));
    Found found = version > kind->version ? FOUND_NEWER
                  : are_notes(kind, read) ? FOUND_NOTES
                                          : FOUND_WRONG;
    if (found == FOUND_NOTES)
        *root = read;
    else
        json_decref(read);
    return found;
}

static Found look(const Notes *notes, json_t **root) {
    int descriptor = open(notes->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT ? FOUND_NONE : FOUND_UNREAD;
    size_t length;
    char *text = read_all(descriptor, &length);
    close(descriptor);
    Found found = text ? judge(notes->kind, text, length, root) : FOUND_UNREAD;
    free(text);
    return found;
}

/* Renames what is none of its kind; what can't be renamed stays, and is not written over.
 */
static NotesState set_aside(Notes *notes) {
    const char *dot = strrchr(notes->name, '.');
    size_t stem = dot ? (size_t)(dot - notes->name) : strlen(notes->name);
    const char *path = arena_format(notes->arena, "%s/%.*s-damaged%s", notes->folder,
                                    (int)stem, notes->name, notes->name + stem);
    const char *aside =
        path ? whole_file_move(notes->arena, notes->path, path, SIZE_MAX) : NULL;
    if (!aside)
        return NOTES_STUCK;
    notes->aside = aside;
    return NOTES_SET_ASIDE;
}

/* Takes over what the file has now, under the lock. */
static void read_again(Notes *notes) {
    json_t *root = NULL;
    Found found = look(notes, &root);
    notes->state = found == FOUND_WRONG ? set_aside(notes) : states[found];
    if (!root)
        return;
    json_decref(notes->root);
    notes->root = root;
}

/* ---- opening ---- */

static bool name_paths(Notes *notes, const char *path) {
    Arena *arena = notes->arena = arena_create(MEMORY_MAX);
    const char *slash = strrchr(path, '/');
    if (!arena)
        return false;
    notes->path = arena_copy(arena, path, strlen(path));
    notes->folder = slash ? arena_copy(arena, path, (size_t)(slash - path) + 1) : "./";
    notes->lock_path = arena_format(arena, "%s.lock", path);
    if (!notes->path || !notes->folder || !notes->lock_path)
        return false;
    notes->name = notes->path + (slash ? slash - path + 1 : 0);
    return true;
}

/* Only what is wrong takes the lock, so that looking leaves no trace. */
static void read_first(Notes *notes) {
    json_t *root = NULL;
    Error unused;
    Found found = look(notes, &root);
    if (found == FOUND_WRONG && lock(notes, &unused)) {
        read_again(notes); /* which another window may have mended by now */
        unlock(notes);
    } else {
        notes->state = states[found];
    }
    notes->root = notes->root ? notes->root : root;
}

Notes *notes_open(const char *path, const NotesKind *kind) {
    Notes *notes = calloc(1, sizeof *notes);
    if (!notes)
        return NULL;
    notes->kind = kind;
    notes->aside = "";
    notes->lock = -1;
    if (name_paths(notes, path))
        read_first(notes);
    if (notes->path && !notes->root)
        notes->root = json_pack("{s:i, s:{}}", "version", kind->version, "lessons");
    notes->noted = json_object();
    if (notes->root && notes->noted)
        return notes;
    notes_close(notes);
    return NULL;
}

Notes *notes_open_own(const NotesKind *kind) {
    Arena *arena = arena_create(PATH_MAX_MEMORY);
    const char *path = arena ? folder_of_user(arena, kind->name) : NULL;
    Notes *notes = path ? notes_open(path, kind) : NULL;
    arena_destroy(arena);
    return notes;
}

void notes_close(Notes *notes) {
    if (!notes)
        return;
    unlock(notes);
    json_decref(notes->root);
    json_decref(notes->noted);
    arena_destroy(notes->arena);
    free(notes);
}

NotesState notes_state(const Notes *notes) {
    return notes->state;
}

const char *notes_file(const Notes *notes) {
    return notes->path;
}

const char *notes_aside(const Notes *notes) {
    return notes->aside;
}

json_t *notes_root(const Notes *notes) {
    return notes->root;
}

json_t *notes_lessons(const Notes *notes) {
    return json_object_get(notes->root, "lessons");
}

json_t *notes_noted(const Notes *notes) {
    return notes->noted;
}

/* ---- writing ---- */

bool notes_begin(Notes *notes, Error *error) {
    if (!lock(notes, error))
        return false;
    read_again(notes);
    json_watch();
    if (notes->state == NOTES_FINE || notes->state == NOTES_SET_ASIDE)
        return true;
    unlock(notes);
    return error_set(error, ERROR_FILE, 0, 0,
                     notes->state == NOTES_NEWER
                         ? "'%s' was written by a later version; it was left as it is"
                         : "'%s' can't be read; nothing was written",
                     notes->path);
}

bool notes_end(Notes *notes, Error *error) {
    char *text = json_dumps(notes->root, JSON_INDENT(2) | JSON_SORT_KEYS);
    bool written = false;
    if (text && !json_refused()) {
        WholeFile file;
        whole_file_begin(&file, notes->path);
        whole_file_add(&file, text, strlen(text));
        whole_file_add(&file, "\n", 1);
        written = whole_file_end(&file, error);
    } else {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    }
    free(text);
    unlock(notes);
    return written;
}

bool notes_unwritten(const Notes *notes) {
    return json_object_size(notes->noted) > 0;
}

bool notes_write(Notes *notes, Error *error) {
    if (!notes_unwritten(notes))
        return true;
    bool begun = notes_begin(notes, error);
    notes->kind->merge(notes->root, notes->noted);
    if (!begun || !notes_end(notes, error))
        return false;
    json_object_clear(notes->noted);
    return true;
}

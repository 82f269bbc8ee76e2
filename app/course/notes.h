/* Notes: data that the program keeps between runs, in a JSON file of its own format.
 *
 * The file is read when it is opened and once more before it is written. A writer holds a
 * lock (FILE.lock) from then until the file has its new name, so that windows which write
 * at once lose nothing of each other's. It is written whole or not at all. A file that
 * was read whole but isn't of this format is set aside under another name, never
 * overwritten; one that can't be read now, because memory is short or the disk fails, is
 * left alone. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <jansson.h>

typedef enum NotesState {
    NOTES_FINE,      /* read, or not there yet */
    NOTES_SET_ASIDE, /* it was damaged, and is now called notes_aside */
    NOTES_STUCK,     /* it can't be read, or not be set aside: nothing is written */
    NOTES_NEWER      /* of a later version of the program: nothing is written */
} NotesState;

/* {"version": 1, "lessons": {…}, …} */
typedef struct NotesKind {
    int version;
    bool (*is)(json_t *lessons); /* whether this program could have written them */
} NotesKind;

typedef struct Notes Notes;

/* The path of a file of notes, "progress.json": $XDG_DATA_HOME/glassformer, else that
 * below ~/.local/share; in the arena. NULL without a home, or when that is exhausted. */
const char *notes_path(Arena *arena, const char *name);

/* Opens the notes of a file, which may not be there yet; the path is copied. NULL when
 * there is no memory. The caller closes them. */
Notes *notes_open(const char *path, const NotesKind *kind);

/* NULL is fine. */
void notes_close(Notes *notes);

/* Return the state in which the file was last read; its name; and the present name of a
 * damaged one, "" for none. */
NotesState notes_state(const Notes *notes);
const char *notes_file(const Notes *notes);
const char *notes_aside(const Notes *notes);

/* Return all notes, and the lessons' among them, for reading or, between begin and end,
 * for changes; the lessons' stay valid until the next begin. Never NULL. */
json_t *notes_root(const Notes *notes);
json_t *notes_lessons(const Notes *notes);

/* Takes the lock and reads again. False with ERROR_FILE or ERROR_MEMORY when nothing can
 * be written now: what is changed all the same lasts until the program ends. */
bool notes_begin(Notes *notes, Error *error);

/* Writes the notes, after notes_begin, and releases the lock. If jansson ran out of
 * memory in between, nothing is written: ERROR_MEMORY. */
bool notes_end(Notes *notes, Error *error);

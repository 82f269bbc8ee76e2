/* Storage between runs: files of notes, and in them the learner's memory and
 * progress. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <jansson.h>

typedef struct Notes Notes;

/* ---- Notes: data that the program keeps between runs, in a JSON file of its own format.
 *
 * The file is read when it is opened and once more before it is written. A writer holds a
 * lock (FILE.lock) from then until the file has its new name, so that windows which write
 * at once lose nothing of each other's. It is written whole or not at all. A file that
 * was read whole but isn't of this format is set aside under another name, never
 * overwritten; one that can't be read now, because memory is short or the disk fails, is
 * left alone. */

typedef enum NotesState {
    NOTES_FINE,      /* read, or not there yet */
    NOTES_SET_ASIDE, /* it was damaged, and is now called notes_aside */
    NOTES_STUCK,     /* it can't be read, or not be set aside: nothing is written */
    NOTES_NEWER      /* of a later version of the program: nothing is written */
} NotesState;

/* {"version": 1, "lessons": {…}, …} */
typedef struct NotesKind {
    const char *name; /* of the user's own file */
    int version;
    bool (*is)(json_t *lessons); /* whether this program could have written them */
    void (*merge)(json_t *root,
                  json_t *noted); /* puts what is noted into what is there */
} NotesKind;

extern const NotesKind notes_of_memory, notes_of_progress;

/* Opens the notes of a file, which may not be there yet; the path is copied. NULL when
 * there is no memory. The caller closes them. */
Notes *notes_open(const char *path, const NotesKind *kind);

/* Opens the user's own file in $XDG_DATA_HOME/glassformer, else below ~/.local/share.
 * NULL without a home, too. */
Notes *notes_open_own(const NotesKind *kind);

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

/* Notes since the last writing, of the same form; null where a note is dropped. */
json_t *notes_noted(const Notes *notes);

/* Takes the lock and reads again. False with ERROR_FILE or ERROR_MEMORY when nothing can
 * be written now: what is changed all the same lasts until the program ends. */
bool notes_begin(Notes *notes, Error *error);

/* Writes the notes, after notes_begin, and releases the lock. If jansson ran out of
 * memory in between, nothing is written: ERROR_MEMORY. */
bool notes_end(Notes *notes, Error *error);

/* Writes what was noted since the last time; true if there is nothing to write. False as
 * notes_begin and notes_end; it is unwritten then. */
bool notes_write(Notes *notes, Error *error);
bool notes_unwritten(const Notes *notes);

/* ---- The program's state kept between runs: its settings, the position in each lesson,
 * the steps seen there, and changes that aren't yet saved as a lesson of its own.
 *
 * A note takes effect at once and is written when the caller asks for it. What other
 * windows have written since is kept, except where this one noted the same. A lesson is
 * identified by its key: the id of a lesson of the course, else the absolute path of its
 * file. */

enum { MEMORY_RECENT_MOST = 8 };

/* Position in a lesson. Texts stay valid until the next note. */
typedef struct MemoryPlace {
    const char *lesson; /* key of the lesson */
    const char *path;   /* path of the step: "3.1" */
    size_t cell;        /* cell of the step's result, row by row; SIZE_MAX: none */
    size_t step, steps; /* first number of the path, and the number of such steps */
    size_t seen;        /* number of those steps that have been seen */
    bool passes;        /* for noting: the step is passed by and doesn't count as seen */
} MemoryPlace;

/* Unsaved changes of a lesson. */
typedef struct MemoryDraft {
    const char *changes; /* list as in a lesson's file: "changes:\n  - {…}\n"; or "" */
    bool modified;       /* the lesson differs from its file */
    bool bare;           /* the lesson is read without the changes in its file */
    const char *day;     /* date of the last change: "2026-11-22" */
} MemoryDraft;

typedef struct MemoryWindow {
    int x, y, width, height; /* units of the desktop */
    bool maximized;
} MemoryWindow;

/* ---- reading notes: false, NULL or 0 if there are none ---- */

/* Returns the last position, where the program continues. */
bool memory_last(const Notes *memory, MemoryPlace *place);

bool memory_place(const Notes *memory, const char *lesson, MemoryPlace *place);

bool memory_draft(const Notes *memory, const char *lesson, MemoryDraft *draft);

/* Returns the text of "language", "theme", "questions" or "sources". */
const char *memory_text(const Notes *memory, const char *what);

bool memory_window(const Notes *memory, MemoryWindow *window);

/* Returns a recently opened file, the last one for 0; NULL if there aren't as many. */
const char *memory_recent(const Notes *memory, size_t index);

/* ---- noting ---- */

/* Notes the present position; its step counts as seen unless it is passed by. */
void memory_note_place(Notes *memory, const MemoryPlace *place);

/* Notes the changes of a lesson; NULL: none. */
void memory_note_draft(Notes *memory, const char *lesson, const MemoryDraft *draft);

void memory_note_text(Notes *memory, const char *what, const char *text);
void memory_note_window(Notes *memory, const MemoryWindow *window);

/* Notes an opened file as the most recent one. */
void memory_note_opened(Notes *memory, const char *path);

/* ---- progress: what the learner has practised ---- */

/* Results of practising a lesson. */
typedef struct ProgressLesson {
    const char *id;
    size_t rounds;                        /* finished */
    size_t at_once, after_hints, skipped; /* in the last of them */
    size_t answered; /* questions of its steps, and not shown; no round notes it */
} ProgressLesson;

/* Returns the notes about a lesson; {0} for none, or where there is no progress (NULL).
 */
ProgressLesson progress_of(const Notes *progress, const char *id);

/* True if a step's question was answered rather than shown. */
bool progress_has_answer(const Notes *progress, const char *id, const char *path);

/* Notes a finished round of a lesson, in place of the one before, and counts it. False
 * with ERROR_FILE or ERROR_MEMORY when it can't be written; it is remembered until the
 * program ends all the same. */
bool progress_record(Notes *progress, const ProgressLesson *round, Error *error);

/* Notes how a step's question was answered ("at_once", "after_hints", "shown"), in place
 * of the answer before; the step goes by its path. Fails as progress_record does. */
bool progress_answer(Notes *progress, const char *id, const char *path, const char *how,
                     Error *error);

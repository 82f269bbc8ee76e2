/* Memory: the program's state kept between runs in one file of notes (course/notes.h):
 * its settings, the position in each lesson, the steps seen there, and changes that
 * aren't yet saved as a lesson of its own.
 *
 * A note takes effect at once and is written when the caller asks for it. What other
 * windows have written since is kept, except where this one noted the same. A lesson is
 * identified by its key: the id of a lesson of the course, else the absolute path of its
 * file. */
#pragma once

#include "course/notes.h"

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

typedef struct Memory Memory;

/* Opens the notes of a file, which need not exist yet; copies the path. Returns NULL if
 * memory is short. The caller closes it. */
Memory *memory_open(const char *path);

/* Opens the user's own file, "memory.json"; returns NULL if there is no home folder. */
Memory *memory_open_own(void);

/* Closes the memory without writing. NULL is fine. */
void memory_close(Memory *memory);

/* Returns the notes with the file's name and the state it was found in. */
const Notes *memory_notes(const Memory *memory);

/* Writes what was noted since the last time; returns true if there is nothing to write.
 * Returns false with ERROR_FILE or ERROR_MEMORY; the notes are unwritten then. */
bool memory_write(Memory *memory, Error *error);
bool memory_unwritten(const Memory *memory);

/* ---- reading notes: false, NULL or 0 if there are none ---- */

/* Returns the last position, where the program continues. */
bool memory_last(const Memory *memory, MemoryPlace *place);

bool memory_place(const Memory *memory, const char *lesson, MemoryPlace *place);

bool memory_draft(const Memory *memory, const char *lesson, MemoryDraft *draft);

/* Returns the text of "language", "theme", "questions" or "sources". */
const char *memory_text(const Memory *memory, const char *what);

bool memory_window(const Memory *memory, MemoryWindow *window);

/* Returns a recently opened file, the last one for 0; NULL if there aren't as many. */
const char *memory_recent(const Memory *memory, size_t index);

/* ---- noting ---- */

/* Notes the present position; its step counts as seen unless it is passed by. */
void memory_note_place(Memory *memory, const MemoryPlace *place);

/* Notes the changes of a lesson; NULL: none. */
void memory_note_draft(Memory *memory, const char *lesson, const MemoryDraft *draft);

void memory_note_text(Memory *memory, const char *what, const char *text);
void memory_note_window(Memory *memory, const MemoryWindow *window);

/* Notes an opened file as the most recent one. */
void memory_note_opened(Memory *memory, const char *path);

/* Memory: how the program was left, kept between runs in one file of notes
 * (course/notes.h): how it looked, where in each lesson one was, what of it was seen and
 * what was changed in it and not yet kept as a lesson of its own.
 *
 * What is noted is there at once and written when the caller says so; what other windows
 * have written since is kept, but for what was noted here. A lesson goes by its key: the
 * id of a lesson of the course, else the path of its file from the root. */
#ifndef APP_MEMORY_H
#define APP_MEMORY_H

#include "course/notes.h"

enum { MEMORY_RECENT_MOST = 8 };

/* Where one is in a lesson. Texts stay valid until the next note. */
typedef struct MemoryPlace {
    const char *lesson; /* its key */
    const char *path;   /* of the step: "3.1" */
    size_t cell;        /* of the step's result, row by row; SIZE_MAX: none */
    size_t step, steps; /* the first of the path's numbers; how many such there are */
    size_t seen;        /* … and how many of them have been seen */
    bool passes;        /* to be noted: it is not to be seen there, but passed by */
} MemoryPlace;

/* What was changed in a lesson. */
typedef struct MemoryDraft {
    const char *changes; /* as in a lesson's file: "changes:\n  - {…}\n"; or "" */
    bool modified;       /* it is read otherwise than from its file alone, … */
    bool bare;           /* … without the changes that this has in it */
    const char *day;     /* "2026-11-22": when it was last changed */
} MemoryDraft;

typedef struct MemoryWindow {
    int x, y, width, height; /* in the desktop's own units */
    bool maximized;
} MemoryWindow;

typedef struct Memory Memory;

/* Opens the notes of a file, which may not be there yet; the path is copied. NULL when
 * there is no memory. The caller closes it. */
Memory *memory_open(const char *path);

/* The same for the user's own file, "memory.json"; NULL where there is no home. */
Memory *memory_open_own(void);

/* Writes nothing. NULL is fine. */
void memory_close(Memory *memory);

/* How the file was found, and what it is called. */
const Notes *memory_notes(const Memory *memory);

/* Writes what was noted since it was last written; true where there is nothing to write.
 * False with ERROR_FILE or ERROR_MEMORY: it is still to be written then. */
bool memory_write(Memory *memory, Error *error);
bool memory_unwritten(const Memory *memory);

/* ---- what is noted: false, NULL or 0 for nothing ---- */

/* Where one was last: whence to go on. */
bool memory_last(const Memory *memory, MemoryPlace *place);

bool memory_place(const Memory *memory, const char *lesson, MemoryPlace *place);

bool memory_draft(const Memory *memory, const char *lesson, MemoryDraft *draft);

/* "language", "theme", "questions", "sources". */
const char *memory_text(const Memory *memory, const char *what);

bool memory_window(const Memory *memory, MemoryWindow *window);

/* The file opened last, 0, or one before; NULL where there were not as many. */
const char *memory_recent(const Memory *memory, size_t index);

/* ---- noting ---- */

/* Where one is now; the step counts as seen, unless it is passed by. */
void memory_note_place(Memory *memory, const MemoryPlace *place);

/* NULL: nothing is changed in the lesson. */
void memory_note_draft(Memory *memory, const char *lesson, const MemoryDraft *draft);

void memory_note_text(Memory *memory, const char *what, const char *text);
void memory_note_window(Memory *memory, const MemoryWindow *window);

/* A file was opened: it is the latest now. */
void memory_note_opened(Memory *memory, const char *path);

#endif

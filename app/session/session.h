/* A session: the state of the program, without windows. drive/drive.h has its input and
 * its drawing. */
#pragma once

#include "course/loader.h"
#include "picture/scene/scene.h"

typedef struct Course Course;
typedef struct Error Error;
typedef struct Notes Notes;
typedef struct Session Session;

/* A request to the driver of the session; session_take_request clears it. */
typedef enum SessionRequest {
    SESSION_NOTHING,
    SESSION_QUIT,
    SESSION_SAVE,       /* save the present picture and call session_show_message */
    SESSION_FULLSCREEN, /* turn full screen on or off */
    SESSION_KEEP,       /* write the lesson's changes: call save_lesson_copy */
    SESSION_PASTE,      /* call session_type with the clipboard's text */
    SESSION_COPY        /* put session_copied into the clipboard */
} SessionRequest;

enum { SESSION_KEY_SIZE = 32 };

/* A session on home, in the course's language and without motion; `theme` NULL:
 * the first. NULL when there is no memory. The caller destroys it, before the course. */
Session *session_create(Course *course, const char *theme);

/* Drops a lesson opened from a path, and one that is still being read. NULL is fine. */
void session_destroy(Session *session);

/* Keeps what is practised in these notes, which the caller closes behind the session, and
 * says where they were found damaged. */
void session_keep_progress(Session *session, Notes *progress);

/* Keeps place, changes and looks in this memory, and shows a message if the memory was
 * found damaged; lessons then open where and as they were left. The caller writes the
 * memory, and closes it after the session. */
void session_keep_memory(Session *session, Notes *memory);

/* Notes all of that as it is now; true when another lesson is shown than was noted last.
 */
bool session_remember(Session *session);

/* ---- opening ---- */

/* Opens a lesson by its id, by a link to it (session/state.h) or by its file's path; a
 * link without a lesson leads from a lesson to home. A lesson opened by its path takes
 * the place of the one opened by a path before, and not while that is on the screen in
 * the background. False with errors; the session stays. */
bool session_open(Session *session, const char *lesson, ErrorList *errors);

/* Opens lesson number `index` of the course, where and as it was left; a lesson with
 * errors stays closed and a message says so. */
bool session_open_number(Session *session, size_t index);

/* Sets that lessons which take long are read in the background; `watch` is called when
 * session_poll has something to do. */
void session_open_in_background(Session *session, LoaderWatch watch);

/* Report whether a lesson is being read in the background, during which keys are kept;
 * and whether the page shows this, as it does after session_report_opening. */
bool session_is_opening(const Session *session);
bool session_opening_shown(const Session *session);
void session_report_opening(Session *session);

/* Abandons the lesson that is being read, without a call of the watch. */
void session_abandon_opening(Session *session);

/* ---- files ---- */

/* Opens a file that was dropped on the window, or shows its errors over the page. NULL:
 * there was no memory for its path. */
void session_drop(Session *session, const char *path);

/* Reports whether the shown lesson has a file that its author may be writing.
 * session_look_at_file is then to be called a few times a second. It reads the lesson
 * again, in the same place and with the changes by hand, once its file has changed and is
 * stable; errors are shown over the last good version. True when the picture changed. */
bool session_has_file(const Session *session);
bool session_look_at_file(Session *session);

/* ---- keys, text, time ---- */

/* True while a text is being written: letters then come by session_type. */
bool session_is_writing(const Session *session);

/* Animation of places. */
typedef enum SessionMotion {
    SESSION_STILL, /* they are there at once */
    SESSION_MOVES, /* in the time of session_tick */
    SESSION_ENDS   /* in two frames: as it begins, and as it is */
} SessionMotion;

/* Sets the animation from now on. Autoplay needs session_tick in any case. */
void session_animate(Session *session, SessionMotion motion);

/* Sets whether steps with a question hide their result until it is answered; at first
 * none does. */
void session_ask(Session *session, bool on);

/* Sets whether steps are compared with their source; at first only lessons with that
 * setting are. */
void session_compare_sources(Session *session, bool on);

/* Report whether the present place is being animated, and the animation's length in
 * milliseconds; 0 for none. */
bool session_moves(const Session *session);
double session_motion_length(const Session *session);

/* ---- what it says and shows ---- */

/* Returns the size of the type, 1 being usual; presenting has a size of its own. */
double session_text_scale(const Session *session);

/* Returns the request and clears it. */
SessionRequest session_take_request(Session *session);

/* The text copied last, borrowed until the next; "" for none. */
const char *session_copied(const Session *session);

/* Shows a sentence until the next key; in the session's language by a strings key with
 * {0} and {1} replaced by arguments (NULL: ""). */
void session_show_message(Session *session, const char *key, const char *first,
                          const char *second);

/* Return the titles of the window (the lesson, its step and the program; at home the
 * program alone) and of the lecturer's window. In the arena. */
const char *session_title(const Session *session, Arena *arena);
const char *session_notes_title(const Session *session, Arena *arena);

/* Returns a link (session/state.h) to the step that is shown, without its cell and its
 * changes; without a lesson at home and in a file that isn't the course's. In the arena;
 * NULL when that is exhausted. */
const char *session_address(const Session *session, Arena *arena);

/* False with an error where something that was asked for could not be had: a lesson of
 * the course, memory for a change. The page says so. */
bool session_is_whole(const Session *session, Error *error);

/* ---- presenting ---- */

/* True while the lesson is presented, with a lecturer's notes beside it. */
bool session_presents(const Session *session);

/* Report and toggle the lecturer's choice to open the notes' window on a single screen,
 * or not to open it on a second one. */
bool session_turns_notes(const Session *session);
void session_turn_notes(Session *session);

/* The screen that a session is shown on. */
typedef struct SessionScreen {
    double
        point;  /* reference pixels (1/96 inch, CSS) of a point of the page; 0: unknown */
    bool touch; /* it is used with fingers: no keys are named, and a bar has the basics */
} SessionScreen;

/* Sets the screen, before a drawing; at first it is unknown and not touched. */
void session_set_screen(Session *session, SessionScreen screen);

/* Place of the lecturer's notes. */
typedef enum SessionNotes {
    SESSION_NOTES_ASKED,  /* where the window puts them, once they are asked for */
    SESSION_NOTES_SHARED, /* on the only screen, which the class sees; once asked for */
    SESSION_NOTES_APART   /* on a second screen, without being asked for */
} SessionNotes;

/* Sets the place of notes; at first they are shown where the window puts them. */
void session_set_notes(Session *session, SessionNotes notes);

/* Sets whether a spotlight follows the pointer while its key is held. True when the
 * picture changed. */
bool session_hold_spotlight(Session *session, bool held);

/* True if the mouse pointer is to be hidden. */
bool session_hides_pointer(const Session *session);

/* A name for the file of the present picture, without folder:
 * "08-one-head-03-softmax.png". */
const char *session_picture_name(const Session *session, Arena *arena);

/* ---- Keeping what was changed in a lesson, as a lesson file of its own ---- */

/* Writes the session's lesson with all its changes (lesson/play/changes_file.h) into
 * `folder`, which is created if it doesn't exist. NULL: beside the lesson's file or, if
 * that folder isn't writable or the lesson is the course's, in the user's folder of
 * lessons. The file is called NAME-changed.yaml, or NAME-changed-2.yaml …, the first name
 * that isn't used yet. The session shows a message with its path or the error. Returns
 * the path, in the arena; NULL with ERROR_FILE, ERROR_VALUE or ERROR_MEMORY. */
const char *save_lesson_copy(Session *session, const char *folder, Arena *arena,
                             Error *error);

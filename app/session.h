/* A session: what the program is showing, and what keys and the pointer do to it.
 *
 * It knows nothing of windows: the window and `play` drive the same session, one with
 * events, one with key names, and draw what it shows with the same painter. Keys have
 * SDL's names ("Right", "Escape", "S", "?"). */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "course.h"
#include "lesson/player.h"
#include "picture/help.h"
#include "picture/overview.h"
#include "picture/page.h"

typedef enum SessionView { SESSION_OVERVIEW, SESSION_LESSON } SessionView;

/* What a session asks of whoever drives it; cleared by session_take_request. */
typedef enum SessionRequest {
    SESSION_NOTHING,
    SESSION_QUIT,
    SESSION_SAVE,      /* save the present picture and call session_say */
    SESSION_FULLSCREEN /* turn full screen on or off */
} SessionRequest;

enum { SESSION_MESSAGE_SIZE = 512, SESSION_TEXT_SIZE = 400 };

typedef struct Session {
    Course *course; /* borrowed */
    SessionView view;
    size_t chosen;        /* the card chosen in the overview */
    size_t number;        /* the lesson's number in the course, from 1; 0: from a file */
    const Lesson *lesson; /* the one shown; owned by the course, or by `own` */
    Lesson *own;          /* a lesson opened from a path; destroyed with the session */
    Player player;
    Language language;
    const Theme *theme;
    LessonView tensor_view;  /* chosen by V for one step of the tree, … */
    size_t tensor_view_step; /* … this one */
    bool help;               /* the help overlay is open */
    bool has_pin, has_hover;
    Link pin, hover;               /* LINK_CELL */
    size_t item_count;             /* lessons in the overview */
    OverviewItem *items;           /* in the course's arena */
    double width, height;          /* of the page last drawn */
    bool scrubbing;                /* the pointer drags along the timeline */
    bool typing;                   /* a text of the learner's own is being typed … */
    char typed[SESSION_TEXT_SIZE]; /* … this far */
    SessionRequest request;
    char message[SESSION_MESSAGE_SIZE];
} Session;

/* A session on the overview, in English and the first theme. */
void session_init(Session *session, Course *course);

/* Drops a lesson opened from a path. */
void session_finish(Session *session);

/* Opens a lesson by its id or its file's path. False with errors; the session stays. */
bool session_open(Session *session, const char *lesson, ErrorList *errors);

/* Opens lesson number `index` of the course; a lesson with errors stays closed and a
 * message says so. */
bool session_open_number(Session *session, size_t index);

/* Does what a key stands for; false when it stands for nothing here. The name is SDL's
 * (SDL_GetKeyName) in any case, or the character itself ("?"). */
bool session_key(Session *session, const char *key);

/* Puts UTF-8 text behind what is being typed; nothing while nothing is. True when it
 * changed. */
bool session_type(Session *session, const char *text);

/* Reads the present lesson again with a text of the learner's own. False, with a message
 * that says why, when it takes none or can't take this one; the lesson then stays. */
bool session_use_text(Session *session, const char *text);

/* Whether a key stands for anything anywhere. */
bool session_key_exists(const char *key);

/* The nearest name to a key that nothing is bound to, or NULL. */
const char *session_nearest_key(const char *key);

/* The pointer moved, was pressed, was let go at a point of the page last drawn (`scene`).
 * True when the picture changed. */
bool session_pointer_move(Session *session, const Scene *scene, double x, double y);
bool session_pointer_press(Session *session, const Scene *scene, double x, double y);
bool session_pointer_release(Session *session);

/* What is asked for, once. */
SessionRequest session_take_request(Session *session);

/* Shows a sentence until the next key; in the session's language by a strings key with
 * one argument. */
void session_say(Session *session, const char *key, const char *argument);

/* Draws what the session shows, on a page of that size in points. `interactive`: with
 * hover, hints, help and messages, as the window does; else as exported. The scene lives
 * in `arena` and borrows the session's lesson. */
void session_draw(Session *session, Scene *scene, Arena *arena,
                  const TextMetrics *metrics, double width, double height,
                  bool interactive);

/* A name for the file of the present picture, without folder:
 * "07-one-head-03-softmax.png". */
const char *session_picture_name(const Session *session, Arena *arena);

#endif

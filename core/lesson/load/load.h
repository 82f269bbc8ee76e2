/* Loading a lesson from its file: all of it is parsed, checked and computed, part by
 * part, in order of dependencies. */
#pragma once

#include "base/strings/language.h"
#include "lesson/content/block.h"
#include "lesson/schema/schema.h"

typedef struct ErrorList ErrorList;
typedef struct Lesson Lesson;
typedef struct LessonStore LessonStore; /* lesson/model/learning.h */
typedef struct LessonSwitches LessonSwitches;

/* Returns a lesson's ID: the file's name without folder and extension. Files are named
 * after it and terminals show it, so a leading dot becomes "_", and bytes that are not
 * UTF-8, or control characters, become U+FFFD. In the arena; NULL when it is
 * exhausted. */
const char *lesson_id(Arena *arena, const char *path);

/* Options of loading; {0}: none. They are copied. */
typedef struct LessonOptions {
    /* the learner's own text instead of the file's first text (`text:` under `given:`, or
     * a model's `source:`), or NULL */
    const char *text;
    /* a model with `weights: {train: …}` keeps its initial weights, and may be one that
     * takes long to train */
    bool untrained;
    /* replace the file's own `changes:`, or NULL. Steps and words about parts that the
     * model then lacks are left out, as are quotations of sources. */
    const LessonSwitches *switches;
    bool bare; /* ignore the file's `changes:` */
    /* read a list's entry: the lesson has the texts about it as a whole and the number of
     * its steps, but no steps (`steps` is NULL). Nothing is trained or generated, and no
     * tensor computed unless the model makes steps, so that errors in statements are not
     * found. Without effect on a file whose `changes:` are of its text or its model:
     * they decide which steps there are. */
    bool outline;
    /* what has been trained before is taken from here, and other trainings are saved;
     * NULL: nothing is. Borrowed. The lesson is the same bit for bit. */
    const LessonStore *store;
    double work;   /* limit of operations, which counts trainings from the store, too; 0:
                      LESSON_WORK */
    size_t memory; /* limit of bytes; 0: LESSON_MAX_MEMORY */
} LessonOptions;

/* Loads a lesson from a file; `options` NULL: none. On failure returns NULL and all
 * errors found in *errors, at least one (its `file` is set to `path`): also ERROR_VALUE
 * for switches that the model can't have or for a lesson without a model, and for an own
 * text for a lesson without a text. The caller destroys the lesson. */
Lesson *lesson_load(const char *path, const LessonOptions *options, ErrorList *errors);

/* The same from memory; `path` is only used as its name. */
Lesson *lesson_parse(const char *path, const char *text, size_t length,
                     const LessonOptions *options, ErrorList *errors);

/* A lesson's head: the keys that describe the lesson as a whole. */
typedef struct LessonHead {
    Text title, part, goal;
    LessonBlock block; /* LESSON_BLOCK_NONE: not given */
    size_t minutes;    /* 0: not given */
    bool begins;       /* is the lesson to begin with */
    bool tours;        /* has texts for the tour */
} LessonHead;

/* Reads only the head of a lesson's file, its texts in the arena; missing parts are
 * empty. For lists of lessons that need not be computed. Adds errors in what it reads of
 * the file, which mostly ends before the tensors; false without memory. */
bool lesson_read_head(LessonHead *head, const char *path, Arena *arena,
                      ErrorList *errors);

/* Contents of a lesson for searching and for the quiz. */
typedef struct LessonContents {
    size_t questions; /* number of questions that are not about a number */
    /* summary, goal, chapters, headings and operations, in all languages, one per line */
    const char *words;
} LessonContents;

/* Reads the contents of a lesson's file without computing the lesson. Adds the file's
 * errors; false without memory. */
bool lesson_read_contents(LessonContents *contents, const char *path, Arena *arena,
                          ErrorList *errors);

/* Playlists: some of the course's lessons, in their own order and under their own
 * headings. */

typedef struct PlaylistPart {
    SchemaPlace place;
    Text title;
    SchemaStrings lessons; /* ids, or files beside the playlist */
} PlaylistPart;

typedef struct Playlist {
    SchemaPlace place;
    Text title, about;
    SchemaItems parts; /* PlaylistPart */
} Playlist;

/* Keys of a playlist. */
extern const Schema SPEC_PLAYLIST;

/* Reports whether a file is named "….playlist.yaml". */
bool playlist_is_file(const char *path);

/* Reads a playlist, new in the arena; false with all errors found, each at its position.
 * Whether the lessons exist is not checked. */
bool playlist_read(const char *path, Arena *arena, Playlist *playlist, ErrorList *errors);

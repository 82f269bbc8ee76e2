/* The course: lessons, languages and themes of the data folder, behind its lessons those
 * of the user's own folder; and what playlists and learners make of them. */
#pragma once

#include "lesson/content/choices.h"
#include "lesson/load/load.h"
#include "lesson/play/player.h"
#include "picture/scene/theme.h"

#include <stdint.h>

typedef struct Glossary Glossary;

/* ---- The course: lessons, languages and themes of the data folder; behind its lessons
 * stand those of the user's own folder. */

typedef struct CourseLesson {
    const char *id;   /* "08-one-head" */
    const char *path; /* of its file */
    Lesson *lesson; /* loaded when first asked for; NULL before, and when it has errors */
    bool tried;
    bool shown;     /* it has been on the page */
    uint64_t visit; /* digest of what a link changed (session/state.h); 0: nothing */
    Text part;      /* a unit's name for where it stands; empty: its own */
    bool head_read, contents_read;
    bool large;              /* too large to be kept for its picture among the others' */
    LessonHead head;         /* once asked for */
    LessonContents contents; /* once asked for */
    Player player;           /* the lesson's, on its first step */
    Lesson *own;             /* the same with a text of the learner's own, or NULL */
    Player own_player;       /* the own lesson's */
} CourseLesson;

typedef struct Course {
    Arena *arena;
    const char *folder; /* the data folder */
    Languages languages;
    Glossary *glossaries;     /* for each of them */
    const Language *language; /* that all is shown in at first; the default */
    Themes themes;
    size_t count;          /* of the course's own lessons */
    size_t all;            /* with the user's, which come behind them */
    size_t room;           /* for how many there is */
    CourseLesson *lessons; /* either sorted by id: teaching order; they stay in place */
    Text title, about;     /* of a unit (course/course.h); the course's are empty */
    const char *id;        /* of a unit: "university"; NULL for the course */
    const char *playlist;  /* of a unit: its file; NULL for the course */
    Error missing_data;    /* why something of it, as the user's lessons, is not there */
    struct Course *next;   /* the next of the ring of course and units; NULL: no units */
    const char *text; /* the learner's own, for lessons that course_open opens; or NULL */
    double work;      /* operations that a lesson may take; 0: LESSON_WORK */
} Course;

/* Finds the data folder, reads languages and themes, lists the lessons (loads none).
 * False with errors that say where it looked. The caller finishes it either way. */
bool course_init(Course *course, ErrorList *errors);

/* Returns the first unit of the ring that a course or a unit is in; the course itself,
 * which has no ID, stands behind the last unit. NULL without units. */
const Course *course_first_unit(const Course *course);

/* Destroys the lessons and drops all else. */
void course_finish(Course *course);

/* Notes the first error that reports a lack of memory, or an unreadable file (NULL: the
 * error names it): the program then continues as if the wanted data didn't exist. */
void course_note_missing(Course *course, const char *file, const Error *errors,
                         size_t count);

/* False with that error. */
bool course_is_whole(const Course *course, Error *error);

/* The terms in one of its languages. */
const Glossary *course_glossary(const Course *course, const Language *language);

/* Adds a lesson that has been written meanwhile, where it is one of the user's folder.
 * False, and no change, when it is not, or there is no room for it. */
bool course_add(Course *course, const char *path);

/* Adds any file to the list if it exists and isn't listed yet. */
bool course_add_file(Course *course, const char *path);

/* The place, behind the course's own lessons, of the one that a file has; or course->all.
 */
size_t course_of_file(const Course *course, const char *path);

/* The place of the lesson with that id, the course's before the user's, or of the
 * course's with that number, "7"; or course->all. */
size_t course_find(const Course *course, const char *id);

/* Returns the name that commands find a lesson by: its ID, or its path if an earlier
 * lesson has that ID. */
const char *course_name(const Course *course, size_t index);

/* The id nearest to one that isn't there, or NULL. */
const char *course_nearest(const Course *course, const char *id);

/* Returns the part of a lesson's file that is about the lesson as a whole, without
 * computing the lesson. */
const LessonHead *course_head(Course *course, size_t index);

/* Returns what the lesson is searched by, without computing the lesson. */
const LessonContents *course_contents(Course *course, size_t index);

/* The first lesson with stations of the tour; course->count where none has. */
size_t course_touring(Course *course);

/* Returns the lesson to begin with: the one that says so, or else the first. */
size_t course_beginning(Course *course);

/* The lesson to go on with after one of the course's own, and the one before it;
 * course->count where there is none. A unit goes in its playlist's order; the course
 * starts with the lesson to begin with, and then has all others in theirs. */
size_t course_after(Course *course, size_t index);
size_t course_before(Course *course, size_t index);

/* Its title; its id where that can't be read. */
const char *course_title(Course *course, size_t index, const Language *language);

/* Destroys what an entry has loaded. */
void course_lesson_finish(CourseLesson *entry);

/* The lessons that a lesson builds on, "8 One attention head · 9 Shapes"; NULL without
 * memory. */
const char *course_needs(Course *course, const Lesson *lesson, const Language *language,
                         Arena *arena);

/* The id that a name without a lesson may have meant; fills errors with a sentence. */
void course_explain_unknown(const Course *course, const char *name, ErrorList *errors);

/* True if a name is a file's path rather than an ID. */
bool course_is_path(const char *name);

/* A lesson of the course, or of the user's, loaded once and kept; NULL with errors when
 * it can't be read. Errors are given at the first call only. */
Lesson *course_lesson(Course *course, size_t index, ErrorList *errors);

/* Reads a lesson's file with options (NULL: none) and the course's limit of work. */
Lesson *course_load(const Course *course, const char *path, const LessonOptions *options,
                    ErrorList *errors);

/* The lesson that a command names, by its ID, number or path, with course->text in it,
 * where there is one; the caller destroys it. NULL with errors: ERROR_USAGE for an ID
 * that there isn't, else what lesson_load finds. */
Lesson *course_open(const Course *course, const char *name, ErrorList *errors);

/* The id of the lesson that takes any text. */
#define COURSE_TYPE_ANYTHING "38-type-anything"

/* ---- Units: what a playlist makes of the course. A unit is a course itself, with the
 * playlist's lessons in its order and under its parts' names, so that all that goes
 * through a course goes through it. */

/* True if the data folder has a playlist of that ID, "university". */
bool unit_is_id(const char *word);

/* Makes a unit of a playlist, which is named by its path or its ID: of the course's
 * lessons and of files beside the playlist; all but its lessons is the course's, which
 * outlives it. It joins the ring of course->next, unless it is there already; the course
 * finishes it. NULL with errors at their places: what playlist_read finds, and ERROR_NAME
 * for a lesson that there isn't. */
Course *unit_open(Course *course, const char *name, ErrorList *errors);

/* Opens all playlists of the data folder; those with errors are left out. */
void unit_open_all(Course *course);

/* ---- Variants: a lesson with the learner's own text or with a changed model; and the
 * list of variants, so that they can be undone like every change. */

typedef struct Variant {
    const char *text; /* NULL: the lesson's own */
    LessonSwitches switches;
    bool bare; /* without the changes that its file has in it */
} Variant;     /* {0}: as the file has it */

typedef enum VariantMove {
    VARIANT_STAYS,
    VARIANT_NEW,
    VARIANT_BACK,
    VARIANT_ON
} VariantMove;

enum { VARIANTS_MAX = 16 };

/* Owns the texts in the list. {0}: none. */
typedef struct Variants {
    const CourseLesson *entry; /* the lesson that they are of */
    size_t count, at;          /* at: the present one */
    Variant list[VARIANTS_MAX];
} Variants;

/* Returns the variant that the shown lesson of an entry is. Borrows the lesson's text. */
Variant variant_of(const Lesson *lesson, const CourseLesson *entry);

bool variant_is_plain(const Variant *variant);
bool variant_is_switched(const Variant *variant);

/* True if a lesson was read with another text than its file's first or with a changed
 * model, as a variant or by its file's `changes:`. */
bool variant_in(const Lesson *lesson);

/* The variant before the present one, or behind it; NULL where there is none. */
const Variant *variant_before(const Variants *variants);
const Variant *variant_behind(const Variants *variants);

/* A lesson is shown as `now` is, come to by `move`. Of another entry than before only
 * that it once was plain is known. */
void variant_note(Variants *variants, const CourseLesson *entry, const Variant *now,
                  VariantMove move);

/* Forgets those behind the present one: something else has been changed. */
void variant_forget_behind(Variants *variants);

void variant_finish(Variants *variants);

/* Variants: a lesson with the learner's own text or with a changed model; and the list
 * of variants, so that they can be undone like every change. */
#pragma once

#include "course/course.h"
#include "lesson/content/choices.h"

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

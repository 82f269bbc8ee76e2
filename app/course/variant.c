#include "course/course.h"

#include "lesson/content/content.h"

#include <stdlib.h>
#include <string.h>

Variant variant_of(const Lesson *lesson, const CourseLesson *entry) {
    if (lesson != entry->own)
        return (Variant){0};
    return (Variant){
        .text = lesson->own_text, .switches = lesson->switches, .bare = lesson->bare};
}

bool variant_is_switched(const Variant *variant) {
    return lesson_switches_any(&variant->switches);
}

bool variant_is_plain(const Variant *variant) {
    return !variant->text && !variant_is_switched(variant) && !variant->bare;
}

bool variant_in(const Lesson *lesson) {
    return lesson->own_text || lesson_switches_any(&lesson->switches);
}

const Variant *variant_before(const Variants *variants) {
    return variants->at ? &variants->list[variants->at - 1] : NULL;
}

const Variant *variant_behind(const Variants *variants) {
    return variants->at + 1 < variants->count ? &variants->list[variants->at + 1] : NULL;
}

static void drop(Variants *variants, size_t place) {
    free((char *)variants->list[place].text);
    variants->count--;
    for (; place < variants->count; place++)
        variants->list[place] = variants->list[place + 1];
}

static void append(Variants *variants, const Variant *now) {
    if (variants->count == VARIANTS_MAX)
        drop(variants, 0); /* the oldest */
    Variant *last = &variants->list[variants->count];
    *last = *now;
    last->text = now->text ? strdup(now->text) : NULL;
    variants->at = variants->count++;
}

void variant_note(Variants *variants, const CourseLesson *entry, const Variant *now,
                  VariantMove move) {
    if (variants->entry != entry) {
        variant_finish(variants);
        *variants = (Variants){.entry = entry, .count = 1}; /* the file's own */
        if (!variant_is_plain(now))
            append(variants, now);
    } else if (move == VARIANT_NEW) {
        variant_forget_behind(variants);
        append(variants, now);
    } else if (move == VARIANT_BACK && variants->at) {
        variants->at--;
    } else if (move == VARIANT_ON && variant_behind(variants)) {
        variants->at++;
    }
}

void variant_forget_behind(Variants *variants) {
    while (variants->count > variants->at + 1)
        drop(variants, variants->count - 1);
}

void variant_finish(Variants *variants) {
    while (variants->count)
        drop(variants, variants->count - 1);
    *variants = (Variants){0};
}

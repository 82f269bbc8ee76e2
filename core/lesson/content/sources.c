#include "lesson/content/sources.h"

const LessonSource *lesson_source_of(const LessonSource *sources, size_t node) {
    while (sources && sources->node != node)
        sources = sources->next;
    return sources;
}

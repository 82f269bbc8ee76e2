/* Files that the page fetches when they are needed: letters that few pages show, and the
 * weights of lessons. Under node all files are there. */
#include "paint/paint_parts.h"
#include "window/window.h"

#include <emscripten.h>

// clang-format off
EM_JS(int, has_page, (void), { return Module['page'] ? 1 : 0; })
EM_JS(void, wake_page, (void), { Module['page'].wake(); })
EM_JS(void, tell_letters_missing, (void), { Module['page'].fetchLetters(); })
EM_JS(int, ask_for_lesson, (const char *path), {
    return Module['page'].fetchLesson(UTF8ToString(path)) ? 1 : 0;
})
// clang-format on

bool window_possible(void) {
    return has_page();
}

static void tell_read(void *context) {
    (void)context;
    if (has_page())
        wake_page();
}

static bool is_lesson_ready(void *context, const char *path) {
    (void)context;
    return ask_for_lesson(path);
}

LoaderWatch window_watch(void) {
    return (LoaderWatch){.done = tell_read, .ready = has_page() ? is_lesson_ready : NULL};
}

/* A browser lends no fonts' files; the page fetches the rest of the program's own. */
bool system_font_find(bool bold, uint32_t code_point, char path[SYSTEM_FONT_PATH],
                      int *index) {
    (void)bold, (void)code_point, (void)path, (void)index;
    if (has_page())
        tell_letters_missing();
    return false;
}

#include "commands/export.h"

#include "files/files.h"
#include "lesson/content/content.h"

bool export_no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory %s", EXPORT_MUCH);
}

void export_show_progress(const Export *export, size_t done, size_t count) {
    enum { WIDTH = 40 };
    static const char bar[] = "########################################";
    if (!export->shows_progress)
        return;
    fputs("\r\033[K", stderr);
    if (count)
        print_to(stderr, "%s [%-*.*s] %zu of %zu", export->lesson->id, WIDTH,
                 (int)(WIDTH * done / count), bar, done, count);
}

Sheet *export_sheet(Export *export, size_t thread, Error *error) {
    Sheet **sheet = &export->sheets[thread];
    if (!*sheet)
        *sheet = sheet_create(export->line->width, export->line->height, error);
    if (*sheet)
        sheet_set_millimetres(*sheet, export->line->millimetres);
    return *sheet;
}

#include "paint/paint_parts.h"

/* Windows has no fontconfig. */
bool system_font_find(bool bold, uint32_t code_point, char path[SYSTEM_FONT_PATH],
                      int *index) {
    (void)bold, (void)code_point, (void)path, (void)index;
    return false;
}

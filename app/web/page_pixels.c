#include "web/page_window.h"

void page_turn_bytes(uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = pixels[i];
        pixels[i] = (pixel & 0xFF00FF00u) | (pixel >> 16 & 0xFF) | (pixel & 0xFF) << 16;
    }
}

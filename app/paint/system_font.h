/* A font of the system's, for characters that the program's own don't have. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { SYSTEM_FONT_PATH = 4096 };

/* The best outline font with the character, and which face of the file it is. False when
 * there is none. For one thread at a time. */
bool system_font_find(bool bold, uint32_t code_point, char path[SYSTEM_FONT_PATH],
                      int *index);

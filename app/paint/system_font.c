#include "paint/paint_parts.h"

#include <fontconfig/fontconfig.h>
#include <stdio.h>

enum { FONTCONFIG_BYTES = 32 << 20 }; /* more than it takes */

/* Returns fontconfig's best outline font with the character, or NULL. */
static FcPattern *match(bool bold, uint32_t code_point) {
    FcResult result = FcResultNoMatch;
    FcCharSet *characters = FcCharSetCreate();
    FcCharSetAddChar(characters, code_point);
    FcPattern *pattern = FcPatternBuild(
        NULL, FC_FAMILY, FcTypeString, "sans-serif", FC_CHARSET, FcTypeCharSet,
        characters, FC_WEIGHT, FcTypeInteger, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR,
        FC_SCALABLE, FcTypeBool, FcTrue, FC_COLOR, FcTypeBool, FcFalse, (char *)NULL);
    FcConfigSubstitute(NULL, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcPattern *found = FcFontMatch(NULL, pattern, &result);
    FcPatternDestroy(pattern);
    FcCharSetDestroy(characters);
    return found;
}

bool system_font_find(bool bold, uint32_t code_point, char path[SYSTEM_FONT_PATH],
                      int *index) {
    FcPattern *found = libraries_have(FONTCONFIG_BYTES) ? match(bold, code_point) : NULL;
    FcChar8 *file = NULL;
    if (!found)
        return false;
    bool good =
        FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch &&
        FcPatternGetInteger(found, FC_INDEX, 0, index) == FcResultMatch &&
        snprintf(path, SYSTEM_FONT_PATH, "%s", (const char *)file) < SYSTEM_FONT_PATH;
    *index &= 0xFFFF; /* above stands a variable font's instance */
    FcPatternDestroy(found);
    return good;
}

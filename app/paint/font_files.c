#include "paint/font_files.h"

#include <fontconfig/fontconfig.h>
#include <hb-ot.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FAMILIES_MAX = 3 };

/* Where a face comes from: families in order of preference, and the Debian package of the
 * first. */
typedef struct FaceSource {
    const char *families[FAMILIES_MAX];
    bool bold;
    const char *package;
    const char *without; /* what happens when it is missing */
} FaceSource;

static const FaceSource sources[FACE_COUNT] = {
    [FACE_TEXT] = {{"DejaVu Sans"}, false, "fonts-dejavu-core", NULL},
    [FACE_BOLD] = {{"DejaVu Sans"}, true, "fonts-dejavu-core", "headings are not bold"},
    [FACE_MATH] = {{"TeX Gyre Termes Math", "DejaVu Math TeX Gyre", "DejaVu Serif"},
                   false,
                   "fonts-texgyre-math",
                   "formulas are set in another font"},
    [FACE_CJK] = {{"Noto Sans CJK SC"},
                  false,
                  "fonts-noto-cjk",
                  "Chinese text shows as empty boxes"},
    [FACE_CJK_BOLD] = {{"Noto Sans CJK SC"},
                       true,
                       "fonts-noto-cjk",
                       "Chinese headings are not bold"},
    [FACE_MONO] = {{"DejaVu Sans Mono"},
                   false,
                   "fonts-dejavu-core",
                   "code is set in the font of the text"},
};

/* The fonts of a role, in the order they are asked for a glyph. */
static const FontFace chains[FONT_COUNT][FACE_COUNT + 1] = {
    [FONT_TEXT] = {FACE_TEXT, FACE_CJK, FACE_MATH, FACE_NONE},
    [FONT_BOLD] = {FACE_BOLD, FACE_CJK_BOLD, FACE_TEXT, FACE_CJK, FACE_MATH, FACE_NONE},
    [FONT_MATH] = {FACE_MATH, FACE_TEXT, FACE_CJK, FACE_NONE},
    [FONT_MONO] = {FACE_MONO, FACE_TEXT, FACE_CJK, FACE_MATH, FACE_NONE},
};

/* For a formula font without a MATH table. Source: The TeXbook, appendix G, with Computer
 * Modern's parameters at 10 pt. */
static const MathConstants computer_modern = {
    .axis_height = 0.25,
    .rule_thickness = 0.04,
    .numerator_shift = 0.677,
    .denominator_shift = 0.686,
    .numerator_gap = 0.12,
    .denominator_gap = 0.12,
    .superscript_shift = 0.413,
    .subscript_shift = 0.15,
    .script_gap = 0.16,
    .script_scale = 0.7,
    .radical_gap = 0.148,
    .radical_rule_thickness = 0.04,
    .radical_extra_ascender = 0.04,
};

/* Guards what follows, and fontconfig while it is in use. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool found;
static FontFiles process_files;
static FcCharSet *coverage[FACE_COUNT];

/* Fills a face from the best match of a family; false when that is another family. */
static bool match_family(FcConfig *config, const char *family, bool bold, FontFace face) {
    bool matched = false;
    FcResult result = FcResultNoMatch;
    FcPattern *pattern = FcPatternBuild(
        NULL, FC_FAMILY, FcTypeString, family, FC_WEIGHT, FcTypeInteger,
        bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR, FC_SLANT, FcTypeInteger,
        FC_SLANT_ROMAN, FC_WIDTH, FcTypeInteger, FC_WIDTH_NORMAL, (char *)NULL);
    if (!pattern)
        return false;
    FcDefaultSubstitute(pattern);
    FcPattern *match = FcFontMatch(config, pattern, &result);
    FcPatternDestroy(pattern);
    if (!match)
        return false;
    FontFile *file = &process_files.faces[face];
    FcChar8 *name = NULL, *path = NULL;
    int index = 0, weight = 0;
    FcCharSet *characters = NULL;
    FcPatternGetInteger(match, FC_WEIGHT, 0, &weight);
    for (int i = 0; FcPatternGetString(match, FC_FAMILY, i, &name) == FcResultMatch; i++)
        matched = matched || strcmp((const char *)name, family) == 0;
    matched = matched && (weight >= FC_WEIGHT_DEMIBOLD) == bold &&
              FcPatternGetString(match, FC_FILE, 0, &path) == FcResultMatch &&
              FcPatternGetInteger(match, FC_INDEX, 0, &index) == FcResultMatch &&
              FcPatternGetCharSet(match, FC_CHARSET, 0, &characters) == FcResultMatch &&
              strlen((const char *)path) < sizeof file->path;
    if (matched) {
        strcpy(file->path, (const char *)path);
        file->index = index;
        file->family = family;
        file->bold = bold;
        coverage[face] = FcCharSetCopy(characters);
    }
    FcPatternDestroy(match);
    return matched;
}

/* Finds a face and says which package is missing when its first family is not there. */
static void find_face(FcConfig *config, FontFace face) {
    const FaceSource *source = &sources[face];
    int i = 0;
    while (i < FAMILIES_MAX && source->families[i] &&
           !match_family(config, source->families[i], source->bold, face))
        i++;
    if (i == 0 || !source->without)
        return;
    FontFiles *files = &process_files;
    snprintf(files->warnings[files->warning_count++], FONT_WARNING_SIZE,
             "the font '%s%s' is not installed, so %s; the Debian package %s has it",
             source->families[0], source->bold ? " Bold" : "", source->without,
             source->package);
}

static double constant(hb_font_t *font, hb_ot_math_constant_t which) {
    return (double)hb_ot_math_get_constant(font, which) /
           (double)hb_face_get_upem(hb_font_get_face(font));
}

/* Source: OpenType specification, "MATH - The Mathematical Typesetting Table". */
static void read_math_constants(const FontFile *file, MathConstants *math) {
    *math = computer_modern;
    hb_blob_t *blob = hb_blob_create_from_file(file->path);
    hb_face_t *face = hb_face_create(blob, (unsigned)file->index);
    hb_font_t *font = hb_font_create(face);
    if (hb_ot_math_has_data(face)) {
        math->axis_height = constant(font, HB_OT_MATH_CONSTANT_AXIS_HEIGHT);
        math->rule_thickness =
            constant(font, HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS);
        math->numerator_shift =
            constant(font, HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP);
        math->denominator_shift = constant(
            font, HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN);
        math->numerator_gap =
            constant(font, HB_OT_MATH_CONSTANT_FRACTION_NUM_DISPLAY_STYLE_GAP_MIN);
        math->denominator_gap =
            constant(font, HB_OT_MATH_CONSTANT_FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN);
        math->superscript_shift =
            constant(font, HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP);
        math->subscript_shift = constant(font, HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN);
        math->script_gap = constant(font, HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN);
        math->script_scale =
            hb_ot_math_get_constant(font, HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN) /
            100.0;
        math->radical_gap =
            constant(font, HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP);
        math->radical_rule_thickness =
            constant(font, HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS);
        math->radical_extra_ascender =
            constant(font, HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER);
    }
    hb_font_destroy(font);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
}

/* The folders that fonts are in nearly everywhere. Reading these alone takes a quarter of
 * the time that the system's many files of rules do, and those rules are about other
 * things than where to find a family. NULL when it can't be had, or when the environment
 * says where else to look. */
static FcConfig *usual_folders(void) {
    static const char folders[] =
        "<?xml version=\"1.0\"?><fontconfig>"
        "<dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir>"
        "<dir>/usr/share/texmf/fonts/opentype/public/tex-gyre-math</dir>"
        "<dir prefix=\"xdg\">fonts</dir><dir>~/.fonts</dir>"
        "<cachedir>/var/cache/fontconfig</cachedir>"
        "<cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>";
    if (getenv("FONTCONFIG_FILE") || getenv("FONTCONFIG_PATH") ||
        getenv("FONTCONFIG_SYSROOT"))
        return NULL;
    FcConfig *config = FcConfigCreate();
    if (config &&
        FcConfigParseAndLoadFromMemory(config, (const FcChar8 *)folders, FcFalse) &&
        FcConfigBuildFonts(config))
        return config;
    if (config)
        FcConfigDestroy(config);
    return NULL;
}

/* Whether every face's first family is there. */
static bool find_faces(FcConfig *config) {
    process_files.warning_count = 0;
    find_face(config, FACE_TEXT);
    if (!process_files.faces[FACE_TEXT].path[0])
        return false;
    for (FontFace face = FACE_BOLD; face < FACE_COUNT; face++)
        find_face(config, face);
    return process_files.warning_count == 0;
}

static void forget_faces(void) {
    for (FontFace face = 0; face < FACE_COUNT; face++) {
        process_files.faces[face] = (FontFile){0};
        if (coverage[face])
            FcCharSetDestroy(coverage[face]);
        coverage[face] = NULL;
    }
}

static bool find_all(Error *error) {
    FcConfig *config = usual_folders();
    bool complete = config && find_faces(config);
    if (config)
        FcConfigDestroy(config);
    if (!complete) {
        forget_faces();
        config = FcInitLoadConfigAndFonts();
        if (!config)
            return error_set(error, ERROR_FILE, 0, 0,
                             "fontconfig can't read its configuration; "
                             "reinstall the Debian package fontconfig-config");
        find_faces(config);
        FcConfigDestroy(config);
    }
    if (!process_files.faces[FACE_TEXT].path[0])
        return error_set(error, ERROR_FILE, 0, 0,
                         "the font '%s' is not installed; install the Debian package %s",
                         sources[FACE_TEXT].families[0], sources[FACE_TEXT].package);
    read_math_constants(&process_files.faces[FACE_MATH], &process_files.math);
    return true;
}

const FontFiles *font_files_find(Error *error) {
    pthread_mutex_lock(&lock);
    if (!found)
        found = find_all(error);
    bool usable = found;
    pthread_mutex_unlock(&lock);
    return usable ? &process_files : NULL;
}

FontFace font_files_face(const FontFiles *files, FontRole role, uint32_t code_point) {
    for (const FontFace *face = chains[role]; *face != FACE_NONE; face++) {
        if (files->faces[*face].path[0] && FcCharSetHasChar(coverage[*face], code_point))
            return *face;
    }
    return FACE_NONE;
}

/* Fuzz targets of the interface's files: strings, colours, formulas. */
#include "target.h"

#include "../fixed_metrics.h"
#include "base/strings/aloud.h"
#include "base/strings/glossary.h"
#include "base/strings/utf8.h"
#include "lesson/read/lesson_files.h"
#include "picture/formula/formula.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 << 20 };

/* The words of a language, and of a glossary. */
void target_run_language(const uint8_t *bytes, size_t length) {
    static ErrorList errors;
    memset(&errors, 0, sizeof errors);
    Arena *arena = arena_create(ROOM);
    const Language *language =
        language_parse(arena, "en.yaml", (const char *)bytes, length, &errors);
    target_expect_errors(language != NULL, &errors);
    const char *arguments[] = {"\xE4\xBD\xA0", NULL, "{0}"};
    char out[100];
    for (size_t i = 0; language && i < language->count; i++) {
        const LanguageWord *word = &language->words[i];
        TARGET_EXPECT(language_words(language, word->key) == word->words);
        size_t whole = language_write(out, sizeof out, language, word->key, 3, arguments);
        TARGET_EXPECT(strlen(out) == (whole < sizeof out ? whole : sizeof out - 1));
    }
    if (language) {
        Glossary glossary = glossary_of(language, arena);
        for (size_t i = 0; i < glossary.count; i++) {
            const char *say = glossary.terms[i].say;
            size_t taken;
            for (size_t at = 0; at < strlen(say) && at < 200; at++)
                TARGET_EXPECT(glossary_at(&glossary, say, at, &taken) == glossary.count ||
                              (taken > 0 && at + taken <= strlen(say)));
            glossary_matches(&glossary.terms[i], "q");
        }
    }
    arena_destroy(arena);
}

void target_run_themes(const uint8_t *bytes, size_t length) {
    static ErrorList errors;
    memset(&errors, 0, sizeof errors);
    Arena *arena = arena_create(ROOM);
    Themes themes;
    bool good = themes_load(arena, target_file(bytes, length), &themes, &errors);
    target_expect_errors(good, &errors);
    TARGET_EXPECT(!good || (themes.count > 0 &&
                            themes_lookup(&themes, themes.items[0].name) != NULL));
    arena_destroy(arena);
}

/* Typeset and read aloud, too, whether it is understood or not. */
void target_run_formula(const uint8_t *bytes, size_t length) {
    static const Theme theme = {.name = "none"};
    static const Language language = {.code = "en"};
    char *source = target_text(bytes, length);
    Arena *arena = arena_create(ROOM);
    TextMetrics metrics = fixed_metrics();
    FormulaExtent extent = formula_measure(arena, &metrics, &theme, source, 23);
    TARGET_EXPECT(isfinite(extent.width) && extent.width >= 0);
    Scene scene;
    scene_init(&scene, arena, 1600, 900, theme.page);
    scene_set_language(&scene, &language);
    formula_draw(&scene, &metrics, &theme, source, 23, (Point){10, 100});
    TARGET_EXPECT(scene_read(&scene, arena) != NULL);
    const char *aloud = aloud_text(arena, &language, source);
    TARGET_EXPECT(utf8_check(source, strlen(source)) < strlen(source) ||
                  utf8_check(aloud, strlen(aloud)) == strlen(aloud));
    arena_destroy(arena);
    free(source);
}

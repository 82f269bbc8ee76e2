/* Targets: each hands bytes to one reader and looks at what comes back. libFuzzer makes
 * up the bytes (libfuzzer.c), the ordinary tests replay those that were kept (replay.c).
 */
#pragma once

#include "base/error.h"
#include "lesson/play/player.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Target {
    const char *name; /* its seeds are in seeds/NAME */
    void (*run)(const uint8_t *bytes, size_t length);
    const char
        *more; /* files of the project's that are seeds too, "lessons/…"; or NULL */
    void (*words)(void); /* prints what its grammar has words for; NULL: it has none */
} Target;

/* In the order that they are run in; the last has no name. */
extern const Target targets[];

/* NULL where there is none. */
const Target *target_find(const char *name);

/* ---- for targets ---- */

/* Ends the program, with a sentence, where a reader didn't keep what it promises. */
#define TARGET_EXPECT(good) target_expect(good, #good, __FILE__, __LINE__)
void target_expect(bool good, const char *what, const char *file, int line);

/* Errors are there exactly where reading failed, and each has a sentence. */
void target_expect_errors(bool read, const ErrorList *errors);
void target_expect_error(bool read, const Error *error);

/* The bytes as a text, which ends at the first zero; the caller frees it. */
char *target_text(const uint8_t *bytes, size_t length);

/* The bytes as a file, the same each time. */
const char *target_file(const uint8_t *bytes, size_t length);

/* A path within the source folder. */
const char *target_source(char path[1024], const char *within);

/* At the beginning of a lesson of the source folder, which is read once and kept. */
Player target_player(const char *within);

/* A word as libFuzzer's dictionaries have it, on a line. */
void target_print_word(const char *word);

/* ---- the targets: targets_lesson.c, … ---- */

void target_run_yaml(const uint8_t *bytes, size_t length);
void target_run_lesson(const uint8_t *bytes, size_t length);
void target_run_expression(const uint8_t *bytes, size_t length);
void target_run_evaluation(const uint8_t *bytes, size_t length);
void target_run_changes(const uint8_t *bytes, size_t length);
void target_run_answer(const uint8_t *bytes, size_t length);
void target_run_playlist(const uint8_t *bytes, size_t length);
void target_words_lesson(void);
void target_words_expression(void);
void target_words_changes(void);
void target_words_playlist(void);

/* targets_model.c */
void target_run_safetensors(const uint8_t *bytes, size_t length);
void target_run_checkpoint(const uint8_t *bytes, size_t length);
void target_run_tokenizer(const uint8_t *bytes, size_t length);

/* targets_picture.c */
void target_run_language(const uint8_t *bytes, size_t length);
void target_run_themes(const uint8_t *bytes, size_t length);
void target_run_formula(const uint8_t *bytes, size_t length);

/* targets_app.c */
void target_run_progress(const uint8_t *bytes, size_t length);
void target_run_memory(const uint8_t *bytes, size_t length);
void target_run_command_line(const uint8_t *bytes, size_t length);
void target_run_keys(const uint8_t *bytes, size_t length);
void target_run_link(const uint8_t *bytes, size_t length);
void target_run_session(const uint8_t *bytes, size_t length);
void target_words_keys(void);
void target_words_command_line(void);

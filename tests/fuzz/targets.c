#include "target.h"

#include "lesson/load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const Target targets[] = {
    {"yaml", target_run_yaml, "tests/fuzz/everything.yaml", target_words_lesson},
    {"lesson", target_run_lesson, "tests/lessons", target_words_lesson},
    {"expression", target_run_expression, NULL, target_words_expression},
    {"evaluation", target_run_evaluation, NULL, target_words_expression},
    {"changes", target_run_changes, NULL, target_words_changes},
    {"answer", target_run_answer, NULL, NULL},
    {"playlist", target_run_playlist, "lessons/playlists", target_words_playlist},
    {"safetensors", target_run_safetensors, NULL, NULL},
    {"checkpoint", target_run_checkpoint, NULL, NULL},
    {"tokenizer", target_run_tokenizer, "tests/reference/tokenizer_json", NULL},
    {"language", target_run_language, NULL, NULL},
    {"themes", target_run_themes, "assets/themes.yaml", NULL},
    {"formula", target_run_formula, NULL, NULL},
    {"progress", target_run_progress, NULL, NULL},
    {"memory", target_run_memory, NULL, NULL},
    {"command_line", target_run_command_line, NULL, target_words_command_line},
    {"keys", target_run_keys, NULL, target_words_keys},
    {"link", target_run_link, NULL, NULL},
    {"session", target_run_session, NULL, target_words_keys},
    {0},
};

const Target *target_find(const char *name) {
    const Target *target = targets;
    while (target->name && strcmp(target->name, name) != 0)
        target++;
    return target->name ? target : NULL;
}

/* ---- for targets ---- */

void target_expect(bool good, const char *what, const char *file, int line) {
    if (good)
        return;
    fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, what);
    abort();
}

static void expect_sentence(const Error *error) {
    TARGET_EXPECT(error->code != ERROR_NONE && error->message[0]);
}

void target_expect_errors(bool read, const ErrorList *errors) {
    TARGET_EXPECT(read == (errors->count == 0));
    for (size_t i = 0; i < errors->count; i++)
        expect_sentence(&errors->items[i]);
}

void target_expect_error(bool read, const Error *error) {
    if (!read)
        expect_sentence(error);
}

char *target_text(const uint8_t *bytes, size_t length) {
    char *text = malloc(length + 1);
    TARGET_EXPECT(text != NULL);
    if (length)
        memcpy(text, bytes, length);
    text[length] = 0;
    return text;
}

const char *target_file(const uint8_t *bytes, size_t length) {
    static char path[1024];
    const char *folder = getenv("TMPDIR");
    if (!*path) {
        snprintf(path, sizeof path, "%.900s/glassformer-fuzz-XXXXXX",
                 folder ? folder : "/tmp");
        TARGET_EXPECT(mkdtemp(path) != NULL);
        strcat(path, "/file");
    }
    FILE *file = fopen(path, "wb");
    TARGET_EXPECT(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
    return path;
}

const char *target_source(char path[1024], const char *within) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    TARGET_EXPECT(source != NULL);
    snprintf(path, 1024, "%s/%s", source, within);
    return path;
}

Player target_player(const char *within) {
    enum { KEPT_MOST = 4 };
    static struct Kept {
        const char *within;
        Lesson *lesson;
        Player player;
    } kept[KEPT_MOST];
    static ErrorList errors;
    char path[1024];
    size_t i = 0;
    while (i < KEPT_MOST && kept[i].within && strcmp(kept[i].within, within) != 0)
        i++;
    TARGET_EXPECT(i < KEPT_MOST);
    if (!kept[i].within) {
        kept[i].within = within;
        kept[i].lesson = lesson_load(target_source(path, within), NULL, &errors);
        TARGET_EXPECT(kept[i].lesson && player_init(&kept[i].player, kept[i].lesson));
    }
    return kept[i].player;
}

void target_print_word(const char *word) {
    putchar('"');
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            printf("\\%c", *word);
        else if (*word >= ' ' && *word < 0x7F)
            putchar(*word);
        else
            printf("\\x%02X", (unsigned char)*word);
    }
    puts("\"");
}

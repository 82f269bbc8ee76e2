/* Fuzz targets of model files: safetensors, checkpoints, tokenizers. */
#include "lesson/content/content.h"
#include "target.h"
#include "text/vocabulary.h"

#include "lesson/model/learning.h"
#include "model/learn/train.h"
#include "model/weights/weights.h"
#include "text/file/tokenizer_file.h"

#include <string.h>

enum { ROOM = 64 << 20, CELLS_MOST = 256, UPDATES = 2 };

void target_run_safetensors(const uint8_t *bytes, size_t length) {
    Arena *arena = arena_create(ROOM);
    Safetensors read;
    Error error = {0};
    bool good = safetensors_read(&read, arena, "f", bytes, length, &error);
    target_expect_error(good, &error);
    for (size_t i = 0; good && i < read.count; i++) {
        const SafetensorsTensor *tensor = &read.tensors[i];
        double cells[CELLS_MOST];
        size_t count = tensor->cells < CELLS_MOST ? tensor->cells : CELLS_MOST;
        TARGET_EXPECT(safetensors_tensor(&read, tensor->name) == tensor);
        if (safetensors_type_is_real(tensor->type)) {
            safetensors_values(cells, tensor, 0, count);
            safetensors_values(cells, tensor, tensor->cells - count, count);
        }
    }
    if (good)
        target_expect_error(safetensors_check_finite(&read, "f", &error), &error);
    arena_destroy(arena);
}

/* Held against a small model that learns, which goes on from it. */
void target_run_checkpoint(const uint8_t *bytes, size_t length) {
    const Lesson *lesson = target_player("tests/fuzz/learning.yaml").lesson;
    Arena *arena = arena_create(ROOM);
    TrainOptions options = lesson->training->options;
    Weights weights;
    Error error = {0};
    Trainer *trainer = lesson_trainer(lesson, arena, &options, &error);
    TARGET_EXPECT(trainer != NULL);
    target_expect_error(
        weights_read(&weights, arena, "f", bytes, length, &lesson->model->shape, &error),
        &error);
    bool good = checkpoint_read(trainer, arena, "f", bytes, length, &error);
    target_expect_error(good, &error);
    for (size_t i = 0; good && i < UPDATES; i++)
        trainer_update(trainer, NULL);
    uint8_t *again;
    size_t again_length;
    if (good)
        target_expect_error(
            checkpoint_write(trainer, arena, &again, &again_length, &error), &error);
    arena_destroy(arena);
}

/* A tokenizer.json, and behind a zero a text that it is to cut. */
void target_run_tokenizer(const uint8_t *bytes, size_t length) {
    static const char USUAL[] =
        "When you play, isn't it 2 games? \xE4\xBD\xA0\xE5\xA5\xBD";
    const char *json = (const char *)bytes, *text = USUAL;
    const char *end = length ? memchr(json, 0, length) : NULL;
    size_t json_length = end ? (size_t)(end - json) : length;
    size_t text_length = end ? length - json_length - 1 : sizeof USUAL - 1;
    if (end)
        text = end + 1;
    Arena *arena = arena_create(ROOM);
    Tokenizer tokenizer;
    TextPieces pieces;
    Error error = {0};
    bool good =
        tokenizer_file_read(&tokenizer, arena, "t.json", json, json_length, &error);
    target_expect_error(good, &error);
    bool cut =
        good && tokenizer_cut(&pieces, &tokenizer, arena, text, text_length, &error);
    if (good)
        target_expect_error(cut, &error);
    for (size_t i = 0; cut && i < pieces.count; i++) {
        const TextPiece *piece = &pieces.items[i];
        TARGET_EXPECT(piece->offset <= text_length &&
                      piece->length <= text_length - piece->offset);
        TARGET_EXPECT(piece->kind == TEXT_PIECE_UNKNOWN ||
                      vocabulary_lookup_id(tokenizer.vocabulary, piece->id));
    }
    arena_destroy(arena);
}

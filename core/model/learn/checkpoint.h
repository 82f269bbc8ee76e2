/* Checkpoints: the state of a training in a safetensors file, to resume from.
 *
 * The file has the parameters under PyTorch's names (see model/weights/weights.h), so it
 * can be used as a weights file; Adam's moments as "optimizer.exp_avg.PARAMETER" and
 * "optimizer.exp_avg_sq.PARAMETER"; the epochs so far as "optimizer.history" (loss,
 * accuracy, gradient norm); and as metadata the progress, the state of the random numbers
 * and the training's identity (trainer_identity). All functions run under the arena's
 * guard. */
#pragma once

#include "model/learn/train.h"

/* Writes the trainer's present state to bytes, new in the arena; equal states give equal
 * bytes. ERROR_LIMIT. */
bool checkpoint_write(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                      size_t *length, Error *error);

/* Writes the trainer's weights alone, as F32, to bytes that are new in the arena. */
bool checkpoint_write_weights(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                              size_t *length, Error *error);

/* Restores the trainer's state from a file; `file` names it in messages. The trainer must
 * not have started; on failure it still has not. ERROR_VALUE if the file is no
 * checkpoint, or one of another lesson, model or options; otherwise the errors of
 * safetensors_read, weights_read and trainer_restore. */
bool checkpoint_read(Trainer *trainer, Arena *arena, const char *file,
                     const uint8_t *bytes, size_t length, Error *error);

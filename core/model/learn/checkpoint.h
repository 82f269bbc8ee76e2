/* Checkpoints: a training as a safetensors file, so that it can go on from there.
 *
 * The file has the parameters under PyTorch's names (see model/weights/weights.h), so
 * that it can be used as weights as it is; Adam's moments as
 * "optimizer.exp_avg.PARAMETER" and "optimizer.exp_avg_sq.PARAMETER", and the epochs so
 * far as "optimizer.history" (loss, accuracy, gradient norm); and in its notes how far
 * the training is, the random numbers' state, and which training it is
 * (trainer_identity). Both are done under the arena's guard. */
#ifndef MODEL_CHECKPOINT_H
#define MODEL_CHECKPOINT_H

#include "model/learn/train.h"

/* The trainer's present state as a file's bytes, new in the arena: the same for the same
 * state. ERROR_LIMIT. */
bool checkpoint_write(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                      size_t *length, Error *error);

/* The trainer's weights alone as such a file's bytes, F32, new in the arena. */
bool checkpoint_write_weights(const Trainer *trainer, Arena *arena, uint8_t **bytes,
                              size_t *length, Error *error);

/* Puts the trainer into the state of a file; `file` names it in sentences. The trainer
 * must not have begun; on failure it still has not. ERROR_VALUE when the file is no
 * checkpoint, or one of another training: of another lesson, model or with other options;
 * and what safetensors_read, weights_read and trainer_restore say. */
bool checkpoint_read(Trainer *trainer, Arena *arena, const char *file,
                     const uint8_t *bytes, size_t length, Error *error);

#endif

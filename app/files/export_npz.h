/* A lesson's tensors as a file. */
#pragma once

#include "lesson/play/player.h"

typedef struct Error Error;

/* Writes the tensors that `show --json` lists, each once: given ones, and the result of
 * every operation. They are called by name; a tensor without a name, or with an earlier
 * one's, by the path of its step. ERROR_FILE, ERROR_LIMIT, ERROR_MEMORY. */
bool export_npz(const Player *player, const char *path, Error *error);

/* Writes the same tensors as comma-separated values, one row per cell: tensor, row,
 * column (from 0, as in NumPy) and value, with all its digits. ERROR_FILE, ERROR_MEMORY,
 * ERROR_WORK. */
bool export_csv(const Player *player, const char *path, Error *error);

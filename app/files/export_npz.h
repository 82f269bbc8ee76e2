/* A lesson's tensors as an npz file. */
#ifndef APP_EXPORT_NPZ_H
#define APP_EXPORT_NPZ_H

#include "lesson/play/player.h"

/* Writes the tensors that `show --json` lists, each once: given ones, and what every
 * operation makes. They go by their names; one that has none, or a name that an earlier
 * one has, by the path of its step. ERROR_FILE, ERROR_LIMIT, ERROR_MEMORY. */
bool export_npz(const Player *player, const char *path, Error *error);

#endif

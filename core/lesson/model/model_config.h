/* config.json beside the weights of a `model:` block. */
#pragma once

#include "lesson/read/reader.h"
#include "model/weights/config.h"

/* Reads the config.json in the folder of the file of `model: {weights: {file: …}}` and
 * adds its values under the block's keys that the lesson doesn't give. Must be called
 * before the block is read by its schema. reader->config is then the configuration, or
 * NULL if there is none. False with an error if a value is not supported, or contradicts
 * the lesson. */
bool model_config_read(LessonReader *reader, const YamlNode *root);

/* config.json beside the weights of a `model:` block. */
#ifndef LESSON_MODEL_CONFIG_H
#define LESSON_MODEL_CONFIG_H

#include "lesson/read/reader.h"
#include "model/weights/config.h"

/* Reads the config.json in the folder of the file that `model: {weights: {file: …}}`
 * names and puts what it says under the block's keys, where the lesson doesn't say it. To
 * be called before the block is read by its schema. reader->config is then the
 * configuration, or NULL where there is none. False with an error where it can't be
 * honoured, or where the lesson says otherwise. */
bool model_config_read(LessonReader *reader, const YamlNode *root);

#endif

/* config.json, which stands beside published weights and says what they are computed
 * with.
 *
 * Three kinds of keys are told apart, in tables: those that the program honours, each as
 * a key of a lesson's `model:`; those that must have one of certain values, as another
 * one would change numbers in a way that the program doesn't compute; and those that
 * change no number. Any other key is refused, as is a `model_type` that is not known.
 * Sources: the published configurations of the model types, and the papers named in
 * layout.h. */
#ifndef MODEL_CONFIG_H
#define MODEL_CONFIG_H

#include "base/arena.h"
#include "base/error.h"

enum { CONFIG_MAX_BYTES = 1 << 20 };

/* A value that a model has by its configuration. */
typedef struct ConfigValue {
    const char *key;  /* of config.json; NULL: it follows from the model's type */
    int line, column; /* of that key, from 1; of `model_type` where it has none */
    const char *said; /* the value as config.json has it; the type where key is NULL */
    const char *name; /* the key of a lesson's `model:` */
    const char *text; /* the value as a lesson writes it */
    bool usual;       /* it is not said, but what holds then: a lesson may differ */
    bool most;        /* the lesson's may be smaller */
} ConfigValue;

typedef struct Config {
    const char *model_type; /* "llama" */
    const char *layout;     /* Layout.title of the weights' names */
    size_t count;
    const ConfigValue *values;
} Config;

/* Reads the file's `length` bytes; what it gives is new in the arena, which has a guard,
 * or static. `file` names it in sentences, which begin "FILE:LINE:COLUMN: ". ERROR_LIMIT,
 * ERROR_ENCODING, ERROR_SYNTAX, ERROR_MEMORY, ERROR_NAME for a key that is not known or
 * comes twice, ERROR_VALUE for one whose value can't be honoured. */
bool config_read(Config *config, Arena *arena, const char *file, const char *text,
                 size_t length, Error *error);

/* The value that it has under a key of lessons; NULL where it has none. */
const ConfigValue *config_value(const Config *config, const char *name);

#endif

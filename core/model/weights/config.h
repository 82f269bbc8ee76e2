/* config.json, the configuration file of published weights.
 *
 * Tables divide its keys in three kinds: those that map to a key of a lesson's `model:`;
 * those that must have one of certain values, because another one would change numbers in
 * a way that the program doesn't implement; and those that change no number. Any other
 * key is an error, as are an unknown `model_type` and keys that contradict each other.
 * Sources: the published configurations of the model types, and the papers named in
 * layout.h. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

enum { CONFIG_MAX_BYTES = 1 << 20 };

/* A value that the configuration gives to a model. */
typedef struct ConfigValue {
    const char *key;  /* key of config.json; NULL: it follows from the model's type */
    int line, column; /* position of that key, from 1; of `model_type` if key is NULL */
    /* The value as config.json has it; "absent"; the type if key is NULL. */
    const char *value_text;
    const char *name; /* key of a lesson's `model:` */
    const char *text; /* the value as a lesson writes it */
    bool usual;       /* a default that config.json doesn't state: a lesson may differ */
    bool most;        /* an upper limit: the lesson's may be smaller */
} ConfigValue;

/* A number in config.json that the model must agree with. */
typedef struct ConfigNumber {
    size_t number;    /* 0: not stated */
    int line, column; /* position of its key, from 1 */
} ConfigNumber;

typedef struct Config {
    const char *model_type; /* "llama" */
    const char *layout;     /* Layout.title of the weights' names */
    /* Parts of the names of linear maps that have no bias by the configuration, each with
     * a blank behind it: ".mlp. .o_proj. "; NULL: nothing is said of them. */
    const char *without_bias;
    ConfigNumber vocabulary; /* vocab_size: rows of the embedding table */
    ConfigNumber head_width; /* head_dim: columns of a head's queries */
    ConfigNumber list;       /* layer_types: length, the number of layers */
    size_t count;
    const ConfigValue *values;
} Config;

/* Reads the file's `length` bytes, after a byte order mark if there is one; the result is
 * new in the arena, which has a guard, or static. `file` names it in messages, which
 * begin "FILE:LINE:COLUMN: ". ERROR_LIMIT, ERROR_ENCODING, ERROR_SYNTAX, ERROR_MEMORY,
 * ERROR_NAME for an unknown or repeated key, ERROR_VALUE for a value that is not
 * supported or contradicts another key's. */
bool config_read(Config *config, Arena *arena, const char *file, const char *text,
                 size_t length, Error *error);

/* Returns the value for a key of lessons; NULL if there is none. */
const ConfigValue *config_value(const Config *config, const char *name);

/* Reports whether a tensor of that name is a bias that the configuration's model doesn't
 * have, so that adding it would compute another model. */
bool config_denies(const Config *config, const char *tensor);

/* The tables of config.json's keys. Private to core/model/weights. */

/* A set of model types, one bit for each. */
enum {
    CONFIG_GPT2 = 1,
    CONFIG_BERT = 2,
    CONFIG_LLAMA = 4,
    CONFIG_MISTRAL = 8,
    CONFIG_QWEN2 = 16,
    CONFIG_ROTARY = CONFIG_LLAMA | CONFIG_MISTRAL | CONFIG_QWEN2,
    CONFIG_ALL = CONFIG_GPT2 | CONFIG_BERT | CONFIG_ROTARY
};

/* A supported model type. */
typedef struct ConfigType {
    const char *name;
    unsigned bit;
    const char *layout;        /* Layout.title */
    const char *implied[9][2]; /* keys of a lesson's `model:`, and their values */
    const char *without_bias;  /* Config.without_bias; NULL: each map has one */
    const char *classes;       /* names for `architectures`, separated by blanks */
} ConfigType;

/* A known model type that is not supported; `sentence` continues after "whose". */
typedef struct ConfigOther {
    const char *name, *has;
} ConfigOther;

typedef enum ConfigKind {
    CONFIG_WHOLE,      /* a whole number above 0 */
    CONFIG_NUMBER,     /* a number above 0 */
    CONFIG_SWITCH,     /* true or false */
    CONFIG_ACTIVATION, /* name of an activation */
    CONFIG_GATE,       /* name of a gate's activation */
    CONFIG_BIASES,     /* a switch; one of several suffices */
    CONFIG_ROPE, /* rotary angles: an object of the type "default", with or without the
                  * base
                  */
    CONFIG_HEAD_WIDTH,  /* columns of a head: hidden_size / num_attention_heads */
    CONFIG_WINDOW,      /* sliding window: maximum number of tokens */
    CONFIG_LAYERS_FULL, /* a list of "full_attention", one for each layer */
    CONFIG_VOCABULARY,  /* rows of the embedding table */
    CONFIG_CLASSES      /* a list of names of the model type's classes */
} ConfigKind;

/* A key that is mapped to a key of lessons. Several keys of a model type may be mapped to
 * the same one; their values must then be equal. */
typedef struct ConfigKey {
    const char *key;
    unsigned types;
    ConfigKind kind;
    const char *name;  /* key of a lesson's `model:`; NULL: only checked */
    const char *usual; /* the lesson's value if the key is missing; NULL: none */
    bool nullable;     /* null counts as missing */
} ConfigKey;

/* A key that must have one of these values, in JSON, separated by blanks. */
typedef struct ConfigFixed {
    const char *key;
    const char *values;
    const char *else_needs; /* continues a message: what another value would need */
} ConfigFixed;

/* Each table ends with a row whose first member is NULL. */
extern const ConfigType CONFIG_TYPES[];
extern const ConfigOther CONFIG_OTHERS[];
extern const ConfigKey CONFIG_KEYS[];
extern const ConfigFixed CONFIG_FIXED[];
extern const char *const CONFIG_HARMLESS[];

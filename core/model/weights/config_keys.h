/* The tables of config.json's keys. Private to core/model/weights. */
#pragma once

#include <stdbool.h>

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

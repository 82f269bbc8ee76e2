/* The tables of config.json's keys. Private to core/model/weights. */
#ifndef MODEL_CONFIG_KEYS_H
#define MODEL_CONFIG_KEYS_H

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

/* A model type that is read. */
typedef struct ConfigType {
    const char *name;
    unsigned bit;
    const char *layout;        /* Layout.title */
    const char *implied[9][2]; /* keys of a lesson's `model:`, and their values */
} ConfigType;

/* A model type that is known and not read: its sentence goes on "whose". */
typedef struct ConfigOther {
    const char *name, *has;
} ConfigOther;

typedef enum ConfigKind {
    CONFIG_WHOLE,      /* a whole number above 0 */
    CONFIG_NUMBER,     /* a number above 0 */
    CONFIG_SWITCH,     /* true or false */
    CONFIG_ACTIVATION, /* a name of one */
    CONFIG_GATE,       /* the same, before a gate */
    CONFIG_BIASES,     /* a switch; one of several is enough */
    CONFIG_SCALING,    /* of rotary angles: an object whose type is "default" */
    CONFIG_ROPE,       /* the same, with the base in it */
    CONFIG_HEAD_WIDTH, /* hidden_size / num_attention_heads, and no other */
    CONFIG_WINDOW,     /* a text's most tokens, where there is a window */
    CONFIG_LAYERS_FULL /* a list of "full_attention" */
} ConfigKind;

/* A key that is honoured. */
typedef struct ConfigKey {
    const char *key;
    unsigned types;
    ConfigKind kind;
    const char *name;  /* the key of a lesson's `model:`; NULL where it only checks */
    const char *usual; /* the lesson's value where it isn't there; NULL: none */
    bool nullable;     /* null is as if it weren't there */
} ConfigKey;

/* A key that must have one of the values, as JSON has them, divided by blanks. */
typedef struct ConfigFixed {
    const char *key;
    const char *values;
    const char *else_needs; /* what another would need, as a sentence goes on */
} ConfigFixed;

/* Each ends with a row whose first member is NULL. A star behind a name is any rest. */
extern const ConfigType CONFIG_TYPES[];
extern const ConfigOther CONFIG_OTHERS[];
extern const ConfigKey CONFIG_KEYS[];
extern const ConfigFixed CONFIG_FIXED[];
extern const char *const CONFIG_HARMLESS[];

#endif

#include "model/weights/config.h"

#include "base/number.h"
#include "base/strings/utf8.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file being read. */
typedef struct Reader {
    Arena *arena;
    const char *file; /* name for messages */
    const char *text;
    size_t length;
    Error *error;
    json_t *root;
    Config *config;
    const ConfigType *type;
    ConfigValue *values;
    bool good;
} Reader;

typedef struct Place {
    int line, column;
} Place;

static bool fail_at(Reader *reader, ErrorCode code, Place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail_at(Reader *reader, ErrorCode code, Place at, const char *format, ...) {
    char file[UTF8_SHORT_SIZE], sentence[ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    utf8_shorten(file, reader->file, strlen(reader->file));
    return error_set(reader->error, code, 0, 0, "%s:%d:%d: %.*s", file, at.line,
                     at.column, (int)(ERROR_MESSAGE_SIZE - sizeof file - 30), sentence);
}

/* ---- positions in the file ---- */

/* Position of a byte; the column counts code points. */
static Place place_at(const Reader *reader, size_t byte) {
    Place at = {1, 1};
    for (size_t i = 0; i < byte; i++) {
        bool ends = reader->text[i] == '\n';
        at.line += ends;
        at.column =
            ends ? 1 : at.column + (((unsigned char)reader->text[i] & 0xC0) != 0x80);
    }
    return at;
}

/* Position of the outermost object's key `index`, in a text that has been parsed. */
static Place place_of(const Reader *reader, size_t index) {
    size_t depth = 0, begin = 0;
    for (size_t i = 0; i < reader->length; i++) {
        char c = reader->text[i];
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        if (c == '"') {
            begin = i;
            for (i++; i < reader->length && reader->text[i] != '"'; i++)
                i += reader->text[i] == '\\';
        }
        if (c == ':' && depth == 1 && index-- == 0)
            break;
    }
    return place_at(reader, begin);
}

/* Returns the position of an outermost key; for "rope_scaling.type", that of
 * "rope_scaling". */
static Place place_of_key(const Reader *reader, const char *wanted) {
    const char *key;
    json_t *value;
    size_t index = 0;
    json_object_foreach(reader->root, key, value) {
        size_t length = strlen(key);
        if (strncmp(key, wanted, length) == 0 &&
            (!wanted[length] || wanted[length] == '.'))
            return place_of(reader, index);
        index++;
    }
    return (Place){1, 1};
}

/* ---- values ---- */

/* A value in JSON, shortened; the characters live in `out`. */
static const char *shown(char out[UTF8_SHORT_SIZE], const json_t *value) {
    char *text =
        json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    utf8_shorten(out, text ? text : "?", text ? strlen(text) : 1);
    free(text);
    return out;
}

static bool refuse(Reader *reader, const char *key, const json_t *value,
                   const char *must) {
    char words[UTF8_SHORT_SIZE];
    return fail_at(reader, ERROR_VALUE, place_of_key(reader, key),
                   "'%s' is %s, but must be %s", key, shown(words, value), must);
}

const ConfigValue *config_value(const Config *config, const char *name) {
    for (size_t i = 0; i < config->count; i++) {
        if (strcmp(config->values[i].name, name) == 0)
            return &config->values[i];
    }
    return NULL;
}

bool config_denies(const Config *config, const char *tensor) {
    static const char suffix[] = "bias";
    size_t length = strlen(tensor), end = sizeof suffix - 1;
    if (!config->without_bias || length < end || strcmp(tensor + length - end, suffix))
        return false;
    for (const char *part = config->without_bias; *part;) {
        size_t size = strcspn(part, " ");
        for (const char *at = tensor; *at; at++) {
            if (strncmp(at, part, size) == 0)
                return true;
        }
        part += size + 1;
    }
    return false;
}

static ConfigValue *value_of(Reader *reader, const char *name) {
    const ConfigValue *found = config_value(reader->config, name);
    return found ? &reader->values[found - reader->values] : NULL;
}

/* Reports whether an earlier key of config.json gives this key of lessons another value.
 * The keys for biases don't conflict: one that is true suffices. */
static bool contradicts(const ConfigValue *kept, const char *text, const json_t *value) {
    return kept && kept->key && !kept->usual && value && strcmp(kept->text, text) != 0 &&
           strcmp(kept->name, "biases") != 0;
}

/* Stores the value of a key of lessons. A value from config.json replaces a default;
 * false with an error if it contradicts another value from config.json. */
static bool keep(Reader *reader, const char *name, const char *text, const char *key,
                 const json_t *value) {
    char words[UTF8_SHORT_SIZE];
    ConfigValue *kept = value_of(reader, name);
    Place at = place_of_key(reader, key ? key : "model_type");
    const char *value_text = value ? shown(words, value)
                             : key ? "absent"
                                   : reader->type->name;
    if (kept && (!value || (strcmp(name, "biases") == 0 && !kept->usual &&
                            strcmp(kept->text, "true") == 0)))
        return true;
    if (contradicts(kept, text, value))
        return fail_at(reader, ERROR_VALUE, at,
                       "'%s' is %s, but '%s' is %s; both are the same number, so one of "
                       "them must be corrected",
                       key, value_text, kept->key, kept->value_text);
    if (!kept)
        kept = &reader->values[reader->config->count++];
    *kept = (ConfigValue){.key = key,
                          .line = at.line,
                          .column = at.column,
                          .value_text =
                              arena_copy(reader->arena, value_text, strlen(value_text)),
                          .name = name,
                          .text = arena_copy(reader->arena, text, strlen(text)),
                          .usual = key && !value};
    return true;
}

static bool keep_number(Reader *reader, const ConfigKey *row, const char *key,
                        const json_t *value) {
    char text[NUMBER_SIZE];
    double number = json_number_value(value);
    bool whole = row->kind == CONFIG_WHOLE || row->kind == CONFIG_WINDOW;
    if (whole ? !json_is_integer(value) || json_integer_value(value) < 1
              : !json_is_number(value) || !(number > 0))
        return refuse(reader, key, value,
                      whole ? "a whole number above 0" : "a number above 0");
    if (whole)
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    else
        number_write(text, number);
    return keep(reader, row->name, text, key, value);
}

static bool keep_activation(Reader *reader, const ConfigKey *row, const json_t *value) {
    static const struct {
        const char *name, *text;
    } names[] = {{"relu", "relu"},          {"gelu", "gelu"},
                 {"gelu_new", "gelu_tanh"}, {"gelu_pytorch_tanh", "gelu_tanh"},
                 {"silu", "silu"},          {"swish", "silu"}};
    bool gate = row->kind == CONFIG_GATE;
    const char *word = json_is_string(value) ? json_string_value(value) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool silu = strcmp(names[i].text, "silu") == 0;
        if (strcmp(names[i].name, word) != 0 || (gate && !silu))
            continue;
        return keep(reader, row->name, gate ? "swiglu" : names[i].text, row->key, value);
    }
    return refuse(reader, row->key, value,
                  gate ? "\"silu\": the gates that are computed are SiLU's"
                       : "one of relu, gelu, gelu_new, gelu_pytorch_tanh, silu; no other "
                         "is computed");
}

/* Accepts only rotary angles that are not scaled, because scaling, such as by the length
 * of the text, is not implemented. The object may contain the base. */
static bool check_rope(Reader *reader, const ConfigKey *row, const json_t *value) {
    const char *key;
    json_t *inner;
    const json_t *base = json_object_get(value, "rope_theta");
    size_t types = 0;
    json_object_foreach((json_t *)value, key, inner) {
        bool is_type = strcmp(key, "rope_type") == 0 || strcmp(key, "type") == 0;
        if (!is_type && strcmp(key, "rope_theta") != 0)
            return refuse(reader, row->key, value,
                          "an object with the keys rope_type and rope_theta; another key "
                          "would need rotary angles that are scaled");
        types += is_type && json_is_string(inner) &&
                 strcmp(json_string_value(inner), "default") == 0;
    }
    if (!types || types + (base != NULL) < json_object_size(value))
        return refuse(
            reader, row->key, value,
            "null, or of the type \"default\"; another would need rotary angles "
            "that are scaled");
    return !base ||
           keep_number(reader, row,
                       arena_format(reader->arena, "%s.rope_theta", row->key), base);
}

static ConfigNumber number_at(const Reader *reader, const ConfigKey *row, size_t number) {
    Place at = place_of_key(reader, row->key);
    return (ConfigNumber){number, at.line, at.column};
}

static bool keep_layers(Reader *reader, const ConfigKey *row, const json_t *value) {
    size_t count = json_array_size(value);
    bool full = count > 0;
    for (size_t i = 0; full && i < count; i++) {
        const json_t *item = json_array_get(value, i);
        full = json_is_string(item) &&
               strcmp(json_string_value(item), "full_attention") == 0;
    }
    reader->config->list = number_at(reader, row, count);
    return full || refuse(reader, row->key, value,
                          "a list of \"full_attention\", one for each layer; another "
                          "would need a mask of its own");
}

/* Reports whether the model uses `sliding_window`, which a Qwen2 configuration can turn
 * off. */
static bool has_window(const Reader *reader) {
    return reader->type->bit != CONFIG_QWEN2 ||
           json_is_true(json_object_get(reader->root, "use_sliding_window"));
}

static bool keep_window(Reader *reader, const ConfigKey *row, const json_t *value) {
    if (!has_window(reader))
        return true;
    if (!keep_number(reader, row, row->key, value))
        return false;
    value_of(reader, row->name)->most = true;
    return true;
}

/* Stores a number that is compared with the finished model, because it may depend on
 * defaults that a lesson replaces. */
static bool keep_checked(Reader *reader, const ConfigKey *row, const json_t *value,
                         ConfigNumber *number) {
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return refuse(reader, row->key, value, "a whole number above 0");
    *number = number_at(reader, row, (size_t)json_integer_value(value));
    return true;
}

/* Reports whether a text is among `values`, which are separated by blanks. */
static bool is_one_of(const char *values, const char *text) {
    size_t length = strlen(text);
    for (const char *at = values; *at; at += *at == ' ') {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, text, length) == 0)
            return true;
        at += word;
    }
    return false;
}

static bool check_classes(Reader *reader, const ConfigKey *row, const json_t *value) {
    bool good = json_is_array(value);
    for (size_t i = 0; good && i < json_array_size(value); i++) {
        const json_t *name = json_array_get(value, i);
        good = json_is_string(name) &&
               is_one_of(reader->type->classes, json_string_value(name));
    }
    char must[120];
    snprintf(must, sizeof must,
             "a list of classes of 'model_type' %s that are read, as %.*s",
             reader->type->name, (int)strcspn(reader->type->classes, " "),
             reader->type->classes);
    return good || refuse(reader, row->key, value, must);
}

static bool keep_value(Reader *reader, const ConfigKey *row, const json_t *value) {
    switch (row->kind) {
    case CONFIG_WHOLE:
    case CONFIG_NUMBER:
        return keep_number(reader, row, row->key, value);
    case CONFIG_ACTIVATION:
    case CONFIG_GATE:
        return keep_activation(reader, row, value);
    case CONFIG_ROPE:
        return check_rope(reader, row, value);
    case CONFIG_HEAD_WIDTH:
        return keep_checked(reader, row, value, &reader->config->head_width);
    case CONFIG_WINDOW:
        return keep_window(reader, row, value);
    case CONFIG_LAYERS_FULL:
        return keep_layers(reader, row, value);
    case CONFIG_VOCABULARY:
        return keep_checked(reader, row, value, &reader->config->vocabulary);
    case CONFIG_CLASSES:
        return check_classes(reader, row, value);
    case CONFIG_SWITCH:
    case CONFIG_BIASES:
        break;
    }
    if (!json_is_boolean(value))
        return refuse(reader, row->key, value, "true or false");
    return !row->name || keep(reader, row->name, json_is_true(value) ? "true" : "false",
                              row->key, value);
}

/* ---- keys ---- */

static bool check_fixed(Reader *reader, const ConfigFixed *row, const json_t *value) {
    char words[UTF8_SHORT_SIZE];
    if (is_one_of(row->values, shown(words, value)))
        return true;
    return fail_at(reader, ERROR_VALUE, place_of_key(reader, row->key),
                   "'%s' is %s, which would need %s; that is not computed", row->key,
                   words, row->else_needs);
}

static const ConfigKey *find_key(const Reader *reader, const char *key) {
    for (const ConfigKey *row = CONFIG_KEYS; row->key; row++) {
        if ((row->types & reader->type->bit) && strcmp(row->key, key) == 0)
            return row;
    }
    return NULL;
}

/* Checks a key that has no counterpart in a lesson: it must have a certain value, or has
 * no effect. */
static bool check_other(Reader *reader, const char *key, const json_t *value) {
    char name[UTF8_SHORT_SIZE];
    for (const ConfigFixed *row = CONFIG_FIXED; row->key; row++) {
        if (strcmp(row->key, key) == 0)
            return check_fixed(reader, row, value);
    }
    for (const char *const *row = CONFIG_HARMLESS; *row; row++) {
        if (strcmp(*row, key) == 0)
            return true;
    }
    return fail_at(reader, ERROR_NAME, place_of_key(reader, key),
                   "'%s' is not among the keys of %s that are honoured or known to "
                   "change no number; it may change some",
                   utf8_shorten(name, key, strlen(key)), reader->type->name);
}

static bool read_keys(Reader *reader) {
    const char *key;
    json_t *value;
    for (const ConfigKey *row = CONFIG_KEYS; row->key; row++) {
        const json_t *value_text = json_object_get(reader->root, row->key);
        if (!(row->types & reader->type->bit) ||
            (row->nullable && json_is_null(value_text)))
            continue;
        if (value_text && !keep_value(reader, row, value_text))
            return false;
        bool window = row->kind == CONFIG_WINDOW;
        if (!value_text && row->usual && (!window || has_window(reader)))
            keep(reader, row->name, row->usual, row->key, NULL);
        if (!value_text && window && has_window(reader))
            value_of(reader, row->name)->most = true;
    }
    json_object_foreach(reader->root, key, value) {
        if (!find_key(reader, key) && !check_other(reader, key, value))
            return false;
    }
    return true;
}

/* Checks that one number of config.json divides another one, if config.json has both. */
static bool check_divides(Reader *reader, const char *part, const char *whole) {
    const ConfigValue *a = value_of(reader, part), *b = value_of(reader, whole);
    if (!a || !b || a->usual || b->usual ||
        strtoull(b->text, NULL, 10) % strtoull(a->text, NULL, 10) == 0)
        return true;
    return fail_at(reader, ERROR_VALUE, (Place){a->line, a->column},
                   "'%s' is %s, but must divide '%s', %s", a->key, a->value_text, b->key,
                   b->value_text);
}

/* ---- the model's type ---- */

static bool refuse_type(Reader *reader, const char *word) {
    static const char read[] = "gpt2, bert, llama, mistral and qwen2 are read";
    Place at = place_of_key(reader, "model_type");
    char name[UTF8_SHORT_SIZE];
    for (const ConfigOther *row = CONFIG_OTHERS; row->name; row++) {
        if (strcmp(row->name, word) == 0)
            return fail_at(reader, ERROR_VALUE, at, "'model_type' is '%s', whose %s; %s",
                           utf8_shorten(name, word, strlen(word)), row->has, read);
    }
    return fail_at(reader, ERROR_VALUE, at,
                   "'model_type' is '%s', which is not known; %s",
                   utf8_shorten(name, word, strlen(word)), read);
}

static bool read_type(Reader *reader) {
    const json_t *value_text = json_object_get(reader->root, "model_type");
    const char *word = json_is_string(value_text) ? json_string_value(value_text) : NULL;
    if (!word)
        return fail_at(reader, ERROR_NAME, place_of_key(reader, "model_type"),
                       "it must name the type of the model, as in '\"model_type\": "
                       "\"llama\"'");
    for (reader->type = CONFIG_TYPES; reader->type->name; reader->type++) {
        if (strcmp(reader->type->name, word) == 0)
            break;
    }
    if (!reader->type->name)
        return refuse_type(reader, word);
    *reader->config = (Config){.model_type = reader->type->name,
                               .layout = reader->type->layout,
                               .values = reader->values};
    for (size_t i = 0; reader->type->implied[i][0]; i++)
        keep(reader, reader->type->implied[i][0], reader->type->implied[i][1], NULL,
             NULL);
    /* Published models count tokens from 0, and padding is no ID of a single text. */
    keep(reader, "padding", "false", "model_type", NULL);
    return true;
}

/* Sets the linear maps without a bias: those of the model's type, or, of a type whose
 * keys say it, those whose key is not true. */
static void set_maps_without_bias(Reader *reader) {
    bool attention = json_is_true(json_object_get(reader->root, "attention_bias")),
         network = json_is_true(json_object_get(reader->root, "mlp_bias"));
    reader->config->without_bias =
        reader->type->bit != CONFIG_LLAMA
            ? reader->type->without_bias
            : arena_format(reader->arena, "%s%s", attention ? "" : ".self_attn. ",
                           network ? "" : ".mlp. ");
}

/* ---- the file ---- */

static bool is_in_word(char c) {
    return isalnum((unsigned char)c) || (c && strchr("+-.", c));
}

/* Refuses a number at or just before `byte` that is NaN, infinite, or too large for a
 * double or a whole number; returns true for any other text. */
static bool check_number(Reader *reader, size_t byte, bool overflow) {
    static const char *const names[] = {"NaN", "Infinity", "-Infinity"};
    char words[UTF8_SHORT_SIZE];
    size_t begin = byte, end;
    bool whole = true, named = false;
    while (begin && is_in_word(reader->text[begin - 1]))
        begin--;
    for (end = begin; end < reader->length && is_in_word(reader->text[end]); end++)
        whole &= isdigit((unsigned char)reader->text[end]) || reader->text[end] == '-';
    const char *word = reader->text + begin;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        named |=
            strlen(names[i]) == end - begin && memcmp(word, names[i], end - begin) == 0;
    return (!overflow && !named) ||
           fail_at(reader, ERROR_VALUE, place_at(reader, begin), "%s is %s; correct it",
                   utf8_shorten(words, word, end - begin),
                   whole ? "too large for a whole number" : "not a finite number");
}

static bool parse(Reader *reader) {
    json_error_t problem;
    char words[UTF8_SHORT_SIZE];
    size_t mark = utf8_mark(reader->text, reader->length);
    reader->text += mark;
    reader->length -= mark;
    size_t valid = utf8_check(reader->text, reader->length);
    if (reader->length > CONFIG_MAX_BYTES)
        return fail_at(reader, ERROR_LIMIT, (Place){1, 1},
                       "it has %zu bytes, but a configuration has at most %d",
                       reader->length, CONFIG_MAX_BYTES);
    if (valid < reader->length)
        return fail_at(reader, ERROR_ENCODING, place_at(reader, valid),
                       "it is not UTF-8; save it again");
    reader->root =
        json_loadb(reader->text, reader->length, JSON_REJECT_DUPLICATES, &problem);
    if (!reader->root && json_error_code(&problem) == json_error_out_of_memory)
        return error_set(reader->error, ERROR_MEMORY, 0, 0,
                         "there is no memory to read a config.json");
    if (!reader->root) {
        size_t byte = problem.position > 0 ? (size_t)problem.position - 1 : 0;
        byte = byte < reader->length ? byte : reader->length;
        bool twice = json_error_code(&problem) == json_error_duplicate_key;
        bool overflow = json_error_code(&problem) == json_error_numeric_overflow;
        if (!check_number(reader, byte, overflow))
            return false;
        return fail_at(
            reader, twice ? ERROR_NAME : ERROR_SYNTAX, place_at(reader, byte),
            "it can't be read as JSON (%s); load it anew, or correct it there",
            utf8_shorten(words, problem.text, error_shown_length(problem.text)));
    }
    return json_is_object(reader->root) ||
           fail_at(reader, ERROR_SYNTAX, (Place){1, 1},
                   "it must be an object, as in {\"model_type\": \"llama\"}");
}

static void read_guarded(void *context) {
    Reader *reader = context;
    size_t most = 1; /* one for `padding` */
    while (CONFIG_KEYS[most].key)
        most++;
    most += sizeof reader->type->implied / sizeof *reader->type->implied;
    reader->values = arena_alloc(reader->arena, most, sizeof *reader->values);
    reader->good = read_type(reader) && read_keys(reader) &&
                   check_divides(reader, "heads", "d_model") &&
                   check_divides(reader, "kv_heads", "heads");
    if (reader->good)
        set_maps_without_bias(reader);
}

/* Frees jansson's memory even if the arena's guard jumps out. */
bool config_read(Config *config, Arena *arena, const char *file, const char *text,
                 size_t length, Error *error) {
    Reader reader = {.arena = arena,
                     .file = file,
                     .text = text,
                     .length = length,
                     .error = error,
                     .config = config};
    if (!parse(&reader)) {
        json_decref(reader.root);
        return false;
    }
    bool whole = arena_guard(arena, read_guarded, &reader);
    json_decref(reader.root);
    return whole ? reader.good
                 : error_set(error, ERROR_MEMORY, 0, 0,
                             "there is no memory to read a config.json");
}

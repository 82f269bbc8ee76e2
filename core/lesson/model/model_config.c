#include "lesson/model/model_parts.h"

#include "lesson/read/lesson_files.h"

#include <stdlib.h>
#include <string.h>

/* Returns the path of config.json in the folder of a file. */
static const char *config_path(Arena *arena, const char *file) {
    return arena_format(arena, "%.*sconfig.json", (int)lesson_file_folder(file), file);
}

static bool is_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end > text && !*end;
}

/* Reports whether a lesson's value equals the configuration's, or may differ from it. */
static bool agrees(const ConfigValue *value, const YamlNode *given) {
    double own, theirs;
    if ((value->usual && !value->most) || given->kind != YAML_SCALAR)
        return true;
    if (!is_number(given->text, &own) || !is_number(value->text, &theirs))
        return strcmp(given->text, value->text) == 0;
    return value->most ? own <= theirs : own == theirs;
}

/* Makes a value that the lesson doesn't give, at the position of the file's name. */
static YamlNode *node_of(Arena *arena, const ConfigValue *value, const YamlNode *file) {
    YamlNode *node = arena_alloc(arena, 1, sizeof *node);
    YamlNode *key = arena_alloc(arena, 1, sizeof *key);
    *node = (YamlNode){.kind = YAML_SCALAR,
                       .line = file->line,
                       .column = file->column,
                       .end_line = file->end_line,
                       .text = value->text};
    *key = *node;
    key->text = value->name;
    node->key = key;
    return node;
}

static bool add_value(LessonReader *reader, YamlNode *model, const ConfigValue *value,
                      const char *name, const YamlNode *file) {
    const YamlNode *given = yaml_lookup(model, value->name);
    if (given && !agrees(value, given))
        return yaml_error(reader->errors, ERROR_VALUE, given,
                          "'%s: %s' is not what %s:%d:%d says: '%s' is %s, which is "
                          "'%s: %s'",
                          value->name, given->text, name, value->line, value->column,
                          value->key ? value->key : "model_type", value->value_text,
                          value->name, value->text);
    if (given)
        return true;
    YamlNode *node = node_of(reader->lesson->arena, value, file);
    node->next = model->first;
    model->first = node;
    model->count++;
    return true;
}

bool model_config_read(LessonReader *reader, const YamlNode *root) {
    YamlNode *model = (YamlNode *)yaml_lookup(root, "model");
    const YamlNode *weights = model ? yaml_lookup(model, "weights") : NULL;
    const YamlNode *file = weights ? yaml_lookup(weights, "file") : NULL;
    Arena *arena = reader->lesson->arena;
    Error error;
    uint8_t *bytes;
    size_t length;
    if (!file || file->kind != YAML_SCALAR || !*file->text)
        return true;
    const char *name = config_path(arena, file->text);
    if (!lesson_file_exists(reader->lesson->file, name))
        return true;
    Config *config = arena_alloc(arena, 1, sizeof *config);
    if (!lesson_file_read(arena, "configuration", reader->lesson->file, name,
                          CONFIG_MAX_BYTES, &bytes, &length, &error) ||
        !config_read(config, arena, name, (const char *)bytes, length, &error))
        return yaml_error_append(reader->errors, &error, file);
    bool good = true;
    for (size_t i = 0; i < config->count; i++)
        good &= add_value(reader, model, &config->values[i], name, file);
    reader->config = config;
    reader->config_file = name;
    return good;
}

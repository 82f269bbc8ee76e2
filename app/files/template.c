#include "files/files.h"

#include "base/strings/writer.h"
#include "lesson/schema/yaml.h"

#include <string.h>

const char *template_read(Arena *arena, const char *name, Error *error) {
    char folder[DATA_FOLDER_SIZE];
    ErrorList errors = {0};
    size_t length;
    if (!data_folder_find(folder, error))
        return NULL;
    const char *path = arena_format(arena, "%s/assets/templates/%s", folder, name);
    const char *text = path ? yaml_read_file(arena, path, &length, &errors) : NULL;
    if (!path)
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    else if (!text)
        error_set(error, errors.items[0].code, 0, 0, "%s: %s", path,
                  errors.items[0].message);
    return text;
}

static const char *value_of(const TemplateValue *values, const char *name,
                            size_t length) {
    for (; values->name; values++) {
        if (strncmp(values->name, name, length) == 0 && !values->name[length])
            return values->text;
    }
    return "";
}

void template_write(Writer *writer, const char *text, size_t length,
                    const TemplateValue *values) {
    const char *end = text + length, *name;
    while ((name = strstr(text, "{{")) && name < end) {
        writer_put(writer, text, (size_t)(name - text));
        text = strstr(name, "}}");
        name += 2;
        writer_text(writer, value_of(values, name, (size_t)(text - name)));
        text += 2;
    }
    writer_put(writer, text, (size_t)(end - text));
}

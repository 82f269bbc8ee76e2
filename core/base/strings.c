#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *key, const void *entry) {
    return strcmp(key, ((const StringsEntry *)entry)->key);
}

static const StringsEntry *find(const Strings *strings, const char *key) {
    if (!strings->count)
        return NULL;
    return bsearch(key, strings->entries, strings->count, sizeof *strings->entries,
                   compare);
}

const char *strings_get(const Strings *strings, Language language, const char *key) {
    const StringsEntry *entry = find(strings, key);
    return entry ? text_in(&entry->text, language) : key;
}

bool strings_has(const Strings *strings, const char *key) {
    return find(strings, key) != NULL;
}

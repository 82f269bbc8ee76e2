#include "lesson/load/load.h"

#include <stddef.h>
#include <string.h>

#define ROWS(array) .rows = array, .count = sizeof array / sizeof *array

#define AT(member) offsetof(PlaylistPart, member)

static const SchemaRow part_rows[] = {
    {"title", SCHEMA_TEXT, AT(title), "Title of the part.", .example = "Lecture 1",
     .needed = true},
    {"lessons", SCHEMA_STRINGS, AT(lessons),
     "Lessons of the part: IDs, or files in the playlist's folder.",
     .example = "[08-one-head, mine.yaml]", .needed = true},
};

static const Schema part = {"a part", "`parts:`, each",
                            "A part, such as a lecture or a lab.", sizeof(PlaylistPart),
                            ROWS(part_rows)};

#undef AT
#define AT(member) offsetof(Playlist, member)

static const SchemaRow playlist_rows[] = {
    {"title", SCHEMA_TEXT, AT(title), "Title of the playlist.",
     .example = "A unit on attention", .needed = true},
    {"about", SCHEMA_TEXT, AT(about), .sentence = "One sentence about the content."},
    {"parts", SCHEMA_LIST, AT(parts), "Parts of the playlist, in order.", .schema = &part,
     .needed = true},
};

const Schema SPEC_PLAYLIST = {"the playlist", "A playlist",
                              "A selection of the course's lessons in a given order.",
                              sizeof(Playlist), ROWS(playlist_rows)};

bool playlist_is_file(const char *path) {
    static const char ending[] = ".playlist.yaml";
    size_t length = strlen(path), tail = sizeof ending - 1;
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

typedef struct Reading {
    const YamlNode *root;
    Arena *arena;
    Playlist *playlist;
    ErrorList *errors;
    bool read;
} Reading;

static void read_guarded(void *context) {
    Reading *reading = context;
    reading->read = schema_read(&SPEC_PLAYLIST, reading->root, "the playlist",
                                reading->playlist, reading->arena, reading->errors);
}

bool playlist_read(const char *path, Arena *arena, Playlist *playlist,
                   ErrorList *errors) {
    size_t length = 0;
    errors->file = path;
    const char *text = yaml_read_file(arena, path, &length, errors);
    Reading reading = {text ? yaml_read(arena, text, length, errors) : NULL, arena,
                       playlist, errors, false};
    if (reading.root && !errors->count && !arena_guard(arena, read_guarded, &reading))
        return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
    return reading.read && !errors->count;
}

/* Playlists: some of the course's lessons, in their own order and under their own
 * headings. */
#pragma once

#include "lesson/schema/schema.h"

typedef struct PlaylistPart {
    SchemaPlace place;
    Text title;
    SchemaStrings lessons; /* ids, or files beside the playlist */
} PlaylistPart;

typedef struct Playlist {
    SchemaPlace place;
    Text title, about;
    SchemaItems parts; /* PlaylistPart */
} Playlist;

/* Keys of a playlist. */
extern const Schema SPEC_PLAYLIST;

/* Reports whether a file is named "….playlist.yaml". */
bool playlist_is_file(const char *path);

/* Reads a playlist, new in the arena; false with all errors found, each at its position.
 * Whether the lessons exist is not checked. */
bool playlist_read(const char *path, Arena *arena, Playlist *playlist, ErrorList *errors);

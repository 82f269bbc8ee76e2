/* Playlists: some of the course's lessons, in another order, under names of their own. */
#ifndef LESSON_PLAYLIST_H
#define LESSON_PLAYLIST_H

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

/* What a playlist can say. */
extern const Schema SPEC_PLAYLIST;

/* Whether a file is called like one, "….playlist.yaml". */
bool playlist_is_file(const char *path);

/* Reads one, new in the arena; false with all errors that are found, each at its place.
 * Whether there are such lessons is not looked at. */
bool playlist_read(const char *path, Arena *arena, Playlist *playlist, ErrorList *errors);

#endif

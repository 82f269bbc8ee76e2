/* The interface's words, read from a YAML file: `key: {en: …, zh: …}`, nested as deep as
 * one likes; `inspector: {matches: {en: …, zh: …}}` has the key "inspector.matches". A
 * word that is the same in all languages may be one string. */
#ifndef LESSON_STRINGS_FILE_H
#define LESSON_STRINGS_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strings.h"

/* Reads a file into a table that lives in the arena, sorted by key. False with at least
 * one error in *errors (its `file` is set to `path`): all that are found. A word that
 * lacks a language is an error, and so is a key that comes twice. */
bool strings_load(Strings *strings, Arena *arena, const char *path, ErrorList *errors);

/* The same from memory; `path` only names it. */
bool strings_parse(Strings *strings, Arena *arena, const char *path, const char *text,
                   size_t length, ErrorList *errors);

#endif

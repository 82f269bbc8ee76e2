/* The interface's words, read from one YAML file per language.
 *
 * A file begins with `language: {code: zh, name: 中文}`; one of the files has `default:
 * true` there. The rest are words under keys, nested to any depth: `inspector: {matches:
 * 吻合}` has the key "inspector.matches". Missing words are taken from the default
 * language. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/strings/language.h"

/* Reads every .yaml file of a folder, which must exist, and of a folder of the user's,
 * which need not (NULL is fine). A second file of the same language replaces single
 * words. The default language comes first, the rest are sorted by code. False with errors
 * that name the file (`errors->file`): ERROR_FILE, and those of language_parse. All data
 * lives in the arena. */
bool languages_load(Languages *languages, Arena *arena, const char *folder,
                    const char *own, ErrorList *errors);

/* Parses one file's text; `path` is only used as its name. Returns a language without a
 * fallback that lives in the arena, or NULL with all errors found. */
Language *language_parse(Arena *arena, const char *path, const char *text, size_t length,
                         ErrorList *errors);

/* Files that a lesson refers to: their bytes, and their lines as a list.
 *
 * A lesson may only read regular files in its own folder and below: no "..", no link and
 * no absolute path may lead outside, or a stranger's lesson could draw private files into
 * published output. Only lessons in the user's own lessons folder may use absolute paths:
 * one that was saved there, away from its weights, has one. Errors don't disclose the
 * content of a file of another kind. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/strings/language.h"
#include "lesson/schema/yaml.h"

#include <stdint.h>

/* Returns the length of a path's folder, including the slash at its end; 0 if the path
 * has no folder. On Windows, a backslash counts as a slash. */
size_t lesson_file_folder(const char *path);

/* Reports whether a file of that name exists, even as a dangling link. */
bool lesson_file_exists(const char *lesson, const char *name);

/* Returns the path of a file that the lesson of that path names, in the arena; NULL with
 * ERROR_FILE if the lesson may not read it. */
const char *lesson_file_path(Arena *arena, const char *lesson, const char *name,
                             Error *error);

/* Reads all bytes of a file that the lesson of that path names, new in the arena, which
 * has a guard. `what` describes them in messages: "weights". ERROR_FILE; ERROR_LIMIT if
 * it has more than `most` bytes. */
bool lesson_file_read(Arena *arena, const char *what, const char *lesson,
                      const char *name, size_t most, uint8_t **bytes, size_t *length,
                      Error *error);

/* Reads the file's lines, without empty ones, as a list of texts at the position of its
 * name; of a line, `count` is its number in the file. NULL with an error there.
 * ERROR_FILE if it can't be read, ERROR_ENCODING if it is not UTF-8, ERROR_VALUE if it
 * has no lines. */
const YamlNode *lesson_file_lines(Arena *arena, const char *lesson, const YamlNode *name,
                                  ErrorList *errors);

/* Reads the file's lines, each a source, a tab and its target, as a list of pairs at the
 * position of its name; of a pair, `text` is the file's name and `text_column` the line's
 * number. NULL with an error there: lesson_file_lines' errors, ERROR_VALUE for a line
 * without its tab. */
const YamlNode *lesson_file_pairs(Arena *arena, const char *lesson, const YamlNode *name,
                                  ErrorList *errors);

/* The interface's words, read from one YAML file per language.
 *
 * A file begins with `language: {code: zh, name: 中文}`; one of the files has `default:
 * true` there. The rest are words under keys, nested to any depth: `inspector: {matches:
 * 吻合}` has the key "inspector.matches". Missing words are taken from the default
 * language. */

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

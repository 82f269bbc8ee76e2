/* The interface's words in a language, read from a YAML file a language.
 *
 * A file begins with `language: {code: zh, name: 中文}`; one of them says `default: true`
 * there. The rest are words under keys, nested as deep as one likes: `inspector:
 * {matches: 吻合}` has the key "inspector.matches". A word that a file lacks is taken
 * from the default language. */
#ifndef LESSON_LANGUAGE_FILE_H
#define LESSON_LANGUAGE_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strings/language.h"

/* Reads every file that ends in .yaml of a folder, which must be there, and of a folder
 * of the user's, which need not be (NULL is fine). A file of a language that there is
 * already goes over it, word by word. The default language comes first, the rest by their
 * codes. False with errors that name the file (`errors->file`): ERROR_FILE, and what
 * language_parse finds. All of it lives in the arena. */
bool languages_load(Languages *languages, Arena *arena, const char *folder,
                    const char *own, ErrorList *errors);

/* Reads one file's text; `path` only names it. Gives a language without a fallback that
 * lives in the arena, or NULL with all the errors that are found. */
Language *language_parse(Arena *arena, const char *path, const char *text, size_t length,
                         ErrorList *errors);

#endif

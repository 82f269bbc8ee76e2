/* Quoting texts for other languages.
 *
 * All code generators write names and texts from outside with these functions, and never
 * between quotes of their own: a quote, a backslash or a line break in a file's name
 * would end the text, and the rest would be executed. */
#pragma once

#include "base/strings/writer.h"

/* Writes a text in double quotes, valid in Python and YAML. Quotes, backslashes and
 * control characters are escaped; a byte that is not UTF-8 becomes the lone surrogate
 * that Python uses for it in file names ("\udcff"). */
void literal_quoted(Writer *writer, const char *text);

/* Writes a text as one word of a POSIX shell: plain if possible, else in single quotes,
 * or in bash's $'…' if it has line breaks, control characters or bytes that are not
 * UTF-8. */
void literal_shell(Writer *writer, const char *text);

/* Reports whether a text is one word of a shell without quotes: letters, digits and
 * "_./:@%+,-", and not empty. */
bool literal_is_plain(const char *text);

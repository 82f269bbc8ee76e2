/* Texts as words of other languages.
 *
 * Every writer of code puts names and texts that come from others into it with these, and
 * never between quotes of its own: a quote, a backslash or a line break in a file's name
 * would end the text, and what follows would be run. */
#ifndef BASE_LITERAL_H
#define BASE_LITERAL_H

#include "base/strings/writer.h"

/* Writes a text in double quotes, as Python and YAML read it. Quotes, backslashes and
 * what steers a reader are escaped; a byte that is not UTF-8 becomes the lone surrogate
 * that Python opens a file of that name by ("\udcff"). */
void literal_quoted(Writer *writer, const char *text);

/* Writes a text as one word of a POSIX shell: bare where it can be, else in single
 * quotes, or in bash's $'…' where it has line breaks, control characters or bytes that
 * are not UTF-8. */
void literal_shell(Writer *writer, const char *text);

/* Reports whether a shell takes a text as one word without quotes: letters, digits and
 * "_./:@%+,-", and not empty. */
bool literal_is_plain(const char *text);

#endif

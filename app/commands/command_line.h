/* The command line: what was asked for, and the help that says what can be.
 *
 * One table has the commands, one the options; reading, checking and every help text come
 * from them. */
#pragma once

#include "commands/command.h"

#include <stdio.h>

typedef struct Languages Languages;

/* Reads the words behind the program's name, moving the lessons' to the front of argv.
 * ERROR_USAGE with a sentence that names what was probably meant. */
bool command_line_parse(CommandLine *line, int argc, char **argv, Error *error);

/* The command number `index`; the first is the window's, without a name. NULL behind the
 * last. */
const Command *command_line_at(size_t index);

/* The command named in a command line's words, which may be incomplete; the window's
 * where none is. */
const Command *command_line_find(const char *const *words, size_t count);

/* The name of the command nearest to a word, or NULL. */
const char *command_line_nearest(const char *word);

/* Returns the description of a command in the language; "" if that is NULL. */
const char *command_line_words(const Command *command, const Language *language);

/* Prints what the program, or one command of it, is for and takes, in words of the
 * language, and the languages that there are. Where both are NULL, as no words can be
 * read, it names what there is. */
void command_line_help(const CommandLine *line, const Languages *languages,
                       const Language *language, FILE *stream);

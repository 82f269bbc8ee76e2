/* The options of all commands, in one table with names, values and setters. A command
 * names its options by their letters. */
#pragma once

#include "commands/command.h"

#include <stdio.h>

/* Reads the option at argv[*index], and its value where that is the next word, into the
 * line. ERROR_USAGE with a sentence when the line's command has no such option, or when
 * its value can't be. */
bool command_option_read(CommandLine *line, int argc, char **argv, int *index,
                         Error *error);

/* True if a word is an option, of any command, whose value is the next word. */
bool command_option_takes_next(const char *word);

/* The language's words of a name below a key of the strings; "" where there are none. */
const char *command_words(const Language *language, const char *what, const char *name);

/* An option, as the help and completions show it. */
typedef struct CommandOption {
    const char *name;    /* without its dashes */
    const char *value;   /* "FILE", "CODE"; NULL: it takes none */
    const char *words;   /* what it does */
    const char *choices; /* all that its value can be, "numpy|torch"; or NULL */
} CommandOption;

/* The option number `index` of those that a command takes, in words of the language, ""
 * where that is NULL; false behind the last. */
bool command_option_at(const Command *command, size_t index, const Language *language,
                       CommandOption *found);

/* Prints the options that a command takes, a line each. */
void command_options_print(const Command *command, const Language *language,
                           FILE *stream);

/* The options of all commands: one table says what each is called, what it takes and how
 * it is set. A command names those that it takes by their letters. */
#ifndef APP_COMMAND_OPTIONS_H
#define APP_COMMAND_OPTIONS_H

#include "commands/command.h"

#include <stdio.h>

/* Reads the option at argv[*index], and its value where that is the next word, into the
 * line. ERROR_USAGE with a sentence when the line's command has no such option, or when
 * its value can't be. */
bool command_option_read(CommandLine *line, int argc, char **argv, int *index,
                         Error *error);

/* Prints the options that a command takes, a line each. */
void command_options_print(const Command *command, FILE *stream);

#endif

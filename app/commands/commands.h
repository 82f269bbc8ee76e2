/* The commands, one file each. Each does all of its work, prints what went wrong on
 * standard error and returns what the program ends with. The theme, where one is given,
 * has been found to be there. */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H

#include "commands/command.h"

ExitCode command_window(Course *course, const CommandLine *line);
ExitCode command_list(Course *course, const CommandLine *line);
ExitCode command_show(Course *course, const CommandLine *line);
ExitCode command_check(Course *course, const CommandLine *line);
ExitCode command_export(Course *course, const CommandLine *line);
ExitCode command_play(Course *course, const CommandLine *line);
ExitCode command_generate(Course *course, const CommandLine *line);
ExitCode command_train(Course *course, const CommandLine *line);
ExitCode command_new(Course *course, const CommandLine *line);
ExitCode command_completions(Course *course, const CommandLine *line);
ExitCode command_schema(Course *course, const CommandLine *line);

#endif

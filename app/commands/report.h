/* Telling the user, on standard error, what went wrong. */
#pragma once

#include "commands/command.h"

/* Prints an error without a position in a file; returns the program's exit status. */
ExitCode report_error(const Error *error);

/* Prints errors of a file; returns the program's exit status. */
ExitCode report_errors(const ErrorList *errors);

/* Tells that there is no memory `for_what`: "to export that much". */
ExitCode report_no_memory(const char *for_what);

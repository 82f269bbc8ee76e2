/* Telling the user, on standard error, what went wrong. */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include "commands/command.h"

/* Prints an error that has no place in a file; gives what the program then ends with. */
ExitCode report_error(const Error *error);

/* Prints errors of a file; gives what the program then ends with. */
ExitCode report_errors(const ErrorList *errors);

/* Tells that there is no memory `for_what`: "to export that much". */
ExitCode report_no_memory(const char *for_what);

#endif

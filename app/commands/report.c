#include "commands/report.h"

ExitCode report_error(const Error *error) {
    fprintf(stderr, "glassformer: %s\n", error->message);
    ErrorList errors = {.count = 1, .items = {*error}};
    return exit_code_of(&errors);
}

ExitCode report_errors(const ErrorList *errors) {
    fflush(stdout); /* so that both streams stay in order on a terminal */
    error_list_print(errors, stderr);
    return exit_code_of(errors);
}

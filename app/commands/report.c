#include "commands/report.h"

#include "paint/font_files.h"

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

void report_fonts(void) {
    const FontFiles *files = font_files_find(NULL);
    for (size_t i = 0; files && i < files->warning_count; i++)
        fprintf(stderr, "glassformer: %s\n", files->warnings[i]);
}

#include "commands/command.h"

#include "files/files.h"

#include <stdlib.h>

/* Returns the exit status for errors. */
static ExitCode exit_code(const ErrorList *errors) {
    ExitCode code = errors->count ? EXIT_DATA : EXIT_DONE;
    for (size_t i = 0; i < errors->count; i++) {
        if (errors->items[i].code == ERROR_FILE)
            return EXIT_IO;
        if (errors->items[i].code == ERROR_USAGE)
            code = EXIT_USAGE;
    }
    return code;
}

ExitCode report_error(const Error *error) {
    print_to(stderr, "glassformer: %s\n", error->message);
    ErrorList errors = {.count = 1, .items = {*error}};
    return exit_code(&errors);
}

ExitCode report_errors(const ErrorList *errors) {
    fflush(stdout); /* so that both streams stay in order on a terminal */
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream)
        error_list_print(errors, stream);
    if (stream && fclose(stream) == 0)
        print_text(stderr, text);
    else if (errors->count) /* short of memory: the first, without its place */
        print_to(stderr, "glassformer: %s\n", errors->items[0].message);
    free(text);
    return exit_code(errors);
}

ExitCode report_no_memory(const char *for_what) {
    Error error;
    error_set(&error, ERROR_MEMORY, 0, 0, "there is no memory %s", for_what);
    return report_error(&error);
}

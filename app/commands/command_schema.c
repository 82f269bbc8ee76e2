#include "commands/command.h"
#include "files/files.h"
#include "lesson/formula/formula.h"
#include "lesson/load/load.h"
#include "lesson/read/spec.h"
#include "lesson/schema/schema.h"

enum { SCHEMA_MAX_MEMORY = 16 << 20 };

/* Writes the functions of expressions, with their arguments. */
static void put_calls(Writer *writer) {
    Call call;
    writer_text(writer, "### Functions of `do:`\n\n"
                        "Expressions also have `@ + - * /`, `.T`, slices and numbers, as "
                        "in NumPy. Arguments in brackets are optional.\n\n");
    for (size_t i = 0; calls_at(&call, i); i++)
        writer_format(writer, "- `%s(%s)`\n", call.name, call.arguments);
    writer_text(writer, "\n");
}

ExitCode command_schema(Course *course, const CommandLine *line) {
    Arena *arena = arena_create(SCHEMA_MAX_MEMORY);
    Writer writer = {.arena = arena};
    (void)course;
    if (arena && line->reference) {
        schema_print_reference(&SPEC_LESSON, &writer);
        put_calls(&writer);
        spec_print_views(&writer);
        schema_print_reference(&SPEC_PLAYLIST, &writer);
    } else if (arena) {
        schema_print_json(line->of_playlists ? &SPEC_PLAYLIST : &SPEC_LESSON, &writer);
    }
    bool whole = arena && !writer.full;
    if (whole)
        print_text(stdout, writer.text);
    arena_destroy(arena);
    return whole ? EXIT_DONE : report_no_memory("to print that");
}

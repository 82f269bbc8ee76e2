#include "commands/command.h"

#include "commands/report.h"
#include "files/print.h"
#include "lesson/load/playlist.h"
#include "lesson/read/spec.h"
#include "lesson/schema/schema_print.h"

enum { SCHEMA_MAX_MEMORY = 16 << 20 };

ExitCode command_schema(Course *course, const CommandLine *line) {
    Arena *arena = arena_create(SCHEMA_MAX_MEMORY);
    Writer writer = {.arena = arena};
    (void)course;
    if (arena && line->reference) {
        schema_print_reference(&SPEC_LESSON, &writer);
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

#include "commands/export.h"

#include "files/files.h"
#include "lesson/content/content.h"

#include <stdlib.h>
#include <string.h>

bool export_no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory %s", EXPORT_MUCH);
}

void export_show_progress(const Export *export, size_t done, size_t count) {
    enum { WIDTH = 40 };
    static const char bar[] = "########################################";
    if (!export->shows_progress)
        return;
    fputs("\r\033[K", stderr);
    if (count)
        print_to(stderr, "%s [%-*.*s] %zu of %zu", export->lesson->id, WIDTH,
                 (int)(WIDTH * done / count), bar, done, count);
}

Sheet *export_sheet(Export *export, size_t thread, Error *error) {
    Sheet **sheet = &export->sheets[thread];
    if (!*sheet)
        *sheet = sheet_create(export->line->width, export->line->height, error);
    if (*sheet)
        sheet_set_millimetres(*sheet, export->line->millimetres);
    return *sheet;
}

/* ---- which pictures a lesson has ---- */

enum { SLUG_SIZE = 64 };

/* A name as part of a file's: letters, digits and what is not ASCII stay. */
static const char *slug_of(const char *name, char out[SLUG_SIZE]) {
    size_t length = 0;
    for (; *name && length < SLUG_SIZE - 1; name++) {
        unsigned char c = (unsigned char)*name;
        bool stays = c >= 0x80 || c == '_' || (c >= '0' && c <= '9') ||
                     (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (stays || (length && out[length - 1] != '-'))
            out[length++] = stays ? (char)c : '-';
    }
    if (*name) /* cut: not within a character of several bytes */
        while (length && ((unsigned char)out[length - 1] & 0xC0) == 0x80)
            length--;
    if (*name && length && (unsigned char)out[length - 1] >= 0xC0)
        length--;
    while (length && out[length - 1] == '-')
        length--;
    out[length] = 0;
    return out;
}

static int digits_of(size_t number) {
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits > 2 ? digits : 2;
}

/* "07-A", "07.02-exp": names sort as the lesson goes. */
static const char *file_name(Export *export, const Player *player,
                             const PlayerStep *step) {
    const char *number = "";
    int digits = digits_of(player_statement_count(player));
    for (const char *part = step->path; part; part = strchr(part, '.')) {
        part += *part == '.';
        number = arena_format(export->arena, "%s%s%0*zu", number, *number ? "." : "",
                              digits, (size_t)strtoull(part, NULL, 10));
        digits = 2;
    }
    char slug[SLUG_SIZE];
    slug_of(step->name, slug);
    return arena_format(export->arena, "%s%s%s", number, *slug ? "-" : "", slug);
}

static void add_picture(Export *export, size_t step) {
    const char *name = file_name(export, &export->player, &export->player.steps[step]);
    export->pictures[export->picture_count++] =
        (Picture){step, arena_format(export->arena, "%s/%s/%s", export->line->out,
                                     export->lesson->id, name)};
}

/* A training is shown as it began, and then at its end. */
static bool has_beginning(const Export *export, const PlayerStep *step) {
    return !export->line->all_steps && step->frame != PLAYER_NONE && step->child_count;
}

static bool is_wanted(const Export *export, size_t statement) {
    const CommandLine *line = export->line;
    return !line->first_step ||
           (statement + 1 >= line->first_step && statement < line->last_step);
}

bool export_plan(Export *export, Error *error) {
    const Player *player = &export->player;
    export->picture_count = 0;
    export->pictures =
        arena_alloc(export->arena, player->step_count, sizeof *export->pictures);
    if (export->line->first_step > player_statement_count(player))
        return error_set(
            error, ERROR_USAGE, 0, 0, "'%s' has %zu steps; --steps can't begin at %zu",
            export->lesson->id, player_statement_count(player), export->line->first_step);
    for (size_t i = 0; i < player->step_count;
         i = export->line->all_steps ? i + 1 : player->steps[i].next) {
        if (!is_wanted(export, player->steps[i].statement))
            continue;
        if (has_beginning(export, &player->steps[i]))
            add_picture(export, i + 1);
        add_picture(export, i);
    }
    return true;
}

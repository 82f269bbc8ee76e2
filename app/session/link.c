#include "session/state.h"

#include "base/strings/writer.h"
#include "lesson/play/changes_file.h"
#include "picture/scene/theme.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a key's value from the link into `value`, cut to its size, with "%2C" decoded to
 * a comma and "+" to a blank. Returns true if the link has the key. */
static bool read_value(const char *link, const char *key, char *value, size_t size) {
    size_t length = strlen(key), count = 0;
    const char *at = strchr(link, '?');
    while (at && (strncmp(at + 1, key, length) != 0 || at[length + 1] != '='))
        at = strchr(at + 1, '&');
    if (!at)
        return false;
    for (at += length + 2; *at && *at != '&' && *at != '#'; at++) {
        char hex[3] = {at[0], at[0] == '%' ? at[1] : 0, at[1] ? at[2] : 0};
        bool coded = isxdigit((unsigned char)hex[1]) && isxdigit((unsigned char)hex[2]);
        if (count + 1 < size)
            value[count++] = coded        ? (char)strtoul(hex + 1, NULL, 16)
                             : *at == '+' ? ' '
                                          : *at;
        at += coded ? 2 : 0;
    }
    value[count] = 0;
    return true;
}

/* As such a value, in the arena. */
static const char *coded(const char *text, Arena *arena) {
    Writer writer = {.arena = arena};
    for (; *text; text++) {
        if (*text == ' ')
            writer_text(&writer, "+");
        else if (isalnum((unsigned char)*text) || strchr("-._~:,[]{}\"", *text))
            writer_put(&writer, text, 1);
        else
            writer_format(&writer, "%%%02X", (unsigned)(unsigned char)*text);
    }
    return writer.full ? NULL : writer.text;
}

/* ---- changes ---- */

/* A list as a file has it stands in one line: "{cell: [X, 0, 1], value: 3}, {mute: S}".
 * One that is too long is left out. */
static void take_changes(const char *link, char changes[SESSION_CHANGES_SIZE]) {
    char value[SESSION_CHANGES_SIZE];
    changes[0] = 0;
    if (read_value(link, "changes", value, sizeof value) &&
        strlen(value) + 1 < sizeof value &&
        snprintf(changes, SESSION_CHANGES_SIZE, "changes: [%s]\n", value) >=
            SESSION_CHANGES_SIZE)
        changes[0] = 0;
}

/* "&changes=…"; "" where nothing is changed, or too much. */
static const char *write_changes(const Session *session, Arena *arena) {
    static const char begin[] = "changes:\n", item[] = "  - ";
    const char *list = changes_list(&session->player, arena);
    Writer line = {.arena = arena};
    if (!list || strncmp(list, begin, sizeof begin - 1) != 0)
        return list ? "" : NULL;
    for (list += sizeof begin - 1; strncmp(list, item, sizeof item - 1) == 0;) {
        list += sizeof item - 1;
        size_t length = strcspn(list, "\n");
        if (line.length)
            writer_text(&line, ", ");
        writer_put(&line, list, length);
        list += length + (list[length] != 0);
    }
    if (*list || line.length + sizeof "changes: []" >= SESSION_CHANGES_SIZE)
        return "";
    const char *value = line.full ? NULL : coded(line.text, arena);
    return value ? arena_format(arena, "&changes=%s", value) : NULL;
}

/* ---- links ---- */

bool link_is(const char *name) {
    const char *end = strchr(name, '?');
    return end && strchr(end, '=');
}

/* Sets language and theme from a link without noting them: they aren't the user's
 * choice. */
static void take_looks(Session *session, const char *link) {
    char value[SESSION_NAME_SIZE];
    const Language *language = read_value(link, "lang", value, sizeof value)
                                   ? languages_lookup(&session->course->languages, value)
                                   : NULL;
    if (language)
        session->language = session->was_language = language;
    const Theme *theme = read_value(link, "theme", value, sizeof value)
                             ? themes_lookup(&session->course->themes, value)
                             : NULL;
    if (theme)
        session->theme = session->was_theme = theme;
}

bool link_read(Session *session, const char *link, char lesson[SESSION_NAME_SIZE],
               Arrival *arrival) {
    char cell[SESSION_NAME_SIZE];
    take_looks(session, link);
    if (!read_value(link, "lesson", lesson, SESSION_NAME_SIZE))
        return false;
    arrival->remembered = !read_value(link, "step", arrival->path, sizeof arrival->path);
    if (read_value(link, "cell", cell, sizeof cell) && isdigit((unsigned char)cell[0]))
        arrival->cell = (size_t)strtoul(cell, NULL, 10);
    take_changes(link, arrival->changes);
    return true;
}

/* "lang=…&theme=…" */
static const char *write_looks(const Session *session, Arena *arena) {
    const char *theme = coded(session->theme->name, arena);
    return theme ? arena_format(arena, "lang=%s&theme=%s", session->language->code, theme)
                 : NULL;
}

/* "?lesson=…&step=…"; "?" for what is no step of a lesson of the course. */
static const char *write_step(const Session *session, Arena *arena) {
    if (!mode_on(session, &mode_lesson) || !session->number)
        return "?";
    const char *id = coded(session->entry->id, arena);
    return id ? arena_format(arena, "?lesson=%s&step=%s", id,
                             player_step(&session->player)->path)
              : NULL;
}

const char *session_address(const Session *session, Arena *arena) {
    const char *step = write_step(session, arena), *looks = write_looks(session, arena);
    return step && looks ? arena_format(arena, "%s%s%s", step, step[1] ? "&" : "", looks)
                         : NULL;
}

const char *link_write(const Session *session, Arena *arena) {
    const Player *player = &session->player;
    const char *step = write_step(session, arena), *looks = write_looks(session, arena);
    if (!step || !step[1] || !looks)
        return session_address(session, arena);
    const char *cell =
        player->cell == PLAYER_NONE ? "" : arena_format(arena, "&cell=%zu", player->cell);
    const char *changes = write_changes(session, arena);
    return cell && changes ? arena_format(arena, "%s%s&%s%s", step, cell, looks, changes)
                           : NULL;
}

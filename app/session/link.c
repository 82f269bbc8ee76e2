#include "session/link.h"

#include "session/state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether the link has a value for a key; it is then `value`, "%2C" a comma again. */
static bool read_value(const char *link, const char *key, char value[SESSION_NAME_SIZE]) {
    size_t length = strlen(key), count = 0;
    const char *at = strchr(link, '?');
    while (at && (strncmp(at + 1, key, length) != 0 || at[length + 1] != '='))
        at = strchr(at + 1, '&');
    if (!at)
        return false;
    for (at += length + 2; *at && *at != '&' && *at != '#'; at++) {
        char hex[3] = {at[0], at[0] == '%' ? at[1] : 0, at[1] ? at[2] : 0};
        bool coded = isxdigit((unsigned char)hex[1]) && isxdigit((unsigned char)hex[2]);
        if (count + 1 < SESSION_NAME_SIZE)
            value[count++] = coded ? (char)strtoul(hex + 1, NULL, 16) : *at;
        at += coded ? 2 : 0;
    }
    value[count] = 0;
    return true;
}

bool link_is(const char *name) {
    const char *end = strchr(name, '?');
    return end && strchr(end, '=');
}

/* As if it had been so before: nobody has chosen it. */
static void take_looks(Session *session, const char *link) {
    char value[SESSION_NAME_SIZE];
    const Language *language = read_value(link, "lang", value)
                                   ? languages_lookup(&session->course->languages, value)
                                   : NULL;
    if (language)
        session->language = session->was_language = language;
    const Theme *theme = read_value(link, "theme", value)
                             ? themes_lookup(&session->course->themes, value)
                             : NULL;
    if (theme)
        session->theme = session->was_theme = theme;
}

bool link_follow(Session *session, const char *link) {
    Course *course = session->course;
    ErrorList errors = {0};
    char lesson[SESSION_NAME_SIZE], cell[SESSION_NAME_SIZE];
    Arrival arrival = {.cell = PLAYER_NONE, .statement = PLAYER_NONE, .depth = 1};
    take_looks(session, link);
    if (!read_value(link, "lesson", lesson))
        return true;
    arrival.remembered = !read_value(link, "step", arrival.path);
    if (read_value(link, "cell", cell) && isdigit((unsigned char)cell[0]))
        arrival.cell = (size_t)strtoul(cell, NULL, 10);
    size_t index = course_find(course, lesson);
    bool first = !session->lesson;
    if (first)
        mode_begin(session, &mode_nothing);
    if (index < course->all &&
        opening_begin(session, &course->lessons[index], arrival, NULL, &errors))
        return true;
    if (first)
        home_enter(session);
    session_say(session, "page.link_leads_nowhere", lesson, NULL);
    return true;
}

const char *link_write(const Session *session, Arena *arena) {
    const Player *player = &session->player;
    const char *looks = arena_format(arena, "lang=%s&theme=%s", session->language->code,
                                     session->theme->name);
    if (!looks || !mode_on(session, &mode_lesson) || !session->number)
        return looks ? arena_format(arena, "?%s", looks) : NULL;
    const char *cell =
        player->cell == PLAYER_NONE ? "" : arena_format(arena, "&cell=%zu", player->cell);
    return cell ? arena_format(arena, "?lesson=%s&step=%s%s&%s", session->entry->id,
                               player_step(player)->path, cell, looks)
                : NULL;
}

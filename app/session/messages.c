#include "session/state.h"

#include "base/strings/utf8.h"
#include "lesson/content/changes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

SessionRequest session_take_request(Session *session) {
    SessionRequest request = session->request;
    session->request = SESSION_NOTHING;
    return request;
}

const char *session_words(const Session *session, const char *key) {
    return language_words(session->language, key);
}

const char *session_list(const Session *session, const char *so_far, const char *more,
                         Arena *arena) {
    const char *const both[] = {so_far, more};
    return so_far ? language_sentence(session->language, "list.next", 2, both, arena)
                  : more;
}

void session_show_message(Session *session, const char *key, const char *first,
                          const char *second) {
    language_write(session->message, sizeof session->message, session->language, key, 2,
                   (const char *const[]){first, second});
    utf8_mend(session->message);
    session->message_left = 0;
}

bool session_leaves(Session *session, const char *key, const char *words) {
    if (session->leaving && strcmp(session->leaving, key) == 0)
        return true;
    session->leaving = key;
    session_show_message(session, words, NULL, NULL);
    return false;
}

void session_report_no_change(Session *session) {
    if (changes_overspent(session->lesson->changes))
        session_show_message(session, "change.work", NULL, NULL);
    else
        session_report_no_memory(session);
}

void session_report_no_memory(Session *session) {
    session->short_of_memory = true;
    session_show_message(session, "change.failed", NULL, NULL);
}

const char *session_copied(const Session *session) {
    return session->copied ? session->copied : "";
}

/* The present step, however deep: "Step 3 of 13", or its path. */
static const char *step_title(const Session *session, Arena *arena) {
    const Player *player = &session->player;
    const char *const count[] = {
        arena_format(arena, "%zu", player_statement(player) + 1),
        arena_format(arena, "%zu", player_statement_count(player))};
    const char *words =
        language_sentence(session->language, "page.step_of", 2, count, arena);
    return player_step(player)->depth > 1
               ? arena_format(arena, "%s (%s)", words, player_step(player)->path)
               : words;
}

const char *session_title(const Session *session, Arena *arena) {
    if (!mode_on(session, &mode_lesson))
        return "Glassformer";
    const char *title = text_in(&session->lesson->title, session->language);
    const char *id = session->lesson->id;
    if (isdigit((unsigned char)id[0]))
        title = arena_format(arena, "%lu · %s", strtoul(id, NULL, 10), title);
    const char *const parts[] = {title, step_title(session, arena)};
    return language_sentence(session->language, "window.title", 2, parts, arena);
}

const char *session_notes_title(const Session *session, Arena *arena) {
    const char *title = session_title(session, arena);
    return language_sentence(session->language, "window.notes", 1, &title, arena);
}

bool session_is_whole(const Session *session, Error *error) {
    if (session->short_of_memory || practise_was_short(&practise_state(session)->round))
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for all of this");
    return course_is_whole(session->course, error);
}

const char *session_picture_name(const Session *session, Arena *arena) {
    if (!mode_on(session, &mode_lesson))
        return "glassformer.png";
    size_t row, col;
    const char *path = player_step(&session->player)->path;
    if (player_cell(&session->player, &row, &col))
        return arena_format(arena, "%s-%s-cell-%zu-%zu.png", session->lesson->id, path,
                            row, col);
    return arena_format(arena, "%s-%s.png", session->lesson->id, path);
}

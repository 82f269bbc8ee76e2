#define _XOPEN_SOURCE 700 /* realpath */

#include "session/state.h"

#include "base/hash.h"
#include "lesson/content/changes.h"
#include "picture/scene/theme.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SCRATCH_BYTES = 64 << 20, KEY_SIZE = PATH_MAX };

/* Says where notes were found damaged; `said` has the strings keys by their state. */
static void report_state(Session *session, const Notes *notes, const char *const *said) {
    if (notes && notes_state(notes) != NOTES_FINE)
        session_show_message(session, said[notes_state(notes)], notes_file(notes),
                             notes_aside(notes));
}

void session_keep_memory(Session *session, Notes *memory) {
    static const char *const said[] = {[NOTES_SET_ASIDE] = "memory.set_aside",
                                       [NOTES_STUCK] = "memory.stuck",
                                       [NOTES_NEWER] = "memory.newer"};
    session->memory = memory;
    session->counted = memory && memory_text(memory, "counted");
    session->was_language = session->language;
    session->was_theme = session->theme;
    report_state(session, memory, said);
}

void session_keep_progress(Session *session, Notes *progress) {
    static const char *const said[] = {[NOTES_SET_ASIDE] = "practise.set_aside",
                                       [NOTES_STUCK] = "practise.stuck",
                                       [NOTES_NEWER] = "practise.newer"};
    practise_state(session)->progress = progress;
    report_state(session, progress, said);
}

/* ---- what a lesson goes by ---- */

/* Its id, or its file's path from the root; NULL where the file is gone. */
static const char *key_of(const Session *session, const CourseLesson *entry,
                          const char *file, char key[KEY_SIZE]) {
    return location_number(session, entry) ? entry->id : realpath(file, key);
}

/* ---- noting ---- */

/* Notes the position. Its step doesn't count as seen while it is passed by dragging, or
 * while a question hides its result. */
static void note_place(const Session *session, const char *key) {
    const Player *player = &session->player;
    size_t steps = 0;
    for (size_t i = 0; i < player->step_count; i++)
        steps += player->steps[i].depth == 1;
    MemoryPlace place = {.lesson = key,
                         .path = player_step(player)->path,
                         .cell = player->cell == PLAYER_NONE ? SIZE_MAX : player->cell,
                         .steps = steps,
                         .passes = session->scrubbing || questions_wait(session)};
    memory_note_place(session->memory, &place);
}

/* Of a list of changes; never 0. */
static uint64_t digest_of(const char *list) {
    return hash_bytes(HASH_START, list, strlen(list)) | 1;
}

/* Returns true if the lesson shown is still a visit, whose changes aren't noted. */
static bool is_visit(const Session *session, const char *key, const char *changes) {
    MemoryDraft own;
    uint64_t visit = session->entry->visit;
    return visit && (!changes || visit == digest_of(changes) ||
                     memory_draft(session->memory, key, &own));
}

static void note_draft(const Session *session, const char *key) {
    Variant variant = variant_of(session->lesson, session->entry);
    MemoryDraft draft = {.modified = !variant_is_plain(&variant), .bare = variant.bare};
    if (!draft.modified && !changes_undoable(session->lesson->changes) &&
        !session->entry->visit) {
        memory_note_draft(session->memory, key, NULL);
        return;
    }
    Arena *arena = arena_create(SCRATCH_BYTES);
    char day[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        strftime(day, sizeof day, "%Y-%m-%d", &local);
    draft.day = day;
    draft.changes = arena ? changes_list(&session->player, arena) : NULL;
    if (draft.changes && !is_visit(session, key, draft.changes)) {
        bool none = !draft.modified && !changes_undoable(session->lesson->changes);
        memory_note_draft(session->memory, key, none ? NULL : &draft);
        session->entry->visit = 0;
    }
    arena_destroy(arena);
}

/* Notes language and theme if they have changed, because values from the command line are
 * valid for one run only. */
static void note_looks(Session *session) {
    if (session->language != session->was_language)
        memory_note_text(session->memory, "language", session->language->code);
    if (session->theme != session->was_theme)
        memory_note_text(session->memory, "theme", session->theme->name);
    session->was_language = session->language;
    session->was_theme = session->theme;
}

bool session_reads(const Session *session) {
    return mode_on(session, &mode_lesson) && !mode_on(session, &mode_tour) &&
           !mode_on(session, &mode_practise);
}

/* Returns true if another lesson is shown in place of the entry's own, which was noted
 * before. */
static bool is_replaced(const Session *session) {
    const CourseLesson *entry = session->entry;
    return session->lesson != entry->lesson && session->lesson != entry->own;
}

bool session_remember(Session *session) {
    char buffer[KEY_SIZE];
    if (!session->memory || session_is_opening(session))
        return false;
    note_looks(session);
    if (!session_reads(session) || is_replaced(session))
        return false;
    const char *key = key_of(session, session->entry, session->lesson->file, buffer);
    const char *last = memory_text(session->memory, "last");
    if (!key)
        return false;
    bool another = !last || strcmp(key, last) != 0;
    const PresentState *present = present_state(session);
    note_place(session, key);
    if (!session_presents(session) || !(present->changes || present->took_variant))
        note_draft(session, key);
    return another;
}

/* ---- taking up ---- */

void remember_place(const Session *session, const CourseLesson *entry, Arrival *arrival) {
    char buffer[KEY_SIZE];
    const char *key = key_of(session, entry, entry->path, buffer);
    MemoryPlace place;
    if (!key || !memory_place(session->memory, key, &place))
        return;
    snprintf(arrival->path, sizeof arrival->path, "%s", place.path);
    arrival->cell = place.cell == SIZE_MAX ? PLAYER_NONE : place.cell;
}

bool remember_draft(const Session *session, const CourseLesson *entry, Arena *arena,
                    MemoryDraft *noted, ChangesDraft *draft) {
    char buffer[KEY_SIZE];
    const char *key = key_of(session, entry, entry->path, buffer);
    return key && memory_draft(session->memory, key, noted) &&
           changes_draft_read(draft, noted->changes, arena);
}

bool remember_ends_visit(const Session *session, const CourseLesson *entry) {
    char buffer[KEY_SIZE];
    MemoryDraft own;
    bool stays = mode_on(session, &mode_lesson) && session->entry == entry;
    const char *key = entry->visit && session->memory && !stays
                          ? key_of(session, entry, entry->path, buffer)
                          : NULL;
    return key && memory_draft(session->memory, key, &own);
}

static void begin_visit(Session *session, Arena *arena) {
    char buffer[KEY_SIZE];
    MemoryDraft own;
    const char *now = changes_list(&session->player, arena);
    const char *key = key_of(session, session->entry, session->lesson->file, buffer);
    bool has_own = session->memory && key && memory_draft(session->memory, key, &own);
    if (has_own && now && strcmp(own.changes, now) == 0)
        return;
    session->entry->visit = now ? digest_of(now) : 1;
    if (has_own)
        session_show_message(session, "memory.visit", own.day, NULL);
}

void remember_changes(Session *session, const char *list) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    ChangesDraft draft;
    MemoryDraft noted = {0};
    bool has =
        arena && (list ? changes_draft_read(&draft, list, arena)
                       : remember_draft(session, session->entry, arena, &noted, &draft));
    size_t left_out,
        count = has ? changes_draft_apply(&session->player, &draft, &left_out) : 0;
    if (has && !list && (count || noted.modified))
        session_show_message(session, "memory.here", noted.day, NULL);
    session->entry->visit = 0;
    if (has && list)
        begin_visit(session, arena);
    arena_destroy(arena);
}

void remember_opened(Session *session) {
    char path[KEY_SIZE];
    if (session->memory && !location_number(session, session->entry) &&
        realpath(session->lesson->file, path))
        memory_note_opened(session->memory, path);
}

/* ---- changes from before a talk ---- */

bool present_take_changes(Session *session) {
    PresentState *present = present_state(session);
    Changes *changes = session->lesson->changes;
    if (present->changes || !changes_undoable(changes))
        return false;
    Arena *arena = arena_create(SCRATCH_BYTES);
    const char *list = arena ? changes_list(&session->player, arena) : NULL;
    present->changes = list ? strdup(list) : NULL;
    arena_destroy(arena);
    while (present->changes && changes_undo(changes)) {
    }
    return present->changes != NULL;
}

bool present_give_changes(Session *session) {
    PresentState *present = present_state(session);
    Arena *arena = present->changes ? arena_create(SCRATCH_BYTES) : NULL;
    ChangesDraft draft;
    size_t left_out;
    bool had = present->changes;
    while (had && changes_undo(session->lesson->changes)) {
    }
    if (arena && changes_draft_read(&draft, present->changes, arena))
        changes_draft_apply(&session->player, &draft, &left_out);
    arena_destroy(arena);
    free(present->changes);
    present->changes = NULL;
    return had;
}

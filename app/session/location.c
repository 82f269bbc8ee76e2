#include "session/state.h"

#include "lesson/content/changes.h"
#include "lesson/content/lesson.h"
#include "picture/explain/explain.h"
#include "picture/page/page.h"
#include "tensor/tape/tape.h"

#include <math.h>

void session_set_screen(Session *session, SessionScreen screen) {
    const Languages *languages = &session->course->languages;
    session->screen = screen;
    for (size_t i = 0; i < languages->count; i++)
        languages->items[i]->touch = screen.touch;
}

double session_text_scale(const Session *session) {
    const SessionScreen *screen = &session->screen;
    double least = fmax(page_least_type(session->width, session->height),
                        text_scale_legible(screen->point, screen->touch));
    return session_presents(session) ? session->back_row
                                     : fmax(session->text_scale, least);
}

bool session_shows_sources(const Session *session) {
    return session->lesson->shows_sources || session->sources;
}

void session_compare_sources(Session *session, bool on) {
    session->sources = on;
}

LessonView session_tensor_view(const Session *session) {
    bool here = session->tensor_view_step == session->player.step;
    return here ? session->tensor_view : LESSON_VIEW_NONE;
}

const Tape *session_base(const Session *session) {
    const Lesson *plain = session->entry->lesson;
    return plain && session->lesson == session->entry->own ? plain->tape : NULL;
}

bool lesson_explained_cell(const Session *session, FollowCell *cell) {
    bool pinned = mode_on(session, &mode_pin);
    Page page = {.player = &session->player,
                 .view = session_tensor_view(session),
                 .has_focus = pinned || session->has_hover,
                 .focus = pinned ? session->pin : session->hover,
                 .sources = session_shows_sources(session)};
    return page_focus(&page, &cell->node, &cell->row, &cell->col);
}

const char *lesson_no_cell_reason(const Session *session) {
    FollowCell cell;
    return lesson_explained_cell(session, &cell) ? NULL : "action.why.no_cell";
}

void lesson_add_trail(Page *page, const Trail *trail) {
    if (trail && page->trail_count < PAGE_TRAILS)
        page->trails[page->trail_count++] = trail;
}

bool lesson_ends(const Player *player) {
    Player next = *player;
    return !player_move(&next, PLAYER_RIGHT);
}

/* Sets *cell to the cell of `node` that is `source`, or a transpose's copy of it. */
static bool find_copy(const Tape *tape, size_t node, FollowCell source, Link *cell) {
    const Tensor *tensor = &tape_node(tape, node)->output;
    size_t at[2] = {source.row, source.col};
    for (size_t i = 0; i < 2; i++) {
        FollowCell copy = {node, at[i], at[!i]};
        bool has = at[i] < tensor->rows && at[!i] < tensor->cols;
        *cell = (Link){LINK_CELL, node, at[i], at[!i]};
        changes_resolve(tape, &copy.node, &copy.row, &copy.col);
        if (has && follow_same(copy, source))
            return true;
    }
    return false;
}

/* The same for the result of a step and what that is computed from. */
static bool find_copy_in_step(const Player *player, size_t step, FollowCell source,
                              Link *cell) {
    const Tape *tape = player->lesson->tape;
    size_t result = player->steps[step].node;
    const TapeNode *node = tape_node(tape, result);
    bool found = find_copy(tape, result, source, cell);
    for (size_t i = 0; !found && i < node->input_count; i++)
        found = find_copy(tape, node->inputs[i], source, cell);
    return found;
}

/* Sets *cell to the pinned cell in the present step or a step within it; false where they
 * don't have it, and where the cells of the result are explained one by one. The place
 * where it was put has it. */
static bool find_pinned_here(const Session *session, Link *cell) {
    const Player *player = &session->player;
    const PlayerStep *step = player_step(player);
    FollowCell source = {session->pin.index, session->pin.row, session->pin.col};
    bool shown =
        lesson_shows(&player->lesson->steps[step->statement], session->pin.index);
    changes_resolve(player->lesson->tape, &source.node, &source.row, &source.col);
    *cell = session->pinned.cell;
    if (session->pinned.step == player->step && session->pinned.at == player->cell)
        return true;
    *cell = session->pin;
    if (player->cell != PLAYER_NONE || step->frame != PLAYER_NONE)
        return false;
    for (size_t i = player->step; !shown && i < step->next; i++)
        shown = find_copy_in_step(player, i, source, cell);
    return shown;
}

void pin_look(Session *session) {
    Link cell;
    bool has = mode_on(session, &mode_pin) || mode_on(session, &mode_pin_rests);
    if (has && find_pinned_here(session, &cell)) {
        session->pin = cell;
        mode_exchange(session, &mode_pin_rests, &mode_pin);
    } else {
        pin_rest(session);
    }
}

void lesson_leave_place(Session *session) {
    pin_look(session);
    mode_leave(session, &mode_lens);
}

bool scrub_is_epoch(const Session *session, size_t step) {
    const PlayerStep *at = &session->player.steps[step];
    return at->frame != PLAYER_NONE && at->depth == 2;
}

void lesson_go_to_step(Session *session, size_t step) {
    player_jump(&session->player, step);
    session->scrubbing_training = scrub_is_epoch(session, step);
    lesson_leave_place(session);
}

void pin_move(Session *session, Link cell) {
    session->pin = cell;
    session->pinned = (PinPlace){cell, session->player.step, session->player.cell};
}

void pin_put(Session *session, Link cell) {
    pin_drop(session); /* to come on top: what came last is left first */
    pin_move(session, cell);
    mode_enter(session, &mode_pin);
}

void pin_rest(Session *session) {
    mode_exchange(session, &mode_pin, &mode_pin_rests);
}

void pin_drop(Session *session) {
    mode_leave(session, &mode_pin);
    mode_leave(session, &mode_pin_rests);
}

bool location_is_file(const Session *session, const CourseLesson *entry) {
    return entry == &session->files[0] || entry == &session->files[1];
}

size_t location_number(const Session *session, const CourseLesson *entry) {
    const Course *course = session->course;
    size_t place = location_is_file(session, entry) ? course->count
                                                    : (size_t)(entry - course->lessons);
    return place < course->count ? place + 1 : 0;
}

bool session_is_opening(const Session *session) {
    return session->opening.loader != NULL;
}

bool session_is_writing(const Session *session) {
    return mode_writing(session) != NULL;
}

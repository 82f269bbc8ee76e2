#include "modes/modes.h"

#include "picture/chrome/chrome.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* The three-minute tour: the stations that a lesson's steps have, one large sentence
 * each. */

TourState *tour_state(const Session *session) {
    return mode_state(session, &mode_tour);
}

/* ---- stations ---- */

/* True if a step has a tour sentence of its own; a step that opens lends its words to its
 * parts. */
static bool is_station(const Player *player, size_t step) {
    const LessonStep *words = player->steps[step].words;
    if (!words || text_is_empty(&words->tour))
        return false;
    for (size_t i = 0; i < step; i++) {
        if (player->steps[i].words == words)
            return false;
    }
    return true;
}

/* The step of a station; PLAYER_NONE behind the last. *count, where given, is how many
 * there are. */
static size_t find_station(const Player *player, size_t station, size_t *count) {
    size_t found = PLAYER_NONE, stations = 0;
    for (size_t i = 0; i < player->step_count; i++) {
        if (is_station(player, i) && stations++ == station)
            found = i;
    }
    if (count)
        *count = stations;
    return found;
}

static size_t count_stations(const Player *player) {
    size_t count;
    find_station(player, 0, &count);
    return count;
}

/* ---- the words that are followed ---- */

/* The last word that a side of the model reads. */
static const char *last_word(const Lesson *lesson, TransformerSide side) {
    const char *word = "";
    for (size_t i = 0; lesson->model && i < lesson->model->part_count; i++) {
        const TransformerPart *part = &lesson->model->parts[i];
        if (part->kind != TRANSFORMER_IDS || !part->tower || part->tower->side != side)
            continue;
        const Tensor *ids = &tape_node(lesson->tape, part->node)->output;
        word = ids->col_labels && ids->cols ? ids->col_labels[ids->cols - 1] : "";
    }
    return word;
}

/* The word that the model finds likeliest behind the last one. */
static const char *next_word(const Lesson *lesson) {
    const Tensor *chances = NULL;
    for (size_t i = 0; lesson->model && i < lesson->model->part_count; i++) {
        const TransformerPart *part = &lesson->model->parts[i];
        if (part->kind == TRANSFORMER_PROBABILITIES)
            chances = &tape_node(lesson->tape, part->node)->output;
    }
    if (!chances || !chances->col_labels || !chances->rows)
        return "";
    size_t row = chances->rows - 1, best = 0;
    for (size_t i = 1; i < chances->cols; i++) {
        if (tensor_at(chances, row, i) > tensor_at(chances, row, best))
            best = i;
    }
    return chances->col_labels[best];
}

/* The cell that stands for the last word in a step's tensor: where the columns have
 * names, as scores and probabilities do, the largest of its row. */
static Link cell_of_last(const Player *player) {
    size_t node = player_step(player)->node;
    const Tensor *tensor = &tape_node(player->lesson->tape, node)->output;
    if (tensor->rows == 1)
        return (Link){LINK_CELL, node, 0, tensor->cols ? tensor->cols - 1 : 0};
    Link cell = {LINK_CELL, node, tensor->rows - 1, 0};
    for (size_t i = 1; tensor->col_labels && i < tensor->cols; i++) {
        if (tensor_at(tensor, cell.row, i) > tensor_at(tensor, cell.row, cell.col))
            cell.col = i;
    }
    return cell;
}

static void show(Session *session, Page *page, Arena *arena) {
    const Player *player = &session->player;
    size_t count, step = find_station(player, tour_state(session)->station, &count);
    Station *station =
        step == PLAYER_NONE ? NULL : arena_alloc(arena, 1, sizeof *station);
    if (!station)
        return;
    const Lesson *lesson = player->lesson;
    const char *const words[] = {last_word(lesson, TRANSFORMER_SOURCE),
                                 last_word(lesson, TRANSFORMER_TARGET),
                                 next_word(lesson)};
    /* A tour text that is no key of the strings is a sentence itself. */
    const char *said = text_in(&player->steps[step].words->tour, session->language);
    *station =
        (Station){.words = language_sentence(session->language, said, 3, words, arena),
                  .at = tour_state(session)->station,
                  .count = count,
                  .back = action_link("tour_back"),
                  .next = action_link("tour_next"),
                  .leave = action_link("leave_tour"),
                  .text = action_link("own_text")};
    page->station = station;
    page->note = NULL;
    page->bar = NULL;
    if (page->has_focus || mode_on(session, &mode_pin))
        return;
    page->has_focus = true;
    page->focus = cell_of_last(player);
}

/* ---- going along ---- */

static void go_to(Session *session, size_t station) {
    size_t step = find_station(&session->player, station, NULL);
    if (step == PLAYER_NONE)
        return;
    Player before = session->player;
    pin_drop(session);
    tour_state(session)->station = station;
    player_jump(&session->player, step);
    autoplay_begin_motion(session, &before);
}

static void arrive(Session *session) {
    size_t count = count_stations(&session->player);
    if (!count)
        return;
    mode_enter(session, &mode_tour);
    go_to(session, tour_state(session)->station < count ? tour_state(session)->station
                                                        : count - 1);
}

static const char *why_no_tour(const Session *session) {
    bool tours = course_touring(session->course) < session->course->count;
    return tours ? NULL : "action.why.no_tour";
}

static bool set_out(Session *session) {
    tour_state(session)->station = 0;
    return opening_number(session, course_touring(session->course),
                          (Arrival){.begins = &mode_tour});
}

const ActionGroup actions_tour = {
    NULL, 1, &(const Action){"tour", .act = set_out, .why_not = why_no_tour}};

static bool go_on(Session *session) {
    if (tour_state(session)->station + 1 < count_stations(&session->player)) {
        go_to(session, tour_state(session)->station + 1);
        return true;
    }
    home_enter(session);
    session_show_message(session, "tour.ends", NULL, NULL);
    return true;
}

static bool go_back(Session *session) {
    go_to(session, tour_state(session)->station - 1);
    return true;
}

static const char *why_first(const Session *session) {
    return tour_state(session)->station ? NULL : "action.why.at_first";
}

static bool leave(Session *session) {
    home_enter(session);
    return true;
}

static const Action actions[] = {
    {"tour_next", "Right|Space|PageDown", .act = go_on},
    {"tour_back", "Left|PageUp", .act = go_back, .why_not = why_first,
     .traits = ACTION_QUIET},
    {"leave_tour", "Escape", .act = leave},
};

const ActionGroup actions_touring = ACTION_GROUP(&mode_tour, actions);

/* The tour stays on its way: of the lesson's keys only the one for a text is left. */
static ModeAnswer block_other_keys(Session *session, const char *key) {
    if (strcmp(key, "Return") == 0)
        return go_on(session) ? MODE_CHANGES : MODE_TAKES;
    size_t number = action_of_key(&mode_lesson, key);
    bool writes = number == action_number("own_text");
    return number == action_count() || writes ? MODE_PASSES : MODE_TAKES;
}

/* A click goes on, as a clicker does. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind == LINK_COMMAND)
        return MODE_PASSES;
    return go_on(session) ? MODE_CHANGES : MODE_TAKES;
}

const Mode mode_tour = {.name = "tour",
                        .state_size = sizeof(TourState),
                        .missing = "action.why.not_touring",
                        .key = block_other_keys,
                        .press = press,
                        .show = show,
                        .arrive = arrive};

#include "picture/animation/generation_steps.h"

#include "base/maths.h"
#include "picture/animation/readable.h"

#include <string.h>

enum { STEPS_MOST = 64 };
/* Fractions of a step's time: its text is visible, it generates its token, the token
 * drops. */
static const double READS = 0.5, READ = 0.7, PREDICTS = 0.1, CHOSEN = 0.4, DROPS = 0.5;

typedef struct GenerationSteps {
    const Still *still;
    const PaceMoment *moment;
    double length; /* of all steps, in steps: the last token doesn't drop if they stand
                      below each other */
    size_t count;
    size_t said[STEPS_MOST]; /* first items of the generated tokens, downwards or from
                                left to right */
} GenerationSteps;

static bool follows(Box box, Box before, bool across) {
    return across ? box.x >= before.x + before.w : box.y >= before.y + before.h;
}

static void find_words(GenerationSteps *turns, const LessonGenerate *generate,
                       bool across) {
    const Still *still = turns->still;
    size_t count = generate->generated.step_count;
    turns->count = 0;
    for (size_t i = 0; i < count && turns->count < STEPS_MOST; i++) {
        FollowCell cell = lesson_generation_cell(generate, i);
        size_t item = still_cell(still_table(still, cell.node), cell.row, cell.col, true);
        if (item != STILL_NONE &&
            (turns->count == 0 ||
             follows(still_box(still, item),
                     still_box(still, turns->said[turns->count - 1]), across)))
            turns->said[turns->count++] = item;
    }
}

/* Progress of a step: below 0 before it begins, above 1 after its end. */
static double step_time(const GenerationSteps *turns, size_t turn) {
    return turns->moment->time * turns->length - (double)turn;
}

static double middle_of(Box box) {
    return box.y + box.h / 2;
}

static double pitch_of(const GenerationSteps *turns) {
    return middle_of(still_box(turns->still, turns->said[1])) -
           middle_of(still_box(turns->still, turns->said[0]));
}

/* Step that an item stands beside; `count` if it stands below all. */
static size_t turn_of(const GenerationSteps *turns, Box box) {
    double first = middle_of(still_box(turns->still, turns->said[0]));
    double row = (middle_of(box) - first) / pitch_of(turns) + 0.5;
    if (row < 0)
        return STILL_NONE;
    return row < (double)turns->count ? (size_t)row : turns->count;
}

static const char *text_of(const GenerationSteps *turns, size_t item) {
    size_t end = still_run_end(turns->still, item);
    for (size_t i = item; i < end; i++) {
        const SceneItem *part = &turns->still->canvas->scene->items[i];
        if (part->kind == SCENE_TEXT)
            return part->text;
    }
    return "";
}

/* Item of a step's token in the text that the next one reads: the last equal token before
 * the next step's own; STILL_NONE if there is none. */
static size_t read_at(const GenerationSteps *turns, size_t turn) {
    const Still *still = turns->still;
    const SceneItem *items = still->canvas->scene->items;
    double predicted_x = still_box(still, turns->said[turn + 1]).x, right = 0;
    size_t found = STILL_NONE;
    for (size_t i = still->first; i < still->end; i++) {
        bool begins = i == still->first || !link_equal(items[i - 1].link, items[i].link);
        if (items[i].link.kind != LINK_CELL || !begins || items[i].box.x >= predicted_x ||
            items[i].box.x < right || turn_of(turns, still_box(still, i)) != turn + 1 ||
            strcmp(text_of(turns, i), text_of(turns, turns->said[turn])) != 0)
            continue;
        found = i;
        right = items[i].box.x;
    }
    return found;
}

static void drop_word(const GenerationSteps *turns, size_t turn) {
    const Still *still = turns->still;
    double progress = motion_between(step_time(turns, turn), DROPS, 1);
    size_t to = progress > 0 && progress < 1 ? read_at(turns, turn) : STILL_NONE;
    if (to != STILL_NONE)
        ghost_draw(still, turns->said[turn],
                   motion_box_between(still_box(still, turns->said[turn]),
                                      still_box(still, to), motion_ease(progress)),
                   1);
}

/* Visible fraction of an item. */
static double shown_of(const GenerationSteps *turns, const size_t *read, size_t index) {
    const Still *still = turns->still;
    const SceneItem *item = &still->canvas->scene->items[index];
    size_t turn = turn_of(turns, item->box);
    if (turn == STILL_NONE)
        return 1;
    if (turn == turns->count)
        return motion_between(turns->moment->time, 0.9, 1);
    double time = step_time(turns, turn),
           predicted_x = still_box(still, turns->said[turn]).x;
    if (item->box.x + item->box.w >
        predicted_x - pitch_of(turns)) /* the arrow is before it */
        return motion_between(time, PREDICTS, CHOSEN);
    if (turn == 0)
        return 1;
    if (read[turn] != STILL_NONE && index >= read[turn] &&
        index < still_run_end(still, read[turn]))
        return time >= 0 ? 1 : 0;
    return motion_between(time + 1, READS, READ);
}

static void play_lines(const GenerationSteps *turns) {
    const Still *still = turns->still;
    size_t read[STEPS_MOST] = {STILL_NONE};
    for (size_t i = 0; i + 1 < turns->count; i++) {
        read[i + 1] = read_at(turns, i);
        drop_word(turns, i);
    }
    for (size_t i = still->first; i < still->end; i++) {
        SceneItem *item = &still->canvas->scene->items[i];
        if (item->kind != SCENE_CLIP && item->kind != SCENE_UNCLIP)
            motion_fade(item, shown_of(turns, read, i));
    }
}

/* ---- steps side by side ---- */

/* Fraction of a step's time: its bar stands, the token drops. */
static const double GROWN = 0.55;

/* Step with the same tokens as an item's; `count`: none. */
static size_t step_of_link(const GenerationSteps *turns, Link link) {
    const SceneItem *items = turns->still->canvas->scene->items;
    size_t turn = 0;
    for (; turn < turns->count; turn++) {
        Link said = items[turns->said[turn]].link;
        if (link.kind == LINK_CELL && said.index == link.index && said.row == link.row)
            break;
    }
    return turn;
}

/* Grows the alternatives as one bar, from the foot of the generated token, which
 * drops. */
static void play_column_item(const GenerationSteps *turns, size_t turn, size_t index) {
    const Still *still = turns->still;
    Scene *scene = still->canvas->scene;
    SceneItem *item = &scene->items[index];
    size_t said = turns->said[turn], end = still_run_end(still, said);
    Link link = scene->items[said].link;
    size_t part = still_cell(still_table(still, link.index), link.row, link.col, false);
    double time = step_time(turns, turn), foot = item->box.y + item->box.h;
    double grown = motion_ease(motion_between(time, 0, GROWN)), shown = 1;
    Box box = item->box, from = still_box(still, part), to = still_box(still, said);
    if (index >= said && index < end) {
        double progress = motion_ease(motion_between(time, GROWN, 1));
        from = (Box){to.x, from.y + from.h - to.h, to.w, to.h};
        motion_move(scene, item, to, motion_box_between(from, to, progress));
        shown = time > GROWN ? 1 : 0;
    } else if (item->kind == SCENE_RECTANGLE) {
        foot = from.y + from.h;
        box = (Box){box.x, foot + (box.y - foot) * grown, box.w, box.h * grown};
        motion_move(scene, item, item->box, box);
    } else {
        shown = motion_between(grown, 0.5, 1);
    }
    motion_fade(item, shown);
}

static void play_columns(const GenerationSteps *turns) {
    const Still *still = turns->still;
    for (size_t i = still->first; i < still->end; i++) {
        size_t turn = step_of_link(turns, still->canvas->scene->items[i].link);
        if (turn < turns->count && step_time(turns, turn) < 1)
            play_column_item(turns, turn, i);
    }
}

bool generation_steps_play(const Still *still, const LessonGenerate *generate,
                           const PaceMoment *moment) {
    GenerationSteps turns = {.still = still, .moment = moment};
    bool tree = generate->generated.options.rule == GENERATE_BEAM;
    for (int across = 0; across < 2 && !tree; across++) {
        find_words(&turns, generate, across);
        if (turns.count < 2)
            continue;
        turns.length = (double)turns.count - (across ? 0 : DROPS);
        (across ? play_columns : play_lines)(&turns);
        readable_keep_ghosts_whole(still->canvas->scene, still->first, still->first,
                                   still->end);
        return true;
    }
    return false;
}

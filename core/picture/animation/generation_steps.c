#include "picture/animation/generation_steps.h"

#include "base/maths.h"
#include "picture/animation/readable.h"
#include "picture/draw/canvas.h"

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
    size_t tokens[STEPS_MOST]; /* first items of the generated tokens, downwards or from
                                left to right */
} GenerationSteps;

static bool follows(Box box, Box before, bool across) {
    return across ? box.x >= before.x + before.w : box.y >= before.y + before.h;
}

static void find_words(GenerationSteps *steps, const LessonGenerate *generate,
                       bool across) {
    const Still *still = steps->still;
    size_t count = generate->generated.step_count;
    steps->count = 0;
    for (size_t i = 0; i < count && steps->count < STEPS_MOST; i++) {
        FollowCell cell = lesson_generation_cell(generate, i);
        size_t item = still_cell(still_table(still, cell.node), cell.row, cell.col, true);
        if (item != STILL_NONE &&
            (steps->count == 0 ||
             follows(still_box(still, item),
                     still_box(still, steps->tokens[steps->count - 1]), across)))
            steps->tokens[steps->count++] = item;
    }
}

/* Progress of a step: below 0 before it begins, above 1 after its end. */
static double step_time(const GenerationSteps *steps, size_t step) {
    return steps->moment->time * steps->length - (double)step;
}

static double middle_of(Box box) {
    return box.y + box.h / 2;
}

static double pitch_of(const GenerationSteps *steps) {
    return middle_of(still_box(steps->still, steps->tokens[1])) -
           middle_of(still_box(steps->still, steps->tokens[0]));
}

/* Step that an item stands beside; `count` if it stands below all. */
static size_t step_beside(const GenerationSteps *steps, Box box) {
    double first = middle_of(still_box(steps->still, steps->tokens[0]));
    double row = (middle_of(box) - first) / pitch_of(steps) + 0.5;
    if (row < 0)
        return STILL_NONE;
    return row < (double)steps->count ? (size_t)row : steps->count;
}

static const char *text_of(const GenerationSteps *steps, size_t item) {
    size_t end = still_run_end(steps->still, item);
    for (size_t i = item; i < end; i++) {
        const SceneItem *part = &steps->still->canvas->scene->items[i];
        if (part->kind == SCENE_TEXT)
            return part->text;
    }
    return "";
}

/* Item of a step's token in the text that the next one reads: the last equal token before
 * the next step's own; STILL_NONE if there is none. */
static size_t read_at(const GenerationSteps *steps, size_t step) {
    const Still *still = steps->still;
    const SceneItem *items = still->canvas->scene->items;
    double predicted_x = still_box(still, steps->tokens[step + 1]).x, right = 0;
    size_t found = STILL_NONE;
    for (size_t i = still->first; i < still->end; i++) {
        bool begins = i == still->first || !link_equal(items[i - 1].link, items[i].link);
        if (items[i].link.kind != LINK_CELL || !begins || items[i].box.x >= predicted_x ||
            items[i].box.x < right ||
            step_beside(steps, still_box(still, i)) != step + 1 ||
            strcmp(text_of(steps, i), text_of(steps, steps->tokens[step])) != 0)
            continue;
        found = i;
        right = items[i].box.x;
    }
    return found;
}

static void drop_word(const GenerationSteps *steps, size_t step) {
    const Still *still = steps->still;
    double progress = motion_between(step_time(steps, step), DROPS, 1);
    size_t to = progress > 0 && progress < 1 ? read_at(steps, step) : STILL_NONE;
    if (to != STILL_NONE)
        ghost_draw(still, steps->tokens[step],
                   motion_box_between(still_box(still, steps->tokens[step]),
                                      still_box(still, to), motion_ease(progress)),
                   1);
}

/* Visible fraction of an item. */
static double shown_of(const GenerationSteps *steps, const size_t *read, size_t index) {
    const Still *still = steps->still;
    const SceneItem *item = &still->canvas->scene->items[index];
    size_t step = step_beside(steps, item->box);
    if (step == STILL_NONE)
        return 1;
    if (step == steps->count)
        return motion_between(steps->moment->time, 0.9, 1);
    double time = step_time(steps, step),
           predicted_x = still_box(still, steps->tokens[step]).x;
    if (item->box.x + item->box.w >
        predicted_x - pitch_of(steps)) /* the arrow is before it */
        return motion_between(time, PREDICTS, CHOSEN);
    if (step == 0)
        return 1;
    if (read[step] != STILL_NONE && index >= read[step] &&
        index < still_run_end(still, read[step]))
        return time >= 0 ? 1 : 0;
    return motion_between(time + 1, READS, READ);
}

static void play_lines(const GenerationSteps *steps) {
    const Still *still = steps->still;
    size_t read[STEPS_MOST] = {STILL_NONE};
    for (size_t i = 0; i + 1 < steps->count; i++) {
        read[i + 1] = read_at(steps, i);
        drop_word(steps, i);
    }
    for (size_t i = still->first; i < still->end; i++) {
        SceneItem *item = &still->canvas->scene->items[i];
        if (item->kind != SCENE_CLIP && item->kind != SCENE_UNCLIP)
            motion_fade(item, shown_of(steps, read, i));
    }
}

/* ---- steps side by side ---- */

/* Fraction of a step's time: its bar stands, the token drops. */
static const double GROWN = 0.55;

/* Step with the same tokens as an item's; `count`: none. */
static size_t step_of_link(const GenerationSteps *steps, Link link) {
    const SceneItem *items = steps->still->canvas->scene->items;
    size_t step = 0;
    for (; step < steps->count; step++) {
        Link token = items[steps->tokens[step]].link;
        if (link.kind == LINK_CELL && token.index == link.index && token.row == link.row)
            break;
    }
    return step;
}

/* Grows the alternatives as one bar, from the foot of the generated token, which
 * drops. */
static void play_column_item(const GenerationSteps *steps, size_t step, size_t index) {
    const Still *still = steps->still;
    Scene *scene = still->canvas->scene;
    SceneItem *item = &scene->items[index];
    size_t token = steps->tokens[step], end = still_run_end(still, token);
    Link link = scene->items[token].link;
    size_t part = still_cell(still_table(still, link.index), link.row, link.col, false);
    double time = step_time(steps, step), foot = item->box.y + item->box.h;
    double grown = motion_ease(motion_between(time, 0, GROWN)), shown = 1;
    Box box = item->box, from = still_box(still, part), to = still_box(still, token);
    if (index >= token && index < end) {
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

static void play_columns(const GenerationSteps *steps) {
    const Still *still = steps->still;
    for (size_t i = still->first; i < still->end; i++) {
        size_t step = step_of_link(steps, still->canvas->scene->items[i].link);
        if (step < steps->count && step_time(steps, step) < 1)
            play_column_item(steps, step, i);
    }
}

bool generation_steps_play(const Still *still, const LessonGenerate *generate,
                           const PaceMoment *moment) {
    GenerationSteps steps = {.still = still, .moment = moment};
    bool tree = generate->generated.options.rule == GENERATE_BEAM;
    for (int across = 0; across < 2 && !tree; across++) {
        find_words(&steps, generate, across);
        if (steps.count < 2)
            continue;
        steps.length = (double)steps.count - (across ? 0 : DROPS);
        (across ? play_columns : play_lines)(&steps);
        readable_keep_ghosts_whole(still->canvas->scene, still->first, still->first,
                                   still->end);
        return true;
    }
    return false;
}

#include "picture/animation/animation_parts.h"

#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"

#include <math.h>
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

/* Middle height of a step's token. */
static double middle_of(const GenerationSteps *steps, size_t step) {
    return box_middle(still_box(steps->still, steps->tokens[step])).y;
}

static double pitch_of(const GenerationSteps *steps) {
    return middle_of(steps, 1) - middle_of(steps, 0);
}

/* Step that an item stands beside; `count` if it stands below all. */
static size_t step_beside(const GenerationSteps *steps, Box box) {
    double row = (box_middle(box).y - middle_of(steps, 0)) / pitch_of(steps) + 0.5;
    if (row < 0)
        return STILL_NONE;
    return row < (double)steps->count ? (size_t)row : steps->count;
}

static const char *text_of(const GenerationSteps *steps, size_t item) {
    size_t text = still_text(steps->still, item);
    return text == STILL_NONE ? "" : steps->still->canvas->scene->items[text].text;
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
    if (still_is_in(still, read[step], index))
        return time >= 0 ? 1 : 0;
    return motion_between(time + 1, READS, READ);
}

static void play_lines(const GenerationSteps *steps) {
    const Still *still = steps->still;
    size_t read[STEPS_MOST] = {STILL_NONE};
    for (size_t i = 0; i + 1 < steps->count; i++) {
        double drops = motion_between(step_time(steps, i), DROPS, 1);
        read[i + 1] = read_at(steps, i);
        if (read[i + 1] != STILL_NONE && drops > 0)
            ghost_fly(still, steps->tokens[i], still_box(still, read[i + 1]), drops, 1);
    }
    for (size_t i = still->first; i < still->end; i++) {
        SceneItem *item = &still->canvas->scene->items[i];
        if (item->kind != SCENE_CLIP && item->kind != SCENE_UNCLIP)
            motion_fade(item, shown_of(steps, read, i));
    }
}

/* ---- steps side by side ---- */

/* Fraction of a step's time: its bar stands, the token drops; and of the bar's length:
 * the words of its parts have room. */
static const double GROWN = 0.55, NAMED = 0.9;

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

/* Line that the bar of each step hangs from: the top of its first part. */
static void find_lines(const GenerationSteps *steps, double *lines) {
    const Still *still = steps->still;
    for (size_t i = 0; i < steps->count; i++)
        lines[i] = INFINITY;
    for (size_t i = still->first; i < still->end; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        size_t step = step_of_link(steps, item->link);
        if (step < steps->count && item->kind == SCENE_RECTANGLE &&
            !still_is_in(still, steps->tokens[step], i))
            lines[step] = fmin(lines[step], item->box.y);
    }
}

/* Grows the alternatives as one bar, downwards from its line; their words move with them.
 * The generated token drops. */
static void play_column_item(const GenerationSteps *steps, size_t step, double line,
                             size_t index) {
    const Still *still = steps->still;
    Scene *scene = still->canvas->scene;
    SceneItem *item = &scene->items[index];
    size_t token = steps->tokens[step];
    Link link = scene->items[token].link;
    size_t part = still_cell(still_table(still, link.index), link.row, link.col, false);
    double time = step_time(steps, step), shown = 1;
    double grown = motion_eased(time, 0, GROWN);
    Box box = item->box, from = still_box(still, part), to = still_box(still, token);
    if (still_is_in(still, token, index)) {
        double progress = motion_eased(time, GROWN, 1);
        from = (Box){to.x, from.y + from.h - to.h, to.w, to.h};
        motion_move(scene, item, to, motion_box_between(from, to, progress));
        shown = time > GROWN ? 1 : 0;
    } else if (item->kind == SCENE_RECTANGLE) {
        box = (Box){box.x, line + (box.y - line) * grown, box.w, box.h * grown};
        motion_move(scene, item, item->box, box);
    } else if (box.y >= line) {
        box.y -= (box_middle(box).y - line) * (1 - grown);
        motion_move(scene, item, item->box, box);
        shown = motion_between(grown, NAMED, 1);
    } else {
        shown = motion_between(grown, 0.5, 1);
    }
    motion_fade(item, shown);
}

static void play_columns(const GenerationSteps *steps) {
    const Still *still = steps->still;
    double lines[STEPS_MOST];
    find_lines(steps, lines);
    for (size_t i = still->first; i < still->end; i++) {
        size_t step = step_of_link(steps, still->canvas->scene->items[i].link);
        if (step < steps->count && step_time(steps, step) < 1)
            play_column_item(steps, step, lines[step], i);
    }
}

/* Removes texts that the moving tokens would partly cover. */
static void keep_readable(const Still *still) {
    Scene *scene = still->canvas->scene;
    bool *moves =
        arena_alloc(scene->arena, scene->count - still->first + 1, sizeof *moves);
    for (size_t i = still->end; i < scene->count; i++)
        moves[i - still->first] = true;
    readable_keep_whole(scene, still->first, moves);
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
        keep_readable(still);
        return true;
    }
    return false;
}

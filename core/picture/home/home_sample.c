#include "picture/home/home.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/model/generate_step.h"
#include "tensor/tape/tape.h"

static const double LEAST_CHANCE = 0.0005; /* half a unit of the third decimal */

/* The generation with the most steps; not a beam search, whose steps extend several
 * texts. */
static const LessonGenerate *longest(const Lesson *lesson) {
    const LessonGenerate *found = NULL;
    for (size_t i = 0; i < lesson->step_count; i++) {
        const LessonGenerate *generate = lesson->steps[i].generate;
        if (generate && generate->generated.options.rule != GENERATE_BEAM &&
            (!found || generate->generated.step_count > found->generated.step_count))
            found = generate;
    }
    return found;
}

/* Labels of a row of IDs; returns their number, 0 if there are none. */
static size_t words_of(const Tape *tape, size_t node, const char *const **words) {
    const Tensor *ids = &tape_node(tape, node)->output;
    *words = ids->col_labels;
    return ids->col_labels ? ids->cols : 0;
}

static bool fill_step(const Tape *tape, const LessonGenerate *generate, size_t number,
                      HomeStep *turn, Arena *arena) {
    const Generated *said = &generate->generated;
    const DecodingStep *from = &said->steps[number];
    turn->read_count = words_of(tape, from->ids[0], &turn->read);
    const double *chances = tape_node(tape, from->probabilities)->output.values;
    size_t *order = generate_order(arena, chances, said->word_count);
    size_t chosen = generated_token(said, from->chosen[0]) - said->first_output;
    if (!order || chosen >= said->word_count)
        return false;
    turn->chances[turn->count++] = (HomeChance){
        lesson_generated_token(generate, chosen + said->first_output), chances[chosen]};
    for (size_t i = 0; i < said->word_count && turn->count < HOME_CHANCES; i++) {
        size_t word = order[i];
        if (word != chosen && chances[word] >= LEAST_CHANCE)
            turn->chances[turn->count++] =
                (HomeChance){lesson_generated_token(generate, word + said->first_output),
                             chances[word]};
    }
    return true;
}

const HomeSample *home_sample(const Lesson *lesson, Arena *arena) {
    const LessonGenerate *generate = longest(lesson);
    size_t count = generate ? generate->generated.step_count : 0;
    HomeSample *sample = count ? arena_alloc(arena, 1, sizeof *sample) : NULL;
    HomeStep *steps = sample ? arena_alloc(arena, count, sizeof *steps) : NULL;
    if (!steps)
        return NULL;
    *sample = (HomeSample){.step_count = count, .steps = steps};
    for (size_t i = 0; i < count; i++) {
        steps[i] = (HomeStep){0};
        if (!fill_step(lesson->tape, generate, i, &steps[i], arena))
            return NULL;
    }
    for (size_t i = 0; lesson->model && i < lesson->model->part_count; i++) {
        const TransformerPart *part = &lesson->model->parts[i];
        if (part->kind == TRANSFORMER_IDS && part->tower &&
            part->tower->side == TRANSFORMER_SOURCE)
            sample->word_count = words_of(lesson->tape, part->node, &sample->words);
    }
    return sample;
}

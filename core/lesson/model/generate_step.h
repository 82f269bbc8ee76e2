/* Generation in a lesson: what a `- generate:` step asks for, and what the model said.
 *
 *   steps:
 *     - generate: {name: said, rule: sample, top_k: 3, length: 4, seed: 7}
 *
 * Words are said once, when the lesson is read, on the lesson's own tape: each turn is a
 * group, "said.turn_2", in which every number has its cells, its sum and its sources
 * (model/generate/generate.h has the names). What was chosen stays as it is when numbers
 * are changed by hand; lesson_would_generate tells what would be now. The name
 * said.logits stands for the rows of all words in the last turn (not of a beam). Given
 * tensors tell how it went: logits_said [turns,words], the rows that words were chosen by
 * (a beam has none); cost_said [1,turns], the multiplications of each turn; and
 * drawn_said [turns,words], the share of the draws that fell on each word. Everything
 * lives in the lesson's arena. */
#ifndef LESSON_GENERATE_STEP_H
#define LESSON_GENERATE_STEP_H

#include "lesson/play/follow.h"
#include "lesson/read/spec.h"
#include "model/generate/generate.h"

typedef struct LessonReader LessonReader; /* lesson/read/reader.h */

struct LessonGenerate {
    const char *name;
    Generated generated;
    const char *const *words; /* [said.word_count]: of ID said.first_output + i */
    size_t draws;             /* for drawn_said; 0: none */
    size_t drawn;             /* node, or TAPE_NONE */
    size_t told, summary_end; /* the nodes that tell how it went; first the costs */
};

/* Whether a node tells how one of some steps' generations went. */
bool generate_step_summary_node(const LessonStep *steps, size_t count, size_t node);

/* The word of an ID that the model can say. */
const char *lesson_generated_token(const LessonGenerate *generate, size_t id);

/* What a step of the tree shows of a generation: its `generate` and *turn, which is
 * PLAYER_NONE for all turns at once; NULL where it shows none. */
const LessonGenerate *lesson_generation_at(const Player *player, size_t step,
                                           size_t *turn);

/* The cell that a turn is about: the chance of the word said, or the sum of the text that
 * led to a beam's best. Of all turns (PLAYER_NONE) the last one's. */
FollowCell lesson_generation_cell(const LessonGenerate *generate, size_t turn);

/* The word that greedy or sample would say in a turn by the tape's present values, where
 * that is another than was said; else NULL, as of a beam. */
const char *lesson_would_generate(const LessonGenerate *generate, const Tape *tape,
                                  size_t turn, Arena *scratch);

/* What the lesson's model reads where nothing else is said: an encoder–decoder translates
 * the lesson's source and begins with the token that texts begin with (the lesson's own
 * target's first where the vocabulary has none), a decoder alone goes on with the
 * lesson's text. False when the arena is exhausted. */
bool lesson_generate_input(const Lesson *lesson, Arena *arena, TransformerInput *input);

/* The ID that ends what the model says, or GENERATE_NONE. */
size_t lesson_generate_end(const Lesson *lesson);

/* Lets the model say a step's words. All errors found, each
 * with its place: ERROR_NAME, ERROR_VALUE, and those of generate_run. Only lesson/steps.c
 * calls it. */
bool generate_step_read(LessonReader *reader, const GenerateSpec *spec, LessonStep *step);

#endif

/* Generation in a lesson: `- generate:` steps and their results.
 *
 *   steps:
 *     - generate: {name: said, rule: sample, top_k: 3, length: 4, seed: 7}
 *
 * The text is generated once, on loading, on the lesson's own tape: each decoding step is
 * a group, "said.turn_2", in which every number can be explained and traced
 * (model/generate/generate.h has the names). The choices stay when numbers are changed by
 * hand; lesson_would_generate returns what would be chosen now. The name said.logits
 * refers to the rows of all tokens in the last step (not for a beam). Given tensors
 * summarize the generation: logits_said [turns,words], the rows that tokens were chosen
 * by (not for a beam); cost_said [1,turns], the multiplications of each step; and
 * drawn_said [turns,words], the frequency of each token when sampling repeatedly.
 * Everything lives in the lesson's arena. */
#pragma once

#include "lesson/play/follow.h"
#include "model/generate/generate.h"

typedef struct GenerateSpec GenerateSpec;
typedef struct LessonGenerate LessonGenerate;

typedef struct LessonReader LessonReader; /* lesson/read/reader.h */

struct LessonGenerate {
    const char *name;
    Generated generated;
    /* token of each column of the logits: ID generated.first_output + i */
    const char *const *words;
    size_t draws; /* number of samples for drawn_said; 0: none */
    size_t drawn; /* node, or TAPE_NONE */
    /* nodes [summary, summary_end) of the summary, beginning with the costs */
    size_t summary, summary_end;
    const LessonGenerate *earlier; /* the previous generation, or NULL */
};

/* Reports whether a node summarizes one of the generations read so far. */
bool generate_step_summary_node(const LessonReader *reader, size_t node);

/* Returns the token of an ID that the model can generate. */
const char *lesson_generated_token(const LessonGenerate *generate, size_t id);

/* Returns the generation that a step of the tree shows, and the number of its
 * decoding step in *decoding_step, PLAYER_NONE for all of them; NULL if it shows none. */
const LessonGenerate *lesson_generation_at(const Player *player, size_t step,
                                           size_t *decoding_step);

/* Returns the main cell of a decoding step: the probability of the token chosen, or the
 * total of the text that led to a beam's best. For all steps (PLAYER_NONE) the last
 * one's. */
FollowCell lesson_generation_cell(const LessonGenerate *generate, size_t decoding_step);

/* Returns the token that greedy or sample would choose in a step by the tape's present
 * values, if that differs from the one generated; else NULL, as for a beam. */
const char *lesson_would_generate(const LessonGenerate *generate, const Tape *tape,
                                  size_t decoding_step, Arena *scratch);

/* Returns the model's default input: an encoder–decoder translates the lesson's source
 * and begins with the begin token (the first of the lesson's target if the vocabulary has
 * none), a decoder alone continues the lesson's text. */
void lesson_generate_input(const Lesson *lesson, Arena *arena, TransformerInput *input);

/* Returns the ID of the model's end token, or GENERATE_NONE. */
size_t lesson_generate_end(const Lesson *lesson);

/* Runs the generation of a step. All errors found, each with its position: ERROR_NAME,
 * ERROR_VALUE, and those of generate_run. Only lesson/model/steps.c calls it. */
bool generate_step_read(LessonReader *reader, const GenerateSpec *spec, LessonStep *step);

/* Generation in a lesson: what a `- generate:` step asks for, and what the model said.
 *
 *   steps:
 *     - generate: {name: said, rule: sample, top_k: 3, length: 4, seed: 7}
 *
 * Words are chosen once, when the lesson is read (model/say/decode.h, model/say/beam.h).
 * Then each turn is a group of the tape, "said.turn_2": the model reads the text so far,
 * all its tensors under their own names behind that ("said.turn_2.encoder.0.norm_1"), and
 * the rule's operations follow on the row of the last word: next_logits, scaled, shares,
 * top_k, top_p, chances; of a beam search log_chances, before and totals, a row for each
 * text that grew. So every number of a turn has its cells, its sum and its sources; what
 * was chosen stays as it is when numbers are changed by hand.
 *   Given tensors tell how it went: logits_said [turns,words] as the loop itself had
 * them, with its cache where it has one; cost_said [1,turns], the multiplications of each
 * turn; and drawn_said [turns,words], the share of the draws that fell on each word.
 * Everything lives in the lesson's arena. */
#ifndef LESSON_GENERATE_STEP_H
#define LESSON_GENERATE_STEP_H

#include "lesson/play/follow.h"
#include "model/say/beam.h"
#include "model/say/decode.h"

typedef struct LessonReader LessonReader; /* lesson/read/reader.h */
typedef struct YamlNode YamlNode;

enum { GENERATE_LENGTH_MAX = 64, GENERATE_WIDTH_MAX = 8, GENERATE_DRAWS_MAX = 1000000 };

typedef enum LessonRule {
    LESSON_GREEDY,
    LESSON_SAMPLE,
    LESSON_BEAM,
    LESSON_RULE_COUNT
} LessonRule;

/* "greedy", "sample", "beam". */
const char *lesson_rule_name(LessonRule rule);

typedef struct LessonTurn {
    size_t text_count;  /* that the turn puts words behind: 1, of a beam several */
    const size_t *ids;  /* of each the node of what is read, a row of labelled IDs */
    const size_t *from; /* of a beam: the search's node that each of them is; or NULL */
    size_t scaled, top_k, top_p; /* nodes; TAPE_NONE where the rule does without */
    size_t shares;  /* the node of the shares before the cuts; chances where none cuts */
    size_t chances; /* node [texts,words] */
    size_t result;  /* the node the turn is about: chances, or a beam's totals */
    size_t chosen;  /* the ID said; of no meaning in a beam */
} LessonTurn;

struct LessonGenerate {
    const char *name;
    LessonRule rule;
    DecodeOptions options; /* of all rules but beam */
    BeamOptions beam_options;
    size_t draws; /* for drawn_said; 0: none */
    size_t drawn; /* node, or TAPE_NONE */
    size_t turn_count;
    LessonTurn *turns;
    size_t said_count; /* words said, by a beam those of its best text */
    const size_t *said;
    bool ended; /* by the word that ends texts */
    size_t word_count, first_output;
    const char *const *words; /* [word_count]: of ID first_output + i */
    size_t multiplications;
    Decode decode; /* {0} for a beam */
    Beam beam;     /* {0} for all other rules */
};

/* The multiplications of one turn. */
size_t lesson_turn_multiplications(const LessonGenerate *generate, size_t turn);

/* The word of an ID that the model can say. */
const char *lesson_said_word(const LessonGenerate *generate, size_t id);

/* The search's node of turn `turn`, as its totals' row and column; false for node 0,
 * which no turn has made. */
bool lesson_beam_cell(const LessonGenerate *generate, size_t node, size_t *turn,
                      size_t *row, size_t *col);

/* What a step of the tree shows of a generation: its `generate` and *turn, which is
 * PLAYER_NONE for all turns at once; NULL where it shows none. */
const LessonGenerate *lesson_generation_at(const Player *player, size_t step,
                                           size_t *turn);

/* The cell that a turn is about: the chance of the word said, or the sum of the text that
 * led to a beam's best. Of all turns (PLAYER_NONE) the last one's. */
FollowCell lesson_generation_cell(const LessonGenerate *generate, size_t turn);

/* A lesson's own IDs of one side; no cells where it has none. */
Tensor lesson_own_ids(const Lesson *lesson, TransformerSide side);

/* The ID of a token that the decoder's texts begin or end with; `otherwise` where the
 * vocabulary lacks it. */
size_t lesson_special_id(const Lesson *lesson, const char *token, size_t otherwise);

/* Reads a step's `generate:`, lets the model say its words and puts the turns on the
 * tape. All errors found, each with its place: ERROR_NAME, ERROR_VALUE, and those of
 * decode_run, beam_run and the tape. Only lesson/steps.c calls it. */
bool generate_step_read(LessonReader *reader, const YamlNode *node, LessonStep *step);

/* ---- generate_tape.c, for generate_step.c ---- */

/* A step's tensors being put on the lesson's tape. */
typedef struct GenerateTape {
    LessonReader *reader;
    LessonGenerate *generate;
    TransformerInput input; /* as the first turn reads it */
    Error *error;
} GenerateTape;

/* Appends the given tensors that tell how it went, then (from node *first on) the turns,
 * and gives all of them names. */
bool generate_tape_append(GenerateTape *this, size_t *first);

#endif

/* The stage: input of every picture of a step, and its area in the middle of the page.
 *
 * Pictures of operations (picture/operations), of single tensors (picture/tensors) and of
 * steps that open into several (picture/composites) take the same Stage and draw into its
 * area. The functions here are what they share. */
#pragma once

#include "lesson/content/view.h"
#include "picture/draw/heatmap.h"
#include "picture/scene/theme.h"

typedef struct Player Player;
typedef struct TapeNode TapeNode;

/* Numbers drawn in the cells in place of the tape's, such as differences. */
typedef struct StageValues {
    /* Returns a node's values, of the node's shape, valid for the frame; NULL: the
     * tape's. */
    const Tensor *(*tensor)(void *context, size_t node);
    void *context;
} StageValues;

typedef struct Stage {
    const Canvas *canvas;
    const Player *player;
    const Tape *tape;
    size_t node;     /* node of the operation drawn */
    LessonView view; /* view; LESSON_VIEW_PICTURE and NONE: the operation's own picture */
    bool has_focus;  /* a cell of the output is being explained */
    size_t focus_node, focus_row, focus_col;
    size_t visible;   /* output cells computed so far (all of them above cell depth) */
    bool is_question; /* the output is asked for, so nothing on the way to it is shown */
    bool is_choice_question; /* the question is a choice: the operation itself would give
                                it away */
    bool is_number_question; /* the question is a number to be computed from the inputs */
    bool brief; /* on the tour: the result is shown without the computation */
    bool alone; /* a tensor by itself, as large as there is room */
    const LessonStep *step;
    const Tape *base; /* tape of the lesson as it was before, or NULL: its originals */
    /* Values to draw, or NULL for the tape's. If set, every step is drawn as plain
     * heatmaps, each signed and with a scale of its own. */
    const StageValues *values;
    Box area;
} Stage;

/* Returns the colours of a tensor's values: probabilities for the output of softmax and
 * what is computed from it, plain for IDs, else signed. */
HeatmapColors stage_colors(const Tape *tape, size_t node);

/* Returns the colour that stands for a tensor: its role's or, for the input at
 * `position`, one of the theme's other colours in rotation. */
Color stage_color(const Stage *stage, size_t node, size_t position);

const TapeNode *stage_node(const Stage *stage, size_t node);
const Tensor *stage_tensor(const Stage *stage, size_t node);

/* Returns the node of a tape `base` that has the name and the shape of a node, or
 * TAPE_NONE; the node itself if `base` is NULL. */
size_t stage_counterpart(const Tape *tape, const Tape *base, size_t node);

/* Returns a node's name as a formula; if it has none, its operation applied to its
 * inputs. */
const char *stage_formula_name(const Stage *stage, size_t node);

/* Returns that formula as it is written before an index: in parentheses unless it is a
 * name or a call; and as it is written behind a sign such as "+" or "\cdot": in
 * parentheses where it needs them. */
const char *stage_formula_part(const Stage *stage, size_t node);
const char *stage_formula_behind(const Stage *stage, const char *sign, size_t node);

/* Returns an operation applied to its inputs as a formula, preceded by the result's
 * name. */
const char *stage_operation_formula(const Stage *stage, size_t node);

/* Returns an operation's name in the page's language as upright text of a formula. */
const char *stage_operation_words(const Stage *stage, size_t node);

/* Returns the scores that a node's probabilities were computed from, if some are masked
 * and have probability 0: those are hatched. NULL: none are. */
const Tensor *stage_masked_scores(const Stage *stage, size_t node);

/* Returns true if everything that the player's step opens into, before its last
 * operation, only selects rows and columns or multiplies a table by a number, so that the
 * last operation's picture shows it all. Also true for a step that doesn't open. */
bool stage_only_picks(const Stage *stage);

/* Returns a step's short name: that of its composite, such as "attention", else that of
 * its operation. */
const char *stage_step_words(const Canvas *canvas, const Player *player, size_t step);

/* Draws the legends of the scales used in the area's lower right corner, from right to
 * left; returns where the last one begins. Call it when all cells are drawn, because the
 * legend of a signed scale begins at 0 if none of them is negative. */
typedef struct StageScale {
    HeatmapColors colors;
    double reach;
} StageScale;
double stage_legends(const Stage *stage, Box area, const StageScale *scales,
                     size_t count);

/* Like stage_legends for colours that are already known to be HEATMAP_UPPER or not: for
 * cells that aren't the tape's. */
double stage_known_legends(const Stage *stage, Box area, const StageScale *scales,
                           size_t count);

/* Returns the colours of the legend of a single table. */
HeatmapColors stage_table_legend(const Tensor *tensor, HeatmapColors colors);

/* Returns the least fraction of a common scale that a table must use; otherwise it would
 * be too pale and gets its own. It is smaller for tables so small that numbers replace
 * colours. */
double stage_least_share(const Tensor *tensor);

/* Set of roles: bit 1 << role. */
typedef unsigned RoleSet;

static inline RoleSet role_set_add(RoleSet roles, Role role) {
    return roles | 1u << role;
}

/* Draws the key of the roles used in the lower left corner, beside the legends of
 * `scales` scales: a small frame and a word for each role of the set that has tabs;
 * nothing if there are fewer than two or they don't fit. */
void stage_role_key(const Stage *stage, Box area, size_t scales, RoleSet roles);

/* Height reserved for legends at the bottom of the stage, in points. */
#define STAGE_LEGEND_HEIGHT 46.0

/* Returns the text of the step's question while it is open; else NULL. */
const char *stage_asked(const Stage *stage);

/* Returns a heatmap of a node without the stage's focus; the picture places its cells. */
Heatmap stage_heatmap(const Stage *stage, size_t node, Box cells, double reach);

/* Marks a heatmap as the stage's result: its cells appear one by one and are compared
 * with the values the source prints. */
void stage_result(const Stage *stage, Heatmap *heatmap);

/* Reports whether the stage's focus is this cell. */
bool stage_focuses(const Stage *stage, size_t node, size_t row, size_t col);

/* Frames the stage's focused cell in a heatmap that has it. */
void stage_outline_focus(const Stage *stage, const Heatmap *heatmap);

/* Emphasises the labels of the focus's row, of its column, or of both. */
void stage_focus(const Stage *stage, Heatmap *heatmap, bool row, bool col);

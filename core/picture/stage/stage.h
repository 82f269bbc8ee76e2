/* The stage: what the picture of one step is given, in the middle of the page.
 *
 * Every picture takes the same Stage and draws into its area: of an operation
 * (picture/operations), of a tensor by itself (picture/tensors), of what opens into
 * several steps (picture/composites). Here is what they ask of it. */
#ifndef PICTURE_STAGE_H
#define PICTURE_STAGE_H

#include "lesson/play/player.h"
#include "picture/draw/heatmap.h"
#include "picture/stage/role_key.h"

/* Numbers that stand in the cells in place of the tape's, as differences do. */
typedef struct StageValues {
    /* A node's; NULL: the tape's own. Of the node's shape, valid for the frame. */
    const Tensor *(*tensor)(void *context, size_t node);
    void *context;
} StageValues;

typedef struct Stage {
    const Canvas *canvas;
    const Player *player;
    const Tape *tape;
    size_t node;     /* the operation drawn */
    LessonView view; /* how: LESSON_VIEW_PICTURE or NONE is by its operation */
    bool has_focus;  /* the output's cell being explained */
    size_t focus_node, focus_row, focus_col;
    size_t visible;   /* output cells computed so far (all of them above cell depth) */
    bool is_question; /* the output is to be found out, and nothing on the way to it shown
                       */
    bool is_choice_question; /* … by a choice: what is done would tell */
    bool is_number_question; /* … which is to be worked out of what goes into it */
    bool brief;              /* on the tour: what happens, without how */
    bool alone;              /* a tensor by itself, as large as there is room */
    const LessonStep *step;
    const StageValues *values; /* NULL: the tape's; else every step is drawn as plain
                                  heatmaps, each signed and with a scale of its own */
    Box area;
} Stage;

/* How a tensor's values are coloured: shares where softmax made them and where they are
 * made of such, plain for IDs, signed otherwise. */
HeatmapColors stage_colors(const Tape *tape, size_t node);

/* The colour that stands for a tensor: its role's, else, of the input at `position`, one
 * of the theme's others by turns. */
Color stage_color(const Stage *stage, size_t node, size_t position);

const TapeNode *stage_node(const Stage *stage, size_t node);
const Tensor *stage_tensor(const Stage *stage, size_t node);

/* A node's name as a formula: its own, or, where it has none, its operation's on its
 * inputs. */
const char *stage_formula_name(const Stage *stage, size_t node);

/* An operation on its inputs as a formula, with the result's name before it. */
const char *stage_operation_formula(const Stage *stage, size_t node);

/* What an operation is called in the page's language, as a formula's upright text. */
const char *stage_operation_words(const Stage *stage, size_t node);

/* The scores that a node's shares were made of, where some of them mask and leave
 * no share: those are hatched. NULL: none do. */
const Tensor *stage_masked_scores(const Stage *stage, size_t node);

/* Whether all that the player's step opens into before its last operation only picks rows
 * and columns, or takes so many times a table: then that operation's picture shows it
 * all. True of a step that doesn't open. */
bool stage_only_picks(const Stage *stage);

/* What a step does, in a word or two: its composite's name, "attention", else its
 * operation's. */
const char *stage_step_words(const Canvas *canvas, const Player *player, size_t step);

/* The legends of the scales used, in the area's lower right corner, right to left; when
 * all cells are drawn, since a signed one begins at 0 where none of them is negative.
 * Gives back where the last one begins. */
typedef struct StageScale {
    HeatmapColors colors;
    double reach;
} StageScale;
double stage_legends(const Stage *stage, Box area, const StageScale *scales,
                     size_t count);

/* The same where one knows which are HEATMAP_UPPER: of cells that aren't the tape's. */
double stage_known_legends(const Stage *stage, Box area, const StageScale *scales,
                           size_t count);

/* The colours of the legend of one table by itself. */
HeatmapColors stage_table_legend(const Tensor *tensor, HeatmapColors colors);

/* Tables stand on one scale, except those that use no more of it than this, as they would
 * be too pale: less where a table is so small that its numbers say what colours don't. */
double stage_least_share(const Tensor *tensor);

/* The key of the roles worn, in the lower left corner, beside the legends of so many
 * scales; nothing where that has no room. */
void stage_role_key(const Stage *stage, Box area, size_t scales, RoleSet roles);

/* The height kept free for legends at the bottom of the stage. */
#define STAGE_LEGEND_HEIGHT 46.0

/* The words in which the step asks, while it does; else NULL. */
const char *stage_asked(const Stage *stage);

/* A heatmap of a node with the stage's focus left out; cells are placed by the picture.
 */
Heatmap stage_heatmap(const Stage *stage, size_t node, Box cells, double reach);

/* Makes it one of what the stage computes: cells come one by one, and are held against
 * what the source prints. */
void stage_result(const Stage *stage, Heatmap *heatmap);

/* Emphasises the labels of the focus's row, of its column, or of both. */
void stage_focus(const Stage *stage, Heatmap *heatmap, bool row, bool col);

#endif

/* The player: a cursor on a lesson's tree of steps.
 *
 * lesson > statement > group > operation > cell; in a model, model > layer > sublayer >
 * operation > cell. A statement that made one operation is that operation. Right and Left
 * move among the steps at the present depth: the tree's front, which includes leaves
 * above that depth. Down opens the step, Up closes it. At the deepest level the cursor is
 * on a cell of an operation's output, and Right goes on to the next cell, then to the
 * next operation's first. Moving computes nothing and allocates nothing; Left is always
 * the inverse of Right. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Lesson Lesson;
typedef struct LessonFilm LessonFilm;
typedef struct LessonStep LessonStep;

#define PLAYER_NONE ((size_t)-1)

/* One step of the tree, in reading order (parents before children). */
typedef struct PlayerStep {
    const char *path;   /* "3", "3.1", "3.1.2" */
    const char *name;   /* the result's name: "Q"; without one, the operation's */
    size_t statement;   /* index into lesson->steps */
    size_t node;        /* the node whose tensor is the step's result */
    size_t parent;      /* index of its parent, or PLAYER_NONE */
    size_t depth;       /* 1 for statements */
    size_t child_count; /* its own parts; 0 for operations and shown tensors */
    /* index of its first part: the next step, unless it opens into steps that it folds;
     * those come first */
    size_t parts;
    size_t next; /* index of the first step after its subtree */
    /* the operation has an earlier step, which the lesson lists */
    bool repeats;
    /* its kind in the interface's strings: an operation's name, or a composite's,
     * "self_attention"; "memory" … for a model's parts */
    const char *topic;
    /* the statement's, those of an `at:`, or NULL; about `node` */
    const LessonStep *words;
    /* frame of its statement's film: a training opens into its epochs, an epoch of
     * several updates into these; PLAYER_NONE for other steps */
    size_t frame;
} PlayerStep;

typedef struct Player {
    const Lesson *lesson; /* borrowed */
    size_t step_count;
    const PlayerStep *steps;  /* all steps, in the lesson's arena */
    const size_t *statements; /* first step of each statement; in the lesson's arena */
    size_t depth_max;         /* depth of the deepest step */
    /* the cursor */
    size_t step;
    size_t depth; /* depth that Right and Left move at; at least the step's own */
    size_t cell;  /* row-major index into the step's output, or PLAYER_NONE */
} Player;

typedef enum PlayerMove {
    PLAYER_RIGHT,
    PLAYER_LEFT,
    PLAYER_DOWN,
    PLAYER_UP,
    PLAYER_FIRST, /* first step at the present depth */
    PLAYER_LAST
} PlayerMove;

/* Places a new player on a lesson's first step. False when the lesson's arena is
 * exhausted. */
bool player_init(Player *player, const Lesson *lesson);

/* Moves; false, changing nothing, at the ends and if nothing opens or closes. */
bool player_move(Player *player, PlayerMove move);

/* Goes to a step; the depth becomes the step's own. */
void player_jump(Player *player, size_t step);

/* Goes to the position after a change from another lesson, viewed at that depth, among
 * cells or not: the first step there, or the last, at its first or last cell. False,
 * changing nothing, if the lesson has no cells. */
bool player_enter(Player *player, size_t depth, bool cells, bool last);

/* Returns the cursor's step. */
const PlayerStep *player_step(const Player *player);

/* Returns the lesson's words about a step, with numbers and question: its own (`at:`),
 * else its statement's. They may refer to another node, words->result. */
const LessonStep *player_words(const Player *player, size_t step);

/* Reports whether the step opens into others: its parts, or what it folds. */
bool player_opens(const Player *player, size_t step);

/* Returns the film that the present step is a frame of, and the frame's number; NULL if
 * it is none. */
const LessonFilm *player_film(const Player *player, size_t *frame);

/* Reports whether the step opens into cells: it is an operation on the tape. */
bool player_has_cells(const Player *player, size_t step);

/* Reports whether an operation within the step is muted. */
bool player_muted(const Player *player, size_t step);

/* Returns the cursor's cell; false above cell depth. */
bool player_cell(const Player *player, size_t *row, size_t *col);

/* Return the number of statements, and which one (from 0) the cursor is in. */
size_t player_statement_count(const Player *player);
size_t player_statement(const Player *player);

/* Returns the step of statement number `statement`. */
size_t player_statement_step(const Player *player, size_t statement);

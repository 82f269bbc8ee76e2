/* A cell by its name, "A[I, am]": its tensor's name, typeset, and its place, by labels
 * where there are any. Alone, or within a sentence. */
#ifndef PICTURE_CELL_NAME_H
#define PICTURE_CELL_NAME_H

#include "lesson/play/follow.h"
#include "picture/draw/canvas.h"

typedef struct CellName {
    FollowCell cell; /* a column of PLAYER_NONE is one to be found out, "?"; a row of
                        that: the tensor alone, without a place */
    bool numbered;   /* its row by number, though it has a label: an ID is a number */
} CellName;

/* How large and in which ink: names in formulas have their tensors' own colours. */
typedef struct CellStyle {
    FontRole font;
    Color ink;
    double size;      /* points: of the place, and of words */
    double name_size; /* of the tensor's name */
} CellStyle;

/* Draws from the left end of the baseline; gives back where it ends. */
double cell_name_draw(const Canvas *canvas, const Player *player, const CellName *name,
                      const CellStyle *style, Point baseline);

double cell_name_width(const Canvas *canvas, const Player *player, const CellName *name,
                       const CellStyle *style);

/* Words in which {0} and {1} are cells and {2} and {3} are texts. */
typedef struct CellSentence {
    const char *pattern;
    CellName cells[2];
    const char *texts[2];
} CellSentence;

/* The same for a sentence; texts are bold. */
double cell_sentence_draw(const Canvas *canvas, const Player *player,
                          const CellSentence *sentence, const CellStyle *style,
                          Point baseline);

double cell_sentence_width(const Canvas *canvas, const Player *player,
                           const CellSentence *sentence, const CellStyle *style);

#endif

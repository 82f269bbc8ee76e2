/* Names of cells, "A[I, am]": the typeset name of the tensor, and the cell's position, by
 * labels if there are any. Alone, or within a sentence. */
#pragma once

#include "lesson/play/follow.h"
#include "picture/draw/canvas.h"

typedef struct CellName {
    FollowCell cell; /* column PLAYER_NONE: unknown, "?"; row PLAYER_NONE: only the
                        tensor, without a position */
    bool numbered;   /* the row by its number even if it has a label, because an ID is a
                        number */
} CellName;

/* Sizes and ink of a name; names in formulas have their tensors' own colours. */
typedef struct CellStyle {
    FontRole font;
    Color ink;
    double size;      /* points: of the position, and of words */
    double name_size; /* points: of the tensor's name */
} CellStyle;

/* Draws a name from the left end of the baseline; returns its right end. */
double cell_name_draw(const Canvas *canvas, const Player *player, const CellName *name,
                      const CellStyle *style, Point baseline);

double cell_name_width(const Canvas *canvas, const Player *player, const CellName *name,
                       const CellStyle *style);

/* Text in which {0} and {1} are cells and {2} and {3} are texts. */
typedef struct CellSentence {
    const char *pattern;
    CellName cells[2];
    const char *texts[2];
} CellSentence;

/* Draws a sentence with its texts in bold; returns its right end. */
double cell_sentence_draw(const Canvas *canvas, const Player *player,
                          const CellSentence *sentence, const CellStyle *style,
                          Point baseline);

double cell_sentence_width(const Canvas *canvas, const Player *player,
                           const CellSentence *sentence, const CellStyle *style);

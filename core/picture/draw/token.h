/* A token: a chip with a word in it, as if cut from the text.
 *
 * What a token is shows in its outline as well as in its letters: special tokens ([CLS],
 * <sos>) have square corners and a double edge, a piece that goes on with a word (##ing)
 * adjoins the chip before it, an unknown word is hatched. */
#ifndef PICTURE_TOKEN_H
#define PICTURE_TOKEN_H

#include "picture/draw/canvas.h"

typedef enum TokenKind {
    TOKEN_WORD,
    TOKEN_SUBWORD,
    TOKEN_SPECIAL,
    TOKEN_UNKNOWN
} TokenKind;

/* What a label stands for, by how it is written. */
TokenKind token_kind(const char *label);

/* The label as it can be seen: blanks at its ends are "␣". Borrowed, or from the frame's
 * arena. */
const char *token_text(const Canvas *canvas, const char *label);

typedef struct Token {
    const char *label;
    TokenKind kind;
    bool present; /* the one that is spoken of */
    bool joined;  /* a piece goes on at its right: no corner and no gap there */
    double size;  /* of the letters, in points */
} Token;

/* How wide and tall a chip with this label wants to be. */
double token_width(const Canvas *canvas, double size, const char *label);
double token_height(double size);

/* Draws a chip that fills the box; a label that is too wide is cut. */
void token_draw(const Canvas *canvas, const Token *token, Box box);

/* Around a special or unknown token's label that was drawn there, as it stands or turned,
 * in letters of that size, its outline; around any other nothing. How far it reaches
 * beyond the label at both ends. */
void token_frame(const Canvas *canvas, Box text, double size, const char *label);
double token_frame_pad(double size, const char *label);

/* The same of a label as it is shown, in a place so long and so wide; 0 where that has no
 * room for the outline, and it has none. */
double token_frame_in(const Canvas *canvas, FontRole font, const LabelFit *shown,
                      const char *label, double room, double across);

#endif

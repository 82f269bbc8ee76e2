/* A token: a chip with a word in it, as if cut from the text.
 *
 * The kind of token is visible in its outline as well as in its letters: special tokens
 * ([CLS], <sos>) have square corners and a double edge, a subword that continues a word
 * (##ing) adjoins the chip before it, an unknown word is hatched. */
#pragma once

#include "picture/draw/canvas.h"

typedef enum TokenKind {
    TOKEN_WORD,
    TOKEN_SUBWORD,
    TOKEN_SPECIAL,
    TOKEN_UNKNOWN
} TokenKind;

/* Kind of token that a label denotes. */
TokenKind token_kind(const char *label);

/* Label as it is drawn: blanks at its ends are "␣". Borrowed, or from the frame's
 * arena. */
const char *token_text(const Canvas *canvas, const char *label);

typedef struct Token {
    const char *label;
    TokenKind kind;
    bool present; /* token that is discussed */
    bool joined;  /* continued by a subword at its right: no corner and no gap there */
    double size;  /* size of the letters in points */
} Token;

/* Width and height of a chip with this label. */
double token_width(const Canvas *canvas, double size, const char *label);
double token_height(double size);

/* Draws a chip that fills the box; a label that is too wide is cut. */
void token_draw(const Canvas *canvas, const Token *token, Box box);

/* Draws the outline around a special or unknown token's label that was drawn in `text`,
 * horizontally or rotated, in letters of the given size; nothing for other tokens.
 * token_frame_pad is the distance it reaches beyond both ends of the label. */
void token_frame(const Canvas *canvas, Box text, double size, const char *label);
double token_frame_pad(double size, const char *label);

/* Width of that outline for a label as shown, in a given room; 0 if it doesn't fit and is
 * not drawn. */
double token_frame_in(const Canvas *canvas, FontRole font, const LabelFit *shown,
                      const char *label, double room, double across);

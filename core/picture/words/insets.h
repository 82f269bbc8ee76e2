/* Names in sentences, set as formulas: W_Q, d_k, √d_k, K.T, 2^i.
 *
 * A sentence says a tensor's name as a lesson writes it. What has an underscore behind a
 * single letter or is the name of one of the lesson's tensors, what is transposed and
 * what is raised stands in the sentence as in a formula, tensors in their own colour, the
 * rest in the sentence's. */
#ifndef PICTURE_INSETS_H
#define PICTURE_INSETS_H

#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

typedef struct SentenceNames {
    const Canvas *canvas;
    const Tape *tape; /* whose tensors' names count, or NULL */
} SentenceNames;

/* The insets of paragraphs (picture/scene/label.h); `names` is borrowed. */
Insets insets_of_names(SentenceNames *names);

#endif

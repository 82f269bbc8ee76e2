/* Names in sentences, set as formulas: W_Q, d_k, √d_k, K.T, 2^i.
 *
 * A sentence writes a tensor's name as a lesson does. Words with an underscore behind a
 * single letter, names of the lesson's tensors, transposes and powers are typeset,
 * tensors in their own colour, others in the sentence's. */
#pragma once

#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

typedef struct SentenceNames {
    const Canvas *canvas;
    const Tape *tape; /* tape of the known tensors, or NULL */
} SentenceNames;

/* Insets for paragraphs (picture/scene/label.h); `names` is borrowed. */
Insets insets_of_names(SentenceNames *names);

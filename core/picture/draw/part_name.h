/* Names of the tensors inside a composite: Q, K and V as symbols, others in words of the
 * page's language: "scores", "weights", "after attention". */
#pragma once

#include "picture/draw/canvas.h"

typedef struct Lesson Lesson;

/* Formula of a name made within a composite or a model ("O.scores",
 * "encoder.0.self_attention.head.1.query"), a head's with its number from 1; NULL for
 * names without one. In a lesson with a model, names without a dot are the model's too.
 * `added` is the name of the term that a sum adds, or NULL. Lives for the frame. */
const char *part_name(const Canvas *canvas, const Lesson *lesson, const char *name,
                      const char *added);

/* Name of a sublayer's result in a sum, "attention", as a formula; NULL for any other
 * tensor. */
const char *part_sublayer(const Canvas *canvas, const char *name);

/* Number of the head that a tensor belongs to by its name, from 1; 0: none. */
unsigned long part_head(const char *name);

/* Step of a generation that a tensor belongs to by its name, as text: "Step 3"; NULL:
 * none. */
const char *part_step(const Canvas *canvas, const Lesson *lesson, const char *name);

/* Owner of a tensor, to distinguish tensors of one name side by side: "L_1" for
 * L_1.self_attention.weights; for a model's tensor its part as named on the map; NULL for
 * a tensor of the lesson's own. */
const char *part_owner(const Canvas *canvas, const Lesson *lesson, const char *name);

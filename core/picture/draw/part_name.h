/* What a composite's inner tensors are called: Q, K and V as symbols, everything else in
 * words of the page's language: "scores", "weights", "after attention". */
#ifndef PICTURE_PART_NAME_H
#define PICTURE_PART_NAME_H

#include "lesson/content/lesson.h"
#include "picture/draw/canvas.h"

/* The formula of a name that was made within a composite or a model ("O.scores",
 * "encoder.0.self_attention.head.1.query"), a head's with its number from 1; NULL for a
 * name that has none of its own. In a lesson with a model names without a dot are the
 * model's too. `added` is the name of what a sum adds, or NULL. Lives for the frame. */
const char *part_name(const Canvas *canvas, const Lesson *lesson, const char *name,
                      const char *added);

/* What a sublayer's result is called in a sum, "attention", as a formula; NULL for any
 * other tensor. */
const char *part_sublayer(const Canvas *canvas, const char *name);

/* The number of the head that a tensor of that name belongs to, from 1; 0: none. */
unsigned long part_head(const char *name);

/* The turn of a generation that a tensor of that name belongs to: "Turn 3"; NULL: none.
 */
const char *part_step(const Canvas *canvas, const Lesson *lesson, const char *name);

/* Whose a tensor of that name is, where several of one name stand side by side: "L_1" of
 * L_1.self_attention.weights, of a model's the part as the map has it; NULL for a tensor
 * of the lesson's own. */
const char *part_owner(const Canvas *canvas, const Lesson *lesson, const char *name);

#endif

/* A long answer as a row of choices: for each word that was said how much of the whole
 * share was its, and how much that of others, so that it is seen where the model was sure
 * and where it might have gone on otherwise. */
#ifndef PICTURE_GENERATED_TEXT_PICTURE_H
#define PICTURE_GENERATED_TEXT_PICTURE_H

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws all turns of a generation into stage->area; false, and nothing drawn, where they
 * are few, and each has room for what it reads. */
bool generated_text_picture(const Stage *stage, const LessonGenerate *generate);

#endif

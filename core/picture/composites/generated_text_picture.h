/* A long generated text as a row of choices: for each token its probability and those of
 * the alternatives, which shows where the model was certain and where it might have
 * continued differently. */
#pragma once

#include "lesson/model/generate_step.h"
#include "picture/stage/stage.h"

/* Draws all steps of a generation into stage->area; returns false and draws nothing if
 * they are few, so that each has room for the text it reads. */
bool generated_text_picture(const Stage *stage, const LessonGenerate *generate);

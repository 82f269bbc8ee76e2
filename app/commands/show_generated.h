/* Prints the tokens that a lesson's `generate` steps generated, for `show`: as lines or
 * as JSON. Also writes a number as JSON, for all commands. */
#pragma once

#include "lesson/content/lesson.h"

#include <jansson.h>

/* A step's words on stdout: "3  said = generate(greedy): you win". */
void show_generated_text(const LessonStep *step, const char *path);

/* The list of all of them on stdout, one a line, each with its turns, as a last field of
 * the lesson's: `, "generated": […]`; nothing where no step generates. False when memory
 * is short. */
bool show_generated_json(const Lesson *lesson);

/* A number as JSON; "inf", "-inf" and "nan" as texts, for JSON has no numbers for them.
 */
json_t *show_number(double value);

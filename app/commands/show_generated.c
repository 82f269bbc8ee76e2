#include "commands/show_generated.h"

#include "lesson/model/generate_step.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

void show_generated_text(const LessonStep *step, const char *path) {
    const LessonGenerate *generate = step->generate;
    printf("\n%-7s %s = generate(%s):", path, generate->name,
           lesson_rule_name(generate->rule));
    for (size_t i = 0; i < generate->said_count; i++)
        printf(" %s", lesson_said_word(generate, generate->said[i]));
    printf("%s\n", generate->ended ? "" : " …");
}

/* An impossible word's numbers are "-inf", as JSON has none for them. */
static json_t *json_number(double value) {
    return isinf(value) ? json_string("-inf") : json_real(value);
}

static json_t *json_words(const LessonGenerate *generate, const size_t *ids,
                          size_t count) {
    json_t *words = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(words, json_string(lesson_said_word(generate, ids[i])));
    return words;
}

/* The words of a text that a turn reads, as the node of its IDs is labelled. */
static json_t *json_read(const Lesson *lesson, size_t ids) {
    const Tensor *tensor = &tape_node(lesson->tape, ids)->output;
    json_t *words = json_array();
    for (size_t i = 0; i < tensor_cells(tensor); i++)
        json_array_append_new(words, json_string(tensor->col_labels[i]));
    return words;
}

/* The tensors that a turn's numbers are in are steps; here is what came of them. */
static json_t *json_turn(const Lesson *lesson, const LessonGenerate *generate,
                         size_t index) {
    const LessonTurn *turn = &generate->turns[index];
    const char *result = tape_node(lesson->tape, turn->result)->name;
    json_t *reads = json_array();
    for (size_t i = 0; i < turn->text_count; i++)
        json_array_append_new(reads, json_read(lesson, turn->ids[i]));
    json_t *json =
        json_pack("{s:s, s:o, s:I}", "name", result, "reads", reads, "multiplications",
                  (json_int_t)lesson_turn_multiplications(generate, index));
    if (!json || generate->rule == LESSON_BEAM)
        return json;
    const Tensor *chances = &tape_node(lesson->tape, turn->chances)->output;
    json_object_set_new(json, "chosen",
                        json_string(lesson_said_word(generate, turn->chosen)));
    json_object_set_new(
        json, "chance",
        json_number(tensor_at(chances, 0, turn->chosen - generate->first_output)));
    return json;
}

static json_t *json_generated(const Lesson *lesson, size_t index) {
    const LessonGenerate *generate = lesson->steps[index].generate;
    json_t *turns = json_array();
    for (size_t i = 0; i < generate->turn_count; i++)
        json_array_append_new(turns, json_turn(lesson, generate, i));
    char path[24];
    snprintf(path, sizeof path, "%zu", index + 1);
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:b, s:I, s:o}", "path", path, "name",
                     generate->name, "rule", lesson_rule_name(generate->rule), "cache",
                     generate->rule == LESSON_BEAM ? generate->beam_options.cache
                                                   : generate->options.cache,
                     "words", json_words(generate, generate->said, generate->said_count),
                     "ended", generate->ended, "multiplications",
                     (json_int_t)generate->multiplications, "turns", turns);
}

bool show_generated_json(const Lesson *lesson) {
    const size_t flags = JSON_REAL_PRECISION(17) | JSON_COMPACT;
    bool began = false, written = true;
    for (size_t i = 0; written && i < lesson->step_count; i++) {
        if (!lesson->steps[i].generate)
            continue;
        fputs(began ? ",\n  " : ", \"generated\": [\n  ", stdout);
        began = true;
        json_t *json = json_generated(lesson, i);
        written = json && json_dumpf(json, stdout, flags) == 0;
        json_decref(json);
    }
    fputs(began ? "\n]" : "", stdout);
    return written;
}

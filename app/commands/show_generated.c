#include "commands/command.h"

#include "base/json_watch.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/model/generate_step.h"
#include "tensor/tape/tape.h"

#include <stdio.h>

void show_generated_text(const LessonStep *step, const char *path) {
    const LessonGenerate *generate = step->generate;
    const Generated *said = &generate->generated;
    print("\n%-7s %s = generate(%s):", path, generate->name,
          generate_rule_name(said->options.rule));
    for (size_t i = 0; i < said->count; i++)
        print(" %s", lesson_generated_token(generate, said->ids[i]));
    print("%s\n", said->ended ? "" : " …");
}

static json_t *json_words(const LessonGenerate *generate) {
    const Generated *said = &generate->generated;
    json_t *words = json_array();
    for (size_t i = 0; i < said->count; i++)
        json_array_append_new(
            words, json_string(lesson_generated_token(generate, said->ids[i])));
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
    const DecodingStep *turn = &generate->generated.steps[index];
    const char *result = tape_node(lesson->tape, turn->result)->name;
    json_t *reads = json_array();
    for (size_t i = 0; i < turn->text_count; i++)
        json_array_append_new(reads, json_read(lesson, turn->ids[i]));
    json_t *json = json_pack("{s:s, s:o, s:I}", "name", result, "reads", reads,
                             "multiplications", (json_int_t)turn->multiplications);
    if (!json || generate->generated.options.rule == GENERATE_BEAM)
        return json;
    FollowCell said = lesson_generation_cell(generate, index);
    const Tensor *chances = &tape_node(lesson->tape, said.node)->output;
    json_object_set_new(json, "chosen", json_string(generate->words[said.col]));
    json_object_set_new(json, "chance",
                        json_number(tensor_at(chances, said.row, said.col)));
    return json;
}

static json_t *json_generated(const Lesson *lesson, size_t index) {
    const LessonGenerate *generate = lesson->steps[index].generate;
    const Generated *said = &generate->generated;
    json_t *turns = json_array();
    for (size_t i = 0; i < said->step_count; i++)
        json_array_append_new(turns, json_turn(lesson, generate, i));
    char path[24];
    snprintf(path, sizeof path, "%zu", index + 1);
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:b, s:I, s:o}", "path", path, "name",
                     generate->name, "rule", generate_rule_name(said->options.rule),
                     "cache", said->options.cache, "words", json_words(generate), "ended",
                     said->ended, "multiplications", (json_int_t)said->multiplications,
                     "turns", turns);
}

bool show_generated_json(const Lesson *lesson) {
    const size_t flags = JSON_REAL_PRECISION(17) | JSON_COMPACT;
    bool began = false, written = true;
    for (size_t i = 0; written && i < lesson->step_count; i++) {
        if (!lesson->steps[i].generate)
            continue;
        print(began ? ",\n  " : ", \"generated\": [\n  ");
        began = true;
        json_t *json = json_generated(lesson, i);
        written = print_json(stdout, json, flags);
    }
    print(began ? "\n]" : "");
    return written;
}

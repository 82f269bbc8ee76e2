#include "base/maths.h"
#include "base/number.h"
#include "base/strings/utf8.h"
#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/content/own_words.h"
#include "lesson/content/problem.h"
#include "lesson/schema/schema.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The computed number with as many digits as it takes to see that it differs. */
static void format_computed(char out[NUMBER_SIZE], double computed, int decimals,
                            const char *printed) {
    if (decimals < 3)
        number_format_short(out, computed, 3);
    else
        number_format(out, computed, decimals);
    for (int more = decimals < 3 ? 4 : decimals + 1; more <= 17 && !strcmp(out, printed);
         more++)
        number_format(out, computed, more);
}

static const char *result_name(const Lesson *lesson, const LessonStep *step) {
    const TapeNode *node = tape_node(lesson->tape, step->result);
    return *node->name ? node->name : operation_of(node->operation)->name;
}

/* Printed numbers: how many there are, and how many differ. */
typedef struct Count {
    size_t printed, differing;
} Count;

/* Counts the printed numbers of one step, and with `listed` prints those that differ from
 * the computed ones. `where` says which step it is. */
static void report_step(const Lesson *lesson, const LessonStep *step, const char *where,
                        bool listed, Count *count) {
    size_t printed, differing;
    lesson_count_printed(lesson, step, &printed, &differing);
    count->printed += printed;
    count->differing += differing;
    if (!differing || !listed)
        return;
    for (size_t i = 0; i < step->printed->values.rows; i++) {
        for (size_t j = 0; j < step->printed->values.cols; j++) {
            double value;
            int decimals;
            bool differs;
            if (!lesson_printed_at(lesson, step, i, j, &value, &decimals, &differs) ||
                !differs)
                continue;
            char shown[NUMBER_SIZE], computed[NUMBER_SIZE];
            number_format(shown, value, decimals);
            format_computed(computed, tape_original(lesson->tape, step->result, i, j),
                            decimals, shown);
            print("%s step %s (%s) [%zu,%zu]: the source prints %s, computed %s\n",
                  lesson->id, where, result_name(lesson, step), i, j, shown, computed);
        }
    }
}

/* A check of a lesson's texts, one wording at a time. */
typedef bool WordingReport(const Lesson *lesson, const Wording *wording,
                           const Languages *languages);

/* A code that is misspelt is none of the languages, but neither is one that others have.
 */
static bool report_language(const Lesson *lesson, const Wording *wording,
                            const Languages *languages) {
    char names[LANGUAGES_NAMES_SIZE];
    if (!wording->code || languages_lookup(languages, wording->code))
        return false;
    print("%s:%d:%d: has a text in '%s', which is none of the program's languages, %s\n",
          lesson->file, wording->line, wording->column, wording->code,
          languages_names(languages, names));
    return true;
}

/* A '#' in a text may end it unintentionally. */
static bool report_comment(const Lesson *lesson, const Wording *wording,
                           const Languages *languages) {
    (void)languages;
    if (wording->comment_line)
        print("%s:%d:%d: a comment begins here, and the text ends before it; a text with "
              "' #' in it needs quotes around all of it\n",
              lesson->file, wording->comment_line, wording->comment_column);
    return false;
}

static bool report_texts(const Lesson *lesson, const Text *const *texts, size_t count,
                         const Languages *languages, WordingReport *report) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < texts[i]->count; j++) {
            if (report(lesson, &texts[i]->wordings[j], languages))
                return true;
        }
    }
    return false;
}

/* Checks the texts up to the first that is reported. */
static void report_wordings(const Lesson *lesson, const Languages *languages,
                            WordingReport *report) {
    const Text *const own[] = {&lesson->title, &lesson->part, &lesson->about,
                               &lesson->goal};
    bool enough = report_texts(lesson, own, 4, languages, report);
    for (size_t i = 0; !enough && i < lesson->remember_count; i++)
        enough = report_texts(lesson, &(const Text *){&lesson->remember[i]}, 1, languages,
                              report);
    for (size_t i = 0; !enough && i < lesson->step_count + lesson->note_count; i++) {
        const LessonStep *step = i < lesson->step_count
                                     ? &lesson->steps[i]
                                     : &lesson->notes[i - lesson->step_count].words;
        const Text *const words[] = {&step->concept, &step->heading, &step->say,
                                     &step->chapter, &step->compared};
        enough = report_texts(lesson, words, 5, languages, report);
    }
}

static void report_training(const Lesson *lesson) {
    const LessonTraining *training = lesson->training;
    if (training && training->epochs && !isfinite(training->end.loss))
        print("%s: training reached no finite loss; take a smaller 'learning_rate:' than "
              "%g\n",
              lesson->id, training->options.optimizer.learning_rate);
}

/* The path of the step that makes a node; "" where it has none. */
static const char *path_of(const Player *player, size_t node) {
    for (size_t i = 0; i < player->step_count; i++) {
        if (player_has_cells(player, i) && player->steps[i].node == node)
            return player->steps[i].path;
    }
    return "";
}

/* Steps whose cells are no finite numbers, where these first come up. */
static void report_trouble(const Lesson *lesson) {
    Arena *arena = arena_create(LESSON_MAX_MEMORY);
    const Problem *list;
    size_t count = 0;
    Player player;
    if (!arena || !lesson->step_count || !player_init(&player, lesson) ||
        !problem_list(lesson->tape, arena, &list, &count))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        const TapeNode *node = tape_node(lesson->tape, list[i].node);
        char shown[NUMBER_SIZE];
        number_format_short(shown, tensor_at(&node->output, list[i].row, list[i].col), 3);
        print("%s step %s (%s): %zu of %zu cells %s no finite number%s; [%zu,%zu] is "
              "%s\n",
              lesson->id, path_of(&player, list[i].node),
              *node->name ? node->name : operation_of(node->operation)->name,
              list[i].cells, tensor_cells(&node->output),
              list[i].cells == 1 ? "is" : "are", list[i].cells == 1 ? "" : "s",
              list[i].row, list[i].col, shown);
    }
    arena_destroy(arena);
}

/* Words of `at:` that no step of the tree has, as where the model has no steps. */
static void report_unseen(const Lesson *lesson) {
    Player player;
    if (!lesson->note_count || !lesson->step_count || !player_init(&player, lesson))
        return;
    for (size_t i = 0; i < lesson->note_count; i++) {
        const LessonStep *words = &lesson->notes[i].words;
        bool seen = false;
        for (size_t j = 0; !seen && j < player.step_count; j++)
            seen = player.steps[j].words == words;
        if (!seen)
            print("%s:%d: no step shows the words at '%s'; leave out 'steps: false', or "
                  "show the tensor and write its words there\n",
                  lesson->file, words->line, words->source);
    }
}

/* Words that label nothing of what is computed, as there aren't so many rows; whether
 * there are such. */
static bool report_words(const Lesson *lesson) {
    const TapeNode *rows = lesson_unlabelled(lesson);
    if (!rows)
        return false;
    const SchemaStrings *words = &lesson->chosen->vocabulary;
    print("%s:%d:%d: " LESSON_UNLABELLED "\n", lesson->file, words->node->line,
          words->node->column, words->count, rows->name, rows->output.rows);
    return true;
}

/* Reports whether an ID is that of a lesson in the course, or of a file in the lesson's
 * folder. */
static bool is_lesson(const Course *course, const Lesson *lesson, const char *id) {
    const char *slash = strrchr(lesson->file, '/');
    char path[4096];
    if (course_find(course, id) < course->all)
        return true;
    int length = snprintf(path, sizeof path, "%.*s%s.yaml",
                          slash ? (int)(slash + 1 - lesson->file) : 0, lesson->file, id);
    return length < (int)sizeof path && access(path, R_OK) == 0;
}

/* Prints the IDs in `needs:` that no lesson has, and counts them. */
static size_t report_needs(const Course *course, const Lesson *lesson) {
    const YamlNode *place = lesson->need_places;
    size_t missing = 0;
    for (size_t i = 0; i < lesson->need_count && place; i++, place = place->next) {
        char id[UTF8_SHORT_SIZE];
        if (is_lesson(course, lesson, lesson->needs[i]))
            continue;
        const char *nearest = course_nearest(course, lesson->needs[i]);
        utf8_shorten(id, lesson->needs[i], strlen(lesson->needs[i]));
        print("%s:%d:%d: there is no lesson '%s' in the course, and no file '%s.yaml' "
              "beside this one%s%s%s\n",
              lesson->file, place->line, place->column, id, id,
              nearest ? "; did you mean '" : "", nearest ? nearest : "",
              nearest ? "'?" : "");
        missing++;
    }
    return missing;
}

/* With `listed` each printed number that differs has a line. */
static void report_lesson(const Course *course, const Lesson *lesson, bool listed) {
    Count count = {0};
    for (size_t i = 0; i < lesson->step_count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        report_step(lesson, &lesson->steps[i], number, listed, &count);
    }
    for (size_t i = 0; i < lesson->note_count; i++)
        report_step(lesson, &lesson->notes[i].words, lesson->notes[i].words.source,
                    listed, &count);
    if (lesson->assumed)
        print("%s: note: %s\n", lesson->id, lesson->assumed);
    if (lesson->ignored_tensors)
        print("%s: note: %s\n", lesson->id, lesson->ignored_tensors);
    report_training(lesson);
    report_trouble(lesson);
    report_unseen(lesson);
    size_t warnings = report_needs(course, lesson) + report_words(lesson);
    if (warnings)
        print("%s: %zu warning%s", lesson->id, warnings, warnings == 1 ? "" : "s");
    else
        print("%s: no errors", lesson->id);
    print(", %zu step%s", lesson->step_count, lesson->step_count == 1 ? "" : "s");
    if (count.printed)
        print("; of %zu number%s that its source prints, %zu differ%s%s%s%s",
              count.printed, count.printed == 1 ? "" : "s", count.differing,
              count.differing == 1 ? "s" : "",
              count.differing && !listed ? " ('glassformer check " : "",
              count.differing && !listed ? lesson->id : "",
              count.differing && !listed ? "' lists them)" : "");
    print("\n");
}

static ExitCode report(const Course *course, Lesson *lesson, const ErrorList *errors,
                       bool listed) {
    if (!lesson)
        return report_errors(errors);
    report_wordings(lesson, &course->languages, report_language);
    report_wordings(lesson, &course->languages, report_comment);
    report_lesson(course, lesson, listed);
    lesson_destroy(lesson);
    return EXIT_DONE;
}

/* Each lesson's memory is given back, so that any number can be checked. One line a
 * lesson, unless something is wrong with it. */
static ExitCode check_listed(const Course *course, size_t index) {
    ErrorList errors = {0};
    return report(course, course_load(course, course->lessons[index].path, NULL, &errors),
                  &errors, false);
}

static ExitCode check_named(Course *course, const char *name) {
    ErrorList errors = {0};
    return report(course, course_open(course, name, &errors), &errors, true);
}

ExitCode command_check(Course *course, const CommandLine *line) {
    ExitCode code = EXIT_DONE;
    size_t count = line->lesson_count ? line->lesson_count : course->all;
    for (size_t i = 0; i < count; i++) {
        ExitCode one = line->lesson_count ? check_named(course, line->lessons[i])
                                          : check_listed(course, i);
        code = one > code ? one : code;
    }
    return code;
}

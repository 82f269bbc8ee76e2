/* Words typed by the learner in lessons with hand-written vectors for their words. */
#include "contains.h"
#include "lesson/content/own_words.h"

#include "course_files.h"
#include "lesson_text.h"
#include "tensor/tape/tape.h"

static Lesson *load(const char *within, const char *text, ErrorList *errors) {
    char path[COURSE_PATH_SIZE];
    *errors = (ErrorList){0};
    return lesson_load(course_path(path, within), &(LessonOptions){.text = text}, errors);
}

/* The first tensor of that name. */
static const Tensor *tensor_named(const Lesson *lesson, const char *name) {
    for (size_t i = 0; i < tape_count(lesson->tape); i++) {
        if (strcmp(tape_node(lesson->tape, i)->name, name) == 0)
            return &tape_node(lesson->tape, i)->output;
    }
    fail_msg("there is no %s", name);
    return NULL;
}

static void assert_numbers(const Tensor *tensor, size_t count, const double *wanted) {
    assert_int_equal(tensor_cells(tensor), count);
    for (size_t i = 0; i < count; i++)
        assert_true(tensor->values[i] == wanted[i]);
}

static void test_rows_follow_their_words(void **state) {
    ErrorList errors;
    Lesson *lesson = load("lessons/08-one-head.yaml", "Learning I learning", &errors);
    assert_non_null(lesson);
    const Tensor *X = tensor_named(lesson, "X");
    assert_numbers(X, 6, (const double[]){1, 1, 1, 0, 1, 1});
    assert_string_equal(X->row_labels[0], "learning");
    assert_int_equal(tensor_named(lesson, "A")->cols, 3);
    assert_string_equal(lesson->own_text, "Learning I learning");
    assert_string_equal(lesson->generated_text, "I am learning");
    lesson_destroy(lesson);
}

/* Two words make a table of two rows that had the words' number of rows by chance. */
static void test_tables_of_other_things_have_no_words(void **state) {
    ErrorList errors;
    Lesson *lesson = load("lessons/08-one-head.yaml", "am I", &errors);
    assert_non_null(lesson);
    assert_null(tensor_named(lesson, "W_Q")->row_labels);
    lesson_destroy(lesson);
}

static void test_ids_follow_and_their_table_stays(void **state) {
    ErrorList errors;
    Lesson *lesson = load("lessons/04-embedding.yaml", "play the play", &errors);
    assert_non_null(lesson);
    assert_numbers(tensor_named(lesson, "ids"), 3, (const double[]){3, 4, 3});
    assert_int_equal(tensor_named(lesson, "E")->rows, 8);
    lesson_destroy(lesson);
}

static void test_special_words_stay_at_the_ends(void **state) {
    ErrorList errors;
    Lesson *lesson = load("lessons/22-shift-right.yaml", "NLP love", &errors);
    assert_non_null(lesson);
    assert_numbers(tensor_named(lesson, "target"), 4, (const double[]){1, 5, 4, 2});
    const Tensor *M = tensor_named(lesson, "M");
    assert_int_equal(M->rows,
                     3); /* said as 4 in the lesson: as many as there are words */
    assert_string_equal(M->row_labels[2], "love");
    for (size_t i = 0; i < lesson->step_count; i++) {
        if (lesson->steps[i].source && strncmp(lesson->steps[i].source, "M = ", 4) == 0)
            assert_non_null(strchr(lesson->steps[i].formula, '3'));
    }
    lesson_destroy(lesson);
}

static void test_places_count_on_and_masks_stay(void **state) {
    ErrorList errors;
    Lesson *lesson = load("lessons/05-position.yaml", "you when you", &errors);
    assert_non_null(lesson);
    assert_numbers(tensor_named(lesson, "t"), 3, (const double[]){0, 1, 2});
    lesson_destroy(lesson);
    lesson = load("lessons/13-masks.yaml", "am am I", &errors);
    assert_non_null(lesson);
    const Tensor *mask = tensor_named(lesson, "M_whole");
    assert_true(mask->values[0] < -1e9 && mask->values[5] < -1e9 && mask->values[3] == 0);
    lesson_destroy(lesson);
}

static void test_words_that_there_are_not_are_named(void **state) {
    ErrorList errors;
    assert_null(load("lessons/08-one-head.yaml", "I drink", &errors));
    assert_contains(errors.items[0].message, "'drink'");
    assert_null(load("lessons/11-why-scale.yaml", "you", &errors));
    assert_contains(errors.items[0].message, "takes no text");
}

/* All words back to front, one alone, and all twice: each is a lesson. */
static void test_every_lesson_takes_its_words_in_any_order(void **state) {
    CourseFiles *files = *state;
    size_t taken = 0;
    for (size_t i = 0; i < files->count; i++) {
        const Lesson *lesson = files->lessons[i];
        const OwnWords *words = lesson->chosen;
        if (!words)
            continue;
        const char *back = "", *twice = "";
        size_t last = words->vocabulary.count - words->tail;
        Arena *arena = arena_create(1 << 20);
        for (size_t k = last; k-- > words->head;) {
            back = arena_format(arena, "%s %s", back, words->vocabulary.items[k]);
            twice = arena_format(arena, "%s %s %s", twice, words->vocabulary.items[k],
                                 words->vocabulary.items[k]);
        }
        const char *texts[] = {back, twice, words->vocabulary.items[last - 1]};
        for (size_t k = 0; k < 3; k++) {
            ErrorList errors = {0};
            Lesson *own =
                lesson_load(lesson->file, &(LessonOptions){.text = texts[k]}, &errors);
            if (!own || !own->step_count)
                error_list_print(&errors, stderr);
            assert_non_null(own);
            assert_true(own->step_count > 0);
            lesson_destroy(own);
        }
        arena_destroy(arena);
        taken++;
    }
    assert_true(taken >= 15);
}

/* ---- as they are typed ---- */

static const Lesson *lesson_of(const CourseFiles *files, const char *id) {
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->lessons[i]->id, id) == 0)
            return files->lessons[i];
    }
    fail_msg("there is no %s", id);
    return NULL;
}

static void test_words_are_written_as_the_lesson_has_them(void **state) {
    static const struct {
        const char *lesson, *typed, *text;
    } texts[] = {
        {"27-one-word-at-a-time", "MIA  called tom.", "Mia called Tom"},
        {"27-one-word-at-a-time", "anna met, Zebra!",
         "Anna met Zebra!"}, /* unknown: as it is */
        {"08-one-head", " LEARNING  i", "learning I"},
        {"19-encoder-by-numbers", "x2 X1", "x2 x1"},
        {"38-type-anything", "When  YOU", "When  YOU"},
    };
    Arena *arena = arena_create(1 << 20);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const Lesson *lesson = lesson_of(*state, texts[i].lesson);
        const char *made = lesson_text_in_its_words(lesson, texts[i].typed, arena);
        assert_string_equal(made, texts[i].text);
    }
    arena_destroy(arena);
}

static void test_words_to_choose_from(void **state) {
    static const struct {
        const char *lesson;
        size_t count;
    } counts[] = {{"08-one-head", 3},
                  {"22-shift-right", 3},
                  {"27-one-word-at-a-time", 18},
                  {"38-type-anything", 0},
                  {"11-why-scale", 0}};
    Arena *arena = arena_create(1 << 20);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const Lesson *lesson = lesson_of(*state, counts[i].lesson);
        size_t count;
        assert_non_null(lesson_own_words(lesson, arena, &count));
        assert_int_equal(count, counts[i].count);
    }
    arena_destroy(arena);
}

static int load_course(void **state) {
    static CourseFiles files;
    files.arena = arena_create(1 << 24);
    course_load_folder(&files, "lessons");
    *state = &files;
    return 0;
}

/* Ordinary words of the vocabulary in its order, cut at a whole word. */
static void test_some_words_are_as_many_as_have_room(void **state) {
    (void)state;
    Arena *arena = arena_create(1 << 16);
    Lesson *none = lesson_good("title: t\ngiven: {x: [1]}\nsteps:\n  - do: y = exp(x)\n");
    assert_null(lesson_some_words(none, 60, arena));
    Lesson *lesson =
        lesson_good("title: t\nmodel: {kind: decoder, d_model: 4, heads: 1, d_ff: 4, "
                    "layers: 1, corpus: [you win or lose], target: you}\n");
    const char *all = lesson_some_words(lesson, 60, arena);
    assert_null(strstr(all, "[")); /* none is special */
    assert_null(strstr(all, "…"));
    for (size_t length = 0; length <= strlen(all) + 3; length++) {
        const char *some = lesson_some_words(lesson, length, arena);
        const char *dots = strstr(some, ", …");
        size_t kept = dots ? (size_t)(dots - some) : strlen(some);
        assert_memory_equal(some, all, kept);
        assert_true(all[kept] == (dots ? ',' : 0));
        const char *next = dots ? strpbrk(all + kept + 2, ",") : NULL;
        size_t longer = dots ? (next ? (size_t)(next - all) : strlen(all)) : 0;
        bool is_one = strchr(some, ',') == dots;
        assert_true(is_one || kept <= length);
        assert_true(!dots || longer + 2 > length); /* one more has no room */
    }
    lesson_destroy(none);
    lesson_destroy(lesson);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_follow_their_words),
        cmocka_unit_test(test_tables_of_other_things_have_no_words),
        cmocka_unit_test(test_ids_follow_and_their_table_stays),
        cmocka_unit_test(test_special_words_stay_at_the_ends),
        cmocka_unit_test(test_places_count_on_and_masks_stay),
        cmocka_unit_test(test_words_that_there_are_not_are_named),
        cmocka_unit_test(test_every_lesson_takes_its_words_in_any_order),
        cmocka_unit_test(test_words_are_written_as_the_lesson_has_them),
        cmocka_unit_test(test_some_words_are_as_many_as_have_room),
        cmocka_unit_test(test_words_to_choose_from),
    };
    return cmocka_run_group_tests(tests, load_course, NULL);
}

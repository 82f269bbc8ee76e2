/* Composition of all steps' pictures, as approved by inspection: the number of
 * rectangles, lines … of each colour. A mark that vanishes breaks no other rule.
 *
 * The test's own lessons have every operation and every view, and of these also where
 * such items are and how large, on average; the course has the rest. */
#include "drawn_lesson.h"
#include "golden.h"
#include "picture/explain/explain.h"
#include "scene_dump.h"

#include <math.h>

enum { LOOKS_MAX = 200, LOOK_SIZE = 120 };

static const Box AREA = {40, 30, 1520, 800};

/* The kinds of items of a scene, each counted, with the sums of their boxes. */
typedef struct Looks {
    char items[LOOKS_MAX][LOOK_SIZE];
    Box sums[LOOKS_MAX];
    size_t counts[LOOKS_MAX], count;
} Looks;

static void count_look(Looks *looks, const char *item, Box box) {
    size_t i = 0;
    while (i < looks->count && strcmp(looks->items[i], item) != 0)
        i++;
    assert_true(i < LOOKS_MAX);
    if (i == looks->count)
        snprintf(looks->items[looks->count++], LOOK_SIZE, "%s", item);
    looks->counts[i]++;
    Box *sum = &looks->sums[i];
    *sum = (Box){sum->x + box.x, sum->y + box.y, sum->w + box.w, sum->h + box.h};
}

/* "text x12, at 734.0 210.5, 40.1 × 15.3" */
static void write_look(char *line, size_t size, const Looks *looks, size_t i,
                       bool whole) {
    int length = snprintf(line, size, "%s x%zu", looks->items[i], looks->counts[i]);
    double count = (double)looks->counts[i];
    Box sum = looks->sums[i];
    if (whole && strcmp(looks->items[i], "unclip") != 0)
        snprintf(line + length, size - (size_t)length, ", at %.1f %.1f, %.1f × %.1f",
                 sum.x / count, sum.y / count, sum.w / count, sum.h / count);
}

/* Colours of a scale are as many as there are numbers: a cell's has none here.
 * Texts are only counted, and of what is transparent it is only said that it is. */
static void write_color(FILE *out, const char *what, const SceneItem *item, Color color) {
    bool is_cell = item->link.kind == LINK_CELL && item->kind == SCENE_RECTANGLE;
    if (color.a == 0 || item->kind == SCENE_TEXT)
        return;
    if (is_cell && strcmp(what, "fill") == 0)
        fprintf(out, " filled");
    else if (color.a == 255)
        dump_color(what, color, out);
    else
        fprintf(out, " %s half", what);
}

static void describe(const SceneItem *item, char look[LOOK_SIZE]) {
    static const char *const kinds[] = {
        [SCENE_RECTANGLE] = "rectangle", [SCENE_LINE] = "line",
        [SCENE_POLYGON] = "polygon",     [SCENE_TEXT] = "text",
        [SCENE_IMAGE] = "image",         [SCENE_CLIP] = "clip",
        [SCENE_UNCLIP] = "unclip"};
    FILE *out = fmemopen(look, LOOK_SIZE, "w");
    assert_non_null(out);
    fprintf(out, "%s", kinds[item->kind]);
    write_color(out, "fill", item, item->fill);
    if (item->width > 0)
        write_color(out, "stroke", item, item->stroke);
    assert_int_equal(fclose(out), 0);
}

static int compare_looks(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Everything in a scene, a kind after the other. */
static void write_looks(FILE *out, const Scene *scene, bool whole) {
    Looks looks = {.count = 0};
    char look[LOOK_SIZE], lines[LOOKS_MAX][LOOK_SIZE + 80];
    for (size_t i = 0; i < scene->count; i++) {
        describe(&scene->items[i], look);
        if (!whole)
            look[strcspn(look, " ")] = 0;
        count_look(&looks, look, scene->items[i].box);
    }
    for (size_t i = 0; i < looks.count; i++)
        write_look(lines[i], sizeof lines[i], &looks, i, whole);
    qsort(lines, looks.count, sizeof *lines, compare_looks);
    for (size_t i = 0; i < looks.count; i++)
        fprintf(out, "%s%s", whole ? "\n    " : i ? ", " : " ", lines[i]);
    fputc('\n', out);
}

/* A step as its page shows it, or with its last cell in focus. */
static void draw_look(Drawn *drawn, const Lesson *lesson, size_t step, bool focus) {
    Page page = {.player = &drawn->player};
    size_t node;
    player_jump(&drawn->player, step);
    arena_reset(drawn->frame);
    drawn_page(drawn, drawn->frame, DRAWN_WIDTH, DRAWN_HEIGHT);
    drawn->stage = (Stage){.canvas = &drawn->canvas,
                           .player = &drawn->player,
                           .tape = lesson->tape,
                           .node = drawn->player.steps[step].node,
                           .view = views_present(&drawn->player, LESSON_VIEW_NONE),
                           .visible = (size_t)-1,
                           .step = player_words(&drawn->player, step),
                           .area = AREA};
    drawn->stage.has_focus = focus && page_focus(&page, &node, &drawn->stage.focus_row,
                                                 &drawn->stage.focus_col);
    drawn->stage.focus_node = focus ? node : 0;
    step_picture(&drawn->stage);
    assert_true(scene_complete(&drawn->scene));
}

static void write_lesson(FILE *out, Drawn *drawn, const Lesson *lesson, bool whole) {
    assert_true(player_init(&drawn->player, lesson));
    size_t step = 0, number = 1;
    for (; step < drawn->player.step_count; step = drawn->player.steps[step].next) {
        for (int focus = 0; focus < 2; focus++) {
            draw_look(drawn, lesson, step, focus);
            fprintf(out, "%s %zu%s:", lesson->id, number, focus ? " in focus" : "");
            write_looks(out, &drawn->scene, whole);
        }
        number++;
    }
}

static void check_looks(Drawn *drawn, const char *const *lessons, size_t count,
                        const char *golden, bool whole) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (size_t i = 0; i < count; i++) {
        course_load_lesson(&drawn->files, lessons[i]);
        const Lesson *lesson = drawn->files.lessons[drawn->files.count - 1];
        write_lesson(out, drawn, lesson, whole);
    }
    assert_int_equal(fclose(out), 0);
    assert_golden(golden, text);
    free(text);
}

static void test_operations_and_views_have_their_parts(void **state) {
    static const char *const lessons[] = {
        "tests/lessons/every-operation.yaml", "tests/lessons/views.yaml",
        "tests/lessons/generate.yaml", "tests/lessons/training.yaml"};
    check_looks(*state, lessons, sizeof lessons / sizeof *lessons, "looks.txt", true);
}

/* Of the course only how many of each kind there are. */
static void test_pictures_of_the_course_have_their_parts(void **state) {
    Drawn *drawn = *state;
    size_t first = drawn->files.count;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    course_load_folder(&drawn->files, "lessons");
    for (size_t i = first; i < drawn->files.count; i++)
        write_lesson(out, drawn, drawn->files.lessons[i], false);
    assert_int_equal(fclose(out), 0);
    assert_golden("looks_of_course.txt", text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations_and_views_have_their_parts),
        cmocka_unit_test(test_pictures_of_the_course_have_their_parts),
    };
    return cmocka_run_group_tests(tests, drawn_set_up, drawn_tear_down);
}

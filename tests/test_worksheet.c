/* Questions on paper: worksheets and exams are composed as ordered, a sheet shows no
 * answer, its key tells them all, and the pictures are of what the texts say. */
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/practise/practise.h"
#include "lesson_text.h"
#include "picture/explain/explain.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_BYTES = 64 << 20,
    EXAM_QUESTIONS = 40,
    LESSONS_MOST = 64,
    PAGES_MOST = 32,
    SEEDS = 5
};

/* Questions of some lessons. */
typedef struct Composed {
    size_t lessons, count;
    Player players[LESSONS_MOST];
    Practise rounds[LESSONS_MOST];
    PaperQuestion chosen[EXAM_QUESTIONS];
    WorksheetQuestion questions[EXAM_QUESTIONS];
} Composed;

static Composed *compose(Lesson *const *lessons, size_t count, const PaperOrder *order) {
    Composed *composed = calloc(1, sizeof *composed);
    Arena *scratch = arena_create(FRAME_BYTES);
    assert_true(composed && count <= LESSONS_MOST);
    for (size_t i = 0; i < count; i++) {
        assert_true(player_init(&composed->players[i], lessons[i]));
        assert_true(practise_begin_paper(&composed->rounds[i], &composed->players[i]));
    }
    composed->lessons = count;
    composed->count =
        paper_compose(composed->rounds, count, order, composed->chosen, scratch);
    for (size_t i = 0; i < composed->count; i++) {
        const PaperQuestion *chosen = &composed->chosen[i];
        composed->questions[i] =
            (WorksheetQuestion){.round = &composed->rounds[chosen->lesson],
                                .exercise = chosen->exercise,
                                .points = chosen->points};
    }
    arena_destroy(scratch);
    return composed;
}

static void end(Composed *composed) {
    for (size_t i = 0; i < composed->lessons; i++)
        practise_finish(&composed->rounds[i]);
    free(composed);
}

static const Exercise *exercise_at(const Composed *composed, size_t index) {
    const WorksheetQuestion *question = &composed->questions[index];
    return &question->round->exercises[question->exercise];
}

static const char *concept_at(const Composed *composed, size_t index) {
    return paper_concept(composed->questions[index].round->player,
                         exercise_at(composed, index));
}

/* Returns true if both have the same questions. */
static bool are_equal(const Composed *one, const Composed *other) {
    bool equal = one->count == other->count;
    for (size_t i = 0; equal && i < one->count; i++) {
        const Exercise *a = exercise_at(one, i), *b = exercise_at(other, i);
        equal = one->chosen[i].lesson == other->chosen[i].lesson && a->kind == b->kind &&
                a->step == b->step && follow_same(a->cell, b->cell);
    }
    return equal;
}

/* Fails if a step has two questions of a kind. */
static void check_repeats(const Composed *composed) {
    for (size_t i = 0; i < composed->count; i++) {
        const Exercise *one = exercise_at(composed, i);
        for (size_t k = 0; k < i; k++) {
            const Exercise *other = exercise_at(composed, k);
            bool same = composed->chosen[i].lesson == composed->chosen[k].lesson &&
                        one->step == other->step;
            assert_false(same && paper_kind(one) == paper_kind(other));
        }
    }
}

/* Fails unless exactly one option of each choice is right, and each option is shown
 * once. */
static void check_options(const Composed *composed) {
    for (size_t i = 0; i < composed->count; i++) {
        const Exercise *exercise = exercise_at(composed, i);
        size_t right = 0, shown = 0;
        for (size_t k = 0; k < exercise->count; k++) {
            shown |= (size_t)1 << exercise->shown[k];
            right += exercise->kind == EXERCISE_CHOICE &&
                     exercise->question->options[exercise->shown[k]].right;
        }
        assert_int_equal(shown, ((size_t)1 << exercise->count) - 1);
        assert_int_equal(right, exercise->kind == EXERCISE_CHOICE);
    }
}

/* Lessons of the course, without those that are only for tests. */
static size_t lessons_of_course(const CourseFiles *files, Lesson *lessons[LESSONS_MOST]) {
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (strspn(files->lessons[i]->id, "0123456789") == 2 && count < LESSONS_MOST)
            lessons[count++] = files->lessons[i];
    }
    assert_true(count > EXAM_QUESTIONS);
    return count;
}

static const char *part_of(const Lesson *lesson) {
    return lesson->part.count ? lesson->part.wordings[0].words : "";
}

/* ---- what is asked ---- */

static void test_an_exam_is_spread_over_the_course(void **state) {
    const CourseFiles *files = *state;
    Lesson *lessons[LESSONS_MOST];
    size_t count = lessons_of_course(files, lessons);
    PaperOrder order = {.count = EXAM_QUESTIONS, .exam = true};
    Composed *before = NULL;
    for (order.seed = 0; order.seed < SEEDS; order.seed++) {
        Composed *exam = compose(lessons, count, &order);
        Composed *again = compose(lessons, count, &order);
        size_t points = 0, of_lesson[LESSONS_MOST] = {0}, of_kind[PAPER_KIND_COUNT] = {0};
        assert_int_equal(exam->count, EXAM_QUESTIONS);
        for (size_t i = 0; i < exam->count; i++) {
            points += exam->chosen[i].points;
            assert_true(exam->chosen[i].points > 0);
            assert_true(++of_lesson[exam->chosen[i].lesson] <= 2);
            of_kind[paper_kind(exercise_at(exam, i))]++;
            if (i && concept_at(exam, i)[0])
                assert_string_not_equal(concept_at(exam, i - 1), concept_at(exam, i));
        }
        assert_int_equal(points, PAPER_POINTS);
        for (size_t k = 0; k < PAPER_KIND_COUNT; k++)
            assert_in_range(of_kind[k], 3, EXAM_QUESTIONS / 3);
        for (size_t i = 0; i < count; i++) { /* every part has a question */
            bool asked = false;
            for (size_t k = 0; k < count; k++)
                asked |=
                    of_lesson[k] && strcmp(part_of(lessons[i]), part_of(lessons[k])) == 0;
            assert_true(asked);
        }
        check_options(exam);
        check_repeats(exam);
        assert_true(are_equal(exam, again));
        assert_false(before && are_equal(exam, before));
        if (before)
            end(before);
        before = exam;
        end(again);
    }
    end(before);
}

static void test_a_small_exam_asks_no_lesson_more_than_twice(void **state) {
    Lesson *lessons[LESSONS_MOST];
    PaperOrder order = {.count = EXAM_QUESTIONS, .exam = true, .seed = 3};
    lessons_of_course(*state, lessons);
    Composed *exam = compose(lessons + 8, 5, &order);
    size_t points = 0, of_lesson[LESSONS_MOST] = {0};
    assert_int_equal(exam->count, 10);
    for (size_t i = 0; i < exam->count; i++) {
        points += exam->chosen[i].points;
        assert_true(++of_lesson[exam->chosen[i].lesson] <= 2);
    }
    assert_int_equal(points, PAPER_POINTS);
    end(exam);
}

static void test_a_worksheet_mixes_kinds_and_concepts(void **state) {
    Lesson *lessons[LESSONS_MOST];
    size_t usual = 0, mixed = 0, lesson_count = lessons_of_course(*state, lessons);
    for (size_t i = 0; i < lesson_count; i++) {
        PaperOrder order = {.count = PAPER_QUESTIONS_USUAL, .seed = i};
        Composed *sheet = compose(&lessons[i], 1, &order);
        bool kinds[PAPER_KIND_COUNT] = {false}, has_concepts = true;
        size_t kind_count = 0;
        for (size_t k = 0; k < sheet->count; k++) {
            PaperKind kind = paper_kind(exercise_at(sheet, k));
            kind_count += !kinds[kind];
            kinds[kind] = true;
            has_concepts &= concept_at(sheet, k)[0] != 0;
            if (k && has_concepts &&
                strcmp(concept_at(sheet, k), concept_at(sheet, k - 1)) == 0)
                fail_msg("%s asks twice in a row about %s", lessons[i]->id,
                         concept_at(sheet, k));
        }
        check_options(sheet);
        check_repeats(sheet);
        usual += sheet->count == PAPER_QUESTIONS_USUAL;
        mixed += kind_count >= 4;
        if (kind_count < 2)
            fail_msg("%s has only one kind of questions", lessons[i]->id);
        end(sheet);
    }
    assert_true(usual > lesson_count * 2 / 3 && mixed > lesson_count / 2);
}

/* ---- what is drawn ---- */

/* Returns true if a worksheet asks for a cell of a lesson. */
static bool asks_for(const Composed *composed, Link link) {
    for (size_t k = 0; k < composed->count; k++) {
        FollowCell cells[PAPER_ROW_COLUMNS];
        size_t count =
            paper_cells(composed->questions[k].round, exercise_at(composed, k), cells);
        for (size_t i = 0; i < count; i++) {
            Link cell = {LINK_CELL, cells[i].node, cells[i].row, cells[i].col};
            if (link_equal(link, cell))
                return true;
        }
    }
    return false;
}

/* Counts the numbers on a sheet of cells that its questions ask for. */
static size_t told_on(const Scene *scene, const Composed *composed) {
    size_t told = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        told += item->kind == SCENE_TEXT && item->fill.a > 0 &&
                asks_for(composed, item->link);
    }
    return told;
}

/* Counts the visible numbers that are computed from a number asked for: together with the
 * other inputs they would give it away. */
static size_t told_by_watched(const Scene *scene, const Composed *composed) {
    const Practise *round = &composed->rounds[0];
    size_t told = 0;
    for (size_t k = 0; k < round->count; k++) {
        const Exercise *exercise = &round->exercises[k];
        FollowCell leaves[PAPER_LEAVES], cell = exercise->cell;
        if (exercise->kind != EXERCISE_DIRECTION)
            continue;
        size_t count =
            paper_leaves(round->player->lesson->tape, cell, round->answers, leaves);
        bool stands = false;
        for (size_t i = 0; i < count && count <= PAPER_LEAVES; i++)
            stands |= paper_reveals(round, leaves[i], round->answers);
        for (size_t i = 0; stands && i < scene->count; i++)
            told += scene->items[i].kind == SCENE_TEXT && scene->items[i].fill.a > 0 &&
                    link_equal(scene->items[i].link,
                               (Link){LINK_CELL, cell.node, cell.row, cell.col});
    }
    return told;
}

/* Counts the cells that are framed to be filled in. */
static size_t framed_on(const Scene *scene, const Composed *composed,
                        const Theme *theme) {
    size_t framed = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        framed += item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL &&
                  item->width > 1.5 && asks_for(composed, item->link) &&
                  memcmp(&item->stroke, &theme->ink, sizeof(Color)) == 0;
    }
    return framed;
}

static void test_a_worksheet_asks_and_its_key_tells(void **state) {
    CourseFiles *files = *state;
    Arena *arena = arena_create(FRAME_BYTES);
    TextMetrics metrics = fixed_metrics();
    size_t asked = 0, told = 0, framed = 0;
    for (size_t i = 0; i < files->count; i++) {
        PaperOrder order = {.count = PAPER_QUESTIONS_USUAL, .seed = i / 2};
        Composed *composed = compose(&files->lessons[i], 1, &order);
        if (!composed->count) {
            end(composed);
            continue;
        }
        Worksheet worksheet = {.page = {.player = &composed->players[0],
                                        .theme = &files->themes.items[0],
                                        .metrics = &metrics,
                                        .language = files->languages.items[i % 2],
                                        .height = 1414},
                               .count = composed->count,
                               .questions = composed->questions};
        for (int key = 0; key < 2; key++) {
            worksheet.key = key;
            assert_true(worksheet_begin(&worksheet, arena));
            for (size_t next = 0, pages = 0; next < composed->count; pages++) {
                Scene scene;
                arena_reset(arena);
                next = worksheet_draw(&scene, arena, &worksheet, next);
                assert_true(scene_complete(&scene));
                assert_true(pages < PAGES_MOST);
                if (!key &&
                    (told_on(&scene, composed) || told_by_watched(&scene, composed)))
                    fail_msg("%s: an answer can be seen", files->lessons[i]->id);
                told += key ? told_on(&scene, composed) : 0;
                framed += key ? 0 : framed_on(&scene, composed, worksheet.page.theme);
            }
        }
        for (size_t k = 0; k < composed->count; k++)
            asked += exercise_at(composed, k)->kind == EXERCISE_CELL;
        end(composed);
    }
    arena_destroy(arena);
    assert_true(asked > files->count && told > asked / 2 && framed > asked / 2);
}

/* Draws a lesson's question by itself, as if it were the only one. */
static void draw_alone(const CourseFiles *files, Composed *composed, size_t index,
                       bool key, Scene *scene, Arena *arena) {
    TextMetrics metrics = fixed_metrics();
    Worksheet worksheet = {.page = {.player = &composed->players[0],
                                    .theme = &files->themes.items[0],
                                    .metrics = &metrics,
                                    .language = files->languages.items[0],
                                    .height = 1414},
                           .count = 1,
                           .questions = &composed->questions[index],
                           .key = key};
    assert_true(worksheet_begin(&worksheet, arena));
    worksheet_draw(scene, arena, &worksheet, 0);
    assert_true(scene_complete(scene));
}

/* Reports whether a frame in the colour of the focus surrounds a single cell. */
static bool frames(const SceneItem *frame, const SceneItem *cell, const Theme *theme) {
    return frame->kind == SCENE_RECTANGLE && frame->width >= 2 &&
           memcmp(&frame->stroke, &theme->focus, sizeof(Color)) == 0 &&
           fabs(frame->box.x - cell->box.x) < 3 && fabs(frame->box.y - cell->box.y) < 3 &&
           fabs(frame->box.w - cell->box.w) < 6 && fabs(frame->box.h - cell->box.h) < 6;
}

/* Counts the framed cells of a table, which all must be in the same row. */
static size_t framed_in_row(const Scene *scene, FollowCell focus, const Theme *theme,
                            const char *id) {
    size_t framed = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *cell = &scene->items[i];
        bool is_cell = cell->kind == SCENE_RECTANGLE && cell->fill.a > 0 &&
                       cell->link.kind == LINK_CELL && cell->link.index == focus.node;
        for (size_t k = 0; is_cell && k < scene->count; k++) {
            if (!frames(&scene->items[k], cell, theme))
                continue;
            if (cell->link.row != focus.row)
                fail_msg("%s: row %zu is in focus, not %zu", id, cell->link.row,
                         focus.row);
            framed++;
        }
    }
    return framed;
}

/* Questions that name no cell: their pictures have the focus of the step's page. */
static void test_a_picture_has_the_focus_of_its_page(void **state) {
    const CourseFiles *files = *state;
    const Theme *theme = &files->themes.items[0];
    Arena *arena = arena_create(FRAME_BYTES);
    size_t framed = 0;
    for (size_t i = 0; i < files->count; i++) {
        PaperOrder order = {.count = PAPER_QUESTIONS_USUAL};
        Composed *composed = compose(&files->lessons[i], 1, &order);
        for (size_t k = 0; k < composed->count; k++) {
            const Exercise *exercise = exercise_at(composed, k);
            if (exercise->kind != EXERCISE_CHOICE && exercise->kind != EXERCISE_ORDER &&
                exercise->kind != EXERCISE_THOUGHT)
                continue;
            Player player = composed->players[0];
            player_jump(&player, exercise->step);
            Page page = {.player = &player, .language = files->languages.items[0]};
            FollowCell focus;
            Scene scene;
            if (!page_focus(&page, &focus.node, &focus.row, &focus.col))
                continue;
            draw_alone(files, composed, k, true, &scene, arena);
            framed += framed_in_row(&scene, focus, theme, files->lessons[i]->id);
        }
        end(composed);
    }
    arena_destroy(arena);
    assert_true(framed > 10);
}

static size_t texts_of(const Scene *scene, const char *words) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count; i++)
        count += scene->items[i].kind == SCENE_TEXT &&
                 strcmp(scene->items[i].text, words) == 0;
    return count;
}

/* Lesson 40 asks about "she": the vocabulary has its entry, and those of all tokens. */
static void test_a_picture_has_all_entries_of_its_tokens(void **state) {
    static const char *const words[] = {"Mia", "called", "Tom", "because",
                                        "she", "was",    "late"};
    CourseFiles *files = *state;
    Arena *arena = arena_create(FRAME_BYTES);
    size_t pictures = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (strncmp(files->lessons[i]->id, "40-", 3) != 0)
            continue;
        PaperOrder order = {.count = PAPER_QUESTIONS_USUAL};
        Composed *composed = compose(&files->lessons[i], 1, &order);
        for (size_t k = 0; k < composed->count; k++) {
            Scene scene;
            draw_alone(files, composed, k, false, &scene, arena);
            if (strcmp(concept_at(composed, k), "Embedding") != 0 ||
                !texts_of(&scene, "Mia"))
                continue;
            for (size_t w = 0; w < sizeof words / sizeof *words; w++)
                assert_int_equal(texts_of(&scene, words[w]), 2);
            pictures++;
        }
        end(composed);
    }
    arena_destroy(arena);
    assert_int_equal(pictures, 1);
}

/* Counts the boxes of a row below a picture. */
static size_t boxes_below(const Scene *scene, const Theme *theme) {
    size_t boxes = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        boxes += item->kind == SCENE_RECTANGLE && item->link.kind == LINK_NONE &&
                 item->fill.a == 0 && item->radius == 0 && item->box.h == 40 &&
                 memcmp(&item->stroke, &theme->ink, sizeof(Color)) == 0;
    }
    return boxes;
}

/* Counts the frames of the focus around a cell. */
static size_t framed_focus(const Scene *scene, FollowCell at, const Theme *theme) {
    Link link = {LINK_CELL, at.node, at.row, at.col};
    size_t framed = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *cell = &scene->items[i];
        for (size_t k = 0; k < scene->count; k++)
            framed += cell->kind == SCENE_RECTANGLE && cell->fill.a > 0 &&
                      link_equal(cell->link, link) &&
                      frames(&scene->items[k], cell, theme);
    }
    return framed;
}

static void test_a_row_is_written_once(void **state) {
    CourseFiles *files = *state;
    const Theme *theme = &files->themes.items[0];
    Arena *arena = arena_create(FRAME_BYTES);
    size_t in_pictures = 0, below = 0;
    for (size_t i = 0; i < files->count; i++) {
        PaperOrder order = {.count = PAPER_QUESTIONS_USUAL};
        Composed *composed = compose(&files->lessons[i], 1, &order);
        for (size_t k = 0; k < composed->count; k++) {
            const Exercise *exercise = exercise_at(composed, k);
            FollowCell cells[PAPER_ROW_COLUMNS];
            size_t count = paper_cells(composed->questions[k].round, exercise, cells);
            Scene scene;
            if (!exercise->whole_row)
                continue;
            draw_alone(files, composed, k, false, &scene, arena);
            size_t framed = framed_on(&scene, composed, theme);
            size_t boxes = boxes_below(&scene, theme);
            if (framed < count ? framed || boxes != count : boxes)
                fail_msg("%s: a row of %zu has %zu cells in the picture, %zu below",
                         files->lessons[i]->id, count, framed, boxes);
            if (boxes && framed_focus(&scene, cells[0], theme))
                fail_msg("%s: a cell of a row below is framed", files->lessons[i]->id);
            in_pictures += framed > 0;
            below += boxes > 0;
        }
        end(composed);
    }
    arena_destroy(arena);
    assert_true(in_pictures > 0 && below > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_exam_is_spread_over_the_course),
        cmocka_unit_test(test_a_small_exam_asks_no_lesson_more_than_twice),
        cmocka_unit_test(test_a_worksheet_mixes_kinds_and_concepts),
        cmocka_unit_test(test_a_worksheet_asks_and_its_key_tells),
        cmocka_unit_test(test_a_picture_has_the_focus_of_its_page),
        cmocka_unit_test(test_a_picture_has_all_entries_of_its_tokens),
        cmocka_unit_test(test_a_row_is_written_once),
    };
    return cmocka_run_group_tests(tests, course_set_up_all, course_tear_down);
}

/* One layout for every size, every view a picture of its own, and chosen pages as they
 * were found good. */
#include "fixed_metrics.h"
#include "golden.h"
#include "lesson/practise/practise.h"
#include "page_look.h"
#include "picture/explain/explain.h"
#include "picture/page/page.h"
#include "picture/tensors/views.h"
#include "sample.h"
#include "scene_dump.h"

/* ---- one layout for every size ---- */

/* A page depends on the screen only through its PageFit. */
static void test_screens_of_one_shape_have_one_layout(void **state) {
    static const Size alike[] = {
        {1024, 576}, {1280, 720}, {1600, 900}, {1920, 1080}, {3840, 2160}};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        PageFit fit = page_fit(alike[i].width, alike[i].height);
        if (fit.width != PAGE_WIDTH || fit.height != PAGE_HEIGHT)
            fail_msg("%.0f × %.0f pixels have a layout of %.0f × %.0f points",
                     alike[i].width, alike[i].height, fit.width, fit.height);
    }
}

/* Returns the first step of all lessons with a view; false if there is none. */
static bool find_view(const CourseFiles *files, LessonView view, Player *player) {
    for (size_t i = 0; i < files->count; i++) {
        assert_true(player_init(player, files->lessons[i]));
        for (size_t step = 0; step < player->step_count; step++) {
            player_jump(player, step);
            if (views_present(player, LESSON_VIEW_NONE) == view &&
                player_words(player, step)->view == view)
                return true;
        }
    }
    return false;
}

static uint64_t digest_of(const CourseFiles *files, const Player *player, LessonView view,
                          Arena *frame) {
    TextMetrics metrics = fixed_metrics();
    Scene scene;
    arena_reset(frame);
    page_draw(&scene, frame,
              &(Page){.player = player,
                      .theme = &files->themes.items[0],
                      .metrics = &metrics,
                      .language = files->language,
                      .width = PAGE_WIDTH,
                      .height = PAGE_HEIGHT,
                      .view = view});
    return scene_digest(&scene);
}

/* A view that no lesson uses isn't drawn by any other test. */
static void test_every_view_is_asked_for_and_is_a_picture_of_its_own(void **state) {
    const CourseFiles *files = *state;
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    for (LessonView view = LESSON_VIEW_HEATMAP; view < LESSON_VIEW_COUNT; view++) {
        Player player;
        if (!find_view(files, view, &player))
            fail_msg("no step asks for 'as: %s': add one to tests/lessons/views.yaml",
                     lesson_view_name(view));
        if (view != LESSON_VIEW_HEATMAP &&
            digest_of(files, &player, view, frame) ==
                digest_of(files, &player, LESSON_VIEW_HEATMAP, frame))
            fail_msg("'as: %s' is drawn as a heatmap: add it to the table of "
                     "core/picture/tensors/views.c",
                     lesson_view_name(view));
    }
    arena_destroy(frame);
}

static void test_a_page_is_no_smaller_than_it_is_laid_out_for(void **state) {
    for (double width = 100; width < 5000; width += 97) {
        for (double height = 100; height < 5000; height += 89) {
            PageFit fit = page_fit(width, height);
            double least = page_least_type(width, height) > 1
                               ? fmin(PAGE_UPRIGHT_WIDTH, fmax(round(width / 0.64), 800))
                               : PAGE_WIDTH;
            assert_true(fit.width >= least && fit.height >= PAGE_HEIGHT);
            assert_true(fit.width == least || fit.height == PAGE_HEIGHT);
            assert_true(fabs(fit.width * fit.scale - width) <= fit.scale / 2 + 1e-6);
            assert_true(fabs(fit.height * fit.scale - height) <= fit.scale / 2 + 1e-6);
        }
    }
}

/* ---- the picture's part of a page ---- */

typedef struct PictureShare {
    const char *name;
    Size size; /* in pixels */
    bool presents;
    double least; /* of the page, on average */
} PictureShare;

/* Share of the page of the box around all that is drawn in the picture's area. */
static double ink_share(const Scene *scene) {
    Box area = scene->picture;
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (size_t i = 0; i < scene->count; i++) {
        Box box = scene->items[i].box;
        if (box.w <= 0 || box.h <= 0 || box.x < area.x - 1 || box.y < area.y - 1 ||
            box.x + box.w > area.x + area.w + 1 || box.y + box.h > area.y + area.h + 1)
            continue;
        left = fmin(left, box.x);
        top = fmin(top, box.y);
        right = fmax(right, box.x + box.w);
        bottom = fmax(bottom, box.y + box.h);
    }
    return right > left ? (right - left) * (bottom - top) / (scene->width * scene->height)
                        : 0;
}

/* Prints the area that pages leave to their pictures, and the box around what is drawn in
 * it. Fails if the area is too small on average; a sample isn't judged. */
static void test_the_picture_has_the_page(void **state) {
    static const PictureShare shapes[] = {{"usual", {1280, 720}, false, 0.55},
                                          {"small", {1024, 600}, false, 0.55},
                                          {"upright", {720, 1280}, false, 0.55},
                                          {"presented", {1280, 720}, true, 0.55}};
    const CourseFiles *files = *state;
    TextMetrics metrics = fixed_metrics();
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    bool all = true;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const PictureShare *shape = &shapes[s];
        PageFit fit = page_fit(shape->size.width, shape->size.height);
        double area = 0, ink = 0;
        size_t pages = 0, number = 0;
        for (size_t i = 0; i < files->count; i++) {
            Player player;
            if (files->lessons[i]->id[0] > '9')
                continue;
            assert_true(player_init(&player, files->lessons[i]));
            for (size_t at = 0; at < player_statement_count(&player); at++) {
                if (number++ % sample_one_in() != 0)
                    continue;
                player_jump(&player, player_statement_step(&player, at));
                Scene scene;
                arena_reset(frame);
                page_draw(&scene, frame,
                          &(Page){.player = &player,
                                  .theme = &files->themes.items[0],
                                  .metrics = &metrics,
                                  .language = files->language,
                                  .width = fit.width,
                                  .height = fit.height,
                                  .interactive = true,
                                  .text_scale = page_least_type(shape->size.width,
                                                                shape->size.height),
                                  .presents = shape->presents,
                                  .number = 7});
                area += scene.picture.w * scene.picture.h / (fit.width * fit.height);
                ink += ink_share(&scene);
                pages++;
            }
        }
        area /= (double)pages;
        print_message("# %s: area %.1f %%, box %.1f %% of %zu pages\n", shape->name,
                      100 * area, 100 * ink / (double)pages, pages);
        all &= area >= shape->least || sample_one_in() > 1;
    }
    arena_destroy(frame);
    assert_true(all);
}

/* ---- pages that were looked at ---- */

typedef struct Kept {
    const char *path; /* of the step */
    size_t cell;      /* PLAYER_NONE: the step as a whole */
    const char *language;
    size_t theme;
    double width, height; /* in points */
} Kept;

static const Kept kept[] = {
    {"4", 3, "en", 1, 1600, 900},            /* a product, cell by cell, dark */
    {"6", PLAYER_NONE, "zh", 0, 1600, 1000}, /* a product that agrees */
    {"9", PLAYER_NONE, "en", 0, 1600, 900},  /* softmax */
    {"12", PLAYER_NONE, "en", 0, 2133, 900}, /* layer norm */
};

static void append_page(const CourseFiles *files, const Lesson *lesson, const Kept *page,
                        Arena *frame, FILE *out) {
    Player player;
    assert_true(player_init(&player, lesson));
    size_t step = 0;
    while (step < player.step_count && strcmp(player.steps[step].path, page->path) != 0)
        step++;
    assert_true(step < player.step_count);
    player_jump(&player, step);
    if (page->cell != PLAYER_NONE) {
        assert_true(player_move(&player, PLAYER_DOWN));
        player.cell = page->cell;
    }
    TextMetrics metrics = fixed_metrics();
    Scene scene;
    arena_reset(frame);
    page_draw(&scene, frame,
              &(Page){.player = &player,
                      .theme = &files->themes.items[page->theme],
                      .metrics = &metrics,
                      .language = course_language(files, page->language),
                      .width = page->width,
                      .height = page->height,
                      .sources = true,
                      .number = 7});
    fprintf(out, "==== step %s %s\n", page->path, page->language);
    scene_dump(&scene, out);
}

static void test_chosen_pages_are_as_they_were_found_good(void **state) {
    CourseFiles files;
    course_begin(&files);
    course_load_lesson(&files, "tests/lessons/golden.yaml");
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        append_page(&files, files.lessons[0], &kept[i], frame, out);
    assert_int_equal(fclose(out), 0);
    assert_golden("pages.txt", text);
    free(text);
    arena_destroy(frame);
    course_finish(&files);
}

/* ---- the initial focus ---- */

static void test_the_focus_is_where_the_words_point(void **state) {
    static const struct {
        const char *lesson, *path;
        size_t row, col; /* PLAYER_NONE: any */
    } places[] = {
        {"04-embedding", "1", PLAYER_NONE, 3}, /* “play” and “you” are quoted */
        {"33-alignment", "6", 1, PLAYER_NONE}, /* the row with the most crossing lines */
        {"27-one-word-at-a-time", "6", 1, PLAYER_NONE}, /* in both tables */
        {"27-one-word-at-a-time", "8", 2, PLAYER_NONE}, /* the next token's row */
    };
    const CourseFiles *files = *state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t lesson = 0, node, row, col;
        while (lesson < files->count &&
               strcmp(files->lessons[lesson]->id, places[i].lesson) != 0)
            lesson++;
        assert_true(lesson < files->count);
        Player player;
        assert_true(player_init(&player, files->lessons[lesson]));
        while (strcmp(player_step(&player)->path, places[i].path) != 0)
            assert_true(player_move(&player, PLAYER_RIGHT));
        Page page = {.player = &player, .language = files->languages.items[0]};
        assert_true(page_focus(&page, &node, &row, &col));
        if ((places[i].row != PLAYER_NONE && row != places[i].row) ||
            (places[i].col != PLAYER_NONE && col != places[i].col))
            fail_msg("%s step %s explains the cell [%zu, %zu]", places[i].lesson,
                     places[i].path, row, col);
    }
}

/* ---- sheets of paper ---- */

/* A sheet's words on each other. */
static size_t overlaps_on(const Scene *scene, const Worksheet *worksheet) {
    size_t failures = 0;
    View view = {.lesson = worksheet->page.player->lesson->id,
                 .path = worksheet->key ? "key" : "sheet",
                 .metrics = "fixed",
                 .cell = PLAYER_NONE,
                 .language = worksheet->page.language,
                 .theme = worksheet->page.theme,
                 .scene = scene,
                 .failures = &failures};
    Things all = things_of(scene), words = {0, all.items};
    for (size_t i = 0; i < all.count; i++) {
        if (is_text(&all.items[i]) && all.items[i].item->fill.a > 0)
            words.items[words.count++] = all.items[i];
    }
    view.things = &words;
    check_pairs(&view);
    free(all.items);
    return failures;
}

static void test_no_words_of_a_sheet_lie_on_each_other(void **state) {
    CourseFiles *files = *state;
    Arena *arena = arena_create(FRAME_BYTES);
    TextMetrics metrics = fixed_metrics();
    size_t failures = 0;
    /* Worksheets and keys, in both languages. */
    for (size_t i = 0; i < 4 * files->count; i++) {
        if (i / 4 % ((sample_one_in() + 3) / 4) != 0)
            continue;
        enum { QUESTIONS = PAPER_QUESTIONS_USUAL };
        Player player;
        Practise round;
        PaperOrder order = {.count = QUESTIONS, .seed = i};
        PaperQuestion chosen[QUESTIONS];
        WorksheetQuestion questions[QUESTIONS];
        arena_reset(arena);
        assert_true(player_init(&player, files->lessons[i / 4]));
        assert_true(practise_begin_paper(&round, &player));
        size_t count = paper_compose(&round, 1, &order, chosen, arena);
        for (size_t k = 0; k < count; k++)
            questions[k] =
                (WorksheetQuestion){.round = &round, .exercise = chosen[k].exercise};
        if (!count) {
            practise_finish(&round);
            continue;
        }
        Worksheet worksheet = {.page = {.player = &player,
                                        .theme = &files->themes.items[0],
                                        .metrics = &metrics,
                                        .language = files->languages.items[i % 2],
                                        .number = strtoul(player.lesson->id, NULL, 10),
                                        .height = 1414},
                               .count = count,
                               .questions = questions,
                               .key = i / 2 % 2,
                               .copy = "9007199254740992"};
        assert_true(worksheet_begin(&worksheet, arena));
        for (size_t next = 0; next < count;) {
            Scene scene;
            worksheet.at++;
            arena_reset(arena);
            next = worksheet_draw(&scene, arena, &worksheet, next);
            failures += overlaps_on(&scene, &worksheet);
        }
        practise_finish(&round);
    }
    arena_destroy(arena);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screens_of_one_shape_have_one_layout),
        cmocka_unit_test(test_every_view_is_asked_for_and_is_a_picture_of_its_own),
        cmocka_unit_test(test_a_page_is_no_smaller_than_it_is_laid_out_for),
        cmocka_unit_test(test_the_picture_has_the_page),
        cmocka_unit_test(test_chosen_pages_are_as_they_were_found_good),
        cmocka_unit_test(test_the_focus_is_where_the_words_point),
        cmocka_unit_test(test_no_words_of_a_sheet_lie_on_each_other),
    };
    return cmocka_run_group_tests(tests, course_set_up_all, course_tear_down);
}

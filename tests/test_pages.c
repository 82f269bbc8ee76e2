/* Every page of every lesson, at every size and in both languages, holds everything. */
#include "fixed_metrics.h"
#include "page_look.h"
#include "paint/fonts.h"
#include "picture/explain/practising.h"
#include "picture/page/text_scale.h"
#include "picture/scene/scene_problems.h"
#include "picture/tensors/views.h"
#include "sample.h"

#include <ctype.h>

/* ---- what is asked of them ---- */

static void check_inside(const View *view) {
    const Scene *scene = view->scene;
    Box page = {0, 0, scene->width, scene->height};
    size_t depth = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        depth += item->kind == SCENE_CLIP;
        depth -= item->kind == SCENE_UNCLIP;
        bool shown = item->kind != SCENE_CLIP && item->kind != SCENE_UNCLIP;
        if (shown && !depth && !holds(page, item->box))
            report(view, "off the page", item->text ? item->text : "a shape", item->box,
                   NULL, page);
    }
}

/* The largest rectangle of a colour that touches the page's left edge. */
static Box region(const View *view, Color color) {
    Box largest = {0};
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        bool same = item->kind == SCENE_RECTANGLE && item->box.x == 0 &&
                    memcmp(&item->fill, &color, sizeof color) == 0;
        if (same && item->box.w * item->box.h > largest.w * largest.h)
            largest = item->box;
    }
    return largest;
}

/* Returns true if a text was cut short and doesn't end in "…" by itself. */
static bool is_cut(const View *view, const char *text) {
    const char *sign = "…";
    size_t length = strlen(text), end = strlen(sign);
    return length > end && strcmp(text + length - end, sign) == 0 &&
           !strstr(text_in(&view->step->heading, view->language), text) &&
           !strstr(text_in(&view->step->say, view->language), text);
}

/* Words that are longer than a line has room for where that is for the back row. */
static bool is_too_long(const char *text) {
    return strncmp(text, "Donau", 5) == 0 || strncmp(text, "internat", 8) == 0;
}

/* Only the inspector's long sums may be cut short; and labels in views that are made for
 * fewer or shorter ones. */
static void check_not_cut(const View *view, const Things *things) {
    Box below = region(view, view->theme->bar);
    for (size_t i = 0; i < things->count; i++) {
        const Thing *thing = &things->items[i];
        bool code = thing->item->font == FONT_MONO; /* may be cut: `show` has it whole */
        bool chapter = thing->item->link.kind == LINK_STEP;
        if (!is_text(thing) || code ||
            (view->presents && is_too_long(thing->item->text)) ||
            !is_cut(view, thing->item->text) || (overlap(thing->box, below) && !chapter))
            continue;
        report(view, "cut", thing->item->text, thing->box, NULL, below);
    }
}

static bool is_number(const char *text) {
    return strspn(text, "0123456789.-−∞≈e? ") == strlen(text) && strcmp(text, "e") != 0;
}

/* A letter, or a few, that stand for something. */
static bool is_sign(const SceneItem *item) {
    size_t letters = 0;
    for (const char *at = item->text; letters < 2 && *at; at++)
        letters =
            (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ? letters + 1 : 0;
    return item->font == FONT_MATH ? letters < 2 : strcmp(item->text, "T") == 0;
}

/* The back row reads words of 24 pixels at 1280 × 720, and digits of 18. */
static void check_for_back_row(const View *view) {
    static const double DIGITS = 22.5, SIGN = 18;
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind != SCENE_TEXT || item->fill.a == 0)
            continue;
        double least = is_sign(item)           ? SIGN
                       : is_number(item->text) ? DIGITS
                                               : BACK_ROW_TEXT;
        if (item->size < least - 0.1)
            report(view, "too small", item->text, item->box, NULL, item->box);
    }
}

/* Only 0 reads as zero, and that is "0". */
static void check_zeros(const View *view) {
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind == SCENE_TEXT && strncmp(item->text, "0.0", 3) == 0 &&
            strspn(item->text, "0.") == strlen(item->text))
            report(view, "no zero", item->text, item->box, NULL, item->box);
    }
}

/* A step as a whole, also with an open question, but without long texts: all words, a
 * cell's sum. */
static bool is_for_back_row(const Page *page) {
    return player_step(page->player)->depth == 1 && page->words == WORDS_USUAL &&
           !page->has_focus && page->player->cell == PLAYER_NONE;
}

/* ---- every page ---- */

/* Returns true if the next page is in the sample to check. */
static bool has_turn(Round *round, bool whole) {
    size_t of = sample_one_in() * (whole ? round->whole_in : round->parts_in);
    return (round->turn++ + round->way) % of == 0;
}

static void look_at(Round *round, const Page *page, bool whole) {
    Scene scene;
    if (!has_turn(round, whole))
        return;
    arena_reset(round->frame);
    page_draw(&scene, round->frame, page);
    const Player *player = page->player;
    View view = {.lesson = player->lesson->id,
                 .path = player_step(player)->path,
                 .metrics = round->metrics_name,
                 .cell = player->cell,
                 .language = page->language,
                 .drawn = views_present(player, page->view),
                 .chosen = page->view != LESSON_VIEW_NONE,
                 .presents = round->presents,
                 .theme = page->theme,
                 .step = &player->lesson->steps[player_statement(player)],
                 .scene = &scene,
                 .failures = &round->failures};
    round->pages++;
    if (!scene_complete(&scene))
        report(&view, "incomplete", "", (Box){0}, NULL, (Box){0});
    if (round->colors) {
        check_contrast(&view);
        return;
    }
    check_inside(&view);
    check_zeros(&view);
    if (scene_specks(&scene, 0))
        report(&view, "a speck", "of a table", (Box){0}, NULL, (Box){0});
    if (round->presents && is_for_back_row(page))
        check_for_back_row(&view);
    Things things = things_of(&scene);
    check_pairs(&view, &things);
    if (!view.chosen)
        check_not_cut(&view, &things);
    free(things.items);
}

/* At every depth of the words. */
static void look_at_depths(Round *round, Page *page) {
    for (page->words = WORDS_STORY; page->words < WORDS_COUNT; page->words++)
        look_at(round, page, false);
    page->words = WORDS_USUAL;
}

/* In every view that fits, at every depth, and with a cell of an input pinned. */
static void look_at_variants(Round *round, Page *page) {
    look_at(round, page, true);
    look_at_depths(round, page);
    LessonView first = views_present(page->player, LESSON_VIEW_NONE);
    for (LessonView view = views_next(page->player, first); view != first;
         view = views_next(page->player, view)) {
        page->view = view;
        look_at(round, page, false);
    }
    page->view = LESSON_VIEW_NONE;
    const Tape *tape = page->player->lesson->tape;
    const TapeNode *node = tape_node(tape, player_step(page->player)->node);
    if (!node->input_count)
        return;
    const Tensor *input = &tape_node(tape, node->inputs[0])->output;
    page->has_focus = true;
    page->focus = (Link){LINK_CELL, node->inputs[0], input->rows - 1, input->cols - 1};
    look_at(round, page, false);
    page->has_focus = false;
}

/* While its question waits, with what is said to each wrong answer, and behind the right
 * one. */
static void look_at_question(Round *round, Page *page) {
    Practise asked;
    const Player *player = page->player;
    if (!practise_begin_question(&asked, player, player->step))
        return;
    PractisePanel panel = {.practise = &asked, .answer = "", .chosen = 0};
    page->practise = &panel;
    look_at(round, page, true);
    for (size_t i = 0; i < practise_exercise(&asked)->count && practise_hides(&asked);
         i++) {
        practise_pick(&asked, i);
        look_at(round, page, true);
    }
    practise_skip(&asked);
    look_at(round, page, true);
    practise_finish(&asked);
    page->practise = NULL;
}

/* A step as a whole (a statement also in its variants) and, where it opens into cells,
 * its first, a middle and its last. */
static void look_at_step(Round *round, Page *page, Player *player, size_t step) {
    player_jump(player, step);
    if (player_step(player)->depth == 1)
        look_at_variants(round, page);
    else
        look_at(round, page, true);
    look_at_question(round, page);
    if (!player_has_cells(player, step) || player_step(player)->depth > 2)
        return; /* deeper ones look like those above */
    player_move(player, PLAYER_DOWN);
    size_t count =
        tensor_cells(&tape_node(player->lesson->tape, player_step(player)->node)->output);
    const size_t cells[] = {0, count / 2, count - 1};
    for (size_t i = 0; i < 3; i++) {
        if (i && cells[i] == cells[i - 1])
            continue;
        player->cell = cells[i];
        look_at(round, page, false);
    }
}

static void look_at_lesson(Round *round, const Lesson *lesson) {
    Player player;
    assert_true(player_init(&player, lesson));
    const Languages *languages = &round->files->languages;
    size_t themes = round->colors ? round->files->themes.count : 1;
    for (size_t size = 0; size < round->size_count; size++) {
        PageFit fit = page_fit(round->sizes[size].width, round->sizes[size].height);
        for (size_t variant = 0; variant < themes * languages->count; variant++) {
            Page page = {.player = &player,
                         .theme = &round->files->themes.items[variant / languages->count],
                         .metrics = round->metrics,
                         .language = languages->items[variant % languages->count],
                         .width = fit.width,
                         .height = fit.height,
                         .number = 7,
                         .text_scale = round->text_scale,
                         .presents = round->presents,
                         .sources = variant / languages->count % 2};
            round->way = size * themes * languages->count + variant;
            round->turn = 0;
            for (size_t step = 0; step < player.step_count; step++)
                if (!round->course || player.steps[step].depth <= 2)
                    look_at_step(round, &page, &player, step);
        }
    }
}

static void look_at_all(Round *round) {
    hair = text_scale_of(
        &(Page){.text_scale = round->text_scale, .presents = round->presents});
    round->frame = arena_create(FRAME_BYTES);
    assert_non_null(round->frame);
    for (size_t i = 0; i < round->files->count; i++) {
        const Lesson *lesson = round->files->lessons[i];
        if (!round->course || isdigit((unsigned char)lesson->id[0]))
            look_at_lesson(round, lesson);
    }
    arena_destroy(round->frame);
    print_message("# %zu pages\n", round->pages);
    assert_true(round->pages > 0);
    if (round->failures)
        print_error("%zu failures on %zu pages\n", round->failures, round->pages);
    assert_int_equal(round->failures, 0);
}

static void test_pages_hold_everything_at_every_size(void **state) {
    TextMetrics metrics = fixed_metrics();
    look_at_all(&(Round){.files = *state,
                         .metrics = &metrics,
                         .metrics_name = "fixed",
                         .sizes = sizes,
                         .size_count = SIZE_COUNT,
                         .whole_in = 8,
                         .parts_in = 16});
}

static double wide_advance(void *context, FontRole font, double size, const char *text,
                           size_t length) {
    return 1.15 * fixed_advance(context, font, size, text, length);
}

static void test_pages_hold_everything_in_a_wider_font(void **state) {
    TextMetrics metrics = fixed_metrics();
    metrics.advance = wide_advance;
    look_at_all(&(Round){.files = *state,
                         .metrics = &metrics,
                         .metrics_name = "wide",
                         .sizes = sizes,
                         .size_count = 2,
                         .whole_in = 4,
                         .parts_in = 8});
}

/* How large the formula beside the heading is set: its largest symbol in the words' first
 * line, in the right half of the page; 0 without one. */
static double formula_size(const Scene *scene, double height) {
    double largest = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT && item->font == FONT_MATH &&
            item->box.x > scene->width / 2 && item->box.y + item->box.h / 2 < height)
            largest = fmax(largest, item->size);
    }
    return largest;
}

/* How large the smallest number in a cell is written; 0 where there is none. */
static double cells_size(const Scene *scene) {
    double least = INFINITY;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT && item->link.kind == LINK_CELL &&
            strspn(item->text, "0123456789.-−∞≈ ") == strlen(item->text))
            least = fmin(least, item->size);
    }
    return isfinite(least) ? least : 0;
}

static const double NO_SMALLER = 0.85, NO_SMALLER_CELLS = 0.97; /* but for whole points */

/* At how many larger sizes of type a step's formula, or what its cells say to the back
 * row, is smaller than as usual. */
static size_t count_smaller(const CourseFiles *files, const TextMetrics *metrics,
                            Arena *frame, const Player *player, bool presents) {
    double usual = 0, usual_cells = 0;
    size_t smaller = 0;
    for (double scale = 1; scale < 2; scale = text_scale_above(scale)) {
        Page page = {.player = player,
                     .theme = &files->themes.items[0],
                     .metrics = metrics,
                     .language = files->languages.items[0],
                     .width = 1600,
                     .height = 900,
                     .text_scale = scale,
                     .presents = presents};
        Scene scene;
        arena_reset(frame);
        page_draw(&scene, frame, &page);
        double size = formula_size(&scene, (presents ? 90 : 140) * scale);
        if (size > 0 && size < usual * NO_SMALLER && ++smaller)
            print_error("%s %s: formula of %g points is %g where type is %g\n",
                        player->lesson->id, player_step(player)->path, usual, size,
                        scale);
        double cells = cells_size(&scene);
        if (presents && cells < usual_cells * NO_SMALLER_CELLS && ++smaller)
            print_error("%s %s: cells of %g points are %g where type is %g\n",
                        player->lesson->id, player_step(player)->path, usual_cells, cells,
                        scale);
        usual = scale > 1 ? usual : size;
        usual_cells = scale > 1 ? usual_cells : cells;
    }
    return smaller;
}

/* Larger type must not make formulas or numbers smaller. */
static void test_larger_type_makes_nothing_smaller(void **state) {
    const CourseFiles *files = *state;
    TextMetrics metrics = fixed_metrics();
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    size_t smaller = 0, turn = 0;
    for (size_t lesson = 0; lesson < files->count; lesson++) {
        Player player;
        assert_true(player_init(&player, files->lessons[lesson]));
        for (size_t step = 0; step < player.step_count; step = player.steps[step].next) {
            if (turn++ % sample_one_in())
                continue;
            player_jump(&player, step);
            for (int i = 0; i < 2; i++)
                smaller += count_smaller(files, &metrics, frame, &player, i);
        }
    }
    arena_destroy(frame);
    assert_int_equal(smaller, 0);
}

/* In the program's own fonts. */
static void look_in_fonts(Round round) {
    Error error;
    Fonts *fonts = fonts_create(&error);
    if (!fonts)
        skip();
    TextMetrics metrics = fonts_metrics(fonts);
    round.metrics = &metrics;
    round.sizes = sizes;
    round.size_count = SIZE_COUNT;
    look_at_all(&round);
    fonts_destroy(fonts);
}

static void test_pages_hold_everything_in_the_programs_fonts(void **state) {
    look_in_fonts(
        (Round){.files = *state, .metrics_name = "real", .whole_in = 2, .parts_in = 8});
}

static void test_presented_pages_are_for_the_back_row(void **state) {
    look_in_fonts((Round){.files = *state,
                          .metrics_name = "presented",
                          .presents = true,
                          .whole_in = 4,
                          .parts_in = 16});
}

static void test_pages_hold_everything_in_larger_type(void **state) {
    look_in_fonts((Round){.files = *state,
                          .metrics_name = "large",
                          .text_scale = 1.5,
                          .whole_in = 8,
                          .parts_in = 16});
}

static void test_pages_hold_everything_upright(void **state) {
    static const Size phone = {390, 844};
    TextMetrics metrics = fixed_metrics();
    look_at_all(&(Round){.files = *state,
                         .metrics = &metrics,
                         .metrics_name = "upright",
                         .sizes = &phone,
                         .size_count = 1,
                         .text_scale = page_least_type(phone.width, phone.height),
                         .course = true,
                         .whole_in = 1,
                         .parts_in = 4});
}

static void test_text_can_be_read_on_its_ground_in_every_theme(void **state) {
    TextMetrics metrics = fixed_metrics();
    look_at_all(&(Round){.files = *state,
                         .metrics = &metrics,
                         .metrics_name = "fixed",
                         .sizes = sizes,
                         .size_count = 1,
                         .colors = true,
                         .whole_in = 4,
                         .parts_in = 8});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_hold_everything_at_every_size),
        cmocka_unit_test(test_larger_type_makes_nothing_smaller),
        cmocka_unit_test(test_pages_hold_everything_in_a_wider_font),
        cmocka_unit_test(test_pages_hold_everything_in_the_programs_fonts),
        cmocka_unit_test(test_presented_pages_are_for_the_back_row),
        cmocka_unit_test(test_pages_hold_everything_in_larger_type),
        cmocka_unit_test(test_pages_hold_everything_upright),
        cmocka_unit_test(test_text_can_be_read_on_its_ground_in_every_theme),
    };
    return cmocka_run_group_tests(tests, course_set_up_all, course_tear_down);
}

/* Checks the pages of all lessons, each in every shape: nothing is missing, cut or
 * covered, and all pictures follow the same rules. One table has the shapes, another the
 * checks. */
#include "fixed_metrics.h"
#include "picture/page/page.h"
#include "picture/scene/scene.h"
#include "sample.h"
#include "sweep.h"

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
        if (shown && !depth && !holds(view, page, item->box))
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
static void check_not_cut(const View *view) {
    const Things *things = view->things;
    Box below = region(view, view->theme->bar);
    for (size_t i = 0; !view->chosen && i < things->count; i++) {
        const Thing *thing = &things->items[i];
        bool code = thing->item->font == FONT_MONO; /* may be cut: `show` has it whole */
        bool chapter = thing->item->link.kind == LINK_STEP;
        if (!is_text(thing) || code ||
            (view->presents && is_too_long(thing->item->text)) ||
            !is_cut(view, thing->item->text) ||
            (overlap(view, thing->box, below) && !chapter))
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

/* Returns true for a whole step, also with an open question, without the longer texts of
 * a presented page: all depths of text, a cell's sum. */
static bool is_for_back_row(const Page *page) {
    return player_step(page->player)->depth == 1 && page->words == WORDS_USUAL &&
           !page->has_focus && page->player->cell == PLAYER_NONE;
}

/* The back row reads words of 24 pixels at 1280 × 720, and digits of 18. */
static void check_for_back_row(const View *view) {
    if (!is_for_back_row(view->page))
        return;
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

static void check_specks(const View *view) {
    if (scene_specks(view->scene, 0))
        report(view, "a speck", "of a table", (Box){0}, NULL, (Box){0});
}

static void check_complete(const View *view) {
    if (!scene_complete(view->scene))
        report(view, "incomplete", "", (Box){0}, NULL, (Box){0});
}

/* ---- the sweep ---- */

static const Size upright[] = {{720, 1280}};
static const Size phones[] = {{390, 844}, {480, 800}, {360, 640}};

enum { PHONE_COUNT = sizeof phones / sizeof *phones };

enum {
    USUAL,
    SIZES,
    WIDE,
    FONTS,
    LARGE,
    PRESENTED,
    PRESENTED_LARGE,
    UPRIGHT,
    PHONES,
    THEMES
};

static const Shape shapes[] = {
    [USUAL] = {"usual", 0, 1, sizes, 1, 2, 4},
    [SIZES] = {"sizes", 0, 1, sizes + 1, SIZE_COUNT - 1, 6, 2},
    [WIDE] = {"wide", SHAPE_WIDE, 1, sizes, 2, 4, 2},
    [FONTS] = {"fonts", SHAPE_OWN_FONTS, 1, sizes, SIZE_COUNT, 8, 2},
    [LARGE] = {"large", SHAPE_OWN_FONTS, 1.5, sizes, SIZE_COUNT, 8, 2},
    [PRESENTED] = {"presented", SHAPE_OWN_FONTS | SHAPE_PRESENTED, 1, sizes, SIZE_COUNT,
                   8, 4},
    [PRESENTED_LARGE] = {"presented large", SHAPE_PRESENTED, 2, sizes, 1, 2, 4},
    [UPRIGHT] = {"upright", SHAPE_COURSE, 1, upright, 1, 2, 4},
    [PHONES] = {"phones", SHAPE_COURSE, 1, phones, PHONE_COUNT, 4, 8},
    [THEMES] = {"themes", SHAPE_THEMES, 1, sizes, 1, 8, 4},
};

/* Sets of shapes. TIGHT shapes leave a picture less room than usual. */
enum {
    SHAPE_COUNT = sizeof shapes / sizeof *shapes,
    ALL = (1 << SHAPE_COUNT) - 1,
    TIGHT = 1 << SIZES | 1 << FONTS | 1 << LARGE | 1 << PRESENTED_LARGE,
    IN_THEMES = 1 << THEMES,
    AS_PRESENTED = 1 << PRESENTED,
    AS_PRESENTED_LARGE = 1 << PRESENTED_LARGE,
    ON_PHONES =
        1 << PHONES, /* lane of a decoder layer, long titles and sums have no room */
    AS_USUAL = 1 << USUAL
};

static const Check checks[] = {
    {"pages are complete", ALL, true, check_complete},
    {"nothing leaves the page", ALL ^ AS_PRESENTED_LARGE ^ ON_PHONES, true, check_inside},
    {"nothing overlaps, is covered, or lies on an edge or another table's cell",
     ALL ^ AS_PRESENTED_LARGE, true, check_pairs},
    {"nothing is cut short", ALL ^ AS_PRESENTED_LARGE ^ ON_PHONES, true, check_not_cut},
    {"no table is a speck", ALL, true, check_specks},
    {"only 0 reads as zero, and is written 0", ALL, true, check_zeros},
    {"the back row can read presented pages", AS_PRESENTED, true, check_for_back_row},
    {"text has enough contrast in every theme", ALL, true, check_contrast},
    {"numbers and words are large enough", ALL ^ TIGHT ^ ON_PHONES, false,
     check_can_be_read},
    {"adjacent numbers have a gap between them", ALL, true, check_stand_apart},
    {"a coloured cell never reads as zero", ALL, true, check_no_colour_reads_zero},
    {"no picture uses the accent colour", AS_USUAL, false,
     check_no_picture_wears_the_accent},
    {"given probabilities have the colours of probabilities", ALL, true,
     check_probabilities_are_teal},
    {"no legend runs from zero to zero", ALL ^ TIGHT ^ IN_THEMES, true,
     check_legends_say_something},
    {"legends have the colours of their cells", ALL ^ IN_THEMES, true,
     check_legends_have_the_colours},
    {"tables of different scales have legends", ALL ^ TIGHT ^ AS_PRESENTED, false,
     check_scales_are_told},
    {"a slice is marked in its tensor", ALL ^ TIGHT ^ AS_PRESENTED, false,
     check_slices_are_marked},
    {"a pinned cell is marked where it is drawn", AS_USUAL, false, check_pins_show},
    {"captions of a picture differ", ALL, false, check_captions_differ},
};

enum { CHECK_COUNT = sizeof checks / sizeof *checks };

/* The state of a check's test is its outcome, so the lessons are static. */
static Outcome outcomes[CHECK_COUNT];
static CourseFiles files;

static int set_up(void **state) {
    course_begin(&files);
    course_load_folder(&files, "lessons");
    course_load_folder(&files, "tests/lessons");
    return 0;
}

static int tear_down(void **state) {
    course_finish(&files);
    return 0;
}

static void test_all_shapes_have_pages(void **state) {
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        size_t pages = sweep(&files, &shapes[i], 1U << i, outcomes, CHECK_COUNT);
        print_message("# %s: %zu pages\n", shapes[i].name, pages);
        assert_true(pages > 0 ||
                    shapes[i].traits & SHAPE_OWN_FONTS); /* the fonts may be missing */
    }
}

static void test_check(void **state) {
    sweep_assert(*state);
}

/* ---- pages beside each other ---- */

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
static size_t count_smaller(const TextMetrics *metrics, Arena *frame,
                            const Player *player, bool presents) {
    double usual = 0, usual_cells = 0;
    size_t smaller = 0;
    for (double scale = 1; scale < 2; scale = text_scale_above(scale)) {
        Page page = {.player = player,
                     .theme = &files.themes.items[0],
                     .metrics = metrics,
                     .language = files.languages.items[0],
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
    TextMetrics metrics = fixed_metrics();
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    size_t smaller = 0, turn = 0;
    for (size_t lesson = 0; lesson < files.count; lesson++) {
        Player player;
        assert_true(player_init(&player, files.lessons[lesson]));
        for (size_t step = 0; step < player.step_count; step = player.steps[step].next) {
            if (turn++ % sample_one_in())
                continue;
            player_jump(&player, step);
            for (int i = 0; i < 2; i++)
                smaller += count_smaller(&metrics, frame, &player, i);
        }
    }
    arena_destroy(frame);
    assert_int_equal(smaller, 0);
}

int main(void) {
    struct CMUnitTest tests[CHECK_COUNT + 2] = {
        cmocka_unit_test(test_all_shapes_have_pages),
        cmocka_unit_test(test_larger_type_makes_nothing_smaller)};
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        outcomes[i].check = &checks[i];
        tests[i + 2] =
            (struct CMUnitTest){checks[i].name, test_check, NULL, NULL, &outcomes[i]};
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

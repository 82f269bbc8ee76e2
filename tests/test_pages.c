/* Every page of every lesson, at every size and in both languages: all of it is drawn,
 * lies on the page, and can be read. Pages are laid out with fixed advances, with wider
 * ones (another font), and with the program's own fonts where they are installed. */
#include "course_files.h"
#include "fixed_metrics.h"
#include "golden.h"
#include "paint/fonts.h"
#include "picture/bar/station.h"
#include "picture/explain/practising.h"
#include "picture/home/home.h"
#include "picture/page/page.h"
#include "picture/page/text_scale.h"
#include "picture/panels/help.h"
#include "picture/tensors/views.h"
#include "sample.h"
#include "scene_dump.h"

#include <math.h>

enum { FAILURES_SHOWN = 6000, FRAME_BYTES = 256 << 20 };

static double hair = 1; /* points that may overlap: as many more as type is larger */
static const double INK_ASCENT = 0.72, INK_DESCENT = 0.20; /* of the size */
static const double BACK_ROW_TEXT = 30;   /* points: 24 pixels at 1280 × 720 */
static const double LEAST_CONTRAST = 4.5; /* WCAG 2.1, AA */

/* One page being looked at, and how to name it in a report. */
typedef struct View {
    const char *lesson, *path, *metrics;
    size_t cell;
    const Language *language;
    LessonView drawn;
    bool chosen; /* a view that the lesson does not ask for */
    const Theme *theme;
    const LessonStep *step;
    const Scene *scene;
    size_t *failures;
} View;

static void report(const View *view, const char *what, const char *a, Box abox,
                   const char *b, Box bbox) {
    if (++*view->failures > FAILURES_SHOWN)
        return;
    char cell[32] = "";
    if (view->cell != PLAYER_NONE)
        snprintf(cell, sizeof cell, " cell %zu", view->cell);
    print_error("%s: %s step %s%s %.0fx%.0f %s %s %s: '%s' (%.1f %.1f %.1f %.1f)", what,
                view->lesson, view->path, cell, view->scene->width, view->scene->height,
                view->language->code, view->metrics, lesson_view_name(view->drawn), a,
                abox.x, abox.y, abox.w, abox.h);
    if (b)
        print_error(" and '%s' (%.1f %.1f %.1f %.1f)", b, bbox.x, bbox.y, bbox.w, bbox.h);
    print_error("\n");
}

/* ---- boxes ---- */

static Box intersection(Box a, Box b) {
    double left = fmax(a.x, b.x), top = fmax(a.y, b.y);
    double right = fmin(a.x + a.w, b.x + b.w), bottom = fmin(a.y + a.h, b.y + b.h);
    return (Box){left, top, fmax(right - left, 0), fmax(bottom - top, 0)};
}

static bool overlap(Box a, Box b) {
    Box both = intersection(a, b);
    return both.w > hair && both.h > hair;
}

static bool holds(Box outer, Box inner) {
    return inner.x >= outer.x - hair && inner.y >= outer.y - hair &&
           inner.x + inner.w <= outer.x + outer.w + hair &&
           inner.y + inner.h <= outer.y + outer.h + hair;
}

/* Where the ink of a text may be: its box without the room above and below letters. */
static Box ink_box(const SceneItem *item) {
    Box box = item->box;
    double up = INK_ASCENT * item->size, down = INK_DESCENT * item->size;
    Box tight = item->angle == 90 ? (Box){item->origin.x - up, box.y, up + down, box.h}
                                  : (Box){box.x, item->origin.y - up, box.w, up + down};
    return intersection(tight, box);
}

/* ---- what a page is made of ---- */

/* A text, a filled or outlined rectangle, or an image, with the clips around it. */
typedef struct Thing {
    const SceneItem *item;
    Box box;
    size_t order;
} Thing;

typedef struct Things {
    size_t count;
    Thing *items;
} Things;

static int compare_tops(const void *a, const void *b) {
    const Thing *left = a, *right = b;
    if (left->box.y != right->box.y)
        return left->box.y < right->box.y ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

static Things things_of(const Scene *scene) {
    enum { CLIPS_MAX = 16 };
    Box clips[CLIPS_MAX] = {{0, 0, scene->width, scene->height}};
    size_t depth = 0;
    Things things = {0, malloc((scene->count + 1) * sizeof(Thing))};
    assert_non_null(things.items);
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        switch (item->kind) {
        case SCENE_CLIP:
            assert_true(depth + 1 < CLIPS_MAX);
            clips[depth + 1] = intersection(clips[depth], item->box);
            depth++;
            break;
        case SCENE_UNCLIP:
            depth--;
            break;
        case SCENE_TEXT:
            things.items[things.count++] = (Thing){
                item, depth ? intersection(ink_box(item), clips[depth]) : ink_box(item),
                i};
            break;
        case SCENE_RECTANGLE:
        case SCENE_IMAGE:
            things.items[things.count++] =
                (Thing){item, intersection(item->box, clips[depth]), i};
            break;
        default:
            break;
        }
    }
    qsort(things.items, things.count, sizeof(Thing), compare_tops);
    return things;
}

static bool is_text(const Thing *thing) {
    return thing->item->kind == SCENE_TEXT;
}

/* Whether nothing can be seen through it. */
static bool is_opaque(const Thing *thing) {
    return thing->item->kind == SCENE_IMAGE ||
           (thing->item->kind == SCENE_RECTANGLE && thing->item->fill.a == 255);
}

static bool has_edge(const Thing *thing) {
    return is_opaque(thing) || (thing->item->kind == SCENE_RECTANGLE &&
                                thing->item->stroke.a > 0 && thing->item->width > 0);
}

static const char *name_of(const Thing *thing) {
    return is_text(thing)                            ? thing->item->text
           : thing->item->link.kind == LINK_CELL     ? "a cell"
           : thing->item->link.kind == LINK_TIMELINE ? "the timeline"
           : thing->item->kind == SCENE_IMAGE        ? "an image"
                                                     : "a rectangle";
}

/* ---- what is asked of them ---- */

static void check_text_and_shape(const View *view, const Thing *text,
                                 const Thing *shape) {
    bool cell = shape->item->link.kind == LINK_CELL && is_opaque(shape);
    if (shape->order > text->order && is_opaque(shape))
        report(view, "covered", name_of(text), text->box, name_of(shape), shape->box);
    else if (cell && !link_equal(text->item->link, shape->item->link))
        report(view, "foreign cell", name_of(text), text->box, name_of(shape),
               shape->box);
    else if (has_edge(shape) && !holds(shape->box, text->box))
        report(view, "on an edge", name_of(text), text->box, name_of(shape), shape->box);
}

static void check_pair(const View *view, const Thing *a, const Thing *b) {
    if (!overlap(a->box, b->box))
        return;
    if (is_text(a) && is_text(b))
        report(view, "overlap", name_of(a), a->box, name_of(b), b->box);
    else if (is_text(a))
        check_text_and_shape(view, a, b);
    else if (is_text(b))
        check_text_and_shape(view, b, a);
}

static void check_pairs(const View *view, const Things *things) {
    for (size_t i = 0; i < things->count; i++) {
        const Thing *a = &things->items[i];
        for (size_t j = i + 1; j < things->count; j++) {
            const Thing *b = &things->items[j];
            if (b->box.y >= a->box.y + a->box.h)
                break;
            check_pair(view, a, b);
        }
    }
}

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

/* Whether a text was cut short, and does not end so by itself. */
static bool is_cut(const View *view, const char *text) {
    const char *sign = "…";
    size_t length = strlen(text), end = strlen(sign);
    return length > end && strcmp(text + length - end, sign) == 0 &&
           !strstr(text_in(&view->step->heading, view->language), text) &&
           !strstr(text_in(&view->step->say, view->language), text);
}

/* Only the inspector's long sums may be cut short; and labels in views that are made for
 * fewer or shorter ones. */
static void check_not_cut(const View *view, const Things *things) {
    Box below = region(view, view->theme->bar);
    for (size_t i = 0; i < things->count; i++) {
        const Thing *thing = &things->items[i];
        bool code = thing->item->font == FONT_MONO; /* may be cut: `show` has it whole */
        bool chapter = thing->item->link.kind == LINK_STEP;
        if (!is_text(thing) || code || !is_cut(view, thing->item->text) ||
            (overlap(thing->box, below) && !chapter))
            continue;
        report(view, "cut", thing->item->text, thing->box, NULL, below);
    }
}

/* The ground a text stands on: the last opaque rectangle under its middle. */
static void check_contrast(const View *view) {
    const Scene *scene = view->scene;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *text = &scene->items[i];
        if (text->kind != SCENE_TEXT)
            continue;
        Box ink = ink_box(text);
        Color ground = scene->background;
        for (size_t j = 0; j < i; j++) {
            const SceneItem *under = &scene->items[j];
            if (under->kind == SCENE_RECTANGLE && under->fill.a > 0 &&
                box_contains(under->box, ink.x + ink.w / 2, ink.y + ink.h / 2))
                ground = palette_mix(ground, under->fill, under->fill.a * 256 / 255);
        }
        ground.a = 255;
        bool most = view->theme->lines >= 1.5; /* of high contrast: AAA */
        if (palette_contrast(ground, text->fill) < (most ? 7 : LEAST_CONTRAST))
            report(view, view->theme->name, text->text, ink, "low contrast",
                   (Box){ground.r, ground.g, ground.b,
                         palette_contrast(ground, text->fill)});
    }
}

/* The back row reads 24 pixels at 1280 × 720, and digits of 20. A picture with more in it
 * than that has room for is smaller, but no smaller than pages are as usual. */
static bool is_for_back_row(const View *view) {
    static const double DIGITS = 25, SYMBOL = 18, ANY = 14;
    bool is = true;
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind != SCENE_TEXT)
            continue;
        bool symbol =
            item->font == FONT_MATH; /* in a formula some are raised, some low */
        bool digits = strspn(item->text, "0123456789.-−∞≈ ") == strlen(item->text);
        is &= item->size >= (symbol ? SYMBOL : digits ? DIGITS : BACK_ROW_TEXT) - 0.5;
        if (!symbol && item->size < ANY)
            report(view, "too small", item->text, item->box, NULL, item->box);
    }
    return is;
}

/* A question that is presented is read from the back row, down to its last button. */
static void check_question_size(const View *view) {
    const char *words = language_words(view->language, "practise.see");
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind == SCENE_TEXT && strcmp(item->text, words) == 0 &&
            item->size < BACK_ROW_TEXT - 0.5)
            report(view, "small question", item->text, item->box, NULL, item->box);
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

/* ---- every page ---- */

typedef struct Size {
    double width, height;
} Size;

/* What is drawn in one test. */
typedef struct Round {
    const CourseFiles *files;
    const TextMetrics *metrics;
    const char *metrics_name;
    const Size *sizes;
    size_t size_count;
    bool colors; /* look at colours, in every theme, not at places */
    double text_scale;
    bool presents;
    /* A step as a whole is looked at in one of so many of the ways a page can be set
     * (sizes, languages, themes), its views, pins and cells in one of so many; which they
     * are goes round from page to page, so that in the end each has been seen in each. */
    size_t whole_in, parts_in;
    Arena *frame;
    size_t failures, pages;
    size_t smaller;   /* pages that are not for the back row though presented */
    size_t way, turn; /* how the page is set now; how many were offered so far that way */
} Round;

/* Whether the next page is one to be looked at. */
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
    if (round->presents && !is_for_back_row(&view))
        round->smaller++;
    if (round->presents)
        check_question_size(&view);
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
                look_at_step(round, &page, &player, step);
        }
    }
}

static void look_at_all(Round *round) {
    hair = text_scale_of(
        &(Page){.text_scale = round->text_scale, .presents = round->presents});
    round->frame = arena_create(FRAME_BYTES);
    assert_non_null(round->frame);
    for (size_t i = 0; i < round->files->count; i++)
        look_at_lesson(round, round->files->lessons[i]);
    arena_destroy(round->frame);
    print_message("# %zu pages, %zu of them in smaller type than wanted\n", round->pages,
                  round->smaller);
    assert_true(round->smaller * 10 < round->pages);
    assert_true(round->pages > 0);
    if (round->failures)
        print_error("%zu failures on %zu pages\n", round->failures, round->pages);
    assert_int_equal(round->failures, 0);
}

/* In pixels, each of another shape. */
static const Size sizes[] = {{1280, 720}, {1024, 640}, {1024, 768}, {2560, 1080}};

enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

static int load(void **state) {
    CourseFiles *files = malloc(sizeof *files);
    assert_non_null(files);
    course_begin(files);
    course_load_folder(files, "lessons");
    course_load_folder(files, "tests/lessons");
    *state = files;
    return 0;
}

static int unload(void **state) {
    if (*state) { /* else loading failed */
        course_finish(*state);
        free(*state);
    }
    return 0;
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

static const double NO_SMALLER = 0.85; /* but for whole points */

/* At how many larger sizes of type a step's formula is smaller than as usual. */
static size_t count_smaller(const CourseFiles *files, const TextMetrics *metrics,
                            Arena *frame, const Player *player, bool presents) {
    double usual = 0;
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
        usual = scale > 1 ? usual : size;
    }
    return smaller;
}

/* Who asks for larger type gets no smaller formula. */
static void test_larger_type_makes_no_formula_smaller(void **state) {
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

static void test_pages_hold_everything_in_the_programs_fonts(void **state) {
    Error error;
    Fonts *fonts = fonts_create(&error);
    if (!fonts)
        skip();
    TextMetrics metrics = fonts_metrics(fonts);
    look_at_all(&(Round){.files = *state,
                         .metrics = &metrics,
                         .metrics_name = "real",
                         .sizes = sizes,
                         .size_count = SIZE_COUNT,
                         .whole_in = 2,
                         .parts_in = 8});
    fonts_destroy(fonts);
}

static void test_presented_pages_are_for_the_back_row(void **state) {
    Error error;
    Fonts *fonts = fonts_create(&error);
    if (!fonts)
        skip();
    TextMetrics metrics = fonts_metrics(fonts);
    look_at_all(&(Round){.files = *state,
                         .metrics = &metrics,
                         .metrics_name = "presented",
                         .sizes = sizes,
                         .size_count = SIZE_COUNT,
                         .presents = true,
                         .whole_in = 4,
                         .parts_in = 16});
    fonts_destroy(fonts);
}

static void test_pages_hold_everything_in_larger_type(void **state) {
    Error error;
    Fonts *fonts = fonts_create(&error);
    if (!fonts)
        skip();
    TextMetrics metrics = fonts_metrics(fonts);
    look_at_all(&(Round){.files = *state,
                         .metrics = &metrics,
                         .metrics_name = "large",
                         .sizes = sizes,
                         .size_count = SIZE_COUNT,
                         .text_scale = 1.5,
                         .whole_in = 8,
                         .parts_in = 16});
    fonts_destroy(fonts);
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

/* ---- one layout for every size ---- */

/* Digests of a page as screens of one shape show it. */
static void check_one_layout(const Player *player, const Page *page, Arena *frame) {
    static const Size alike[] = {
        {1024, 576}, {1280, 720}, {1600, 900}, {1920, 1080}, {3840, 2160}};
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        PageFit fit = page_fit(alike[i].width, alike[i].height);
        Page sized = *page;
        sized.width = fit.width;
        sized.height = fit.height;
        Scene scene;
        arena_reset(frame);
        page_draw(&scene, frame, &sized);
        uint64_t digest = scene_digest(&scene);
        if (i == 0)
            first = digest;
        if (digest != first)
            print_error("%s step %s is laid out in another way at %.0f × %.0f\n",
                        player->lesson->id, player_step(player)->path, alike[i].width,
                        alike[i].height);
        assert_true(digest == first);
    }
}

static void test_screens_of_one_shape_have_one_layout(void **state) {
    const CourseFiles *files = *state;
    TextMetrics metrics = fixed_metrics();
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    for (size_t i = 0; i < files->count; i++) {
        Player player;
        assert_true(player_init(&player, files->lessons[i]));
        Page page = {.player = &player,
                     .theme = &files->themes.items[0],
                     .metrics = &metrics,
                     .language = files->languages.items[i % files->languages.count]};
        for (size_t step = i % 8; step < player.step_count; step += 8 * sample_one_in()) {
            player_jump(&player, step);
            check_one_layout(&player, &page, frame);
        }
    }
    arena_destroy(frame);
}

/* The first step of all lessons that asks for a view; false where none does. */
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

/* A view that no lesson asks for is one that no other test draws. */
static void test_every_view_is_asked_for_and_is_a_picture_of_its_own(void **state) {
    const CourseFiles *files = *state;
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    for (LessonView view = LESSON_VIEW_HEATMAP; view < LESSON_VIEW_COUNT; view++) {
        Player player;
        if (!lesson_view_name(view) || !lesson_view_name(view)[0])
            fail_msg("view %d has no name in core/lesson/content/view.c", (int)view);
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
    (void)state;
    for (double width = 100; width < 5000; width += 97) {
        for (double height = 100; height < 5000; height += 89) {
            PageFit fit = page_fit(width, height);
            assert_true(fit.width >= PAGE_WIDTH && fit.height >= PAGE_HEIGHT);
            assert_true(fit.width == PAGE_WIDTH || fit.height == PAGE_HEIGHT);
            assert_true(fabs(fit.width * fit.scale - width) <= fit.scale / 2 + 1e-6);
            assert_true(fabs(fit.height * fit.scale - height) <= fit.scale / 2 + 1e-6);
        }
    }
}

/* ---- home and the help ---- */

/* Looks at a scene that is no page of a lesson. */
static void look_at_scene(Round *round, const char *name, const Theme *theme,
                          const Language *language, const Scene *scene) {
    static const LessonStep none;
    View view = {.lesson = name,
                 .path = "",
                 .metrics = round->metrics_name,
                 .cell = PLAYER_NONE,
                 .language = language,
                 .theme = theme,
                 .step = &none,
                 .scene = scene,
                 .failures = &round->failures};
    round->pages++;
    if (!scene_complete(scene))
        report(&view, "incomplete", "", (Box){0}, NULL, (Box){0});
    check_contrast(&view);
    Things things = things_of(scene);
    check_pairs(&view, &things);
    free(things.items);
}

/* The lessons as home has them: those with a number are the course's. */
static size_t home_lessons(const Round *round, const Language *language,
                           HomeLesson lessons[COURSE_LESSONS_MAX + 1],
                           const Player *players, size_t *course) {
    size_t count = 0;
    for (size_t own = 0; own < 2; own++) {
        for (size_t i = 0; i < round->files->count; i++) {
            const Lesson *lesson = round->files->lessons[i];
            size_t number = strtoul(lesson->id, NULL, 10);
            if (!number == !own)
                continue;
            lessons[count++] = (HomeLesson){.number = number,
                                            .title = text_in(&lesson->title, language),
                                            .part = text_in(&lesson->part, language),
                                            .note = own ? lesson->id : NULL,
                                            .block = lesson->block,
                                            .player = &players[i],
                                            .read = (double)(i % 3) / 2,
                                            .practised = i % 4,
                                            .at_once = i % 2,
                                            .solved = i % 4 == 3,
                                            .answered = i % 3};
        }
        *course = own ? *course : count;
    }
    lessons[count++] = (HomeLesson){
        .title = "a-lesson-that-could-not-be-read", .part = "", .broken = true};
    return count;
}

/* What lies over the page is looked at by itself. */
static void look_at_list(Round *round, const Theme *theme, const Language *language,
                         const Scene *scene, Link door) {
    Scene list = *scene;
    size_t first = scene->count;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (link_equal(item->link, door) && item->kind == SCENE_RECTANGLE)
            first = i;
    }
    list.items += first;
    list.count -= first;
    look_at_scene(round, "a list at home", theme, language, &list);
}

static void look_at_home(Round *round, PageFit size, const Theme *theme,
                         const Language *language, const Player *players) {
    static const Link doors[] = {{LINK_NONE, 0, 0, 0},
                                 {LINK_BLOCK, LESSON_BLOCK_SELF_ATTENTION, 0, 2},
                                 {LINK_BLOCK, LESSON_BLOCK_PROBABILITIES, 1, 8},
                                 {LINK_BLOCK, HOME_OWN_LESSONS, 0, 0}};
    static const double times[] = {-1, 0, 2640, 4800, 5760, 60000};
    HomeLesson lessons[COURSE_LESSONS_MAX + 1];
    Home home = {.lessons = lessons, .width = size.width, .height = size.height};
    home.all = home_lessons(round, language, lessons, players, &home.count);
    const HomeCard cards[] = {
        {{LINK_COMMAND, 1, 0, 0},
         language_words(language, "home.tour"),
         language_words(language, "home.tour_detail"),
         true},
        {{LINK_COMMAND, 2, 0, 0}, lessons[8].title, lessons[8].part, false},
        {{LINK_COMMAND, 3, 0, 0},
         language_words(language, "home.type"),
         language_words(language, "home.type_detail"),
         false},
        {doors[3], language_words(language, "home.mine"), lessons[3].title, false}};
    const HomeButton buttons[] = {
        {{LINK_COMMAND, 5, 0, 0}, language->name},
        {{LINK_COMMAND, 6, 0, 0}, language_words(language, "home.theme")},
        {{LINK_COMMAND, 7, 0, 0}, language_words(language, "home.help")}};
    home.cards = cards;
    home.card_count = sizeof cards / sizeof *cards;
    home.buttons = buttons;
    home.button_count = sizeof buttons / sizeof *buttons;
    home.find = (HomeButton){{LINK_COMMAND, 8, 0, 0}, "Ctrl+K"};
    for (size_t i = 0; i < 10; i++) {
        Scene scene;
        arena_reset(round->frame);
        scene_init(&scene, round->frame, size.width, size.height, theme->page);
        Canvas canvas = {.scene = &scene,
                         .theme = theme,
                         .metrics = round->metrics,
                         .language = language};
        for (size_t j = 0; i && !home.talk && j < round->files->count; j++) {
            if (strncmp(round->files->lessons[j]->id, "24-", 3) == 0)
                home.talk = home_talk(round->files->lessons[j], round->frame);
        }
        home.time = i < 6 ? times[i] : -1;
        home.door = i < 6 ? doors[0] : doors[i % 3 + 1];
        home.chosen = i < 6 ? (Link){LINK_LESSON, i * 5, HOME_IN_COURSE, 0}
                            : home_first_of(&home, home.door);
        home_draw(&canvas, &home);
        if (i < 6)
            look_at_scene(round, "home", theme, language, &scene);
        else
            look_at_list(round, theme, language, &scene, home.door);
        home.talk = NULL; /* it was this frame's */
    }
}

/* The stations of the tour, each with its sentence in place of the words. */
static void look_at_stations(Round *round, PageFit size, const Theme *theme,
                             const Language *language, const Player *players) {
    for (size_t i = 0; i < round->files->count; i++) {
        Player player = players[i];
        for (size_t step = 0; step < player.step_count; step++) {
            const LessonStep *words = player.steps[step].words;
            if (!words || text_is_empty(&words->tour))
                continue;
            const char *const parts[] = {"thrones", "you", "brings"};
            Scene scene;
            player_jump(&player, step);
            arena_reset(round->frame);
            Station station = {.words = language_sentence(language,
                                                          text_in(&words->tour, language),
                                                          3, parts, round->frame),
                               .at = step % 11,
                               .count = 11};
            page_draw(&scene, round->frame,
                      &(Page){.player = &player,
                              .theme = theme,
                              .metrics = round->metrics,
                              .language = language,
                              .width = size.width,
                              .height = size.height,
                              .interactive = true,
                              .station = &station});
            look_at_scene(round, round->files->lessons[i]->id, theme, language, &scene);
        }
    }
}

/* A line for every key that has words. */
static void look_at_help(Round *round, PageFit size, const Theme *theme,
                         const Language *language) {
    enum { ENTRIES_MAX = 60 };
    HelpEntry entries[ENTRIES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < language->count && count < ENTRIES_MAX; i++) {
        const char *key = language->words[i].key;
        if (strncmp(key, "key.", 4) != 0)
            continue;
        entries[count] = (HelpEntry){"→   Space", key, count % 10 ? NULL : "help.mouse"};
        count++;
    }
    assert_true(count > 10 && count < ENTRIES_MAX);
    Scene scene;
    arena_reset(round->frame);
    scene_init(&scene, round->frame, size.width, size.height, theme->page);
    Canvas canvas = {
        .scene = &scene, .theme = theme, .metrics = round->metrics, .language = language};
    help_draw(&canvas, entries, count);
    look_at_scene(round, "help", theme, language, &scene);
}

static void test_home_and_help_hold_everything(void **state) {
    const CourseFiles *files = *state;
    Error error;
    Fonts *fonts = fonts_create(&error);
    TextMetrics fixed = fixed_metrics(), real = fonts ? fonts_metrics(fonts) : fixed;
    Player *players = calloc(files->count, sizeof *players);
    assert_non_null(players);
    for (size_t i = 0; i < files->count; i++)
        assert_true(player_init(&players[i], files->lessons[i]));
    for (int i = 0; i < 2; i++) {
        Round round = {.files = files,
                       .metrics = i ? &real : &fixed,
                       .metrics_name = i ? "real" : "fixed",
                       .frame = arena_create(FRAME_BYTES)};
        assert_non_null(round.frame);
        size_t languages = files->languages.count, themes = files->themes.count;
        for (size_t j = 0; j < SIZE_COUNT * themes * languages; j++) {
            const Language *language = files->languages.items[j % languages];
            const Theme *theme = &files->themes.items[j / languages % themes];
            Size pixels = sizes[j / languages / themes];
            PageFit size = page_fit(pixels.width, pixels.height);
            look_at_home(&round, size, theme, language, players);
            look_at_stations(&round, size, theme, language, players);
            look_at_help(&round, size, theme, language);
        }
        arena_destroy(round.frame);
        assert_int_equal(round.failures, 0);
    }
    free(players);
    fonts_destroy(fonts);
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
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_hold_everything_at_every_size),
        cmocka_unit_test(test_larger_type_makes_no_formula_smaller),
        cmocka_unit_test(test_pages_hold_everything_in_a_wider_font),
        cmocka_unit_test(test_pages_hold_everything_in_the_programs_fonts),
        cmocka_unit_test(test_presented_pages_are_for_the_back_row),
        cmocka_unit_test(test_pages_hold_everything_in_larger_type),
        cmocka_unit_test(test_text_can_be_read_on_its_ground_in_every_theme),
        cmocka_unit_test(test_screens_of_one_shape_have_one_layout),
        cmocka_unit_test(test_every_view_is_asked_for_and_is_a_picture_of_its_own),
        cmocka_unit_test(test_a_page_is_no_smaller_than_it_is_laid_out_for),
        cmocka_unit_test(test_home_and_help_hold_everything),
        cmocka_unit_test(test_chosen_pages_are_as_they_were_found_good),
    };
    return cmocka_run_group_tests(tests, load, unload);
}

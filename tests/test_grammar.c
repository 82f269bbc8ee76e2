/* The grammar that all pictures obey, on every page of the course: numbers and words that
 * can be read, colours that agree with the numbers in them, one scale for one quantity,
 * names that say which table is meant. */
#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/content/view.h"
#include "picture/explain/page_focus.h"
#include "picture/page/page.h"
#include "picture/scene/palette.h"
#include "sample.h"

#include <math.h>

enum { FAILURES_SHOWN = 40, FRAME_BYTES = 256 << 20 };

static const double LEAST_DIGITS = 17.5, LEAST_TEXT = 15, LEAST_SCRIPT = 13; /* points */
static const double LARGE_CELL = 24;
static const double LEAST_APART = 0.25; /* of their digits' size */

/* A page as it is looked at. */
typedef struct Look {
    const Page *page;
    const Scene *scene;
    size_t failures;
} Look;

static void fail_page(Look *look, const char *what, const char *which, double number) {
    const Player *player = look->page->player;
    if (++look->failures <= FAILURES_SHOWN)
        print_error("%s: %s step %s %s: '%s' (%g)\n", what, player->lesson->id,
                    player_step(player)->path, look->page->language->code, which, number);
}

/* Calls `check` for steps of every lesson, each in one of the languages by turns: as a
 * whole, and opened; or presented, in type so large. */
static void look_at_pages(const CourseFiles *files, bool presents, double text_scale,
                          void (*check)(Look *look)) {
    TextMetrics metrics = fixed_metrics();
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    Look look = {0};
    size_t turn = 0, pages = 0;
    for (size_t i = 0; i < files->count; i++) {
        Player player;
        assert_true(player_init(&player, files->lessons[i]));
        for (size_t step = 0; step < player.step_count; step++) {
            bool whole = player.steps[step].depth <= 2;
            if (turn++ % ((whole ? 1 : 8) * sample_one_in()) != 0)
                continue;
            player_jump(&player, step);
            Page page = {.player = &player,
                         .theme = &files->themes.items[0],
                         .metrics = &metrics,
                         .language =
                             files->languages.items[turn % files->languages.count],
                         .width = PAGE_WIDTH,
                         .height = PAGE_HEIGHT,
                         .presents = presents,
                         .text_scale = text_scale};
            Scene scene;
            arena_reset(frame);
            page_draw(&scene, frame, &page);
            look.page = &page;
            look.scene = &scene;
            check(&look);
            pages++;
        }
    }
    arena_destroy(frame);
    print_message("# %zu pages, %zu failures\n", pages, look.failures);
    assert_true(pages > 0);
    assert_int_equal(look.failures, 0);
}

static void look_at_course(const CourseFiles *files, void (*check)(Look *look)) {
    look_at_pages(files, false, 1, check);
}

/* ---- what can be read ---- */

/* Returns true if a text is the number in a cell: linked to it and inside its
 * rectangle. */
static bool is_number_of_cell(const Scene *scene, size_t at) {
    const SceneItem *text = &scene->items[at];
    const char *digits = text->text;
    if (strncmp(digits, "−", strlen("−")) == 0)
        digits += strlen("−");
    if (text->link.kind != LINK_CELL || digits[strspn(digits, "0123456789.")] ||
        !digits[strcspn(digits, "0123456789")]) /* a token may be a full stop */
        return false;
    for (size_t i = at; i-- > 0 && link_equal(scene->items[i].link, text->link);) {
        const SceneItem *under = &scene->items[i];
        if (under->kind == SCENE_TEXT) /* in h_4 it is the name's */
            return false;
        if (under->kind == SCENE_RECTANGLE && under->fill.a == 255 &&
            box_contains(under->box, text->box.x + text->box.w / 2,
                         text->box.y + text->box.h / 2))
            return true;
    }
    return false;
}

/* Returns true if a text is a script: raised or lowered, directly behind its base. */
static bool is_script(const Scene *scene, size_t at) {
    const SceneItem *text = &scene->items[at];
    for (size_t i = at; i-- > 0 && at - i < 12;) {
        const SceneItem *base = &scene->items[i];
        if (base->kind == SCENE_TEXT && base->size > text->size &&
            base->origin.y != text->origin.y &&
            fabs(base->origin.y - text->origin.y) < base->size)
            return true;
    }
    return false;
}

static void check_can_be_read(Look *look) {
    for (size_t i = 0; i < look->scene->count; i++) {
        const SceneItem *item = &look->scene->items[i];
        if (item->kind != SCENE_TEXT)
            continue;
        if (is_number_of_cell(look->scene, i)) {
            if (item->size < LEAST_DIGITS)
                fail_page(look, "small digits", item->text, item->size);
        } else if (item->size < LEAST_SCRIPT ||
                   (item->size < LEAST_TEXT && !is_script(look->scene, i))) {
            fail_page(look, "small text", item->text, item->size);
        }
    }
}

static void test_numbers_and_words_can_be_read(void **state) {
    look_at_course(*state, check_can_be_read);
}

/* Adjacent numbers must be distinguishable: "1 1" isn't 11. */
static void check_stand_apart(Look *look) {
    const Scene *scene = look->scene;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *left = &scene->items[i];
        if (left->kind != SCENE_TEXT || !is_number_of_cell(scene, i))
            continue;
        Link beside = left->link;
        beside.col++;
        for (size_t j = i + 1; j < scene->count && j < i + 24; j++) {
            const SceneItem *right = &scene->items[j];
            double gap = right->box.x - left->box.x - left->box.w;
            if (right->kind == SCENE_TEXT && link_equal(right->link, beside) &&
                right->origin.y == left->origin.y && is_number_of_cell(scene, j) &&
                gap > -left->box.w && gap < LEAST_APART * left->size)
                fail_page(look, "numbers touch", left->text, gap / left->size);
        }
    }
}

static void test_numbers_side_by_side_stand_apart(void **state) {
    look_at_course(*state, check_stand_apart);
    look_at_pages(*state, true, 1, check_stand_apart);
    look_at_pages(*state, true, 2, check_stand_apart);
}

/* ---- numbers and their colours ---- */

static double distance(Color a, Color b) {
    return hypot(hypot(a.r - b.r, a.g - b.g), a.b - b.b);
}

/* Returns true if a colour is more than a fifth of a palette away from the colour of
 * 0. */
static bool is_coloured(const Theme *theme, Color fill) {
    ColorScale both = {&theme->diverging, -1, 1, theme->masked},
               shares = {&theme->sequential, 0, 1, theme->masked};
    const struct {
        const ColorScale *scale;
        double value;
    } fifths[] = {{&both, -0.2}, {&both, 0.2}, {&shares, 0.2}};
    for (size_t i = 0; i < sizeof fifths / sizeof *fifths; i++) {
        Color zero = color_scale_at(fifths[i].scale, 0);
        Color fifth = color_scale_at(fifths[i].scale, fifths[i].value);
        if (distance(fill, zero) <= distance(fifth, zero) + 2)
            return false;
    }
    return true;
}

/* Returns the background of a cell's number. */
static Color ground_of(const Scene *scene, size_t at) {
    while (at-- > 0) {
        if (scene->items[at].kind == SCENE_RECTANGLE && scene->items[at].fill.a == 255)
            return scene->items[at].fill;
    }
    return scene->background;
}

static void check_no_colour_reads_zero(Look *look) {
    const Tape *tape = look->page->player->lesson->tape;
    for (size_t i = 0; i < look->scene->count; i++) {
        const SceneItem *item = &look->scene->items[i];
        if (item->kind != SCENE_TEXT || !is_number_of_cell(look->scene, i) ||
            strpbrk(item->text, "123456789"))
            continue;
        double value = tensor_at(&tape_node(tape, item->link.index)->output,
                                 item->link.row, item->link.col);
        if (value != 0 && is_coloured(look->page->theme, ground_of(look->scene, i)))
            fail_page(look, "coloured zero", item->text, value);
    }
}

static void test_a_coloured_cell_never_reads_as_zero(void **state) {
    look_at_course(*state, check_no_colour_reads_zero);
}

/* Returns true if a given row of probabilities is drawn in one table with rows that hold
 * none: a point among points. */
static bool stands_among_others(const Look *look, const Tensor *row) {
    const Tape *tape = look->page->player->lesson->tape;
    bool others = false;
    for (size_t i = 0; i < look->scene->count && row->rows == 1; i++) {
        const SceneItem *item = &look->scene->items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL ||
            item->fill.a != 255)
            continue;
        const Tensor *other = &tape_node(tape, item->link.index)->output;
        others |= other->rows == 1 && other->cols == row->cols && other->col_labels &&
                  strcmp(other->col_labels[0], row->col_labels[0]) == 0 &&
                  !lesson_has_probabilities(other);
    }
    return others;
}

/* Rows that sum to 1 between words are teal, whatever their source; but a summand has the
 * colours of the sum. */
static void check_shares_are_teal(Look *look) {
    const Tape *tape = look->page->player->lesson->tape;
    size_t shown = player_step(look->page->player)->node;
    if (tape_node(tape, shown)->operation == OPERATION_ADD ||
        tape_node(tape, shown)->operation == OPERATION_SUBTRACT)
        return;
    for (size_t i = 0; i < look->scene->count; i++) {
        const SceneItem *item = &look->scene->items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL ||
            item->fill.a != 255 || item->box.w < LARGE_CELL)
            continue;
        const TapeNode *node = tape_node(tape, item->link.index);
        const Tensor *tensor = &node->output;
        if (node->operation == OPERATION_GIVEN && tensor->row_labels &&
            tensor->col_labels && lesson_has_probabilities(tensor) &&
            item->fill.r > item->fill.b && !stands_among_others(look, tensor))
            fail_page(look, "shares in signed colours", node->name, 0);
    }
}

static void test_given_shares_have_the_colours_of_shares(void **state) {
    look_at_course(*state, check_shares_are_teal);
}

/* ---- hues ---- */

/* The accent is the interface's: what one is asked for, and may press. */
static void check_no_picture_wears_the_accent(Look *look) {
    Arena *frame = arena_create(FRAME_BYTES);
    assert_non_null(frame);
    Theme theme = *look->page->theme;
    theme.accent = (Color){1, 2, 3, 255};
    Page page = *look->page;
    page.theme = &theme;
    Scene scene;
    page_draw(&scene, frame, &page);
    if (scene_digest(&scene) != scene_digest(look->scene))
        fail_page(look, "accent", "", 0);
    arena_destroy(frame);
}

static void test_no_picture_wears_the_accent(void **state) {
    look_at_course(*state, check_no_picture_wears_the_accent);
}

/* ---- scales and legends ---- */

static bool is_legend(const SceneItem *item) {
    return item->kind == SCENE_IMAGE && item->link.kind == LINK_NONE &&
           item->tensor->rows == 1 && item->tensor->cols == 64;
}

static void check_legends_say_something(Look *look) {
    const Scene *scene = look->scene;
    for (size_t i = 0; i + 1 < scene->count; i++) {
        if (!is_legend(&scene->items[i]))
            continue;
        bool more = false; /* than zeros */
        for (size_t j = i + 1; j < scene->count && j <= i + 3; j++)
            more |= scene->items[j].kind == SCENE_TEXT &&
                    strpbrk(scene->items[j].text, "123456789+");
        if (!more)
            fail_page(look, "legend of zeros", "", 0);
    }
}

static void test_no_legend_runs_from_zero_to_zero(void **state) {
    look_at_course(*state, check_legends_say_something);
}

/* Returns true if an item is a cell, or a table of cells, in a colour of negative
 * numbers. */
static bool is_below_zero(const Theme *theme, const SceneItem *item) {
    enum { STEPS = 400 };
    /* Of the scale: paler colours can't be distinguished from other greys. */
    const double SURE = 0.1;
    if (item->kind == SCENE_IMAGE) {
        bool below = false;
        for (size_t i = 0; !below && i < tensor_cells(item->tensor); i++)
            below = isfinite(item->tensor->values[i]) &&
                    item->tensor->values[i] < SURE * item->scale->low;
        return below && item->scale->palette == &theme->diverging;
    }
    ColorScale scale = {&theme->diverging, -1, 1, theme->masked};
    bool below = false;
    for (int i = 0; !below && i <= STEPS; i++) {
        Color color = color_scale_at(&scale, -SURE - (1 - SURE) * (double)i / STEPS);
        below = distance(color, item->fill) == 0;
    }
    return item->kind == SCENE_RECTANGLE && item->fill.a == 255 && below;
}

/* The first that marks something below 0, of the texts under a legend's bar. */
static const char *mark_below_zero(const Scene *scene, size_t bar) {
    for (size_t i = bar + 1; i < scene->count && i <= bar + 3; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT &&
            (strstr(item->text, "−") == item->text || strstr(item->text, "±")))
            return item->text;
    }
    return NULL;
}

/* The pictures' part of a page stands right of the map. */
static void check_legends_have_the_colours(Look *look) {
    const double MAP = 320, HEAD = 60; /* of both towers, with thumbnails */
    const Scene *scene = look->scene;
    const Theme *theme = look->page->theme;
    size_t legends = 0, signed_ones = 0;
    bool below = false;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (!is_legend(item)) {
            below |= item->box.x > (look->page->presents ? 0 : MAP) &&
                     item->box.y > HEAD && is_below_zero(theme, item);
        } else if (item->scale->palette == &theme->diverging) {
            bool has_both = item->tensor->values[0] < 0;
            const char *mark = mark_below_zero(scene, i);
            legends++;
            signed_ones += has_both;
            if (!has_both && mark)
                fail_page(look, "a legend's colours have no", mark, 0);
        }
    }
    if (below && legends && !signed_ones)
        fail_page(look, "no legend has the blue of numbers below 0", "", 0);
    for (size_t i = 0; legends && !signed_ones && i < scene->count; i++) {
        if (scene->items[i].kind == SCENE_TEXT && strstr(scene->items[i].text, "±"))
            fail_page(look, "nothing is below 0 in", scene->items[i].text, 0);
    }
}

static void test_legends_have_the_colours_of_their_cells(void **state) {
    look_at_course(*state, check_legends_have_the_colours);
    look_at_pages(*state, true, 1, check_legends_have_the_colours);
}

/* Returns the reach of the signed scale that a cell of this value is coloured by; 0 if
 * the colour doesn't show it, because it is too pale or at the scale's end. */
static double reach_of_cell(const Theme *theme, double value, Color fill) {
    enum { STEPS = 400 };
    ColorScale scale = {&theme->diverging, -1, 1, theme->masked};
    double best = 3, share = 0;
    for (int i = STEPS / 4; i <= STEPS; i++) {
        double at = copysign((double)i / STEPS, value);
        double wrong = distance(color_scale_at(&scale, at), fill);
        if (wrong < best) {
            best = wrong;
            share = fabs(at);
        }
    }
    return share > 0 ? fabs(value) / share : 0;
}

/* Returns the number of different scales; those that colours can't distinguish count as
 * one. */
static size_t distinct(const double *reach, size_t count) {
    const double APART = 1.6;
    size_t scales = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t j = 0; j < i; j++)
            known |= reach[i] < reach[j] * APART && reach[j] < reach[i] * APART;
        scales += !known;
    }
    return scales;
}

/* The scales of a page's tables, each by its largest cell; thumbnails are none. */
static void check_scales_are_told(Look *look) {
    enum { TABLES_MAX = 64 };
    const Scene *scene = look->scene;
    const Tape *tape = look->page->player->lesson->tape;
    size_t tables[TABLES_MAX], count = 0, told = 0;
    double largest[TABLES_MAX], reach[TABLES_MAX];
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        told +=
            is_legend(item) || (item->kind == SCENE_TEXT &&
                                (strstr(item->text, "±") || strstr(item->text, "0…")));
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL ||
            item->fill.a != 255 || item->box.w < LARGE_CELL ||
            item->radius * 2 >= item->box.w) /* a dot on an axis */
            continue;
        double value = tensor_at(&tape_node(tape, item->link.index)->output,
                                 item->link.row, item->link.col);
        double found = reach_of_cell(look->page->theme, value, item->fill);
        size_t at = 0;
        while (at < count && tables[at] != item->link.index)
            at++;
        if (found == 0 || at == TABLES_MAX || (at < count && fabs(value) <= largest[at]))
            continue;
        tables[at] = item->link.index;
        largest[at] = fabs(value);
        reach[at] = found;
        count += at == count;
    }
    size_t scales = distinct(reach, count);
    if (scales > 1 && told < scales)
        fail_page(look, "scales without legends", "", (double)scales);
}

static void test_tables_of_different_scales_have_legends(void **state) {
    look_at_course(*state, check_scales_are_told);
}

/* ---- parts ---- */

/* The box of the cells [row, row_end) × [col, col_end) of a node, as they are drawn as
 * one table; false where they aren't, or are too small to be marked. */
static bool table_box(const Scene *scene, size_t node, const OperationOptions *o,
                      Box *box) {
    Point least = {INFINITY, INFINITY}, most = {-INFINITY, -INFINITY};
    size_t found = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        Link at = item->link;
        if (item->kind != SCENE_RECTANGLE || item->fill.a != 255 ||
            at.kind != LINK_CELL || at.index != node || at.row < o->row_begin ||
            at.row >= o->row_end || at.col < o->col_begin || at.col >= o->col_end ||
            item->box.w < LARGE_CELL)
            continue;
        least = (Point){fmin(least.x, item->box.x), fmin(least.y, item->box.y)};
        most = (Point){fmax(most.x, item->box.x + item->box.w),
                       fmax(most.y, item->box.y + item->box.h)};
        found++;
    }
    *box = (Box){least.x, least.y, most.x - least.x, most.y - least.y};
    return found == (o->row_end - o->row_begin) * (o->col_end - o->col_begin);
}

/* An outline around it, or a bar over its columns. */
static bool is_marked(const Scene *scene, Box box) {
    const double NEAR = 8, BAR = 12;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_RECTANGLE || fabs(item->box.x - box.x) >= NEAR ||
            fabs(item->box.x + item->box.w - box.x - box.w) >= NEAR)
            continue;
        bool outline = item->stroke.a && item->width > 0 && !item->fill.a &&
                       fabs(item->box.y - box.y) < NEAR &&
                       fabs(item->box.y + item->box.h - box.y - box.h) < NEAR;
        bool bar = item->fill.a && item->box.h < NEAR && item->box.y < box.y &&
                   item->box.y > box.y - BAR;
        if (outline || bar)
            return true;
    }
    return false;
}

/* Where a slice stands beside what it is cut from, one sees from where. */
static void check_slices_are_marked(Look *look) {
    const Tape *tape = look->page->player->lesson->tape;
    for (size_t node = 0; node < tape_count(tape); node++) {
        const TapeNode *at = tape_node(tape, node);
        if (at->operation != OPERATION_SLICE)
            continue;
        const OperationOptions all = {.row_end = at->output.rows,
                                      .col_end = at->output.cols};
        Box from, to;
        if (table_box(look->scene, node, &all, &to) &&
            table_box(look->scene, at->inputs[0], &at->options, &from) &&
            !is_marked(look->scene, from))
            fail_page(look, "slice unmarked", at->name, (double)node);
    }
}

static void test_a_slice_is_marked_in_what_it_is_cut_from(void **state) {
    look_at_course(*state, check_slices_are_marked);
}

/* ---- names ---- */

typedef struct Caption {
    size_t node; /* whose it is */
    char name[120];
} Caption;

/* Returns true if a text is a table's shape, "3 × 4", with nothing but its scale behind
 * it. */
static bool is_shape(const char *text) {
    size_t rows = strspn(text, "0123456789");
    if (!rows || strncmp(text + rows, " × ", strlen(" × ")) != 0)
        return false;
    const char *cols = text + rows + strlen(" × ");
    size_t end = strspn(cols, "0123456789");
    return end && (!cols[end] || strncmp(cols + end, "  ", 2) == 0);
}

/* The words of a shape's caption, in the order in which they were drawn, and its strokes,
 * a root's say. */
static void read_name(const Scene *scene, const SceneItem *shape, char name[120]) {
    name[0] = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        bool text = item->kind == SCENE_TEXT;
        if (item != shape && item->caption == shape->caption)
            snprintf(name + strlen(name), 120 - strlen(name), "%s",
                     text ? item->text : "/");
    }
}

/* Of one table two may be made that have its name: what is asked, and what is found. */
static bool same_numbers(const Look *look, size_t a, size_t b) {
    const Tape *tape = look->page->player->lesson->tape;
    const Tensor *one = &tape_node(tape, a)->output, *other = &tape_node(tape, b)->output;
    return a == b || (one->rows == other->rows && one->cols == other->cols &&
                      memcmp(one->values, other->values,
                             tensor_cells(one) * sizeof *one->values) == 0);
}

static void check_captions_differ(Look *look) {
    enum { CAPTIONS_MAX = 40 };
    static Caption captions[CAPTIONS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < look->scene->count && count < CAPTIONS_MAX; i++) {
        const SceneItem *item = &look->scene->items[i];
        if (item->kind != SCENE_TEXT || item->link.kind != LINK_NONE ||
            !is_shape(item->text))
            continue;
        if (!item->caption) {
            fail_page(look, "shape of nothing", item->text, 0);
            continue;
        }
        Caption *caption = &captions[count++];
        caption->node = item->named;
        read_name(look->scene, item, caption->name);
        for (size_t j = 0; caption->name[0] && j + 1 < count; j++) {
            if (strcmp(captions[j].name, caption->name) == 0 &&
                !same_numbers(look, captions[j].node, caption->node))
                fail_page(look, "captions alike", caption->name, (double)j);
        }
    }
}

static void test_no_two_captions_of_a_picture_are_alike(void **state) {
    look_at_course(*state, check_captions_differ);
}

/* ---- what is explained ---- */

/* The cell that a step of the course explains unasked. */
static void focus_of(const CourseFiles *files, const char *lesson, const char *path,
                     size_t *row, size_t *col) {
    for (size_t i = 0; i < files->count; i++) {
        Player player;
        if (strcmp(files->lessons[i]->id, lesson) != 0)
            continue;
        assert_true(player_init(&player, files->lessons[i]));
        while (strcmp(player_step(&player)->path, path) != 0)
            assert_true(player_move(&player, PLAYER_RIGHT));
        Page page = {.player = &player, .language = files->languages.items[0]};
        size_t node;
        assert_true(page_focus(&page, &node, row, col));
        return;
    }
    fail_msg("there is no lesson %s", lesson);
}

static void test_the_focus_is_where_the_words_point(void **state) {
    size_t row, col;
    focus_of(*state, "04-embedding", "1", &row, &col); /* “play” and “you” are quoted */
    assert_int_equal(col, 3);
    focus_of(*state, "33-alignment", "6", &row, &col); /* of these what crosses most */
    assert_int_equal(row, 1);
    focus_of(*state, "27-one-word-at-a-time", "6", &row, &col); /* in both tables */
    assert_int_equal(row, 1);
    focus_of(*state, "27-one-word-at-a-time", "8", &row, &col); /* the next word's row */
    assert_int_equal(row, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_words_can_be_read),
        cmocka_unit_test(test_numbers_side_by_side_stand_apart),
        cmocka_unit_test(test_a_coloured_cell_never_reads_as_zero),
        cmocka_unit_test(test_no_picture_wears_the_accent),
        cmocka_unit_test(test_given_shares_have_the_colours_of_shares),
        cmocka_unit_test(test_no_legend_runs_from_zero_to_zero),
        cmocka_unit_test(test_legends_have_the_colours_of_their_cells),
        cmocka_unit_test(test_tables_of_different_scales_have_legends),
        cmocka_unit_test(test_a_slice_is_marked_in_what_it_is_cut_from),
        cmocka_unit_test(test_no_two_captions_of_a_picture_are_alike),
        cmocka_unit_test(test_the_focus_is_where_the_words_point),
    };
    return cmocka_run_group_tests(tests, course_set_up_lessons, course_tear_down);
}

#include "close.h"
#include "contains.h"
#include "fixed_metrics.h"
#include "formula_check.h"
#include "golden.h"
#include "picture/formula/formula.h"
#include "picture/scene/label.h"
#include "scene_dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const Color INK = {16, 16, 16, 255}, BAD = {255, 0, 0, 255};

typedef struct Page {
    Arena *arena;
    Scene scene;
    TextMetrics metrics;
    Theme theme;
} Page;

static Theme make_theme(void) {
    return (Theme){.ink = INK,
                   .bad_ink = BAD,
                   .query = {0, 0, 255, 255},
                   .key = {255, 128, 0, 255},
                   .value = {0, 128, 0, 255}};
}

static int make_page(void **state) {
    static Page page;
    page.arena = arena_create(64 << 20);
    page.metrics = fixed_metrics();
    page.theme = make_theme();
    scene_init(&page.scene, page.arena, 1000, 1000, (Color){255, 255, 255, 255});
    *state = &page;
    return 0;
}

static int drop_page(void **state) {
    arena_destroy(((Page *)*state)->arena);
    return 0;
}

static FormulaExtent draw(Page *page, const char *source, double size) {
    page->scene.count = 0;
    return formula_draw(&page->scene, &page->metrics, &page->theme, source, size,
                        (Point){100, 500});
}

/* The only item of the drawn formula that shows `text`. */
static const SceneItem *item_of(const Page *page, const char *text) {
    const SceneItem *found = NULL;
    for (size_t i = 0; i < page->scene.count; i++) {
        const SceneItem *item = &page->scene.items[i];
        if (item->kind == SCENE_TEXT && strcmp(item->text, text) == 0) {
            assert_null(found);
            found = item;
        }
    }
    if (!found)
        fail_msg("'%s' is not drawn", text);
    return found;
}

static const SceneItem *item_of_kind(const Page *page, SceneKind kind, size_t index) {
    for (size_t i = 0; i < page->scene.count; i++) {
        if (page->scene.items[i].kind == kind && index-- == 0)
            return &page->scene.items[i];
    }
    fail_msg("there is no such item");
    return NULL;
}

static double right_of(const SceneItem *item) {
    return item->box.x + item->box.w;
}

/* Formulas of the course and of its documents. */
static const char *const formulas[] = {
    "\\tensor{S} = \\tensor{Q} \\tensor{K.T}",
    "\\op{softmax}\\left(\\frac{\\tensor{Q}\\tensor{K.T}}{\\sqrt{d_k}} + M\\right)"
    "\\tensor{V}",
    "\\op{LayerNorm}(x) = \\frac{x-\\mu}{\\sqrt{\\sigma^2+\\epsilon}} \\odot \\gamma + "
    "\\beta",
    "\\op{PE}(pos, 2i) = \\sin(pos/10000^{2i/d})",
    "\\sum_{j=1}^{n} A_{ij} V_j",
    "\\op{softmax}(x)_i = \\frac{e^{x_i}}{\\sum_{j=1}^n e^{x_j}}",
    "\\max_j x_j \\ge 0, \\quad -1 < a \\times b \\ne -c",
    "\\text{注意力} = \\op{softmax}(\\text{得分}) \\cdot \\tensor{V}",
    "\\tensor{W_Q}, \\tensor{head_1.scores}, \\tensor{W_Q_2}, \\tensor{A'}, "
    "\\tensor{gamma}, \\tensor{d_model}, \\tensor{scores}\\tensor{V}",
    "\\left(\\frac{a}{b}\\right)^2 + \\left(x\\right)",
    "f'(x) + x'^2_i + x^{a^b} \\to \\{0, 1\\} 5\\% \\ldots",
    "\\sqrt{x} + \\sqrt{\\frac{1}{n} \\sum_i (x_i - \\mu)^2}",
    "h \\in [0, \\infty), \\Sigma, a*b, \\theta_{\\text{词}}",
};

/* ---- looks ---- */

static void test_formulas_look_as_they_did_when_they_were_found_good(void **state) {
    Page *page = *state;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    for (size_t i = 0; i < COUNT(formulas); i++) {
        FormulaExtent extent = draw(page, formulas[i], 24);
        fprintf(stream, "%s\nextent %.1f %.1f %.1f\n", formulas[i], extent.width,
                extent.ascent, extent.descent);
        scene_dump(&page->scene, stream);
        fputc('\n', stream);
    }
    fclose(stream);
    assert_golden("formula.txt", text);
    free(text);
}

static void test_formulas_of_the_course_are_understood(void **state) {
    for (size_t i = 0; i < COUNT(formulas); i++) {
        if (!formula_check(formulas[i]))
            fail_msg("%s", formulas[i]);
    }
    assert_true(formula_check("") && formula_check("  "));
    assert_true(formula_check("{} x_{} \\text{}"));
}

static void test_drawing_takes_the_room_that_measuring_told(void **state) {
    Page *page = *state;
    for (size_t i = 0; i < COUNT(formulas); i++) {
        FormulaExtent drawn = draw(page, formulas[i], 23);
        FormulaExtent measured =
            formula_measure(page->arena, &page->metrics, &page->theme, formulas[i], 23);
        assert_close(&drawn.width, &measured.width, 1, 0);
        assert_close(&drawn.ascent, &measured.ascent, 1, 0);
        assert_close(&drawn.descent, &measured.descent, 1, 0);
    }
}

static void test_all_that_is_drawn_lies_within_the_extent(void **state) {
    Page *page = *state;
    const double slack = 0.51; /* bars are put on whole points */
    for (size_t i = 0; i < COUNT(formulas); i++) {
        for (double size = 10; size <= 48; size += 19) {
            FormulaExtent extent = draw(page, formulas[i], size);
            for (size_t j = 0; j < page->scene.count; j++) {
                Box box = page->scene.items[j].box;
                if (!(box.x >= 100 - slack &&
                      box.x + box.w <= 100 + extent.width + slack &&
                      box.y >= 500 - extent.ascent - slack &&
                      box.y + box.h <= 500 + extent.descent + slack))
                    fail_msg("%s: item %zu lies outside", formulas[i], j);
            }
        }
    }
}

static bool overlap(Box a, Box b) {
    const double touch = 0.01;
    return a.x + a.w > b.x + touch && b.x + b.w > a.x + touch &&
           a.y + a.h > b.y + touch && b.y + b.h > a.y + touch;
}

/* A prime hangs high in a box that reaches down to the baseline. */
static bool is_prime(const SceneItem *item) {
    return item->kind == SCENE_TEXT && strncmp(item->text, "′", strlen("′")) == 0;
}

static void test_no_text_lies_on_another_or_on_a_bar(void **state) {
    Page *page = *state;
    for (size_t i = 0; i < COUNT(formulas); i++) {
        for (double size = 12; size <= 48; size += 18) {
            draw(page, formulas[i], size);
            for (size_t a = 0; a < page->scene.count; a++) {
                for (size_t b = a + 1; b < page->scene.count; b++) {
                    const SceneItem *one = &page->scene.items[a];
                    const SceneItem *two = &page->scene.items[b];
                    if (is_prime(one) || is_prime(two))
                        continue;
                    if (one->kind == SCENE_POLYGON || two->kind == SCENE_POLYGON ||
                        (one->kind != SCENE_TEXT && two->kind != SCENE_TEXT))
                        continue;
                    if (overlap(one->box, two->box))
                        fail_msg("%s at %g: items %zu and %zu overlap", formulas[i], size,
                                 a, b);
                }
            }
        }
    }
}

static void test_sizes_are_whole_and_can_be_read(void **state) {
    Page *page = *state;
    for (size_t i = 0; i < COUNT(formulas); i++) {
        for (double size = 6.4; size <= 40; size += 7.3) {
            draw(page, formulas[i], size);
            for (size_t j = 0; j < page->scene.count; j++) {
                const SceneItem *item = &page->scene.items[j];
                if (item->kind != SCENE_TEXT)
                    continue;
                assert_true(item->size == floor(item->size));
                assert_true(item->size >= label_min_size(item->text) - 3); /* scripts */
            }
        }
    }
}

/* ---- parts ---- */

static void test_letters_are_italic_and_digits_and_functions_upright(void **state) {
    Page *page = *state;
    draw(page, "ah + 20 \\exp \\op{Ah}", 20);
    assert_int_equal(item_of(page, "𝑎ℎ")->font, FONT_MATH);
    item_of(page, "20");
    item_of(page, "exp");
    item_of(page, "Ah");
    draw(page, "Zz \\alpha \\omega \\Sigma", 20);
    item_of(page, "𝑍𝑧");
    item_of(page, "𝛼");
    item_of(page, "𝜔");
    item_of(page, "Σ");
}

static bool provides_no_italics(void *context, FontRole font, uint32_t code_point) {
    (void)context, (void)font;
    return code_point < 0x10000;
}

static void test_letters_stay_upright_where_the_font_has_no_italics(void **state) {
    Page *page = *state;
    page->metrics.provides = provides_no_italics;
    draw(page, "ax", 20);
    item_of(page, "ax");
}

static void test_a_hyphen_becomes_a_minus_sign(void **state) {
    Page *page = *state;
    draw(page, "a-b", 20);
    item_of(page, "−");
}

static double gap_between(Page *page, const char *source, const char *left,
                          const char *right) {
    draw(page, source, 36);
    return item_of(page, right)->box.x - right_of(item_of(page, left));
}

static void test_signs_have_the_space_of_their_kind(void **state) {
    Page *page = *state;
    /* At size 36 a unit of TeX's mathematical space is 2 points. */
    double gaps[] = {
        gap_between(page, "a+b", "𝑎", "+"),
        gap_between(page, "a=b", "𝑎", "="),
        gap_between(page, "-b", "−", "𝑏"),
        gap_between(page, "a=-b", "−", "𝑏"),
        gap_between(page, "(-b)", "−", "𝑏"),
        gap_between(page, "a,b", ",", "𝑏"),
        gap_between(page, "\\exp x", "exp", "𝑥"),
        gap_between(page, "\\exp(x)", "exp", "("),
        gap_between(page, "2 x", "2", "𝑥"),
        gap_between(page, "a \\quad b", "𝑎", "𝑏"),
    };
    assert_close(gaps, ((double[]){8, 10, 0, 0, 0, 6, 6, 0, 0, 36}), COUNT(gaps), 1e-9);
    double tight = gap_between(page, "x^{a+b}", "𝑎", "+");
    assert_close(&tight, (double[]){0}, 1, 1e-9);
}

static void test_scripts_are_smaller_and_above_and_below_the_baseline(void **state) {
    Page *page = *state;
    draw(page, "x^2_i", 30);
    const SceneItem *base = item_of(page, "𝑥"), *above = item_of(page, "2"),
                    *below = item_of(page, "𝑖");
    assert_close(((double[]){base->size, above->size, below->size}),
                 ((double[]){30, 21, 21}), 3, 0);
    assert_true(above->origin.y < base->origin.y && below->origin.y > base->origin.y);
    assert_true(above->box.y + above->box.h <= below->box.y);
    assert_true(above->box.x >= right_of(base) && below->box.x >= right_of(base));
    draw(page, "x_i^2", 30);
    assert_close(&item_of(page, "2")->origin.y, &above->origin.y, 1, 0);
}

static void test_scripts_of_scripts_are_smaller_still(void **state) {
    Page *page = *state;
    draw(page, "x^{a^{b^c}}", 40);
    assert_close(((double[]){item_of(page, "𝑥")->size, item_of(page, "𝑎")->size,
                             item_of(page, "𝑏")->size, item_of(page, "𝑐")->size}),
                 ((double[]){40, 28, 20, 20}), 4, 0);
}

static void test_a_script_belongs_to_the_last_letter_alone(void **state) {
    Page *page = *state;
    draw(page, "ab_i cd^23", 20);
    item_of(page, "𝑎");
    item_of(page, "𝑏");
    assert_close(&item_of(page, "2")->size, (double[]){14}, 1, 0);
    assert_close(&item_of(page, "3")->size, (double[]){20}, 1, 0);
}

static void test_a_fraction_bar_is_wider_than_both_parts_and_between_them(void **state) {
    Page *page = *state;
    static const char *const sources[] = {"\\frac{aaa}{b}", "\\frac{a}{bbb}",
                                          "\\frac{aaa}{bbb}"};
    for (size_t i = 0; i < COUNT(sources); i++) {
        draw(page, sources[i], 24);
        const SceneItem *above = item_of_kind(page, SCENE_TEXT, 0);
        const SceneItem *below = item_of_kind(page, SCENE_TEXT, 1);
        const SceneItem *bar = item_of_kind(page, SCENE_RECTANGLE, 0);
        assert_true(bar->box.x < above->box.x && right_of(bar) > right_of(above));
        assert_true(bar->box.x < below->box.x && right_of(bar) > right_of(below));
        assert_true(above->box.y + above->box.h < bar->box.y);
        assert_true(bar->box.y + bar->box.h < below->box.y);
        double middles[] = {above->box.x + above->box.w / 2,
                            below->box.x + below->box.w / 2};
        double middle = bar->box.x + bar->box.w / 2;
        assert_close(middles, ((double[]){middle, middle}), 2, 1e-9);
        /* The bar lies on the axis, a quarter em above the baseline. */
        assert_close(&bar->box.y, (double[]){500 - 6}, 1, 1.1);
    }
}

static void test_a_fraction_in_a_fraction_is_smaller(void **state) {
    Page *page = *state;
    draw(page, "\\frac{\\frac{a}{b}}{c}", 30);
    assert_close(((double[]){item_of(page, "𝑐")->size, item_of(page, "𝑎")->size}),
                 ((double[]){30, 21}), 2, 0);
}

static void test_a_radical_covers_what_is_under_it(void **state) {
    Page *page = *state;
    static const char *const sources[] = {"\\sqrt{x}", "\\sqrt{\\frac{a}{b}}",
                                          "\\sqrt{x^2+1}"};
    for (size_t i = 0; i < COUNT(sources); i++) {
        draw(page, sources[i], 24);
        const SceneItem *sign = item_of_kind(page, SCENE_POLYGON, 0);
        size_t bars = 0;
        for (size_t j = 0; j < page->scene.count; j++)
            bars += page->scene.items[j].kind == SCENE_RECTANGLE;
        const SceneItem *bar = item_of_kind(page, SCENE_RECTANGLE, bars - 1);
        for (size_t j = 0; j < page->scene.count; j++) {
            const SceneItem *item = &page->scene.items[j];
            if (item->kind != SCENE_TEXT)
                continue;
            assert_true(item->box.y > bar->box.y + bar->box.h);
            assert_true(item->box.x >= bar->box.x - 1e-9);
            assert_true(right_of(item) <= right_of(bar) + 1e-9);
            assert_true(item->box.y + item->box.h <= sign->box.y + sign->box.h + 1e-9);
        }
        assert_close(&sign->box.y, &bar->box.y, 1, 1e-9);
        assert_true(right_of(sign) >= bar->box.x && sign->box.x >= 100 - 1e-9);
    }
}

static void test_tall_parentheses_enclose_and_short_ones_are_letters(void **state) {
    Page *page = *state;
    draw(page, "\\left(x\\right)", 24);
    item_of(page, "(");
    item_of(page, ")");
    draw(page, "\\left(\\frac{a}{b}\\right)", 24);
    const SceneItem *opening = item_of_kind(page, SCENE_POLYGON, 0);
    const SceneItem *closing = item_of_kind(page, SCENE_POLYGON, 1);
    const SceneItem *a = item_of(page, "𝑎"), *b = item_of(page, "𝑏");
    assert_true(right_of(opening) <= a->box.x && closing->box.x >= right_of(a));
    assert_true(opening->box.y <= a->box.y);
    assert_true(opening->box.y + opening->box.h >= b->box.y + b->box.h);
    /* They mirror each other. */
    assert_close(((double[]){closing->box.y, closing->box.w, closing->box.h}),
                 ((double[]){opening->box.y, opening->box.w, opening->box.h}), 3, 1e-9);
    double middle = (opening->box.x + right_of(closing)) / 2;
    for (size_t i = 0; i < opening->count; i++)
        assert_close(&closing->points[i].x, (double[]){2 * middle - opening->points[i].x},
                     1, 1e-9);
}

static void test_sums_have_limits_above_and_below_only_where_there_is_room(void **state) {
    Page *page = *state;
    draw(page, "\\sum_j^n a", 20);
    const SceneItem *sign = item_of(page, "∑"), *below = item_of(page, "𝑗"),
                    *above = item_of(page, "𝑛");
    assert_true(sign->size > 20);
    assert_true(above->box.y + above->box.h <= sign->box.y);
    assert_true(below->box.y >= sign->box.y + sign->box.h);
    draw(page, "\\frac{\\sum_j a}{n}", 20);
    sign = item_of(page, "∑");
    assert_close(&sign->size, (double[]){20}, 1, 0);
    assert_true(item_of(page, "𝑗")->box.x >= right_of(sign));
}

static void test_tensors_are_named_and_coloured_by_their_roles(void **state) {
    Page *page = *state;
    draw(page, "\\tensor{W_Q} \\tensor{K.T} \\tensor{head_2.scores} \\tensor{x}", 20);
    const SceneItem *q = item_of(page, "𝑄"), *k = item_of(page, "𝐾"),
                    *t = item_of(page, "T"), *two = item_of(page, "2"),
                    *scores = item_of(page, "𝑠𝑐𝑜𝑟𝑒𝑠");
    assert_memory_equal(&q->fill, &page->theme.query, sizeof(Color));
    assert_memory_equal(&item_of(page, "𝑊")->fill, &page->theme.query, sizeof(Color));
    assert_memory_equal(&k->fill, &page->theme.key, sizeof(Color));
    assert_memory_equal(&t->fill, &page->theme.key, sizeof(Color));
    assert_memory_equal(&scores->fill, &INK, sizeof(Color));
    assert_true(t->origin.y < 500 && t->size == 14);
    assert_true(two->origin.y > 500 && two->size == 14);
    assert_true(q->origin.y > 500 && q->size == 14);
    draw(page, "\\tensor{W_Q_12} + \\tensor{beta} + \\tensor{d_model} + \\tensor{b1''}",
         20);
    item_of(page, "12");
    item_of(page, ",");
    item_of(page, "𝛽");
    item_of(page, "model"); /* a word as a subscript stands upright */
    item_of(page, "1");
    item_of(page, "′′");
    draw(page, "\\tensor{encoder.0.self_attention.head.3.attention}", 20);
    item_of(page, "4"); /* a model's path counts from 0, pages from 1 */
    item_of(page, "𝑎𝑡𝑡𝑒𝑛𝑡𝑖𝑜𝑛");
    draw(page, "\\tensor{head_3.scores}", 20);
    item_of(page, "3"); /* a lesson's own names count from 1, like pages */
}

static void test_names_of_several_letters_keep_apart(void **state) {
    Page *page = *state;
    double letters = gap_between(page, "\\tensor{Q} \\tensor{V}", "𝑄", "𝑉");
    double words = gap_between(page, "\\tensor{out} \\tensor{V}", "𝑜𝑢𝑡", "𝑉");
    assert_true(words > letters + 5);
    double sentence = gap_between(page, "{\\text{norm 3}} {\\tensor{W}}", "norm 3", "𝑊");
    assert_true(sentence > letters + 5);
    sentence = gap_between(page, "\\text{norm}_{3} \\tensor{W}", "3", "𝑊");
    assert_true(sentence > letters + 3);
}

static void test_words_stand_in_the_sentence_font(void **state) {
    Page *page = *state;
    draw(page, "\\text{if  x\\_1 是 \\{5\\%\\}}", 20);
    assert_int_equal(item_of(page, "if  x_1 是 {5%}")->font, FONT_TEXT);
}

/* ---- mistakes ---- */

/* Invalid formulas, and the part of each that is drawn in the theme's colour for
 * errors. */
static const char *const mistakes[][2] = {
    {"a + \\foo", "\\foo"},
    {"\\fraction{a}{b}", "\\fraction"},
    {"x \\frac{a} + b", "\\frac"},
    {"\\sqrt2", "\\sqrt"},
    {"\\text{a{b}", "\\text"},
    {"\\op x", "\\op"},
    {"\\tensor{}", "\\tensor{}"},
    {"\\tensor{_.}", "\\tensor{_.}"},
    {"{a", "{"},
    {"a}", "}"},
    {"查 + 1", "查"},
    {"a & b", "&"},
    {"\\left( a", "\\left"},
    {"{\\left( a}", "\\left"},
    {"\\left( a \\right", "\\left"},
    {"\\left a", "\\left "},
    {"a \\right)", "\\right"},
    {"^2", "^"},
    {"x^", "^"},
    {"{x_}", "_"},
    {"x^a^b", "^"},
    {"\\", "\\"},
    {"a \xFF", "?"},
};

static bool is_shown_as_bad(const Page *page, const char *text) {
    for (size_t i = 0; i < page->scene.count; i++) {
        const SceneItem *item = &page->scene.items[i];
        if (item->kind == SCENE_TEXT && strcmp(item->text, text) == 0 &&
            memcmp(&item->fill, &BAD, sizeof(Color)) == 0)
            return true;
    }
    return false;
}

static void test_a_mistake_is_shown_as_it_stands(void **state) {
    Page *page = *state;
    for (size_t i = 0; i < COUNT(mistakes); i++) {
        assert_false(formula_check(mistakes[i][0]));
        draw(page, mistakes[i][0], 20);
        if (!is_shown_as_bad(page, mistakes[i][1]))
            fail_msg("'%s' is not shown", mistakes[i][0]);
    }
}

static void test_what_is_understood_is_drawn_beside_a_mistake(void **state) {
    Page *page = *state;
    draw(page, "a + \\foo = \\frac{b}", 20);
    assert_memory_equal(&item_of(page, "𝑎")->fill, &INK, sizeof(Color));
    assert_memory_equal(&item_of(page, "=")->fill, &INK, sizeof(Color));
    assert_memory_equal(&item_of(page, "𝑏")->fill, &INK, sizeof(Color));
}

static char *repeated(Arena *arena, const char *begin, const char *middle,
                      const char *end, size_t count) {
    size_t begins = strlen(begin), ends = strlen(end), length = 0;
    char *text = arena_alloc(arena, count * (begins + ends) + strlen(middle) + 1, 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++, length += begins)
        memcpy(text + length, begin, begins);
    memcpy(text + length, middle, strlen(middle));
    length += strlen(middle);
    for (size_t i = 0; i < count; i++, length += ends)
        memcpy(text + length, end, ends);
    return text;
}

static void test_nesting_has_a_limit(void **state) {
    Page *page = *state;
    static const char *const nests[][2] = {{"{", "}"},
                                           {"\\sqrt{", "}"},
                                           {"\\frac{1}{", "}"},
                                           {"x^{", "}"},
                                           {"\\left(", "\\right)"}};
    for (size_t i = 0; i < COUNT(nests); i++) {
        assert_true(
            formula_check(repeated(page->arena, nests[i][0], "x", nests[i][1], 64)));
        const char *deep = repeated(page->arena, nests[i][0], "x", nests[i][1], 65);
        assert_false(formula_check(deep));
        draw(page, deep, 20);
        assert_true(scene_complete(&page->scene));
    }
}

static void test_nested_mistakes_take_no_endless_time(void **state) {
    Page *page = *state;
    static const char *const unclosed[] = {"{",       "\\left(", "\\frac{",
                                           "\\sqrt{", "x^",      "\\text{",
                                           "x_{",     "\\op{a",  "\\tensor{"};
    for (size_t i = 0; i < COUNT(unclosed); i++) {
        const char *source = repeated(page->arena, unclosed[i], "x", "", 300);
        assert_false(formula_check(source));
        draw(page, source, 20);
        assert_true(scene_complete(&page->scene));
    }
}

static void
test_a_source_that_is_too_long_is_refused_and_its_beginning_shown(void **state) {
    Page *page = *state;
    const char *source = repeated(page->arena, "词", "x", "", 2000);
    assert_false(formula_check(source));
    draw(page, source, 20);
    assert_int_equal(page->scene.count, 1);
    const SceneItem *item = &page->scene.items[0];
    assert_memory_equal(&item->fill, &BAD, sizeof(Color));
    assert_int_equal(utf8_check(item->text, strlen(item->text)), strlen(item->text));
    assert_contains(item->text, "词…");
}

/* A page with a formula, drawn under its arena's guard. */
typedef struct GuardedFormula {
    Page *page;
    Scene scene;
} GuardedFormula;

static void draw_guarded(void *context) {
    GuardedFormula *this = context;
    const char *source = "\\left(\\frac{\\tensor{W_Q'.T}}{\\sqrt{d_k}} + "
                         "\\foo x' \\text{a}\\right) \\op{f}^2";
    formula_draw(&this->scene, &this->page->metrics, &this->page->theme, source, 20,
                 (Point){0, 0});
}

static void test_shortage_of_memory_ends_the_drawing(void **state) {
    GuardedFormula formula = {.page = *state};
    bool complete = false;
    for (size_t limit = 0; !complete; limit += 32) {
        Arena *arena = arena_create(limit);
        scene_init(&formula.scene, arena, 100, 100, INK);
        complete = arena_guard(arena, draw_guarded, &formula);
        assert_true(scene_complete(&formula.scene) == complete);
        arena_destroy(arena);
    }
}

/* Any chain of the language's pieces, sensible or not, is drawn; what formula_check
 * accepts shows nothing in the colour of mistakes, and what it refuses shows something.
 */
static void test_any_source_is_survived(void **state) {
    Page *page = *state;
    static const char *const pieces[] = {
        "{",       "}",         "\\frac{", "}{",    "\\sqrt{",
        "\\left(", "\\right)",  "&",       "\\\\",  "\\text{词}",
        "\\op{f}", "_",         "^",       "'",     "x",
        "12.5",    "\\tensor{", "W_Q",     ".T",    "\\tensor{head_1.K.T}",
        "-",       "=",         ",",       "\\sum", "\\max",
        "\\quad",  " ",         "\\foo",   "\\",    "@",
        "\xE4",    "\n",        "\\alpha", "\\{",   "(",
        ")",       "\\infty",   "{}"};
    uint64_t random = 12345;
    for (size_t round = 0; round < 4000; round++) {
        char source[1024] = "";
        size_t count = 1 + round % 40;
        for (size_t i = 0; i < count; i++) {
            random =
                random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            strcat(source, pieces[(random >> 33) % COUNT(pieces)]);
        }
        arena_reset(page->arena);
        scene_init(&page->scene, page->arena, 1000, 1000, INK);
        FormulaExtent extent = draw(page, source, 20);
        assert_true(scene_complete(&page->scene));
        assert_true(isfinite(extent.width) && isfinite(extent.ascent) &&
                    isfinite(extent.descent));
        bool shows_mistakes = false;
        for (size_t i = 0; i < page->scene.count; i++)
            shows_mistakes |= memcmp(&page->scene.items[i].fill, &BAD, sizeof BAD) == 0;
        if (formula_check(source) == shows_mistakes)
            fail_msg("'%s' %s", source,
                     shows_mistakes ? "shows a mistake" : "is refused");
    }
}

int main(void) {
#define ON_A_PAGE(name) cmocka_unit_test_setup_teardown(name, make_page, drop_page)
    const struct CMUnitTest tests[] = {
        ON_A_PAGE(test_formulas_look_as_they_did_when_they_were_found_good),
        cmocka_unit_test(test_formulas_of_the_course_are_understood),
        ON_A_PAGE(test_drawing_takes_the_room_that_measuring_told),
        ON_A_PAGE(test_all_that_is_drawn_lies_within_the_extent),
        ON_A_PAGE(test_no_text_lies_on_another_or_on_a_bar),
        ON_A_PAGE(test_sizes_are_whole_and_can_be_read),
        ON_A_PAGE(test_letters_are_italic_and_digits_and_functions_upright),
        ON_A_PAGE(test_letters_stay_upright_where_the_font_has_no_italics),
        ON_A_PAGE(test_a_hyphen_becomes_a_minus_sign),
        ON_A_PAGE(test_signs_have_the_space_of_their_kind),
        ON_A_PAGE(test_scripts_are_smaller_and_above_and_below_the_baseline),
        ON_A_PAGE(test_scripts_of_scripts_are_smaller_still),
        ON_A_PAGE(test_a_script_belongs_to_the_last_letter_alone),
        ON_A_PAGE(test_a_fraction_bar_is_wider_than_both_parts_and_between_them),
        ON_A_PAGE(test_a_fraction_in_a_fraction_is_smaller),
        ON_A_PAGE(test_a_radical_covers_what_is_under_it),
        ON_A_PAGE(test_tall_parentheses_enclose_and_short_ones_are_letters),
        ON_A_PAGE(test_sums_have_limits_above_and_below_only_where_there_is_room),
        ON_A_PAGE(test_tensors_are_named_and_coloured_by_their_roles),
        ON_A_PAGE(test_names_of_several_letters_keep_apart),
        ON_A_PAGE(test_words_stand_in_the_sentence_font),
        ON_A_PAGE(test_a_mistake_is_shown_as_it_stands),
        ON_A_PAGE(test_what_is_understood_is_drawn_beside_a_mistake),
        ON_A_PAGE(test_nesting_has_a_limit),
        ON_A_PAGE(test_nested_mistakes_take_no_endless_time),
        ON_A_PAGE(test_a_source_that_is_too_long_is_refused_and_its_beginning_shown),
        ON_A_PAGE(test_shortage_of_memory_ends_the_drawing),
        ON_A_PAGE(test_any_source_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

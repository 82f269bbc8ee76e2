#include "base/arena.h"
#include "close.h"
#include "fixed_metrics.h"
#include "picture/scene/label.h"

#include <string.h>

/* With fixed metrics a Latin letter of size 10 is 6 points wide, a Chinese one 10. */

static const Color INK = {0, 0, 0, 255};

typedef struct Page {
    Arena *arena;
    Scene scene;
    TextMetrics metrics;
} Page;

static int make_page(void **state) {
    static Page page;
    page.arena = arena_create(8 << 20);
    page.metrics = fixed_metrics();
    scene_init(&page.scene, page.arena, 200, 100, INK);
    *state = &page;
    return 0;
}

static int drop_page(void **state) {
    arena_destroy(((Page *)*state)->arena);
    return 0;
}

/* Fails unless `text` breaks at size 10 into these lines, separated by '|'. */
static void assert_lines(Page *page, double width, size_t max_lines, const char *text,
                         const char *expected) {
    char actual[4096] = "";
    size_t lines = 0, first = page->scene.count;
    double height = paragraph_draw_with(&page->scene, &page->metrics, NULL, FONT_TEXT, 10,
                                        INK, (Box){0, 0, width, 0}, 16, max_lines, text);
    for (size_t i = first; i < page->scene.count; i++) {
        strcat(actual, i > first ? "|" : "");
        strcat(actual, page->scene.items[i].text);
    }
    assert_string_equal(actual, expected);
    double measured = paragraph_measure(&page->metrics, FONT_TEXT, 10, width, 16,
                                        max_lines, text, &lines);
    assert_close(&height, &measured, 1, 0);
    assert_close(&height, (double[]){16 * (double)lines}, 1, 0);
}

static void test_a_label_stands_left_of_around_or_right_of_its_point(void **state) {
    Page *page = *state;
    const double lefts[] = {100, 88, 76};
    for (size_t i = 0; i < 3; i++) {
        Box box = label_draw(&page->scene, &page->metrics, FONT_TEXT, 10.3, INK,
                             (Point){100, 50}, (LabelAlign)i, "abcd");
        assert_close(((double[]){box.x, box.y, box.w, box.h}),
                     ((double[]){lefts[i], 42, 24, 10.2}), 4, 1e-9);
        const SceneItem *item = &page->scene.items[i];
        assert_close(((double[]){item->origin.x, item->origin.y, item->size}),
                     ((double[]){lefts[i], 50, 10}), 3, 1e-9);
        assert_close(((double[]){item->box.x, item->box.y, item->box.w, item->box.h}),
                     ((double[]){box.x, box.y, box.w, box.h}), 4, 1e-9);
    }
}

/* Words are turned by 90°; a letter and Chinese characters are not, and stand one below
 * the other between where a turned word's end and its beginning would be. */
static void test_in_a_column_letters_and_chinese_characters_stand_upright(void **state) {
    Page *page = *state;
    const char *const labels[] = {"am", "I", "哪里"};
    const size_t items[] = {1, 1, 2};
    for (size_t i = 0; i < 3; i++) {
        size_t first = page->scene.count;
        Box box = label_draw_upright(&page->scene, &page->metrics, FONT_TEXT, 10, INK,
                                     (Point){100, 50}, LABEL_LEFT, labels[i]);
        assert_int_equal(page->scene.count - first, items[i]);
        assert_close((double[]){box.y + box.h}, (double[]){50}, 1, 1e-9);
        double below = 0;
        for (size_t k = first; k < page->scene.count; k++) {
            const SceneItem *item = &page->scene.items[k];
            assert_close(&item->angle, (double[]){i == 0 ? 90 : 0}, 1, 0);
            assert_true(item->origin.y > below && item->origin.y <= 50);
            below = item->origin.y;
            double middle = item->box.x + item->box.w / 2;
            assert_close(&middle, (double[]){100}, 1, 2);
        }
    }
}

static void test_an_empty_label_has_no_width(void **state) {
    Page *page = *state;
    Box box = label_draw(&page->scene, &page->metrics, FONT_TEXT, 10, INK, (Point){1, 2},
                         LABEL_CENTER, "");
    assert_close(&box.w, (double[]){0}, 1, 0);
    assert_int_equal(page->scene.count, 0);
}

static void test_chinese_needs_a_larger_size_to_be_read(void **state) {
    assert_close(
        ((double[]){label_min_size("0.5"), label_min_size("x 分"), label_min_size("")}),
        ((double[]){15, 16, 15}), 3, 0);
}

static void test_a_fit_is_the_largest_size_that_fits(void **state) {
    Page *page = *state;
    for (double width = 60; width <= 130; width++) {
        LabelFit fit = label_fit(page->arena, &page->metrics, FONT_TEXT, 20, 10, width,
                                 "abcdefghij");
        assert_string_equal(fit.text, "abcdefghij");
        assert_true(fit.size >= 10 && fit.size <= 20);
        assert_true(fit.size * 6 <= width);
        assert_true(fit.size == 20 || (fit.size + 1) * 6 > width);
    }
}

static void test_a_text_too_wide_for_the_smallest_size_is_cut(void **state) {
    Page *page = *state;
    LabelFit fit =
        label_fit(page->arena, &page->metrics, FONT_TEXT, 20, 10, 30, "abcdefgh");
    assert_close(&fit.size, (double[]){10}, 1, 0);
    assert_string_equal(fit.text, "abcd…");
    fit = label_fit(page->arena, &page->metrics, FONT_TEXT, 20, 10, 30, "abc defgh");
    assert_string_equal(fit.text, "abc…"); /* no blank before the dots */
    fit = label_fit(page->arena, &page->metrics, FONT_TEXT, 20, 14, 40, "注意力机制");
    assert_string_equal(fit.text, "注意…");
    fit = label_fit(page->arena, &page->metrics, FONT_TEXT, 20, 10, 5, "abcdefgh");
    assert_string_equal(fit.text, "");
    fit = label_fit(page->arena, &page->metrics, FONT_TEXT, 20, 10, 0, "");
    assert_string_equal(fit.text, "");
}

static void test_a_cut_never_parts_a_letter_from_its_accent(void **state) {
    Page *page = *state;
    LabelFit fit = label_fit(page->arena, &page->metrics, FONT_TEXT, 10, 10, 18,
                             "ae\xCC\x81\xCC\x82"
                             "iou");
    assert_string_equal(fit.text, "ae\xCC\x81\xCC\x82…");
}

static void test_lines_break_at_spaces(void **state) {
    Page *page = *state;
    assert_lines(page, 60, 9, "one two three four", "one two|three four");
    assert_lines(page, 59, 9, "one two three four", "one two|three|four");
    assert_lines(page, 60, 9, "one  two   three", "one  two|three");
    assert_lines(page, 600, 9, "one two", "one two");
    assert_lines(page, 60, 9, "", "");
}

static void test_lines_break_at_newlines(void **state) {
    Page *page = *state;
    assert_lines(page, 600, 9, "one\ntwo three\nfour", "one|two three|four");
}

static void test_an_empty_line_takes_its_height(void **state) {
    Page *page = *state;
    size_t lines = 0;
    paragraph_measure(&page->metrics, FONT_TEXT, 10, 600, 16, 9, "one\n\ntwo", &lines);
    assert_int_equal(lines, 3);
    assert_lines(page, 600, 9, "one\n\ntwo", "one|two");
    assert_close(&page->scene.items[1].origin.y,
                 (double[]){page->scene.items[0].origin.y + 32}, 1, 1e-9);
}

static void test_chinese_breaks_between_any_two_characters(void **state) {
    Page *page = *state;
    assert_lines(page, 30, 9, "注意力机制很简单", "注意力|机制很|简单");
    assert_lines(page, 35, 9, "词Q和K比较", "词Q和K|比较");
}

static void test_closing_punctuation_never_begins_a_line(void **state) {
    Page *page = *state;
    assert_lines(page, 30, 9, "注意力、机制。", "注意|力、机|制。");
    assert_lines(page, 30, 9, "注意力……机制", "注意|力……|机制");
    assert_lines(page, 40, 9, "他说“注意”吗？好", "他说“注|意”吗？|好");
    assert_lines(page, 30, 9, "aaa bb , cc", "aaa|bb ,|cc");
    static const char *const closing[] = {"、", "。", "，", "；", "：", "？", "！",
                                          "）", "》", "」", "』", "】", "…",  ",",
                                          ".",  ";",  ":",  "!",  "?",  ")",  "]"};
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++) {
        char text[32];
        size_t first = page->scene.count;
        snprintf(text, sizeof text, "注意力%s机制", closing[i]);
        paragraph_draw_with(&page->scene, &page->metrics, NULL, FONT_TEXT, 10, INK,
                            (Box){0, 0, 30, 0}, 16, 9, text);
        assert_string_equal(page->scene.items[first].text, "注意");
    }
}

static void test_opening_punctuation_never_ends_a_line(void **state) {
    Page *page = *state;
    assert_lines(page, 40, 9, "注意力（模型）", "注意力|（模型）");
    assert_lines(page, 40, 9, "注意力《机器》", "注意力|《机器》");
    assert_lines(page, 36, 9, "aaaa (bbb)", "aaaa|(bbb)");
    assert_lines(page, 36, 9, "aaaa ( bbb )", "aaaa|( bbb|)");
}

static void test_a_word_is_broken_only_when_it_is_wider_than_a_line(void **state) {
    Page *page = *state;
    assert_lines(page, 36, 9, "to encyclopedia at", "to|encycl|opedia|at");
    assert_lines(page, 36, 9, "用encode编码", "用|encode|编码");
    assert_lines(page, 1, 9, "ab", "a|b"); /* narrower than any letter: one each */
}

static void test_what_does_not_fit_ends_in_dots(void **state) {
    Page *page = *state;
    assert_lines(page, 60, 2, "one two three four five", "one two|three…");
    assert_lines(page, 60, 1, "one two three four five", "one two…");
    assert_lines(page, 60, 1, "a encyclopedia",
                 "a encyclo…"); /* most of it is one word */
    assert_lines(page, 60, 2, "one two three four", "one two|three four");
    assert_lines(page, 60, 1, "one\ntwo", "one…");
    assert_lines(page, 30, 2, "注意力机制很简单", "注意力|机制…");
}

static void test_lines_stand_in_the_middle_of_their_leading(void **state) {
    Page *page = *state;
    paragraph_draw_with(&page->scene, &page->metrics, NULL, FONT_TEXT, 10, INK,
                        (Box){7, 100, 60, 0}, 16, 9, "one two three");
    for (size_t i = 0; i < 2; i++) {
        Box box = page->scene.items[i].box;
        double middle = box.y + box.h / 2;
        assert_close(((double[]){box.x, middle}), ((double[]){7, 108 + 16 * (double)i}),
                     2, 1e-9);
    }
}

static void test_no_line_is_wider_than_the_area(void **state) {
    Page *page = *state;
    static const char text[] =
        "Every query (row of Q) is compared with every key; 注意力（attention）把每个词和"
        "其他词相比，得分越高，越“相关”。A larger score means a closer match … 完。";
    for (double width = 60; width < 400; width += 7) {
        size_t first = page->scene.count;
        paragraph_draw_with(&page->scene, &page->metrics, NULL, FONT_TEXT, 10, INK,
                            (Box){0, 0, width, 0}, 16, 99, text);
        size_t shown = 0;
        for (size_t i = first; i < page->scene.count; i++) {
            assert_true(page->scene.items[i].box.w <= width + 1e-9);
            for (const char *c = page->scene.items[i].text; *c; c++)
                shown += *c != ' ';
        }
        size_t expected = 0;
        for (const char *c = text; *c; c++)
            expected += *c != ' ';
        assert_int_equal(shown, expected); /* no letter is lost */
    }
}

static void test_endless_words_take_no_endless_time(void **state) {
    Page *page = *state;
    enum { LENGTH = 1 << 20 };
    char *text = arena_alloc(page->arena, LENGTH + 1, 1);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    size_t lines = 0;
    paragraph_measure(&page->metrics, FONT_TEXT, 10, 600, 16, 20, text, &lines);
    assert_int_equal(lines, 20);
    for (size_t i = 0; i + 2 < LENGTH; i += 3)
        memcpy(text + i, "\xE2\x80\x8B", 3); /* blanks without width */
    paragraph_measure(&page->metrics, FONT_TEXT, 10, 600, 16, 20, text, &lines);
    assert_int_equal(lines, 20);
}

/* A digit is as tall as 0.73 of its size in most fonts: as much of it is above the middle
 * as below. */
static void test_letters_stand_about_the_middle(void **state) {
    (void)state;
    for (double size = 15; size <= 64; size++) {
        double baseline = label_baseline(100, size), top = baseline - 0.73 * size;
        assert_true(baseline == round(baseline));
        assert_close(&(double){(baseline + top) / 2}, &(double){100}, 1, 0.75);
    }
}

int main(void) {
#define ON_A_PAGE(name) cmocka_unit_test_setup_teardown(name, make_page, drop_page)
    const struct CMUnitTest tests[] = {
        ON_A_PAGE(test_a_label_stands_left_of_around_or_right_of_its_point),
        ON_A_PAGE(test_in_a_column_letters_and_chinese_characters_stand_upright),
        ON_A_PAGE(test_an_empty_label_has_no_width),
        cmocka_unit_test(test_letters_stand_about_the_middle),
        cmocka_unit_test(test_chinese_needs_a_larger_size_to_be_read),
        ON_A_PAGE(test_a_fit_is_the_largest_size_that_fits),
        ON_A_PAGE(test_a_text_too_wide_for_the_smallest_size_is_cut),
        ON_A_PAGE(test_a_cut_never_parts_a_letter_from_its_accent),
        ON_A_PAGE(test_lines_break_at_spaces),
        ON_A_PAGE(test_lines_break_at_newlines),
        ON_A_PAGE(test_an_empty_line_takes_its_height),
        ON_A_PAGE(test_chinese_breaks_between_any_two_characters),
        ON_A_PAGE(test_closing_punctuation_never_begins_a_line),
        ON_A_PAGE(test_opening_punctuation_never_ends_a_line),
        ON_A_PAGE(test_a_word_is_broken_only_when_it_is_wider_than_a_line),
        ON_A_PAGE(test_what_does_not_fit_ends_in_dots),
        ON_A_PAGE(test_lines_stand_in_the_middle_of_their_leading),
        ON_A_PAGE(test_no_line_is_wider_than_the_area),
        ON_A_PAGE(test_endless_words_take_no_endless_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

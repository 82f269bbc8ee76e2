/* Names within sentences are set as formulas. */
#include "picture_stand.h"

static bool is_said(const Drawn *drawn, const char *text) {
    const SceneItem *item = scene_find_text(&drawn->scene, text);
    return item && item->font == FONT_TEXT;
}

/* The `index`-th letter that is set in the formula font, which has letters of its own
 * for variables; or NULL. */
static const SceneItem *formula_letter(const Drawn *drawn, size_t index) {
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT && item->font == FONT_MATH && index-- == 0)
            return item;
    }
    return NULL;
}

static void test_names_in_sentences_are_set_as_formulas(void **state) {
    Drawn *drawn = *state;
    drawn->lesson = lesson_good("title: t\ngiven: {K: [[1]], S_scaled: [[1]]}\n"
                                "steps:\n  - show: K\n");
    say(drawn, "divide by d_k", 900);
    assert_true(is_said(drawn, "divide by "));
    const SceneItem *base = formula_letter(drawn, 0), *low = formula_letter(drawn, 1);
    assert_non_null(base);
    assert_non_null(low);
    assert_true(low->size < base->size && low->origin.y > base->origin.y);
    assert_true(base->origin.x > scene_find_text(&drawn->scene, "divide by ")->box.w - 1);
    say(drawn, "再除以√d_k。", 900);
    assert_true(is_said(drawn, "再除以") && is_said(drawn, "。"));
    assert_non_null(formula_letter(drawn, 1));
    say(drawn, "so S_scaled is K.T over 2^i", 900);
    assert_true(is_said(drawn, "so ") && is_said(drawn, " is ") &&
                is_said(drawn, " over "));
    finish(drawn);
}

static void test_other_words_stay_words(void **state) {
    Drawn *drawn = *state;
    drawn->lesson = lesson_good("title: t\ngiven: {K: [[1]]}\nsteps:\n  - show: K\n");
    const char *const sentences[] = {"snake_case and file_name.Txt", "K, V and A",
                                     "e.T.A. says _ or x_", "2 ^ 3"};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        say(drawn, sentences[i], 900);
        assert_int_equal(drawn->scene.count, 1);
        assert_true(is_said(drawn, sentences[i]));
    }
    finish(drawn);
}

/* Lines with names in them keep within their width, and a name is never broken. */
static void test_lines_with_names_keep_within_their_width(void **state) {
    Drawn *drawn = *state;
    drawn->lesson = lesson_good("title: t\ngiven: {W_Q: [[1]]}\nsteps:\n  - show: W_Q\n");
    for (double width = 120; width < 600; width += 7) {
        say(drawn, "A word asks with W_Q, answers with W_Q, divides by √d_k and W_Q.T",
            width);
        size_t names = 0;
        for (size_t i = 0; i < drawn->scene.count; i++) {
            const SceneItem *item = &drawn->scene.items[i];
            assert_true(item->box.x + item->box.w <= width + 0.5);
            names += item->kind == SCENE_TEXT && item->font == FONT_MATH;
        }
        assert_true(names >= 8); /* W Q, W Q, d k, W Q */
    }
    finish(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_in_sentences_are_set_as_formulas),
        cmocka_unit_test(test_other_words_stay_words),
        cmocka_unit_test(test_lines_with_names_keep_within_their_width),
    };
    return cmocka_run_group_tests(tests, drawn_set_up, drawn_tear_down);
}

/* Views of texts: words looked up in their vocabulary, merges that close over words, what
 * is read beside what is said. */
#include "drawn_lesson.h"
#include "scene_find.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const Box AREA = {40, 30, 1270, 540}; /* the stage of a page of 1600 × 900 */

static void draw_in(Drawn *drawn, size_t step, Box area) {
    drawn_draw(drawn, step, area);
    assert_true(drawn->stage.view > LESSON_VIEW_PICTURE);
    for (size_t i = 0; i < drawn->scene.count; i++) {
        Box box = drawn->scene.items[i].box;
        if (drawn->scene.items[i].kind != SCENE_TEXT)
            continue; /* the rest may be cut */
        assert_true(box.x >= area.x - 6 && box.x + box.w <= area.x + area.w + 6);
        assert_true(box.y >= area.y - 6 && box.y + box.h <= area.y + area.h + 6);
    }
}

/* A text that is linked to a cell; NULL where there is none. */
static const SceneItem *text_at(const Drawn *drawn, size_t node, size_t col,
                                const char *text) {
    Link link = {LINK_CELL, node, 0, col};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_TEXT && link_equal(item->link, link) &&
            strcmp(item->text, text) == 0)
            return item;
    }
    return NULL;
}

static double middle_of(const SceneItem *item) {
    return item->box.x + item->box.w / 2;
}

/* ---- merges ---- */

static const char PAPER[] =
    "title: t\n"
    "vocabularies:\n"
    "  B: {tokenizer: bpe, merges: 10, corpus: [\"low low low low low lower lower newest "
    "newest newest newest newest newest widest widest widest\"]}\n"
    "given:\n"
    "  none: {vocabulary: B, corpus_after: 0}\n"
    "  five: {vocabulary: B, corpus_after: 5}\n"
    "  ten: {vocabulary: B, corpus_after: 10}\n"
    "steps:\n"
    "  - {show: none, as: merges}\n"
    "  - {show: five, as: merges}\n"
    "  - {show: ten, as: merges}\n";

static void test_every_piece_of_the_words_leads_to_its_cell(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, PAPER);
    for (size_t step = 0; step < 3; step++) {
        draw_in(&drawn, step, AREA);
        size_t node = player_step(&drawn.player)->node;
        const Tensor *ids = &tape_node(drawn.lesson->tape, node)->output;
        for (size_t i = 0; i < ids->cols; i++)
            assert_non_null(text_at(&drawn, node, i, ids->col_labels[i]));
    }
    drawn_finish(&drawn);
}

static void test_a_piece_stands_over_the_letters_it_was_joined_from(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, PAPER);
    draw_in(&drawn, 1, AREA); /* low, </w>, low, e, r, … */
    size_t node = player_step(&drawn.player)->node;
    const SceneItem *low = text_at(&drawn, node, 0, "low");
    const SceneItem *l = text_at(&drawn, node, 0, "l"),
                    *w = text_at(&drawn, node, 0, "w");
    assert_non_null(low);
    assert_non_null(l);
    assert_non_null(w);
    assert_true(low->origin.y < l->origin.y && l->origin.y == w->origin.y);
    assert_true(middle_of(l) < middle_of(low) && middle_of(low) < middle_of(w));
    drawn_finish(&drawn);
}

static void test_of_many_words_those_that_fit_are_shown(void **state) {
    char text[16384];
    size_t length = (size_t)snprintf(text, sizeof text,
                                     "title: t\nvocabularies:\n  B: {tokenizer: bpe, "
                                     "merges: 200, corpus: [\"");
    for (int i = 0; i < 300; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "extraordinary%c%c%c ",
                             'a' + i % 26, 'a' + i / 26, 'a' + i % 7);
    snprintf(
        text + length, sizeof text - length,
        "\"]}\ngiven:\n  all: {vocabulary: B, corpus_after: 200}\nsteps:\n  - {show: "
        "all, as: merges}\n");
    Drawn drawn;
    drawn_begin(&drawn, text);
    draw_in(&drawn, 0, AREA);
    draw_in(&drawn, 0, (Box){40, 30, 700, 240});
    drawn_finish(&drawn);
}

/* ---- shift ---- */

static const char SHIFTED[] = "title: t\n"
                              "given: {target: [1, 3, 4, 5, 2]}\n"
                              "labels: {target: {cols: [<sos>, I, love, NLP, <eos>]}}\n"
                              "steps:\n"
                              "  - do: says = target[:, 1:5]\n"
                              "    as: shift\n"
                              "  - do: begun = target[:, 0:3]\n"
                              "    as: shift\n"
                              "  - do: M = causal_mask(4)\n"
                              "  - show: [target, says, M]\n"
                              "    as: shift\n";

static void test_a_word_stands_in_one_column_where_read_and_where_said(void **state) {
    static const char *const words[] = {"<sos>", "I", "love", "NLP", "<eos>"};
    Drawn drawn;
    drawn_begin(&drawn, SHIFTED);
    draw_in(&drawn, 0, AREA);
    size_t says = player_step(&drawn.player)->node;
    size_t target = tape_find(drawn.lesson->tape, "target");
    for (size_t i = 1; i < 4; i++) {
        const SceneItem *read = text_at(&drawn, target, i, words[i]);
        const SceneItem *said = text_at(&drawn, says, i - 1, words[i]);
        assert_non_null(read);
        assert_non_null(said);
        assert_true(fabs(middle_of(read) - middle_of(said)) < 2);
        assert_true(read->origin.y < said->origin.y);
    }
    assert_non_null(text_at(&drawn, says, 3, "<eos>"));
    assert_null(text_at(&drawn, target, 4, "<eos>"));
    drawn_finish(&drawn);
}

static void test_a_beginning_says_the_word_behind_it(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, SHIFTED);
    draw_in(&drawn, 1, AREA);
    size_t begun = player_step(&drawn.player)->node;
    size_t target = tape_find(drawn.lesson->tape, "target");
    assert_non_null(text_at(&drawn, begun, 2, "love"));
    assert_non_null(text_at(&drawn, target, 3, "NLP"));
    assert_null(text_at(&drawn, target, 4, "<eos>"));
    drawn_finish(&drawn);
}

static void test_the_staircase_leads_to_the_mask(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, SHIFTED);
    draw_in(&drawn, 3, AREA);
    size_t mask = tape_find(drawn.lesson->tape, "M");
    for (size_t i = 0; i < 16; i++) {
        Box box;
        assert_true(
            scene_find(&drawn.scene, (Link){LINK_CELL, mask, i / 4, i % 4}, &box));
    }
    /* said in the row above, and by the last place of the stairs */
    assert_int_equal(scene_count_texts(&drawn.scene, "<eos>"), 2);
    drawn_finish(&drawn);
}

/* ---- vocabulary ---- */

static const char LOOKED_UP[] =
    "title: t\n"
    "vocabularies:\n"
    "  V: {corpus: [\"when you play the game of thrones you win or you die\"], first: 1, "
    "special: [\"[UNK]\"]}\n"
    "given:\n"
    "  ids: {text: \"you win zebra you\", vocabulary: V}\n"
    "  long: {text: \"when you play the game of thrones you win or you die when you play "
    "the game of thrones you win or you die when you play the game of thrones\", "
    "vocabulary: V}\n"
    "steps:\n"
    "  - {show: ids, as: vocabulary}\n"
    "  - {show: long, as: vocabulary}\n";

static void test_a_word_and_its_id_lead_to_the_same_cell(void **state) {
    static const char *const words[] = {"you", "win", "zebra", "you"};
    static const char *const ids[] = {"3", "9", "1", "3"};
    Drawn drawn;
    drawn_begin(&drawn, LOOKED_UP);
    draw_in(&drawn, 0, AREA);
    size_t node = player_step(&drawn.player)->node;
    for (size_t i = 0; i < 4; i++) {
        const SceneItem *word = text_at(&drawn, node, i, words[i]);
        const SceneItem *id = text_at(&drawn, node, i, ids[i]);
        assert_non_null(word);
        assert_non_null(id);
        assert_true(middle_of(word) < middle_of(id));
    }
    drawn_finish(&drawn);
}

/* Words are as many as their IDs, where chips have no room without chips. */
static void test_each_id_that_is_looked_up_has_its_word(void **state) {
    Drawn drawn;
    Box low = AREA;
    low.h = 230;
    drawn_begin(&drawn, "title: t\ngiven:\n  ids: [0, 1, 2, 3, 4, 5]\n"
                        "  E: {random: [6, 4], seed: 1}\n"
                        "labels: {E: {rows: [one, two, three, four, five, six]}}\n"
                        "steps:\n  - do: X = embed(E, ids)\n");
    drawn_draw(&drawn, 0, low);
    const char *const words[] = {"one", "two", "three", "four", "five", "six"};
    for (size_t i = 0; i < 6; i++)
        assert_true(scene_says(&drawn.scene, words[i])); /* the table has numbers, too */
    drawn_finish(&drawn);
}

static void test_a_long_text_stands_in_lines_beside_the_vocabulary(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, LOOKED_UP);
    draw_in(&drawn, 1, AREA);
    size_t node = player_step(&drawn.player)->node;
    const SceneItem *chip = text_at(&drawn, node, 11, "die");
    const SceneItem *entry = NULL;
    assert_non_null(chip);
    for (size_t i = 0; i < drawn.scene.count; i++) {
        const SceneItem *item = &drawn.scene.items[i];
        if (item->kind == SCENE_TEXT && item->link.kind == LINK_NONE &&
            strcmp(item->text, "die") == 0)
            entry = item;
    }
    assert_non_null(entry);
    assert_true(middle_of(entry) > middle_of(chip));
    drawn_finish(&drawn);
}

/* ---- bytes ---- */

/* Bytes of one character adjoin, and it stands above them; the text reads as it was. */
static void test_bytes_stand_below_the_character_they_make(void **state) {
    Drawn drawn;
    drawn_begin(&drawn, "title: t\nvocabularies:\n"
                        "  B: {tokenizer: byte_bpe, corpus: [a], merges: 0, first: 0}\n"
                        "given:\n  bytes: {text: \"a 我 b\", vocabulary: B}\n"
                        "steps:\n  - {show: bytes, as: chips}\n");
    draw_in(&drawn, 0, AREA);
    size_t node = player_step(&drawn.player)->node;
    const char *const labels[] = {"a", "␣", "<0xE6>", "<0x88>", "<0x91>", "␣", "b"};
    double right[7], left[7];
    for (size_t i = 0; i < 7; i++) {
        Box chip = {0};
        assert_non_null(text_at(&drawn, node, i, labels[i]));
        for (size_t k = 0; k < drawn.scene.count; k++) {
            const SceneItem *item = &drawn.scene.items[k];
            if (item->kind != SCENE_TEXT &&
                link_equal(item->link, (Link){LINK_CELL, node, 0, i}) &&
                item->box.h > chip.h && item->box.w > 12)
                chip = item->box;
        }
        left[i] = chip.x;
        right[i] = chip.x + chip.w;
    }
    for (size_t i = 1; i < 7; i++)
        assert_true((left[i] < right[i - 1] + 2) == (i == 3 || i == 4));
    assert_true(scene_says(&drawn.scene, "我"));
    assert_false(scene_says(&drawn.scene, "爱"));
    drawn_finish(&drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_of_the_words_leads_to_its_cell),
        cmocka_unit_test(test_a_piece_stands_over_the_letters_it_was_joined_from),
        cmocka_unit_test(test_of_many_words_those_that_fit_are_shown),
        cmocka_unit_test(test_a_word_stands_in_one_column_where_read_and_where_said),
        cmocka_unit_test(test_a_beginning_says_the_word_behind_it),
        cmocka_unit_test(test_the_staircase_leads_to_the_mask),
        cmocka_unit_test(test_a_word_and_its_id_lead_to_the_same_cell),
        cmocka_unit_test(test_each_id_that_is_looked_up_has_its_word),
        cmocka_unit_test(test_a_long_text_stands_in_lines_beside_the_vocabulary),
        cmocka_unit_test(test_bytes_stand_below_the_character_they_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The glossary: that its entries are whole in every language and lead somewhere, that
 * what the course speaks of is in it, and that it can be come to from any page. */
#include "base/strings/glossary.h"
#include "lesson/content/content.h"
#include "session_stand.h"
#include "tensor/tape/tape.h"

#include "modes/modes.h"
#include "session/mode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS_LEAST = 60, SAY_MOST = 320 };

static const Glossary *glossary_in(const Stand *stand, size_t language) {
    return course_glossary(&stand->course, stand->course.languages.items[language]);
}

static size_t term_of(const Glossary *glossary, const char *name) {
    size_t i = 0;
    while (i < glossary->count && strcmp(glossary->terms[i].name, name) != 0)
        i++;
    if (i == glossary->count)
        fail_msg("the glossary has no '%s'", name);
    return i;
}

static void click(Stand *stand, Link link) {
    Box box;
    assert_true(scene_find(&stand->scene, link, &box));
    session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                          box.y + box.h / 2);
    session_pointer_release(stand->session);
}

/* ---- entries ---- */

static void test_every_entry_is_whole_in_every_language(void **state) {
    Stand *stand = *state;
    size_t languages = stand->course.languages.count;
    for (size_t k = 0; k < languages; k++) {
        const Glossary *glossary = glossary_in(stand, k), *first = glossary_in(stand, 0);
        assert_true(glossary->count >= TERMS_LEAST);
        assert_int_equal(glossary->count, first->count);
        for (size_t i = 0; i < glossary->count; i++) {
            const GlossaryTerm *term = &glossary->terms[i];
            if (!term->term[0] || !term->say[0] || strlen(term->say) > SAY_MOST)
                fail_msg("'%s' is not whole, or too long", term->name);
            if (k && term->say == first->terms[i].say)
                fail_msg("'%s' has no words of its own in %s", term->name,
                         stand->course.languages.items[k]->code);
            assert_string_equal(term->plain, first->terms[i].plain);
        }
    }
}

/* Terms from lessons, papers and lectures. */
static void test_what_the_course_speaks_of_is_in_it(void **state) {
    static const char words[] =
        "token, ID, vocabulary, embedding, positional encoding, query, key, "
        "value, score, scaling, softmax, temperature, mask, attention head, "
        "concat, projection, residual, layer norm, feed-forward, ReLU, "
        "encoder, decoder, cross-attention, logits, cross-entropy, gradient, "
        "learning rate, Adam, epoch, greedy, beam search, top-k, top-p, "
        "KV cache, BPE, WordPiece, padding, <sos>, <eos>, teacher forcing, "
        "d_model, d_k, parameter, self-attention, multi-head attention, "
        "causal mask, loss, training, memory, dot product";
    Stand *stand = *state;
    const Glossary *glossary = glossary_in(stand, 0);
    char word[64];
    int length;
    for (const char *at = words; sscanf(at, "%63[^,]%n", word, &length) == 1;) {
        if (glossary_first(glossary, word) == glossary->count)
            fail_msg("'%s' is not in the glossary", word);
        at += length + (int)strspn(at + length, ", ");
    }
}

/* A lesson's file, as it is written. */
static void read_lesson(const Stand *stand, size_t i, char *text, size_t size) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    char path[1000];
    snprintf(path, sizeof path, "%s/lessons/%s.yaml", source ? source : ".",
             stand->course.lessons[i].id);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
}

/* In lessons and, so that it can be looked up, in the glossary: English, then Chinese. */
static void test_the_fields_words_are_said_and_explained(void **state) {
    static const char *const words[][2] = {{"probability", "概率"},
                                           {"inference", "推理"},
                                           {"generate", "生成"},
                                           {"autoregressive", "自回归"},
                                           {"context", "上下文"},
                                           {"parallel", "并行"},
                                           {"parameter", "参数"},
                                           {"projection", "投影"},
                                           {"linear", "线性"},
                                           {"attention weights", "注意力权重"},
                                           {"encoder layer", "编码器层"},
                                           {"add & norm", "相加与归一化"},
                                           {"shape", "形状"},
                                           {"memory", "记忆"},
                                           {"vocabulary", "词汇表"},
                                           {"weight matrix", "权重矩阵"}};
    enum { COUNT = sizeof words / sizeof *words };
    static char text[1 << 16];
    size_t said[COUNT][2] = {{0}};
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        read_lesson(stand, i, text, sizeof text);
        for (size_t k = 0; k < 2 * COUNT; k++)
            said[k / 2][k % 2] += strstr(text, words[k / 2][k % 2]) != NULL;
    }
    for (size_t k = 0; k < 2 * COUNT; k++) {
        const char *word = words[k / 2][k % 2];
        const Glossary *glossary = glossary_in(stand, k % 2);
        if (glossary_first(glossary, word) == glossary->count)
            fail_msg("'%s' is not in the glossary", word);
        if (!said[k / 2][k % 2])
            fail_msg("no lesson says '%s'", word);
    }
}

/* One thing has one name, and a table is the embedding table. */
static void test_no_lesson_calls_things_by_other_names(void **state) {
    static const char *const others[] = {" chances", " tables",      "编码层",
                                         "解码层",   "残差与归一化", "尺寸"};
    static char text[1 << 16];
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        read_lesson(stand, i, text, sizeof text);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            if (strstr(text, others[k]))
                fail_msg("%s says '%s'", stand->course.lessons[i].id, others[k]);
        }
    }
}

/* Follows every link of an entry by keys. */
static void test_every_link_leads_to_its_lesson_and_tensor(void **state) {
    Stand *stand = *state;
    const Glossary *glossary = glossary_in(stand, 0);
    size_t count = 0;
    for (size_t i = 0; i < glossary->count; i++) {
        const char *list = glossary->terms[i].see, *text;
        size_t number = 0;
        assert_true(list[0]);
        for (size_t length; (length = glossary_next(&list, &text)); number++, count++) {
            char id[200];
            snprintf(id, sizeof id, "%.*s", (int)length, text);
            char *tensor = strchr(id, ':');
            if (tensor)
                *tensor++ = 0;
            glossary_enter(stand->session, i);
            for (size_t k = 0; k < number; k++)
                try_keys(stand, "Tab");
            try_keys(stand, "Return");
            if (!mode_on(stand->session, &mode_lesson) ||
                strcmp(stand->session->lesson->id, id) != 0)
                fail_msg("'%s' leads to no lesson '%s'", glossary->terms[i].name, id);
            if (tensor && strcmp(player_step(&stand->session->player)->name, tensor) != 0)
                fail_msg("'%s' leads to no step '%s:%s'", glossary->terms[i].name, id,
                         tensor);
        }
    }
    assert_true(count >= glossary->count);
}

/* ---- finding ---- */

static void assert_names(const Stand *stand, size_t language, const char *text,
                         const char *name, size_t at, size_t length) {
    const Glossary *glossary = glossary_in(stand, language);
    size_t found = 0;
    assert_int_equal(glossary_at(glossary, text, at, &found), term_of(glossary, name));
    assert_int_equal(found, length);
}

static void test_the_longest_whole_word_counts(void **state) {
    Stand *stand = *state;
    const Glossary *glossary = glossary_in(stand, 0);
    size_t none = glossary->count, length;
    assert_names(stand, 0, "Causal masks hide", "causal_mask", 0, 12);
    assert_names(stand, 0, "the mask hides", "mask", 4, 4);
    assert_names(stand, 0, "a <sos> begins", "sos", 2, 5);
    assert_names(stand, 0, "multi-head attention", "multi_head", 0, 20);
    assert_int_equal(glossary_at(glossary, "monkeys", 3, &length), none);
    assert_int_equal(glossary_at(glossary, "keyboard", 0, &length), none);
    assert_int_equal(glossary_at(glossary, "d_key", 2, &length), none);
    assert_int_equal(glossary_first(glossary, "for the ids of it"), none); /* a tensor */
    assert_int_equal(glossary_first(glossary, "for the IDs of it"),
                     term_of(glossary, "id"));
    for (size_t i = 0; i < stand->course.languages.count; i++) {
        if (strcmp(stand->course.languages.items[i]->code, "zh") != 0)
            continue;
        assert_names(stand, i, "因果掩码让每个词", "causal_mask", 0, strlen("因果掩码"));
        assert_names(stand, i, "值向量的平均", "value", 0, strlen("值向量"));
        assert_names(stand, i, "两个头读同样的词", "head", 0, strlen("两个头"));
        none = glossary_in(stand, i)->count; /* a head is no beginning */
        assert_int_equal(glossary_first(glossary_in(stand, i), "开头，再从头走"), none);
    }
}

/* ---- on a page ---- */

static size_t count_links(const Scene *scene, LinkKind kind, size_t index) {
    size_t count = 0, last = SIZE_MAX;
    for (size_t i = 0; i < scene->count; i++) {
        Link link = scene->items[i].link;
        if (link.kind == kind && (index == SIZE_MAX || link.index == index)) {
            count += last == SIZE_MAX || i != last + 1;
            last = i;
        }
    }
    return count;
}

static void test_terms_are_marked_once_and_lead_to_their_entry(void **state) {
    Stand *stand = *state;
    const Glossary *glossary = glossary_in(stand, 0);
    assert_true(
        session_open_number(stand->session, course_find(&stand->course, "08-one-head")));
    size_t scores = 0;
    for (int i = 0; i < 9; i++, try_keys(stand, "Right")) {
        draw_session(stand, 1600, 900, true);
        size_t marked = count_links(&stand->scene, LINK_TERM, SIZE_MAX);
        scores += count_links(&stand->scene, LINK_TERM, term_of(glossary, "score"));
        assert_true(marked <= 10);
        for (size_t k = 0; k < glossary->count; k++)
            assert_true(count_links(&stand->scene, LINK_TERM, k) <= 1);
    }
    assert_true(scores > 0);
    try_keys(stand, "Home");
    size_t term = glossary->count;
    for (; term == glossary->count; try_keys(stand, "Right")) {
        draw_session(stand, 1600, 900, true);
        for (size_t i = 0; i < stand->scene.count; i++) {
            if (stand->scene.items[i].link.kind == LINK_TERM)
                term = stand->scene.items[i].link.index;
        }
        if (term < glossary->count)
            break;
    }
    click(stand, (Link){LINK_TERM, term, 0, 0});
    assert_true(mode_on(stand->session, &mode_glossary));
    assert_int_equal(glossary_state(stand->session)->term, term);
    try_keys(stand, "Escape");
    assert_false(mode_on(stand->session, &mode_glossary));
    assert_true(mode_on(stand->session, &mode_lesson));
}

static void test_it_is_searched_chosen_and_left_by_keys_and_pointer(void **state) {
    Stand *stand = *state;
    const Glossary *glossary = glossary_in(stand, 0);
    try_keys(stand, "G");
    assert_true(mode_on(stand->session, &mode_glossary));
    session_type(stand->session, "beam");
    draw_session(stand, 1600, 900, true);
    size_t beam = term_of(glossary, "beam_search");
    assert_int_equal(count_links(&stand->scene, LINK_TERM, SIZE_MAX), 1);
    click(stand, (Link){LINK_TERM, beam, 0, 0});
    assert_int_equal(glossary_state(stand->session)->term, beam);
    size_t choosing = course_find(&stand->course, "26-choosing");
    draw_session(stand, 1600, 900, true);
    click(stand, (Link){LINK_LESSON, choosing, 0, 0});
    assert_string_equal(stand->session->lesson->id, "26-choosing");
    try_keys(stand, "G Down Down Up");
    draw_session(stand, 1600, 900, true);
    click(stand, action_link("leave_glossary"));
    assert_false(mode_on(stand->session, &mode_glossary));
    try_keys(stand, "G");
    session_type(stand->session, "no such");
    draw_session(stand, 1600, 900, true);
    try_keys(stand, "Down Tab Return Escape");
    assert_false(mode_on(stand->session, &mode_glossary));
}

static const char *step_name(const Stand *stand) {
    const Player *player = &stand->session->player;
    return tape_node(player->lesson->tape, player_step(player)->node)->name;
}

static void test_its_terms_go_by_pages(void **state) {
    Stand *stand = *state;
    glossary_enter(stand->session, 0);
    try_keys(stand, "PageDown Up");
    assert_int_equal(glossary_state(stand->session)->term, 9);
    try_keys(stand, "PageUp Up");
    assert_int_equal(glossary_state(stand->session)->term, 0);
}

static void test_it_opens_at_the_term_of_the_step_or_under_the_pointer(void **state) {
    Stand *stand = *state;
    const Glossary *glossary = glossary_in(stand, 0);
    Box box;
    assert_true(
        session_open_number(stand->session, course_find(&stand->course, "08-one-head")));
    while (strcmp(step_name(stand), "V") != 0)
        try_keys(stand, "Right");
    try_keys(stand, "G");
    assert_int_equal(glossary_state(stand->session)->term, term_of(glossary, "value"));
    try_keys(stand, "Escape");
    draw_session(stand, 1600, 900, true);
    for (size_t i = 0; i < glossary->count; i++) {
        if (!scene_find(&stand->scene, (Link){LINK_TERM, i, 0, 0}, &box))
            continue;
        session_pointer_move(stand->session, &stand->scene, box.x + box.w / 2,
                             box.y + box.h / 2);
        try_keys(stand, "G");
        assert_int_equal(glossary_state(stand->session)->term, i);
        try_keys(stand, "Escape");
        draw_session(stand, 1600, 900, true);
    }
}

static bool is_over(Box a, Box b) {
    return a.x < b.x + b.w - 0.5 && b.x < a.x + a.w - 0.5 && a.y < b.y + b.h - 0.5 &&
           b.y < a.y + a.h - 0.5;
}

/* Of what the panel draws over its veil nothing lies over another, or beyond the page. */
static void assert_laid_out(const Stand *stand, const char *name) {
    const Scene *scene = &stand->scene;
    size_t first = scene->count;
    while (first > 0 && scene->items[first - 1].box.w < scene->width)
        first--;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *one = &scene->items[i];
        if (one->kind != SCENE_TEXT)
            continue;
        if (one->box.x < 0 || one->box.x + one->box.w > scene->width ||
            one->box.y + one->box.h > scene->height)
            fail_msg("'%s' of '%s' is cut", one->text, name);
        for (size_t k = i + 1; k < scene->count; k++) {
            if (scene->items[k].kind == SCENE_TEXT &&
                is_over(one->box, scene->items[k].box))
                fail_msg("'%s' of '%s' lies over '%s'", one->text, name,
                         scene->items[k].text);
        }
    }
}

/* The words of "O = A (X W_V)" name no term: those of an earlier step do. */
static void test_it_opens_in_the_lesson_though_the_step_names_no_term(void **state) {
    Stand *stand = *state;
    const Glossary *glossary = glossary_in(stand, 0);
    open_lesson(stand, "13-masks");
    go_to(stand, "O");
    press(stand, "G");
    assert_int_not_equal(glossary_state(stand->session)->term,
                         term_of(glossary, "token"));
    press(stand, "Escape O G");
    assert_int_equal(glossary_state(stand->session)->term, term_of(glossary, "token"));
}

static void test_every_entry_fits_every_page(void **state) {
    static const double sizes[][2] = {{1600, 900}, {1600, 1200}, {2100, 900}};
    Stand *stand = *state;
    for (size_t k = 0; k < stand->course.languages.count; k++) {
        const Glossary *glossary = glossary_in(stand, k);
        stand->session->language = stand->course.languages.items[k];
        for (size_t i = 0; i < glossary->count; i++) {
            glossary_enter(stand->session, i);
            draw_session(stand, sizes[i % 3][0], sizes[i % 3][1], true);
            assert_laid_out(stand, glossary->terms[i].name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_every_entry_is_whole_in_every_language),
        SESSION_TEST(test_what_the_course_speaks_of_is_in_it),
        SESSION_TEST(test_the_fields_words_are_said_and_explained),
        SESSION_TEST(test_no_lesson_calls_things_by_other_names),
        SESSION_TEST(test_every_link_leads_to_its_lesson_and_tensor),
        SESSION_TEST(test_the_longest_whole_word_counts),
        SESSION_TEST(test_terms_are_marked_once_and_lead_to_their_entry),
        SESSION_TEST(test_it_is_searched_chosen_and_left_by_keys_and_pointer),
        SESSION_TEST(test_its_terms_go_by_pages),
        SESSION_TEST(test_it_opens_at_the_term_of_the_step_or_under_the_pointer),
        SESSION_TEST(test_it_opens_in_the_lesson_though_the_step_names_no_term),
        SESSION_TEST(test_every_entry_fits_every_page),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}

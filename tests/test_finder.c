/* First hits of the finder: everyday words in both languages, at home and in a lesson.
 */
#include "modes/modes.h"
#include "session_stand.h"

#include "base/strings/glossary.h"
#include "picture/overlays/overlays.h"
#include "tensor/tape/tape.h"

/* A query and the kind and name of what is right as the first hit. */
typedef struct Query {
    const char *typed, *kind, *name;
} Query;

static const Query english[] = {
    {"settings", "action", "theme"},
    {"preferences", "action", "theme"},
    {"dark", "action", "theme"},
    {"dark mode", "action", "theme"},
    {"night", "action", "theme"},
    {"theme", "action", "theme"},
    {"colors", "action", "theme"},
    {"colours", "action", "theme"},
    {"contrast", "action", "theme"},
    {"pdf", "action", "help"}, /* which says how: Save writes a PNG */
    {"export", "action", "save_home"},
    {"download", "action", "save_home"},
    {"screenshot", "action", "save_home"},
    {"png", "action", "save_home"},
    {"print", "action", "save_home"},
    {"powerpoint", "action", "help"},
    {"save", "action", "save"},
    {"save as", "action", "keep"},
    {"reset", "action", "restore"},
    {"start over", "action", "restore"},
    {"restore", "action", "restore"},
    {"undo", "action", "undo"},
    {"redo", "action", "redo"},
    {"language", "action", "language"},
    {"chinese", "action", "language"},
    {"zoom", "action", "larger_type"},
    {"zoom in", "action", "larger_type"},
    {"zoom out", "action", "smaller_type"},
    {"font size", "action", "type_size"},
    {"text size", "action", "type_size"},
    {"bigger text", "action", "larger_type"},
    {"full screen", "action", "full_screen"},
    {"fullscreen", "action", "full_screen"},
    {"full", "action", "full_screen"},
    {"present", "action", "present"},
    {"presentation", "action", "present_lesson"},
    {"slides", "action", "present"},
    {"slideshow", "action", "present_lesson"},
    {"notes", "action", "notes_window"},
    {"laser pointer", "action", "spotlight"},
    {"help", "action", "help"},
    {"shortcuts", "action", "help"},
    {"keyboard", "action", "help"},
    {"quit", "action", "quit"},
    {"exit", "action", "quit"},
    {"home", "action", "home"},
    {"contents", "action", "home"},
    {"search", "action", "find"},
    {"glossary", "action", "glossary"},
    {"exercise", "action", "practise_lesson"},
    {"practice", "action", "practise_lesson"},
    {"quiz", "action", "quiz"},
    {"tutorial", "action", "tour"},
    {"edit", "action", "change_cell"},
    {"copy", "action", "copy_number"},
    {"share", "action", "copy_link"},
    {"code", "action", "show_code"},
    {"python", "action", "show_code"},
    {"pytorch", "action", "show_code"},
    {"gradient", "term", "gradient"},
    {"chart", "action", "change_view"},
    {"animation", "action", "play"},
    {"speed", "action", "faster"},
    {"map", "action", "map"},
    {"softmax", "term", "softmax"},
    {"soft", "term", "softmax"},
    {"sftmx", "term", "softmax"},
    {"mask", "term", "mask"},
    {"causal", "term", "causal mask"},
    {"embedding", "term", "embedding"},
    {"head", "term", "attention head"},
    {"kv cache", "term", "KV cache"},
    {"training", "term", "training"},
    {"tokens", "term", "token"},
};

static const Query chinese[] = {
    {"设置", "action", "theme"},
    {"深色", "action", "theme"},
    {"主题", "action", "theme"},
    {"导出", "action", "save_home"},
    {"打印", "action", "save_home"},
    {"截图", "action", "save_home"},
    {"pdf", "action", "help"}, /* which says how: Save writes a PNG */
    {"重置", "action", "restore"},
    {"撤销", "action", "undo"},
    {"重做", "action", "redo"},
    {"语言", "action", "language"},
    {"英文", "action", "language"},
    {"全屏", "action", "full_screen"},
    {"字体", "action", "type_size"},
    {"字号", "action", "type_size"},
    {"放大", "action", "larger_type"},
    {"演示", "action", "present_lesson"},
    {"幻灯片", "action", "present_lesson"},
    {"备注", "action", "notes_window"},
    {"帮助", "action", "help"},
    {"快捷键", "action", "help"},
    {"退出", "action", "quit"},
    {"首页", "action", "home"},
    {"目录", "action", "home"},
    {"搜索", "action", "find"},
    {"练习", "action", "practise_lesson"},
    {"编辑", "action", "change_cell"},
    {"复制", "action", "copy_number"},
    {"代码", "action", "show_code"},
    {"动画", "action", "play"},
    {"softmax", "term", "softmax"},
    {"undo", "action", "undo"},
    {"dark", "action", "theme"},
};

static const char *name_of(const Stand *stand, const FinderMatch *match) {
    const Session *session = stand->session;
    const char *kind = match->source->name;
    return strcmp(kind, "action") == 0   ? action_at(match->index)->name
           : strcmp(kind, "lesson") == 0 ? stand->course.lessons[match->index].id
           : strcmp(kind, "step") == 0   ? session->player.steps[match->index].name
           : strcmp(kind, "term") == 0
               ? course_glossary(session->course, session->language)
                     ->terms[match->index]
                     .term
               : tape_node(session->lesson->tape, match->index)->name;
}

/* Prints what is found first in place of what is right; returns the number of those. */
static size_t check(Stand *stand, const Query *queries, size_t count) {
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        size_t found = 0;
        Arena *arena = arena_create(FRAME_BYTES);
        FinderMatch *matches =
            finder_items_find(stand->session, queries[i].typed, arena, &found);
        const char *kind = found ? matches[0].source->name : "nothing";
        const char *name = found ? name_of(stand, &matches[0]) : "";
        if (strcmp(kind, queries[i].kind) != 0 || strcmp(name, queries[i].name) != 0) {
            print_error("“%s” finds %s %s (%d) before %s %s\n", queries[i].typed, kind,
                        name, found ? matches[0].score : 0, queries[i].kind,
                        queries[i].name);
            wrong++;
        }
        arena_destroy(arena);
    }
    return wrong;
}

static void test_everyday_words_find_what_they_mean(void **state) {
    Stand *stand = *state;
    size_t wrong = check(stand, english, sizeof english / sizeof *english);
    stand->session->language = languages_lookup(&stand->course.languages, "zh");
    wrong += check(stand, chinese, sizeof chinese / sizeof *chinese);
    assert_int_equal(wrong, 0);
}

static void test_in_a_lesson_its_steps_and_tensors_are_found_by_name(void **state) {
    static const Query queries[] = {
        {"W_K", "tensor", "W_K"},
        {"S_scaled", "step", "S_scaled"},
        {"dark", "action", "theme"},
        {"undo", "action", "undo"},
        {"reset", "action", "restore"},
        {"magnify", "action", "lens"},
        {"notes window", "action", "notes_window"},
        {"pdf", "action", "help"},
        {"print", "action", "save"},
        {"powerpoint", "action", "help"},
        {"pptx", "action", "help"},
        {"svg", "action", "help"},
        {"png", "action", "save"},
        {"slideshow", "action", "present"},
        {"softmax", "term", "softmax"},
        {"9 · Weighted", "step", "O"},
    };
    Stand *stand = *state;
    open_lesson(stand, "08-one-head");
    assert_int_equal(check(stand, queries, sizeof queries / sizeof *queries), 0);
}

/* Of a model with many layers: what has the words in its name before what doesn't, each
 * kind together, and the same in several layers once, by the name in pictures. */
static void test_the_same_in_many_layers_is_one_line(void **state) {
    static const char *const patterns[] = {"softmax", "weights", "query", "scores", ""};
    Stand *stand = *state;
    open_lesson(stand, "40-the-whole-path");
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        size_t count = 0, tensors = 0;
        Arena *arena = arena_create(FRAME_BYTES);
        FinderMatch *matches =
            finder_items_find(stand->session, patterns[p], arena, &count);
        for (size_t i = 0; i < count; i++) {
            const FinderItem *item = &matches[i].item;
            tensors += strcmp(matches[i].source->name, "tensor") == 0;
            assert_null(strstr(item->words, "coder.0"));
            assert_null(strstr(item->detail, "coder.0"));
            for (size_t k = 0; item->same && k < i; k++)
                assert_false(matches[k].source == matches[i].source &&
                             matches[k].item.same &&
                             strcmp(matches[k].item.same, item->same) == 0);
            bool named = matches[i].score >= 600, was = i && matches[i - 1].score >= 600;
            if (i) {
                assert_true(was >= named);
                assert_true(was != named ||
                            matches[i - 1].source->rank <= matches[i].source->rank);
            }
        }
        assert_true(tensors > 0 || p == 0);
        assert_true(tensors <= (patterns[p][0] ? 5 : 80));
        arena_destroy(arena);
    }
}

/* A name that several layers have leads from one to the next, and round. */
static void test_a_name_of_many_layers_leads_from_one_to_the_next(void **state) {
    Stand *stand = *state;
    Session *session = stand->session;
    open_lesson(stand, "40-the-whole-path");
    size_t first = 0, before = 0;
    for (size_t i = 0; i < 200 && (i < 2 || session->player.step != first); i++) {
        try_keys(stand, "Ctrl+K");
        assert_true(session_type(session, "weights"));
        size_t count = 0;
        Arena *arena = arena_create(FRAME_BYTES);
        FinderMatch *matches = finder_items_find(session, "weights", arena, &count);
        size_t row = 0;
        while (row < count && strcmp(matches[row].source->name, "tensor") != 0)
            row++;
        assert_true(row < count);
        assert_string_equal(matches[row].item.words, "weights");
        arena_destroy(arena);
        for (; row; row--)
            try_keys(stand, "Down");
        try_keys(stand, "Return");
        assert_true(i == 0 || session->player.step != before);
        before = session->player.step;
        first = i ? first : before;
    }
    assert_int_equal(session->player.step, first);
}

/* Every action on offer is found by other words, too. */
static void test_every_action_has_other_words_in_each_language(void **state) {
    Stand *stand = *state;
    size_t lacking = 0;
    for (size_t i = 0; i < action_count(); i++) {
        char key[64];
        const Mode *mode = action_mode(i);
        const Action *action = action_at(i);
        bool offered = !(action->traits & ACTION_OF_KEYS) &&
                       (!mode || mode == &mode_lesson || mode == &mode_home);
        snprintf(key, sizeof key, "sought.%s", action->name);
        for (size_t k = 0; offered && k < stand->course.languages.count; k++) {
            const Language *language = stand->course.languages.items[k];
            if (language_has(language, key))
                continue;
            print_error("%s lacks %s\n", language->code, key);
            lacking++;
        }
    }
    assert_int_equal(lacking, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_everyday_words_find_what_they_mean),
        SESSION_TEST(test_in_a_lesson_its_steps_and_tensors_are_found_by_name),
        SESSION_TEST(test_the_same_in_many_layers_is_one_line),
        SESSION_TEST(test_a_name_of_many_layers_leads_from_one_to_the_next),
        SESSION_TEST(test_every_action_has_other_words_in_each_language),
    };
    return cmocka_run_group_tests(tests, set_up_course, tear_down_course);
}

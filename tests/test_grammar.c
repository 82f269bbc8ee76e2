/* The grammar that all pictures obey, on every page of the course: numbers and words that
 * can be read, colours that agree with the numbers in them, one scale for one quantity,
 * names that say which table is meant. */
#include "course_files.h"
#include "fixed_metrics.h"
#include "picture/page/page.h"
#include "sample.h"

#include <math.h>

enum { FAILURES_SHOWN = 40, FRAME_BYTES = 256 << 20 };

static const double LEAST_DIGITS = 17.5, LEAST_TEXT = 15; /* points */

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
 * whole, and opened. */
static void look_at_course(const CourseFiles *files, void (*check)(Look *look)) {
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
                         .height = PAGE_HEIGHT};
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

/* ---- what can be read ---- */

/* Whether a text is the number in a cell: linked to it, and inside its rectangle. */
static bool is_number_of_cell(const Scene *scene, size_t at) {
    const SceneItem *text = &scene->items[at];
    const char *digits = text->text;
    if (strncmp(digits, "−", strlen("−")) == 0)
        digits += strlen("−");
    if (text->link.kind != LINK_CELL || digits[strspn(digits, "0123456789.")])
        return false;
    for (size_t i = at; i-- > 0 && link_equal(scene->items[i].link, text->link);) {
        const SceneItem *under = &scene->items[i];
        if (under->kind == SCENE_RECTANGLE && under->fill.a == 255 &&
            box_contains(under->box, text->box.x + text->box.w / 2,
                         text->box.y + text->box.h / 2))
            return true;
    }
    return false;
}

/* Whether a text is a script: raised or lowered, directly behind what it belongs to. */
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
        } else if (item->size < LEAST_TEXT && !is_script(look->scene, i)) {
            fail_page(look, "small text", item->text, item->size);
        }
    }
}

static void test_numbers_and_words_can_be_read(void **state) {
    look_at_course(*state, check_can_be_read);
}

static int load(void **state) {
    CourseFiles *files = malloc(sizeof *files);
    assert_non_null(files);
    course_begin(files);
    course_load_folder(files, "lessons");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_words_can_be_read),
    };
    return cmocka_run_group_tests(tests, load, unload);
}

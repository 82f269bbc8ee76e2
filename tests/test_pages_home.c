/* Home and the help hold everything, at every size and in both languages. */
#include "fixed_metrics.h"
#include "page_look.h"
#include "paint/paint.h"
#include "picture/chrome/chrome.h"
#include "picture/home/home.h"
#include "picture/overlays/overlays.h"
#include "sample.h"

typedef struct Round {
    const CourseFiles *files;
    const TextMetrics *metrics;
    const char *metrics_name;
    Arena *frame;
    size_t failures;
} Round;

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
    if (!scene_complete(scene))
        report(&view, "incomplete", "", (Box){0}, NULL, (Box){0});
    Things things = things_of(scene);
    view.things = &things;
    check_contrast(&view);
    check_pairs(&view);
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
                                            .unnumbered = own,
                                            .title = text_in(&lesson->title, language),
                                            .part = text_in(&lesson->part, language),
                                            .note = own ? lesson->id : NULL,
                                            .block = lesson->block,
                                            .player = &players[i],
                                            .read = (double)(i % 3) / 2,
                                            .practised = i % 4,
                                            .at_once = i % 2,
                                            .answered = i % 3};
        }
        *course = own ? *course : count;
    }
    lessons[count++] = (HomeLesson){.title = "a-lesson-that-could-not-be-read",
                                    .part = "",
                                    .unnumbered = true,
                                    .broken = true};
    return count;
}

/* Checks an overlay separately from the page below it. */
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

/* Names of doors, parts and cards, and what is said of them, are never cut. */
static void assert_nothing_cut(const Scene *scene, const char *name) {
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        size_t length = item->kind == SCENE_TEXT ? strlen(item->text) : 0;
        if (length > 3 && strcmp(item->text + length - 3, "…") == 0 &&
            !strstr(item->text, " …") && !strstr(item->text, "……"))
            fail_msg("%s is cut: %s", name, item->text);
    }
}

/* In one of several sizes of type, scrolled to what is chosen. */
static void draw_home(const Canvas *canvas, Home *home, size_t index) {
    static const double scales[] = {1, 1.3, 1.15, 2, 1.5, 1.75};
    double most;
    home->scale = scales[index % 6];
    home->scroll = 0;
    home->scroll = home_scroll_to(home, canvas->scene->arena, home->chosen);
    if (home->scale > 1) { /* all of it at once */
        home->scroll = 0;
        home->height = canvas->scene->height *= 5;
    }
    double scroll = home_draw(canvas, home, &most);
    assert_true(scroll == home->scroll && scroll <= most);
    assert_true(most < 1);
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
         false}};
    const HomeButton buttons[] = {
        {doors[3], language_words(language, "home.mine")},
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
        for (size_t j = 0; i && !home.sample && j < round->files->count; j++) {
            if (strncmp(round->files->lessons[j]->id, "24-", 3) == 0)
                home.sample = home_sample(round->files->lessons[j], round->frame);
        }
        home.time = i < 6 ? times[i] : -1;
        home.door = i < 6 ? doors[0] : doors[i % 3 + 1];
        home.chosen = i < 6 ? (Link){LINK_LESSON, i * 5, HOME_IN_COURSE, 0}
                            : home_first_of(&home, home.door);
        home.height = size.height;
        draw_home(&canvas, &home, i);
        assert_nothing_cut(&scene, "home");
        if (i < 6)
            look_at_scene(round, "home", theme, language, &scene);
        else
            look_at_list(round, theme, language, &scene, home.door);
        home.sample = NULL; /* it was this frame's */
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
    static const double scales[] = {1, 1.3, 2};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        Scene scene;
        arena_reset(round->frame);
        scene_init(&scene, round->frame, size.width / scales[i], size.height / scales[i],
                   theme->page);
        Canvas canvas = {.scene = &scene,
                         .theme = theme,
                         .metrics = round->metrics,
                         .language = language,
                         .enlarged = scales[i]};
        Help help = {.entries = entries,
                     .count = count,
                     .first = 5,
                     .scroll = i == 2 ? INFINITY : 0,
                     .close = {LINK_COMMAND, 1, 0, 0}};
        double scroll = help_draw(&canvas, &help);
        assert_true(isfinite(scroll) && (scroll > 0) == (i == 2));
        look_at_scene(round, "help", theme, language, &scene);
    }
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
        /* The stride is odd, so that languages alternate. */
        for (size_t j = 0; j < SIZE_COUNT * themes * languages;
             j += sample_one_in() / 4 | 1) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_home_and_help_hold_everything),
    };
    return cmocka_run_group_tests(tests, course_set_up_all, course_tear_down);
}

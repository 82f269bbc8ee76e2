#include "sweep.h"

#include "fixed_metrics.h"
#include "lesson/practise/practise.h"
#include "paint/paint.h"
#include "picture/explain/explain.h"
#include "picture/page/page.h"
#include "picture/tensors/views.h"
#include "sample.h"
#include "tensor/tape/tape.h"

#include <ctype.h>

typedef struct Sweep {
    const CourseFiles *files;
    const Shape *shape;
    TextMetrics metrics;
    unsigned bit;
    Outcome *outcomes;
    size_t outcome_count;
    Arena *frame, *spare;
    size_t ways, way; /* number of combinations of size, language, theme; current one */
    size_t steps[2], variants; /* counted so far: steps (not deep, deep), variants */
    size_t pages;              /* number of pages drawn */
} Sweep;

/* Of steps at depth DEEP or more, which resemble those above, one in DEEP_IN is drawn. */
enum { DEEP = 3, DEEP_IN = 8 };

/* Reports whether a lesson is of the course, whose lessons have a number. */
static bool is_of_course(const Lesson *lesson) {
    return isdigit((unsigned char)lesson->id[0]);
}

static void look_at(Sweep *sweep, const Page *page, bool whole) {
    Scene scene;
    arena_reset(sweep->frame);
    page_draw(&scene, sweep->frame, page);
    const Player *player = page->player;
    const bool of_course = is_of_course(player->lesson);
    Things things = things_of(&scene);
    View view = {.lesson = player->lesson->id,
                 .path = player_step(player)->path,
                 .metrics = sweep->shape->name,
                 .cell = player->cell,
                 .language = page->language,
                 .drawn = views_present(player, page->view),
                 .chosen = page->view != LESSON_VIEW_NONE,
                 .whole = whole,
                 .presents = page->presents,
                 .larger = text_scale_of(page),
                 .theme = page->theme,
                 .step = &player->lesson->steps[player_statement(player)],
                 .page = page,
                 .scene = &scene,
                 .things = &things,
                 .spare = sweep->spare};
    for (size_t i = 0; i < sweep->outcome_count; i++) {
        Outcome *outcome = &sweep->outcomes[i];
        const Check *check = outcome->check;
        if (!(check->shapes & sweep->bit) || !(check->everywhere || (whole && of_course)))
            continue;
        view.failures = &outcome->failures;
        view.out = outcome->out;
        check->look(&view);
        outcome->pages++;
    }
    free(things.items);
    sweep->pages++;
}

/* Examines one in variants_in of the variants. */
static void look_at_variant(Sweep *sweep, const Page *page) {
    if (sweep->variants++ % sweep->shape->variants_in == 0)
        look_at(sweep, page, false);
}

/* Examines a step at every depth of its text, in every view that fits, and with a cell of
 * an input pinned. */
static void look_at_variants(Sweep *sweep, Page *page) {
    for (page->words = WORDS_STORY; page->words < WORDS_COUNT; page->words++)
        look_at_variant(sweep, page);
    page->words = WORDS_USUAL;
    LessonView first = views_present(page->player, LESSON_VIEW_NONE);
    for (LessonView view = views_next(page->player, first); view != first;
         view = views_next(page->player, view)) {
        page->view = view;
        look_at_variant(sweep, page);
    }
    page->view = LESSON_VIEW_NONE;
    const Tape *tape = page->player->lesson->tape;
    const TapeNode *node = tape_node(tape, player_step(page->player)->node);
    if (!node->input_count)
        return;
    const Tensor *input = &tape_node(tape, node->inputs[0])->output;
    page->has_focus = true;
    page->focus = (Link){LINK_CELL, node->inputs[0], input->rows - 1, input->cols - 1};
    look_at_variant(sweep, page);
    page->has_focus = false;
}

/* Examines a step while its question is open, with the reply to each wrong answer, and
 * after the right answer. */
static void look_at_question(Sweep *sweep, Page *page) {
    Practise asked;
    const Player *player = page->player;
    if (!practise_begin_question(&asked, player, player->step))
        return;
    PractisePanel panel = {.practise = &asked, .answer = "", .chosen = 0};
    page->practise = &panel;
    look_at(sweep, page, false);
    for (size_t i = 0; i < practise_exercise(&asked)->count && practise_hides(&asked);
         i++) {
        practise_pick(&asked, i);
        look_at_variant(sweep, page);
    }
    practise_skip(&asked);
    look_at_variant(sweep, page);
    practise_finish(&asked);
    page->practise = NULL;
}

/* Examines a whole step, for a statement also its variants; if the step opens into cells,
 * also its first, middle and last cell. */
static void look_at_step(Sweep *sweep, Page *page, Player *player, size_t step) {
    player_jump(player, step);
    look_at(sweep, page, true);
    if (player_step(player)->depth == 1)
        look_at_variants(sweep, page);
    look_at_question(sweep, page);
    if (!player_has_cells(player, step) || player_step(player)->depth >= DEEP)
        return;
    player_move(player, PLAYER_DOWN);
    size_t count =
        tensor_cells(&tape_node(player->lesson->tape, player_step(player)->node)->output);
    const size_t cells[] = {0, count / 2, count - 1};
    for (size_t i = 0; i < 3; i++) {
        if (i && cells[i] == cells[i - 1])
            continue;
        player->cell = cells[i];
        look_at_variant(sweep, page);
    }
}

/* Returns true if the current combination of size, language and theme takes this step:
 * one in `of` steps, with the combinations as far apart as possible. */
static bool has_turn(Sweep *sweep, bool deep) {
    size_t of = sample_one_in() * sweep->shape->steps_in * (deep ? DEEP_IN : 1);
    size_t apart = of > sweep->ways ? of / sweep->ways : 1;
    return (sweep->steps[deep]++ + sweep->way * apart) % of == 0;
}

static void look_at_lesson(Sweep *sweep, const Lesson *lesson) {
    const Shape *shape = sweep->shape;
    const Languages *languages = &sweep->files->languages;
    const size_t before[] = {sweep->steps[false], sweep->steps[true]};
    const bool course = shape->traits & SHAPE_COURSE;
    Player player;
    assert_true(player_init(&player, lesson));
    for (sweep->way = 0; sweep->way < sweep->ways; sweep->way++) {
        size_t theme = sweep->way / languages->count / shape->size_count;
        Size size = shape->sizes[sweep->way / languages->count % shape->size_count];
        PageFit fit = page_fit(size.width, size.height);
        Page page = {.player = &player,
                     .theme = &sweep->files->themes.items[theme],
                     .metrics = &sweep->metrics,
                     .language = languages->items[sweep->way % languages->count],
                     .width = fit.width,
                     .height = fit.height,
                     .number = 7,
                     .text_scale = fmax(shape->text_scale,
                                        page_least_type(size.width, size.height)),
                     .presents = shape->traits & SHAPE_PRESENTED,
                     .sources = theme % 2};
        memcpy(sweep->steps, before, sizeof before);
        for (size_t step = 0; step < player.step_count; step++) {
            bool deep = player.steps[step].depth >= DEEP;
            if (!(course && deep) && has_turn(sweep, deep))
                look_at_step(sweep, &page, &player, step);
        }
    }
}

static double wide_advance(void *context, FontRole font, double size, const char *text,
                           size_t length) {
    return 1.15 * fixed_advance(context, font, size, text, length);
}

size_t sweep(const CourseFiles *files, const Shape *shape, unsigned bit,
             Outcome *outcomes, size_t count) {
    Error error;
    const bool own_fonts = shape->traits & SHAPE_OWN_FONTS;
    Fonts *fonts = own_fonts ? fonts_create(&error) : NULL;
    if (own_fonts && !fonts)
        return 0;
    Sweep sweep = {.files = files,
                   .shape = shape,
                   .metrics = fonts ? fonts_metrics(fonts) : fixed_metrics(),
                   .bit = bit,
                   .outcomes = outcomes,
                   .outcome_count = count,
                   .frame = arena_create(FRAME_BYTES),
                   .spare = arena_create(FRAME_BYTES),
                   .ways = shape->size_count * files->languages.count *
                           (shape->traits & SHAPE_THEMES ? files->themes.count : 1)};
    assert_non_null(sweep.frame);
    assert_non_null(sweep.spare);
    if (shape->traits & SHAPE_WIDE)
        sweep.metrics.advance = wide_advance;
    for (size_t i = 0; i < count; i++) {
        Outcome *outcome = &outcomes[i];
        if (!outcome->out)
            outcome->out = open_memstream(&outcome->report, &outcome->report_length);
        assert_non_null(outcome->out);
    }
    for (size_t i = 0; i < files->count; i++) {
        const Lesson *lesson = files->lessons[i];
        if (!(shape->traits & SHAPE_COURSE) || is_of_course(lesson))
            look_at_lesson(&sweep, lesson);
    }
    arena_destroy(sweep.frame);
    arena_destroy(sweep.spare);
    fonts_destroy(fonts);
    return sweep.pages;
}

void sweep_assert(Outcome *outcome) {
    if (outcome->out)
        fclose(outcome->out);
    outcome->out = NULL;
    print_message("# %zu pages\n", outcome->pages);
    if (outcome->failures)
        fputs(outcome->report, stderr);
    free(outcome->report);
    outcome->report = NULL;
    if (outcome->failures || !outcome->pages)
        fail_msg("%s: %zu failures on %zu pages", outcome->check->name, outcome->failures,
                 outcome->pages);
}

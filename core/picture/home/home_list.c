#include "picture/home/home_parts.h"

#include "lesson/content/content.h"
#include "picture/composites/composites.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "picture/stage/stage.h"
#include "picture/tensors/views.h"

#include <math.h>

/* The lessons of a door, each with the picture of its cover. */

/* Size before it is reduced. */
static const double PICTURE_WIDTH = 1000, PICTURE_HEIGHT = 562;
static const double LEAST_LINE = 0.8, AROUND = 14;
static const double LOW_ROW = 70;
enum { GOAL_LINES = 3, MARK_LINES = 5, TITLE_MOST = 8 };

/* ---- pictures ---- */

/* Bounding box of a picture's items from `first` on, widened to the page's
 * shape with a margin. */
static Box extent_of(const Scene *scene, size_t first, Box page) {
    double left = page.w, top = page.h, right = 0, bottom = 0;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP)
            continue;
        left = fmin(left, item->box.x);
        top = fmin(top, item->box.y);
        right = fmax(right, item->box.x + item->box.w);
        bottom = fmax(bottom, item->box.y + item->box.h);
    }
    if (right <= left || bottom <= top)
        return page;
    double scale =
        fmax((right - left + 2 * AROUND) / page.w, (bottom - top + 2 * AROUND) / page.h);
    double w = page.w * scale, h = page.h * scale;
    return (Box){(left + right - w) / 2, (top + bottom - h) / 2, w, h};
}

/* Draws a step's picture as on its page and reduces it to the box, without text, which
 * would be unreadable. */
static void draw_picture(const Canvas *canvas, const Player *of, Box box) {
    Player player = *of;
    player_jump(&player, step_picture_cover(of));
    Scene *scene = canvas->scene;
    Box page = {0, 0, PICTURE_WIDTH, PICTURE_HEIGHT}, area = box_inset(page, 20);
    Link link = scene->link;
    Canvas large = *canvas;
    large.without_legends = true;
    Stage stage = {.canvas = &large,
                   .player = &player,
                   .tape = player.lesson->tape,
                   .step = player_words(&player, player.step),
                   .visible = (size_t)-1,
                   .view = views_present(&player, LESSON_VIEW_NONE),
                   .area = area};
    scene_clip(scene, box);
    size_t first = scene->count, count = first;
    step_picture(&stage);
    for (size_t i = first; i < scene->count; i++) {
        if (scene->items[i].kind != SCENE_TEXT)
            scene->items[count++] = scene->items[i];
    }
    scene->count = count;
    Box from = extent_of(scene, first, page);
    double scale = box.w / from.w;
    scene_scale(scene, first, scale,
                (Point){box.x - from.x * scale, box.y - from.y * scale});
    for (size_t i = first; i < count; i++) {
        scene->items[i].link = link;
        scene->items[i].width = fmax(scene->items[i].width, LEAST_LINE);
    }
    scene_unclip(scene);
    scene_link(scene, link);
}

/* ---- rows ---- */

static const char *marks_of(const Canvas *canvas, const HomeLesson *lesson) {
    if (lesson->note)
        return lesson->note;
    if (lesson->broken)
        return canvas_string(canvas, "home.broken");
    const char *marks = home_seen(canvas, lesson);
    if (lesson->practised)
        marks =
            canvas_words(canvas, "home.practised", canvas_count(canvas, lesson->at_once),
                         canvas_count(canvas, lesson->practised), NULL);
    if (!lesson->answered)
        return marks;
    const char *answered = canvas_words(canvas, "home.answered",
                                        canvas_count(canvas, lesson->answered), NULL);
    return marks[0] ? canvas_format(canvas, "%s  ·  %s", marks, answered) : answered;
}

/* Goal of a lesson, behind the time that it takes. */
static const char *goal_of(const Canvas *canvas, const HomeLesson *lesson) {
    const char *goal = lesson->goal ? lesson->goal : "";
    if (!lesson->minutes)
        return goal;
    const char *time = canvas_words(canvas, "lesson.minutes",
                                    canvas_format(canvas, "%zu", lesson->minutes), NULL);
    return canvas_format(canvas, "%s%s%s", time, goal[0] ? " · " : "", goal);
}

/* Adds a block to the height used in a row, or empties it if it has no room. */
static void add_if_room(const Canvas *canvas, TextBlock *block, Box row, double *used) {
    double height = text_block_height(canvas, block, row.w);
    if (text_block_lines(canvas, block, row.w) > block->most || *used + height > row.h)
        block->text = "";
    else
        *used += height;
}

static void draw_row(const HomePicture *picture, const HomeSpot *spot) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const HomeLesson *lesson = &picture->home->lessons[spot->link.index];
    bool chosen = home_is_chosen(picture, spot->link);
    canvas_link(canvas, spot->link);
    scene_rectangle(canvas->scene, box_inset(spot->box, 2), 9,
                    chosen ? palette_mix(theme->bar, theme->ink_faint, 36) : theme->bar,
                    chosen ? theme->focus : (Color){0}, chosen ? 2 : 0);
    double around = spot->box.h < LOW_ROW ? 5 : 9;
    Box inner = {spot->box.x + 9, spot->box.y + around, spot->box.w - 18,
                 spot->box.h - 2 * around};
    Box number = box_take_left(&inner, 40);
    home_draw_number(picture, spot->link.index,
                     (Point){number.x + 18, number.y + number.h / 2}, 16, false);
    TextBlock title =
        text_block(canvas, FONT_BOLD, TYPE_TEXT, theme->ink, TITLE_MOST, lesson->title);
    TextBlock goal = text_block(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft,
                                GOAL_LINES, goal_of(canvas, lesson));
    TextBlock marks = text_block(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft,
                                 MARK_LINES, marks_of(canvas, lesson));
    double width = round(fmin(fmin(inner.h, 90) * 16 / 9, 0.46 * inner.w));
    double height = round(width * 9 / 16);
    if (height > 40 &&
        text_block_height(canvas, &title, inner.w - width - 10) <= inner.h) {
        Box small = box_take_right(&inner, width);
        small = (Box){small.x, round(small.y + (inner.h - height) / 2), width, height};
        scene_rectangle(canvas->scene, box_inset(small, -1), 4, theme->page, theme->line,
                        1);
        if (lesson->player)
            draw_picture(canvas, lesson->player, small);
        box_take_right(&inner, 10);
    }
    title.most = (size_t)fmax(floor(inner.h / round(title.size * title.spacing)), 1);
    double all = text_block_height(canvas, &title, inner.w);
    add_if_room(canvas, &marks, inner, &all); /* more important than the goal */
    add_if_room(canvas, &goal, inner, &all);
    inner.y += round(fmax((inner.h - all) / 2, 0));
    text_block_take(canvas, &title, &inner);
    text_block_take(canvas, &goal, &inner);
    text_block_draw(canvas, &marks, inner);
    canvas_unlink(canvas);
}

/* Title of a door. */
static const char *title_of(const Canvas *canvas, Link door) {
    if (door.index == HOME_OWN_LESSONS)
        return canvas_string(canvas, "home.mine");
    const char *name = lesson_block_name((LessonBlock)door.index);
    if (door.index == LESSON_BLOCK_ENCODER || door.index == LESSON_BLOCK_DECODER)
        return canvas_string(canvas, canvas_format(canvas, "home.%s", name));
    return canvas_string(canvas, canvas_format(canvas, "map.%s", name));
}

void home_draw_list(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const HomeLayout *layout = &picture->layout;
    const HomeSpot *door = home_spot(layout, picture->home->door);
    Box list = layout->list;
    if (!door || !(list.w > 0))
        return;
    canvas_link(canvas, picture->home->door);
    for (int i = 4; i > 0; i--) {
        canvas_fill(canvas,
                    box_inset((Box){list.x, list.y + 3, list.w, list.h}, -2.0 * i),
                    14 + 2.0 * i, (Color){0, 0, 0, 10});
    }
    scene_rectangle(canvas->scene, list, 14, theme->bar, theme->ink_faint, 1.5);
    Box head = {list.x + 20, list.y + 6, list.w - 40, 42};
    const char *more = "";
    if (layout->of_door > layout->row_count)
        more =
            canvas_words(canvas, "home.rows", canvas_count(canvas, layout->first_row + 1),
                         canvas_count(canvas, layout->first_row + layout->row_count),
                         canvas_count(canvas, layout->of_door), NULL);
    Box label = text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft, head,
                          LABEL_RIGHT, more);
    box_take_right(&head, label.w + 10);
    text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink, head, LABEL_LEFT,
              title_of(canvas, picture->home->door));
    canvas_unlink(canvas);
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->spots[i].group == HOME_LIST)
            draw_row(picture, &layout->spots[i]);
    }
}

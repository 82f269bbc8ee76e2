#include "picture/home/home_parts.h"

#include "lesson/content/content.h"
#include "picture/composites/composites.h"
#include "picture/tensors/views.h"
#include "picture/transitions/transitions.h"

#include <math.h>

/* The lessons of a door, each with the picture of its cover. */

/* Size before it is reduced. */
static const double PICTURE_WIDTH = 1000, PICTURE_HEIGHT = 562;
static const double LEAST_LINE = 0.8, AROUND = 14;
static const double LOW_ROW = 70, ROW_TITLE = 16.5, GOAL = 14, GOAL_LEADING = 1.25;
enum { GOAL_LINES = 3, MARK_LINES = 5, TITLE_MOST = 8 };

/* ---- pictures ---- */

/* Bounding box of a picture's items from `first` on, without text; widened to the page's
 * shape with a margin. */
static Box extent_of(const Scene *scene, size_t first, Box page) {
    double left = page.w, top = page.h, right = 0, bottom = 0;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP ||
            item->kind == SCENE_TEXT)
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
    size_t first = scene->count;
    step_picture(&stage);
    size_t end = scene->count;
    Box from = extent_of(scene, first, page);
    scene->count = first;
    for (size_t i = first; i < end; i++) {
        SceneItem item = scene->items[i];
        if (item.kind == SCENE_TEXT)
            continue;
        motion_move(scene, &item, from, box);
        item.link = link;
        item.width = fmax(item.width * box.w / from.w, LEAST_LINE);
        item.radius *= box.w / from.w;
        scene->items[scene->count++] = item;
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

/* Height of the goal's lines below the title, if the row has room for all of them. */
static double goal_height(const Canvas *canvas, const HomeLesson *lesson, Box row,
                          double used) {
    if (!lesson->goal || !lesson->goal[0])
        return 0;
    size_t lines;
    double size = canvas_size(canvas, GOAL, lesson->goal);
    double high = paragraph_measure(canvas->metrics, FONT_TEXT, size, row.w,
                                    round(size * GOAL_LEADING), GOAL_LINES + 1,
                                    lesson->goal, &lines);
    return lines <= GOAL_LINES && used + high <= row.h ? high : 0;
}

static void draw_goal(const Canvas *canvas, const HomeLesson *lesson, Box box) {
    double size = canvas_size(canvas, GOAL, lesson->goal);
    canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink_soft, box,
                     round(size * GOAL_LEADING), GOAL_LINES, lesson->goal);
}

/* Reports whether a title has room in a row's words of the given size. */
static bool has_room(const Canvas *canvas, const char *title, double width,
                     double height) {
    double size = canvas_size(canvas, ROW_TITLE, title), leading = round(size * 1.25);
    return paragraph_measure(canvas->metrics, FONT_BOLD, size, width, leading, TITLE_MOST,
                             title, NULL) <= height;
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
    double width = round(fmin(fmin(inner.h, 90) * 16 / 9, 0.46 * inner.w));
    double height = round(width * 9 / 16);
    if (height > 40 && has_room(canvas, lesson->title, inner.w - width - 10, inner.h)) {
        Box small = box_take_right(&inner, width);
        small = (Box){small.x, round(small.y + (inner.h - height) / 2), width, height};
        scene_rectangle(canvas->scene, box_inset(small, -1), 4, theme->page, theme->line,
                        1);
        if (lesson->player)
            draw_picture(canvas, lesson->player, small);
        box_take_right(&inner, 10);
    }
    const char *marks = marks_of(canvas, lesson);
    double size = canvas_size(canvas, ROW_TITLE, lesson->title),
           leading = round(size * 1.25);
    size_t lines, room = (size_t)fmax(floor(inner.h / leading), 1);
    paragraph_measure(canvas->metrics, FONT_BOLD, size, inner.w, leading, room + 1,
                      lesson->title, &lines);
    room -= marks[0] && room > lines; /* the whole title is more important */
    double high = paragraph_measure(canvas->metrics, FONT_BOLD, size, inner.w, leading,
                                    room, lesson->title, &lines);
    double small = canvas_size(canvas, 15, marks), line = round(small * 1.35);
    double noted = paragraph_measure(canvas->metrics, FONT_TEXT, small, inner.w, line,
                                     MARK_LINES, marks, NULL);
    double all = high + (marks[0] && inner.h >= high + noted ? noted : 0);
    double goal = goal_height(canvas, lesson, inner, all);
    all += goal;
    inner.y += round(fmax((inner.h - all) / 2, 0));
    canvas_paragraph(canvas, FONT_BOLD, size, theme->ink, inner, leading, room,
                     lesson->title);
    inner.y += high;
    if (goal > 0)
        draw_goal(canvas, lesson, box_take_top(&inner, goal));
    if (all > high + goal)
        canvas_paragraph(canvas, FONT_TEXT, small, theme->ink_soft, inner, line,
                         MARK_LINES, marks);
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
    Box label = canvas_label(canvas, FONT_TEXT, 15, theme->ink_soft,
                             (Point){head.x + head.w, head.y + 27}, LABEL_RIGHT, more);
    head.w -= label.w + 10;
    canvas_line(canvas, FONT_BOLD, 18, theme->ink, head,
                title_of(canvas, picture->home->door));
    canvas_unlink(canvas);
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->spots[i].group == HOME_LIST)
            draw_row(picture, &layout->spots[i]);
    }
}

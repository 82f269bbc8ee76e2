#include "picture/home/home_parts.h"

#include <math.h>
#include <string.h>

/* The course in order, a circle a lesson, under its parts' names; and the cards. */

static const double CIRCLE = 16, PART = 15.5, DETAIL = 26;

void home_draw_number(const HomePicture *picture, size_t lesson, Point centre,
                      double radius, bool chosen) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const HomeLesson *of = &picture->home->lessons[lesson];
    bool read = of->read >= 1, present = lesson == picture->home->present;
    Color fill = read ? theme->value : present ? theme->current : theme->bar;
    Color ink = read ? theme->page : present ? theme->current_ink : theme->ink;
    Color edge = chosen ? theme->focus : read || present ? fill : theme->ink_faint;
    canvas_dot(canvas, centre, radius, fill, edge, chosen ? 3 : 1.5);
    const char *number = canvas_format(canvas, "%zu", of->number);
    double size = canvas_size(canvas, 15, number);
    if (of->number || lesson < picture->home->count)
        canvas_text(canvas, FONT_BOLD, size, ink,
                    (Point){centre.x, round(centre.y + size * 0.36)}, LABEL_CENTER,
                    number);
    if (of->solved)
        home_draw_tick(canvas,
                       (Point){centre.x + radius * 0.85, centre.y - radius * 0.88}, 8);
}

/* The chosen circle says its lesson's title below the row. */
static void draw_title(const HomePicture *picture, const HomeSpot *spot) {
    const Canvas *canvas = picture->canvas;
    const HomeLesson *lesson = &picture->home->lessons[spot->link.index];
    Box course = picture->layout.course;
    double size = canvas_size(canvas, 16, lesson->title);
    double title = canvas_text_width(canvas, FONT_BOLD, size, lesson->title) + 28;
    LabelFit goal = {.text = ""};
    double told = 0;
    if (lesson->goal && lesson->goal[0]) {
        goal = canvas_fit(canvas, FONT_TEXT, canvas_size(canvas, 15, lesson->goal),
                          course.w - title - 16, lesson->goal);
        told = canvas_text_width(canvas, FONT_TEXT, goal.size, goal.text) + 16;
    }
    double width = title + told;
    double x = spot->box.x + spot->box.w / 2 - width / 2;
    x = fmin(fmax(x, course.x), course.x + course.w - width);
    Box box = {round(x), course.y + course.h - 37, ceil(width), 34};
    canvas_fill(canvas, box, 8, canvas->theme->current);
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->current_ink,
                (Point){box.x + 14, round(box.y + 17 + size * 0.36)}, LABEL_LEFT,
                lesson->title);
    if (told > 0)
        canvas_text(canvas, FONT_TEXT, goal.size, canvas->theme->current_ink,
                    (Point){box.x + title + 2, round(box.y + 17 + size * 0.36)},
                    LABEL_LEFT, goal.text);
}

/* A part's name under its lessons' circles, from the first to the last of them. */
static void draw_part(const HomePicture *picture, const HomeSpot *first,
                      const HomeSpot *last) {
    const Canvas *canvas = picture->canvas;
    const char *part = picture->home->lessons[first->link.index].part;
    double left = first->box.x + 5, right = last->box.x + last->box.w - 5;
    double y = first->box.y + first->box.h + 7;
    if (!part || !part[0])
        return;
    canvas_fill(canvas, (Box){left, y, right - left, 2}, 1, canvas->theme->line);
    double size = canvas_size(canvas, PART, part);
    LabelFit fit = canvas_fit(canvas, FONT_TEXT, size, right - left, part);
    canvas_text(canvas, FONT_TEXT, fit.size, canvas->theme->ink_soft,
                (Point){(left + right) / 2, round(y + 10 + fit.size)}, LABEL_CENTER,
                fit.text);
}

static bool same_part(const HomePicture *picture, const HomeSpot *a, const HomeSpot *b) {
    const HomeLesson *lessons = picture->home->lessons;
    const char *one = lessons[a->link.index].part, *other = lessons[b->link.index].part;
    return one && other && strcmp(one, other) == 0;
}

static void draw_row(const HomePicture *picture) {
    const HomeLayout *layout = &picture->layout;
    const HomeSpot *first = NULL, *chosen = NULL;
    for (size_t i = 0; i < layout->count; i++) {
        const HomeSpot *spot = &layout->spots[i], *next = spot + 1;
        if (spot->group != HOME_COURSE)
            continue;
        bool is_chosen = home_is_chosen(picture, spot->link);
        chosen = is_chosen ? spot : chosen;
        canvas_link(picture->canvas, spot->link);
        canvas_target(picture->canvas, spot->box);
        double radius = fmin(CIRCLE, spot->box.w / 2 - 2);
        home_draw_number(
            picture, spot->link.index,
            (Point){spot->box.x + spot->box.w / 2, spot->box.y + spot->box.h / 2}, radius,
            is_chosen);
        canvas_unlink(picture->canvas);
        first = first ? first : spot;
        bool ends = i + 1 == layout->count || next->group != HOME_COURSE ||
                    !same_part(picture, spot, next);
        if (ends)
            draw_part(picture, first, spot);
        first = ends ? NULL : first;
    }
    if (chosen)
        draw_title(picture, chosen);
}

/* ---- cards ---- */

static void draw_card(const HomePicture *picture, const HomeCard *card, Box box) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    bool chosen = home_is_chosen(picture, card->link);
    Color edge = chosen ? theme->accent : card->strong ? theme->current : theme->line;
    canvas_link(canvas, card->link);
    scene_rectangle(canvas->scene, box, 12, card->strong ? theme->current : theme->bar,
                    edge, chosen ? 4 : 1.5);
    double left = box.x + 22, width = box.w - 44, middle = box.y + box.h / 2;
    Color ink = card->strong ? theme->current_ink : theme->ink;
    double size = canvas_size(canvas, 20, card->title);
    bool wide = canvas_text_width(canvas, FONT_BOLD, size, card->title) > width;
    bool two = card->detail[0] && box.h >= 60 && !wide, three = false;
    double below = middle + 1;
    if (wide && box.h >= 60) { /* its own two lines are worth more than the detail */
        size = canvas_size(canvas, 18, card->title);
        double leading = round(size * 1.2);
        double high = paragraph_measure(canvas->metrics, FONT_BOLD, size, width, leading,
                                        2, card->title, NULL);
        three = card->detail[0] && high + DETAIL + 6 <= box.h;
        double top = round(middle - (high + (three ? DETAIL : 0)) / 2);
        canvas_paragraph(canvas, FONT_BOLD, size, ink, (Box){left, top, width, high},
                         leading, 2, card->title);
        below = three ? top + high - 2 : below;
    } else {
        canvas_line(canvas, FONT_BOLD, 20, ink,
                    (Box){left, middle - (two ? 30 : 15), width, 30}, card->title);
    }
    Color soft = card->strong ? palette_mix(theme->current_ink, theme->current, 40)
                              : theme->ink_soft;
    if (two || three)
        canvas_line(canvas, FONT_TEXT, 16, soft, (Box){left, below, width, DETAIL},
                    card->detail);
    canvas_unlink(canvas);
}

static void draw_cards(const HomePicture *picture) {
    const Home *home = picture->home;
    size_t card = 0;
    for (size_t i = 0; i < picture->layout.count; i++) {
        const HomeSpot *spot = &picture->layout.spots[i];
        if (spot->group == HOME_CARDS)
            draw_card(picture, &home->cards[card++], spot->box);
    }
}

/* ---- what stands below ---- */

static void draw_footer(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const Home *home = picture->home;
    Box area = picture->layout.footer;
    canvas_fill(canvas, (Box){0, area.y, home->width, area.h}, 0, theme->bar);
    canvas_fill(canvas, (Box){0, area.y, home->width, 1}, 0, theme->line);
    double baseline = round(area.y + area.h / 2 + 6);
    canvas_label(canvas, FONT_TEXT, 16, theme->ink_soft, (Point){area.x, baseline},
                 LABEL_LEFT, canvas_words(canvas, "home.keys", home->go_on, NULL));
    size_t button = 0;
    for (size_t i = 0; i < picture->layout.count; i++) {
        const HomeSpot *spot = &picture->layout.spots[i];
        if (spot->group != HOME_BUTTONS)
            continue;
        bool chosen = home_is_chosen(picture, spot->link);
        canvas_link(canvas, spot->link);
        canvas_target(canvas, spot->box);
        if (chosen)
            canvas_outline(canvas, spot->box, 8, theme->focus, 2);
        canvas_label(canvas, FONT_TEXT, 16, chosen ? theme->ink : theme->ink_soft,
                     (Point){spot->box.x + spot->box.w / 2, baseline}, LABEL_CENTER,
                     home->buttons[button].words);
        canvas_unlink(canvas);
        button++;
    }
}

void home_draw_course(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    Box area = picture->layout.course;
    draw_cards(picture);
    draw_footer(picture);
    canvas_line(canvas, FONT_BOLD, 17, canvas->theme->ink_soft,
                (Box){area.x, area.y + 4, 110, 46}, canvas_string(canvas, "home.course"));
    draw_row(picture);
}

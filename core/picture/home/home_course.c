#include "picture/home/home_parts.h"

#include "base/strings/utf8.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

/* The course in order, a circle for each lesson, under its parts' names; and the
 * cards. */

static const double CIRCLE = 17, PART_HEIGHT = 40, SPACING = 1.22, KEYS_LEAST = 240,
                    ONE_LINE = 128; /* height of a course in one line */
enum { CARD_LINES = 2, FOOT_LINES = 2 };

const char *home_seen(const Canvas *canvas, const HomeLesson *lesson) {
    return lesson->read >= 1  ? canvas_string(canvas, "home.read")
           : lesson->read > 0 ? canvas_string(canvas, "home.begun")
                              : "";
}

/* A lesson's number, or the first letter of its title if its file's name has none. */
static const char *sign_of(const Canvas *canvas, const HomeLesson *lesson) {
    size_t end = 0, length = strlen(lesson->title);
    if (!lesson->unnumbered)
        return canvas_format(canvas, "%zu", lesson->number);
    if (length)
        utf8_next(lesson->title, length, &end);
    return canvas_format(canvas, "%.*s", (int)end, lesson->title);
}

void home_draw_number(const HomePicture *picture, size_t lesson, Point centre,
                      double radius, bool chosen) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const HomeLesson *of = &picture->home->lessons[lesson];
    bool begun = of->read > 0, seen = of->read >= 1,
         present = lesson == picture->home->present;
    bool answered = seen && (of->answered || of->practised);
    Color fill = answered ? theme->value : present ? theme->current : theme->bar;
    Color ink = answered ? theme->page : present ? theme->current_ink : theme->ink;
    Color edge = chosen    ? theme->focus
                 : begun   ? theme->value
                 : present ? fill
                           : theme->ink_faint;
    canvas_dot(canvas, centre, radius, fill, edge, chosen || begun ? 3 : 1.5);
    text_line(canvas, FONT_BOLD, TYPE_TEXT, ink,
              (Box){centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
              LABEL_CENTER, sign_of(canvas, of));
    if (seen)
        home_draw_tick(canvas,
                       (Point){centre.x + radius * 0.85, centre.y - radius * 0.98}, 8);
}

/* "13 · Masks". */
static const char *title_of(const Canvas *canvas, const HomeLesson *lesson) {
    return lesson->unnumbered
               ? lesson->title
               : canvas_format(canvas, "%zu · %s", lesson->number, lesson->title);
}

/* Title, progress and goal of a circle's lesson; in a course of several lines without the
 * goal. */
static Tip tip_of(const HomePicture *picture, const HomeSpot *spot) {
    const HomeLesson *lesson = &picture->home->lessons[spot->link.index];
    const char *seen = home_seen(picture->canvas, lesson);
    const char *title = title_of(picture->canvas, lesson);
    return (Tip){.name = seen[0]
                             ? canvas_format(picture->canvas, "%s  ·  %s", title, seen)
                             : title,
                 .key = "",
                 .why = picture->layout.course.h <= ONE_LINE ? lesson->goal : NULL};
}

/* Byte at which a text breaks into two lines of most equal length; 0 if it has no
 * blank. */
static size_t middle_blank(const Canvas *canvas, double size, const char *words) {
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 1; words[i]; i++) {
        if (words[i] != ' ')
            continue;
        const char *first = canvas_format(canvas, "%.*s", (int)i, words);
        double wide = fmax(canvas_text_width(canvas, FONT_TEXT, size, first),
                           canvas_text_width(canvas, FONT_TEXT, size, words + i + 1));
        best = wide < least ? i : best;
        least = fmin(wide, least);
    }
    return best;
}

/* Draws a part's name centred, in one line or two. */
static void draw_part_name(const Canvas *canvas, double left, double right, double y,
                           const char *part) {
    double size = canvas_size(canvas, TYPE_TEXT, part), x = (left + right) / 2;
    size_t blank = 0;
    if (canvas_text_width(canvas, FONT_TEXT, size, part) > right - left)
        blank = middle_blank(canvas, size, part);
    const char *first = blank ? canvas_format(canvas, "%.*s", (int)blank, part) : part;
    const char *const lines[] = {first, part + blank + 1};
    for (size_t i = 0; i < (blank ? 2 : 1); i++)
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){x, round(y + size + (double)i * size * 1.2)}, LABEL_CENTER,
                    lines[i]);
}

/* Draws a part's name under its lessons' circles, centred from the first to the last. */
static void draw_part(const HomePicture *picture, const HomeSpot *first,
                      const HomeSpot *last, const HomeSpot *chosen) {
    const Canvas *canvas = picture->canvas;
    const char *part = picture->home->lessons[first->link.index].part;
    double left = first->box.x + 5, right = last->box.x + last->box.w - 5;
    double y = first->box.y + first->box.h + 7;
    if (!part || !part[0])
        return;
    canvas_fill(canvas, (Box){left, y, right - left, 2}, 1, canvas->theme->line);
    Box name = {left - 10, y + 8, right - left + 20, PART_HEIGHT};
    Tip tip = chosen ? tip_of(picture, chosen) : (Tip){0};
    if (!chosen || !boxes_meet(tip_box(canvas, &tip, chosen->box), name))
        draw_part_name(canvas, left, right, y + 10, part);
}

static bool same_part(const HomePicture *picture, const HomeSpot *a, const HomeSpot *b) {
    const HomeLesson *lessons = picture->home->lessons;
    const char *one = lessons[a->link.index].part, *other = lessons[b->link.index].part;
    return one && other && strcmp(one, other) == 0 && a->box.y == b->box.y;
}

static const HomeSpot *chosen_circle(const HomePicture *picture) {
    const HomeSpot *spot = home_spot(&picture->layout, picture->home->chosen);
    return spot && spot->group == HOME_COURSE ? spot : NULL;
}

static void draw_row(const HomePicture *picture) {
    const HomeLayout *layout = &picture->layout;
    const HomeSpot *first = NULL, *chosen = chosen_circle(picture);
    for (size_t i = 0; i < layout->count; i++) {
        const HomeSpot *spot = &layout->spots[i], *next = spot + 1;
        if (spot->group != HOME_COURSE)
            continue;
        bool is_chosen = spot == chosen;
        canvas_link(picture->canvas, spot->link);
        canvas_target(picture->canvas, spot->box);
        double radius = fmin(CIRCLE, spot->box.w / 2 - 1.5);
        home_draw_number(picture, spot->link.index, box_middle(spot->box), radius,
                         is_chosen);
        canvas_unlink(picture->canvas);
        first = first ? first : spot;
        bool ends = i + 1 == layout->count || next->group != HOME_COURSE ||
                    !same_part(picture, spot, next);
        if (ends)
            draw_part(picture, first, spot, chosen);
        first = ends ? NULL : first;
    }
}

void home_draw_tip(const HomePicture *picture) {
    const HomeSpot *chosen = chosen_circle(picture);
    Tip tip = chosen ? tip_of(picture, chosen) : (Tip){0};
    if (chosen)
        tip_draw(picture->canvas, &tip, chosen->box);
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
    Color ink = card->strong ? theme->current_ink : theme->ink;
    Color soft = card->strong ? palette_mix(theme->current_ink, theme->current, 40)
                              : theme->ink_soft;
    Box inner = {box.x + 22, box.y + 4, box.w - 44, box.h - 8};
    TextBlock title =
        text_block(canvas, FONT_BOLD, TYPE_LARGE, ink, CARD_LINES, card->title);
    TextBlock detail =
        text_block(canvas, FONT_TEXT, TYPE_LARGE, soft, CARD_LINES, card->detail);
    title.spacing = detail.spacing = SPACING;
    double high = text_block_fit(canvas, &title, inner.w, inner.h);
    double below = text_block_fit(canvas, &detail, inner.w, INFINITY);
    bool both = high + below <= inner.h; /* the name is more important */
    inner.y += round((inner.h - high - (both ? below : 0)) / 2);
    text_block_take(canvas, &title, &inner);
    if (both)
        text_block_draw(canvas, &detail, inner);
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

/* ---- footer ---- */

/* Area left of the buttons. */
static Box keys_area(const HomeLayout *layout) {
    Box area = layout->footer;
    double end = area.x + area.w;
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->spots[i].group == HOME_BUTTONS)
            end = fmin(end, layout->spots[i].box.x);
    }
    area.w = end - area.x - 20;
    return area;
}

/* Draws the message in place of the keys, if there is room. */
static void draw_message(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const char *message = picture->home->message;
    Box area = keys_area(&picture->layout);
    if (area.w < KEYS_LEAST)
        area = picture->layout.footer;
    double width = canvas_message_width(canvas, area.w, message);
    canvas_message(canvas, area.x + width, area.y + area.h - 10, width,
                   canvas->theme->current, canvas->theme->current_ink, message);
}

/* Draws the title of the chosen circle or the keys' descriptions, if there is room, in as
 * many lines as necessary. */
static void draw_keys(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    Box area = keys_area(&picture->layout);
    const HomeSpot *chosen = chosen_circle(picture);
    const char *words =
        chosen ? title_of(canvas, &picture->home->lessons[chosen->link.index])
               : canvas_string(canvas, "home.keys");
    if (area.w < KEYS_LEAST)
        return;
    TextBlock keys = text_block(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink_soft,
                                FOOT_LINES, words);
    area.y += round((area.h - text_block_fit(canvas, &keys, area.w, area.h)) / 2);
    text_block_draw(canvas, &keys, area);
}

void home_draw_footer(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const Home *home = picture->home;
    Box area = picture->layout.footer;
    double width = picture->layout.screen.w;
    canvas_fill(canvas, (Box){0, area.y, width, area.h}, 0, theme->bar);
    canvas_fill(canvas, (Box){0, area.y, width, 1}, 0, theme->line);
    if (!home->message)
        draw_keys(picture);
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
        text_line(canvas, FONT_TEXT, TYPE_LARGE, chosen ? theme->ink : theme->ink_soft,
                  spot->box, LABEL_CENTER, home->buttons[button++].words);
        canvas_unlink(canvas);
    }
    if (home->message)
        draw_message(picture);
}

void home_draw_course(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    Box area = picture->layout.course;
    draw_cards(picture);
    if (picture->layout.course_words > 0)
        text_line(canvas, FONT_BOLD, TYPE_TEXT, canvas->theme->ink_soft,
                  (Box){area.x, area.y + 4, 110, 46}, LABEL_LEFT,
                  canvas_string(canvas, "home.course"));
    draw_row(picture);
}

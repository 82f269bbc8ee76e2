#include "picture/home/home_parts.h"

#include "base/strings/utf8.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

/* The course in order, a circle for each lesson, under its parts' names; and the
 * cards. */

static const double CIRCLE = 16, PART = 16.8, PART_LINES = 2.4, GOAL_WIDTH = 760,
                    LINE = 1.22, ONE_LINE = 128; /* height of a course in one line */
enum { GOAL_LINES = 3, CARD_LINES = 2, FOOT_LINES = 2 };
static const double KEYS_LEAST = 240;

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
    const char *sign = sign_of(canvas, of);
    double size = canvas_size(canvas, 16.5, sign);
    canvas_text(canvas, FONT_BOLD, size, ink,
                (Point){centre.x, label_baseline(centre.y, size)}, LABEL_CENTER, sign);
    if (seen)
        home_draw_tick(canvas,
                       (Point){centre.x + radius * 0.85, centre.y - radius * 0.88}, 8);
}

/* Title, progress and goal of the chosen circle's lesson: the goal beside the title in
 * one line, or below it in several. */
typedef struct LessonTitle {
    const char *title, *goal;
    double title_size, title_width, goal_size, leading, width, height;
    bool below;
} LessonTitle;

static LessonTitle say(const Canvas *canvas, const HomeLesson *lesson, bool goal,
                       double room) {
    const char *seen = home_seen(canvas, lesson);
    LessonTitle shown = {
        .title = seen[0] ? canvas_format(canvas, "%s  ·  %s", lesson->title, seen)
                         : lesson->title,
        .goal = goal && lesson->goal ? lesson->goal : ""};
    shown.title_size = canvas_size(canvas, 16, shown.title);
    shown.title_width =
        canvas_text_width(canvas, FONT_BOLD, shown.title_size, shown.title) + 28;
    shown.width = shown.title_width;
    shown.height = 34;
    if (!shown.goal[0])
        return shown;
    shown.goal_size = canvas_size(canvas, 15, shown.goal);
    shown.leading = round(shown.goal_size * 1.25);
    double wide = canvas_text_width(canvas, FONT_TEXT, shown.goal_size, shown.goal) + 16;
    shown.below = shown.width + wide > room;
    if (!shown.below) {
        shown.width += wide;
        return shown;
    }
    shown.width = fmin(fmax(shown.width, GOAL_WIDTH), room);
    shown.height += 6 + paragraph_measure(canvas->metrics, FONT_TEXT, shown.goal_size,
                                          shown.width - 28, shown.leading, GOAL_LINES,
                                          shown.goal, NULL);
    return shown;
}

/* Texts of the chosen lesson; in a course of several lines only the title. */
static LessonTitle lesson_title(const HomePicture *picture, const HomeSpot *spot) {
    Box course = picture->layout.course;
    return say(picture->canvas, &picture->home->lessons[spot->link.index],
               course.h <= ONE_LINE, course.w);
}

/* Box of the chosen lesson's title below its row; the parts' names there give way to
 * it. */
static Box title_box(const HomePicture *picture, const HomeSpot *spot) {
    Box course = picture->layout.course;
    LessonTitle shown = lesson_title(picture, spot);
    double x = spot->box.x + spot->box.w / 2 - shown.width / 2;
    x = fmin(fmax(x, course.x), course.x + course.w - shown.width);
    double low = spot->box.y + (course.h <= ONE_LINE ? 121 : 88);
    return (Box){round(x), fmax(low - shown.height, spot->box.y + 48), ceil(shown.width),
                 shown.height};
}

static void draw_title(const HomePicture *picture, const HomeSpot *spot) {
    const Canvas *canvas = picture->canvas;
    LessonTitle shown = lesson_title(picture, spot);
    Color ink = canvas->theme->current_ink;
    Box box = title_box(picture, spot);
    canvas_fill(canvas, box, 8, canvas->theme->current);
    LabelFit title = canvas_fit(canvas, FONT_BOLD, shown.title_size, shown.width - 28 + 1,
                                shown.title);
    canvas_text(canvas, FONT_BOLD, title.size, ink,
                (Point){box.x + 14, label_baseline(box.y + 17, title.size)}, LABEL_LEFT,
                title.text);
    if (shown.below)
        canvas_paragraph(canvas, FONT_TEXT, shown.goal_size, ink,
                         (Box){box.x + 14, box.y + 32, box.w - 28, 0}, shown.leading,
                         GOAL_LINES, shown.goal);
    else if (shown.goal[0])
        canvas_text(canvas, FONT_TEXT, shown.goal_size, ink,
                    (Point){box.x + shown.title_width + 2,
                            label_baseline(box.y + 17, shown.goal_size)},
                    LABEL_LEFT, shown.goal);
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
    double size = canvas_size(canvas, PART, part), x = (left + right) / 2;
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
    Box title = chosen ? title_box(picture, chosen) : (Box){0};
    Box name = {left - 10, y + 8, right - left + 20, PART_LINES * PART};
    if (!boxes_meet(title, name))
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
            draw_part(picture, first, spot, chosen);
        first = ends ? NULL : first;
    }
    if (chosen)
        draw_title(picture, chosen);
}

/* ---- cards ---- */

/* Height of a text in at most *lines lines, in smaller type if necessary; sets *lines to
 * their number. */
static double card_text(const Canvas *canvas, FontRole font, double *size, double least,
                        Box area, size_t *lines, const char *words) {
    size_t most = *lines, needed;
    for (;; --*size) {
        paragraph_measure(canvas->metrics, font, *size, area.w, round(*size * LINE),
                          most + 1, words, &needed);
        if (needed <= most || *size <= least)
            break;
    }
    *lines = needed < most ? needed : most;
    return (double)*lines * round(*size * LINE);
}

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
    double size = canvas_size(canvas, 20, card->title), most = size;
    if (canvas_text_width(canvas, FONT_BOLD, size, card->title) > inner.w)
        size = canvas_size(canvas, 18, card->title);
    double least = canvas_least(canvas, card->title), small = 0, below = 0;
    size_t lines = CARD_LINES;
    double high = card_text(canvas, FONT_BOLD, &size, least, inner, &lines, card->title);
    size_t detail_lines = CARD_LINES;
    if (card->detail[0]) {
        small = canvas_size(canvas, 19, card->detail);
        below = card_text(canvas, FONT_TEXT, &small, canvas_least(canvas, card->detail),
                          inner, &detail_lines, card->detail);
    }
    double gap = lines > 1 || size < most ? 0 : 3; /* the name is more important */
    below = high + gap + below <= inner.h ? below : 0;
    inner.y += round((inner.h - high - (below > 0 ? gap + below : 0)) / 2);
    canvas_paragraph(canvas, FONT_BOLD, size, ink, inner, round(size * LINE), lines,
                     card->title);
    inner.y += high + gap;
    if (below > 0)
        canvas_paragraph(canvas, FONT_TEXT, small, soft, inner, round(small * LINE),
                         detail_lines, card->detail);
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

/* Draws the keys' descriptions, if there is room, in as many lines as necessary. */
static void draw_keys(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    Box area = keys_area(&picture->layout);
    const char *words = canvas_string(canvas, "home.keys");
    if (area.w < KEYS_LEAST)
        return;
    double size = canvas_size(canvas, 19, words);
    size_t lines = FOOT_LINES;
    double high = card_text(canvas, FONT_TEXT, &size, canvas_least(canvas, words), area,
                            &lines, words);
    area.y += round((area.h - high) / 2);
    canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink_soft, area,
                     round(size * LINE), lines, words);
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
        double baseline = round(spot->box.y + spot->box.h / 2 + 6);
        canvas_label(canvas, FONT_TEXT, 19, chosen ? theme->ink : theme->ink_soft,
                     (Point){spot->box.x + spot->box.w / 2, baseline}, LABEL_CENTER,
                     home->buttons[button].words);
        canvas_unlink(canvas);
        button++;
    }
    if (home->message)
        draw_message(picture);
}

void home_draw_course(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    Box area = picture->layout.course;
    draw_cards(picture);
    canvas_line(canvas, FONT_BOLD, 17, canvas->theme->ink_soft,
                (Box){area.x, area.y + 4, 110, 46}, canvas_string(canvas, "home.course"));
    draw_row(picture);
}

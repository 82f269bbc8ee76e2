#include "picture/home/home_parts.h"

#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

/* The towers of home: doors, the lines between them, and the light. */

static const double STRIPE = 7, RADIUS = 9, TRUNK = 6;
enum { TINT = 46, FRAME_TINT = 13 }; /* of 256 parts of a colour */

bool home_is_chosen(const HomePicture *picture, Link link) {
    return link_equal(picture->home->chosen, link) ||
           link_equal(picture->home->door, link);
}

/* ---- texts of doors ---- */

/* Numbers of a door's lessons: "7–10 12 15". */
static const char *numbers_behind(const HomePicture *picture, Link door) {
    const Home *home = picture->home;
    const char *words = "";
    size_t first = 0, last = 0;
    bool any = false;
    for (size_t i = 0;; i++) {
        size_t lesson = home_behind(home, door, i);
        size_t number = lesson < home->all ? home->lessons[lesson].number : 0;
        if (lesson < home->all && home->lessons[lesson].unnumbered)
            continue;
        if (lesson < home->all && any && number == last + 1) {
            last = number;
            continue;
        }
        const char *gap = words[0] ? " " : "";
        if (any && last == first)
            words = canvas_format(picture->canvas, "%s%s%zu", words, gap, first);
        else if (any)
            words = canvas_format(picture->canvas, "%s%s%zu%s%zu", words, gap, first,
                                  last == first + 1 ? " " : "–", last);
        if (lesson == home->all)
            return words;
        first = last = number;
        any = true;
    }
}

/* Reports whether all lessons of a door were seen to their end. */
static bool is_read(const Home *home, Link door) {
    size_t i = 0;
    for (size_t lesson; (lesson = home_behind(home, door, i)) < home->all; i++) {
        if (home->lessons[lesson].read < 1)
            return false;
    }
    return i > 0;
}

void home_draw_tick(const Canvas *canvas, Point centre, double radius) {
    const Theme *theme = canvas->theme;
    Box box = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
    canvas_dot(canvas, centre, radius, theme->value, theme->page, 2);
    tool_draw(canvas, TOOL_USE, box_inset(box, radius * 0.45), theme->page);
}

/* ---- doors ---- */

/* Brightness of the light at a height of a tower. */
static double glow_at(const HomePicture *picture, size_t tower, double y) {
    const Tower *of = &picture->layout.towers.items[tower];
    double progress = picture->light.tower[tower], pitch = picture->layout.towers.pitch;
    Box low = of->boxes[0].box, high = of->boxes[of->count - 1].box;
    if (progress <= 0 || progress >= 1)
        return 0;
    double at = low.y + low.h + progress * (high.y - low.y - low.h);
    return fmax(1 - fabs(at - y) / (1.1 * pitch), 0);
}

/* Draws a door's name and its lessons' numbers side by side or, without room, below each
 * other. */
static void draw_door_words(const HomePicture *picture, Box box, const char *name,
                            const char *numbers) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    double wide = text_line_width(canvas, FONT_BOLD, TYPE_LARGE, name);
    double used = text_line_width(canvas, FONT_TEXT, TYPE_LARGE, numbers);
    Box words = {box.x + 26, box.y + 2, box.w - 40, box.h - 4}, rest = words;
    bool two = wide + 10 + used > words.w;
    if (two)
        words = box_take_top(&rest, rest.h / 2);
    text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink, words, LABEL_LEFT, name);
    text_line(canvas, FONT_TEXT, TYPE_LARGE, theme->ink_soft, rest,
              two ? LABEL_LEFT : LABEL_RIGHT, numbers);
}

static void draw_door(const HomePicture *picture, Link link, Box box, Color role,
                      const char *name, double glow) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    bool chosen = home_is_chosen(picture, link);
    int light = (int)lround(glow * TINT);
    Color fill = palette_mix(theme->bar, role, light);
    Color edge = palette_mix(theme->line, role, (int)lround(256 * glow));
    canvas_link(canvas, link);
    scene_rectangle(canvas->scene, box, RADIUS, fill, chosen ? theme->focus : edge,
                    chosen ? 3 : 1.5);
    canvas_fill(canvas, (Box){box.x + 7, box.y + 8, STRIPE, box.h - 16}, STRIPE / 2,
                role);
    draw_door_words(picture, box, name, numbers_behind(picture, link));
    canvas_unlink(canvas);
    if (is_read(picture->home, link))
        home_draw_tick(canvas, (Point){box.x + box.w - 4, box.y + 3}, 9);
}

static void draw_tower_doors(const HomePicture *picture, size_t t) {
    const HomeLayout *layout = &picture->layout;
    const Tower *tower = &layout->towers.items[t];
    for (size_t i = 0; i < tower->count; i++) {
        const TowerBox *box = &tower->boxes[i];
        Color role = tower_box_color(picture->canvas->theme, box);
        double glow = glow_at(picture, t, box->box.y + box->box.h / 2);
        if (box->reads_memory && picture->light.memory_trace >= 1)
            glow = fmax(glow, picture->light.memory);
        draw_door(picture, home_door(layout, t, i), box->box, role,
                  canvas_string(picture->canvas, box->key), glow);
    }
}

/* Draws the frame around a layer, and its name above it, which is a door too. */
static void draw_frame(const HomePicture *picture, size_t t) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const Tower *tower = &picture->layout.towers.items[t];
    Link link = home_door(&picture->layout, t, TOWER_BOXES_MAX);
    bool chosen = home_is_chosen(picture, link);
    canvas_link(canvas, link);
    Box frame = tower->frame;
    scene_rectangle(canvas->scene, frame, 16,
                    palette_mix(theme->page, theme->ink_faint, FRAME_TINT * 2),
                    chosen ? theme->focus : theme->line, chosen ? 3 : 1.5);
    const HomeSpot *spot = home_spot(&picture->layout, link);
    if (spot) {
        const char *key = canvas_format(canvas, "home.%s", tower->tower->name);
        canvas_target(canvas, spot->box);
        Box label = {frame.x + 14, spot->box.y + 4, frame.w - 35, spot->box.h - 4};
        text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink_soft, label, LABEL_LEFT,
                  canvas_string(canvas, key));
        text_line(canvas, FONT_TEXT, TYPE_LARGE, theme->ink_soft, label, LABEL_RIGHT,
                  numbers_behind(picture, link));
    }
    canvas_unlink(canvas);
}

/* ---- lines ---- */

static void draw_light(const HomePicture *picture, Point at) {
    const Canvas *canvas = picture->canvas;
    Color glow = canvas->theme->accent;
    for (int i = 3; i > 0; i--) {
        glow.a = (uint8_t)40;
        canvas_dot(canvas, at, 5 + 5.0 * i, glow, (Color){0}, 0);
    }
    glow.a = (uint8_t)255;
    canvas_dot(canvas, at, 6, glow, (Color){0}, 0);
}

/* Draws the line that a tower's boxes stand on, and the light in it. */
static void draw_trunk(const HomePicture *picture, size_t t) {
    const Canvas *canvas = picture->canvas;
    const Tower *tower = &picture->layout.towers.items[t];
    Box low = tower->boxes[0].box, high = tower->boxes[tower->count - 1].box;
    tower_draw_trunk(canvas, tower, TRUNK,
                     palette_mix(canvas->theme->page, canvas->theme->residual, 70));
    double progress = picture->light.tower[t], from = low.y + low.h;
    if (progress > 0 && progress < 1)
        draw_light(picture,
                   (Point){low.x + low.w / 2, from + progress * (high.y - from)});
}

Point home_along(const Point *path, size_t count, double fraction) {
    double length = 0;
    for (size_t i = 1; i < count; i++)
        length += point_distance(path[i - 1], path[i]);
    double left = length * fraction;
    for (size_t i = 1; i < count; i++) {
        double step = point_distance(path[i - 1], path[i]);
        if (left <= step && step > 0)
            return (Point){path[i - 1].x + (path[i].x - path[i - 1].x) * left / step,
                           path[i - 1].y + (path[i].y - path[i - 1].y) * left / step};
        left -= step;
    }
    return path[count - 1];
}

/* Draws the encoder output's lines with their name, and the light on them. */
static void draw_memory(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Towers *towers = &picture->layout.towers;
    const TowerBox *reader = towers->items[1].boxes;
    Point path[MEMORY_POINTS];
    while (!reader->reads_memory)
        reader++;
    towers_draw_memory(canvas, towers);
    towers_memory_path(towers, reader, 0, path);
    const char *words = canvas_string(canvas, "home.memory");
    double size = canvas_size(canvas, TYPE_LARGE, words);
    bool below =
        canvas_text_width(canvas, FONT_TEXT, size, words) <=
        path[2].x - path[1].x - 24; /* otherwise above, where there is more room */
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){path[2].x - (below ? 14 : 0),
                        below ? path[2].y + 11 + size : path[2].y - 14},
                LABEL_RIGHT, words);
    double fraction = picture->light.memory_trace;
    if (fraction > 0 && fraction < 1)
        draw_light(picture, home_along(path, MEMORY_POINTS, fraction));
}

void home_draw_towers(const HomePicture *picture) {
    const Towers *towers = &picture->layout.towers;
    for (size_t t = 0; t < towers->count; t++)
        draw_frame(picture, t);
    for (size_t t = 0; t < towers->count; t++)
        draw_trunk(picture, t);
    draw_memory(picture);
    for (size_t t = 0; t < towers->count; t++)
        draw_tower_doors(picture, t);
    const HomeSpot *whole = home_spot(&picture->layout, home_whole_door());
    if (whole)
        draw_door(picture, whole->link, whole->box, picture->canvas->theme->ink_faint,
                  canvas_string(picture->canvas, "map.transformer"), 0);
}

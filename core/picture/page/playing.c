#include "picture/page/playing.h"

#include <math.h>

static const double BUTTON = 26, SIGN = 11, TALLEST = 16, SHORTEST = 5, BAR = 4, GAP = 3;

/* Invisible, so that more than the few lines of a sign can be clicked. */
static Box begin_button(const Canvas *canvas, Link link, double right, double middle) {
    double side = canvas_length(canvas, BUTTON);
    Box box = {round(right - side), round(middle - side / 2), side, side};
    canvas_link(canvas, link);
    canvas_fill(canvas, box, canvas_length(canvas, 5), canvas->theme->panel);
    return box;
}

static void draw_triangle(const Canvas *canvas, Box box, Color ink) {
    double half = canvas_length(canvas, SIGN) / 2;
    Point centre = {box.x + box.w / 2, box.y + box.h / 2};
    const Point corners[] = {{centre.x - half * 0.7, centre.y - half},
                             {centre.x - half * 0.7, centre.y + half},
                             {centre.x + half, centre.y}};
    scene_polygon(canvas->scene, corners, 3, ink);
}

static void draw_pause(const Canvas *canvas, Box box, Color ink) {
    double half = canvas_length(canvas, SIGN) / 2, width = canvas_length(canvas, BAR);
    double x = box.x + box.w / 2, y = box.y + box.h / 2 - half;
    canvas_fill(canvas, (Box){x - 1 - width, y, width, 2 * half}, 0, ink);
    canvas_fill(canvas, (Box){x + 1, y, width, 2 * half}, 0, ink);
}

static void draw_plus(const Canvas *canvas, Box box, bool upright, Color ink) {
    double half = canvas_length(canvas, SIGN) / 2;
    double width = fmax(canvas_length(canvas, 2), 1.5);
    Point centre = {box.x + box.w / 2, box.y + box.h / 2};
    scene_line(canvas->scene, (Point){centre.x - half, centre.y},
               (Point){centre.x + half, centre.y}, width, ink);
    if (upright)
        scene_line(canvas->scene, (Point){centre.x, centre.y - half},
                   (Point){centre.x, centre.y + half}, width, ink);
}

/* Bars that grow to the right; those up to the speed are dark. Gives back the left end.
 */
static double draw_speed(const Canvas *canvas, const Playing *playing, double right,
                         double middle) {
    const Theme *theme = canvas->theme;
    double width = canvas_length(canvas, BAR), step = width + canvas_length(canvas, GAP);
    double left = right - (double)playing->speeds * step;
    double foot = round(middle + canvas_length(canvas, TALLEST) / 2);
    for (int i = 0; i < playing->speeds; i++) {
        double share = playing->speeds > 1 ? (double)i / (playing->speeds - 1) : 1;
        double height = canvas_length(canvas, SHORTEST + (TALLEST - SHORTEST) * share);
        canvas_fill(canvas, (Box){left + (double)i * step, foot - height, width, height},
                    0, i < playing->speed ? theme->ink_soft : theme->line);
    }
    return left;
}

double playing_draw(const Canvas *canvas, const Playing *playing, double right,
                    double middle) {
    const Theme *theme = canvas->theme;
    double gap = canvas_length(canvas, 6);
    Box plus = begin_button(canvas, playing->faster, right, middle);
    draw_plus(canvas, plus, true, theme->ink_soft);
    canvas_unlink(canvas);
    double left = draw_speed(canvas, playing, plus.x - gap, middle);
    Box minus = begin_button(canvas, playing->slower, left - gap, middle);
    draw_plus(canvas, minus, false, theme->ink_soft);
    Box button = begin_button(canvas, playing->toggle, minus.x - gap, middle);
    if (playing->runs)
        draw_pause(canvas, button, theme->accent);
    else
        draw_triangle(canvas, button, theme->ink_soft);
    canvas_unlink(canvas);
    return button.x;
}

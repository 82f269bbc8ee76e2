#include "picture/charts/charts.h"

#include "base/maths.h"
#include "picture/scene/theme.h"

static const double DOT = 2.5, LEG = 4, HAND = 3, TIP = 5.5; /* units */
static const double TIP_FRACTION = 0.16; /* largest fraction of a radius */
enum { PLACES_MAX = 64 };

static Point at_angle(const Dial *dial, double angle) {
    return (Point){dial->centre.x + dial->radius * sin(angle),
                   dial->centre.y - dial->radius * cos(angle)};
}

void dial_draw_rim(const Canvas *canvas, const Dial *dial) {
    const Theme *theme = canvas->theme;
    Box rim = {dial->centre.x - dial->radius, dial->centre.y - dial->radius,
               2 * dial->radius, 2 * dial->radius};
    scene_rectangle(canvas->scene, rim, dial->radius, theme->bar, theme->ink_faint, 1);
    Color faint = theme->ink_faint;
    faint.a = 120;
    for (size_t i = 0; i < dial->count && dial->count <= PLACES_MAX; i++)
        canvas_dot(canvas, at_angle(dial, dial->angle_step * (double)i), round(DOT),
                   faint, (Color){0}, 0);
}

void dial_draw(const Canvas *canvas, const Dial *dial) {
    Point foot = {dial->centre.x + dial->radius * dial->sine, dial->centre.y};
    Point tip = {foot.x, dial->centre.y - dial->radius * dial->cosine};
    dial_draw_rim(canvas, dial);
    canvas_link(canvas, dial->sine_link);
    scene_line(canvas->scene, dial->centre, foot, LEG, dial->across);
    canvas_link(canvas, dial->cosine_link);
    scene_line(canvas->scene, foot, tip, LEG, dial->up);
    canvas_unlink(canvas);
    scene_line(canvas->scene, dial->centre, tip, HAND, canvas->theme->ink);
    canvas_dot(canvas, tip, fmin(TIP, dial->radius * TIP_FRACTION), canvas->theme->ink,
               (Color){0}, 0);
}

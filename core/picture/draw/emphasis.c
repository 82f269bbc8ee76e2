#include "picture/draw/emphasis.h"

#include "picture/scene/palette.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double WEDGE = 14, SHARE = 0.45; /* units; largest fraction of the box */
static const double LEAST = 4;                /* points */
enum {
    GROUND = 34,
    FAR = 80
}; /* of 256: mix of the bar's colour with ink; mix with the page */

Color emphasis_ground(const Theme *theme) {
    return palette_mix(theme->bar, theme->ink, GROUND);
}

Color emphasis_bar(const Theme *theme, bool largest) {
    return theme->sequential.stops[largest ? theme->sequential.count - 1 : 3];
}

void emphasis_largest(const Canvas *canvas, Box box, Color ground) {
    double width = fmin(WEDGE, box.w * SHARE);
    double height = width * 0.7, middle = box.x + box.w / 2;
    double top = box.y + 2;
    if (width < LEAST || box.h < 2 * height)
        return;
    const Point wedge[] = {
        {middle - width / 2, top}, {middle + width / 2, top}, {middle, top + height}};
    scene_polygon(
        canvas->scene, wedge, 3,
        palette_ink(ground, canvas->theme->cell_dark, canvas->theme->cell_light));
}

static void mix_into_page(const Theme *theme, Color *color) {
    uint8_t alpha = color->a;
    *color = palette_mix(theme->page, *color, FAR);
    color->a = alpha;
}

void emphasis_far_back(const Canvas *canvas, size_t first) {
    const Theme *theme = canvas->theme;
    for (size_t i = first; i < canvas->scene->count; i++) {
        SceneItem *item = &canvas->scene->items[i];
        if (item->kind == SCENE_TEXT) {
            item->fill = theme->ink_faint;
            continue;
        }
        mix_into_page(theme, &item->fill);
        mix_into_page(theme, &item->stroke);
    }
}

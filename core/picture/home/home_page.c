#include "picture/home/home_parts.h"

#include "picture/scene/scene.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double BAR = 10; /* room of the scroll bar */

/* Puts a text as large as fits into at most `lines` lines. */
static void put_lines(const Canvas *canvas, FontRole font, double units, Color ink,
                      size_t lines, Box *area, const char *words) {
    TextBlock block = text_block(canvas, font, units, ink, lines, words);
    text_block_fit(canvas, &block, area->w, INFINITY);
    text_block_take(canvas, &block, area);
}

static void draw_header(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const Home *home = picture->home;
    Box area = picture->layout.header;
    bool stacked = picture->layout.stacked;
    canvas_label(canvas, FONT_BOLD, TYPE_LARGE, theme->ink_soft, (Point){area.x, 48},
                 LABEL_LEFT, "Glassformer");
    box_take_top(&area, stacked ? 84 : 60);
    put_lines(canvas, FONT_BOLD, TYPE_POSTER, theme->ink, stacked ? 2 : 1, &area,
              home->title ? home->title : canvas_string(canvas, "home.title"));
    put_lines(canvas, FONT_TEXT, TYPE_LARGE, theme->ink_soft, stacked ? 2 : 1, &area,
              home->say ? home->say : canvas_string(canvas, "home.say"));
}

/* Draws "Find anything … Ctrl K", if there is a finder. */
static void draw_find(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const HomeButton *find = &picture->home->find;
    const HomeSpot *spot = home_spot(&picture->layout, find->link);
    if (!spot)
        return;
    bool chosen = home_is_chosen(picture, find->link);
    Box box = spot->box;
    canvas_link(canvas, find->link);
    scene_rectangle(canvas->scene, box, box.h / 2, theme->bar,
                    chosen ? theme->focus : theme->ink_faint, chosen ? 3 : 1.5);
    box_take_left(&box, 24);
    box_take_right(&box, 22);
    text_line(canvas, FONT_TEXT, TYPE_LARGE, theme->ink_soft, box, LABEL_LEFT,
              canvas_string(canvas, "home.find"));
    text_line(canvas, FONT_TEXT, TYPE_LARGE, theme->ink_soft, box, LABEL_RIGHT,
              find->words);
    canvas_unlink(canvas);
}

double home_draw(const Canvas *canvas, const Home *wanted, double *most) {
    Home home = *wanted;
    HomePicture picture = {.canvas = canvas,
                           .home = &home,
                           .layout = home_lay_out(canvas, &home),
                           .light = home_light(home.sample, home.time)};
    *most = picture.layout.scroll_most;
    if (home.scroll < 0 || home.scroll > *most) {
        home.scroll = fmin(fmax(home.scroll, 0), *most);
        picture.layout = home_lay_out(canvas, &home);
    }
    Scene *scene = canvas->scene;
    size_t first = scene->count;
    double scale = home_scale(&home);
    bool scrolled = *most >= 1;
    Box screen = picture.layout.screen;
    double width = scene->width, height = scene->height;
    scene->width = screen.w; /* the page's edges, in home's own points */
    scene->height = screen.y + screen.h;
    if (scrolled)
        scene_clip(scene, picture.layout.screen);
    draw_header(&picture);
    draw_find(&picture);
    home_draw_sample(&picture);
    home_draw_towers(&picture);
    home_draw_course(&picture);
    home_draw_list(&picture);
    scroll_bar_draw(canvas, (Box){0, home.scroll, screen.w - BAR, screen.h}, home.scroll,
                    screen.h, screen.h + *most);
    if (scrolled)
        scene_unclip(scene);
    home_draw_footer(&picture);
    home_draw_tip(&picture);
    scene->width = width;
    scene->height = height;
    if (scale > 1 || home.scroll > 0)
        scene_scale(scene, first, scale, (Point){0, -home.scroll * scale});
    return home.scroll;
}

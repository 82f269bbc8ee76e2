#include "picture/home/home_parts.h"

#include <math.h>

static const double TITLE = 40, SAY = 19;

static void draw_header(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    Box area = picture->layout.header;
    canvas_label(canvas, FONT_BOLD, 19, theme->ink_soft, (Point){area.x, 48}, LABEL_LEFT,
                 "Glassformer");
    const char *title =
        picture->home->title ? picture->home->title : canvas_string(canvas, "home.title");
    canvas_line(canvas, FONT_BOLD, TITLE, theme->ink, (Box){area.x, 60, area.w, 52},
                title);
    const char *say =
        picture->home->say ? picture->home->say : canvas_string(canvas, "home.say");
    canvas_line(canvas, FONT_TEXT, SAY, theme->ink_soft, (Box){area.x, 112, area.w, 30},
                say);
}

/* "Find anything … Ctrl K", where something can be found. */
static void draw_find(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const HomeButton *find = &picture->home->find;
    const HomeSpot *spot = home_spot(&picture->layout, find->link);
    if (find->link.kind == LINK_NONE || !spot)
        return;
    bool chosen = home_is_chosen(picture, find->link);
    Box box = spot->box;
    canvas_link(canvas, find->link);
    scene_rectangle(canvas->scene, box, box.h / 2, theme->bar,
                    chosen ? theme->focus : theme->ink_faint, chosen ? 3 : 1.5);
    double baseline = round(box.y + box.h / 2 + 6);
    canvas_label(canvas, FONT_TEXT, 17, theme->ink_soft, (Point){box.x + 24, baseline},
                 LABEL_LEFT, canvas_string(canvas, "home.find"));
    canvas_label(canvas, FONT_TEXT, 15, theme->ink_soft,
                 (Point){box.x + box.w - 22, baseline}, LABEL_RIGHT, find->words);
    canvas_unlink(canvas);
}

void home_draw(const Canvas *canvas, const Home *home) {
    HomePicture picture = {.canvas = canvas,
                           .home = home,
                           .layout = home_lay_out(canvas, home),
                           .light = home_light(home->talk, home->time)};
    if (!picture.layout.spots) {
        canvas->scene->incomplete = true;
        return;
    }
    draw_header(&picture);
    draw_find(&picture);
    home_draw_talk(&picture);
    home_draw_towers(&picture);
    home_draw_course(&picture);
    home_draw_list(&picture);
}

#include "picture/home/home_parts.h"

#include "picture/scene/scene.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double TITLE = 40, TEXT = 19;

/* Draws a text as large as fits into at most `most` lines; returns its height. */
static double draw_lines(const Canvas *canvas, FontRole font, double units, Color ink,
                         Box area, size_t most, const char *words) {
    double size = canvas_size(canvas, units, words), least = canvas_least(canvas, words);
    size_t lines;
    for (;; size--) {
        paragraph_measure(canvas->metrics, font, size, area.w, size, most + 1, words,
                          &lines);
        if (lines <= most || size <= least)
            break;
    }
    return canvas_paragraph(canvas, font, size, ink, area, round(size * 1.25), most,
                            words);
}

static void draw_header(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const Theme *theme = canvas->theme;
    const Home *home = picture->home;
    Box area = picture->layout.header;
    canvas_label(canvas, FONT_BOLD, 19, theme->ink_soft, (Point){area.x, 48}, LABEL_LEFT,
                 "Glassformer");
    const char *title = home->title ? home->title : canvas_string(canvas, "home.title");
    const char *say = home->say ? home->say : canvas_string(canvas, "home.say");
    if (picture->layout.stacked) {
        box_take_top(&area, 84);
        box_take_top(&area,
                     draw_lines(canvas, FONT_BOLD, TITLE, theme->ink, area, 2, title));
        draw_lines(canvas, FONT_TEXT, TEXT, theme->ink_soft, area, 2, say);
        return;
    }
    canvas_line(canvas, FONT_BOLD, TITLE, theme->ink, (Box){area.x, 60, area.w, 52},
                title);
    canvas_line(canvas, FONT_TEXT, TEXT, theme->ink_soft, (Box){area.x, 112, area.w, 30},
                say);
}

/* Draws "Find anything … Ctrl K", if there is a finder. */
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
    canvas_label(canvas, FONT_TEXT, 19, theme->ink_soft, (Point){box.x + 24, baseline},
                 LABEL_LEFT, canvas_string(canvas, "home.find"));
    canvas_label(canvas, FONT_TEXT, 19, theme->ink_soft,
                 (Point){box.x + box.w - 22, baseline}, LABEL_RIGHT, find->words);
    canvas_unlink(canvas);
}

/* Draws a scroll bar. */
static void draw_place(const HomePicture *picture, double scroll) {
    const HomeLayout *layout = &picture->layout;
    double fraction = layout->screen.h / (layout->height - layout->footer.h);
    if (layout->scroll_most >= 1)
        canvas_fill(picture->canvas,
                    (Box){layout->screen.w - 13, scroll + scroll * fraction + 2, 9,
                          layout->screen.h * fraction - 4},
                    4, picture->canvas->theme->ink_faint);
}

double home_draw(const Canvas *canvas, const Home *wanted, double *most) {
    Home home = *wanted;
    HomePicture picture = {.canvas = canvas,
                           .home = &home,
                           .layout = home_lay_out(canvas, &home),
                           .light = home_light(home.sample, home.time)};
    *most = picture.layout.scroll_most;
    if (!picture.layout.spots)
        return 0;
    if (home.scroll < 0 || home.scroll > *most) {
        home.scroll = fmin(fmax(home.scroll, 0), *most);
        picture.layout = home_lay_out(canvas, &home);
    }
    Scene *scene = canvas->scene;
    size_t first = scene->count;
    double scale = home_scale(&home);
    bool scrolled = *most >= 1;
    if (scrolled)
        scene_clip(scene, picture.layout.screen);
    draw_header(&picture);
    draw_find(&picture);
    home_draw_sample(&picture);
    home_draw_towers(&picture);
    home_draw_course(&picture);
    home_draw_list(&picture);
    draw_place(&picture, home.scroll);
    if (scrolled)
        scene_unclip(scene);
    home_draw_footer(&picture);
    if (scale > 1 || home.scroll > 0)
        scene_scale(scene, first, scale, (Point){0, -home.scroll * scale});
    return home.scroll;
}

#include "picture/overlays/overlays_parts.h"

#include "picture/chrome/tools.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double WIDTH = 900, ROW = 42, FIELD = 60, FOOT = 40, PAD = 14, KIND = 120,
                    TOP = 90, BAR = 10;

/* Upper edge of the panel; the page's edge if there is little room. */
static double top_of(const Canvas *canvas) {
    return canvas->enlarged > 1 ? PAD : TOP;
}

size_t finder_rows(const Canvas *canvas) {
    double room = canvas->scene->height - top_of(canvas) - (FIELD + FOOT + PAD);
    return (size_t)fmin(fmax(floor(room / ROW), 1), FINDER_ROWS);
}

static void draw_field(const Canvas *canvas, const Finder *finder, Box line) {
    Color ink = canvas->theme->ink_soft;
    tool_draw_button(canvas, TOOL_LEAVE, finder->close, box_take_right(&line, line.h),
                     ink);
    tool_draw_button(canvas, TOOL_FIND, (Link){LINK_FIELD, 0, 0, 0},
                     box_take_left(&line, line.h), ink);
    field_draw_text(canvas, &finder->field, TYPE_LARGE, line, finder->field.title);
}

static void draw_rows(const Canvas *canvas, const Finder *finder, Box list) {
    scroll_bar_draw(canvas, list, (double)finder->first, (double)finder->shown,
                    (double)finder->found);
    for (size_t i = 0; i < finder->shown; i++) {
        const FinderRow *row = &finder->rows[i];
        size_t number = finder->first + i;
        Link link = finder->link;
        link.row = number + 1;
        list_row_draw(canvas,
                      &(ListRow){link, number == finder->chosen, !row->can, KIND,
                                 row->kind, row->words, row->detail},
                      box_take_top(&list, ROW));
    }
}

/* Line below the rows. */
static const char *foot_words(const Canvas *canvas, const Finder *finder) {
    const HelpField *field = &finder->field;
    bool nothing = !finder->found, tells = finder->told && finder->told[0];
    return field->problem[0] ? field->problem
           : tells           ? finder->told
                   : canvas_string(canvas, nothing ? "finder.nothing" : field->keys);
}

void finder_draw(const Canvas *canvas, const Finder *finder) {
    const Theme *theme = canvas->theme;
    double width = fmin(WIDTH, canvas->scene->width - 2 * PAD);
    double rows = (double)finder_rows(canvas) * ROW;
    Box panel = {round((canvas->scene->width - width) / 2), top_of(canvas), width,
                 FIELD + rows + FOOT};
    canvas_link(canvas, finder->link); /* the rest of it does nothing */
    scene_rectangle(canvas->scene, panel, 12, theme->bar, theme->line, 2);
    canvas_unlink(canvas);
    Box rest = panel;
    draw_field(canvas, finder, box_take_top(&rest, FIELD));
    canvas_fill(canvas, (Box){panel.x, rest.y - 1, panel.w, 1}, 0, theme->line);
    box_take_left(&rest, PAD / 2);
    box_take_right(&rest, PAD / 2 + BAR);
    Box foot = box_take_bottom(&rest, FOOT - 4);
    draw_rows(canvas, finder, box_take_bottom(&rest, rows));
    box_take_left(&foot, PAD / 2);
    text_line(canvas, FONT_TEXT, TYPE_SMALL,
              finder->field.problem[0] ? theme->bad_ink : theme->ink_faint, foot,
              LABEL_LEFT, foot_words(canvas, finder));
}

#include "picture/chrome/chrome.h"

#include "picture/draw/canvas.h"
#include "picture/scene/theme.h"

#include <math.h>

/* Fractions of a button's shorter side. */
static const double SIGN = 0.4, SIGN_TOP = 0.13, WORD = 0.25, WORD_TOP = 0.58;

static void draw_button(const Canvas *canvas, const BarButton *button, Box box) {
    const Theme *theme = canvas->theme;
    double side = fmin(box.w, box.h), sign = round(side * SIGN);
    double top = round(box.y + (box.h - side) / 2);
    Color ink = button->can ? theme->ink : theme->ink_faint;
    canvas_link(canvas, button->link);
    canvas_target(canvas, box);
    tool_draw(canvas, button->tool,
              (Box){round(box.x + (box.w - sign) / 2), top + round(side * SIGN_TOP), sign,
                    sign},
              ink);
    canvas_text(canvas, FONT_TEXT, round(side * WORD), ink,
                (Point){box.x + box.w / 2, top + round(side * (WORD_TOP + WORD))},
                LABEL_CENTER, button->word);
    canvas_unlink(canvas);
}

void touch_bar_draw(const Canvas *canvas, const BarButton *buttons, size_t count,
                    Box area) {
    const Theme *theme = canvas->theme;
    bool wide = area.w > area.h;
    canvas_fill(canvas, area, 0, theme->bar);
    canvas_fill(canvas, (Box){area.x, area.y, wide ? area.w : 1, wide ? 1 : area.h}, 0,
                theme->line);
    for (size_t i = 0; i < count; i++) {
        double from = floor((wide ? area.w : area.h) * (double)i / (double)count);
        double to = floor((wide ? area.w : area.h) * (double)(i + 1) / (double)count);
        draw_button(canvas, &buttons[i],
                    wide ? (Box){area.x + from, area.y, to - from, area.h}
                         : (Box){area.x, area.y + from, area.w, to - from});
    }
}

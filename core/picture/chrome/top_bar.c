#include "picture/chrome/top_bar.h"

#include "picture/draw/canvas.h"

#include <math.h>

static const double SIGN = 20, SIGN_TOP = 7, WORD_UNITS = 17, WORD_LINE = 49,
                    LEAST_WIDTH = 46, GROUP_GAP = 14, PAD = 20, CRUMBS_LEAST = 430;
static const double BANNER_TARGET = 40, BANNER_HEIGHT = 24, BANNER_UNITS = 15;
static const double BAR = 4, BAR_GAP = 3, TALLEST = 16, SHORTEST = 5;

static double word_width(const Canvas *canvas, const BarButton *button) {
    return canvas_text_width(canvas, FONT_TEXT,
                             canvas_size(canvas, WORD_UNITS, button->word), button->word);
}

static double button_width(const Canvas *canvas, const BarButton *button, bool words) {
    double wanted = words ? word_width(canvas, button) + 8 : 0;
    return ceil(fmax(LEAST_WIDTH, wanted));
}

static void draw_button(const Canvas *canvas, const BarButton *button, Box box,
                        bool words) {
    const Theme *theme = canvas->theme;
    Color ink = button->can ? theme->ink_soft : theme->ink_faint;
    Color sign = ink;
    if (!button->can)
        sign.a = 110;
    double top = words ? box.y + SIGN_TOP : round(box.y + (box.h - SIGN) / 2);
    canvas_link(canvas, button->link);
    canvas_target(canvas, box);
    if (button->pointed && button->can)
        canvas_fill(canvas, box_inset(box, 2), 7, theme->panel);
    tool_draw(canvas, button->tool,
              (Box){round(box.x + (box.w - SIGN) / 2), top, SIGN, SIGN}, sign);
    if (words)
        canvas_label(canvas, FONT_TEXT, WORD_UNITS, ink,
                     (Point){box.x + box.w / 2, box.y + WORD_LINE}, LABEL_CENTER,
                     button->word);
    canvas_unlink(canvas);
}

/* Draws the speed as bars of increasing height; those up to the speed are dark. Returns
 * the left end. */
static double draw_speed(const Canvas *canvas, const TopBar *bar, double right,
                         double middle) {
    const Theme *theme = canvas->theme;
    double step = BAR + BAR_GAP;
    double left = right - (double)bar->speeds * step;
    double foot = round(middle + TALLEST / 2);
    for (int i = 0; i < bar->speeds; i++) {
        double fraction = bar->speeds > 1 ? (double)i / (bar->speeds - 1) : 1;
        double height = round(SHORTEST + (TALLEST - SHORTEST) * fraction);
        canvas_fill(canvas, (Box){left + (double)i * step, foot - height, BAR, height}, 0,
                    i < bar->speed ? theme->ink_soft : theme->line);
    }
    return left;
}

static double draw_buttons(const Canvas *canvas, const TopBar *bar, Box area, bool words,
                           bool draw) {
    double right = area.x + area.w;
    for (size_t i = bar->count; i-- > 0;) {
        const BarButton *button = &bar->buttons[i];
        double width = button_width(canvas, button, words);
        right -= width;
        if (draw)
            draw_button(canvas, button, (Box){right, area.y, width, area.h - 1}, words);
        if (button->tool == TOOL_FASTER && draw)
            right = draw_speed(canvas, bar, right, area.y + 18);
        if (i && tool_begins_group(button->tool))
            right -= GROUP_GAP;
    }
    return right;
}

/* Draws the buttons with their right end at that of `area`; returns their left end. */
static double top_bar_buttons(const Canvas *canvas, const TopBar *bar, Box area) {
    area.w -= PAD;
    double left = draw_buttons(canvas, bar, area, true, false);
    bool words = left - area.x >= CRUMBS_LEAST;
    return draw_buttons(canvas, bar, area, words, true);
}

void top_bar_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    double left = top_bar_buttons(canvas, parts->page->bar, area);
    area.w = left - area.x - 2 * PAD;
    area.x += PAD;
    crumbs_draw(parts, &parts->page->bar->links, area);
}

void top_bar_banners(const Canvas *canvas, const TopBar *bar, Box strip) {
    const Theme *theme = canvas->theme;
    double target = BANNER_TARGET, pad = 12;
    double x = strip.x;
    for (size_t i = 0; i < bar->banner_count; i++) {
        const Banner *banner = &bar->banners[i];
        double size = canvas_size(canvas, BANNER_UNITS, banner->words);
        double words = canvas_text_width(canvas, FONT_BOLD, size, banner->words);
        Box box = {x, strip.y + 2, pad + words + target, BANNER_HEIGHT};
        if (box.x + box.w > strip.x + strip.w)
            return;
        canvas_fill(canvas, box, BANNER_HEIGHT / 2,
                    palette_mix(theme->page, theme->accent, 70));
        canvas_text(canvas, FONT_BOLD, size, theme->ink,
                    (Point){x + pad, label_baseline(box.y + BANNER_HEIGHT / 2, size)},
                    LABEL_LEFT, banner->words);
        Box cross = {box.x + box.w - target, box.y + BANNER_HEIGHT / 2 - target / 2,
                     target, target};
        tool_draw_button(canvas, TOOL_LEAVE, banner->leave, cross, theme->ink);
        x += box.w + pad;
    }
}

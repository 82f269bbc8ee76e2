#include "picture/chrome/chrome.h"

#include "picture/draw/canvas.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double SIGN = 20, SIGN_TOP = 7, WORD_HEIGHT = 28, LEAST_WIDTH = 46,
                    GROUP_GAP = 14, PAD = 20, CRUMBS_LEAST = 430;
static const double BANNER_TARGET = 40, BANNER_HEIGHT = 24, BANNER_PAD = 12;
static const double BAR = 4, BAR_GAP = 3, TALLEST = 16, SHORTEST = 5;

static double bar_button_width(const Canvas *canvas, const BarButton *button,
                               bool words) {
    double word = text_line_width(canvas, FONT_TEXT, TYPE_TEXT, button->word);
    return ceil(fmax(LEAST_WIDTH, words ? word + 8 : 0));
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
        text_line(canvas, FONT_TEXT, TYPE_TEXT, ink, box_take_bottom(&box, WORD_HEIGHT),
                  LABEL_CENTER, button->word);
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
        double width = bar_button_width(canvas, button, words);
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

void top_bar_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const TopBar *bar = parts->page->bar;
    area = box_narrowed(area, PAD);
    double left = draw_buttons(canvas, bar, area, true, false);
    bool words = left - area.x >= CRUMBS_LEAST - PAD;
    left = draw_buttons(canvas, bar, area, words, true);
    area.w = left - area.x - PAD;
    crumbs_draw(parts, &bar->links, area);
}

static double words_width(const Canvas *canvas, const Banner *banner) {
    return text_line_width(canvas, FONT_BOLD, TYPE_SMALL, banner->words);
}

double top_bar_banners_width(const Canvas *canvas, const TopBar *bar) {
    double width = 0;
    for (size_t i = 0; i < bar->banner_count; i++)
        width += 2 * BANNER_PAD + words_width(canvas, &bar->banners[i]) + BANNER_TARGET;
    return width;
}

void top_bar_banners(const Canvas *canvas, const TopBar *bar, Box strip) {
    const Theme *theme = canvas->theme;
    for (size_t i = 0; i < bar->banner_count; i++) {
        const Banner *banner = &bar->banners[i];
        double words = words_width(canvas, banner);
        Box box = {strip.x, round(strip.y + (strip.h - BANNER_HEIGHT) / 2),
                   BANNER_PAD + words + BANNER_TARGET, BANNER_HEIGHT};
        if (box.w > strip.w)
            return;
        canvas_fill(canvas, box, BANNER_HEIGHT / 2,
                    palette_mix(theme->page, theme->accent, 70));
        text_line(canvas, FONT_BOLD, TYPE_SMALL, theme->ink,
                  (Box){box.x + BANNER_PAD, box.y, words, box.h}, LABEL_LEFT,
                  banner->words);
        tool_draw_button(canvas, TOOL_LEAVE, banner->leave,
                         (Box){box.x + BANNER_PAD + words,
                               box.y + (BANNER_HEIGHT - BANNER_TARGET) / 2, BANNER_TARGET,
                               BANNER_TARGET},
                         theme->ink);
        box_take_left(&strip, box.w + BANNER_PAD);
    }
}

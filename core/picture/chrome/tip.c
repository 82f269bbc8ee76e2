#include "picture/chrome/tip.h"

#include "picture/scene/theme.h"

#include <math.h>

static const double UNITS = 15, PAD = 12, WIDEST = 420;
enum { LINES_MAX = 4 };

void tip_draw(const Canvas *canvas, const Tip *tip, Box of) {
    const Theme *theme = canvas->theme;
    const Scene *scene = canvas->scene;
    double size = canvas_size(canvas, UNITS, tip->name), leading = round(size * 1.4);
    double pad = PAD, gap = 6;
    double name = canvas_text_width(canvas, FONT_BOLD, size, tip->name);
    double key = canvas_text_width(canvas, FONT_TEXT, size, tip->key);
    double width = name + (tip->key[0] ? key + 2 * pad : 0), why = 0;
    if (tip->why) {
        double whole = canvas_text_width(canvas, FONT_TEXT, size, tip->why) + 1;
        width = fmax(width, fmin(whole, WIDEST));
        why = paragraph_measure(canvas->metrics, FONT_TEXT, size, width, leading,
                                LINES_MAX, tip->why, NULL);
    }
    Box box = {0, of.y + of.h + gap, width + 2 * pad, leading + why + 1.4 * pad};
    if (box.y + box.h > scene->height)
        box.y = of.y - gap - box.h;
    box.x =
        round(fmax(fmin(of.x + of.w / 2 - box.w / 2, scene->width - gap - box.w), gap));
    canvas_fill(canvas, box, 7, theme->current);
    double left = box.x + pad, baseline = round(box.y + pad * 0.7 + size);
    canvas_text(canvas, FONT_BOLD, size, theme->current_ink, (Point){left, baseline},
                LABEL_LEFT, tip->name);
    canvas_text(canvas, FONT_TEXT, size, theme->current_ink,
                (Point){box.x + box.w - pad, baseline}, LABEL_RIGHT, tip->key);
    if (tip->why)
        canvas_paragraph(canvas, FONT_TEXT, size, theme->current_ink,
                         (Box){left, baseline + leading - size, width, 0}, leading,
                         LINES_MAX, tip->why);
}

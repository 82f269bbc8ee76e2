#include "picture/draw/text_block.h"

#include <math.h>

static const double SPACING = 1.3;

TextBlock text_block(const Canvas *canvas, FontRole font, double units, Color ink,
                     size_t most, const char *text) {
    return (TextBlock){font, canvas_size(canvas, units, text), SPACING, most, ink, text};
}

static double leading_of(const TextBlock *block) {
    return round(block->size * block->spacing);
}

/* Height of a text in at most `most` lines; sets *lines to their number. */
static double measure(const Canvas *canvas, const TextBlock *block, double width,
                      size_t most, size_t *lines) {
    *lines = 0;
    return block->text[0]
               ? paragraph_measure_with(canvas->metrics, canvas->insets, block->font,
                                        block->size, width, leading_of(block), most,
                                        block->text, lines)
               : 0;
}

size_t text_block_lines(const Canvas *canvas, const TextBlock *block, double width) {
    size_t lines;
    measure(canvas, block, width, block->most + 1, &lines);
    return lines;
}

double text_block_height(const Canvas *canvas, const TextBlock *block, double width) {
    size_t lines;
    return measure(canvas, block, width, block->most, &lines);
}

double text_block_fit(const Canvas *canvas, TextBlock *block, double width,
                      double height) {
    double least = canvas_least(canvas, block->text);
    while (block->size > least && (text_block_lines(canvas, block, width) > block->most ||
                                   text_block_height(canvas, block, width) > height))
        block->size--;
    return text_block_height(canvas, block, width);
}

double text_block_draw(const Canvas *canvas, const TextBlock *block, Box area) {
    return block->text[0]
               ? canvas_paragraph(canvas, block->font, block->size, block->ink, area,
                                  leading_of(block), block->most, block->text)
               : 0;
}

void text_block_take(const Canvas *canvas, const TextBlock *block, Box *area) {
    double height = text_block_draw(canvas, block, *area);
    area->y += height;
    area->h -= height;
}

Box text_line(const Canvas *canvas, FontRole font, double units, Color ink, Box box,
              LabelAlign align, const char *text) {
    LabelFit fit =
        canvas_fit(canvas, font, canvas_size(canvas, units, text), box.w, text);
    double x = box.x + (align == LABEL_LEFT     ? 0
                        : align == LABEL_CENTER ? box.w / 2
                                                : box.w);
    return canvas_text(canvas, font, fit.size, ink,
                       (Point){x, label_baseline(box.y + box.h / 2, fit.size)}, align,
                       fit.text);
}

double text_line_width(const Canvas *canvas, FontRole font, double units,
                       const char *text) {
    return canvas_text_width(canvas, font, canvas_size(canvas, units, text), text);
}

Box box_narrowed(Box box, double margin) {
    return (Box){box.x + margin, box.y, fmax(box.w - 2 * margin, 0), box.h};
}

#include "picture/scene/label.h"

#include "base/arena.h"
#include "base/strings/utf8.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

enum {
    LATIN_MIN_SIZE = 15,
    CJK_MIN_SIZE = 16,
    SEGMENT_MAX =
        1024 /* bytes without a break opportunity: more than any line has room for */
};

/* Fractions of the font size: the middle of letters above the baseline, the height of a
 * letter, and the distance of stacked Chinese characters. */
static const double MIDDLE = 0.35, CAPITAL = 0.73;
static const double LOWERED = 0.36; /* half the height of letters and digits */
static const double STACKED = 1.1;
static const char ELLIPSIS[] = "\xE2\x80\xA6";

/* Text set in one font, as all steps of breaking and cutting need it. */
typedef struct Flow {
    const TextMetrics *metrics;
    FontRole font;
    double size;
    double width; /* of a line */
    const char *text;
    size_t length;
    const Insets *insets; /* or NULL */
} Flow;

/* One line: the bytes [start, shown) are drawn; the next line begins at `next`. */
typedef struct Line {
    size_t start, shown, next;
} Line;

double label_min_size(const char *text) {
    size_t length = strlen(text);
    for (size_t offset = 0; offset < length;) {
        if (utf8_is_cjk(utf8_next(text, length, &offset)))
            return CJK_MIN_SIZE;
    }
    return LATIN_MIN_SIZE;
}

double label_width(const TextMetrics *metrics, FontRole font, double size,
                   const char *text) {
    if (!*text)
        return 0;
    return metrics->advance(metrics->context, font, round(size), text, strlen(text));
}

double label_baseline(double middle, double size) {
    return round(middle + LOWERED * size);
}

Box label_draw(Scene *scene, const TextMetrics *metrics, FontRole font, double size,
               Color color, Point baseline, LabelAlign align, const char *text) {
    size = round(size);
    double width = label_width(metrics, font, size, text);
    double ascent = LABEL_ASCENT * size, descent = LABEL_DESCENT * size;
    if (align != LABEL_LEFT)
        baseline.x -= align == LABEL_CENTER ? width / 2 : width;
    scene_text(scene, font, size, color, baseline, text, width, ascent, descent);
    return (Box){baseline.x, baseline.y - ascent, width, ascent + descent};
}

/* Reports whether a vertical label's characters stay upright and are stacked, as Chinese
 * and single letters are; sets *count to their number. */
static bool is_stacked(const char *text, size_t *count) {
    size_t length = strlen(text);
    bool chinese = true;
    *count = 0;
    for (size_t offset = 0; offset < length; ++*count)
        chinese &= utf8_is_cjk(utf8_next(text, length, &offset));
    return *count == 1 || (*count && chinese);
}

/* Draws stacked characters from the top, each as a scene item of its own. */
static void draw_stack(Scene *scene, const TextMetrics *metrics, FontRole font,
                       double size, Color color, Box box, double line, const char *text) {
    size_t length = strlen(text);
    double ascent = fmin(line, LABEL_ASCENT * size);
    for (size_t offset = 0, row = 0; offset < length; row++) {
        size_t begin = offset;
        utf8_next(text, length, &offset);
        const char *character = arena_copy(scene->arena, text + begin, offset - begin);
        label_draw(scene, metrics, font, size, color,
                   (Point){box.x + box.w / 2, box.y + (double)row * line + ascent},
                   LABEL_CENTER, character);
    }
}

Box label_draw_upright(Scene *scene, const TextMetrics *metrics, FontRole font,
                       double size, Color color, Point at, LabelAlign align,
                       const char *text) {
    size = round(size);
    size_t count;
    bool stacked = is_stacked(text, &count);
    double line = size * (label_min_size(text) == CJK_MIN_SIZE ? STACKED : CAPITAL);
    double height =
        stacked ? line * (double)count : label_width(metrics, font, size, text);
    double top = at.y - height * (align == LABEL_LEFT     ? 1
                                  : align == LABEL_CENTER ? 0.5
                                                          : 0);
    double across = (LABEL_ASCENT + LABEL_DESCENT) * size;
    if (stacked) {
        Box box = {at.x - across / 2, top, across, height};
        draw_stack(scene, metrics, font, size, color, box, line, text);
        return box;
    }
    Point from = {round(at.x + MIDDLE * size), top + height};
    Box box = {from.x - LABEL_ASCENT * size, top, across, height};
    size_t before = scene->count;
    label_draw(scene, metrics, font, size, color, from, LABEL_LEFT, text);
    if (scene->count > before) {
        scene->items[before].angle = 90;
        scene->items[before].box = box;
    }
    return box;
}

/* ---- cutting ---- */

static double plain_width(const Flow *flow, size_t from, size_t to) {
    if (from == to)
        return 0;
    return flow->metrics->advance(flow->metrics->context, flow->font, flow->size,
                                  flow->text + from, to - from);
}

/* Start of the next inset within [from, to), and its length; `to` and 0 if there is
 * none. */
static size_t next_inset(const Flow *flow, size_t from, size_t to, size_t *length) {
    *length = 0;
    for (size_t at = from; flow->insets && at < to; at++) {
        *length = flow->insets->find(flow->insets->context, flow->text, to, at);
        if (*length)
            return at;
    }
    return to;
}

static double flow_width(const Flow *flow, size_t from, size_t to) {
    double width = 0;
    while (from < to) {
        size_t length, at = next_inset(flow, from, to, &length);
        width += plain_width(flow, from, at);
        if (length)
            width += flow->insets->width(flow->insets->context, flow->size,
                                         flow->text + at, length);
        from = at + length;
    }
    return width;
}

/* End of the character that begins at `offset`, including its accents. */
static size_t character_end(const Flow *flow, size_t offset) {
    uint32_t previous = utf8_next(flow->text, flow->length, &offset);
    while (offset < flow->length) {
        size_t end = offset;
        uint32_t next = utf8_next(flow->text, flow->length, &end);
        if (utf8proc_grapheme_break((utf8proc_int32_t)previous, (utf8proc_int32_t)next))
            break;
        previous = next;
        offset = end;
    }
    return offset;
}

/* End of the whole characters from `start` on that fit into `room`; at most SEGMENT_MAX
 * bytes, because some characters have no width. */
static size_t fitting_end(const Flow *flow, size_t start, size_t limit, double room) {
    size_t end = start;
    while (end < limit && end - start < SEGMENT_MAX) {
        size_t next = character_end(flow, end);
        if (flow_width(flow, start, next) > room)
            break;
        end = next;
    }
    return end;
}

static bool is_of_word(char byte) {
    return byte > ' ' && byte < 0x7F;
}

/* End of the last whole word before `end`; `end` itself if that would leave less than
 * half of the text, or if it lies between words. */
static size_t last_word_end(const Flow *flow, size_t start, size_t end) {
    const char *text = flow->text;
    size_t at = end;
    while (at > start && is_of_word(text[at - 1]) && is_of_word(text[at]))
        at--;
    return 2 * (at - start) >= end - start ? at : end;
}

/* The text from `start` to `limit`, shortened so that "…" fits behind it: at a word's end
 * if that keeps most of it. */
static const char *cut(const Flow *flow, Arena *arena, size_t start, size_t limit) {
    double ellipsis = label_width(flow->metrics, flow->font, flow->size, ELLIPSIS);
    size_t end = fitting_end(flow, start, limit, flow->width - ellipsis);
    end = end < limit ? last_word_end(flow, start, end) : end;
    while (end > start && flow->text[end - 1] == ' ')
        end--;
    return arena_format(arena, "%.*s%s", (int)(end - start), flow->text + start,
                        ELLIPSIS);
}

LabelFit label_fit_with(Arena *arena, const TextMetrics *metrics, const Insets *insets,
                        FontRole font, double wanted, double minimum, double width,
                        const char *text) {
    minimum = ceil(minimum);
    double size = fmax(floor(wanted), minimum);
    while (size > minimum && label_width_with(metrics, insets, font, size, text) > width)
        size--;
    LabelFit fit = {size, text};
    if (label_width_with(metrics, insets, font, size, text) <= width)
        return fit;
    Flow flow = {metrics, font, size, width, text, strlen(text), insets};
    fit.text = "";
    if (label_width(metrics, font, size, ELLIPSIS) <= width) {
        const char *shortened = cut(&flow, arena, 0, flow.length);
        fit.text = shortened ? shortened : "";
    }
    return fit;
}

LabelFit label_fit(Arena *arena, const TextMetrics *metrics, FontRole font, double wanted,
                   double minimum, double width, const char *text) {
    return label_fit_with(arena, metrics, NULL, font, wanted, minimum, width, text);
}

/* ---- breaking lines ---- */

static bool is_one_of(uint32_t code_point, const char *set) {
    if (code_point < 0x80)
        return code_point && strchr(set, (int)code_point);
    size_t length = strlen(set);
    for (size_t offset = 0; offset < length;) {
        if (utf8_next(set, length, &offset) == code_point)
            return true;
    }
    return false;
}

/* Source: JIS X 4051 and GB/T 15834, as far as our texts go. */
static bool never_begins_a_line(uint32_t code_point) {
    return is_one_of(code_point, ",.;:!?)]}%’”、。，；：？！）》〉」』】〕］｝·～…—％");
}

static bool never_ends_a_line(uint32_t code_point) {
    return is_one_of(code_point, "([{‘“（《〈「『【〔［｛");
}

static bool is_space(uint32_t code_point) {
    return code_point == ' ' || code_point == '\t' || code_point == 0x3000;
}

static bool may_break(uint32_t before, uint32_t after, bool spaced) {
    if (never_ends_a_line(before) || never_begins_a_line(after))
        return false;
    return spaced || utf8_is_cjk(before) || utf8_is_cjk(after);
}

/* Next position behind `start` where a line may break: *shown is the end of the text
 * before it, the result is the start of the text behind it. */
static size_t next_break(const Flow *flow, size_t start, size_t *shown) {
    uint32_t before = 0;
    bool spaced = false;
    *shown = start;
    for (size_t offset = start; offset < flow->length;) {
        size_t here = offset;
        uint32_t after = utf8_next(flow->text, flow->length, &offset);
        if (after == '\n')
            return offset;
        if (is_space(after)) {
            spaced = true;
            continue;
        }
        if (before && (may_break(before, after, spaced) || here - start > SEGMENT_MAX))
            return here;
        before = after;
        spaced = false;
        *shown = offset;
    }
    return flow->length;
}

/* The line that begins at `start`: as much text as fits, but at least one character. */
static Line line_at(const Flow *flow, size_t start) {
    Line line = {start, start, start};
    double used = 0;
    for (size_t at = start; at < flow->length;) {
        size_t shown;
        size_t next = next_break(flow, at, &shown);
        /* The sum of partial widths is not quite the width of the whole line, because of
         * kerning. */
        used += flow_width(flow, line.shown, shown);
        double whole =
            used < 0.8 * flow->width ? used : flow_width(flow, line.start, shown);
        if (whole > flow->width)
            break;
        line.shown = shown;
        line.next = at = next;
        if (flow->text[next - 1] == '\n')
            return line;
    }
    if (line.next == start) {
        line.next = fitting_end(flow, start, flow->length, flow->width);
        if (line.next == start)
            line.next = character_end(flow, start);
        line.shown = line.next;
        while (line.shown > start && flow->text[line.shown - 1] == ' ')
            line.shown--;
        while (line.next < flow->length && flow->text[line.next] == ' ')
            line.next++;
    }
    return line;
}

static size_t end_of_line(const Flow *flow, size_t start) {
    const char *newline = memchr(flow->text + start, '\n', flow->length - start);
    return newline ? (size_t)(newline - flow->text) : flow->length;
}

/* Copy of a line's text in the arena; the last line of a truncated text is cut to leave
 * room for "…". */
static const char *line_text(const Flow *flow, Arena *arena, Line line, bool last) {
    if (!last || line.next == flow->length)
        return arena_copy(arena, flow->text + line.start, line.shown - line.start);
    return cut(flow, arena, line.start, end_of_line(flow, line.start));
}

/* Draws a line of text together with its insets. */
static void draw_line(const Flow *flow, Scene *scene, Color color, Point baseline,
                      const char *words) {
    Flow line = *flow;
    line.text = words;
    line.length = strlen(words);
    for (size_t from = 0; from < line.length;) {
        size_t length, at = next_inset(&line, from, line.length, &length);
        const char *plain = arena_copy(scene->arena, words + from, at - from);
        baseline.x += label_draw(scene, flow->metrics, flow->font, flow->size, color,
                                 baseline, LABEL_LEFT, plain)
                          .w;
        if (length) {
            const Insets *insets = flow->insets;
            insets->draw(insets->context, scene, flow->size, color, baseline, words + at,
                         length);
            baseline.x += insets->width(insets->context, flow->size, words + at, length);
        }
        from = at + length;
    }
}

double label_width_with(const TextMetrics *metrics, const Insets *insets, FontRole font,
                        double size, const char *text) {
    Flow flow = {metrics, font, round(size), 0, text, strlen(text), insets};
    return flow_width(&flow, 0, flow.length);
}

Box label_draw_with(Scene *scene, const TextMetrics *metrics, const Insets *insets,
                    FontRole font, double size, Color color, Point baseline,
                    LabelAlign align, const char *text) {
    size = round(size);
    Flow flow = {metrics, font, size, 0, text, strlen(text), insets};
    double width = flow_width(&flow, 0, flow.length);
    double ascent = LABEL_ASCENT * size, descent = LABEL_DESCENT * size;
    if (align != LABEL_LEFT)
        baseline.x -= align == LABEL_CENTER ? width / 2 : width;
    draw_line(&flow, scene, color, baseline, text);
    return (Box){baseline.x, baseline.y - ascent, width, ascent + descent};
}

double paragraph_draw_with(Scene *scene, const TextMetrics *metrics, const Insets *insets,
                           FontRole font, double size, Color color, Box area,
                           double leading, size_t max_lines, const char *text) {
    size = round(size);
    Flow flow = {metrics, font, size, area.w, text, strlen(text), insets};
    double above = (leading - (LABEL_ASCENT + LABEL_DESCENT) * size) / 2;
    size_t count = 0;
    for (size_t at = 0; at < flow.length && count < max_lines;) {
        Line line = line_at(&flow, at);
        double top = area.y + (double)count * leading;
        const char *words = line_text(&flow, scene->arena, line, ++count == max_lines);
        Point baseline = {area.x, top + above + LABEL_ASCENT * size};
        scene->flows = count > 1 && text[at - 1] != '\n';
        if (words)
            draw_line(&flow, scene, color, baseline, words);
        at = line.next;
    }
    scene->flows = false;
    return (double)count * leading;
}

double paragraph_measure_with(const TextMetrics *metrics, const Insets *insets,
                              FontRole font, double size, double width, double leading,
                              size_t max_lines, const char *text, size_t *lines) {
    Flow flow = {metrics, font, round(size), width, text, strlen(text), insets};
    size_t count = 0;
    for (size_t at = 0; at < flow.length && count < max_lines; count++)
        at = line_at(&flow, at).next;
    if (lines)
        *lines = count;
    return (double)count * leading;
}

double paragraph_measure(const TextMetrics *metrics, FontRole font, double size,
                         double width, double leading, size_t max_lines, const char *text,
                         size_t *lines) {
    return paragraph_measure_with(metrics, NULL, font, size, width, leading, max_lines,
                                  text, lines);
}

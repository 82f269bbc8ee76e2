#include "picture/home/home_parts.h"

#include "base/number.h"
#include "picture/scene/theme.h"

#include <math.h>

/* The input sentence, the next token, and the feedback path of the generated token. */

static const double CHIP = 40, CHIP_PAD = 15, CHIP_GAP = 8;
static const double BAR = 20, BAR_PITCH = 32, BAR_WORDS = 92;
static const double DOT_PITCH = 13, DOT = 2.2;
static const double ROUND = 46, UP = 26;
enum { CHIPS_UNKNOWN = 4, CORNER = 12, PATH_POINTS = 2 * CORNER + 4 };

/* ---- chips ---- */

static double word_width(const Canvas *canvas, const char *word) {
    return ceil(text_line_width(canvas, FONT_TEXT, TYPE_LARGE, word)) + 2 * CHIP_PAD;
}

static void draw_chip(const Canvas *canvas, Box box, const char *word, double glow) {
    const Theme *theme = canvas->theme;
    scene_rectangle(canvas->scene, box, CHIP / 2,
                    palette_mix(theme->bar, theme->accent, (int)lround(90 * glow)),
                    palette_mix(theme->ink_faint, theme->accent, (int)lround(256 * glow)),
                    1.5);
    text_line(canvas, FONT_TEXT, TYPE_LARGE, theme->ink, box, LABEL_CENTER, word);
}

/* Lays chips out in lines; returns the end of the last one, from the area's corner. */
static Point lay_chips(const Canvas *canvas, const char *const *words, size_t count,
                       Box area, bool draw, double glow) {
    Flow flow = {{round(area.x), round(area.y), area.w, INFINITY}, CHIP, CHIP_GAP, 0, 0};
    Box box;
    for (size_t i = 0; i < count; i++) {
        flow_take(&flow, word_width(canvas, words[i]), &box);
        if (draw)
            draw_chip(canvas, box, words[i], glow);
    }
    return (Point){flow.x, flow.y};
}

/* Draws empty chips while no sample is known. */
static void draw_unknown_chips(const Canvas *canvas, Box area) {
    static const double widths[CHIPS_UNKNOWN] = {66, 58, 84, 62};
    double x = area.x;
    for (size_t i = 0; i < CHIPS_UNKNOWN && x + widths[i] <= area.x + area.w; i++) {
        scene_rectangle(canvas->scene, (Box){x, area.y, widths[i], CHIP}, CHIP / 2,
                        canvas->theme->bar, canvas->theme->line, 1.5);
        x += widths[i] + CHIP_GAP;
    }
}

static void draw_arrow(const Canvas *canvas, Point from, Point to) {
    canvas_arrow(canvas, from, to, 4, 12,
                 palette_mix(canvas->theme->page, canvas->theme->residual, 110));
}

/* Draws the sentence with its last line at the encoder's first box, or as a whole below
 * that. */
static void draw_sentence(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const HomeSample *sample = picture->home->sample;
    Box area = picture->layout.sentence;
    Box ids = picture->layout.towers.items[0].boxes[0].box;
    bool stacked = picture->layout.stacked;
    Box chips = {area.x, stacked ? area.y : ids.y + (ids.h - CHIP) / 2, area.w, CHIP};
    if (sample && sample->word_count) {
        Point end = lay_chips(canvas, sample->words, sample->word_count, chips, false, 0);
        chips.y -= stacked ? 0 : end.y;
        lay_chips(canvas, sample->words, sample->word_count, chips, true,
                  picture->light.sentence);
    } else {
        draw_unknown_chips(canvas, chips);
    }
    canvas_label(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink_soft,
                 (Point){area.x + 2, chips.y - 14}, LABEL_LEFT,
                 canvas_string(canvas, "home.sentence"));
    double y = ids.y + ids.h / 2;
    if (stacked)
        draw_arrow(canvas, (Point){ids.x + ids.w - UP, area.y - 10},
                   (Point){ids.x + ids.w - UP, ids.y + ids.h + 6});
    else
        draw_arrow(canvas, (Point){area.x + area.w + 4, y}, (Point){ids.x - 6, y});
}

/* ---- the next token ---- */

static const HomeStep *turn_of(const HomePicture *picture, size_t turn) {
    const HomeSample *sample = picture->home->sample;
    return sample ? &sample->steps[turn] : NULL;
}

static void draw_bar(const Canvas *canvas, Box area, const HomeChance *chance, bool said,
                     double grown) {
    const Theme *theme = canvas->theme;
    double middle = area.y + area.h / 2,
           size = canvas_size(canvas, TYPE_LARGE, chance->word);
    canvas_row_label(canvas, size, BAR_WORDS - 10, said,
                     (Point){area.x + BAR_WORDS - 10, middle}, chance->word);
    double room = area.w - BAR_WORDS - 64;
    double width = fmax(round(room * chance->chance * grown), 3);
    canvas_fill(canvas, (Box){area.x + BAR_WORDS, round(middle - BAR / 2), width, BAR}, 3,
                said ? theme->ink : theme->probabilities);
    char number[NUMBER_SIZE];
    if (grown >= 1)
        text_line(canvas, FONT_TEXT, TYPE_LARGE, theme->ink_soft,
                  (Box){area.x + BAR_WORDS + width + 10, area.y, area.w, area.h},
                  LABEL_LEFT, number_format_shortest(number, chance->chance, 3));
}

/* Draws the likeliest next tokens; those of the step before until the present ones
 * appear. */
static void draw_bars(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const HomeLight *light = &picture->light;
    Box area = picture->layout.bars;
    const Tower *decoder = &picture->layout.towers.items[1];
    Box top = decoder->boxes[decoder->count - 1].box;
    double y = top.y + top.h / 2, x = top.x + top.w - UP;
    bool stacked = picture->layout.stacked;
    scene_line(canvas->scene, stacked ? (Point){x, top.y} : (Point){top.x + top.w, y},
               stacked ? (Point){x, area.y + area.h} : (Point){area.x + 4, y}, 4,
               palette_mix(canvas->theme->page, canvas->theme->residual, 110));
    canvas_label(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink_soft,
                 (Point){area.x + BAR_WORDS, area.y - 10}, LABEL_LEFT,
                 canvas_string(canvas, "home.next_word"));
    bool before = light->moves && !light->began;
    const HomeStep *turn =
        before && !light->turn ? NULL : turn_of(picture, light->turn - before);
    for (size_t i = 0; i < HOME_CHANCES; i++) {
        Box row = {area.x, area.y + BAR_PITCH * (double)i, area.w, BAR_PITCH};
        if (turn && i < turn->count)
            draw_bar(canvas, row, &turn->chances[i], i == 0, before ? 1 : light->bars);
        else if (!turn)
            canvas_fill(canvas,
                        (Box){row.x + BAR_WORDS, row.y + (BAR_PITCH - BAR) / 2,
                              90 - 18.0 * (double)i, BAR},
                        3,
                        palette_mix(canvas->theme->page, canvas->theme->ink_faint, 44));
    }
}

/* ---- the feedback path ---- */

/* Sets the points of a round corner at `path`; returns their number. */
static size_t round_corner(Point *path, Point corner, Point in, Point out) {
    for (size_t i = 0; i <= CORNER; i++) {
        double t = (double)i / CORNER, s = 1 - t;
        path[i] = (Point){s * s * in.x + 2 * s * t * corner.x + t * t * out.x,
                          s * s * in.y + 2 * s * t * corner.y + t * t * out.y};
    }
    return CORNER + 1;
}

/* Sets the path from the likeliest token to the right, down, and to the end of the
 * generated text. */
static void feedback_path(const HomePicture *picture, double end,
                          Point path[PATH_POINTS]) {
    const HomeLayout *layout = &picture->layout;
    double x = layout->loop.x;
    Point from = {layout->bars.x + layout->bars.w + 8, layout->bars.y + BAR_PITCH / 2};
    Point to = {end + 12, layout->generated.y + layout->generated.h / 2};
    size_t count = 0;
    path[count++] = from;
    count += round_corner(path + count, (Point){x, from.y}, (Point){x - ROUND, from.y},
                          (Point){x, from.y + ROUND});
    count += round_corner(path + count, (Point){x, to.y}, (Point){x, to.y - ROUND},
                          (Point){x - ROUND, to.y});
    path[count] = to;
}

/* Draws the path's dots, except those under a chip. */
static void draw_dots(const HomePicture *picture, const Point path[PATH_POINTS],
                      Box chip) {
    const Canvas *canvas = picture->canvas;
    Color color = canvas->theme->ink_soft;
    double left = 0;
    for (size_t i = 1; i < PATH_POINTS; i++) {
        Point a = path[i - 1], b = path[i];
        double step = point_distance(a, b);
        for (; left < step; left += DOT_PITCH) {
            Point at = {a.x + (b.x - a.x) * left / step, a.y + (b.y - a.y) * left / step};
            if (!box_contains(chip, at.x, at.y))
                canvas_dot(canvas, at, DOT, color, (Color){0}, 0);
        }
        left -= step;
    }
    Point tip = path[PATH_POINTS - 1];
    canvas_arrow_head(canvas, (Point){tip.x + 12, tip.y}, (Point){tip.x - 1, tip.y}, 13,
                      color);
}

/* Draws the text generated so far, its newest tokens if not all have room; returns its
 * right end. */
static double draw_read(const HomePicture *picture, const HomeStep *turn, Point corner,
                        double room) {
    const Canvas *canvas = picture->canvas;
    Box line = {corner.x, corner.y, room, CHIP};
    if (!turn) {
        draw_unknown_chips(canvas, (Box){corner.x, corner.y, 90, CHIP});
        return corner.x + 66;
    }
    line.w -= word_width(canvas, turn->chances[0].word) + CHIP_GAP;
    const char *const *words = turn->read;
    size_t count = turn->read_count;
    for (; count > 1 && lay_chips(canvas, words, count, line, false, 0).y > 0; count--)
        words++;
    return corner.x + lay_chips(canvas, words, count, line, true, 0).x;
}

/* Draws the feedback path with the generated token on it. */
static void draw_path(const HomePicture *picture, const HomeStep *turn, double end,
                      double top) {
    const Canvas *canvas = picture->canvas;
    const HomeLight *light = &picture->light;
    Point path[PATH_POINTS];
    bool flies = turn && light->moves && light->flight > 0;
    const char *word = turn ? turn->chances[0].word : "";
    double w = word_width(canvas, word), left = end + CHIP_GAP;
    Box chip = {0};
    feedback_path(picture, flies && light->landed ? left + w : end, path);
    if (flies && light->landed) {
        chip = (Box){left, top, w, CHIP};
    } else if (flies) {
        Point at = home_along(path, PATH_POINTS, light->flight);
        double right = picture->layout.loop.x + 40;
        chip = (Box){fmin(at.x - w / 2, right - w), at.y - CHIP / 2, w, CHIP};
    }
    draw_dots(picture, path, box_inset(chip, -DOT));
    if (flies)
        draw_chip(canvas, chip, word, light->landed ? 0 : 1);
}

static void draw_generated(const HomePicture *picture) {
    const Canvas *canvas = picture->canvas;
    const HomeStep *turn = turn_of(picture, picture->light.turn);
    Box area = picture->layout.generated,
        low = picture->layout.towers.items[1].boxes[0].box;
    Point corner = {area.x, area.y + (area.h - CHIP) / 2};
    double y = low.y + low.h / 2;
    bool stacked = picture->layout.stacked;
    canvas_label(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink_soft,
                 (Point){area.x + 2, corner.y - 14}, LABEL_LEFT,
                 canvas_string(canvas, "home.back"));
    if (stacked)
        draw_arrow(canvas, (Point){low.x + low.w - UP, corner.y - 6},
                   (Point){low.x + low.w - UP, low.y + low.h + 6});
    else
        draw_arrow(canvas, (Point){area.x - 6, y}, (Point){low.x + low.w + 6, y});
    double end = draw_read(picture, turn, corner, area.w);
    draw_path(picture, turn, end, corner.y);
}

void home_draw_sample(const HomePicture *picture) {
    draw_sentence(picture);
    draw_bars(picture);
    draw_generated(picture);
}

#include "picture/page/page.h"
#include "picture/page/page_parts.h"

#include "base/arena.h"
#include "base/strings/aloud.h"
#include "base/strings/language.h"
#include "lesson/content/content.h"
#include "picture/explain/explain.h"
#include "picture/formula/formula.h"
#include "picture/map/map.h"
#include "picture/overlays/overlays.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"

#include <math.h>
#include <string.h>

static const double BAR_HEIGHT = 56, INSPECTOR_HEIGHT = 76, TIMELINE_HEIGHT = 76,
                    CHOICE_HEIGHT = 37, MARGIN = 40, TITLE_PAD = 28, TITLE_GAP = 18,
                    CHOICE_GAP = 24, CHOICE_BELOW = 2, NAMED_TITLE = 700;
static const double WIDE_MARGIN = 44, HAIRLINE = 5, SUM_HEIGHT = 76, MAP_SCALE = 1.25;
/* Fraction of the type's growth by which the surrounding strips grow. */
static const double STRIP_FRACTION = 0.35;

static const double UPRIGHT = 1.25, UPRIGHT_TYPE = 1.3, UPRIGHT_EXERCISE = 400,
                    LEAST_UPRIGHT_SCALE = 0.64, LEAST_UPRIGHT_WIDTH = 800;

static bool is_upright(double width, double height) {
    return height > UPRIGHT * width;
}

/* ---- parts ---- */

const char *page_title(const Canvas *canvas, const Page *page) {
    const char *title = text_in(&page->player->lesson->title, canvas->language);
    return page->number ? canvas_format(canvas, "%zu · %s", page->number, title) : title;
}

/* Position of an exported picture: "3.1  ·  step 3 of 9". */
static const char *position_of(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    const Station *station = parts->page->station;
    size_t at = station ? station->at : player_statement(player);
    size_t all = station ? station->count : player_statement_count(player);
    const char *count =
        canvas_words(canvas, station ? "tour.station_of" : "page.step_of",
                     canvas_count(canvas, at + 1), canvas_count(canvas, all), NULL);
    return player_step(player)->depth > 1 && !station
               ? canvas_format(canvas, "%s  ·  %s", player_step(player)->path, count)
               : count;
}

/* Draws the title of an exported picture, and which step it shows. */
static void draw_title(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    area = box_narrowed(area, TITLE_PAD);
    if (area.w > NAMED_TITLE) {
        Box name = text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink, area, LABEL_LEFT,
                             "Glassformer");
        box_take_left(&area, name.w + TITLE_GAP);
        canvas_fill(canvas, (Box){round(area.x), area.y + 15, 1, area.h - 30}, 0,
                    theme->line);
        box_take_left(&area, TITLE_GAP);
    }
    Box position = text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft, area,
                             LABEL_RIGHT, position_of(parts));
    box_take_right(&area, position.w + TITLE_PAD);
    const char *title = page_title(canvas, parts->page);
    bool fits = text_line_width(canvas, FONT_TEXT, TYPE_LARGE, title) <= area.w;
    text_line(canvas, FONT_TEXT, fits ? TYPE_LARGE : TYPE_SMALL, theme->ink, area,
              LABEL_LEFT, title);
}

static void draw_bar(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    canvas_fill(canvas, area, 0, canvas->theme->bar);
    canvas_fill(canvas, (Box){area.x, area.y + area.h - 1, area.w, 1}, 0,
                canvas->theme->line);
    if (parts->page->bar)
        top_bar_draw(parts, area);
    else
        draw_title(parts, area);
}

/* ---- usual page ---- */

/* Height of a strip around the picture, which grows less than the type. */
static double strip_height(const PageParts *parts, double units) {
    double scale = text_scale_of(parts->page);
    return round(units * (1 + (scale - 1) * STRIP_FRACTION));
}

static void draw_station(const PageParts *parts, Box area) {
    station_draw_strip(parts->canvas, parts->page->station, area);
}

/* Height below the picture: of a station's buttons, an exercise, or timeline and
 * inspector. */
static double bottom_height(const PageParts *parts, bool inspects) {
    const Page *page = parts->page;
    if (page->station)
        return strip_height(parts, STATION_STRIP_HEIGHT);
    if (practise_panel_below(page->practise) && is_upright(page->width, page->height))
        return strip_height(parts, UPRIGHT_EXERCISE);
    bool apart = practise_panel_below(page->practise);
    return strip_height(parts,
                        TIMELINE_HEIGHT + (inspects || apart ? INSPECTOR_HEIGHT : 0));
}

static void draw_bottom(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    canvas_fill(canvas, area, 0, theme->bar);
    canvas_fill(canvas, (Box){0, area.y, area.w, 1}, 0, theme->line);
    if (parts->page->station) {
        page_part_draw(parts, area, draw_station);
        return;
    }
    if (practise_panel_below(parts->page->practise)) {
        page_part_draw(parts, area, practise_panel_draw);
        return;
    }
    Box timeline = box_take_bottom(&area, strip_height(parts, TIMELINE_HEIGHT));
    if (area.h > 0)
        page_part_draw(parts, area, inspector_draw);
    page_part_draw(parts, timeline, timeline_draw);
}

/* Draws the message at the foot of an area. */
static void draw_message(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const char *message = parts->page->message;
    if (!message)
        return;
    double gap = 4;
    double width = canvas_message_width(canvas, area.w - 2 * gap, message);
    canvas_message(canvas, area.x + gap + width, area.y + area.h - gap, width,
                   canvas->theme->current, canvas->theme->current_ink, message);
}

static void draw_choice(const PageParts *parts, Box strip) {
    const Page *page = parts->page;
    if (page->interactive && !practise_panel_above(parts->page->practise) &&
        !page->station)
        strip.w = words_choice_draw(parts, strip) - CHOICE_GAP - strip.x;
    double banners = page->bar ? top_bar_banners_width(parts->canvas, page->bar) : 0;
    Box lane = strip;
    lane.w -= banners;
    double right = map_lane_draw(parts, lane);
    if (page->bar) {
        box_take_left(&strip, right > strip.x ? right + CHOICE_GAP - strip.x : 0);
        top_bar_banners(parts->canvas, page->bar, strip);
    }
}

/* Height of the line of the lane, banners and depths. */
static double choice_height(const PageParts *parts) {
    return round(CHOICE_HEIGHT * text_scale_of(parts->page));
}

/* Area of messages: the lower part of the picture's, above its trails. */
static Box message_area(const PageParts *parts, Box picture) {
    const Page *page = parts->page;
    for (size_t i = 0; i < page->trail_count; i++)
        box_take_bottom(&picture, trail_height(parts->canvas, page->trails[i]) *
                                      text_scale_of(page));
    return picture;
}

/* Areas of a usual page; the map's is empty unless it is shown. */
typedef struct Usual {
    Box bar, map, choice, body, bottom;
} Usual;

static Usual lay_out_usual(const PageParts *parts, bool inspects) {
    const Page *page = parts->page;
    Box rest = {0, 0, page->width, page->height};
    Usual usual = {.bar = box_take_top(&rest, strip_height(parts, BAR_HEIGHT)),
                   .bottom = box_take_bottom(&rest, bottom_height(parts, inspects))};
    if (page->with_map)
        usual.map = box_take_left(&rest, strip_height(parts, map_width(parts)));
    rest = box_narrowed(rest, MARGIN);
    usual.choice = box_take_top(&rest, choice_height(parts));
    box_take_top(&rest, CHOICE_BELOW);
    box_take_bottom(&rest, 12);
    usual.body = rest;
    return usual;
}

/* Reports whether the numbers of the cells stand in the picture of a page without an
 * inspector, whichever cell is pointed at. */
static bool prints_numbers(const PageParts *parts) {
    Page still = *parts->page;
    still.moment = (PaceMoment){0};
    still.has_focus = false;
    PageParts shown = {parts->canvas, &still};
    Scene *scene = parts->canvas->scene;
    size_t first = scene->count, cells = 0, numbers = 0;
    page_body_draw(&shown, lay_out_usual(&shown, false).body);
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->link.kind != LINK_CELL)
            continue;
        cells += item->kind == SCENE_RECTANGLE;
        numbers += item->kind == SCENE_TEXT && strpbrk(item->text, "0123456789∞");
    }
    scene->count = first;
    return numbers && 2 * numbers >= cells;
}

/* Reports whether there is an inspector: it has its place for all cells of a page, and
 * none where it would only repeat numbers. */
static bool has_inspector(const PageParts *parts) {
    return !practise_panel_above(parts->page->practise) &&
           (inspector_has_more(parts) || !prints_numbers(parts));
}

static void draw_usual(const PageParts *parts) {
    Usual usual = lay_out_usual(parts, has_inspector(parts));
    page_part_draw(parts, usual.bar, draw_bar);
    if (usual.map.w > 0)
        page_part_draw(parts, usual.map, map_draw);
    draw_bottom(parts, usual.bottom);
    page_part_draw(parts, usual.choice, draw_choice);
    page_body_draw(parts, usual.body);
    page_part_draw(parts, message_area(parts, usual.body), draw_message);
}

double page_least_type(double width, double height) {
    return is_upright(width, height) ? UPRIGHT_TYPE : 1;
}

PageFit page_fit(double pixels_wide, double pixels_high) {
    bool upright = is_upright(pixels_wide, pixels_high);
    double width = upright ? PAGE_UPRIGHT_WIDTH : PAGE_WIDTH;
    double scale = fmin(pixels_wide / width, pixels_high / PAGE_HEIGHT);
    if (upright && scale < LEAST_UPRIGHT_SCALE)
        scale = fmin(fmin(LEAST_UPRIGHT_SCALE, pixels_wide / LEAST_UPRIGHT_WIDTH),
                     pixels_high / PAGE_HEIGHT);
    return (PageFit){round(pixels_wide / scale), round(pixels_high / scale), scale};
}

/* ---- presented page ---- */

/* Draws the lesson's progress. */
static void draw_progress(const PageParts *parts, Box strip) {
    const Canvas *canvas = parts->canvas;
    canvas_fill(canvas, strip, 0, canvas->theme->line);
    strip.w *= timeline_fraction(parts->page->player);
    canvas_fill(canvas, strip, 0, canvas->theme->ink);
}

/* Draws the page as a lecturer presents it: the picture in large type, a heading and a
 * sentence or two; a hairline instead of bar and timeline. Returns the lower end of the
 * picture's area. */
static double draw_presented(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    Box rest = {0, 0, page->width, page->height};
    draw_progress(parts, box_take_bottom(&rest, HAIRLINE));
    if (page->with_map)
        page_part_draw_at(parts, box_take_left(&rest, map_width(parts) * MAP_SCALE),
                          map_draw, MAP_SCALE);
    rest = box_narrowed(rest, WIDE_MARGIN);
    box_take_top(&rest, WIDE_MARGIN / 2);
    box_take_bottom(&rest, WIDE_MARGIN / 3);
    bool is_question = practise_panel_below(page->practise);
    Canvas canvas_of_words = *canvas;
    canvas_of_words.least = text_least_of(page);
    if (is_question)
        page_part_draw(&(PageParts){&canvas_of_words, page},
                       box_take_bottom(&rest, practise_panel_height(parts)),
                       practise_panel_draw);
    bool sums = !is_question && (page->pinned || page->player->cell != PLAYER_NONE);
    Box sum = box_take_bottom(&rest, sums ? SUM_HEIGHT : 0);
    page_body_draw(parts, rest);
    if (sums)
        page_part_draw(parts, sum, inspector_draw_sum);
    return rest.y + rest.h;
}

/* ---- any page ---- */

static void draw_all(const PageParts *parts) {
    Box whole = {0, 0, parts->page->width, parts->page->height};
    if (parts->page->alone) { /* as for a figure in another text */
        page_part_draw(parts, box_inset(whole, MARGIN), page_body_draw);
    } else if (parts->page->presents && !parts->page->station) {
        double end = draw_presented(parts);
        if (practise_panel_below(parts->page->practise))
            box_take_bottom(&whole, practise_panel_height(parts));
        else if (parts->page->trail_count)
            whole.h = end;
        page_part_draw(parts, message_area(parts, whole), draw_message);
    } else {
        draw_usual(parts);
    }
}

/* Draws all words below each other, on a page that is read aloud and has no end. */
static void draw_words(const PageParts *seen) {
    Canvas canvas = *seen->canvas;
    const PageParts *parts = &(PageParts){&canvas, seen->page};
    canvas.heard = true;
    Box words = {0, 0, PAGE_WIDTH, page_words_height(parts, PAGE_WIDTH)};
    page_words_draw(parts, words);
    Box below = {0, words.h, PAGE_WIDTH, INSPECTOR_HEIGHT + TIMELINE_HEIGHT};
    if (practise_panel_below(parts->page->practise))
        practise_panel_draw(parts, below);
    else if (!practise_panel_above(parts->page->practise))
        inspector_draw(parts, below);
}

void page_drawing_init(PageDrawing *drawing, Scene *scene, const Page *page) {
    *drawing = (PageDrawing){.canvas = {.scene = scene,
                                        .theme = page->theme,
                                        .metrics = page->metrics,
                                        .language = page->language,
                                        .sizes = &drawing->sizes}};
    drawing->canvas.layouts = page->layouts ? page->layouts : &drawing->layouts;
    sentence_names_use(&drawing->names, &drawing->canvas, page->player->lesson->tape);
    scene_set_lines(scene, page->theme->lines);
    scene_set_language(scene, page->language);
}

/* Draws a page into a scene of its size with a given function. */
static void draw_page(Scene *scene, const Page *page, void (*draw)(const PageParts *)) {
    PageDrawing drawing;
    page_drawing_init(&drawing, scene, page);
    drawing.canvas.without_verdicts =
        !page->sources || practise_panel_waits(page->practise) ||
        player_words(page->player, page->player->step)->closes;
    drawing.canvas.pointed = page->has_focus ? page->focus : (Link){0};
    draw(&(PageParts){&drawing.canvas, page});
}

void page_draw(Scene *scene, Arena *arena, const Page *page) {
    Player player = *page->player;
    Page shown = *page;
    player.step = pace_shown(page->player, &page->moment);
    if (player.step != page->player->step) {
        player.depth = player_step(&player)->depth;
        shown.player = &player;
        shown.moment = (PaceMoment){0};
    }
    scene_init(scene, arena, page->width, page->height, page->theme->page);
    draw_page(scene, &shown, draw_all);
}

/* Draws a page and reads it, with its signs in words if it is heard. */
static const char *read_page(Arena *arena, const Page *page, bool heard,
                             void (*draw)(const PageParts *)) {
    Scene scene;
    scene_init(&scene, arena, page->width, page->height, page->theme->page);
    draw_page(&scene, page, draw);
    if (!heard)
        scene_set_language(&scene, NULL);
    return scene_read(&scene, arena);
}

/* Which step it is: "Step 8 of 13, chapter Softmax." */
static const char *read_step(Arena *arena, const Page *page) {
    const Player *player = page->player;
    size_t at = player_statement(player), chapter = at;
    const LessonStep *steps = player->lesson->steps;
    while (chapter > 0 && text_is_empty(&steps[chapter].chapter))
        chapter--;
    const char *name = aloud_text(arena, page->language,
                                  text_in(&steps[chapter].chapter, page->language));
    const char *parts[] = {arena_format(arena, "%zu", at + 1),
                           arena_format(arena, "%zu", player_statement_count(player)),
                           name};
    return language_sentence(page->language, *name ? "aloud.step_in" : "aloud.step", 3,
                             parts, arena);
}

const char *page_read(Arena *arena, const Page *page) {
    const char *step = page->station ? "" : read_step(arena, page);
    const char *words = read_page(arena, page, true, draw_words);
    return words ? arena_format(arena, "%s%s%s", step, *step ? "\n" : "", words) : NULL;
}

static void draw_sum(const PageParts *parts) {
    inspector_draw(parts, (Box){0, 0, PAGE_WIDTH, INSPECTOR_HEIGHT});
}

static void draw_sum_heard(const PageParts *seen) {
    Canvas canvas = *seen->canvas;
    canvas.heard = true;
    draw_sum(&(PageParts){&canvas, seen->page});
}

const char *page_read_sum(Arena *arena, const Page *page) {
    return read_page(arena, page, true, draw_sum_heard);
}

const char *page_write_sum(Arena *arena, const Page *page) {
    return read_page(arena, page, false, draw_sum);
}

void page_draw_small(Scene *scene, const Page *page, Box box) {
    double width = scene->width, height = scene->height;
    scene_clip(scene, box);
    scene_rectangle(scene, box, 0, page->theme->page, (Color){0}, 0);
    size_t first = scene->count;
    scene->width = page->width;
    scene->height = page->height;
    draw_page(scene, page, draw_all);
    scene->width = width;
    scene->height = height;
    scene_scale(scene, first, box.w / page->width, (Point){box.x, box.y});
    for (size_t i = first; i < scene->count; i++)
        scene->items[i].link = (Link){0};
    scene_unclip(scene);
}

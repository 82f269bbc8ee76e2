#include "picture/layers/inverse_lanes.h"

#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/lanes.h"
#include "picture/layers/layer_lane.h"

#include <math.h>

/* Lengths in units. */
static const double GAP = 36, BACK = 62, RADIUS = 15, CROSS = 11, LINE = 3;
enum { PATHS = 2 };

typedef struct InversePath {
    Player player; /* at the step that computed the table */
    Stage stage;
    LaneLayout lanes;
} InversePath;

/* y below the tables' names, and y of the return path. */
static double names_end(const LaneLayout *lanes) {
    return lanes->places[0].table.y + word_rows_height(&lanes->rows) + LANE_MARGIN +
           LANE_CAPTION;
}

static double return_level(const LaneLayout *lanes) {
    return lanes->sums_below
               ? lanes->below + lanes->rows.row + LANE_CAPTION + RADIUS + LANE_GAP
               : names_end(lanes) + BACK / 2;
}

static bool find_path(InversePath *path, const Stage *stage, size_t index,
                      const Canvas *canvas) {
    size_t node = stage->step->shown[1 + index], maker = lane_maker(stage, node);
    LaneParts parts;
    if (maker == PLAYER_NONE || !lane_parts(&parts, stage, maker) || parts.count != 1 ||
        parts.loops[0].in != stage->step->shown[0])
        return false;
    path->player = *stage->player;
    player_jump(&path->player, maker);
    path->stage = *stage;
    path->stage.canvas = canvas;
    path->stage.player = &path->player;
    path->stage.step = player_words(&path->player, path->player.step);
    path->stage.node = node;
    double wide = (stage->area.w - GAP) / PATHS;
    path->stage.area = (Box){stage->area.x + (wide + GAP) * (double)index, stage->area.y,
                             wide, stage->area.h - BACK};
    path->lanes = (LaneLayout){.stage = &path->stage, .parts = parts, .bare = true};
    return lane_layout(&path->lanes) &&
           return_level(&path->lanes) + RADIUS <= stage->area.y + stage->area.h;
}

/* Reports whether a norm blocks the return path. */
static bool is_closed(const InversePath *path) {
    return path->lanes.gated;
}

static void draw_cross(const Canvas *canvas, Point at) {
    Color ink = canvas->theme->ink;
    canvas_dot(canvas, at, CROSS + LINE, canvas->theme->page, canvas->theme->page, 0);
    scene_line(canvas->scene, (Point){at.x - CROSS, at.y - CROSS},
               (Point){at.x + CROSS, at.y + CROSS}, LINE, ink);
    scene_line(canvas->scene, (Point){at.x - CROSS, at.y + CROSS},
               (Point){at.x + CROSS, at.y - CROSS}, LINE, ink);
}

/* Draws the return path from below the table to the one before it, with the subtracted
 * table in the middle. */
static void draw_back(const InversePath *path) {
    const Canvas *canvas = path->stage.canvas;
    const LaneLayout *lanes = &path->lanes;
    double half = word_rows_width(&lanes->rows) / 2, top = names_end(lanes),
           low = return_level(lanes);
    Point from = {lanes->places[1].table.x + half, top},
          to = {lanes->places[0].table.x + half, top};
    Point sum = {lanes->places[0].sum, low}, gate = {lanes->places[0].gate.x, low};
    const Point right[] = {from, {from.x, low}, sum}, left[] = {sum, {to.x, low}, to};
    Color color = is_closed(path) ? canvas->theme->ink_faint : canvas->theme->ink;
    scene_path(canvas->scene, right, 3, LINE, color);
    scene_path(canvas->scene, left, 3, LINE, color);
    const Point head[] = {{to.x - 8, to.y + 10}, to, {to.x + 8, to.y + 10}};
    scene_path(canvas->scene, head, 3, LINE, color);
    canvas_dot(canvas, sum, RADIUS, canvas->theme->page, color, 2);
    scene_line(canvas->scene, (Point){sum.x - RADIUS / 2, low},
               (Point){sum.x + RADIUS / 2, low}, LINE, color);
    if (is_closed(path))
        draw_cross(canvas, (Point){gate.x + lanes->places[0].gate.w / 2, gate.y});
}

bool inverse_lanes(const Stage *stage) {
    if (stage->step->shown_count != 1 + PATHS || stage->values || stage->is_question)
        return false;
    Canvas canvas = *stage->canvas;
    canvas.without_legends = true; /* one legend serves both */
    InversePath paths[PATHS];
    for (size_t i = 0; i < PATHS; i++) {
        if (!find_path(&paths[i], stage, i, &canvas))
            return false;
    }
    if (is_closed(&paths[0]) == is_closed(&paths[1]))
        return false;
    double reach = fmax(paths[0].lanes.reach, paths[1].lanes.reach);
    for (size_t i = 0; i < PATHS; i++) {
        paths[i].lanes.reach = reach;
        layer_lane_draw(&paths[i].lanes);
        draw_back(&paths[i]);
    }
    stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, reach}, 1);
    return true;
}

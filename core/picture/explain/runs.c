#include "picture/explain/runs.h"

#include "base/maths.h"

static const double RAISED_SCALE = 0.78, RAISE = 0.42;

void runs_add(Runs *runs, FontRole font, Color color, double raise, Link link,
              const char *text) {
    if (!text[0])
        return;
    if (runs->count == RUNS_MAX) {
        runs->overflowed = true;
        return;
    }
    runs->items[runs->count++] = (Run){text, font, color, raise, link};
}

static double size_of(const Run *run, double size) {
    double raised = round(size * pow(RAISED_SCALE, run->raise));
    return fmax(raised, label_min_size(run->text));
}

double runs_width(const Runs *runs, double size) {
    double width = 0;
    for (size_t i = 0; i < runs->count; i++)
        width += canvas_text_width(runs->canvas, runs->items[i].font,
                                   size_of(&runs->items[i], size), runs->items[i].text);
    return width;
}

double runs_draw(const Runs *runs, double size, Point baseline) {
    Scene *scene = runs->canvas->scene;
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        scene_link(scene, run->link);
        Point at = {baseline.x, round(baseline.y - size * RAISE * run->raise)};
        Box drawn = label_draw(scene, runs->canvas->metrics, run->font,
                               size_of(run, size), run->color, at, LABEL_LEFT, run->text);
        baseline.x += drawn.w;
    }
    scene_link(scene, (Link){0});
    return baseline.x;
}

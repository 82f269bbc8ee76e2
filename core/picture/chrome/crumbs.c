#include "picture/chrome/chrome.h"

#include "lesson/content/content.h"
#include "picture/explain/explain.h"
#include "picture/stage/stage.h"

#include <math.h>
#include <string.h>

static const double SIGN_ROOM = 22, LEAST_TITLE = 180, BARE_TITLE = 70, LEAST_TARGET = 40;

/* One crumb: text or a cell's name. */
typedef struct Crumb {
    const char *words; /* NULL: the cell's name */
    FontRole font;
    Link link;
} Crumb;

enum { CRUMBS_MAX = 16 };

typedef struct Crumbs {
    const PageParts *parts;
    size_t count;
    size_t title; /* the crumb with the lesson's title */
    bool elided;  /* "…" stands for some steps */
    Crumb items[CRUMBS_MAX];
    CellName cell;
    CellStyle style;
} Crumbs;

static double width_of(const Crumbs *crumbs, size_t index) {
    const Canvas *canvas = crumbs->parts->canvas;
    const Crumb *crumb = &crumbs->items[index];
    return crumb->words ? text_line_width(canvas, crumb->font, TYPE_TEXT, crumb->words)
                        : cell_name_width(canvas, crumbs->parts->page->player,
                                          &crumbs->cell, &crumbs->style);
}

static void append(Crumbs *crumbs, FontRole font, Link link, const char *words) {
    if (crumbs->count < CRUMBS_MAX)
        crumbs->items[crumbs->count++] = (Crumb){words, font, link};
}

static Link to_step(size_t step) {
    return (Link){LINK_STEP, step, 0, 0};
}

/* Appends the steps around the present one, from its statement's down to itself. */
static void append_steps(Crumbs *crumbs) {
    const Canvas *canvas = crumbs->parts->canvas;
    const Player *player = crumbs->parts->page->player;
    size_t statement = player_statement(player), at = player->step;
    size_t depths = player->steps[at].depth, steps[CRUMBS_MAX];
    append(crumbs, FONT_TEXT, to_step(player_statement_step(player, statement)),
           canvas_words(canvas, "page.step_of", canvas_count(canvas, statement + 1),
                        canvas_count(canvas, player_statement_count(player)), NULL));
    for (size_t depth = depths; depth > 1; depth--) {
        if (depth < CRUMBS_MAX)
            steps[depth] = at;
        at = player->steps[at].parent;
    }
    for (size_t depth = 2; depth <= depths && depth < CRUMBS_MAX; depth++)
        append(crumbs, FONT_TEXT, to_step(steps[depth]),
               canvas_format(canvas, "%s %s", player->steps[steps[depth]].path,
                             stage_step_words(canvas, player, steps[depth])));
}

static void list(Crumbs *crumbs, const CrumbLinks *links) {
    const Canvas *canvas = crumbs->parts->canvas;
    const Page *page = crumbs->parts->page;
    const char *title = text_in(&page->player->lesson->title, canvas->language);
    if (page->number)
        title = canvas_format(canvas, "%zu · %s", page->number, title);
    bool basic = page->bar && !page->bar->count; /* a bar elsewhere leads home */
    if (!basic)
        append(crumbs, FONT_BOLD, links->home, "Glassformer");
    crumbs->title = crumbs->count;
    append(crumbs, FONT_TEXT, to_step(0), title);
    append_steps(crumbs);
    FollowCell *cell = &crumbs->cell.cell;
    if (!basic && !practise_panel_hides_cell(page->practise) &&
        page_focus(page, &cell->node, &cell->row, &cell->col))
        append(crumbs, FONT_TEXT, links->explain, NULL);
}

/* ---- fitting ---- */

/* Width by which the crumbs are longer than their room. */
static double excess(const Crumbs *crumbs, double room) {
    double width = -SIGN_ROOM;
    for (size_t i = 0; i < crumbs->count; i++)
        width += width_of(crumbs, i) + SIGN_ROOM;
    return width - room;
}

static void shorten_title(Crumbs *crumbs, double room, double least) {
    const Canvas *canvas = crumbs->parts->canvas;
    Crumb *title = &crumbs->items[crumbs->title];
    double over = excess(crumbs, room);
    double size = canvas_size(canvas, TYPE_TEXT, title->words);
    if (over > 0)
        title->words = label_fit_with(canvas->scene->arena, canvas->metrics,
                                      canvas->insets, FONT_TEXT, size, size,
                                      fmax(width_of(crumbs, crumbs->title) - over, least),
                                      title->words)
                           .text;
}

/* Leaves out one of the steps behind the statement, except the step itself and the
 * cell. */
static bool leave_one_out(Crumbs *crumbs) {
    Crumb *gap = &crumbs->items[crumbs->title + 2];
    size_t kept = crumbs->items[crumbs->count - 1].words ? 1 : 2;
    if (crumbs->count <= crumbs->title + 2 + kept + crumbs->elided)
        return false;
    if (crumbs->elided) {
        crumbs->count--;
        memmove(gap + 1, gap + 2, (crumbs->count - crumbs->title - 3) * sizeof *gap);
    }
    gap->words = "…";
    crumbs->elided = true;
    return true;
}

/* Shortens the steps to their paths. */
static void drop_step_words(Crumbs *crumbs) {
    for (size_t i = crumbs->title + 2; i < crumbs->count; i++) {
        Crumb *crumb = &crumbs->items[i];
        if (crumb->link.kind == LINK_STEP && crumb->words)
            crumb->words = canvas_format(crumbs->parts->canvas, "%.*s",
                                         (int)strcspn(crumb->words, " "), crumb->words);
    }
}

static void make_fit(Crumbs *crumbs, double room) {
    shorten_title(crumbs, room, LEAST_TITLE);
    while (excess(crumbs, room) > 0 && leave_one_out(crumbs)) {
    }
    if (excess(crumbs, room) > 0)
        drop_step_words(crumbs);
    shorten_title(crumbs, room, BARE_TITLE);
    if (excess(crumbs, room) > 0 && !crumbs->items[crumbs->count - 1].words)
        crumbs->count--; /* the sum below the picture has the cell's name, too */
}

/* ---- drawing ---- */

static void draw_crumb(Crumbs *crumbs, size_t index, Box box) {
    const Canvas *canvas = crumbs->parts->canvas;
    const Crumb *crumb = &crumbs->items[index];
    bool dark = index + 1 == crumbs->count || crumb->font == FONT_BOLD;
    double more = fmax(LEAST_TARGET - box.w, 0);
    crumbs->style.ink = dark ? canvas->theme->ink : canvas->theme->ink_soft;
    canvas_link(canvas, crumb->link);
    canvas_target(canvas, (Box){box.x - more / 2, box.y, box.w + more, box.h});
    if (crumb->words)
        text_line(canvas, crumb->font, TYPE_TEXT, crumbs->style.ink, box, LABEL_LEFT,
                  crumb->words);
    else
        cell_name_draw(
            canvas, crumbs->parts->page->player, &crumbs->cell, &crumbs->style,
            (Point){box.x, label_baseline(box.y + box.h / 2, crumbs->style.size)});
    canvas_unlink(canvas);
}

static void draw_sign(const Canvas *canvas, double x, Box area) {
    double half = 4, middle = area.y + area.h / 2 + 1;
    const Point points[] = {{x - half / 2, middle - half},
                            {x + half / 2, middle},
                            {x - half / 2, middle + half}};
    scene_path(canvas->scene, points, 3, 1.5, canvas->theme->ink_faint);
}

void crumbs_draw(const PageParts *parts, const CrumbLinks *links, Box area) {
    const Canvas *canvas = parts->canvas;
    double x = area.x;
    Crumbs crumbs = {.parts = parts,
                     .style =
                         cell_style(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink)};
    list(&crumbs, links);
    make_fit(&crumbs, area.w);
    scene_clip(canvas->scene, area);
    for (size_t i = 0; i < crumbs.count; i++) {
        if (i)
            draw_sign(canvas, x - SIGN_ROOM / 2, area);
        Box box = {x, area.y, width_of(&crumbs, i), area.h};
        draw_crumb(&crumbs, i, box);
        x += box.w + SIGN_ROOM;
    }
    scene_unclip(canvas->scene);
}

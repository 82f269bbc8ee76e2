#include "picture/chrome/crumbs.h"

#include "lesson/content/content.h"
#include "picture/explain/explain.h"
#include "picture/stage/stage.h"

#include <math.h>
#include <string.h>

static const double UNITS = 16, SIGN_ROOM = 26, LEAST_TITLE = 180, BARE_TITLE = 70,
                    LEAST_TARGET = 40;

/* One crumb: text or a cell's name. */
typedef struct Crumb {
    const char *words; /* NULL: the cell's name */
    FontRole font;
    Link link;
    double width;
} Crumb;

enum { CRUMBS_MAX = 16, TITLE = 1 };

typedef struct Crumbs {
    const PageParts *parts;
    size_t count;
    Crumb items[CRUMBS_MAX];
    CellName cell;
    CellStyle style;
} Crumbs;

static double width_of(const Crumbs *crumbs, const Crumb *crumb) {
    const Canvas *canvas = crumbs->parts->canvas;
    if (!crumb->words)
        return cell_name_width(canvas, crumbs->parts->page->player, &crumbs->cell,
                               &crumbs->style);
    return label_width_with(canvas->metrics, canvas->insets, crumb->font,
                            canvas_size(canvas, UNITS, crumb->words), crumb->words);
}

static void append(Crumbs *crumbs, FontRole font, Link link, const char *words) {
    if (crumbs->count == CRUMBS_MAX)
        return;
    Crumb *crumb = &crumbs->items[crumbs->count++];
    *crumb = (Crumb){.words = words, .font = font, .link = link};
    crumb->width = width_of(crumbs, crumb);
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
    append(crumbs, FONT_BOLD, links->home, "Glassformer");
    append(crumbs, FONT_TEXT, to_step(0), title);
    append_steps(crumbs);
    FollowCell *cell = &crumbs->cell.cell;
    if (!practise_panel_hides_cell(page->practise) &&
        page_focus(page, &cell->node, &cell->row, &cell->col))
        append(crumbs, FONT_TEXT, links->explain, NULL);
}

/* ---- fitting ---- */

static double total(const Crumbs *crumbs, double sign) {
    double width = -sign;
    for (size_t i = 0; i < crumbs->count; i++)
        width += crumbs->items[i].width + sign;
    return width;
}

static void shorten_title(Crumbs *crumbs, double over, double least) {
    const Canvas *canvas = crumbs->parts->canvas;
    Crumb *title = &crumbs->items[TITLE];
    double room = fmax(title->width - over, round(least));
    double size = canvas_size(canvas, UNITS, title->words);
    title->words = label_fit_with(canvas->scene->arena, canvas->metrics, canvas->insets,
                                  FONT_TEXT, size, size, room, title->words)
                       .text;
    title->width = width_of(crumbs, title);
}

/* Leaves out one of the steps behind the statement, except the step itself and the
 * cell. */
static bool leave_one_out(Crumbs *crumbs) {
    size_t first = TITLE + 2, kept = crumbs->items[crumbs->count - 1].words ? 1 : 2;
    if (crumbs->count <= first + kept)
        return false;
    Crumb *gap = &crumbs->items[first];
    bool begun = gap->words && strcmp(gap->words, "…") == 0;
    if (begun && crumbs->count == first + kept + 1)
        return false;
    if (begun) {
        crumbs->count--;
        for (size_t i = first + 1; i < crumbs->count; i++)
            crumbs->items[i] = crumbs->items[i + 1];
        return true;
    }
    gap->words = "…";
    gap->width = width_of(crumbs, gap);
    return true;
}

/* Shortens the steps to their paths. */
static void drop_step_words(Crumbs *crumbs) {
    for (size_t i = TITLE + 2; i < crumbs->count; i++) {
        Crumb *crumb = &crumbs->items[i];
        if (crumb->link.kind != LINK_STEP || !crumb->words)
            continue;
        crumb->words = canvas_format(crumbs->parts->canvas, "%.*s",
                                     (int)strcspn(crumb->words, " "), crumb->words);
        crumb->width = width_of(crumbs, crumb);
    }
}

static void make_fit(Crumbs *crumbs, double room, double sign) {
    double over = total(crumbs, sign) - room;
    if (over > 0)
        shorten_title(crumbs, over, LEAST_TITLE);
    while (total(crumbs, sign) > room && leave_one_out(crumbs)) {
    }
    if (total(crumbs, sign) > room)
        drop_step_words(crumbs);
    over = total(crumbs, sign) - room;
    if (over > 0)
        shorten_title(crumbs, over, BARE_TITLE);
    if (total(crumbs, sign) > room && !crumbs->items[crumbs->count - 1].words)
        crumbs->count--; /* the sum below the picture has the cell's name, too */
}

/* ---- drawing ---- */

static void draw_crumb(Crumbs *crumbs, const Crumb *crumb, double x, Box area) {
    const Canvas *canvas = crumbs->parts->canvas;
    bool last = crumb == &crumbs->items[crumbs->count - 1];
    Color ink =
        last || crumb->font == FONT_BOLD ? canvas->theme->ink : canvas->theme->ink_soft;
    double wide = fmax(crumb->width, LEAST_TARGET);
    Point at = {x, round(area.y + area.h / 2 + 6)};
    canvas_link(canvas, crumb->link);
    canvas_target(canvas, (Box){x - (wide - crumb->width) / 2, area.y, wide, area.h});
    if (!crumb->words) {
        crumbs->style.ink = ink;
        cell_name_draw(canvas, crumbs->parts->page->player, &crumbs->cell, &crumbs->style,
                       at);
    } else {
        label_draw_with(canvas->scene, canvas->metrics, canvas->insets, crumb->font,
                        canvas_size(canvas, UNITS, crumb->words), ink, at, LABEL_LEFT,
                        crumb->words);
    }
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
                     .style = {FONT_TEXT, canvas->theme->ink,
                               canvas_size(canvas, UNITS, "一"),
                               canvas_size(canvas, UNITS + 2, "")}};
    list(&crumbs, links);
    make_fit(&crumbs, area.w, SIGN_ROOM);
    scene_clip(canvas->scene, area);
    for (size_t i = 0; i < crumbs.count; i++) {
        if (i)
            draw_sign(canvas, x - SIGN_ROOM / 2, area);
        draw_crumb(&crumbs, &crumbs.items[i], x, area);
        x += crumbs.items[i].width + SIGN_ROOM;
    }
    scene_unclip(canvas->scene);
}

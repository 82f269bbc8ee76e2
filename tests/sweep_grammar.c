/* Checks of the rules for all pictures: readable numbers and text, colours that agree
 * with the numbers, one colour scale for one quantity, and unambiguous names of
 * tables. */
#include "lesson/content/view.h"
#include "picture/explain/explain.h"
#include "picture/scene/theme.h"
#include "sweep.h"
#include "tensor/tape/tape.h"

static const double LEAST_DIGITS = 17.5, LEAST_TEXT = 15, LEAST_SCRIPT = 13; /* points */
static const double LARGE_CELL = 24;
static const double LEAST_APART = 0.25; /* fraction of the size of the digits */

/* ---- what can be read ---- */

/* Returns true if a text is the number in a cell: linked to it and inside its
 * rectangle. */
static bool is_number_of_cell(const Scene *scene, size_t at) {
    const SceneItem *text = &scene->items[at];
    const char *digits = text->text;
    if (strncmp(digits, "−", strlen("−")) == 0)
        digits += strlen("−");
    if (text->link.kind != LINK_CELL || digits[strspn(digits, "0123456789.")] ||
        !digits[strcspn(digits, "0123456789")]) /* a token may be a full stop */
        return false;
    for (size_t i = at; i-- > 0 && link_equal(scene->items[i].link, text->link);) {
        const SceneItem *under = &scene->items[i];
        if (under->kind == SCENE_TEXT) /* in h_4 it is the name's */
            return false;
        if (under->kind == SCENE_RECTANGLE && under->fill.a == 255 &&
            box_contains(under->box, text->box.x + text->box.w / 2,
                         text->box.y + text->box.h / 2))
            return true;
    }
    return false;
}

/* Returns true if a text is a script: raised or lowered, directly behind its base. */
static bool is_script(const Scene *scene, size_t at) {
    const SceneItem *text = &scene->items[at];
    for (size_t i = at; i-- > 0 && at - i < 12;) {
        const SceneItem *base = &scene->items[i];
        if (base->kind == SCENE_TEXT && base->size > text->size &&
            base->origin.y != text->origin.y &&
            fabs(base->origin.y - text->origin.y) < base->size)
            return true;
    }
    return false;
}

void check_can_be_read(const View *view) {
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind != SCENE_TEXT)
            continue;
        if (is_number_of_cell(view->scene, i)) {
            if (item->size < LEAST_DIGITS)
                report_number(view, "small digits", item->text, item->size);
        } else if (item->size < LEAST_SCRIPT ||
                   (item->size < LEAST_TEXT && !is_script(view->scene, i))) {
            report_number(view, "small text", item->text, item->size);
        }
    }
}

/* Adjacent numbers must be distinguishable: "1 1" isn't 11. */
void check_stand_apart(const View *view) {
    const Scene *scene = view->scene;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *left = &scene->items[i];
        if (left->kind != SCENE_TEXT || !is_number_of_cell(scene, i))
            continue;
        Link beside = left->link;
        beside.col++;
        for (size_t j = i + 1; j < scene->count && j < i + 24; j++) {
            const SceneItem *right = &scene->items[j];
            double gap = right->box.x - left->box.x - left->box.w;
            if (right->kind == SCENE_TEXT && link_equal(right->link, beside) &&
                right->origin.y == left->origin.y && is_number_of_cell(scene, j) &&
                gap > -left->box.w && gap < LEAST_APART * left->size)
                report_number(view, "numbers touch", left->text, gap / left->size);
        }
    }
}

/* ---- numbers and their colours ---- */

static double distance(Color a, Color b) {
    double red = a.r - b.r, green = a.g - b.g, blue = a.b - b.b;
    return sqrt(red * red + green * green + blue * blue);
}

enum { SHADES = 400 };

/* Colours of the signed scale in one theme, from that of 0 to those of the largest and
 * the smallest number. Only the theme used last is stored. */
typedef struct Shades {
    const Palette *palette;
    Color above[SHADES + 1], below[SHADES + 1];
} Shades;

static const Shades *shades_of(const Theme *theme) {
    static Shades shades;
    ColorScale scale = {&theme->diverging, -1, 1, theme->masked};
    if (shades.palette == scale.palette)
        return &shades;
    shades.palette = scale.palette;
    for (int i = 0; i <= SHADES; i++) {
        shades.above[i] = color_scale_at(&scale, (double)i / SHADES);
        shades.below[i] = color_scale_at(&scale, -(double)i / SHADES);
    }
    return &shades;
}

/* Returns true if a colour is more than a fifth of a palette away from the colour of
 * 0. */
static bool is_coloured(const Theme *theme, Color fill) {
    ColorScale both = {&theme->diverging, -1, 1, theme->masked},
               shares = {&theme->sequential, 0, 1, theme->masked};
    const struct {
        const ColorScale *scale;
        double value;
    } fifths[] = {{&both, -0.2}, {&both, 0.2}, {&shares, 0.2}};
    for (size_t i = 0; i < sizeof fifths / sizeof *fifths; i++) {
        Color zero = color_scale_at(fifths[i].scale, 0);
        Color fifth = color_scale_at(fifths[i].scale, fifths[i].value);
        if (distance(fill, zero) <= distance(fifth, zero) + 2)
            return false;
    }
    return true;
}

/* Returns the background of a cell's number. */
static Color ground_of(const Scene *scene, size_t at) {
    while (at-- > 0) {
        if (scene->items[at].kind == SCENE_RECTANGLE && scene->items[at].fill.a == 255)
            return scene->items[at].fill;
    }
    return scene->background;
}

void check_no_colour_reads_zero(const View *view) {
    const Tape *tape = view->page->player->lesson->tape;
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind != SCENE_TEXT || !is_number_of_cell(view->scene, i) ||
            strpbrk(item->text, "123456789"))
            continue;
        double value = tensor_at(&tape_node(tape, item->link.index)->output,
                                 item->link.row, item->link.col);
        if (value != 0 && is_coloured(view->theme, ground_of(view->scene, i)))
            report_number(view, "coloured zero", item->text, value);
    }
}

/* Returns true if a given row of probabilities is drawn in one table with rows that hold
 * none: a point among points. */
static bool stands_among_others(const View *view, const Tensor *row) {
    const Tape *tape = view->page->player->lesson->tape;
    bool others = false;
    for (size_t i = 0; i < view->scene->count && row->rows == 1; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL ||
            item->fill.a != 255)
            continue;
        const Tensor *other = &tape_node(tape, item->link.index)->output;
        others |= other->rows == 1 && other->cols == row->cols && other->col_labels &&
                  strcmp(other->col_labels[0], row->col_labels[0]) == 0 &&
                  !lesson_has_probabilities(other);
    }
    return others;
}

/* Rows that sum to 1 between words are teal, whatever their source; but a summand has the
 * colours of the sum. */
void check_probabilities_are_teal(const View *view) {
    const Tape *tape = view->page->player->lesson->tape;
    size_t shown = player_step(view->page->player)->node;
    if (tape_node(tape, shown)->operation == OPERATION_ADD ||
        tape_node(tape, shown)->operation == OPERATION_SUBTRACT)
        return;
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL ||
            item->fill.a != 255 || item->box.w < LARGE_CELL)
            continue;
        const TapeNode *node = tape_node(tape, item->link.index);
        const Tensor *tensor = &node->output;
        if (node->operation == OPERATION_GIVEN && tensor->row_labels &&
            tensor->col_labels && lesson_has_probabilities(tensor) &&
            item->fill.r > item->fill.b && !stands_among_others(view, tensor))
            report_number(view, "probabilities in signed colours", node->name, 0);
    }
}

/* ---- hues ---- */

/* The accent is the interface's: what one is asked for, and may press. */
void check_no_picture_wears_the_accent(const View *view) {
    Theme theme = *view->theme;
    theme.accent = (Color){1, 2, 3, 255};
    Page page = *view->page;
    page.theme = &theme;
    Scene scene;
    arena_reset(view->spare);
    page_draw(&scene, view->spare, &page);
    if (scene_digest(&scene) != scene_digest(view->scene))
        report_number(view, "accent", "", 0);
}

/* ---- scales and legends ---- */

/* The ramp of a scale's colours; a row of a table of 64 columns isn't in order. */
static bool is_legend(const SceneItem *item) {
    if (item->kind != SCENE_IMAGE || item->link.kind != LINK_NONE ||
        item->tensor->rows != 1 || item->tensor->cols != 64)
        return false;
    for (size_t i = 1; i < item->tensor->cols; i++) {
        if (item->tensor->values[i] < item->tensor->values[i - 1])
            return false;
    }
    return true;
}

void check_legends_say_something(const View *view) {
    const Scene *scene = view->scene;
    for (size_t i = 0; i + 1 < scene->count; i++) {
        if (!is_legend(&scene->items[i]))
            continue;
        bool more = false; /* than zeros */
        for (size_t j = i + 1; j < scene->count && j <= i + 3; j++)
            more |= scene->items[j].kind == SCENE_TEXT &&
                    strpbrk(scene->items[j].text, "123456789+");
        if (!more)
            report_number(view, "legend of zeros", "", 0);
    }
}

/* Returns true if an item is a cell, or a table of cells, in a colour of negative
 * numbers. */
static bool is_below_zero(const Theme *theme, const SceneItem *item) {
    /* Of the scale: paler colours can't be distinguished from other greys. */
    const double SURE = 0.1;
    if (item->kind == SCENE_IMAGE) {
        bool below = false;
        for (size_t i = 0; !below && i < tensor_cells(item->tensor); i++)
            below = isfinite(item->tensor->values[i]) &&
                    item->tensor->values[i] < SURE * item->scale->low;
        return below && item->scale->palette == &theme->diverging;
    }
    if (item->kind != SCENE_RECTANGLE || item->fill.a != 255)
        return false;
    const Shades *shades = shades_of(theme);
    for (int i = (int)(SURE * SHADES); i <= SHADES; i++) {
        if (memcmp(&shades->below[i], &item->fill, sizeof item->fill) == 0)
            return true;
    }
    return false;
}

/* The first that marks something below 0, of the texts under a legend's bar. */
static const char *mark_below_zero(const Scene *scene, size_t bar) {
    for (size_t i = bar + 1; i < scene->count && i <= bar + 3; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT &&
            (strstr(item->text, "−") == item->text || strstr(item->text, "±")))
            return item->text;
    }
    return NULL;
}

/* The pictures' part of a page stands right of the map. */
void check_legends_have_the_colours(const View *view) {
    const double MAP = 320, HEAD = 60; /* of both towers, with thumbnails */
    const Scene *scene = view->scene;
    const Theme *theme = view->theme;
    size_t legends = 0, signed_ones = 0;
    bool below = false;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (!is_legend(item)) {
            below |= item->box.x > (view->presents ? 0 : MAP) && item->box.y > HEAD &&
                     is_below_zero(theme, item);
        } else if (item->scale->palette == &theme->diverging) {
            bool has_both = item->tensor->values[0] < 0;
            const char *mark = mark_below_zero(scene, i);
            legends++;
            signed_ones += has_both;
            if (!has_both && mark)
                report_number(view, "a legend's colours have no", mark, 0);
        }
    }
    if (below && legends && !signed_ones)
        report_number(view, "no legend has the blue of numbers below 0", "", 0);
    for (size_t i = 0; legends && !signed_ones && i < scene->count; i++) {
        if (scene->items[i].kind == SCENE_TEXT && strstr(scene->items[i].text, "±"))
            report_number(view, "nothing is below 0 in", scene->items[i].text, 0);
    }
}

/* Returns the reach of the signed scale that a cell of this value is coloured by; 0 if
 * the colour doesn't show it, because it is too pale or at the scale's end. */
static double reach_of_cell(const Theme *theme, double value, Color fill) {
    const Shades *shades = shades_of(theme);
    const Color *colors = value < 0 ? shades->below : shades->above;
    double best = 3, share = 0;
    for (int i = SHADES / 4; i <= SHADES; i++) {
        double wrong = distance(colors[i], fill);
        if (wrong < best) {
            best = wrong;
            share = (double)i / SHADES;
        }
    }
    return share > 0 ? fabs(value) / share : 0;
}

/* Returns the number of different scales; those that colours can't distinguish count as
 * one. */
static size_t distinct(const double *reach, size_t count) {
    const double APART = 1.6;
    size_t scales = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t j = 0; j < i; j++)
            known |= reach[i] < reach[j] * APART && reach[j] < reach[i] * APART;
        scales += !known;
    }
    return scales;
}

/* Returns true for a bar of a chart, whose axis shows the scale. Cells in a row of a
 * table have one height, bars differ. */
static bool is_bar(const Scene *scene, const SceneItem *item) {
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *other = &scene->items[i];
        if (other->kind == SCENE_RECTANGLE && other->link.kind == LINK_CELL &&
            other->link.index == item->link.index && other->link.row == item->link.row &&
            fabs(other->box.h - item->box.h) > 1)
            return true;
    }
    return false;
}

/* The scales of a page's tables, each by its strongest colour, because cells behind a
 * mask and other tokens' rows are paler than their scale; thumbnails are none. */
void check_scales_are_told(const View *view) {
    enum { TABLES_MAX = 64 };
    const Scene *scene = view->scene;
    const Tape *tape = view->page->player->lesson->tape;
    size_t tables[TABLES_MAX], count = 0, told = 0;
    double strongest[TABLES_MAX], reach[TABLES_MAX];
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        told +=
            is_legend(item) || (item->kind == SCENE_TEXT &&
                                (strstr(item->text, "±") || strstr(item->text, "0…")));
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL ||
            item->fill.a != 255 || item->box.w < LARGE_CELL ||
            item->radius * 2 >= item->box.w) /* a dot on an axis */
            continue;
        double value = tensor_at(&tape_node(tape, item->link.index)->output,
                                 item->link.row, item->link.col);
        double found = reach_of_cell(view->theme, value, item->fill);
        size_t at = 0;
        while (at < count && tables[at] != item->link.index)
            at++;
        double share = found > 0 ? fabs(value) / found : 0;
        if (share == 0 || at == TABLES_MAX || (at < count && share <= strongest[at]) ||
            is_bar(scene, item))
            continue;
        tables[at] = item->link.index;
        strongest[at] = share;
        reach[at] = found;
        count += at == count;
    }
    size_t scales = distinct(reach, count);
    if (scales > 1 && told < scales)
        report_number(view, "scales without legends", "", (double)scales);
}

/* ---- parts ---- */

/* The box of the cells [row, row_end) × [col, col_end) of a node, as they are drawn as
 * one table; false where they aren't, or are too small to be marked. */
static bool table_box(const Scene *scene, size_t node, const OperationOptions *o,
                      Box *box) {
    Point least = {INFINITY, INFINITY}, most = {-INFINITY, -INFINITY};
    size_t found = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        Link at = item->link;
        if (item->kind != SCENE_RECTANGLE || item->fill.a != 255 ||
            at.kind != LINK_CELL || at.index != node || at.row < o->row_begin ||
            at.row >= o->row_end || at.col < o->col_begin || at.col >= o->col_end ||
            item->box.w < LARGE_CELL)
            continue;
        least = (Point){fmin(least.x, item->box.x), fmin(least.y, item->box.y)};
        most = (Point){fmax(most.x, item->box.x + item->box.w),
                       fmax(most.y, item->box.y + item->box.h)};
        found++;
    }
    *box = (Box){least.x, least.y, most.x - least.x, most.y - least.y};
    return found == (o->row_end - o->row_begin) * (o->col_end - o->col_begin);
}

/* An outline around it, or a bar over its columns. */
static bool is_marked(const Scene *scene, Box box) {
    const double NEAR = 8, BAR = 12;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_RECTANGLE || fabs(item->box.x - box.x) >= NEAR ||
            fabs(item->box.x + item->box.w - box.x - box.w) >= NEAR)
            continue;
        bool outline = item->stroke.a && item->width > 0 && !item->fill.a &&
                       fabs(item->box.y - box.y) < NEAR &&
                       fabs(item->box.y + item->box.h - box.y - box.h) < NEAR;
        bool bar = item->fill.a && item->box.h < NEAR && item->box.y < box.y &&
                   item->box.y > box.y - BAR;
        if (outline || bar)
            return true;
    }
    return false;
}

/* Where a slice stands beside what it is cut from, one sees from where. */
void check_slices_are_marked(const View *view) {
    const Tape *tape = view->page->player->lesson->tape;
    for (size_t node = 0; node < tape_count(tape); node++) {
        const TapeNode *at = tape_node(tape, node);
        if (at->operation != OPERATION_SLICE)
            continue;
        const OperationOptions all = {.row_end = at->output.rows,
                                      .col_end = at->output.cols};
        Box from, to;
        if (table_box(view->scene, node, &all, &to) &&
            table_box(view->scene, at->inputs[0], &at->options, &from) &&
            !is_marked(view->scene, from))
            report_number(view, "slice unmarked", at->name, (double)node);
    }
}

/* ---- names ---- */

typedef struct Caption {
    size_t node; /* whose it is */
    char name[120];
} Caption;

/* Returns true if a text is a table's shape, "3 × 4", with nothing but its scale behind
 * it. */
static bool is_shape(const char *text) {
    size_t rows = strspn(text, "0123456789");
    if (!rows || strncmp(text + rows, " × ", strlen(" × ")) != 0)
        return false;
    const char *cols = text + rows + strlen(" × ");
    size_t end = strspn(cols, "0123456789");
    return end && (!cols[end] || strncmp(cols + end, "  ", 2) == 0);
}

/* The words of a shape's caption, in the order in which they were drawn, and its strokes,
 * a root's say. */
static void read_name(const Scene *scene, const SceneItem *shape, char name[120]) {
    name[0] = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        bool text = item->kind == SCENE_TEXT;
        if (item != shape && item->caption == shape->caption)
            snprintf(name + strlen(name), 120 - strlen(name), "%s",
                     text ? item->text : "/");
    }
}

/* Of one table two may be made that have its name: what is asked, and what is found. */
static bool same_numbers(const View *view, size_t a, size_t b) {
    const Tape *tape = view->page->player->lesson->tape;
    const Tensor *one = &tape_node(tape, a)->output, *other = &tape_node(tape, b)->output;
    return a == b || (one->rows == other->rows && one->cols == other->cols &&
                      memcmp(one->values, other->values,
                             tensor_cells(one) * sizeof *one->values) == 0);
}

void check_captions_differ(const View *view) {
    enum { CAPTIONS_MAX = 40 };
    static Caption captions[CAPTIONS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < view->scene->count && count < CAPTIONS_MAX; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (item->kind != SCENE_TEXT || item->link.kind != LINK_NONE ||
            !is_shape(item->text))
            continue;
        if (!item->caption) {
            report_number(view, "shape of nothing", item->text, 0);
            continue;
        }
        Caption *caption = &captions[count++];
        caption->node = item->named;
        read_name(view->scene, item, caption->name);
        for (size_t j = 0; caption->name[0] && j + 1 < count; j++) {
            if (strcmp(captions[j].name, caption->name) == 0 &&
                !same_numbers(view, captions[j].node, caption->node))
                report_number(view, "captions alike", caption->name, (double)j);
        }
    }
}

/* ---- pins ---- */

static bool is_drawn_cell(const SceneItem *item) {
    return item->link.kind == LINK_CELL && item->kind != SCENE_CLIP &&
           item->kind != SCENE_IMAGE;
}

/* Returns the next item from index `at` on that touches a box; NULL if there is none. */
static const SceneItem *next_touching(const Scene *scene, size_t *at, Box box) {
    Box around = {box.x - 4, box.y - 4, box.w + 8, box.h + 8};
    while (*at < scene->count) {
        const SceneItem *item = &scene->items[(*at)++];
        Box both = intersection(item->box, around);
        if (item->kind != SCENE_CLIP && both.w > 0 && both.h > 0)
            return item;
    }
    return NULL;
}

static bool item_equal(const SceneItem *a, const SceneItem *b) {
    return a->kind == b->kind && memcmp(&a->box, &b->box, sizeof a->box) == 0 &&
           memcmp(&a->fill, &b->fill, sizeof a->fill) == 0 &&
           memcmp(&a->stroke, &b->stroke, sizeof a->stroke) == 0 &&
           a->width == b->width && a->font == b->font && link_equal(a->link, b->link) &&
           (!a->text || strcmp(a->text, b->text) == 0);
}

static bool differ_around(const Scene *a, const Scene *b, Box box) {
    for (size_t i = 0, j = 0;;) {
        const SceneItem *left = next_touching(a, &i, box);
        const SceneItem *right = next_touching(b, &j, box);
        if (!left || !right)
            return left || right;
        if (!item_equal(left, right))
            return true;
    }
}

/* Reports whether an item is a frame in the colour of the focus around a box. */
static bool is_frame_around(const View *view, const SceneItem *item, Box box) {
    enum { GAP = 8 };
    Box outer = {box.x - GAP, box.y - GAP, box.w + 2 * GAP, box.h + 2 * GAP};
    return item->kind == SCENE_RECTANGLE && item->width > 0 &&
           memcmp(&item->stroke, &view->theme->focus, sizeof item->stroke) == 0 &&
           holds(view, outer, item->box) && holds(view, item->box, box);
}

static bool is_framed(const View *view, const Scene *scene, Box box) {
    for (size_t i = 0; i < scene->count; i++) {
        if (is_frame_around(view, &scene->items[i], box))
            return true;
    }
    return false;
}

/* Reports whether a pinned cell has a frame at one of the places where it is drawn, or
 * the page differs there from the page without the pin. */
static bool pin_shows(const View *view, Link cell) {
    Page page = *view->page;
    Scene pinned;
    page.has_focus = true;
    page.focus = cell;
    arena_reset(view->spare);
    page_draw(&pinned, view->spare, &page);
    for (size_t i = 0; i < view->scene->count; i++) {
        const SceneItem *item = &view->scene->items[i];
        if (is_drawn_cell(item) && link_equal(item->link, cell) &&
            (is_framed(view, &pinned, item->box) ||
             differ_around(view->scene, &pinned, item->box)))
            return true;
    }
    return false;
}

/* Pins the first, the middle and the last of the drawn cells. */
void check_pins_show(const View *view) {
    const Scene *scene = view->scene;
    Link own = {LINK_CELL, 0, 0, 0};
    bool has_own = page_focus(view->page, &own.index, &own.row, &own.col);
    size_t drawn = 0, seen = 0;
    for (size_t i = 0; i < scene->count; i++)
        drawn += is_drawn_cell(&scene->items[i]);
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (!is_drawn_cell(item))
            continue;
        bool pins = seen == 0 || seen == drawn / 2 || seen + 1 == drawn;
        seen++;
        if (pins && !(has_own && link_equal(own, item->link)) &&
            !pin_shows(view, item->link))
            report(view, "pin without a mark",
                   tape_node(view->page->player->lesson->tape, item->link.index)->name,
                   item->box, NULL, item->box);
    }
}

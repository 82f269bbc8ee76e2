#include "picture/circuits/heads.h"

#include "picture/draw/canvas.h"
#include "tensor/tensor.h"

#include <math.h>

static const double TO_TABLES = 46, BEHIND_WEIGHT = 20, TO_HEADS = 62, TO_JOINED = 62,
                    AROUND_WEIGHT = 22; /* gaps between the columns */
static const double SIDE = 110, COLUMN = 20, STACK_ROW = 22, STACK_GAP = 14,
                    LEAST_TABLE = 48;
static const double HEAD_GAP = 14, LEAST_WITH_ARCS = 13, LARGEST_CELL = 34;
static const double WEIGHT_SIDE = 58, JOINED_ROW = 26, CHOSEN_ROW = 34, BIAS_GAP = 3;

/* Least width of the heads; fraction of the rest that is used then. */
static const double LEAST_WIDTH = 100, NARROW = 0.6;

static double cols_of(const ChosenTable *table) {
    return (double)table->tensor->cols;
}

static double rows_of(const ChosenTable *table) {
    return (double)table->tensor->rows;
}

/* ---- widths ---- */

static double column_of(const ChosenTable *table, double side, double most) {
    return fmin(side / cols_of(table), most);
}

static double stack_width(const Heads *heads) {
    double widest = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        const ChosenTable *table = &heads->left.lanes[i].table;
        widest = fmax(widest, cols_of(table) * column_of(table, SIDE, COLUMN));
    }
    return widest;
}

/* Width of Q, K and V with frames and tabs. */
static double framed_stack(const Heads *heads) {
    double widest = stack_width(heads) + 2 * ROLE_FRAME_MARGIN;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        RoleTab tab = circuit_tab(&heads->left, &heads->left.lanes[i]);
        widest = fmax(widest, role_tab_width(heads->left.stage->canvas, &tab));
    }
    return widest;
}

static double sources_width(const Heads *heads) {
    double widest = 0;
    for (size_t i = 0; i < heads->left.source_count; i++) {
        const ChosenTable *source = &heads->left.sources[i];
        widest = fmax(widest, cols_of(source) * column_of(source, SIDE * 0.8, COLUMN));
    }
    return widest * heads->fraction;
}

static double weight_cell(const ChosenTable *weight) {
    return fmin(fmin(WEIGHT_SIDE / rows_of(weight), WEIGHT_SIDE / cols_of(weight)), 12);
}

/* Width from the sources to the tables, with the gap behind them. */
static double left_width(const Heads *heads) {
    const Circuit *left = &heads->left;
    double width = circuit_first_labels(left) + stack_width(heads) +
                   2 * ROLE_FRAME_MARGIN + TO_HEADS * heads->fraction;
    if (left->source_count)
        width += sources_width(heads) + TO_TABLES * heads->fraction;
    double weights = circuit_weights_width(left);
    return weights > 0 ? width + weights + BEHIND_WEIGHT : width;
}

static double output_column(const Heads *heads) {
    return column_of(&heads->output, SIDE * 1.6, COLUMN * 1.6) * heads->fraction;
}

static double joined_column(const Heads *heads) {
    return column_of(&heads->joined, SIDE, COLUMN) * heads->fraction;
}

static double right_width(const Heads *heads) {
    double width =
        TO_JOINED * heads->fraction + cols_of(&heads->joined) * joined_column(heads);
    if (heads->weight.tensor)
        width += 2 * AROUND_WEIGHT * heads->fraction + 2 * ROLE_FRAME_MARGIN +
                 cols_of(&heads->weight) * weight_cell(&heads->weight) +
                 cols_of(&heads->output) * output_column(heads);
    return width;
}

/* Cell size with `across` heads side by side. */
static double cell_in(const Heads *heads, size_t across, double width, bool arcs) {
    const ChosenTable *probabilities = &heads->each[0].probabilities;
    double rows = ceil((double)heads->all->count / (double)across);
    double around = 2 * ROLE_FRAME_MARGIN;
    double w = (width - ((double)across - 1) * HEAD_GAP) / (double)across - around;
    double h = (heads->left.area.h - (rows - 1) * HEAD_GAP) / rows - around -
               HEADS_TITLE - (arcs ? HEADS_ARCS : 0);
    return fmax(
        fmin(fmin(w / cols_of(probabilities), h / rows_of(probabilities)), LARGEST_CELL),
        0.5);
}

static void choose_grid(Heads *heads, double width) {
    heads->cell = 0;
    for (int i = 0; i < 2 && heads->cell < LEAST_WITH_ARCS; i++) {
        heads->arcs = i == 0;
        heads->cell = 0;
        for (size_t across = 1; across <= heads->all->count; across++) {
            double cell = cell_in(heads, across, width, heads->arcs);
            if (cell <= heads->cell)
                continue;
            heads->cell = cell;
            heads->across = across;
        }
    }
}

/* ---- positions ---- */

static void place_stack(Heads *heads, double x) {
    Circuit *left = &heads->left;
    const Canvas *canvas = heads->left.stage->canvas;
    RoleTab usual = {.role = ROLE_QUERY, .name = "Q", .shape = "0"};
    double tab = role_tab_height(canvas, &usual);
    double around = tab + 2 * ROLE_FRAME_MARGIN;
    double room = left->area.h - 3 * around - 2 * STACK_GAP, tall = 0, rows = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++)
        rows += rows_of(&left->lanes[i].table);
    double unit = fmin(room / rows, STACK_ROW); /* few rows are taller than many */
    double least = fmin(room / 3, LEAST_TABLE), small = 0, large = 0;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        double height = rows_of(&left->lanes[i].table) * unit;
        small += height < least ? least - height : 0;
        large += height < least ? 0 : height;
    }
    double shrink =
        large > 0 ? fmax(1 - fmax(small + rows * unit - room, 0) / large, 0.2) : 1;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        ChosenTable *table = &left->lanes[i].table;
        double height = rows_of(table) * unit;
        height =
            height < least ? fmin(least, rows_of(table) * STACK_ROW) : height * shrink;
        table->row_height = table->chosen_height = height / rows_of(table);
        tall += height;
    }
    double gap = fmin(fmax(room - tall, 0) / 3, 30);
    double top = left->area.y + fmax(room - tall - 2 * gap, 0) / 2;
    for (int i = 0; i < CIRCUIT_LANES; i++) {
        CircuitLane *lane = &left->lanes[i];
        top += tab + ROLE_FRAME_MARGIN;
        chosen_table_place(&lane->table, (Point){x + ROLE_FRAME_MARGIN, top},
                           stack_width(heads) / cols_of(&lane->table));
        lane->level = round(top + lane->table.cells.h / 2);
        top += lane->table.cells.h + ROLE_FRAME_MARGIN + STACK_GAP + gap;
    }
}

Box heads_frame(const Heads *heads, size_t head) {
    Box box = box_inset(heads->each[head].probabilities.cells, -ROLE_FRAME_MARGIN);
    return (Box){box.x, box.y - HEADS_TITLE, box.w,
                 box.h + HEADS_TITLE + (heads->arcs ? HEADS_ARCS : 0)};
}

static void place_heads(Heads *heads, double x, double width) {
    const ChosenTable *first = &heads->each[0].probabilities;
    double around = 2 * ROLE_FRAME_MARGIN, count = (double)heads->all->count;
    double w = heads->cell * cols_of(first) + around;
    double h = heads->cell * rows_of(first) + around + HEADS_TITLE +
               (heads->arcs ? HEADS_ARCS : 0);
    double down = ceil(count / (double)heads->across), across = (double)heads->across;
    double gap_x = across > 1 ? fmin((width - across * w) / (across - 1), 40) : 0;
    double gap_y = down > 1 ? fmin((heads->left.area.h - down * h) / (down - 1), 34) : 0;
    double left = x + (width - across * w - (across - 1) * gap_x) / 2;
    double top =
        heads->left.area.y + (heads->left.area.h - down * h - (down - 1) * gap_y) / 2;
    for (size_t i = 0; i < heads->all->count; i++) {
        Circuit *head = &heads->each[i];
        double col = (double)(i % heads->across), row = (double)(i / heads->across);
        head->probabilities.row_height = head->probabilities.chosen_height = heads->cell;
        chosen_table_place(&head->probabilities,
                           (Point){left + col * (w + gap_x) + around / 2,
                                   top + row * (h + gap_y) + around / 2 + HEADS_TITLE},
                           heads->cell);
        head->arcs = HEADS_ARCS;
    }
}

static void place_right(Heads *heads, double x) {
    double middle = heads->left.area.y + heads->left.area.h / 2;
    double room = heads->left.area.h * 0.6, cell;
    ChosenTable *joined = &heads->joined, *output = &heads->output;
    chosen_table_fit(joined, room, JOINED_ROW, 0);
    chosen_table_place(joined, (Point){x, middle - chosen_table_height(joined) / 2},
                       joined_column(heads));
    if (!heads->weight.tensor) {
        heads->output.tensor = NULL;
        return;
    }
    x += joined->cells.w + AROUND_WEIGHT * heads->fraction + ROLE_FRAME_MARGIN;
    heads->weight.row_height = cell = weight_cell(&heads->weight);
    chosen_table_place(&heads->weight,
                       (Point){x, middle - rows_of(&heads->weight) * cell / 2}, cell);
    Box cells = heads->weight.cells;
    if (heads->bias.tensor) {
        heads->bias.row_height = cell;
        chosen_table_place(&heads->bias, (Point){x, cells.y + cells.h + BIAS_GAP}, cell);
    }
    x += cells.w + ROLE_FRAME_MARGIN + AROUND_WEIGHT * heads->fraction;
    chosen_table_fit(output, room, JOINED_ROW, CHOSEN_ROW);
    chosen_table_place(output, (Point){x, middle - chosen_table_height(output) / 2},
                       output_column(heads));
}

static double width_of_heads(const Heads *heads) {
    return heads->left.area.w - left_width(heads) - right_width(heads);
}

void heads_layout(Heads *heads) {
    Circuit *left = &heads->left;
    heads->fraction = 1;
    double width = width_of_heads(heads);
    if (width < LEAST_WIDTH) {
        heads->fraction = NARROW;
        width = width_of_heads(heads);
    }
    choose_grid(heads, width);
    double across = (double)heads->across;
    double wanted = across * (heads->cell * cols_of(&heads->each[0].probabilities) +
                              2 * ROLE_FRAME_MARGIN) +
                    (across - 1) * 40;
    double spare = fmax(width - wanted, 0);
    double gap = fmin(spare / 4, 40); /* wider on both sides of the heads */
    double x = left->area.x + round(fmax(spare - 2 * gap, 0) / 2);
    double labels = circuit_first_labels(left), sources = x += labels;
    if (left->source_count) {
        circuit_fit_sources(left);
        x = sources += sources_width(heads);
        x += TO_TABLES * heads->fraction;
    }
    double weights = circuit_weights_width(left);
    if (weights > 0)
        x += weights + BEHIND_WEIGHT;
    place_stack(heads, x);
    for (size_t i = 0; i < left->source_count; i++)
        left->sources[i].label_room = labels;
    for (int i = 0; i < CIRCUIT_LANES && !left->source_count; i++)
        left->lanes[i].table.label_room = labels;
    circuit_place_weights(left, x - BEHIND_WEIGHT - weights / 2);
    if (left->source_count)
        circuit_place_sources(left, sources,
                              sources_width(heads) / cols_of(&left->sources[0]));
    x += framed_stack(heads) + TO_HEADS * heads->fraction + gap;
    place_heads(heads, x, fmin(width, wanted));
    place_right(heads, x + fmin(width, wanted) + TO_JOINED * heads->fraction + gap);
}

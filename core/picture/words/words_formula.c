#include "picture/words/words.h"
#include "picture/words/words_parts.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/play/follow.h"
#include "model/build/layers.h"
#include "picture/draw/canvas.h"
#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const double FORMULA_UNITS = 42, SMALLEST_UNITS = 17, BESIDE_FRACTION = 0.46,
                    GAP = 56, PAD = 12;
static const double SYMBOL_UNITS = 20, SHAPE_UNITS = 14.5, ROW_HEIGHT = 29,
                    NARROWEST_COLUMN = 330, COLUMN_GAP = 28, PART_GAP = 12;
enum { SYMBOLS_MAX = 12, NAME_MAX = 64, LEAST_ROWS = 3 };

/* Meaning of a symbol in the formula: a node, or a text for others ("= 2"). */
typedef struct Symbol {
    const char *formula, *shape, *meaning;
} Symbol;

typedef struct Symbols {
    const PageParts *parts;
    Stage stage;
    size_t count;
    Symbol items[SYMBOLS_MAX];
} Symbols;

/* ---- meanings ---- */

/* Last part of a name, without the mark of a transpose: "W_Q". */
static void base_name(char out[NAME_MAX], const char *name) {
    size_t length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, ".T") == 0)
        length -= 2;
    size_t begin = length;
    while (begin > 0 && name[begin - 1] != '.')
        begin--;
    length -= begin;
    length = length < NAME_MAX - 1 ? length : NAME_MAX - 1;
    memcpy(out, name + begin, length);
    out[length] = 0;
}

/* Standard meaning of a name without its number: Q_1 is a Q. NULL for other names. */
static const char *known_meaning(const Canvas *canvas, const char *name,
                                 const char *operation) {
    static const struct {
        const char *part, *symbol;
    } parts[] = {{"query", "Q"}, {"key", "K"}, {"value", "V"}};
    char base[NAME_MAX];
    base_name(base, name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(base, parts[i].part) == 0)
            return canvas_string(canvas,
                                 canvas_format(canvas, "symbol.%s", parts[i].symbol));
    }
    const char *made = canvas_format(canvas, "symbol.%.*s_of_%s", (int)strcspn(base, "_"),
                                     base, operation);
    if (language_has(canvas->language, made))
        return canvas_string(canvas, made);
    for (;;) {
        const char *key = canvas_format(canvas, "symbol.%s", base);
        if (base[0] && language_has(canvas->language, key))
            return canvas_string(canvas, key);
        size_t length = strlen(base);
        if (length < 2 ||
            !(isdigit((unsigned char)base[length - 1]) || base[length - 1] == '_'))
            return NULL;
        base[length - 1] = 0;
    }
}

static const char *given_meaning(const Canvas *canvas, const TapeNode *node) {
    const Tensor *tensor = &node->output;
    if (tensor_cells(tensor) == 1)
        return canvas_string(canvas, "meaning.number");
    if (!tensor->row_labels || tensor->rows < 2)
        return canvas_string(canvas, "meaning.given");
    return canvas_words(canvas, "meaning.rows", tensor->row_labels[0],
                        tensor->row_labels[tensor->rows - 1], NULL);
}

/* Meaning of a tensor by the operation that computed it: "weights: each row sums to 1,
 * step 6". */
static const char *made_meaning(const Symbols *symbols, size_t number) {
    const Canvas *canvas = symbols->parts->canvas;
    const Player *player = symbols->parts->page->player;
    const char *made =
        operation_of(tape_node(symbols->stage.tape, number)->operation)->name;
    size_t step = follow_step(player, number);
    const char *key = canvas_format(canvas, "result.%s", made);
    const char *what =
        language_has(canvas->language, key) ? canvas_string(canvas, key)
        : step == PLAYER_NONE
            ? canvas_string(canvas, canvas_format(canvas, "operation.%s", made))
            : stage_step_words(canvas, player, step);
    bool here = step == PLAYER_NONE || number == player_step(player)->node ||
                (step >= player->step && step < player_step(player)->next);
    return here ? what
                : canvas_words(canvas, "meaning.made", what, player->steps[step].path,
                               NULL);
}

static const char *meaning_of(const Symbols *symbols, size_t number) {
    const Canvas *canvas = symbols->parts->canvas;
    const TapeNode *node = tape_node(symbols->stage.tape, number);
    if (node->quiet && node->operation == OPERATION_TRANSPOSE)
        return meaning_of(symbols, node->inputs[0]);
    const char *known =
        known_meaning(canvas, node->name, operation_of(node->operation)->name);
    if (known)
        return known;
    return node->operation == OPERATION_GIVEN ? given_meaning(canvas, node)
                                              : made_meaning(symbols, number);
}

/* ---- symbols of a formula ---- */

static void add_symbol(Symbols *symbols, Symbol symbol) {
    for (size_t i = 0; i < symbols->count; i++) {
        if (strcmp(symbols->items[i].formula, symbol.formula) == 0)
            return;
    }
    if (symbols->count < SYMBOLS_MAX)
        symbols->items[symbols->count++] = symbol;
}

/* Adds a node under its name in the formula; NULL: its own. */
static void add_node(Symbols *symbols, const char *formula, size_t number) {
    const Canvas *canvas = symbols->parts->canvas;
    const TapeNode *node = tape_node(symbols->stage.tape, number);
    if (node->quiet && tensor_cells(&node->output) == 1)
        return; /* constants are written as numbers */
    add_symbol(
        symbols,
        (Symbol){formula ? formula : stage_formula_name(&symbols->stage, number),
                 canvas_format(canvas, "%zu × %zu", node->output.rows, node->output.cols),
                 meaning_of(symbols, number)});
}

/* Adds a node's inputs; for unnamed ones, theirs, as the formula contains them. */
static void add_inputs(Symbols *symbols, size_t number, int depth) {
    const TapeNode *node = tape_node(symbols->stage.tape, number);
    for (size_t i = 0; i < node->input_count; i++) {
        const TapeNode *input = tape_node(symbols->stage.tape, node->inputs[i]);
        if (depth > 0 && !input->name[0] && input->input_count)
            add_inputs(symbols, node->inputs[i], depth - 1);
        else
            add_node(symbols, NULL, node->inputs[i]);
    }
}

/* Nodes for the general symbols in a composite's formula: in an attention, the product
 * with a transpose gives the scores, softmax the weights. */
typedef struct Roles {
    size_t query, key, value, first_head, last_head, first_x, first_w, first_b, second_w,
        last_w, last_b;
} Roles;

static void take_first(size_t *role, size_t node) {
    if (*role == TAPE_NONE)
        *role = node;
}

/* Finds the roles of a product's operands and result. */
static void take_product(const Tape *tape, size_t product, size_t weights, Roles *roles) {
    const size_t *inputs = tape_node(tape, product)->inputs;
    const TapeNode *right = tape_node(tape, inputs[1]);
    if (right->operation == OPERATION_TRANSPOSE && right->quiet) {
        take_first(&roles->query, inputs[0]);
        take_first(&roles->key, right->inputs[0]);
    }
    if (inputs[0] == weights) {
        take_first(&roles->value, inputs[1]);
        take_first(&roles->first_head, product);
        roles->last_head = product;
    }
    if (roles->first_w != TAPE_NONE)
        take_first(&roles->second_w, inputs[1]);
    take_first(&roles->first_x, inputs[0]);
    take_first(&roles->first_w, inputs[1]);
    roles->last_w = inputs[1];
}

static Roles find_roles(const Symbols *symbols) {
    const Player *player = symbols->parts->page->player;
    const Tape *tape = symbols->stage.tape;
    Roles roles;
    memset(&roles, 0xff, sizeof roles); /* TAPE_NONE */
    size_t weights = TAPE_NONE;
    for (size_t i = player_step(player)->parts; i < player_step(player)->next; i++) {
        const TapeNode *node = tape_node(tape, player->steps[i].node);
        if (player->steps[i].child_count)
            continue;
        if (node->operation == OPERATION_SOFTMAX)
            weights = player->steps[i].node;
        if (node->operation == OPERATION_MATMUL)
            take_product(tape, player->steps[i].node, weights, &roles);
        if (node->operation == OPERATION_ADD) {
            take_first(&roles.first_b, node->inputs[1]);
            roles.last_b = node->inputs[1];
        }
    }
    return roles;
}

static size_t role_of(const Roles *roles, const char *name) {
    const struct {
        const char *name;
        size_t node;
    } named[] = {{"Q", roles->query},          {"K", roles->key},
                 {"V", roles->value},          {"head_1", roles->first_head},
                 {"head_h", roles->last_head}, {"W_O", roles->last_w},
                 {"X", roles->first_x},        {"W_1", roles->first_w},
                 {"b_1", roles->first_b},      {"W_2", roles->last_w},
                 {"b_2", roles->last_b},       {"W_gate", roles->first_w},
                 {"W_up", roles->second_w},    {"W_down", roles->last_w}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(named[i].name, name) == 0)
            return named[i].node;
    }
    return TAPE_NONE;
}

/* Adds a tensor named by a written formula: one of the lesson's, or the one with that
 * role in a composite. */
static void add_named(Symbols *symbols, const Roles *roles, const char *name) {
    const Canvas *canvas = symbols->parts->canvas;
    size_t length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, ".T") == 0)
        name = canvas_format(canvas, "%.*s", (int)(length - 2), name);
    size_t node = roles ? role_of(roles, name) : TAPE_NONE;
    if (node == TAPE_NONE)
        node = tape_find(symbols->stage.tape, name);
    if (node == TAPE_NONE)
        return;
    add_node(symbols, canvas_format(canvas, "\\tensor{%s}", name), node);
    const char *known = known_meaning(canvas, name, "");
    if (roles && known && symbols->count)
        symbols->items[symbols->count - 1].meaning = known;
}

static void add_written(Symbols *symbols, const char *source, const Roles *roles) {
    static const char command[] = "\\tensor{";
    const Canvas *canvas = symbols->parts->canvas;
    for (const char *at = source; (at = strstr(at, command)) != NULL;) {
        at += sizeof command - 1;
        size_t length = strcspn(at, "}");
        add_named(symbols, roles, canvas_format(canvas, "%.*s", (int)length, at));
    }
    if (roles && strstr(source, "d_k") && roles->query != TAPE_NONE) {
        const Tensor *query = &tape_node(symbols->stage.tape, roles->query)->output;
        add_symbol(symbols, (Symbol){"d_k", canvas_format(canvas, "= %zu", query->cols),
                                     canvas_string(canvas, "symbol.d_k")});
    }
}

/* Definitions of operators that a formula names. */
static const struct {
    OperationKind operation;
    const char *formula;
} expansions[] = {
    {OPERATION_SOFTMAX,
     "\\op{softmax}\\left(x\\right)_{j} = \\frac{e^{x_j}}{\\sum_{k} e^{x_k}}"},
    {OPERATION_LAYER_NORM,
     "\\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}} \\odot \\gamma + \\beta"},
    {OPERATION_RMS_NORM,
     "\\op{RMS}\\left(x\\right) = \\sqrt{\\frac{1}{d} \\sum_{j} x_j^2 + \\epsilon}"},
    {OPERATION_SILU, "\\op{SiLU}\\left(x\\right) = \\frac{x}{1 + e^{-x}}"},
    {OPERATION_GELU, "\\op{GELU}\\left(x\\right) = x \\cdot \\Phi\\left(x\\right)"},
};

/* Expansion for a step that is one operation, or ends with one that its formula names;
 * NULL for others. */
static const char *expansion_of(const Symbols *symbols, const char *source) {
    const Canvas *canvas = symbols->parts->canvas;
    const PlayerStep *at = player_step(symbols->parts->page->player);
    OperationKind kind = tape_node(symbols->stage.tape, at->node)->operation;
    const char *name = canvas_format(canvas, "\\op{%s}", operation_of(kind)->symbol);
    for (size_t i = 0; i < sizeof expansions / sizeof *expansions; i++) {
        if (expansions[i].operation == kind && strstr(source, name))
            return expansions[i].formula;
    }
    return NULL;
}

/* Adds the letters of an expansion, or of the rule by which training updates weights;
 * none is a tensor of the lesson. */
static void add_letters(Symbols *symbols, const char *source) {
    static const struct {
        const char *written, *formula, *meaning;
    } letters[] = {{"x_j", "x_j", "meaning.one_of_row"},
                   {"\\mu", "\\mu", "meaning.mean"},
                   {"\\sigma^2", "\\sigma^2", "meaning.variance"},
                   {"\\epsilon", "\\epsilon", "meaning.epsilon"},
                   {"\\Phi", "\\Phi", "meaning.phi"},
                   {"\\theta", "\\theta", "meaning.all_weights"},
                   {"\\eta", "\\eta", "meaning.learning_rate"},
                   {"\\op{Adam}", "\\op{Adam}", "meaning.adam"},
                   {"\\partial L", "L", "meaning.loss"}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (strstr(source, letters[i].written))
            add_symbol(symbols, (Symbol){letters[i].formula, "",
                                         canvas_string(symbols->parts->canvas,
                                                       letters[i].meaning)});
    }
}

static void collect_symbols(Symbols *symbols, const char *source) {
    const PlayerStep *at = player_step(symbols->parts->page->player);
    if (strstr(source, "\\theta \\to \\theta")) {
        add_letters(symbols, source);
    } else if (at->words && (at->words->formula || at->words->shown_count)) {
        add_written(symbols, source, NULL);
    } else if (at->child_count &&
               layers_formula(symbols->stage.tape, at->topic, at->node)) {
        Roles roles = find_roles(symbols);
        add_written(symbols, source, &roles);
    }
    if (symbols->count)
        return;
    add_node(symbols, NULL, at->node);
    add_inputs(symbols, at->node, 2);
}

/* ---- layout ---- */

/* Width of a line without anything left out. */
static double needed_width(const Canvas *canvas, const Symbol *symbol) {
    FormulaExtent name = canvas_formula_extent(canvas, symbol->formula,
                                               canvas_size(canvas, SYMBOL_UNITS, ""));
    double shape = canvas_text_width(canvas, FONT_BOLD,
                                     canvas_size(canvas, SHAPE_UNITS, ""), symbol->shape);
    double meaning = canvas_text_width(canvas, FONT_TEXT, label_min_size(symbol->meaning),
                                       symbol->meaning);
    return name.width + shape + meaning + 2 * PART_GAP + 2;
}

static double widest_symbol(const Symbols *symbols) {
    double widest = 0;
    for (size_t i = 0; i < symbols->count; i++)
        widest = fmax(widest, needed_width(symbols->parts->canvas, &symbols->items[i]));
    return widest;
}

/* Draws one line: the symbol, its shape, its meaning. */
static void draw_symbol(const Canvas *canvas, const Symbol *symbol, Box row) {
    const Theme *theme = canvas->theme;
    double middle = row.y + row.h / 2;
    FormulaExtent name = canvas_formula_extent(canvas, symbol->formula,
                                               canvas_size(canvas, SYMBOL_UNITS, ""));
    double room = fmax(row.w - needed_width(canvas, symbol) + name.width, row.w * 0.3);
    double units = name.width > room ? SYMBOL_UNITS * room / name.width : SYMBOL_UNITS;
    Box drawn = canvas_formula(canvas, symbol->formula, units, (Point){row.x, middle},
                               LABEL_LEFT);
    double x = drawn.x + drawn.w + PART_GAP;
    double baseline = label_baseline(middle, SHAPE_UNITS);
    drawn = canvas_label(canvas, FONT_BOLD, SHAPE_UNITS, theme->ink_soft,
                         (Point){x, baseline}, LABEL_LEFT, symbol->shape);
    x = drawn.x + drawn.w + PART_GAP;
    canvas_text_within(canvas, FONT_TEXT,
                       canvas_size(canvas, SHAPE_UNITS, symbol->meaning),
                       row.x + row.w - x, theme->ink_soft, (Point){x, baseline},
                       LABEL_LEFT, symbol->meaning);
}

/* Lays out or draws the symbols in as many columns as fit, column by column; returns the
 * height. */
static double put_symbols(const Symbols *symbols, Box area, bool draw) {
    const Canvas *canvas = symbols->parts->canvas;
    double least = fmax(widest_symbol(symbols), NARROWEST_COLUMN);
    size_t most = (size_t)fmax(1, floor((area.w + COLUMN_GAP) / (least + COLUMN_GAP)));
    size_t rows = (symbols->count + most - 1) / most;
    if (rows < LEAST_ROWS) /* few stand below each other */
        rows = symbols->count < LEAST_ROWS ? symbols->count : LEAST_ROWS;
    size_t columns = rows ? (symbols->count + rows - 1) / rows : 1;
    double width = (area.w - COLUMN_GAP * ((double)columns - 1)) / (double)columns;
    for (size_t i = 0; draw && i < symbols->count; i++)
        draw_symbol(canvas, &symbols->items[i],
                    (Box){area.x + (width + COLUMN_GAP) * (double)(i / rows),
                          area.y + ROW_HEIGHT * (double)(i % rows), width, ROW_HEIGHT});
    return ROW_HEIGHT * (double)rows;
}

double words_formula(const PageParts *parts, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    WordsFormula formula = {.source = words_formula_of(parts)};
    Symbols *symbols = arena_alloc(canvas->scene->arena, 1, sizeof *symbols);
    *symbols = (Symbols){.parts = parts,
                         .stage = {.canvas = canvas,
                                   .player = parts->page->player,
                                   .tape = parts->page->player->lesson->tape}};
    collect_symbols(symbols, formula.source);
    const char *expansion = expansion_of(symbols, formula.source);
    if (expansion) {
        formula.source =
            canvas_format(canvas, strchr(expansion, '=') ? "%s \\quad %s" : "%s = %s",
                          formula.source, expansion);
        add_letters(symbols, expansion);
    }
    double size = canvas_size(canvas, FORMULA_UNITS, ""),
           smallest = canvas_size(canvas, SMALLEST_UNITS, "");
    bool beside = words_fit(parts, &formula, size, smallest, area.w * BESIDE_FRACTION) &&
                  formula.extent.width + GAP + widest_symbol(symbols) <= area.w;
    if (!beside && !words_fit(parts, &formula, size, smallest, area.w)) {
        formula.source = words_result_name(parts);
        words_fit(parts, &formula, size, smallest, area.w * BESIDE_FRACTION);
        beside = true;
    }
    double tall = formula.extent.ascent + formula.extent.descent;
    Box list = area;
    if (beside)
        box_take_left(&list, formula.extent.width + GAP);
    else
        list.y += PAD + tall + PAD;
    double listed = put_symbols(symbols, list, false);
    double height = beside ? fmax(tall + 2 * PAD, listed) : listed + 2 * PAD + tall;
    if (!draw)
        return height;
    double baseline =
        area.y + (beside ? (height - tall) / 2 : PAD) + formula.extent.ascent;
    words_formula_draw(parts, &formula, area.x, round(baseline) - formula.extent.ascent);
    list.y += beside ? (height - listed) / 2 : 0;
    put_symbols(symbols, list, true);
    return height;
}

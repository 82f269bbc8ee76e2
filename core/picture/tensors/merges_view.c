#include "lesson/content/content.h"
#include "lesson/content/sources.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "picture/draw/token.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"
#include "text/vocabulary.h"

#include <math.h>
#include <string.h>

/* Training of byte-pair encoding. On the left every word with its count stands in its
 * letters; each merge is a bracket over its parts with the new subword on it, so that a
 * tree closes over the word. On the right the pairs that were most frequent before the
 * last merge, as bars: the longest was merged, and is highlighted here and in the words.
 * Below, the learned subwords with their IDs. */

static const double LETTERS = 28, SMALLEST = 15, PAIR = 18; /* size of letters in units */
static const double BOARD_FRACTION = 0.3, BOARD_LEAST = 250;
static const double BOARD_ROW = 44, STRIP = 84;
static const double BETWEEN_WORDS = 34, BETWEEN_LINES = 26;

typedef struct MergeWord {
    BpeTree tree;    /* with all merges of the whole training */
    size_t count;    /* occurrences in the corpus */
    size_t cell;     /* first cell of the word's subwords */
    size_t levels;   /* levels of brackets after all merges */
    bool flat;       /* subwords stand side by side, without their parts */
    size_t *heights; /* levels of brackets up to each join, itself included */
    /* Middles of the leaves and of the joins, from the word's left end. */
    double *middles, *tops;
    double width;
} MergeWord;

typedef struct Merges {
    const Stage *stage;
    const LessonMerging *merging;
    size_t word_count, shown; /* number of words; words that fit */
    MergeWord *words;
    double size, level; /* size of the letters; height of a level of brackets */
} Merges;

/* ---- trees ---- */

static bool is_joined(const Merges *merges, const MergerJoin *join) {
    return join->merge < merges->merging->merges;
}

static bool is_newest(const Merges *merges, const MergerJoin *join) {
    return join->merge + 1 == merges->merging->merges;
}

/* The last join before join number `end` that covers leaf `leaf`. */
static size_t cover_of(const BpeTree *tree, size_t leaf, size_t end) {
    size_t found = TAPE_NONE;
    for (size_t i = 0; i < end; i++) {
        if (tree->joins[i].from <= leaf && leaf < tree->joins[i].end)
            found = i;
    }
    return found;
}

/* Largest number of levels of brackets of the first joins. */
static size_t levels_of(const MergeWord *word, size_t joins) {
    size_t levels = 0;
    for (size_t i = 0; i < joins; i++)
        levels = word->heights[i] > levels ? word->heights[i] : levels;
    return levels;
}

static const char *join_text(const Merges *merges, const MergerJoin *join) {
    const Bpe *bpe = merges->merging->bpe;
    return vocabulary_at(bpe->symbols, bpe->merges[join->merge].result)->text;
}

/* Number of the joins made so far. */
static size_t joins_made(const Merges *merges, const MergeWord *word) {
    size_t made = 0;
    while (made < word->tree.join_count && is_joined(merges, &word->tree.joins[made]))
        made++;
    return made;
}

/* ---- sizes ---- */

static double chip_width(const Merges *merges, const char *text, double size) {
    const Canvas *canvas = merges->stage->canvas;
    double letters = canvas_text_width(canvas, FONT_BOLD, size, token_text(canvas, text));
    return ceil(fmax(letters + 0.8 * size, 1.6 * size));
}

static double chip_height(double size) {
    return round(size * 1.5);
}

static const char *count_text(const void *of, size_t index) {
    const Merges *merges = of;
    return canvas_format(merges->stage->canvas, "%zu ×", merges->words[index].count);
}

static double counts_width(const Merges *merges) {
    return ceil(chart_widest(merges->stage->canvas, FONT_BOLD, merges->size,
                             merges->word_count, count_text, merges) +
                merges->size * 0.7);
}

/* Last join so far of the subword that begins at a leaf, or TAPE_NONE; *end is set to the
 * leaf behind it. */
static size_t root_of(const MergeWord *word, size_t leaf, size_t made, size_t *end) {
    size_t root = cover_of(&word->tree, leaf, made);
    *end = root == TAPE_NONE ? leaf + 1 : word->tree.joins[root].end;
    return root;
}

static const char *part_text(const Merges *merges, const MergeWord *word, size_t leaf,
                             size_t join) {
    return join == TAPE_NONE ? word->tree.leaves[leaf]
                             : join_text(merges, &word->tree.joins[join]);
}

/* Middle of a subword (of a join, or, without one, of a leaf) from the left end of its
 * word's line of leaves. */
static Point part_middle(const Merges *merges, const MergeWord *word, size_t leaf,
                         size_t join) {
    if (join == TAPE_NONE)
        return (Point){word->middles[leaf], 0};
    return (Point){word->tops[join], -merges->level * (double)word->heights[join]};
}

/* Middles of the two parts of a join. */
static void find_parts(const Merges *merges, const MergeWord *word, size_t join,
                       Point parts[2]) {
    const MergerJoin *at = &word->tree.joins[join];
    parts[0] = part_middle(merges, word, at->from, cover_of(&word->tree, at->from, join));
    parts[1] =
        part_middle(merges, word, at->middle, cover_of(&word->tree, at->middle, join));
}

static void measure_word(const Merges *merges, MergeWord *word) {
    double x = counts_width(merges), gap = round(merges->size * 0.25);
    size_t made = word->flat ? joins_made(merges, word) : 0;
    for (size_t leaf = 0, end; leaf < word->tree.leaf_count; leaf = end) {
        size_t root = root_of(word, leaf, made, &end);
        double width =
            chip_width(merges, part_text(merges, word, leaf, root), merges->size);
        word->middles[leaf] = x + width / 2;
        x += width + gap;
    }
    word->width = x - gap;
    for (size_t i = 0; !word->flat && i < word->tree.join_count; i++) {
        Point parts[2];
        find_parts(merges, word, i, parts);
        word->tops[i] = round((parts[0].x + parts[1].x) / 2);
    }
}

/* Returns the height of a line with the words [first, *end). */
static double take_line(const Merges *merges, size_t first, double room, size_t *end) {
    double used = 0;
    size_t levels = 0;
    for (*end = first; *end < merges->word_count; ++*end) {
        const MergeWord *word = &merges->words[*end];
        used += (*end > first ? BETWEEN_WORDS : 0) + word->width;
        if (*end > first && used > room)
            break;
        levels = word->levels > levels ? word->levels : levels;
    }
    return chip_height(merges->size) + merges->level * (double)levels;
}

/* Returns the height of all lines, and counts the words that fit into `area`. */
static double measure(Merges *merges, Box area) {
    double used = 0;
    bool fits = true;
    merges->level = round(chip_height(merges->size) * 1.4);
    for (size_t i = 0; i < merges->word_count; i++)
        measure_word(merges, &merges->words[i]);
    merges->shown = 0;
    for (size_t first = 0, end; first < merges->word_count; first = end) {
        used += (first ? BETWEEN_LINES : 0) + take_line(merges, first, area.w, &end);
        fits = fits && used <= area.h && merges->words[first].width <= area.w;
        merges->shown = fits ? end : merges->shown;
    }
    return used;
}

static void choose_size(Merges *merges, Box area) {
    const Canvas *canvas = merges->stage->canvas;
    double least = fmax(canvas_size(canvas, SMALLEST, ""), canvas_least(canvas, "一"));
    merges->size = fmax(canvas_size(canvas, LETTERS, ""), least);
    while ((measure(merges, area) > area.h || merges->shown < merges->word_count) &&
           merges->size > least)
        merges->size--;
}

/* ---- words ---- */

typedef enum SubwordState { SUBWORD_INNER, SUBWORD_WHOLE, SUBWORD_NEW } SubwordState;

static Box subword_box(double middle, double y, double width, double size) {
    double height = chip_height(size);
    return (Box){round(middle - width / 2), round(y - height / 2), width, height};
}

/* Draws a subword; one inside another is only text. */
static void draw_piece(const Merges *merges, const char *text, Box box, double size,
                       SubwordState state, Link link) {
    const Canvas *canvas = merges->stage->canvas;
    const Theme *theme = canvas->theme;
    double radius = floor(box.h / 3);
    FontRole font = state == SUBWORD_INNER ? FONT_TEXT : FONT_BOLD;
    canvas_link(canvas, link);
    if (state == SUBWORD_INNER)
        canvas_target(canvas, box);
    else
        scene_rectangle(canvas->scene, box, radius,
                        state == SUBWORD_NEW ? emphasis_ground(theme) : theme->bar,
                        state == SUBWORD_NEW ? theme->ink : theme->ink_soft,
                        state == SUBWORD_NEW ? 2 : 1);
    chart_text(canvas, font, size, state == SUBWORD_INNER ? theme->ink_soft : theme->ink,
               (Box){box.x + 2, box.y, box.w - 4, box.h}, LABEL_CENTER,
               token_text(canvas, text));
    canvas_unlink(canvas);
}

/* Draws a bracket from a join's left part to its right one; the newest is linked to its
 * cell. */
static void draw_bracket(const Merges *merges, const MergeWord *word, Point left,
                         size_t join, size_t cell) {
    const Canvas *canvas = merges->stage->canvas;
    bool newest = is_newest(merges, &word->tree.joins[join]);
    Point parts[2];
    find_parts(merges, word, join, parts);
    double foot = left.y - chip_height(merges->size) / 2;
    double y =
        left.y + part_middle(merges, word, 0, join).y + chip_height(merges->size) / 2 + 2;
    Point path[] = {{left.x + parts[0].x, foot + parts[0].y},
                    {left.x + parts[0].x, y},
                    {left.x + parts[1].x, y},
                    {left.x + parts[1].x, foot + parts[1].y}};
    if (newest)
        canvas_link_cell(canvas, merges->stage->node, 0, cell);
    scene_path(canvas->scene, path, 4, round(newest ? 3 : 1.6),
               newest ? canvas->theme->ink : canvas->theme->ink_faint);
    canvas_unlink(canvas);
}

/* Draws a subword of one cell: of a join, or, without one, of a leaf. */
static void draw_part(const Merges *merges, const MergeWord *word, Point left,
                      size_t leaf, size_t join, SubwordState state, size_t cell) {
    const Stage *stage = merges->stage;
    const char *text = part_text(merges, word, leaf, join);
    Point middle = part_middle(merges, word, leaf, word->flat ? TAPE_NONE : join);
    Box box = subword_box(left.x + middle.x, left.y + middle.y,
                          chip_width(merges, text, merges->size), merges->size);
    draw_piece(merges, text, box, merges->size, state,
               (Link){LINK_CELL, stage->node, 0, cell});
    if (stage->has_focus && stage->focus_col == cell && state != SUBWORD_INNER)
        canvas_outline(stage->canvas, box_inset(box, -3), floor(box.h / 3) + 3,
                       stage->canvas->theme->focus, 2);
}

/* Draws the subword that begins at a leaf, with all its parts; returns the leaf behind
 * it. `made`: number of joins so far. */
static size_t draw_root(const Merges *merges, const MergeWord *word, Point left,
                        size_t leaf, size_t made, size_t cell) {
    size_t end, root = root_of(word, leaf, made, &end);
    if (word->flat) {
        bool newest = root != TAPE_NONE && is_newest(merges, &word->tree.joins[root]);
        draw_part(merges, word, left, leaf, root, newest ? SUBWORD_NEW : SUBWORD_WHOLE,
                  cell);
        return end;
    }
    for (size_t i = 0; i < made; i++) {
        const MergerJoin *part = &word->tree.joins[i];
        if (part->from >= leaf && part->end <= end)
            draw_bracket(merges, word, left, i, cell);
    }
    for (size_t i = leaf; i < end; i++)
        draw_part(merges, word, left, i, TAPE_NONE,
                  root == TAPE_NONE ? SUBWORD_WHOLE : SUBWORD_INNER, cell);
    for (size_t i = 0; root != TAPE_NONE && i <= root; i++) {
        const MergerJoin *part = &word->tree.joins[i];
        SubwordState state = is_newest(merges, part) ? SUBWORD_NEW
                             : i == root             ? SUBWORD_WHOLE
                                                     : SUBWORD_INNER;
        if (part->from >= leaf && part->end <= end)
            draw_part(merges, word, left, leaf, i, state, cell);
    }
    return end;
}

static void draw_word(const Merges *merges, size_t index, Point left) {
    const Canvas *canvas = merges->stage->canvas;
    const MergeWord *word = &merges->words[index];
    size_t made = joins_made(merges, word), cell = word->cell;
    canvas_text(canvas, FONT_BOLD, merges->size, canvas->theme->ink_soft,
                (Point){left.x, label_baseline(left.y, merges->size)}, LABEL_LEFT,
                count_text(merges, index));
    for (size_t leaf = 0; leaf < word->tree.leaf_count; cell++)
        leaf = draw_root(merges, word, left, leaf, made, cell);
}

static void draw_words(const Merges *merges, Box area) {
    double y = area.y;
    for (size_t first = 0, end; first < merges->shown; first = end) {
        double height = take_line(merges, first, area.w, &end), x = area.x;
        for (size_t i = first; i < end; i++) {
            draw_word(merges, i,
                      (Point){x, round(y + height - chip_height(merges->size) / 2)});
            x += merges->words[i].width + BETWEEN_WORDS;
        }
        y += height + BETWEEN_LINES;
    }
}

/* ---- the pairs ---- */

static double draw_heading(const Merges *merges, Box strip, const char *key) {
    const Canvas *canvas = merges->stage->canvas;
    const char *words = canvas_string(canvas, key);
    double size = canvas_size(canvas, 16, words);
    strip.h = round(size * 1.3);
    return chart_text(canvas, FONT_BOLD, size, canvas->theme->ink_soft, strip, LABEL_LEFT,
                      words)
        .w;
}

/* Draws a pair as two adjoining chips that end at `chips`, followed by a bar for its
 * frequency. */
static void draw_pair(const Merges *merges, const BpePair *pair, Box row, double chips,
                      bool chosen) {
    const Canvas *canvas = merges->stage->canvas;
    const Theme *theme = canvas->theme;
    double size = canvas_size(canvas, PAIR, "一"), middle = row.y + row.h / 2;
    double left = chip_width(merges, pair->left, size);
    double right =
        fmin(chip_width(merges, pair->right, size), chips - fmin(left, round(chips / 2)));
    left = fmin(left, chips - right);
    SubwordState state = chosen ? SUBWORD_NEW : SUBWORD_WHOLE;
    double seam = row.x + chips - right, gap = 12;
    draw_piece(merges, pair->left, subword_box(seam - left / 2, middle, left, size), size,
               state, (Link){0});
    draw_piece(merges, pair->right, subword_box(seam + right / 2, middle, right, size),
               size, state, (Link){0});
    const char *count = canvas_count(canvas, pair->count);
    double number = canvas_text_width(canvas, FONT_BOLD, size, count) + size * 0.5;
    box_take_left(&row, chips + gap);
    double room = fmax(row.w - number, 1);
    double fraction = (double)pair->count / (double)merges->merging->pairs.pairs[0].count;
    Box bar = box_take_left(&row, fmax(round(room * fraction), 2));
    box_take_left(&row, size * 0.35);
    canvas_fill(canvas,
                (Box){bar.x, round(middle - bar.h * 0.25), bar.w, round(bar.h / 2)}, 3,
                chosen ? theme->ink : palette_mix(theme->page, theme->ink_faint, 110));
    canvas_line(canvas, chosen ? FONT_BOLD : FONT_TEXT, PAIR,
                chosen ? theme->ink : theme->ink_soft, row, count);
}

static void draw_board(const Merges *merges, Box area) {
    const Canvas *canvas = merges->stage->canvas;
    const BpeRanking *pairs = &merges->merging->pairs;
    double size = canvas_size(canvas, PAIR, "一"), chips = 0;
    draw_heading(merges, area, "view.pairs");
    box_take_top(&area, 34);
    double row = fmin(
        BOARD_ROW, fmax(area.h / fmax((double)pairs->count, 1), chip_height(size) + 2));
    for (size_t i = 0; i < pairs->count; i++)
        chips = fmax(chips, chip_width(merges, pairs->pairs[i].left, size) +
                                chip_width(merges, pairs->pairs[i].right, size));
    chips = fmin(chips, round(area.w * 0.6));
    for (size_t i = 0; i < pairs->count && area.h >= row; i++)
        draw_pair(merges, &pairs->pairs[i], box_take_top(&area, row), chips,
                  i == 0 && merges->merging->merges > 0);
}

/* ---- what was learned ---- */

static size_t result_of(const Merges *merges, size_t merge, const char **text) {
    const Bpe *bpe = merges->merging->bpe;
    *text = vocabulary_at(bpe->symbols, bpe->merges[merge].result)->text;
    const LessonSource *source =
        lesson_source_of(merges->stage->player->lesson->sources, merges->stage->node);
    const VocabularyEntry *entry =
        vocabulary_lookup(source->tokenizer->vocabulary, *text, strlen(*text));
    return entry ? entry->id : 0;
}

/* Draws the subwords in the order they were learned, each above its ID: the last ones
 * that fit. */
static void draw_learned(const Merges *merges, Box strip) {
    const Canvas *canvas = merges->stage->canvas;
    double size = canvas_size(canvas, PAIR, "一"), gap = 14;
    size_t end = merges->merging->merges, first = end;
    if (!end)
        return;
    double x = strip.x + draw_heading(merges, strip, "view.learned") + 2 * gap;
    double more = canvas_text_width(canvas, FONT_TEXT, size, "…") + gap;
    double used = 0, room = strip.x + strip.w - x;
    for (; first > 0; first--) {
        const char *text;
        result_of(merges, first - 1, &text);
        double width = chip_width(merges, text, size) + gap;
        if (used + width + (first > 1 ? more : 0) > room)
            break;
        used += width;
    }
    double middle = strip.y + chip_height(size) / 2 - size * 0.1;
    if (first) {
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){x, label_baseline(middle, size)}, LABEL_LEFT, "…");
        x += more;
    }
    for (size_t i = first; i < end; i++) {
        const char *text;
        const char *id = canvas_count(canvas, result_of(merges, i, &text));
        bool newest = i + 1 == end;
        double width = chip_width(merges, text, size);
        Box chip = subword_box(x + width / 2, middle, width, size);
        draw_piece(merges, text, chip, size, newest ? SUBWORD_NEW : SUBWORD_WHOLE,
                   (Link){0});
        canvas_text(canvas, newest ? FONT_BOLD : FONT_TEXT, size,
                    newest ? canvas->theme->ink : canvas->theme->ink_soft,
                    (Point){x + width / 2, round(chip.y + chip.h + size * 1.1)},
                    LABEL_CENTER, id);
        x += width + gap;
    }
}

/* ---- words to draw ---- */

static void read_words(Merges *merges) {
    Arena *arena = merges->stage->canvas->scene->arena;
    const Bpe *bpe = merges->merging->bpe;
    size_t cell = 0;
    merges->word_count = bpe->word_count;
    merges->words = arena_alloc(arena, bpe->word_count, sizeof *merges->words);
    for (size_t i = 0; i < bpe->word_count; i++) {
        MergeWord *word = &merges->words[i];
        BpeTree *tree = &word->tree;
        bpe_word_tree(tree, bpe, arena, i, bpe->merge_count);
        word->middles = arena_alloc(arena, tree->leaf_count, sizeof *word->middles);
        word->tops = arena_alloc(arena, tree->join_count, sizeof *word->tops);
        word->heights = arena_alloc(arena, tree->join_count, sizeof *word->heights);
        word->count = bpe->words[i].count;
        word->cell = cell;
        for (size_t k = 0; k < tree->join_count; k++) {
            size_t left = cover_of(tree, tree->joins[k].from, k);
            size_t right = cover_of(tree, tree->joins[k].middle, k);
            size_t a = left == TAPE_NONE ? 0 : word->heights[left];
            size_t b = right == TAPE_NONE ? 0 : word->heights[right];
            word->heights[k] = 1 + (a > b ? a : b);
        }
        word->levels = levels_of(word, tree->join_count);
        cell += tree->leaf_count - joins_made(merges, word);
    }
}

/* Reports whether the last merge joined something in a word. */
static bool is_touched(const Merges *merges, const MergeWord *word) {
    bool touched = false;
    for (size_t i = 0; i < word->tree.join_count; i++)
        touched |= is_newest(merges, &word->tree.joins[i]);
    return touched;
}

/* If not all words have room, chooses up to `most` that the last merge changed, no taller
 * than they are so far; of the others only the subwords are drawn. */
static void choose_words(Merges *merges, size_t most) {
    for (size_t i = 0, next = 0; i < merges->word_count; i++) {
        MergeWord word = merges->words[i];
        bool first = next < most && is_touched(merges, &word);
        word.flat = !first;
        word.levels = first ? levels_of(&word, joins_made(merges, &word)) : 0;
        if (first)
            memmove(&merges->words[next + 1], &merges->words[next],
                    (i - next) * sizeof word);
        merges->words[first ? next++ : i] = word;
    }
}

static void draw_more(const Merges *merges, Box strip) {
    const Canvas *canvas = merges->stage->canvas;
    canvas_label(canvas, FONT_TEXT, 15, canvas->theme->ink_soft,
                 (Point){strip.x, strip.y + strip.h}, LABEL_LEFT,
                 canvas_words(canvas, "view.more_words",
                              canvas_count(canvas, merges->word_count - merges->shown),
                              NULL));
}

void merges_view(const Stage *stage, ViewPlace place) {
    (void)place;
    Merges merges = {
        .stage = stage,
        .merging =
            lesson_source_of(stage->player->lesson->sources, stage->node)->merging};
    read_words(&merges);
    Box area = stage->area;
    Box strip = box_take_bottom(&area, STRIP);
    Box board = box_take_right(&area, fmax(area.w * BOARD_FRACTION, BOARD_LEAST));
    box_take_right(&area, 40);
    box_take_bottom(&area, 24);
    choose_size(&merges, area);
    for (size_t most = merges.word_count; merges.shown < merges.word_count && most;
         most = most > 1) {
        choose_words(&merges, most);
        choose_size(&merges, area);
    }
    if (merges.shown < merges.word_count) {
        Box more = box_take_bottom(&area, 26);
        measure(&merges, area);
        draw_more(&merges, more);
    }
    draw_words(&merges, area);
    draw_board(&merges, board);
    draw_learned(&merges, strip);
}

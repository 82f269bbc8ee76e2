#include "lesson/content/content.h"
#include "lesson/content/sources.h"
#include "lesson/play/player.h"
#include "picture/draw/emphasis.h"
#include "picture/tensors/tokens.h"
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
    double *middles; /* of the leaves, from the word's left end */
    double width;
} MergeWord;

typedef struct Merges {
    const Stage *stage;
    const LessonMerging *merging;
    const Tensor *ids;
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

/* Levels of brackets up to a join, itself included. */
static size_t height_of(const BpeTree *tree, size_t join) {
    if (join == TAPE_NONE)
        return 0;
    size_t left = cover_of(tree, tree->joins[join].from, join);
    size_t right = cover_of(tree, tree->joins[join].middle, join);
    size_t a = height_of(tree, left), b = height_of(tree, right);
    return 1 + (a > b ? a : b);
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

static const char *count_text(const Merges *merges, size_t count) {
    return canvas_format(merges->stage->canvas, "%zu ×", count);
}

static double counts_width(const Merges *merges) {
    double widest = 0;
    for (size_t i = 0; i < merges->word_count; i++)
        widest =
            fmax(widest, canvas_text_width(merges->stage->canvas, FONT_BOLD, merges->size,
                                           count_text(merges, merges->words[i].count)));
    return ceil(widest + merges->size * 0.7);
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
    LabelFit fit = canvas_fit(canvas, font, size, box.w - 4, token_text(canvas, text));
    canvas_text(canvas, font, fit.size,
                state == SUBWORD_INNER ? theme->ink_soft : theme->ink,
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, fit.size)},
                LABEL_CENTER, fit.text);
    canvas_unlink(canvas);
}

/* Middle of a subword: of a join, or, without one, of a leaf. */
static Point subword_middle(const Merges *merges, const MergeWord *word, Point left,
                            size_t leaf, size_t join) {
    if (join == TAPE_NONE)
        return (Point){left.x + word->middles[leaf], left.y};
    const MergerJoin *at = &word->tree.joins[join];
    Point a = subword_middle(merges, word, left, at->from,
                             cover_of(&word->tree, at->from, join));
    Point b = subword_middle(merges, word, left, at->middle,
                             cover_of(&word->tree, at->middle, join));
    return (Point){round((a.x + b.x) / 2),
                   left.y - merges->level * (double)height_of(&word->tree, join)};
}

/* Draws a bracket from a join's left part to its right one; the newest is linked to its
 * cell. */
static void draw_bracket(const Merges *merges, const MergeWord *word, Point left,
                         size_t join, size_t cell) {
    const Canvas *canvas = merges->stage->canvas;
    const MergerJoin *at = &word->tree.joins[join];
    bool newest = is_newest(merges, at);
    Point top = subword_middle(merges, word, left, 0, join);
    Point ends[2] = {subword_middle(merges, word, left, at->from,
                                    cover_of(&word->tree, at->from, join)),
                     subword_middle(merges, word, left, at->middle,
                                    cover_of(&word->tree, at->middle, join))};
    double foot = chip_height(merges->size) / 2, y = top.y + foot + 2;
    Point path[] = {{ends[0].x, ends[0].y - foot},
                    {ends[0].x, y},
                    {ends[1].x, y},
                    {ends[1].x, ends[1].y - foot}};
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
    Point middle =
        subword_middle(merges, word, left, leaf, word->flat ? TAPE_NONE : join);
    Box box = subword_box(middle.x, middle.y, chip_width(merges, text, merges->size),
                          merges->size);
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

static void draw_word(const Merges *merges, const MergeWord *word, Point left) {
    const Canvas *canvas = merges->stage->canvas;
    size_t made = joins_made(merges, word), cell = word->cell;
    canvas_text(canvas, FONT_BOLD, merges->size, canvas->theme->ink_soft,
                (Point){left.x, label_baseline(left.y, merges->size)}, LABEL_LEFT,
                count_text(merges, word->count));
    for (size_t leaf = 0; leaf < word->tree.leaf_count; cell++)
        leaf = draw_root(merges, word, left, leaf, made, cell);
}

static void draw_words(const Merges *merges, Box area) {
    double y = area.y;
    for (size_t first = 0, end; first < merges->shown; first = end) {
        double height = take_line(merges, first, area.w, &end), x = area.x;
        for (size_t i = first; i < end; i++) {
            draw_word(merges, &merges->words[i],
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
    LabelFit fit =
        canvas_fit(canvas, FONT_BOLD, canvas_size(canvas, 16, words), strip.w, words);
    Box drawn =
        canvas_text(canvas, FONT_BOLD, fit.size, canvas->theme->ink_soft,
                    (Point){strip.x, round(strip.y + fit.size)}, LABEL_LEFT, fit.text);
    return drawn.w;
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
    double seam = row.x + chips - right;
    draw_piece(merges, pair->left, subword_box(seam - left / 2, middle, left, size), size,
               state, (Link){LINK_NONE, 0, 0, 0});
    draw_piece(merges, pair->right, subword_box(seam + right / 2, middle, right, size),
               size, state, (Link){LINK_NONE, 0, 0, 0});
    const char *count = canvas_count(canvas, pair->count);
    double number = canvas_text_width(canvas, FONT_BOLD, size, count) + size * 0.5;
    double gap = 12;
    double room = fmax(row.w - chips - gap - number, 1);
    double fraction = (double)pair->count / (double)merges->merging->pairs.pairs[0].count;
    Box bar = {row.x + chips + gap, round(middle - row.h * 0.25),
               fmax(round(room * fraction), 2), round(row.h * 0.5)};
    canvas_fill(canvas, bar, 3,
                chosen ? theme->ink : palette_mix(theme->page, theme->ink_faint, 110));
    canvas_text(canvas, chosen ? FONT_BOLD : FONT_TEXT, size,
                chosen ? theme->ink : theme->ink_soft,
                (Point){bar.x + bar.w + size * 0.35, label_baseline(middle, size)},
                LABEL_LEFT, count);
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
        size_t id = result_of(merges, i, &text);
        double width = chip_width(merges, text, size);
        draw_piece(merges, text, subword_box(x + width / 2, middle, width, size), size,
                   i + 1 == end ? SUBWORD_NEW : SUBWORD_WHOLE,
                   (Link){LINK_NONE, 0, 0, 0});
        canvas_text(
            canvas, i + 1 == end ? FONT_BOLD : FONT_TEXT, size,
            i + 1 == end ? canvas->theme->ink : canvas->theme->ink_soft,
            (Point){x + width / 2, round(middle + chip_height(size) / 2 + size * 1.1)},
            LABEL_CENTER, canvas_count(canvas, id));
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
        bpe_word_tree(&word->tree, bpe, arena, i, bpe->merge_count);
        word->middles = arena_alloc(arena, word->tree.leaf_count, sizeof *word->middles);
        word->count = bpe->words[i].count;
        word->cell = cell;
        for (size_t k = 0; k < word->tree.join_count; k++) {
            size_t height = height_of(&word->tree, k);
            word->levels = height > word->levels ? height : word->levels;
        }
        cell += word->tree.leaf_count - joins_made(merges, word);
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
        word.levels = 0;
        for (size_t k = 0; first && k < joins_made(merges, &word); k++) {
            size_t height = height_of(&word.tree, k);
            word.levels = height > word.levels ? height : word.levels;
        }
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
        .merging = lesson_source_of(stage->player->lesson->sources, stage->node)->merging,
        .ids = stage_tensor(stage, stage->node)};
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

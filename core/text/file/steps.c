#include "text/file/file_parts.h"

#include "base/array.h"
#include "base/strings/utf8.h"
#include "text/byte_bpe.h"

#include <limits.h>
#include <string.h>
#include <utf8proc.h>

/* Characters [from, to) of a word: a match of the pattern, or the text between
 * matches. */
typedef struct Stretch {
    size_t from, to;
    bool fits;
} Stretch;

typedef struct Stretches {
    size_t count, capacity;
    Stretch *items;
} Stretches;

typedef struct StepRun {
    const Step *step;
    Arena *arena;
    PatternSearch *search;
    Letters out; /* letters of the resulting word */
    size_t capacity;
    StepWords words; /* resulting words */
    Stretches found; /* stretches of the word that is being split */
} StepRun;

static void put(StepRun *run, uint32_t code_point, size_t from, size_t to) {
    run->out.items = array_reserve(run->arena, run->out.items, run->out.count,
                                   &run->capacity, sizeof *run->out.items);
    run->out.items[run->out.count++] = (Letter){code_point, (uint32_t)from, (uint32_t)to};
}

static void put_text(StepRun *run, const char *text, size_t from, size_t to) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length;)
        put(run, utf8_next(text, length, &at), from, to);
}

static void put_letters(StepRun *run, const Letter *letters, size_t count) {
    for (size_t i = 0; i < count; i++)
        put(run, letters[i].code_point, letters[i].from, letters[i].to);
}

/* ---- normalizers ---- */

/* Converts letter by letter, so that a final Σ becomes σ. */
static void lower(StepRun *run, const Letters *word) {
    for (size_t i = 0; i < word->count; i++) {
        const Letter *letter = &word->items[i];
        utf8proc_int32_t c = (utf8proc_int32_t)letter->code_point;
        put(run, (uint32_t)utf8proc_tolower(c), letter->from, letter->to);
        if (c == 0x130) /* İ is an i with its dot */
            put(run, 0x307, letter->from, letter->to);
    }
}

enum { FORM_FACTOR = 18 }; /* maximum expansion of a letter */

/* Buffer for one cluster. */
typedef struct Cluster {
    utf8proc_int32_t *points, *ordered;
} Cluster;

static int class_of(utf8proc_int32_t c) {
    return utf8proc_get_property(c)->combining_class;
}

/* Sorts marks by class, stably, in one pass for each class, so that many marks don't take
 * quadratic time. */
static void order_marks(Cluster *cluster, size_t begin, size_t end) {
    size_t made = begin;
    for (int class = 0, next = 0; next < INT_MAX; class = next) {
        next = INT_MAX;
        for (size_t i = begin; i < end; i++) {
            int own = class_of(cluster->points[i]);
            if (class && own == class)
                cluster->ordered[made++] = cluster->points[i];
            if (own > class && own < next)
                next = own;
        }
    }
    memcpy(cluster->points + begin, cluster->ordered + begin,
           (made - begin) * sizeof *cluster->points);
}

static void order(Cluster *cluster, size_t count) {
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        if (!class_of(cluster->points[begin]))
            continue;
        while (end < count && class_of(cluster->points[end]))
            end++;
        order_marks(cluster, begin, end);
    }
}

/* Normalizes one cluster; if it changes, each of its letters gets all of its bytes. */
static void put_normalized(StepRun *run, Cluster *cluster, const Letter *letters,
                           size_t count) {
    utf8proc_option_t form = (utf8proc_option_t)run->step->form;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        int boundary = 0;
        made += (size_t)utf8proc_decompose_char((utf8proc_int32_t)letters[i].code_point,
                                                cluster->points + made, FORM_FACTOR, form,
                                                &boundary);
    }
    order(cluster, made);
    made =
        (size_t)utf8proc_normalize_utf32(cluster->points, (utf8proc_ssize_t)made, form);
    bool same = made == count;
    for (size_t i = 0; same && i < count; i++)
        same = cluster->points[i] == (utf8proc_int32_t)letters[i].code_point;
    for (size_t i = 0; i < made; i++)
        put(run, (uint32_t)cluster->points[i], same ? letters[i].from : letters[0].from,
            same ? letters[i].to : letters[count - 1].to);
}

static void normalize(StepRun *run, const Letters *word) {
    size_t longest = 0, room;
    for (size_t start = 0, end; start < word->count; start = end) {
        end = letters_cluster_end(word, start);
        longest = end - start > longest ? end - start : longest;
    }
    room = FORM_FACTOR * longest;
    Cluster cluster = {arena_alloc(run->arena, room, sizeof *cluster.points),
                       arena_alloc(run->arena, room, sizeof *cluster.ordered)};
    for (size_t start = 0, end; start < word->count; start = end) {
        end = letters_cluster_end(word, start);
        put_normalized(run, &cluster, word->items + start, end - start);
    }
}

static void replace(StepRun *run, const Letters *word) {
    size_t at = 0, from, to;
    const Letter *letters = word->items;
    pattern_search_begin(run->search, run->step->pattern, *word);
    for (; pattern_search_next(run->search, &from, &to); at = to) {
        size_t first = letters[from].from, last = letters[to - 1].to;
        put_letters(run, letters + at, from - at);
        put_text(run, run->step->content, first, run->step->around ? first : last);
        if (run->step->around) {
            put_letters(run, letters + from, to - from);
            put_text(run, run->step->content, last, last);
        }
    }
    put_letters(run, letters + at, word->count - at);
}

static void prefix(StepRun *run, const Letters *word) {
    size_t at = 0;
    uint32_t first = utf8_next(run->step->content, strlen(run->step->content), &at);
    bool there = word->count && word->items[0].code_point == first;
    bool skipped = run->step->first_only && word->count && word->items[0].from > 0;
    if (word->count && !skipped && (run->step->always || !there))
        put_text(run, run->step->content, word->items[0].from, word->items[0].from);
    put_letters(run, word->items, word->count);
}

/* ---- bytes ---- */

/* GPT-2's alphabet maps printable bytes to themselves, and the others, in order, to
 * U+0100 and up. Source: openai/gpt-2, encoder.py. */
static bool is_seen(unsigned byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/* Fills in the letters of all bytes. */
static void fill_alphabet(uint32_t alphabet[BYTE_BPE_BYTES]) {
    uint32_t hidden = 0x100;
    for (unsigned byte = 0; byte < BYTE_BPE_BYTES; byte++)
        alphabet[byte] = is_seen(byte) ? byte : hidden++;
}

/* Of the other bytes, 33 are below '!', 34 from DEL to U+00A0, and one is U+00AD. */
int step_byte_of(uint32_t code_point) {
    if (code_point < BYTE_BPE_BYTES)
        return is_seen(code_point) ? (int)code_point : -1;
    uint32_t hidden = code_point - 0x100;
    return hidden < 33    ? (int)hidden
           : hidden < 67  ? (int)hidden - 33 + 0x7F
           : hidden == 67 ? 0xAD
                          : -1;
}

static void bytes(StepRun *run, const Letters *word) {
    uint32_t alphabet[BYTE_BPE_BYTES];
    Letter made[4];
    fill_alphabet(alphabet);
    for (size_t i = 0; i < word->count; i++) {
        size_t count = byte_letters(made, &word->items[i], 1);
        for (size_t k = 0; k < count; k++)
            put(run, alphabet[made[k].code_point - 0x100], made[k].from, made[k].to);
    }
}

/* ---- splitting words ---- */

static void add_stretch(StepRun *run, Stretch stretch) {
    Stretches *stretches = &run->found;
    if (stretch.from == stretch.to)
        return;
    stretches->items = array_reserve(run->arena, stretches->items, stretches->count,
                                     &stretches->capacity, sizeof *stretches->items);
    stretches->items[stretches->count++] = stretch;
}

static void find_stretches(StepRun *run, const Letters *word) {
    size_t at = 0, from, to;
    bool inverted = run->step->invert;
    run->found.count = 0;
    pattern_search_begin(run->search, run->step->pattern, *word);
    for (; pattern_search_next(run->search, &from, &to); at = to) {
        add_stretch(run, (Stretch){at, from, inverted});
        add_stretch(run, (Stretch){from, to, !inverted});
    }
    add_stretch(run, (Stretch){at, word->count, inverted});
}

/* Reports whether a stretch is joined with the one before it. */
static bool joins(SplitBehavior behavior, const Stretch *before, const Stretch *stretch) {
    switch (behavior) {
    case SPLIT_MERGED_WITH_PREVIOUS:
        return stretch->fits && !before->fits;
    case SPLIT_MERGED_WITH_NEXT:
        return before->fits && !stretch->fits;
    case SPLIT_CONTIGUOUS:
        return stretch->fits == before->fits;
    case SPLIT_ISOLATED:
    case SPLIT_REMOVED:
        break;
    }
    return false;
}

static void add_word(StepRun *run, Letters word) {
    StepWords *words = &run->words;
    words->items = array_reserve(run->arena, words->items, words->count, &words->capacity,
                                 sizeof *words->items);
    words->items[words->count++] = word;
}

static void split(StepRun *run, const Letters *word) {
    find_stretches(run, word);
    for (size_t i = 0; i < run->found.count; i++) {
        const Stretch *stretch = &run->found.items[i];
        Letters part = {stretch->to - stretch->from, word->items + stretch->from};
        if (stretch->fits && run->step->behavior == SPLIT_REMOVED)
            continue;
        if (i && joins(run->step->behavior, stretch - 1, stretch))
            run->words.items[run->words.count - 1].count += part.count;
        else
            add_word(run, part);
    }
}

/* ---- the table ---- */

static void (*const RUNS[])(StepRun *, const Letters *) = {
    [STEP_LOWER] = lower,   [STEP_NORMALIZE] = normalize, [STEP_REPLACE] = replace,
    [STEP_PREFIX] = prefix, [STEP_SPLIT] = split,         [STEP_BYTES] = bytes};

enum { LETTER_COST = 200 }; /* operations per letter and step */

void steps_run(StepWords *words, const Steps *steps, Arena *arena) {
    if (!steps->count)
        return;
    PatternSearch *search = pattern_search_create(arena);
    for (size_t i = 0; i < steps->count; i++) {
        const Step *step = &steps->items[i];
        StepRun run = {.step = step, .arena = arena, .search = search};
        for (size_t k = 0; k < words->count; k++) {
            run.out = (Letters){0};
            run.capacity = 0;
            arena_spend(arena, ARENA_WORK_TEXTS,
                        LETTER_COST * (double)(words->items[k].count + 1));
            RUNS[step->kind](&run, &words->items[k]);
            if (step->kind != STEP_SPLIT && run.out.count)
                add_word(&run, run.out);
        }
        *words = run.words;
    }
    pattern_search_destroy(search);
}

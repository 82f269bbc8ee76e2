#include "text/bpe.h"

#include "base/strings/utf8.h"
#include "text/byte_bpe.h"
#include "text/cutter.h"

#include <assert.h>
#include <string.h>

/* ---- words during merging ---- */

static const uint32_t NO_SYMBOL = UINT32_MAX; /* never joined */

/* A word as its symbols and the range of characters of each; the mark is one past the
 * last. */
typedef struct Parts {
    size_t count;
    MergerPart *items;
} Parts;

/* Two neighbours, weighted by the words' counts. */
typedef struct PairCount {
    uint32_t symbols[2];
    size_t count;
} PairCount;

/* Returns the symbol of a character, or NO_SYMBOL if there is none, as for a character
 * equal to the `mark`. */
static uint32_t symbol_of(const Vocabulary *symbols, uint32_t mark, uint32_t code_point) {
    char text[4];
    size_t length = utf8_encode(code_point, text);
    const VocabularyEntry *entry = vocabulary_lookup(symbols, text, length);
    return entry && entry->id != mark ? (uint32_t)entry->id : NO_SYMBOL;
}

static void add_symbol(Parts *parts, uint32_t symbol) {
    uint32_t at = (uint32_t)parts->count;
    parts->items[parts->count++] = (MergerPart){symbol, at, at + 1, symbol == NO_SYMBOL};
}

/* Counts the neighbours in a word with frequency `weight`. `indices` maps their symbols
 * to indices of `pairs`, which has room for all, in the order of first appearance. */
static void count_pairs(Table *indices, PairCount *pairs, const Parts *word,
                        size_t weight) {
    for (size_t k = 0; k + 1 < word->count; k++) {
        size_t next = indices->count, found;
        PairCount pair = {{word->items[k].symbol, word->items[k + 1].symbol}, weight};
        if (table_lookup(indices, pair.symbols, sizeof pair.symbols, &found)) {
            pairs[found].count += weight;
            continue;
        }
        pairs[next] = pair;
        table_add(indices, pairs[next].symbols, sizeof pair.symbols, next);
    }
}

bool bpe_add_symbols(Vocabulary *vocabulary, const Bpe *bpe, Error *error) {
    char name[BYTE_NAME_SIZE];
    for (size_t i = 0; i < vocabulary_count(bpe->symbols); i++) {
        const VocabularyEntry *symbol = vocabulary_at(bpe->symbols, i);
        const char *text = bpe->bytes ? name : symbol->text;
        size_t length = bpe->bytes ? byte_symbol_name(name, symbol->text, symbol->length)
                                   : symbol->length;
        if (!vocabulary_lookup(vocabulary, text, length) &&
            !vocabulary_add(vocabulary, text, length, error))
            return false;
    }
    return true;
}

/* ---- the words of a corpus ---- */

static bool check_length(const char *word, size_t length, Error *error) {
    char shortened[UTF8_SHORT_SIZE];
    return length <= BPE_WORD_MAX ||
           error_set(error, ERROR_LIMIT, 0, 0,
                     "the word '%s' has %zu bytes; a word to learn from has at most %d",
                     utf8_shorten(shortened, word, length), length, BPE_WORD_MAX);
}

static bool count_word(Vocabulary *distinct, BpeWord *words, const char *text,
                       size_t length, Error *error) {
    const VocabularyEntry *known = vocabulary_lookup(distinct, text, length);
    if (!known) {
        if (!check_length(text, length, error) ||
            !vocabulary_add(distinct, text, length, error))
            return false;
        known = vocabulary_lookup(distinct, text, length);
        words[known->id].text = known->text;
    }
    words[known->id].count++;
    return true;
}

enum { CORPUS_COST = 300 }; /* operations per byte of the corpus */

bool bpe_count_words(BpeWords *words, Arena *arena, const char *text, size_t length,
                     bool lower_case, bool bytes, Error *error) {
    Letters letters;
    *words = (BpeWords){0};
    arena_spend(arena, ARENA_WORK_MERGES, CORPUS_COST * (double)length);
    if (!letters_check("the corpus", text, length, BPE_CORPUS_MAX, error))
        return false;
    letters_read(&letters, arena, text, 0, length, lower_case);
    Vocabulary *distinct = vocabulary_create(arena, 0);
    BpeWord *items = arena_alloc(arena, letters.count + 1, sizeof *items);
    char *buffer = arena_alloc(arena, letters.count + 1, 8);
    Letter *all = arena_alloc(arena, letters.count + 1, 4 * sizeof *all);
    for (size_t start = 0, end; start < letters.count; start = end) {
        const Letter *word = letters.items + start;
        bool blank = !bytes && letter_is_space(word->code_point);
        end = bytes ? byte_word_end(&letters, start) : letters_run_end(&letters, start);
        size_t count = end - start;
        if (bytes)
            count = byte_letters(all, word, count);
        size_t size = letters_write(bytes ? all : word, count, buffer);
        if (!blank && !count_word(distinct, items, buffer, size, error))
            return false;
    }
    *words = (BpeWords){vocabulary_count(distinct), items};
    return true;
}

/* ---- checking what to learn from ---- */

static bool check_mark(const char *mark, bool bytes, Error *error) {
    size_t length = strlen(mark);
    if (bytes)
        return true;
    if (!length)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "the end-of-word mark is empty; it needs at least one character, "
            "as in '</w>'");
    return letters_check("the end-of-word mark", mark, length, BPE_MARK_MAX, error);
}

static bool check_word(const BpeWord *word, const char *mark, Error *error) {
    char shortened[UTF8_SHORT_SIZE];
    size_t length = strlen(word->text);
    if (!length)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "a word to learn from is empty; it needs at least one character");
    if (!letters_check("a word to learn from", word->text, length, BPE_CORPUS_MAX,
                       error) ||
        !check_length(word->text, length, error))
        return false;
    utf8_shorten(shortened, word->text, length);
    if (*mark && strstr(word->text, mark))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the word '%s' holds '%s', which marks a word's end; choose "
                         "another mark",
                         shortened, mark);
    if (word->count == 0)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "the word '%s' has count 0; a word to learn from stands at least "
            "once in the corpus",
            shortened);
    if (word->count > BPE_WORD_COUNT_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "the word '%s' has count %zu; the largest is %d", shortened,
                         word->count, BPE_WORD_COUNT_MAX);
    return true;
}

/* Checks all arguments; *symbols is the number of symbols that the words begin with. */
static bool check_all(const BpeWord *words, size_t count, const BpeOptions *options,
                      const char *mark, size_t *symbols, Error *error) {
    size_t bytes = 0;
    if (options->merges > BPE_MERGES_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "%zu merges are too many to learn; there are at most %d",
                         options->merges, BPE_MERGES_MAX);
    if (!check_mark(mark, options->bytes, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!check_word(&words[i], mark, error))
            return false;
        bytes += strlen(words[i].text);
        if (bytes > BPE_WORDS_MAX)
            return error_set(error, ERROR_LIMIT, 0, 0,
                             "the different words to learn from have more than %d bytes "
                             "together",
                             BPE_WORDS_MAX);
        *symbols += utf8_count(words[i].text) + 1;
    }
    return true;
}

/* ---- learning ---- */

typedef struct Learner {
    Arena *arena;
    Bpe *bpe;
    Parts *words; /* words in their present state */
    MergerRoom room;
    Table pair_indices; /* indices of pairs, by their symbols */
    /* pairs in the order of first appearance; room for each symbol */
    PairCount *pairs;
} Learner;

/* Returns the number of a symbol, adding it if it is new. */
static bool find_symbol(Vocabulary *symbols, const char *text, size_t length,
                        uint32_t *symbol, Error *error) {
    const VocabularyEntry *known = vocabulary_lookup(symbols, text, length);
    if (!known) {
        if (!vocabulary_add(symbols, text, length, error))
            return false;
        known = vocabulary_at(symbols, vocabulary_count(symbols) - 1);
    }
    *symbol = (uint32_t)known->id;
    return true;
}

static bool add_bytes(Vocabulary *symbols, Error *error) {
    char text[4];
    for (unsigned byte = 0; byte < BYTE_BPE_BYTES; byte++) {
        if (!vocabulary_add(symbols, text, byte_symbol(text, (unsigned char)byte), error))
            return false;
    }
    return true;
}

/* Copies a word, and stores its characters and the mark from `items` on. */
static bool begin_word(Learner *learner, size_t index, BpeWord word, MergerPart *items,
                       Error *error) {
    Bpe *bpe = learner->bpe;
    Parts *parts = &learner->words[index];
    size_t length = strlen(word.text);
    *parts = (Parts){0, items};
    for (size_t at = 0, from = 0; at < length; from = at) {
        uint32_t symbol;
        utf8_next(word.text, length, &at);
        if (!find_symbol(bpe->symbols, word.text + from, at - from, &symbol, error))
            return false;
        add_symbol(parts, symbol);
    }
    if (!bpe->bytes) {
        if (!find_symbol(bpe->symbols, bpe->mark, bpe->mark_length, &bpe->mark_symbol,
                         error))
            return false;
        add_symbol(parts, bpe->mark_symbol);
    }
    bpe->words[index] =
        (BpeWord){arena_copy(learner->arena, word.text, length), word.count};
    return true;
}

/* Finds the most frequent pair, of equally frequent ones the first in the corpus; its
 * count is 0 if there is no pair. */
static PairCount find_best(Learner *learner) {
    const Bpe *bpe = learner->bpe;
    PairCount best = {0};
    table_clear(&learner->pair_indices);
    for (size_t i = 0; i < bpe->word_count; i++) {
        count_pairs(&learner->pair_indices, learner->pairs, &learner->words[i],
                    bpe->words[i].count);
    }
    for (size_t i = 0; i < learner->pair_indices.count; i++) {
        if (learner->pairs[i].count > best.count)
            best = learner->pairs[i];
    }
    return best;
}

/* Appends the merge, and its result as a new symbol. The result is always new: no join
 * ever crossed its ends, so every occurrence of its text was made by the same joins at
 * the same time. */
static bool record_merge(Bpe *bpe, const PairCount *pair, Error *error) {
    char text[2 * VOCABULARY_TOKEN_SIZE_MAX];
    const VocabularyEntry *left = vocabulary_at(bpe->symbols, pair->symbols[0]);
    const VocabularyEntry *right = vocabulary_at(bpe->symbols, pair->symbols[1]);
    memcpy(text, left->text, left->length);
    memcpy(text + left->length, right->text, right->length);
    if (!vocabulary_add(bpe->symbols, text, left->length + right->length, error))
        return false;
    bpe->merges[bpe->merge_count++] = (BpeMerge){
        .left = pair->symbols[0],
        .right = pair->symbols[1],
        .result = vocabulary_count(bpe->symbols) - 1,
        .count = pair->count,
    };
    size_t result = vocabulary_count(bpe->symbols) - 1;
    merger_add(&bpe->merger, pair->symbols[0], pair->symbols[1], (uint32_t)result);
    return true;
}

enum { PART_COST = 300 }; /* operations per symbol in each merge step */

/* Spends the work of a merge step, which counts all pairs and visits all words. */
static void spend_round(const Learner *learner) {
    double parts = 0;
    for (size_t i = 0; i < learner->bpe->word_count; i++)
        parts += (double)learner->words[i].count;
    arena_spend(learner->arena, ARENA_WORK_MERGES, PART_COST * parts);
}

static bool learn(Learner *learner, const BpeOptions *options, Error *error) {
    Bpe *bpe = learner->bpe;
    size_t least = options->min_count ? options->min_count : 1;
    while (bpe->merge_count < options->merges) {
        spend_round(learner);
        PairCount best = find_best(learner);
        if (best.count < least)
            break;
        if (!record_merge(bpe, &best, error))
            return false;
        for (size_t i = 0; i < bpe->word_count; i++) {
            Parts *word = &learner->words[i];
            word->count = merger_run(&bpe->merger, bpe->merge_count, word->items,
                                     word->count, &learner->room, NULL);
        }
    }
    return true;
}

Bpe *bpe_learn(Arena *arena, const BpeWord *words, size_t count,
               const BpeOptions *options, Error *error) {
    const char *mark = options->bytes ? "" : options->mark ? options->mark : "</w>";
    size_t symbols = 0;
    if (!check_all(words, count, options, mark, &symbols, error))
        return NULL;
    Bpe *bpe = arena_alloc(arena, 1, sizeof *bpe);
    MergerPart *items = arena_alloc(arena, symbols, sizeof *items);
    Learner learner = {.arena = arena,
                       .bpe = bpe,
                       .words = arena_alloc(arena, count, sizeof *learner.words),
                       .pair_indices = {.arena = arena},
                       .pairs = arena_alloc(arena, symbols, sizeof *learner.pairs)};
    *bpe = (Bpe){.bytes = options->bytes,
                 .mark = arena_copy(arena, mark, strlen(mark)),
                 .mark_length = strlen(mark),
                 .mark_symbol = NO_SYMBOL,
                 .word_count = count,
                 .words = arena_alloc(arena, count, sizeof *bpe->words),
                 .symbols = vocabulary_create(arena, 0),
                 .merges = arena_alloc(arena, options->merges, sizeof *bpe->merges)};
    merger_init(&bpe->merger, arena, options->merges);
    merger_room(&learner.room, arena, BPE_WORD_MAX + 1);
    if (bpe->bytes && !add_bytes(bpe->symbols, error))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!begin_word(&learner, i, words[i], items, error))
            return NULL;
        items += learner.words[i].count;
    }
    return learn(&learner, options, error) ? bpe : NULL;
}

/* ---- the tokenizer ---- */

/* Adds a character that is not in the corpus, unless it equals the mark. */
static bool add_character(Cutter *cutter, const Letter *letter, bool first,
                          Error *error) {
    const Bpe *bpe = cutter->tokenizer->bpe;
    char buffer[4];
    Cut cut = {buffer, letters_write(letter, 1, buffer), letter->from, letter->to};
    if (cut.text_length == bpe->mark_length &&
        memcmp(cut.text, bpe->mark, bpe->mark_length) == 0)
        return cutter_add_unknown(cutter, cut.from, cut.to, error);
    return cutter_add(cutter, &cut, first, error);
}

/* Adds a subword. */
static bool add_part(Cutter *cutter, const Letter *word, size_t letter_count,
                     const MergerPart *part, Error *error) {
    const Bpe *bpe = cutter->tokenizer->bpe;
    size_t end =
        part->to < letter_count ? part->to : letter_count; /* excludes the mark */
    size_t last = word[end - 1].to;
    if (part->from == letter_count) { /* the mark, which has no bytes */
        Cut cut = {bpe->mark, bpe->mark_length, last, last};
        return cutter_add(cutter, &cut, false, error);
    }
    if (part->unknown)
        return add_character(cutter, &word[part->from], part->from == 0, error);
    const VocabularyEntry *entry = vocabulary_at(bpe->symbols, part->symbol);
    char name[BYTE_NAME_SIZE];
    Cut cut = {entry->text, entry->length, word[part->from].from, last};
    if (bpe->bytes) {
        cut.text = name;
        cut.text_length = byte_symbol_name(name, entry->text, entry->length);
    }
    return cutter_add(cutter, &cut, part->from == 0, error);
}

static bool cut_word(Cutter *cutter, MergerPart *items, const MergerRoom *room,
                     const Letter *word, size_t letter_count, Error *error) {
    const Bpe *bpe = cutter->tokenizer->bpe;
    Parts parts = {0, items};
    for (size_t i = 0; i < letter_count; i++)
        add_symbol(&parts, symbol_of(bpe->symbols, bpe->mark_symbol, word[i].code_point));
    if (!bpe->bytes)
        add_symbol(&parts, bpe->mark_symbol);
    parts.count =
        merger_run(&bpe->merger, bpe->merge_count, items, parts.count, room, NULL);
    cutter_begin_word(cutter);
    for (size_t i = 0; i < parts.count; i++) {
        if (!add_part(cutter, word, letter_count, &items[i], error))
            return false;
    }
    return true;
}

/* Splits words of letters, or of the letters' bytes, which are then written to `out`. */
static bool split(Cutter *cutter, const Letters *letters, Letter *out, Error *error) {
    MergerRoom room;
    size_t most = 4 * letters->count + 1;
    MergerPart *items = arena_alloc(cutter->arena, most, sizeof *items);
    merger_room(&room, cutter->arena, most);
    for (size_t start = 0, end; start < letters->count; start = end) {
        const Letter *word = letters->items + start;
        end = out ? byte_word_end(letters, start) : letters_run_end(letters, start);
        bool blank = !out && letter_is_space(word->code_point);
        size_t count = out ? byte_letters(out, word, end - start) : end - start;
        if (!blank && !cut_word(cutter, items, &room, out ? out : word, count, error))
            return false;
    }
    return true;
}

bool bpe_split(Cutter *cutter, const Letters *letters, Error *error) {
    assert(cutter->tokenizer->bpe && !cutter->tokenizer->bpe->bytes);
    return split(cutter, letters, NULL, error);
}

bool byte_bpe_split(Cutter *cutter, const Letters *letters, Error *error) {
    assert(cutter->tokenizer->bpe && cutter->tokenizer->bpe->bytes);
    Letter *out = arena_alloc(cutter->arena, letters->count + 1, 4 * sizeof *out);
    return split(cutter, letters, out, error);
}

/* ---- the words of the corpus after a number of merges ---- */

static const char *symbol_text(const Bpe *bpe, size_t symbol) {
    return vocabulary_at(bpe->symbols, symbol)->text;
}

/* Prepares a word of the corpus: its characters, the mark, and memory for merging
 * them. */
static void begin_parts(Parts *parts, MergerRoom *room, const Bpe *bpe, Arena *arena,
                        size_t word) {
    const char *text = bpe->words[word].text;
    size_t length = strlen(text), most = utf8_count(text) + 1;
    *parts = (Parts){0, arena_alloc(arena, most, sizeof(MergerPart))};
    merger_room(room, arena, most);
    for (size_t at = 0; at < length;)
        add_symbol(parts, symbol_of(bpe->symbols, bpe->mark_symbol,
                                    utf8_next(text, length, &at)));
    add_symbol(parts, bpe->mark_symbol);
}

static const char **symbols_of(const Parts *parts, const Bpe *bpe, Arena *arena) {
    const char **symbols = arena_alloc(arena, parts->count, sizeof *symbols);
    for (size_t i = 0; i < parts->count; i++)
        symbols[i] = symbol_text(bpe, parts->items[i].symbol);
    return symbols;
}

void bpe_word_after(BpeSplit *split, const Bpe *bpe, Arena *arena, size_t word,
                    size_t merges) {
    assert(word < bpe->word_count && merges <= bpe->merge_count);
    Parts parts;
    MergerRoom room;
    begin_parts(&parts, &room, bpe, arena, word);
    parts.count = merger_run(&bpe->merger, merges, parts.items, parts.count, &room, NULL);
    *split = (BpeSplit){parts.count, symbols_of(&parts, bpe, arena)};
}

void bpe_word_tree(BpeTree *tree, const Bpe *bpe, Arena *arena, size_t word,
                   size_t merges) {
    assert(word < bpe->word_count && merges <= bpe->merge_count);
    Parts parts;
    MergerRoom room;
    begin_parts(&parts, &room, bpe, arena, word);
    *tree = (BpeTree){.leaf_count = parts.count,
                      .leaves = symbols_of(&parts, bpe, arena),
                      .joins = arena_alloc(arena, parts.count, sizeof *tree->joins)};
    tree->join_count = parts.count - merger_run(&bpe->merger, merges, parts.items,
                                                parts.count, &room, tree->joins);
}

/* Inserts a pair behind all that are at least as frequent; drops the last beyond
 * `most`. */
static void rank_pair(BpeRanking *ranking, size_t most, BpePair pair) {
    size_t at = ranking->count;
    while (at > 0 && ranking->pairs[at - 1].count < pair.count)
        at--;
    if (at == most)
        return;
    ranking->count += ranking->count < most;
    for (size_t i = ranking->count - 1; i > at; i--)
        ranking->pairs[i] = ranking->pairs[i - 1];
    ranking->pairs[at] = pair;
}

void bpe_rank(BpeRanking *ranking, const Bpe *bpe, Arena *arena, size_t merges,
              size_t most) {
    assert(merges <= bpe->merge_count);
    size_t symbols = 0;
    for (size_t i = 0; i < bpe->word_count; i++)
        symbols += utf8_count(bpe->words[i].text) + 1;
    Table indices = {.arena = arena};
    PairCount *pairs = arena_alloc(arena, symbols, sizeof *pairs);
    *ranking = (BpeRanking){0, arena_alloc(arena, most, sizeof *ranking->pairs)};
    for (size_t i = 0; i < bpe->word_count; i++) {
        Parts word;
        MergerRoom room;
        begin_parts(&word, &room, bpe, arena, i);
        word.count =
            merger_run(&bpe->merger, merges, word.items, word.count, &room, NULL);
        count_pairs(&indices, pairs, &word, bpe->words[i].count);
    }
    for (size_t i = 0; i < indices.count; i++)
        rank_pair(ranking, most,
                  (BpePair){symbol_text(bpe, pairs[i].symbols[0]),
                            symbol_text(bpe, pairs[i].symbols[1]), pairs[i].count});
}

/* Tokenizers from tokenizer.json: their IDs equal those of the published algorithms
 * (tests/reference/tokenizer_json.py describes the format), unsupported settings are
 * reported with their key, and damaged files do no harm. */
#include "base/random.h"
#include "base/strings/utf8.h"
#include "close.h"
#include "contains.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"
#include "tensor/tape/tape.h"
#include "text/file/tokenizer_file.h"
#include "text/vocabulary.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1 << 15, FILE_SIZE = 1 << 16, PLENTY = 64 << 20 };

/* A file being read, and texts being cut by it. */
typedef struct Bench {
    Arena *arena, *scratch;
    Tokenizer tokenizer;
    TextPieces pieces;
    Error error;
} Bench;

static Bench bench_new(void) {
    return (Bench){.arena = arena_create(PLENTY), .scratch = arena_create(PLENTY)};
}

static void bench_close(Bench *bench) {
    arena_destroy(bench->arena);
    arena_destroy(bench->scratch);
}

static bool read_json(Bench *bench, const char *json, size_t length) {
    bench->error = (Error){0};
    return tokenizer_file_read(&bench->tokenizer, bench->arena, "t.json", json, length,
                               &bench->error);
}

static bool cut(Bench *bench, const char *text, size_t length) {
    arena_reset(bench->scratch);
    bench->error = (Error){0};
    return tokenizer_cut(&bench->pieces, &bench->tokenizer, bench->scratch, text, length,
                         &bench->error);
}

static void must(const Bench *bench, bool good) {
    if (!good)
        fail_msg("%s", bench->error.message);
}

/* ---- the reference ---- */

/* Where tokenizer_json.py has written: GLASSFORMER_TOKENIZER_JSON names another folder.
 */
static FILE *open_reference(const char *name) {
    char path[4096];
    const char *source = getenv("GLASSFORMER_SOURCE");
    const char *other = getenv("GLASSFORMER_TOKENIZER_JSON");
    assert_true(source || other);
    snprintf(path, sizeof path, "%s%s/%s", other ? other : source,
             other ? "" : "/tests/reference", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    return file;
}

static size_t load(const char *name, char bytes[FILE_SIZE]) {
    char path[100];
    snprintf(path, sizeof path, "tokenizer_json/%s.json", name);
    FILE *file = open_reference(path);
    size_t length = fread(bytes, 1, FILE_SIZE, file);
    assert_true(length < FILE_SIZE);
    fclose(file);
    return length;
}

static void load_file(Bench *bench, const char *name) {
    static char bytes[FILE_SIZE];
    size_t length = load(name, bytes);
    arena_reset(bench->arena);
    must(bench, read_json(bench, bytes, length));
}

static size_t from_hex(char *text) {
    size_t length = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
    for (size_t i = 0; i < length; i++) {
        char byte[3] = {text[2 * i], text[2 * i + 1], 0};
        text[i] = (char)strtoul(byte, NULL, 16);
    }
    return length;
}

static void check_text(Bench *bench, char *text, char **rest, size_t line) {
    size_t length = from_hex(text), end = 0;
    if (!cut(bench, text, length))
        fail_msg("line %zu: %s", line, bench->error.message);
    for (size_t i = 0; i < bench->pieces.count; i++) {
        const TextPiece *piece = &bench->pieces.items[i];
        const char *id = strtok_r(NULL, " \n", rest);
        if (!id || strtoul(id, NULL, 10) != piece->id)
            fail_msg("line %zu: token %zu is %zu ('%s'), not %s", line, i, piece->id,
                     piece->text, id ? id : "there");
        assert_true(piece->offset + piece->length <= length);
        end = piece->offset;
    }
    assert_true(end <= length);
    if (strtok_r(NULL, " \n", rest))
        fail_msg("line %zu: there are fewer tokens", line);
}

static void test_texts_get_the_published_ids(void **state) {
    static char text[LINE_SIZE];
    Bench bench = bench_new();
    FILE *file = open_reference("tokenizer_json.txt");
    size_t texts = 0, line = 0;
    while (fgets(text, sizeof text, file)) {
        char *rest, *word = strtok_r(text, " \n", &rest);
        line++;
        if (strcmp(word, "file") == 0)
            load_file(&bench, strtok_r(NULL, " \n", &rest));
        else if (strcmp(word, "text") == 0 && ++texts)
            check_text(&bench, strtok_r(NULL, " \n", &rest), &rest, line);
    }
    fclose(file);
    assert_true(texts >= 300);
    print_message("# %zu texts\n", texts);
    bench_close(&bench);
}

/* ---- pieces ---- */

static void check_piece(const Bench *bench, size_t index, const char *text, size_t offset,
                        size_t length, TextPieceKind kind) {
    const TextPiece *piece = &bench->pieces.items[index];
    assert_true(index < bench->pieces.count);
    assert_string_equal(piece->text, text);
    assert_int_equal(piece->offset, offset);
    assert_int_equal(piece->length, length);
    assert_int_equal(piece->kind, kind);
}

static void test_pieces_know_their_bytes(void **state) {
    Bench bench = bench_new();
    load_file(&bench, "gpt2");
    must(&bench, cut(&bench, "to é<|endoftext|>", 18));
    check_piece(&bench, bench.pieces.count - 3, "<0xC3>", 3, 1, TEXT_PIECE_CONTINUATION);
    check_piece(&bench, bench.pieces.count - 2, "<0xA9>", 4, 1, TEXT_PIECE_CONTINUATION);
    check_piece(&bench, bench.pieces.count - 1, "<|endoftext|>", 5, 13,
                TEXT_PIECE_SPECIAL);
    load_file(&bench, "bert");
    must(&bench, cut(&bench, "PLAYing \xE6\x97\xA5Ω", 13));
    check_piece(&bench, 0, "[CLS]", 0, 0, TEXT_PIECE_SPECIAL);
    check_piece(&bench, 1, "play", 0, 4, TEXT_PIECE_WORD);
    check_piece(&bench, 2, "##ing", 4, 3, TEXT_PIECE_CONTINUATION);
    check_piece(&bench, 3, "[UNK]", 8, 3, TEXT_PIECE_UNKNOWN);
    check_piece(&bench, 5, "[SEP]", 13, 0, TEXT_PIECE_SPECIAL);
    bench_close(&bench);
}

/* ---- what is left out ---- */

#define WORDS                                                                            \
    "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"<unk>\":0,\"a\":1,\"b\":2,\"x\":3,"  \
    "\"x \":4,\" x\":5,\"a b\":6,\"我\":7,\"á\":8,\"A\":9,\"1\":10,\"2\":11,"          \
    "\"12\":12,\"!\":13,\"▁a\":14,\"▁a▁a\":15,\"u\":16}"
#define BYTES                                                                            \
    "\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"Ġ\":1,\"Ġa\":2,\"aĠ\":3},"      \
    "\"merges\":[\"a Ġ\",\"Ġ a\"]}}"
#define PAIRS                                                                            \
    "{\"model\":{\"type\":\"BPE\",\"merges\":[],\"vocab\":{\"a\":0,\"b\":1,\"ab\":2,"    \
    "\"##a\":3,\"a</w>\":4,\"<0x63>\":5}"
#define PARTS                                                                            \
    "{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"[UNK]\":0,\"a\":1,\"##a\":2,\"+"    \
    "a\":3,"                                                                             \
    "\"u\":4}"
#define ADDED "{\"added_tokens\":[{\"id\":99,\"content\":"
#define BERT "{\"normalizer\":{\"type\":\"BertNormalizer\""
#define PRE(type) "{\"pre_tokenizer\":{\"type\":\"" type "\""
#define LOWER "}],\"normalizer\":{\"type\":\"Lowercase\"}," WORDS "}}"
#define TEN(x) x x x x x x x x x x

/* The IDs of a text, with a blank behind each, or why there are none. */
static void write_ids(Bench *bench, const char *json, const char *text,
                      char out[LINE_SIZE]) {
    arena_reset(bench->arena);
    if (!read_json(bench, json, strlen(json)))
        fail_msg("%s: %s", json, bench->error.message);
    if (!cut(bench, text, strlen(text))) {
        snprintf(out, LINE_SIZE, "%s", bench->error.message);
        return;
    }
    *out = 0;
    for (size_t i = 0, end = 0; i < bench->pieces.count; i++)
        end += (size_t)snprintf(out + end, LINE_SIZE - end, "%zu ",
                                bench->pieces.items[i].id);
}

/* A key that is left out counts as its default, and another value changes the IDs.
 * Source of the defaults: huggingface/tokenizers 0.21, tokenizers/src; of `normalized`,
 * AddedToken::from(content, special). */
static void test_a_key_that_is_left_out_has_its_default(void **state) {
    static const struct {
        const char *before, *key, *usual, *other, *behind, *text;
    } rows[] = {
        {ADDED "\"B\"", "normalized", "true", "false", LOWER, "xb"},
        {ADDED "\"B\",\"special\":false", "normalized", "true", "false", LOWER, "xb"},
        {ADDED "\"B\",\"special\":true", "normalized", "false", "true", LOWER, "xb"},
        {ADDED "\"B\"", "special", "false", "true", LOWER, "xb"},
        {ADDED "\"y\"", "single_word", "false", "true", "}]," WORDS "}}", "xy"},
        {ADDED "\"y\"", "lstrip", "false", "true", "}]," WORDS "}}", "x y"},
        {ADDED "\"y\"", "rstrip", "false", "true", "}]," WORDS "}}", "y x"},
        {BERT, "clean_text", "true", "false", "}," WORDS "}}", "a\tb"},
        {BERT, "handle_chinese_chars", "true", "false", "}," WORDS "}}", "我"},
        {BERT, "lowercase", "true", "false", "}," WORDS "}}", "A"},
        {BERT, "strip_accents", "true", "false", "}," WORDS "}}", "á"},
        {BERT ",\"lowercase\":true", "strip_accents", "true", "false", "}," WORDS "}}",
         "á"},
        {BERT ",\"lowercase\":false", "strip_accents", "false", "true", "}," WORDS "}}",
         "á"},
        {PRE("Digits"), "individual_digits", "false", "true", "}," WORDS "}}", "12"},
        {PRE("Punctuation"), "behavior", "\"Isolated\"", "\"Removed\"", "}," WORDS "}}",
         "a!"},
        {PRE("Split") ",\"behavior\":\"Removed\",\"pattern\":{\"String\":\"b\"}",
         "invert", "false", "true", "}," WORDS "}}", "ab"},
        {PRE("ByteLevel"), "add_prefix_space", "true", "false", "}," BYTES, "a"},
        {PRE("ByteLevel"), "use_regex", "true", "false", "}," BYTES, "a a"},
        {PRE("Metaspace"), "replacement", "\"▁\"", "\"_\"", "}," WORDS "}}", "a"},
        {PRE("Metaspace"), "add_prefix_space", "true", "false", "}," WORDS "}}", "a"},
        {PRE("Metaspace"), "prepend_scheme", "\"always\"", "\"never\"", "}," WORDS "}}",
         "a"},
        {PRE("Metaspace") ",\"add_prefix_space\":false", "prepend_scheme", "\"never\"",
         "\"always\"", "}," WORDS "}}", "a"},
        {PRE("Metaspace"), "split", "true", "false", "}," WORDS "}}", "a a"},
        {PAIRS, "unk_token", "null", "\"b\"", "}}", "c"},
        {PAIRS ",\"unk_token\":\"b\"", "fuse_unk", "false", "true", "}}", "dd"},
        {PAIRS ",\"unk_token\":\"b\"", "byte_fallback", "false", "true", "}}", "c"},
        {PAIRS, "ignore_merges", "false", "true", "}}", "ab"},
        {PAIRS, "continuing_subword_prefix", "\"\"", "\"##\"", "}}", "aa"},
        {PAIRS, "end_of_word_suffix", "\"\"", "\"</w>\"", "}}", "a"},
        {PARTS, "unk_token", "\"[UNK]\"", "\"u\"", "}}", "b"},
        {PARTS, "continuing_subword_prefix", "\"##\"", "\"+\"", "}}", "aa"},
        {PARTS, "max_input_chars_per_word", "100", "99", "}}", TEN(TEN("a"))},
        {PARTS, "max_input_chars_per_word", "100", "101", "}}", TEN(TEN("a")) "a"},
        {"{" WORDS, "unk_token", "\"<unk>\"", "\"u\"", "}}", "y"},
    };
    static char file[FILE_SIZE], ids[3][LINE_SIZE];
    Bench bench = bench_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *values[] = {NULL, rows[i].usual, rows[i].other};
        for (size_t j = 0; j < 3; j++) {
            if (j)
                snprintf(file, FILE_SIZE, "%s,\"%s\":%s%s", rows[i].before, rows[i].key,
                         values[j], rows[i].behind);
            else
                snprintf(file, FILE_SIZE, "%s%s", rows[i].before, rows[i].behind);
            write_ids(&bench, file, rows[i].text, ids[j]);
        }
        if (strcmp(ids[0], ids[1]) != 0 || strcmp(ids[0], ids[2]) == 0)
            fail_msg("row %zu, %s: left out '%s', %s '%s', %s '%s'", i, rows[i].key,
                     ids[0], rows[i].usual, ids[1], rows[i].other, ids[2]);
    }
    bench_close(&bench);
}

/* ---- what is refused ---- */

#define MODEL "\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}}}"
#define BPE(more) "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1}," more "}}"
#define SPLIT(pattern)                                                                   \
    "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"" pattern           \
    "\"}}," MODEL

static void test_what_is_not_read_is_told_of_by_its_key(void **state) {
    static const struct {
        const char *json;
        ErrorCode code;
        const char *sentence;
    } rows[] = {
        {"", ERROR_SYNTAX, "t.json: it can't be read at line 1, column 0"},
        {"\xFF", ERROR_ENCODING, "t.json: it is not UTF-8 at byte 1"},
        {"[]", ERROR_SYNTAX, "must be an object"},
        {"{\"words\":1}", ERROR_NAME, "t.json: 'words' is a key that is not known"},
        {"{}", ERROR_NAME, "'model.type' is ''"},
        {"{\"model\":{\"type\":\"Unigram\"}}", ERROR_NAME,
         "t.json: 'model.type' is 'Unigram', which is not read here; BPE, WordPiece and "
         "WordLevel are"},
        {"{\"model\":{\"type\":\"BPE\"}}", ERROR_VALUE,
         "'model.vocab' must be an object"},
        {BPE("\"merges\":7"), ERROR_VALUE, "'model.merges' must be a list"},
        {BPE("\"merges\":[\"a\"]"), ERROR_VALUE, "'model.merges[0]' must be two tokens"},
        {BPE("\"merges\":[\"a b\"]"), ERROR_NAME,
         "'model.merges[0]' needs 'ab', which model.vocab has not"},
        {BPE("\"merges\":[],\"dropout\":0.1"), ERROR_VALUE,
         "'model.dropout' is not read here; leave it out, or write null"},
        {BPE("\"merges\":[],\"fuse_unk\":3"), ERROR_VALUE,
         "'model.fuse_unk' must be true or false"},
        {"{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":\"b\"}}}", ERROR_VALUE,
         "'model.vocab.a' must be an ID"},
        {"{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0,\"b\":0}}}", ERROR_NAME,
         "'model.vocab' can't be: ID 0 is 'a' already"},
        {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{},\"max_input_chars_per_word\":"
         "1001}}",
         ERROR_VALUE, "must be a whole number from 0 to 1000"},
        {"{\"normalizer\":{\"type\":\"Nmt\"}," MODEL, ERROR_NAME,
         "'normalizer.type' is 'Nmt', which is not read here"},
        {"{\"normalizer\":{\"type\":\"NFC\",\"form\":1}," MODEL, ERROR_NAME,
         "'normalizer.form' is a key that is not known there"},
        {"{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"},{}]}"
         "," MODEL,
         ERROR_NAME, "'normalizer.normalizers[1]' is ''"},
        {SPLIT("(a|b"), ERROR_VALUE,
         "'pre_tokenizer.pattern' can't be read at byte 5: a ) is missing"},
        {"{\"added_tokens\":[{\"id\":1}]," MODEL, ERROR_VALUE,
         "'added_tokens[0]' must have an id and a content"},
        {"{\"added_tokens\":[{\"id\":1,\"content\":\"a\"}]," MODEL, ERROR_NAME,
         "'a' is in the vocabulary already, with ID 1"},
        {"{\"post_processor\":{\"type\":\"Other\"}," MODEL, ERROR_NAME,
         "'post_processor.type' is 'Other'"},
        {"{\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"b\",1],\"sep\":"
         "[\"a\",0]}," MODEL,
         ERROR_NAME, "'post_processor' puts 'b' round a text, which is no token"},
        {"{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{"
         "\"SpecialToken\":{\"id\":\"a\"}},{\"SpecialToken\":{\"id\":\"a\"}}]}," MODEL,
         ERROR_VALUE, "'post_processor.single[1]' is not read here"},
        {"{\"pre_tokenizer\":{\"type\":\"ByteLevel\"}," MODEL, ERROR_VALUE,
         "'model.type' is not read here behind ByteLevel; BPE is"},
    };
    Bench bench = bench_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(read_json(&bench, rows[i].json, strlen(rows[i].json)));
        if (bench.error.code != rows[i].code ||
            !strstr(bench.error.message, rows[i].sentence))
            fail_msg("%s: code %d, %s", rows[i].json, (int)bench.error.code,
                     bench.error.message);
        arena_reset(bench.arena);
    }
    bench_close(&bench);
}

/* Writes a file with `count` parts and their ends, "%" in a part being its number. */
static char *repeated(const char *before, const char *part, const char *between,
                      const char *end, const char *behind, size_t count) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    fputs(before, stream);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? between : "", stream);
        for (const char *c = part; *c; c++) {
            if (*c == '%')
                fprintf(stream, "%zu", i + 1);
            else
                fputc(*c, stream);
        }
    }
    for (size_t i = 0; i < count; i++)
        fputs(end, stream);
    fputs(behind, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* So many are read, and one more is refused. */
static void test_parts_are_read_up_to_their_limits(void **state) {
    static const struct {
        const char *before, *part, *between, *end, *behind;
        size_t most;
        const char *sentence;
    } rows[] = {
        {"{\"added_tokens\":[", "{\"id\":%,\"content\":\"t%\"}", ",", "", "]," MODEL,
         VOCABULARY_SPECIALS_MAX,
         "'added_tokens' has 10001 tokens; at most 10000 are read"},
        {"{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[", "{\"type\":\"NFC\"}",
         ",", "", "]}," MODEL, 100,
         "'normalizer.normalizers[100]' is one step too many; at most 100"},
        {"{\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[",
         "{\"type\":\"WhitespaceSplit\"}", ",", "", "]}," MODEL, 100,
         "'pre_tokenizer.pretokenizers[100]' is one step too many; at most 100"},
        {"{\"normalizer\":", "{\"type\":\"Sequence\",\"normalizers\":[", "", "]}",
         "," MODEL, 8, "is a Sequence too deep; 8 are read"},
        {"{\"pre_tokenizer\":", "{\"type\":\"Sequence\",\"pretokenizers\":[", "", "]}",
         "," MODEL, 8, "is a Sequence too deep; 8 are read"},
    };
    Bench bench = bench_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t more = 0; more < 2; more++) {
            char *text = repeated(rows[i].before, rows[i].part, rows[i].between,
                                  rows[i].end, rows[i].behind, rows[i].most + more);
            arena_reset(bench.arena);
            bool good = read_json(&bench, text, strlen(text));
            if (good == more ||
                (more && (bench.error.code != ERROR_LIMIT ||
                          !strstr(bench.error.message, rows[i].sentence))))
                fail_msg("row %zu, %zu: %s", i, rows[i].most + more, bench.error.message);
            free(text);
        }
    }
    bench_close(&bench);
}

static void test_numbers_are_read_up_to_their_limits(void **state) {
    static const struct {
        const char *before, *behind;
        size_t most;
        const char *sentence;
    } rows[] = {
        {"{\"added_tokens\":[{\"content\":\"t\",\"id\":", "}]," MODEL, VOCABULARY_ID_MAX,
         "must be a whole number from 0 to 1000000000"},
        {PARTS ",\"max_input_chars_per_word\":", "}}", 1000,
         "must be a whole number from 0 to 1000"},
    };
    Bench bench = bench_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t more = 0; more < 2; more++) {
            char text[LINE_SIZE];
            snprintf(text, sizeof text, "%s%zu%s", rows[i].before, rows[i].most + more,
                     rows[i].behind);
            arena_reset(bench.arena);
            bool good = read_json(&bench, text, strlen(text));
            if (good == more ||
                (more && (bench.error.code != ERROR_VALUE ||
                          !strstr(bench.error.message, rows[i].sentence))))
                fail_msg("%s: %s", text, bench.error.message);
        }
    }
    bench_close(&bench);
}

/* Blanks are no tokenizer, whether they are looked into or are too many. */
static void test_a_file_is_read_up_to_its_limit(void **state) {
    Bench bench = bench_new();
    char *large = malloc(TOKENIZER_FILE_MAX + 1);
    assert_non_null(large);
    memset(large, ' ', TOKENIZER_FILE_MAX + 1);
    assert_false(read_json(&bench, large, TOKENIZER_FILE_MAX));
    assert_int_not_equal(bench.error.code, ERROR_LIMIT);
    assert_false(read_json(&bench, large, TOKENIZER_FILE_MAX + 1));
    assert_int_equal(bench.error.code, ERROR_LIMIT);
    assert_contains(bench.error.message,
                    "t.json: it has 33554433 bytes; at most 33554432 are read");
    free(large);
    bench_close(&bench);
}

/* ---- in a lesson ---- */

/* The labels of a lesson's row of IDs, with blanks between them. */
static void write_labels(const Lesson *lesson, char out[200]) {
    const Tensor *ids = &tape_node(lesson->tape, lesson->steps[0].result)->output;
    *out = 0;
    for (size_t i = 0; i < ids->cols; i++)
        snprintf(out + strlen(out), 200 - strlen(out), "%s%s", i ? " " : "",
                 ids->col_labels[i]);
}

static void check_lesson(const char *vocabulary, const char *given, const char *wanted) {
    static ErrorList errors;
    char file[4096], text[1000], labels[200];
    snprintf(file, sizeof file, "%s/tests/reference/lesson.yaml",
             getenv("GLASSFORMER_SOURCE"));
    snprintf(text, sizeof text,
             "title: T\nvocabularies:\n  V: {%s}\ngiven:\n  ids: {text: the played, "
             "vocabulary: V%s}\nsteps:\n  - show: ids\n",
             vocabulary, given);
    memset(&errors, 0, sizeof errors);
    Lesson *lesson = lesson_parse(file, text, strlen(text), NULL, &errors);
    if (lesson)
        write_labels(lesson, labels);
    const char *found = lesson ? labels : errors.items[0].message;
    if (!strstr(found, wanted))
        fail_msg("%s: %s, not %s", vocabulary, found, wanted);
    lesson_destroy(lesson);
}

static void test_a_lesson_takes_the_file(void **state) {
    check_lesson("file: tokenizer_json/bert.json", "", "[CLS] the play ##ed [SEP]");
    check_lesson("file: tokenizer_json/bert.json, frame: false", "", "the play ##ed");
    check_lesson("file: tokenizer_json/bert.json", ", end: '[MASK]'",
                 "[CLS] the play ##ed [MASK]");
    check_lesson("file: tokenizer_json/bert.json, lower_case: true", "",
                 "'file:' defines the whole vocabulary; leave out 'lower_case:'");
    check_lesson("file: tokenizer_json/none.json", "", "the tokenizer in '");
    check_lesson("file: tokenizer_json.py", "",
                 "tokenizer_json.py: it can't be read at line 1");
}

/* ---- damage ---- */

static size_t damage(Random *random, char *bytes, size_t length) {
    static const char *const pieces[] = {
        "[",     "]",        "{",        "}",
        "\"",    "null",     "-1",       "99999999999999999999",
        "1e300", "true",     "\\u0000",  "\\ud800",
        "(?",    "+",        "{1,1000}", ",",
        ":",     "\xF0\x9F", "\\\\p{L}"};
    size_t at = random_below(random, length), count = 1 + random_below(random, 40);
    const char *piece = pieces[random_below(random, sizeof pieces / sizeof *pieces)];
    switch (random_below(random, 4)) {
    case 0:
        bytes[at] ^= (char)(1 << random_below(random, 8));
        return length;
    case 1:
        return at;
    case 2:
        count = count < length - at ? count : length - at;
        memmove(bytes + at, bytes + at + count, length - at - count);
        return length - count;
    default:
        memmove(bytes + at + strlen(piece), bytes + at, length - at);
        memcpy(bytes + at, piece, strlen(piece));
        return length + strlen(piece);
    }
}

static void test_damaged_files_break_nothing(void **state) {
    static const char *const names[] = {"gpt2", "llama3", "llama2", "metaspace",
                                        "clip", "bert",   "words"};
    static const char text[] = "The cat's 12 dogs\n played, \xE6\x97\xA5 <|eot_id|> zoo!";
    static char bytes[2 * FILE_SIZE];
    size_t read = 0, refused = 0;
    Bench bench = bench_new();
    for (size_t i = 0; i < 2000; i++) {
        Random random;
        random_init(&random, i);
        size_t length = load(names[i % 7], bytes);
        for (size_t k = 0; k <= i % 2 && length; k++)
            length = damage(&random, bytes, length);
        arena_reset(bench.arena);
        bool good = read_json(&bench, bytes, length);
        bool made = good && cut(&bench, text, sizeof text - 1);
        if (!made && (bench.error.code == ERROR_NONE || !*bench.error.message ||
                      utf8_check(bench.error.message, strlen(bench.error.message)) <
                          strlen(bench.error.message)))
            fail_msg("copy %zu of %s gives no sentence", i, names[i % 7]);
        *(good ? &read : &refused) += 1;
    }
    print_message("# %zu read, %zu refused\n", read, refused);
    assert_true(read > 50 && refused > 500);
    bench_close(&bench);
}

/* A lack of memory is reported, wherever it occurs. */
static void test_little_memory_is_told_of(void **state) {
    static char bytes[FILE_SIZE];
    size_t length = load("clip", bytes);
    for (size_t room = 1000; room < 1 << 20; room += room / 3) {
        Bench bench = {.arena = arena_create(room), .scratch = arena_create(room)};
        bool good = read_json(&bench, bytes, length) &&
                    cut(&bench, "the small zoo is a café", 24);
        if (!good)
            assert_int_equal(bench.error.code, ERROR_MEMORY);
        assert_true(good || room < 1 << 19);
        bench_close(&bench);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_get_the_published_ids),
        cmocka_unit_test(test_pieces_know_their_bytes),
        cmocka_unit_test(test_a_key_that_is_left_out_has_its_default),
        cmocka_unit_test(test_what_is_not_read_is_told_of_by_its_key),
        cmocka_unit_test(test_parts_are_read_up_to_their_limits),
        cmocka_unit_test(test_numbers_are_read_up_to_their_limits),
        cmocka_unit_test(test_a_file_is_read_up_to_its_limit),
        cmocka_unit_test(test_a_lesson_takes_the_file),
        cmocka_unit_test(test_damaged_files_break_nothing),
        cmocka_unit_test(test_little_memory_is_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

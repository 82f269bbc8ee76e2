#include "text/file/file_parts.h"

#include "base/strings/utf8.h"

#include <string.h>
#include <utf8proc.h>

/* Kinds of normalizers and pre-tokenizers, each translated to a few steps. */

static const char GPT2_WORDS[] = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|"
                                 " ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
static const char PUNCTUATION[] = "[\\p{P}!-\\/:-@\\[-`\\{-~]";
/* BERT's ranges of Chinese characters. */
static const char CHINESE[] =
    "[\\x{4E00}-\\x{9FFF}\\x{3400}-\\x{4DBF}\\x{20000}-\\x{2A6DF}\\x{2A700}-\\x{2B73F}"
    "\\x{2B740}-\\x{2B81F}\\x{2B820}-\\x{2CEAF}\\x{F900}-\\x{FAFF}\\x{2F800}-\\x{2FA1F}]";

static bool add(Steps *steps, JsonNode node, Step step) {
    if (steps->count == STEPS_MAX)
        return json_node_fail(node, ERROR_LIMIT,
                              "is one step too many; at most %d are read", STEPS_MAX);
    steps->items[steps->count++] = step;
    return true;
}

/* A built-in pattern. */
static const Pattern *own(JsonNode node, const char *text) {
    char problem[100];
    return pattern_make(node.file->arena, text, problem);
}

static bool add_replace(Steps *steps, JsonNode node, const char *pattern,
                        const char *content) {
    return add(
        steps, node,
        (Step){.kind = STEP_REPLACE, .pattern = own(node, pattern), .content = content});
}

static bool add_split(Steps *steps, JsonNode node, const char *pattern,
                      SplitBehavior behavior) {
    return add(
        steps, node,
        (Step){.kind = STEP_SPLIT, .pattern = own(node, pattern), .behavior = behavior});
}

/* {String: " "} or {Regex: "\\s+"} */
static bool read_pattern(JsonNode node, const Pattern **pattern) {
    JsonNode at = json_node_at(node, "pattern");
    const char *literal = NULL, *regex = NULL;
    char problem[100];
    if (!json_node_keys(at, "String Regex") || !json_node_text(at, "String", &literal) ||
        !json_node_text(at, "Regex", &regex))
        return false;
    if (!literal == !regex)
        return json_node_fail(at, ERROR_VALUE, "must have a String or a Regex");
    *pattern = regex ? pattern_make(node.file->arena, regex, problem)
                     : pattern_literal(node.file->arena, literal);
    return *pattern ||
           json_node_fail(at, ERROR_VALUE, "%s", regex ? problem : "is too long");
}

/* ---- normalizers ---- */

static bool read_lower(Steps *steps, JsonNode node) {
    return add(steps, node, (Step){.kind = STEP_LOWER});
}

/* NFC, NFD, NFKC, NFKD */
static bool read_form(Steps *steps, JsonNode node) {
    const char *type = json_string_value(json_object_get(node.value, "type"));
    int form = (strchr(type, 'C') ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) |
               (strchr(type, 'K') ? UTF8PROC_COMPAT : 0) |
               UTF8PROC_STABLE; /* keeps composition exclusions */
    return add(steps, node, (Step){.kind = STEP_NORMALIZE, .form = form});
}

static bool read_strip_accents(Steps *steps, JsonNode node) {
    return add_replace(steps, node, "\\p{M}", "");
}

static bool read_bert(Steps *steps, JsonNode node) {
    bool clean = true, chinese = true, lower = true;
    if (!json_node_switch(node, "clean_text", &clean) ||
        !json_node_switch(node, "handle_chinese_chars", &chinese) ||
        !json_node_switch(node, "lowercase", &lower))
        return false;
    bool accents = lower;
    if (!json_node_switch(node, "strip_accents", &accents))
        return false;
    const Step form = {.kind = STEP_NORMALIZE, .form = UTF8PROC_DECOMPOSE};
    const Step space = {.kind = STEP_REPLACE,
                        .pattern = own(node, CHINESE),
                        .content = " ",
                        .around = true};
    return (!clean || (add_replace(steps, node, "[^\\P{C}\\t\\n\\r]|\\x{FFFD}", "") &&
                       add_replace(steps, node, "\\s", " "))) &&
           (!chinese || add(steps, node, space)) &&
           (!accents ||
            (add(steps, node, form) && add_replace(steps, node, "\\p{Mn}", ""))) &&
           (!lower || add(steps, node, (Step){.kind = STEP_LOWER}));
}

static bool read_prepend(Steps *steps, JsonNode node) {
    Step step = {.kind = STEP_PREFIX, .content = "", .always = true};
    return json_node_text(node, "prepend", &step.content) &&
           (!*step.content || add(steps, node, step));
}

static bool read_replace(Steps *steps, JsonNode node) {
    Step step = {.kind = STEP_REPLACE, .content = ""};
    return read_pattern(node, &step.pattern) &&
           json_node_text(node, "content", &step.content) && add(steps, node, step);
}

/* ---- pre-tokenizers ---- */

static bool read_bert_words(Steps *steps, JsonNode node) {
    return add_split(steps, node, "\\s", SPLIT_REMOVED) &&
           add_split(steps, node, PUNCTUATION, SPLIT_ISOLATED);
}

static bool read_whitespace(Steps *steps, JsonNode node) {
    return add(steps, node,
               (Step){.kind = STEP_SPLIT,
                      .pattern = own(node, "\\w+|[^\\w\\s]+"),
                      .invert = true,
                      .behavior = SPLIT_REMOVED});
}

static bool read_whitespace_split(Steps *steps, JsonNode node) {
    return add_split(steps, node, "\\s", SPLIT_REMOVED);
}

static bool read_behavior(JsonNode node, SplitBehavior *behavior) {
    static const char *const names[] = {[SPLIT_ISOLATED] = "Isolated",
                                        [SPLIT_REMOVED] = "Removed",
                                        [SPLIT_MERGED_WITH_PREVIOUS] =
                                            "MergedWithPrevious",
                                        [SPLIT_MERGED_WITH_NEXT] = "MergedWithNext",
                                        [SPLIT_CONTIGUOUS] = "Contiguous"};
    const char *word = "Isolated";
    if (!json_node_text(node, "behavior", &word))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], word) == 0) {
            *behavior = (SplitBehavior)i;
            return true;
        }
    }
    return json_node_fail(json_node_at(node, "behavior"), ERROR_NAME,
                          "is not known; it must be Isolated, Removed, "
                          "MergedWithPrevious, MergedWithNext or Contiguous");
}

static bool read_punctuation(Steps *steps, JsonNode node) {
    Step step = {.kind = STEP_SPLIT, .pattern = own(node, PUNCTUATION)};
    return read_behavior(node, &step.behavior) && add(steps, node, step);
}

static bool read_digits(Steps *steps, JsonNode node) {
    bool single = false;
    return json_node_switch(node, "individual_digits", &single) &&
           add_split(steps, node, "\\p{N}", single ? SPLIT_ISOLATED : SPLIT_CONTIGUOUS);
}

static bool read_split(Steps *steps, JsonNode node) {
    Step step = {.kind = STEP_SPLIT};
    return read_pattern(node, &step.pattern) && read_behavior(node, &step.behavior) &&
           json_node_switch(node, "invert", &step.invert) && add(steps, node, step);
}

static bool read_bytes(Steps *steps, JsonNode node) {
    bool blank = true, cut = true;
    const Step prefix = {.kind = STEP_PREFIX, .content = " "};
    if (!json_node_switch(node, "add_prefix_space", &blank) ||
        !json_node_switch(node, "use_regex", &cut))
        return false;
    steps->bytes = true;
    return (!blank || add(steps, node, prefix)) &&
           (!cut || add_split(steps, node, GPT2_WORDS, SPLIT_ISOLATED)) &&
           add(steps, node, (Step){.kind = STEP_BYTES});
}

/* Reads the sign for a blank, and whether it is also put before a text's first word. */
static bool read_metaspace(Steps *steps, JsonNode node) {
    const char *sign = "▁", *scheme = "always";
    bool blank = true, cut = true;
    if (!json_node_text(node, "replacement", &sign) ||
        !json_node_switch(node, "add_prefix_space", &blank))
        return false;
    scheme = blank ? scheme : "never";
    if (!json_node_text(node, "prepend_scheme", &scheme) ||
        !json_node_switch(node, "split", &cut))
        return false;
    bool first = strcmp(scheme, "first") == 0, never = strcmp(scheme, "never") == 0;
    if (!first && !never && strcmp(scheme, "always") != 0)
        return json_node_fail(json_node_at(node, "prepend_scheme"), ERROR_NAME,
                              "must be always, first or never");
    const Step prefix = {.kind = STEP_PREFIX, .content = sign, .first_only = first};
    const Step parts = {.kind = STEP_SPLIT,
                        .pattern = pattern_literal(node.file->arena, sign),
                        .behavior = SPLIT_MERGED_WITH_NEXT};
    return add_replace(steps, node, " ", sign) && (never || add(steps, node, prefix)) &&
           (!cut || add(steps, node, parts));
}

/* ---- the tables ---- */

typedef struct StepRow {
    const char *type, *keys;
    bool (*read)(Steps *steps, JsonNode node);
} StepRow;

static const StepRow NORMALIZERS[] = {
    {"BertNormalizer", "type clean_text handle_chinese_chars strip_accents lowercase",
     read_bert},
    {"Lowercase", "type", read_lower},
    {"NFC", "type", read_form},
    {"NFD", "type", read_form},
    {"NFKC", "type", read_form},
    {"NFKD", "type", read_form},
    {"StripAccents", "type", read_strip_accents},
    {"Prepend", "type prepend", read_prepend},
    {"Replace", "type pattern content", read_replace},
    {NULL, NULL, NULL},
};

static const StepRow PRE_TOKENIZERS[] = {
    {"ByteLevel", "type add_prefix_space trim_offsets use_regex", read_bytes},
    {"BertPreTokenizer", "type", read_bert_words},
    {"Whitespace", "type", read_whitespace},
    {"WhitespaceSplit", "type", read_whitespace_split},
    {"Punctuation", "type behavior", read_punctuation},
    {"Digits", "type individual_digits", read_digits},
    {"Metaspace", "type replacement add_prefix_space prepend_scheme split str_rep",
     read_metaspace},
    {"Split", "type pattern behavior invert", read_split},
    {NULL, NULL, NULL},
};

static bool unknown_type(JsonNode node, const StepRow *rows, const char *type) {
    char quoted[UTF8_SHORT_SIZE];
    const char *known = "Sequence";
    for (; rows->type; rows++)
        known = arena_format(node.file->arena, "%s, %s", known, rows->type);
    return json_node_fail(node, ERROR_NAME,
                          "is '%s', which is not read here; these are: %s",
                          utf8_shorten(quoted, type, strlen(type)), known);
}

/* The parts of a Sequence are under the key `list`. */
static bool read(Steps *steps, JsonNode node, const StepRow *rows, const char *list,
                 size_t depth) {
    const char *type = "";
    if (!node.value)
        return true;
    if (!json_node_text(node, "type", &type))
        return false;
    if (strcmp(type, "Sequence") == 0) {
        JsonNode items = json_node_at(node, list);
        if (depth == STEPS_DEPTH_MAX)
            return json_node_fail(node, ERROR_LIMIT,
                                  "is a Sequence too deep; %d are read", STEPS_DEPTH_MAX);
        for (size_t i = 0; i < json_array_size(items.value); i++) {
            if (!read(steps, json_node_item(items, i), rows, list, depth + 1))
                return false;
        }
        return json_is_array(items.value) ||
               json_node_fail(items, ERROR_VALUE, "must be a list");
    }
    for (const StepRow *row = rows; row->type; row++) {
        if (strcmp(row->type, type) == 0)
            return json_node_keys(node, row->keys) && row->read(steps, node);
    }
    return unknown_type(*type ? json_node_at(node, "type") : node, rows, type);
}

bool steps_read_normalizer(Steps *steps, JsonNode node) {
    return read(steps, node, NORMALIZERS, "normalizers", 0);
}

bool steps_read_pre_tokenizer(Steps *steps, JsonNode node) {
    return read(steps, node, PRE_TOKENIZERS, "pretokenizers", 0);
}

#include "lesson/schema/schema.h"

#include "base/strings/utf8.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { WORDS_MOST = 32 };
/* The largest whole number that both a double and a size_t represent exactly. */
static const double WHOLE_MOST = SIZE_MAX >> 26 >> 27 ? 0x1p53 : (double)SIZE_MAX;

/* The mapping being read. */
typedef struct Filling {
    const Schema *schema;
    const YamlNode *node;
    const char *what;
    unsigned char *out;
    Arena *arena;
    ErrorList *errors;
} Filling;

/* ---- descriptions of values ---- */

static const char *const phrases[SCHEMA_KIND_COUNT] = {
    [SCHEMA_TEXT] = "a text or {en: …, zh: …}",
    [SCHEMA_STRING] = "a text",
    [SCHEMA_SWITCH] = "true or false",
    [SCHEMA_WHOLE] = "a whole number",
    [SCHEMA_NUMBER] = "a number",
    [SCHEMA_PAIR] = "two whole numbers",
    [SCHEMA_STRINGS] = "a list of texts",
    [SCHEMA_TEXTS] = "a list of texts, each also as {en: …, zh: …}",
    [SCHEMA_MAPPING] = "a mapping",
    [SCHEMA_LIST] = "a list",
    [SCHEMA_NAMED] = "a mapping from names to values",
    [SCHEMA_NAME] = "a name",
    [SCHEMA_STATEMENT] = "a text",
    [SCHEMA_NAMES] = "a name or a list of names",
    [SCHEMA_RENAMED] = "a mapping from new names to names",
    [SCHEMA_OTHERS] = "a mapping from new names to texts",
    [SCHEMA_CELL] = "a name, a row and a column",
    [SCHEMA_NUMBERS] = "numbers: 2, [1, 2] or [[1, 2], [3, 4]]",
    [SCHEMA_PRINTED] = "numbers, with _ where nothing is printed",
    [SCHEMA_WORDS] = "a text, or a list of tokens or IDs",
    [SCHEMA_TOKENS] = "a list of tokens, or a mapping from tokens to IDs",
    [SCHEMA_VOCABULARY] = "a list of tokens, their number, or the name of a vocabulary",
    [SCHEMA_PAIRS] = "a list of pairs, each a source and its target",
    [SCHEMA_WORDS_LIST] = "a list of texts",
};

static void add(char out[SCHEMA_PHRASE_SIZE], const char *text) {
    size_t length = strlen(out);
    snprintf(out + length, SCHEMA_PHRASE_SIZE - length, "%s", text);
}

static void add_words(const SchemaRow *row, char out[SCHEMA_PHRASE_SIZE]) {
    for (size_t i = 0; row->word(i); i++) {
        add(out, i ? ", " : "");
        add(out, row->word(i));
    }
}

static void add_limits(const SchemaRow *row, char out[SCHEMA_PHRASE_SIZE]) {
    char limits[80];
    if (row->most == 0) {
        add(out, row->kind == SCHEMA_WHOLE ? ", 0 or more" : "");
        return;
    }
    if (row->most < SCHEMA_MOST)
        snprintf(limits, sizeof limits, " %s %.17g %s %.17g",
                 row->above ? "above" : "from", row->least,
                 row->above ? "and at most" : "to", row->most);
    else
        snprintf(limits, sizeof limits, row->above ? " above %g" : ", %g or more",
                 row->least);
    add(out, limits);
}

const char *schema_phrase(const SchemaRow *row, char out[SCHEMA_PHRASE_SIZE]) {
    out[0] = 0;
    if (row->kind == SCHEMA_CHOICE) {
        add(out, "one of: ");
        add_words(row, out);
        return out;
    }
    add(out, phrases[row->kind]);
    if (row->kind == SCHEMA_WHOLE || row->kind == SCHEMA_NUMBER ||
        row->kind == SCHEMA_PAIR)
        add_limits(row, out);
    if (row->word) {
        add(out, ", or ");
        add_words(row, out);
    }
    return out;
}

/* ---- errors ---- */

static bool refuse_kind(const Filling *this, const SchemaRow *row, const char *what,
                        const YamlNode *node) {
    char phrase[SCHEMA_PHRASE_SIZE], wanted[2 * SCHEMA_PHRASE_SIZE];
    snprintf(wanted, sizeof wanted, "%s%s%s", schema_phrase(row, phrase),
             row->example ? ", as in " : "", row->example ? row->example : "");
    return field_refuse(node, what, wanted, this->errors);
}

static bool refuse_value(const Filling *this, const SchemaRow *row,
                         const YamlNode *node) {
    char phrase[SCHEMA_PHRASE_SIZE], quoted[UTF8_SHORT_SIZE];
    const char *words[WORDS_MOST], *nearest = NULL;
    size_t count = 0;
    while (row->word && count < WORDS_MOST && (words[count] = row->word(count)))
        count++;
    if (count)
        nearest = error_nearest(node->text, words, count);
    return yaml_error(this->errors, ERROR_VALUE, node, "%s is '%s', but must be %s%s%s%s",
                      row->key, field_short(quoted, node), schema_phrase(row, phrase),
                      nearest ? "; did you mean '" : "", nearest ? nearest : "",
                      nearest ? "'?" : "");
}

/* Refuses a key without a blank behind its colon: YAML reads "seed:1" as one word, also
 * with a no-break blank. */
static bool refuse_key_beginning(const Filling *this, const YamlNode *key) {
    const char *text = key->text;
    static const char *const blanks[] = {"\xC2\xA0", "\xE3\x80\x80"};
    for (size_t i = 0; i < 2; i++) {
        if (strncmp(text, blanks[i], strlen(blanks[i])) == 0)
            return yaml_error(this->errors, ERROR_NAME, key,
                              "a no-break or full-width blank stands here; indent with "
                              "plain blanks");
    }
    for (size_t i = 0; i < this->schema->count; i++) {
        const char *known = this->schema->rows[i].key;
        size_t length = strlen(known);
        if (strncmp(text, known, length) == 0 &&
            (text[length] == ':' || strncmp(text + length, "\xEF\xBC\x9A", 3) == 0))
            return yaml_error(this->errors, ERROR_NAME, key,
                              "behind a key stand a plain colon and a blank; write "
                              "'%s: '",
                              known);
    }
    return true;
}

static bool refuse_key(const Filling *this, const YamlNode *key) {
    const Schema *schema = this->schema;
    if (!refuse_key_beginning(this, key))
        return false;
    const char **known = arena_alloc(this->arena, schema->count, sizeof *known);
    char name[UTF8_SHORT_SIZE], all[SCHEMA_PHRASE_SIZE] = "";
    for (size_t i = 0; known && i < schema->count; i++) {
        known[i] = schema->rows[i].key;
        add(all, i ? ", " : "");
        add(all, known[i]);
    }
    if (schema->stray && strcmp(key->text, schema->stray) == 0)
        return yaml_error(this->errors, ERROR_NAME, key, "'%s' can't stand in %s: %s",
                          schema->stray, this->what, schema->elsewhere);
    const char *nearest = known ? error_nearest(key->text, known, schema->count) : NULL;
    return yaml_error(this->errors, ERROR_NAME, key, "unknown key '%s' in %s; %s%s%s",
                      field_short(name, key), this->what,
                      nearest ? "did you mean '" : "known are ", nearest ? nearest : all,
                      nearest ? "'?" : "");
}

static bool check_most(const Filling *this, const SchemaRow *row, const YamlNode *node) {
    return row->most == 0 || (double)node->count <= row->most ||
           yaml_error(this->errors, ERROR_LIMIT, node,
                      "%s has %zu entries; the limit is %.0f", row->key, node->count,
                      row->most);
}

/* ---- values ---- */

static bool is_empty(const YamlNode *node) {
    return node->kind == YAML_SCALAR && !node->text[0];
}

/* Finds the index of a scalar in the row's words; one past the last if it is none. */
static bool find_word(const SchemaRow *row, const YamlNode *node, size_t *index) {
    if (!row->word || node->kind != YAML_SCALAR)
        return false;
    for (size_t i = 0; row->word(i); i++) {
        *index = i;
        if (strcmp(row->word(i), node->text) == 0)
            return true;
    }
    return false;
}

static bool is_within(const SchemaRow *row, double value) {
    if (row->most == 0)
        return true;
    return isfinite(value) && value <= row->most &&
           (row->above ? value > row->least : value >= row->least);
}

static bool read_whole(const Filling *this, const SchemaRow *row, const YamlNode *node,
                       size_t *value) {
    double most = row->most > 0 ? row->most : WHOLE_MOST;
    size_t word;
    if (find_word(row, node, &word)) {
        *value = 0;
        return true;
    }
    return field_whole(node, row->key, (size_t)row->least, (size_t)most, value,
                       this->errors);
}

static bool read_number(const Filling *this, const SchemaRow *row, const YamlNode *node,
                        double *value) {
    return field_number(node, row->key, value, this->errors) &&
           (is_within(row, *value) || refuse_value(this, row, node));
}

static bool read_choice(const Filling *this, const SchemaRow *row, const YamlNode *node,
                        int *value) {
    size_t index;
    if (node->kind != YAML_SCALAR || is_empty(node))
        return refuse_kind(this, row, row->key, node);
    if (!find_word(row, node, &index))
        return refuse_value(this, row, node);
    *value = (int)index + (int)row->least;
    return true;
}

static bool read_switch(const Filling *this, const SchemaRow *row, const YamlNode *node,
                        bool *on) {
    if (node->kind != YAML_SCALAR || is_empty(node))
        return refuse_kind(this, row, row->key, node);
    *on = strcmp(node->text, "true") == 0;
    return *on || strcmp(node->text, "false") == 0 || refuse_value(this, row, node);
}

static bool read_strings(const Filling *this, const SchemaRow *row, const YamlNode *node,
                         SchemaStrings *strings) {
    size_t word;
    if (find_word(row, node, &word)) {
        strings->node = node;
        return true;
    }
    if (node->kind != YAML_SEQUENCE || !node->count)
        return refuse_kind(this, row, row->key, node);
    for (const YamlNode *item = node->first; item; item = item->next) {
        if (item->kind != YAML_SCALAR)
            return refuse_kind(this, row, row->key, item);
    }
    if (!check_most(this, row, node))
        return false;
    const char **items = arena_alloc(this->arena, node->count, sizeof *items);
    *strings = (SchemaStrings){.node = node, .count = node->count, .items = items};
    for (const YamlNode *item = node->first; item; item = item->next)
        *items++ = item->text;
    return true;
}

static bool read_texts(const Filling *this, const SchemaRow *row, const YamlNode *node,
                       SchemaTexts *texts) {
    if (node->kind != YAML_SEQUENCE || (double)node->count < row->least)
        return refuse_kind(this, row, row->key, node);
    if (!check_most(this, row, node))
        return false;
    Text *items = arena_alloc(this->arena, node->count, sizeof *items);
    *texts = (SchemaTexts){.node = node, .count = node->count, .items = items};
    bool good = true;
    for (const YamlNode *item = node->first; item; item = item->next)
        good &= field_text(this->arena, item, row->key, items++, this->errors);
    return good;
}

static bool read_pointer(const Filling *this, const SchemaRow *row, const YamlNode *node,
                         void **place) {
    *place = arena_alloc(this->arena, 1, row->schema->size);
    if (row->example && node->kind != YAML_MAPPING && !row->schema->numbers) {
        char wanted[SCHEMA_PHRASE_SIZE];
        *(SchemaPlace *)*place = (SchemaPlace){.node = node, .broken = true};
        snprintf(wanted, sizeof wanted, "a mapping, as in %s", row->example);
        return field_refuse(node, row->key, wanted, this->errors);
    }
    return schema_read(row->schema, node, row->key, *place, this->arena, this->errors);
}

/* Reads the items; their errors are reported in them, and don't break the list. */
static bool read_items(const Filling *this, const SchemaRow *row, const YamlNode *node,
                       SchemaItems *items) {
    bool named = row->kind == SCHEMA_NAMED;
    char name[UTF8_SHORT_SIZE];
    if (node->kind != (named ? YAML_MAPPING : YAML_SEQUENCE) ||
        (double)node->count < row->least)
        return refuse_kind(this, row, row->key, node);
    if (!check_most(this, row, node))
        return false;
    size_t size = row->schema->size;
    unsigned char *out = arena_alloc(this->arena, node->count, size);
    *items = (SchemaItems){.node = node, .count = node->count, .items = out};
    for (const YamlNode *item = node->first; item; item = item->next, out += size) {
        if (named)
            field_short(name, item->key);
        schema_read(row->schema, item, named ? name : row->key, out, this->arena,
                    this->errors);
    }
    return true;
}

/* Checks only the coarse kind of a value that is stored as a node. */
static bool read_node(const Filling *this, const SchemaRow *row, const YamlNode *node,
                      const YamlNode **place) {
    static const struct {
        bool scalar, sequence, mapping;
        size_t count; /* length of the sequence, unless 0 */
    } takes[SCHEMA_KIND_COUNT] = {
        [SCHEMA_NAME] = {.scalar = true},
        [SCHEMA_STATEMENT] = {.scalar = true},
        [SCHEMA_NAMES] = {.scalar = true, .sequence = true},
        [SCHEMA_RENAMED] = {.mapping = true},
        [SCHEMA_OTHERS] = {.mapping = true},
        [SCHEMA_CELL] = {.sequence = true, .count = 3},
        [SCHEMA_NUMBERS] = {.scalar = true, .sequence = true},
        [SCHEMA_PRINTED] = {.scalar = true, .sequence = true},
        [SCHEMA_WORDS] = {.scalar = true, .sequence = true},
        [SCHEMA_TOKENS] = {.sequence = true, .mapping = true},
        [SCHEMA_VOCABULARY] = {.scalar = true, .sequence = true},
        [SCHEMA_PAIRS] = {.sequence = true},
        [SCHEMA_WORDS_LIST] = {.sequence = true},
    };
    bool good = node->kind == YAML_SCALAR     ? takes[row->kind].scalar && !is_empty(node)
                : node->kind == YAML_SEQUENCE ? takes[row->kind].sequence && node->count
                                              : takes[row->kind].mapping;
    size_t count = takes[row->kind].count;
    if (!good || (count && node->count != count))
        return refuse_kind(this, row, row->key, node);
    if (!check_most(this, row, node))
        return false;
    *place = node;
    return true;
}

static bool read_value(const Filling *this, const SchemaRow *row, const YamlNode *node) {
    void *place = this->out + row->offset;
    switch (row->kind) {
    case SCHEMA_TEXT:
        return field_text(this->arena, node, row->key, place, this->errors);
    case SCHEMA_STRING:
        return field_string(node, row->key, place, this->errors);
    case SCHEMA_SWITCH:
        return read_switch(this, row, node, place);
    case SCHEMA_CHOICE:
        return read_choice(this, row, node, place);
    case SCHEMA_WHOLE:
        return read_whole(this, row, node, place);
    case SCHEMA_NUMBER:
        return read_number(this, row, node, place);
    case SCHEMA_PAIR:
        return field_pair(node, row->key, (size_t)row->least, (size_t)row->most, place,
                          this->errors);
    case SCHEMA_STRINGS:
        return read_strings(this, row, node, place);
    case SCHEMA_TEXTS:
        return read_texts(this, row, node, place);
    case SCHEMA_MAPPING:
        return read_pointer(this, row, node, place);
    case SCHEMA_LIST:
    case SCHEMA_NAMED:
        return read_items(this, row, node, place);
    default:
        return read_node(this, row, node, place);
    }
}

/* ---- a mapping ---- */

static const SchemaRow *find_row(const Schema *schema, const char *key) {
    for (size_t i = 0; i < schema->count; i++) {
        if (strcmp(schema->rows[i].key, key) == 0)
            return &schema->rows[i];
    }
    return NULL;
}

/* Reports whether `word` is in `words`, which blanks separate. */
static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    }
    return false;
}

/* Checks that exactly one mark is present; *mark is that one, NULL for none and for
 * several. */
static bool check_marks(const Filling *this, bool whole, const YamlNode **mark) {
    const Schema *schema = this->schema;
    char all[SCHEMA_PHRASE_SIZE] = "";
    const char *first = NULL;
    size_t count = 0;
    *mark = NULL;
    for (size_t i = 0; i < schema->count; i++) {
        if (!schema->rows[i].marks)
            continue;
        add(all, count++ ? ", " : "");
        add(all, schema->rows[i].key);
    }
    for (const YamlNode *item = this->node->first; item; item = item->next) {
        const SchemaRow *row = find_row(schema, item->key->text);
        if (!row || !row->marks)
            continue;
        if (*mark) {
            *mark = NULL;
            return yaml_error(this->errors, ERROR_VALUE, item->key,
                              "%s has '%s:' or '%s:', not both; leave one of them out",
                              this->what, first, row->key);
        }
        first = row->key;
        *mark = item;
    }
    return *mark || !count || !whole ||
           yaml_error(this->errors, ERROR_VALUE, this->node, "%s needs one of these: %s",
                      this->what, all);
}

/* Checks a key that is only allowed with certain others. */
static bool check_company(const Filling *this, const SchemaRow *row, const YamlNode *item,
                          const YamlNode *mark) {
    if (mark && row->with && !has_word(row->with, mark->key->text))
        return yaml_error(this->errors, ERROR_VALUE, item->key,
                          "%s with '%s:' takes no '%s:'; leave it out", this->what,
                          mark->key->text, row->key);
    if (!row->when)
        return true;
    char key[UTF8_SHORT_SIZE];
    const char *colon = strchr(row->when, ':');
    snprintf(key, sizeof key, "%.*s", (int)(colon - row->when), row->when);
    const YamlNode *other = yaml_lookup(this->node, key);
    const char *value = other ? other->text : find_row(this->schema, key)->otherwise;
    return (value && has_word(colon + 2, value)) ||
           yaml_error(this->errors, ERROR_VALUE, item->key,
                      "%s says nothing to %s: %.60s; it goes with %s", row->key, key,
                      value ? value : "", row->when);
}

static bool check_needed(const Filling *this, const SchemaRow *row,
                         const YamlNode *mark) {
    if (!row->needed || yaml_lookup(this->node, row->key) ||
        (row->with && !(mark && has_word(row->with, mark->key->text))))
        return true;
    return yaml_error(this->errors, ERROR_NAME, this->node,
                      "%s has no %s; write '%s: %s'", this->what, row->key, row->key,
                      row->example ? row->example : "…");
}

static void put_otherwise(const Filling *this) {
    for (size_t i = 0; i < this->schema->count; i++) {
        const SchemaRow *row = &this->schema->rows[i];
        const YamlNode node = {.kind = YAML_SCALAR, .text = row->otherwise};
        if (row->otherwise)
            read_value(this, row, &node);
    }
}

static bool check_keys(const Filling *this) {
    bool good = true;
    for (const YamlNode *item = this->node->first; item; item = item->next) {
        if (!find_row(this->schema, item->key->text))
            good = refuse_key(this, item->key);
    }
    return good;
}

/* Reads a mapping. If a key is misspelt, missing keys are not reported. */
static bool read_mapping(const Filling *this) {
    const YamlNode *mark;
    bool known = check_keys(this), good = check_marks(this, known, &mark) && known;
    put_otherwise(this);
    for (const YamlNode *item = this->node->first; item; item = item->next) {
        const SchemaRow *row = find_row(this->schema, item->key->text);
        if (!row || (row->marks && item != mark))
            continue;
        good &= check_company(this, row, item, mark);
        good &= read_value(this, row, item);
    }
    for (size_t i = 0; known && i < this->schema->count; i++)
        good &= check_needed(this, &this->schema->rows[i], mark);
    return good;
}

const YamlNode *schema_lookup(const SchemaPlace *place, const char *key) {
    return yaml_lookup(place->node, key);
}

/* Reports a node that is no mapping, with an example of one. */
static bool refuse_no_mapping(const Filling *this) {
    const SchemaRow *row = this->schema->rows;
    char wanted[SCHEMA_PHRASE_SIZE];
    snprintf(wanted, sizeof wanted, "a mapping of 'key: value' lines, as in %s: %s",
             row->key, row->example ? row->example : "…");
    return field_refuse(this->node, this->what, wanted, this->errors);
}

bool schema_read(const Schema *schema, const YamlNode *node, const char *what, void *out,
                 Arena *arena, ErrorList *errors) {
    Filling this = {.schema = schema,
                    .node = node,
                    .what = schema->what ? schema->what : what,
                    .out = out,
                    .arena = arena,
                    .errors = errors};
    SchemaPlace *place = out;
    memset(out, 0, schema->size);
    place->node = node;
    if (node->kind == YAML_MAPPING)
        place->broken = !read_mapping(&this);
    else if (!schema->numbers)
        place->broken =
            (node->kind == YAML_SCALAR && !refuse_key_beginning(&this, node)) ||
            !refuse_no_mapping(&this);
    return !place->broken;
}

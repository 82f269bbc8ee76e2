#include "lesson/schema/schema.h"

#include "lesson/formula/formula.h"

#include <stdio.h>
#include <string.h>

/* ---- JSON ---- */

#define WORD "{\"type\": [\"string\", \"number\", \"boolean\"]}"
#define FULL "{\"type\": [\"string\", \"number\", \"boolean\"], \"minLength\": 1}"
#define INDEX "{\"type\": \"integer\", \"minimum\": 0}"
#define NUMBER_TEXT                                                                      \
    "{\"type\": \"string\", "                                                            \
    "\"pattern\": \"^[-+]?(\\\\.?inf|[0-9.]+([eE][-+]?[0-9]+)?)$\"}"
#define NUMBER "{\"anyOf\": [{\"type\": \"number\"}, " NUMBER_TEXT "]}"
#define CELL "{\"anyOf\": [" NUMBER ", {\"enum\": [\"_\", null]}]}"
#define LIST(item) "{\"type\": \"array\", \"minItems\": 1, \"items\": " item "}"
#define ROWS(item)                                                                       \
    "{\"anyOf\": [" item ", " LIST("{\"anyOf\": [" item ", " LIST(item) "]}") "]}"
#define WORDS "{\"anyOf\": [" WORD ", " LIST(WORD) "]}"
#define LANGUAGES(item)                                                                  \
    "{\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": " item       \
    ", \"propertyNames\": {\"pattern\": \"^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$\"}}"
#define MAP(item) "{\"type\": \"object\", \"additionalProperties\": " item "}"

/* Forms of kinds that don't depend on the row. */
static const char *const forms[SCHEMA_KIND_COUNT] = {
    [SCHEMA_TEXT] = "{\"anyOf\": [" FULL ", " LANGUAGES(FULL) "]}",
    [SCHEMA_STRING] = FULL,
    [SCHEMA_SWITCH] = "{\"type\": \"boolean\"}",
    [SCHEMA_STRINGS] = LIST(WORD),
    [SCHEMA_TEXTS] = LIST("{\"anyOf\": [" FULL ", " LANGUAGES(FULL) "]}"),
    [SCHEMA_NAME] = FULL,
    [SCHEMA_STATEMENT] = FULL,
    [SCHEMA_NAMES] = WORDS,
    [SCHEMA_CELL] = "{\"type\": \"array\", \"minItems\": 3, "
                    "\"items\": [" FULL ", " INDEX ", " INDEX "], "
                    "\"additionalItems\": false}",
    [SCHEMA_NUMBERS] = ROWS(NUMBER),
    [SCHEMA_PRINTED] = ROWS(CELL),
    [SCHEMA_WORDS] = WORDS,
    [SCHEMA_TOKENS] = "{\"anyOf\": [" LIST(WORD) ", " MAP("{\"type\": \"integer\"}") "]}",
    [SCHEMA_VOCABULARY] = WORDS,
    [SCHEMA_PAIRS] = LIST("{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, "
                          "\"items\": " WORDS "}"),
    [SCHEMA_WORDS_LIST] = LIST(WORDS),
};

static void put_quoted(Writer *writer, const char *text) {
    writer_text(writer, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            writer_text(writer, "\\");
        writer_put(writer, text, 1);
    }
    writer_text(writer, "\"");
}

/* Writes {"enum": ["causal", "none"]}; YAML's true and false are no strings. */
static void put_words(Writer *writer, const SchemaRow *row) {
    writer_text(writer, "{\"enum\": [");
    for (size_t i = 0; row->word(i); i++) {
        const char *word = row->word(i);
        bool is_switch = strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
        writer_text(writer, i ? ", " : "");
        if (is_switch)
            writer_text(writer, word);
        else
            put_quoted(writer, word);
    }
    writer_text(writer, "]}");
}

/* Writes {"type": "integer", "minimum": 1, without the closing brace. */
static void begin_number(Writer *writer, const char *type, const SchemaRow *row) {
    writer_format(writer, "{\"type\": \"%s\"", type);
    if (row->most == 0) {
        writer_text(writer, row->kind == SCHEMA_WHOLE ? ", \"minimum\": 0" : "");
        return;
    }
    writer_format(writer, ", \"%s\": %.17g", row->above ? "exclusiveMinimum" : "minimum",
                  row->least);
    if (row->most < SCHEMA_MOST)
        writer_format(writer, ", \"maximum\": %.17g", row->most);
}

/* Writes {"type": "object", "propertyNames": …, "additionalProperties": …: for names of
 * tensors. */
static void begin_tensors(Writer *writer) {
    writer_format(writer,
                  "{\"type\": \"object\", \"propertyNames\": "
                  "{\"pattern\": \"^(?!inf$)[A-Za-z_][A-Za-z0-9_]{0,%d}$\"}, "
                  "\"additionalProperties\": ",
                  EXPRESSION_NAME_MAX - 1);
}

static void put_schema(Writer *writer, const Schema *schema);

static void put_form(Writer *writer, const SchemaRow *row) {
    switch (row->kind) {
    case SCHEMA_CHOICE:
        put_words(writer, row);
        break;
    case SCHEMA_WHOLE:
        begin_number(writer, "integer", row);
        writer_text(writer, "}");
        break;
    case SCHEMA_PAIR:
        writer_text(writer, "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, "
                            "\"items\": ");
        begin_number(writer, "integer", row);
        writer_text(writer, "}}");
        break;
    case SCHEMA_RENAMED:
    case SCHEMA_OTHERS:
        begin_tensors(writer);
        writer_text(writer, FULL "}");
        break;
    case SCHEMA_NUMBER:
        writer_text(writer, "{\"anyOf\": [");
        begin_number(writer, "number", row);
        writer_text(writer, "}, " NUMBER_TEXT "]}");
        break;
    case SCHEMA_MAPPING:
        put_schema(writer, row->schema);
        break;
    case SCHEMA_LIST:
        writer_format(writer, "{\"type\": \"array\", %s\"items\": ",
                      row->least > 0 ? "\"minItems\": 1, " : "");
        put_schema(writer, row->schema);
        writer_text(writer, "}");
        break;
    case SCHEMA_NAMED:
        if (row->schema->numbers)
            begin_tensors(writer);
        else
            writer_text(writer, "{\"type\": \"object\", \"additionalProperties\": ");
        put_schema(writer, row->schema);
        writer_text(writer, "}");
        break;
    default:
        writer_text(writer, forms[row->kind]);
    }
}

static void put_row(Writer *writer, const SchemaRow *row) {
    char text[2 * SCHEMA_PHRASE_SIZE], phrase[SCHEMA_PHRASE_SIZE];
    put_quoted(writer, row->key);
    writer_text(writer, ": {\"description\": ");
    snprintf(text, sizeof text, "%s Value: %s.", row->sentence,
             schema_phrase(row, phrase));
    put_quoted(writer, text);
    if (row->otherwise) {
        writer_text(writer, ", \"default\": ");
        bool plain = row->kind == SCHEMA_SWITCH ||
                     (row->kind == SCHEMA_WHOLE && !row->word) ||
                     row->kind == SCHEMA_NUMBER;
        (plain ? writer_text : put_quoted)(writer, row->otherwise);
    }
    if (row->most > 0 && row->kind != SCHEMA_WHOLE && row->kind != SCHEMA_NUMBER &&
        row->kind != SCHEMA_PAIR)
        writer_format(writer, ", \"maxItems\": %.0f, \"maxProperties\": %.0f", row->most,
                      row->most);
    writer_text(writer, ", \"anyOf\": [");
    put_form(writer, row);
    if (row->word && row->kind != SCHEMA_CHOICE) {
        writer_text(writer, ", ");
        put_words(writer, row);
    }
    writer_text(writer, "]}");
}

/* Writes each word of a list separated by blanks, between `before` and `behind`; `last`
 * comes before the last of several. */
static void put_each(Writer *writer, const char *words, const char *last,
                     const char *before, const char *behind) {
    for (const char *between = ""; *words;) {
        int length = (int)strcspn(words, " ");
        bool ends = !words[length];
        writer_format(writer, "%s%s%.*s%s", *between && ends ? last : between, before,
                      length, words, behind);
        between = ", ";
        words += length + !ends;
    }
}

/* Writes {"required": ["do"]}, … for each word. */
static void put_required(Writer *writer, const char *words) {
    put_each(writer, words, ", ", "{\"required\": [\"", "\"]}");
}

/* Writes the keys required by others: {"if": …, "then": …}. */
static void put_needed_with(Writer *writer, const Schema *schema) {
    const char *begin = ",\n\"allOf\": [", *between = begin;
    for (size_t i = 0; i < schema->count; i++) {
        const SchemaRow *row = &schema->rows[i];
        if (!row->needed || !row->with)
            continue;
        writer_format(writer, "%s{\"if\": {\"anyOf\": [", between);
        put_required(writer, row->with);
        writer_format(writer, "]}, \"then\": {\"required\": [\"%s\"]}}", row->key);
        between = ", ";
    }
    writer_text(writer, between == begin ? "" : "]");
}

/* Writes the keys allowed only with others. */
static void put_company(Writer *writer, const Schema *schema) {
    const char *between = "";
    writer_text(writer, ",\n\"dependencies\": {");
    for (size_t i = 0; i < schema->count; i++) {
        const SchemaRow *row = &schema->rows[i];
        if (!row->with && !row->when)
            continue;
        writer_format(writer, "%s\"%s\": {", between, row->key);
        between = ", ";
        if (row->with) {
            writer_text(writer, "\"anyOf\": [");
            put_required(writer, row->with);
            writer_text(writer, "]}");
            continue;
        }
        int length = (int)strcspn(row->when, ":");
        writer_format(writer, "\"properties\": {\"%.*s\": {\"enum\": [", length,
                      row->when);
        put_each(writer, row->when + length + 2, ", ", "\"", "\"");
        writer_format(writer, "]}}, \"required\": [\"%.*s\"]}", length, row->when);
    }
    writer_text(writer, "}");
}

static bool is_mark(const SchemaRow *row) {
    return row->marks;
}

static bool is_always_needed(const SchemaRow *row) {
    return row->needed && !row->with;
}

/* Writes a list of the keys for which `is` holds; nothing if there are none. */
static void put_keys(Writer *writer, const Schema *schema, const char *begin,
                     bool (*is)(const SchemaRow *row), const char *before,
                     const char *behind) {
    const char *between = begin;
    for (size_t i = 0; i < schema->count; i++) {
        if (!is(&schema->rows[i]))
            continue;
        writer_format(writer, "%s%s%s%s", between, before, schema->rows[i].key, behind);
        between = ", ";
    }
    writer_text(writer, between == begin ? "" : "]");
}

static void put_object(Writer *writer, const Schema *schema) {
    writer_text(writer, "\"type\": \"object\",\n\"properties\": {\n");
    for (size_t i = 0; i < schema->count; i++) {
        writer_text(writer, i ? ",\n" : "");
        put_row(writer, &schema->rows[i]);
    }
    writer_text(writer, "},\n\"additionalProperties\": false");
    put_company(writer, schema);
    put_keys(writer, schema, ",\n\"oneOf\": [", is_mark, "{\"required\": [\"", "\"]}");
    put_keys(writer, schema, ",\n\"required\": [", is_always_needed, "\"", "\"");
    put_needed_with(writer, schema);
}

static void put_schema(Writer *writer, const Schema *schema) {
    if (schema->numbers)
        writer_format(writer, "{\"anyOf\": [%s, ", forms[SCHEMA_NUMBERS]);
    writer_text(writer, "{");
    put_object(writer, schema);
    writer_text(writer, schema->numbers ? "}]}" : "}");
}

void schema_print_json(const Schema *schema, Writer *writer) {
    writer_format(writer,
                  "{\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                  "\"title\": \"Glassformer: %s\",\n",
                  schema->title);
    put_object(writer, schema);
    writer_text(writer, "}\n");
}

/* ---- Markdown ---- */

static void put_table_row(Writer *writer, const SchemaRow *row) {
    char phrase[SCHEMA_PHRASE_SIZE];
    writer_format(writer, "| `%s:` | %s", row->key, schema_phrase(row, phrase));
    if (row->needed)
        writer_text(writer, "; required");
    if (row->otherwise)
        writer_format(writer, "; default: `%s`", row->otherwise);
    if (row->with) {
        writer_text(writer, "; only with ");
        put_each(writer, row->with, " or ", "`", ":`");
    }
    if (row->when)
        writer_format(writer, "; only with `%s`", row->when);
    writer_format(writer, " | %s |\n", row->sentence);
}

void schema_print_reference(const Schema *schema, Writer *writer) {
    writer_format(writer,
                  "### %s\n\n%s\n\n| key | value | description |\n|---|---|---|\n",
                  schema->title, schema->sentence);
    for (size_t i = 0; i < schema->count; i++)
        put_table_row(writer, &schema->rows[i]);
    writer_text(writer, "\n");
    for (size_t i = 0; i < schema->count; i++) {
        if (schema->rows[i].schema)
            schema_print_reference(schema->rows[i].schema, writer);
    }
}

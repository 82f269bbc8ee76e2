#include "formats/formats_parts.h"

#include "base/array.h"
#include "base/strings/language.h"

#include <string.h>

enum {
    WIDTH = 12192000, /* of a slide, in 1/914400 inch: 13⅓ inches */
    FIRST_ID = 256    /* of slides, by the format's rule */
};

/* Values of a slide's template, escaped for XML, and the page's picture. */
typedef struct Slide {
    const char *step, *text, *sum, *notes;
    uint8_t *picture; /* a PNG */
    size_t size;
} Slide;

/* A file of the archive. */
typedef struct Part {
    const char *name;
    const void *bytes;
    size_t size;
} Part;

typedef struct Pptx {
    const DeckHead *head;
    Film film;
    Png *png;
    size_t count, capacity;
    Slide *slides;
    size_t part_count, part_capacity;
    Part *parts;
} Pptx;

/* ---- slides ---- */

/* Text of a page for its slide, without the sum at its end, which describes the picture.
 */
static const char *text_of(Arena *arena, const DeckPage *page) {
    const char *said = page->said ? page->said : "", *sum = page->sum ? page->sum : "";
    size_t length = strlen(said), end = strlen(sum);
    bool ends = end && end <= length && strcmp(said + length - end, sum) == 0;
    return arena_copy(arena, said, length - (ends ? end : 0));
}

/* A text's lines as paragraphs. */
static const char *paragraphs(Deck *deck, const char *text) {
    Writer writer = {.arena = deck->arena};
    const char *language = ((const Pptx *)deck->own)->head->language->code;
    while (*text) {
        size_t length = strcspn(text, "\n");
        writer_format(&writer, "<a:p><a:r><a:rPr lang=\"%s\"/><a:t>%s</a:t></a:r></a:p>",
                      language,
                      svg_xml(deck->arena, arena_copy(deck->arena, text, length)));
        text += length + (text[length] == '\n');
    }
    return writer.text ? writer.text : "<a:p/>";
}

static void add_page(Deck *deck, const DeckPage *page) {
    Pptx *pptx = deck->own;
    Arena *arena = deck->arena;
    Error error;
    const char *sum = page->sum && *page->sum ? page->sum : page->step;
    Slide slide = {.step = svg_xml(arena, page->step),
                   .text = paragraphs(deck, text_of(arena, page)),
                   .sum = svg_xml(arena, sum),
                   .notes = svg_xml(arena, page->notes)};
    film_paint(&pptx->film, page);
    vector_need(arena, png_begin(pptx->png, pptx->film.width, pptx->film.height, &error));
    png_add(pptx->png, pptx->film.now, pptx->film.height, pptx->film.width);
    const uint8_t *bytes = png_pack(pptx->png, &slide.size, &error);
    vector_need(arena, bytes);
    slide.picture = memcpy(arena_alloc(arena, slide.size, 1), bytes, slide.size);
    pptx->slides = array_reserve(arena, pptx->slides, pptx->count, &pptx->capacity,
                                 sizeof *pptx->slides);
    pptx->slides[pptx->count++] = slide;
}

/* ---- the file ---- */

static void add_part(Deck *deck, const char *name, const void *bytes, size_t size) {
    Pptx *pptx = deck->own;
    pptx->parts = array_reserve(deck->arena, pptx->parts, pptx->part_count,
                                &pptx->part_capacity, sizeof *pptx->parts);
    pptx->parts[pptx->part_count++] = (Part){name, bytes, size};
}

/* Fills in what the template leaves open, of slide `number` from 1 on; of none for 0. */
static void fill_in(Deck *deck, Writer *writer, const char *text, size_t length,
                    size_t number) {
    static const Slide none;
    const Pptx *pptx = deck->own;
    const Slide *slide = number ? &pptx->slides[number - 1] : &none;
    Arena *arena = deck->arena;
    size_t height = (size_t)WIDTH * pptx->film.height / pptx->film.width;
    const TemplateValue values[] = {
        {"n", arena_format(arena, "%zu", number)},
        {"id", arena_format(arena, "%zu", FIRST_ID + number - 1)},
        {"height", arena_format(arena, "%zu", height)},
        {"title", svg_xml(arena, pptx->head->title)},
        {"language", pptx->head->language->code},
        {"step", slide->step},
        {"text", slide->text},
        {"sum", slide->sum},
        {"notes", slide->notes},
        {NULL, NULL}};
    template_write(writer, text, length, values);
}

/* A line that begins with {{each}} is there for each slide. */
static void add_text(Deck *deck, const char *name, const char *text, const char *end,
                     size_t number) {
    static const char each[] = "{{each}}";
    const Pptx *pptx = deck->own;
    Writer path = {.arena = deck->arena}, writer = path;
    fill_in(deck, &path, name, strcspn(name, "\n"), number);
    while (text < end) {
        size_t length = strcspn(text, "\n") + 1;
        bool repeats = strncmp(text, each, sizeof each - 1) == 0;
        size_t skipped = repeats ? sizeof each - 1 : 0;
        for (size_t i = 1; i <= (repeats ? pptx->count : 1); i++)
            fill_in(deck, &writer, text + skipped, length - skipped,
                    repeats ? i : number);
        text += length;
    }
    add_part(deck, path.text, writer.text, writer.length);
}

/* Adds the parts of the template, each behind a line with its name; one whose name has a
 * number is there for each slide. */
static void add_texts(Deck *deck) {
    static const char mark[] = "==== ";
    const Pptx *pptx = deck->own;
    for (const char *part = deck->template; *part;) {
        const char *name = part + sizeof mark - 1, *text = strchr(name, '\n') + 1;
        const char *end = strstr(text, mark);
        end = end ? end : text + strlen(text);
        bool numbered = strstr(name, "{{n}}") && strstr(name, "{{n}}") < text;
        for (size_t i = numbered; i <= (numbered ? pptx->count : 0); i++)
            add_text(deck, name, text, end, i);
        part = end;
    }
}

static bool save(Deck *deck, const char *path, Error *error) {
    Pptx *pptx = deck->own;
    Zip zip;
    add_texts(deck);
    for (size_t i = 0; i < pptx->count; i++)
        add_part(deck, arena_format(deck->arena, "ppt/media/image%zu.png", i + 1),
                 pptx->slides[i].picture, pptx->slides[i].size);
    zip_begin(&zip, path);
    for (size_t i = 0; i < pptx->part_count; i++)
        zip_put(&zip, pptx->parts[i].name, pptx->parts[i].bytes, pptx->parts[i].size);
    return zip_end(&zip, error);
}

static void finish(Deck *deck) {
    Pptx *pptx = deck->own;
    painter_destroy(pptx->film.painter);
    png_destroy(pptx->png);
}

static void begin(Deck *deck) {
    Pptx *pptx = deck->own;
    pptx->head = deck->head;
    pptx->film.arena = deck->arena;
    pptx->png = png_create();
    vector_need(deck->arena, pptx->png);
}

const DeckKind pptx_deck = {"a deck", sizeof(Pptx), begin, add_page,
                            save,     finish,       "pptx"};

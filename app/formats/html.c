#include "formats/formats_parts.h"

#include "base/strings/language.h"

#include <libdeflate.h>
#include <string.h>

enum {
    SCRATCH_MEMORY = 64 << 20,
    CELLS_MOST = 2000, /* of a page that have a description */
    BRIGHT = 128,
    LEVEL = 6 /* the highest takes three times as long for a tenth */
};

typedef struct Html {
    Arena *arena, *scratch; /* the latter's is forgotten cell by cell */
    Png *png;
    struct libdeflate_compressor *compressor;
    Svg svg;
    Color background;
    size_t page_count;
    size_t first; /* the page that the present lesson begins with */
} Html;

/* ---- pages ---- */

static void put_target(Writer *body, const char *class, Box box) {
    writer_format(body, "<rect class=\"%s\"", class);
    svg_box(body, box);
}

/* Over each cell how it came to be. */
static void put_cells(Html *html, const DeckPage *page) {
    const Scene *scene = page->picture.scene;
    Writer *body = &html->svg.body;
    size_t told = 0;
    for (size_t i = 0; page->tell && i < scene->count && told < CELLS_MOST; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_RECTANGLE || item->link.kind != LINK_CELL)
            continue;
        const char *seen = page->tell(page->context, item->link, false, html->scratch);
        const char *heard = page->tell(page->context, item->link, true, html->scratch);
        vector_need(html->arena, seen && heard && !arena_exhausted(html->scratch));
        if (*seen) {
            put_target(body, "c", item->box);
            writer_text(body, " aria-label=\"");
            svg_text(body, heard);
            writer_text(body, "\"><title>");
            svg_text(body, seen);
            writer_text(body, "</title></rect>\n");
            told++;
        }
        arena_reset(html->scratch);
    }
}

static void put_links(Html *html, const DeckPage *page) {
    Writer *body = &html->svg.body;
    size_t at = 0, target;
    Box box;
    while (vector_next_link(page, &at, &target, &box)) {
        writer_format(body, "<a href=\"#p%zu\">", html->first + target);
        put_target(body, "l", box);
        writer_text(body, "/></a>\n");
    }
}

static void add_page(Deck *deck, const DeckPage *page) {
    Html *html = deck->own;
    Writer *body = &html->svg.body;
    const Scene *scene = page->picture.scene;
    html->page_count++;
    if (html->page_count == 1) {
        html->background = scene->background;
        svg_init(&html->svg, page->picture.fonts, html->png, html->arena);
    }
    if (page->number == 0)
        html->first = html->page_count;
    writer_format(body, "<section id=\"p%zu\" aria-label=\"", html->page_count);
    svg_text(body, page->step);
    writer_text(body, "\">\n<svg role=\"group\" aria-label=\"");
    svg_text(body, page->said);
    writer_text(body, "\" viewBox=\"0 0 ");
    vector_numbers(body, (double[]){scene->width, scene->height}, 2);
    writer_text(body, "\">\n");
    svg_draw(&html->svg, scene);
    put_cells(html, page);
    put_links(html, page);
    writer_text(body, "</svg>\n");
    if (page->notes && *page->notes) {
        writer_text(body, "<aside>");
        svg_text(body, page->notes);
        writer_text(body, "</aside>\n");
    }
    writer_text(body, "</section>\n");
}

/* ---- the file ---- */

/* The pages, and behind them the letters' outlines, compressed, as letters: pages of a
 * lesson are much alike. */
static const char *pack_pages(Html *html) {
    Writer *body = &html->svg.body, packed = {.arena = html->arena};
    writer_text(body,
                "<section><svg style=\"position:absolute;width:0;height:0\"><defs>\n");
    writer_put(body, html->svg.outlines.text, html->svg.outlines.length);
    writer_text(body, "</defs></svg></section>\n");
    size_t room = libdeflate_gzip_compress_bound(html->compressor, body->length);
    uint8_t *bytes = arena_alloc(html->arena, room, 1);
    svg_base64(&packed, bytes,
               libdeflate_gzip_compress(html->compressor, body->text, body->length, bytes,
                                        room));
    return packed.text;
}

/* The template's policy lets its own script run, by its hash, and nothing be fetched.
 * Source: Content Security Policy, level 3. */
static bool save(Deck *deck, const char *path, Error *error) {
    Html *html = deck->own;
    Arena *arena = deck->arena;
    const Language *language = deck->head->language;
    Color page = html->background;
    bool bright = page.r + page.g + page.b > 3 * BRIGHT;
    const TemplateValue values[] = {
        {"language", language->code},
        {"title", svg_xml(arena, deck->head->title)},
        {"svg", svg_style},
        {"page", arena_format(arena, "#%02x%02x%02x", (unsigned)page.r, (unsigned)page.g,
                              (unsigned)page.b)},
        {"ink", bright ? "#000" : "#fff"},
        {"script", svg_xml(arena, language_words(language, "deck.script"))},
        {"pages", pack_pages(html)},
        {"back", svg_xml(arena, language_words(language, "deck.back"))},
        {"next", svg_xml(arena, language_words(language, "deck.next"))},
        {NULL, NULL}};
    Writer file = {.arena = arena};
    template_write(&file, deck->template, strlen(deck->template), values);
    return whole_file_write(path, file.text, file.length, error);
}

static void finish(Deck *deck) {
    Html *html = deck->own;
    png_destroy(html->png);
    libdeflate_free_compressor(html->compressor);
}

static void begin(Deck *deck) {
    Html *html = deck->own;
    html->arena = deck->arena;
    html->scratch = arena_create_within(deck->arena, SCRATCH_MEMORY);
    html->png = png_create();
    html->compressor = libdeflate_alloc_compressor(LEVEL);
    vector_need(deck->arena, html->png && html->compressor);
}

const DeckKind html_deck = {"a deck", sizeof(Html), begin,      add_page,
                            save,     finish,       "deck.html"};

#include "formats/formats_parts.h"

#include "base/strings/language.h"

#include <libdeflate.h>
#include <stdlib.h>

enum {
    HTML_MAX_MEMORY = 1 << 30,
    SCRATCH_MEMORY = 64 << 20,
    CELLS_MOST = 2000, /* of a page that have a description */
    BRIGHT = 128,
    LEVEL = 6 /* the highest takes three times as long for a tenth */
};

typedef struct Html {
    const DeckHead *head;
    Arena *arena, *scratch; /* the latter's is forgotten cell by cell */
    Png *png;
    Svg svg;
    Color background;
    size_t page_count;
    size_t first; /* the page that the present lesson begins with */
    bool failed;
} Html;

/* ---- what doesn't change ---- */

/* The words in <main> are seen where no script takes their place. */
static const char style[] =
    "body{margin:0;font:18px sans-serif}"
    "section svg{display:block;width:100vw;height:100vh}"
    "main p{padding:2em;animation:late 3s steps(1)}@keyframes late{from{opacity:0}}"
    ".c,.l{fill-opacity:0;pointer-events:all}.l{cursor:pointer}"
    ".c:hover{stroke:currentColor;stroke-width:2}"
    "output,aside{position:fixed;left:0;right:0;bottom:0;padding:.6em 1.2em;"
    "background:var(--page);border-top:1px solid;white-space:pre-line}"
    "output:empty,aside{display:none}.notes aside{display:block}"
    "nav{position:fixed;right:1em;bottom:1em;display:none}"
    "button{font:inherit;padding:.6em 1.2em}"
    "@media(pointer:coarse){nav{display:block}}"
    "@media print{section+section[id]{break-before:page}output,nav{display:none}}";

/* The page that is shown is the only one in the document; the letters' outlines follow
 * all pages. Titles, which browsers show late, become labels, shown at once in the line
 * below. */
static const char script[] =
    "(async()=>{const find=name=>document.querySelector(name),main=find('main'),\n"
    "said=find('output'),bytes=Uint8Array.from(atob(find('#pages').textContent),\n"
    "c=>c.charCodeAt(0)),stream=new Blob([bytes]).stream(),\n"
    "all=(await new Response(stream.pipeThrough(new DecompressionStream('gzip')))\n"
    ".text()).split(/(?=<section)/),letters=all.pop();let at;\n"
    "const put=pages=>{main.innerHTML=pages+letters;said.textContent='';\n"
    "for(const t of document.querySelectorAll('.c title')){\n"
    "t.parentNode.setAttribute('aria-label',t.textContent);t.remove()}};\n"
    "const show=n=>{const to=Math.max(0,Math.min(all.length-1,n));\n"
    "if(to!==at)put(all[at=to])};\n"
    "const go=n=>{show(n);location.replace('#p'+(at+1))};\n"
    "const follow=()=>show((parseInt(location.hash.slice(2))||1)-1);\n"
    "addEventListener('hashchange',follow);follow();\n"
    "const by={ArrowRight:1,ArrowDown:1,' "
    "':1,PageDown:1,ArrowLeft:-1,ArrowUp:-1,PageUp:-1,\n"
    "Home:-1e9,End:1e9};\n"
    "addEventListener('keydown',e=>{if(e.ctrlKey||e.altKey||e.metaKey)return;\n"
    "if(by[e.key])go(at+by[e.key]);\n"
    "else if(e.key==='n')document.body.classList.toggle('notes');else return;\n"
    "e.preventDefault()});\n"
    "addEventListener('pointerover',e=>{const c=e.target.closest('.c');\n"
    "said.textContent=c?c.getAttribute('aria-label'):''});\n"
    "addEventListener('beforeprint',()=>put(all.join('')));\n"
    "addEventListener('afterprint',()=>put(all[at]));\n"
    "document.querySelectorAll('button').forEach((b,i)=>b.onclick=()=>go(at+2*i-1))})()";

/* The script above is the only one that runs, and nothing is fetched. The hash is that of
 * `script`, without which no page is shown. Source: Content Security Policy, level 3. */
static const char policy[] =
    "default-src 'none'; script-src "
    "'sha256-ArStVbny0/MKxSykOFWj/OBz1Q31m/LjPNOcyZxYgD0='; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'";

/* ---- pages ---- */

static void put_target(Writer *body, const char *class, Box box) {
    writer_format(body, "<rect class=\"%s\" x=\"", class);
    vector_number(body, box.x);
    writer_text(body, "\" y=\"");
    vector_number(body, box.y);
    writer_text(body, "\" width=\"");
    vector_number(body, box.w);
    writer_text(body, "\" height=\"");
    vector_number(body, box.h);
    writer_text(body, "\"");
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
        const char *sum = page->tell(page->context, item->link, html->scratch);
        html->failed |= !sum || arena_exhausted(html->scratch);
        if (sum && *sum) {
            put_target(body, "c", item->box);
            writer_text(body, "><title>");
            svg_text(body, sum);
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

static void add_page(void *deck, const DeckPage *page) {
    Html *html = deck;
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
    writer_text(body, "\">\n<svg viewBox=\"0 0 ");
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

static void put_head(const Html *html, Writer *head) {
    Color page = html->background;
    bool bright = page.r + page.g + page.b > 3 * BRIGHT;
    writer_format(head, "<!DOCTYPE html>\n<html lang=\"%s\">\n<meta charset=\"utf-8\">\n",
                  html->head->language->code);
    writer_format(head, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n",
                  policy);
    writer_text(head, "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    svg_text(head, html->head->title);
    writer_format(head,
                  "</"
                  "title>\n<style>%s%sbody{--page:#%02x%02x%02x;background:var(--page);"
                  "color:%s}</style>\n<main><p>",
                  svg_style, style, (unsigned)page.r, (unsigned)page.g, (unsigned)page.b,
                  bright ? "#000" : "#fff");
    svg_text(head, language_words(html->head->language, "deck.script"));
    writer_text(head, "</p></main>\n<script type=\"text/plain\" id=\"pages\">");
}

/* The pages, and behind them the letters' outlines, compressed: pages of a lesson are
 * much alike. */
static void put_pages(Html *html, Writer *file) {
    Writer *body = &html->svg.body;
    writer_text(body,
                "<section><svg style=\"position:absolute;width:0;height:0\"><defs>\n");
    writer_put(body, html->svg.outlines.text, html->svg.outlines.length);
    writer_text(body, "</defs></svg></section>\n");
    html->failed |= html->svg.outlines.full || body->full;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    size_t room = libdeflate_gzip_compress_bound(compressor, body->length);
    uint8_t *bytes = arena_alloc(html->arena, room, 1);
    size_t size =
        compressor && bytes
            ? libdeflate_gzip_compress(compressor, body->text, body->length, bytes, room)
            : 0;
    html->failed |= size == 0;
    svg_base64(file, bytes, size);
    libdeflate_free_compressor(compressor);
}

static void put_end(const Html *html, Writer *end) {
    static const char *const keys[] = {"deck.back", "deck.next"}, *const signs[] = {"←",
                                                                                    "→"};
    writer_text(end, "</script>\n<output aria-live=\"polite\"></output>\n<nav>");
    for (int i = 0; i < 2; i++) {
        writer_text(end, "<button aria-label=\"");
        svg_text(end, language_words(html->head->language, keys[i]));
        writer_format(end, "\">%s</button>", signs[i]);
    }
    writer_format(end, "</nav>\n<script>%s</script>\n</html>\n", script);
}

static bool save(void *deck, const char *path, Error *error) {
    Html *html = deck;
    Writer file = {.arena = html->arena};
    put_head(html, &file);
    put_pages(html, &file);
    put_end(html, &file);
    if (html->failed || arena_exhausted(html->arena))
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", path);
    return whole_file_write(path, file.text, file.length, error);
}

static void destroy(void *deck) {
    Html *html = deck;
    if (!html)
        return;
    png_destroy(html->png);
    arena_destroy(html->scratch);
    arena_destroy(html->arena);
    free(html);
}

static void *create(const DeckHead *head, Error *error) {
    Html *html = calloc(1, sizeof *html);
    if (html) {
        html->head = head;
        html->arena = arena_create(HTML_MAX_MEMORY);
        html->scratch = arena_create(SCRATCH_MEMORY);
        html->png = png_create();
    }
    if (html && html->arena && html->scratch && html->png)
        return html;
    destroy(html);
    error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for a deck");
    return NULL;
}

const DeckKind html_deck = {create, add_page, save, destroy};

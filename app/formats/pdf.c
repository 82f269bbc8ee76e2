#include "formats/formats_parts.h"

#include "base/array.h"
#include "base/strings/language.h"

#include <libdeflate.h>
#include <math.h>
#include <string.h>

enum {
    PAGE_MEMORY = 256 << 20,
    LEVEL = 9,
    SLIDE_WIDTH = 960, /* 1 / 72 inch, as slides are: 13⅓ inches */
    NOTE_LEFT = 160,
    NOTE_DOWN = 7,
    NOTE_SIZE = 20,
    SHEET_MARGIN = 30,
    CMAP_MOST = 100 /* lines of a table */
};

static const double INCH = 72, MILLIMETRES = 25.4; /* units and millimetres to one */

/* Objects that are numbered before they are written. */
typedef enum FixedObject {
    CATALOG = 1,
    PAGES,
    INFO,
    RESOURCES,
    OUTLINES,
    PLACES,
    FIXED_END
} FixedObject;

typedef struct PdfPage {
    size_t object; /* its number; that of its content follows */
    double width, height;
} PdfPage;

typedef struct Bookmark {
    size_t level; /* 0: a part, or a lesson of none; below it lessons, then steps */
    const char *title;
    size_t page;
} Bookmark;

/* A sheet of paper or a slide, what is drawn on it, and notes. */
typedef struct Leaf {
    PdfPage page;
    Writer content, notes;
} Leaf;

typedef struct Pdf {
    const DeckHead *head;
    Arena *arena, *page_arena; /* the latter's is forgotten page by page */
    struct libdeflate_compressor *compressor;
    PdfInk ink;
    Writer file;
    size_t object_count, place_capacity;
    size_t *places; /* where each object, from number 1 on, begins */
    size_t page_count, page_capacity;
    PdfPage *pages;
    size_t first; /* the page that the present lesson begins with */
    size_t bookmark_count, bookmark_capacity;
    Bookmark *bookmarks;
    Leaf leaf;      /* present leaf */
    size_t on_leaf; /* pages on the present leaf */
} Pdf;

/* ---- objects ---- */

static size_t new_object(Pdf *pdf) {
    pdf->places = array_reserve(pdf->arena, pdf->places, pdf->object_count,
                                &pdf->place_capacity, sizeof *pdf->places);
    pdf->places[pdf->object_count] = 0;
    return ++pdf->object_count;
}

static void begin_object(Pdf *pdf, size_t object) {
    pdf->places[object - 1] = pdf->file.length;
    writer_format(&pdf->file, "%zu 0 obj\n", object);
}

static void end_object(Pdf *pdf) {
    writer_text(&pdf->file, "\nendobj\n");
}

/* An object that is a stream of compressed bytes. */
static void put_stream(Pdf *pdf, size_t object, const char *bytes, size_t size) {
    size_t room = libdeflate_zlib_compress_bound(pdf->compressor, size);
    void *packed = arena_alloc(pdf->page_arena, room, 1);
    size_t length = libdeflate_zlib_compress(pdf->compressor, bytes, size, packed, room);
    begin_object(pdf, object);
    writer_format(&pdf->file, "<</Length %zu/Filter/FlateDecode>>stream\n", length);
    writer_put(&pdf->file, packed, length);
    writer_text(&pdf->file, "\nendstream");
    end_object(pdf);
}

/* ---- pages ---- */

static void add_bookmark(Pdf *pdf, size_t level, const char *title) {
    pdf->bookmarks = array_reserve(pdf->arena, pdf->bookmarks, pdf->bookmark_count,
                                   &pdf->bookmark_capacity, sizeof *pdf->bookmarks);
    const char *copy = arena_copy(pdf->arena, title, strlen(title));
    pdf->bookmarks[pdf->bookmark_count++] = (Bookmark){level, copy, pdf->page_count};
}

/* True if a title differs from the last bookmark of its level. */
static bool begins(const Pdf *pdf, size_t level, const char *title) {
    for (size_t i = pdf->bookmark_count; i-- > 0;) {
        if (pdf->bookmarks[i].level == level)
            return strcmp(pdf->bookmarks[i].title, title) != 0;
    }
    return true;
}

static void add_bookmarks(Pdf *pdf, const DeckPage *page) {
    bool has_part = page->part && *page->part;
    bool new_part = has_part && begins(pdf, 0, page->part);
    size_t level = has_part; /* of the lesson */
    if (new_part)
        add_bookmark(pdf, 0, page->part);
    if (new_part || begins(pdf, level, page->lesson))
        add_bookmark(pdf, level, page->lesson);
    if (page->step[0])
        add_bookmark(pdf, level + 1, page->step);
}

/* The sign of a note stands in the bar, left of which step it is. Paper has none. */
static void put_note(Pdf *pdf, const DeckPage *page) {
    Leaf *leaf = &pdf->leaf;
    if (pdf->head->handout || !page->notes || !*page->notes)
        return;
    double x = leaf->page.width - NOTE_LEFT, y = leaf->page.height - NOTE_DOWN;
    writer_text(&leaf->notes, "<</Type/Annot/Subtype/Text/Name/Note/F 24/Rect[");
    vector_numbers(&leaf->notes, (double[]){x, y - NOTE_SIZE, x + NOTE_SIZE, y}, 4);
    writer_text(&leaf->notes, "]/Contents");
    pdf_string(&leaf->notes, page->notes);
    writer_text(&leaf->notes, ">>");
}

/* Adds links to the pages of steps, "P7", from their small pictures and dots. Paper has
 * none. */
static void put_links(Pdf *pdf, const DeckPage *page, double scale) {
    Leaf *leaf = &pdf->leaf;
    size_t at = 0, target;
    Box box;
    while (!pdf->head->handout && vector_next_link(page, &at, &target, &box)) {
        double top = leaf->page.height - box.y * scale;
        writer_text(&leaf->notes, "<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[");
        vector_numbers(
            &leaf->notes,
            (double[]){box.x * scale, top - box.h * scale, (box.x + box.w) * scale, top},
            4);
        writer_format(&leaf->notes, "]/Dest/P%zu>>", pdf->first + target);
    }
}

/* Counts the pages beside each other and above each other on a sheet. */
static void count_places(const DeckHead *deck, size_t *across, size_t *down) {
    *across = deck->handout == 6 ? 2 : deck->handout == 4 ? 2 : 1;
    *down = deck->handout == 6 ? 3 : deck->handout ? 2 : 1;
}

/* The page's place on the sheet: the upper left corner, and how large a point is. */
static void place_page(const Pdf *pdf, const PdfPage *sheet, size_t place,
                       const Scene *scene, Point *corner, double *scale) {
    size_t across, down;
    count_places(pdf->head, &across, &down);
    double margin = pdf->head->handout ? SHEET_MARGIN : 0;
    double width = (sheet->width - margin) / (double)across - margin;
    double height = (sheet->height - margin) / (double)down - margin;
    *scale = fmin(width / scene->width, height / scene->height);
    corner->x = margin + (double)(place % across) * (width + margin) +
                (width - scene->width * *scale) / 2;
    corner->y = sheet->height - margin - (double)(place / across) * (height + margin) -
                (height - scene->height * *scale) / 2;
}

static PdfPage new_page(Pdf *pdf, const SheetPicture *picture) {
    const Scene *scene = picture->scene;
    const Paper *paper = pdf->head->paper;
    double width = picture->millimetres > 0 ? picture->millimetres * INCH / MILLIMETRES
                                            : SLIDE_WIDTH;
    PdfPage page = {new_object(pdf), width, width * scene->height / scene->width};
    new_object(pdf); /* its content */
    if (paper) {
        bool lies = pdf->head->handout == 4;
        page.width = lies ? paper->height : paper->width;
        page.height = lies ? paper->width : paper->height;
    }
    return page;
}

/* A thin frame, as paper has no edge around a page. */
static void put_frame(Writer *content, const Scene *scene, Point corner, double scale) {
    writer_text(content, "0.6 G 0.5 w ");
    vector_numbers(content,
                   (double[]){corner.x, corner.y - scene->height * scale,
                              scene->width * scale, scene->height * scale},
                   4);
    writer_text(content, " re S\n");
}

static void end_leaf(Pdf *pdf) {
    const Leaf *leaf = &pdf->leaf;
    pdf->pages = array_reserve(pdf->arena, pdf->pages, pdf->page_count,
                               &pdf->page_capacity, sizeof *pdf->pages);
    pdf->on_leaf = 0;
    pdf->pages[pdf->page_count++] = leaf->page;
    put_stream(pdf, leaf->page.object + 1, leaf->content.text, leaf->content.length);
    begin_object(pdf, leaf->page.object);
    writer_format(&pdf->file,
                  "<</Type/Page/Parent %d 0 R/Resources %d 0 R/Contents %zu 0 "
                  "R/MediaBox[0 0 %.6g %.6g]",
                  PAGES, RESOURCES, leaf->page.object + 1, leaf->page.width,
                  leaf->page.height);
    if (leaf->notes.length)
        writer_format(&pdf->file, "/Annots[%s]", leaf->notes.text);
    writer_text(&pdf->file, ">>");
    end_object(pdf);
    arena_reset(pdf->page_arena);
}

static void add_page(Deck *deck, const DeckPage *page) {
    Pdf *pdf = deck->own;
    const Scene *scene = page->picture.scene;
    Leaf *leaf = &pdf->leaf;
    if (!pdf->ink.fonts)
        pdf_ink_init(&pdf->ink, page->picture.fonts, pdf->arena);
    if (pdf->on_leaf == 0)
        *leaf = (Leaf){.page = new_page(pdf, &page->picture),
                       .content = {.arena = pdf->page_arena},
                       .notes = {.arena = pdf->page_arena}};
    Point corner;
    double scale;
    place_page(pdf, &leaf->page, pdf->on_leaf++, scene, &corner, &scale);
    add_bookmarks(pdf, page);
    pdf_ink_draw(&pdf->ink, &leaf->content, scene, corner.x, corner.y, scale);
    if (pdf->head->handout)
        put_frame(&leaf->content, scene, corner, scale);
    put_note(pdf, page);
    if (page->number == 0)
        pdf->first = pdf->page_count;
    put_links(pdf, page, scale);
    if (pdf->on_leaf >= pdf->head->handout)
        end_leaf(pdf);
}

/* ---- fonts ---- */

/* Writes the characters that a font's codes stand for. */
static void put_meanings(Pdf *pdf, size_t object, const PdfGlyph *glyphs, size_t count) {
    Writer writer = {.arena = pdf->page_arena};
    writer_text(&writer, "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
                         "/CMapName /Letters def /CMapType 2 def\n"
                         "1 begincodespacerange <00> <ff> endcodespacerange\n");
    for (size_t i = 0; i < count; i++) {
        if (i % CMAP_MOST == 0)
            writer_format(&writer, "%s%zu beginbfchar\n", i ? "endbfchar\n" : "",
                          count - i < CMAP_MOST ? count - i : (size_t)CMAP_MOST);
        writer_format(&writer, "<%02zx> <", i);
        pdf_utf16(&writer, glyphs[i].text);
        writer_text(&writer, ">\n");
    }
    writer_text(&writer,
                "endbfchar\nendcmap CMapName currentdict /CMap defineresource pop "
                "end end\n");
    put_stream(pdf, object, writer.text, writer.length);
    arena_reset(pdf->page_arena);
}

static size_t put_font(Pdf *pdf, const PdfGlyph *glyphs, size_t count) {
    size_t font = new_object(pdf), meanings = new_object(pdf),
           first = pdf->object_count + 1;
    for (size_t i = 0; i < count; i++)
        put_stream(pdf, new_object(pdf), glyphs[i].outline, strlen(glyphs[i].outline));
    put_meanings(pdf, meanings, glyphs, count);
    begin_object(pdf, font);
    writer_format(&pdf->file,
                  "<</Type/Font/Subtype/Type3/FontBBox[0 0 0 0]/FontMatrix[%g 0 0 %g 0 "
                  "0]/Resources<<>>/FirstChar 0/LastChar %zu/ToUnicode %zu 0 R/Widths[",
                  1.0 / VECTOR_EM, 1.0 / VECTOR_EM, count - 1, meanings);
    for (size_t i = 0; i < count; i++)
        writer_format(&pdf->file, "%s%ld", i ? " " : "", glyphs[i].advance);
    writer_text(&pdf->file, "]/Encoding<</Type/Encoding/Differences[0");
    for (size_t i = 0; i < count; i++)
        writer_format(&pdf->file, "/g%zx", i);
    writer_text(&pdf->file, "]>>/CharProcs<<");
    for (size_t i = 0; i < count; i++)
        writer_format(&pdf->file, "/g%zx %zu 0 R", i, first + i);
    writer_text(&pdf->file, ">>>>");
    end_object(pdf);
    return font;
}

static void put_resources(Pdf *pdf) {
    Writer fonts = {.arena = pdf->arena};
    for (size_t first = 0; first < pdf->ink.met.count; first += PDF_FONT_GLYPHS) {
        size_t left = pdf->ink.met.count - first;
        size_t object = put_font(pdf, pdf->ink.glyphs + first,
                                 left < PDF_FONT_GLYPHS ? left : (size_t)PDF_FONT_GLYPHS);
        writer_format(&fonts, "/F%zu %zu 0 R", first / PDF_FONT_GLYPHS + 1, object);
    }
    begin_object(pdf, RESOURCES);
    writer_format(&pdf->file, "<</Font<<%s>>/ExtGState<<", fonts.text ? fonts.text : "");
    for (unsigned a = 0; a < 256; a++) {
        if (pdf->ink.opacities[a])
            writer_format(&pdf->file, "/A%u<</ca %.4g/CA %.4g>>", a, a / 255.0,
                          a / 255.0);
    }
    writer_text(&pdf->file, ">>>>");
    end_object(pdf);
}

/* ---- bookmarks ---- */

/* The bookmark after `at` that is its sibling, or the count. */
static size_t next_sibling(const Pdf *pdf, size_t at) {
    size_t level = pdf->bookmarks[at].level, next = at + 1;
    while (next < pdf->bookmark_count && pdf->bookmarks[next].level > level)
        next++;
    bool is_one = next < pdf->bookmark_count && pdf->bookmarks[next].level == level;
    return is_one ? next : pdf->bookmark_count;
}

/* Writes those that stand below one object, first … before `end`; objects are numbered
 * `base` + bookmark. */
static void put_bookmarks(Pdf *pdf, size_t base, size_t parent, size_t first,
                          size_t end) {
    size_t last = pdf->bookmark_count;
    for (size_t at = first; at < end; at = next_sibling(pdf, at)) {
        const Bookmark *bookmark = &pdf->bookmarks[at];
        size_t next = next_sibling(pdf, at), inner = at + 1, inner_last = 0;
        size_t inner_end = at + 1;
        while (inner_end < pdf->bookmark_count &&
               pdf->bookmarks[inner_end].level > bookmark->level)
            inner_end++;
        size_t count = 0;
        for (size_t i = inner; i < inner_end; i = next_sibling(pdf, i), count++)
            inner_last = i;
        begin_object(pdf, base + at);
        writer_text(&pdf->file, "<</Title");
        pdf_string(&pdf->file, bookmark->title);
        writer_format(&pdf->file, "/Parent %zu 0 R/Dest[%zu 0 R/Fit]", parent,
                      pdf->pages[bookmark->page].object);
        if (last < pdf->bookmark_count)
            writer_format(&pdf->file, "/Prev %zu 0 R", base + last);
        if (next < end)
            writer_format(&pdf->file, "/Next %zu 0 R", base + next);
        if (count) /* closed at first, where there are lessons above steps */
            writer_format(&pdf->file, "/First %zu 0 R/Last %zu 0 R/Count %s%zu",
                          base + inner, base + inner_last, bookmark->level ? "-" : "",
                          count);
        writer_text(&pdf->file, ">>");
        end_object(pdf);
        if (count)
            put_bookmarks(pdf, base, base + at, inner, inner_end);
        last = at;
    }
}

static void put_outlines(Pdf *pdf) {
    size_t base = pdf->object_count + 1, last = 0, visible = 0;
    for (size_t i = 0; i < pdf->bookmark_count; i++)
        new_object(pdf);
    if (!pdf->bookmark_count)
        return;
    for (size_t i = 0; i < pdf->bookmark_count; i = next_sibling(pdf, i))
        last = i;
    for (size_t i = 0; i < pdf->bookmark_count; i++) /* only the outermost are open */
        visible += pdf->bookmarks[i].level <= 1;
    begin_object(pdf, OUTLINES);
    writer_format(&pdf->file, "<</Type/Outlines/First %zu 0 R/Last %zu 0 R/Count %zu>>",
                  base, base + last, visible);
    end_object(pdf);
    put_bookmarks(pdf, base, OUTLINES, 0, pdf->bookmark_count);
}

/* ---- the file ---- */

static void put_document(Pdf *pdf) {
    Writer *file = &pdf->file;
    begin_object(pdf, CATALOG);
    writer_format(
        file, "<</Type/Catalog/Pages %d 0 R/Outlines %d 0 R/PageMode/UseOutlines/Lang",
        PAGES, OUTLINES);
    pdf_string(file, pdf->head->language->code);
    writer_format(file, "/ViewerPreferences<</DisplayDocTitle true>>/Dests %d 0 R>>",
                  PLACES);
    end_object(pdf);
    begin_object(pdf, PLACES);
    writer_text(file, "<<");
    for (size_t i = 0; i < pdf->page_count; i++)
        writer_format(file, "/P%zu[%zu 0 R/Fit]", i, pdf->pages[i].object);
    writer_text(file, ">>");
    end_object(pdf);
    begin_object(pdf, PAGES);
    writer_format(file, "<</Type/Pages/Count %zu/Kids[", pdf->page_count);
    for (size_t i = 0; i < pdf->page_count; i++)
        writer_format(file, "%zu 0 R ", pdf->pages[i].object);
    writer_text(file, "]>>");
    end_object(pdf);
    begin_object(pdf, INFO);
    writer_text(file, "<</Title");
    pdf_string(file, pdf->head->title);
    writer_text(file, "/Producer(Glassformer)>>");
    end_object(pdf);
}

static void put_places(Pdf *pdf) {
    Writer *file = &pdf->file;
    size_t start = file->length;
    writer_format(file, "xref\n0 %zu\n0000000000 65535 f \n", pdf->object_count + 1);
    for (size_t i = 0; i < pdf->object_count; i++)
        writer_format(file, "%010zu 00000 n \n", pdf->places[i]);
    writer_format(
        file, "trailer\n<</Size %zu/Root %d 0 R/Info %d 0 R>>\nstartxref\n%zu\n%%%%EOF\n",
        pdf->object_count + 1, CATALOG, INFO, start);
}

static void finish(Deck *deck) {
    Pdf *pdf = deck->own;
    libdeflate_free_compressor(pdf->compressor);
}

static void begin(Deck *deck) {
    Pdf *pdf = deck->own;
    pdf->head = deck->head;
    pdf->arena = pdf->file.arena = deck->arena;
    pdf->page_arena = arena_create_within(deck->arena, PAGE_MEMORY);
    pdf->compressor = libdeflate_alloc_compressor(LEVEL);
    vector_need(deck->arena, pdf->compressor);
    writer_text(&pdf->file, "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n");
    for (size_t i = 1; i < FIXED_END; i++)
        new_object(pdf);
}

static bool save(Deck *deck, const char *path, Error *error) {
    Pdf *pdf = deck->own;
    if (pdf->on_leaf)
        end_leaf(pdf);
    put_resources(pdf);
    put_outlines(pdf);
    put_document(pdf);
    put_places(pdf);
    return whole_file_write(path, pdf->file.text, pdf->file.length, error);
}

const DeckKind pdf_deck = {"a deck", sizeof(Pdf), begin, add_page, save, finish, NULL};

#include "formats/formats_parts.h"

#include "base/array.h"
#include "base/strings/language.h"

#include <stdlib.h>
#include <string.h>

enum {
    PPTX_MAX_MEMORY = 1 << 30,
    WIDTH = 12192000, /* of a slide, in 1/914400 inch: 13⅓ inches */
    NOTES_WIDTH = 6858000,
    NOTES_HEIGHT = 9144000
};

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define SPACES                                                                           \
    " xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\""                 \
    " xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\""   \
    " xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\""
#define RELATION "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
#define TREE                                                                             \
    "<p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>"   \
    "<p:grpSpPr/>"
#define COLORS                                                                           \
    "<p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" accent1=\"accent1\""      \
    " accent2=\"accent2\" accent3=\"accent3\" accent4=\"accent4\" accent5=\"accent5\""   \
    " accent6=\"accent6\" hlink=\"hlink\" folHlink=\"folHlink\"/>"

/* A slide's parts, as they will stand in the file. */
typedef struct Slide {
    const char *text, *notes; /* XML */
    uint8_t *picture;         /* a PNG, on the heap */
    size_t size;
} Slide;

typedef struct Pptx {
    const DeckHead *head;
    Arena *arena;
    Film film;
    Png *png;
    size_t count, capacity;
    Slide *slides;
    bool failed;
} Pptx;

/* ---- slides ---- */

static const char *slide_text(Pptx *pptx, const DeckPage *page) {
    Writer writer = {.arena = pptx->arena};
    const SheetPicture *picture = &page->picture;
    size_t height = (size_t)WIDTH * picture->height / picture->width;
    writer_text(&writer, HEAD "<p:sld" SPACES "><p:cSld name=\"");
    svg_text(&writer, page->step);
    writer_text(&writer, "\"><p:spTree>" TREE
                         "<p:pic><p:nvPicPr><p:cNvPr id=\"2\" name=\"Picture\" descr=\"");
    svg_text(&writer, page->said ? page->said : page->step);
    writer_format(
        &writer,
        "\"/><p:cNvPicPr><a:picLocks noChangeAspect=\"1\"/></p:cNvPicPr>"
        "<p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed=\"rId2\"/>"
        "<a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>"
        "<a:off x=\"0\" y=\"0\"/><a:ext cx=\"%d\" cy=\"%zu\"/></a:xfrm>"
        "<a:prstGeom prst=\"rect\"/></p:spPr></p:pic></p:spTree></p:cSld></p:sld>",
        WIDTH, height);
    return writer.full ? NULL : writer.text;
}

static const char *notes_text(Pptx *pptx, const DeckPage *page) {
    Writer writer = {.arena = pptx->arena};
    writer_text(&writer, HEAD
                "<p:notes" SPACES "><p:cSld><p:spTree>" TREE
                "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Notes\"/><p:cNvSpPr/>"
                "<p:nvPr><p:ph type=\"body\" idx=\"1\"/></p:nvPr></p:nvSpPr><p:spPr/>"
                "<p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang=\"");
    svg_text(&writer, pptx->head->language->code);
    writer_text(&writer, "\"/><a:t>");
    svg_text(&writer, page->notes ? page->notes : "");
    writer_text(&writer,
                "</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:notes>");
    return writer.full ? NULL : writer.text;
}

/* The page's picture as a PNG of its own memory. */
static bool pack_picture(Pptx *pptx, const DeckPage *page, Slide *slide) {
    const Film *film = &pptx->film;
    Error error;
    if (!film_paint(&pptx->film, page) ||
        !png_begin(pptx->png, film->width, film->height, &error))
        return false;
    png_add(pptx->png, film->now, film->height, film->width);
    const uint8_t *bytes = png_pack(pptx->png, &slide->size, &error);
    slide->picture = bytes ? malloc(slide->size) : NULL;
    if (slide->picture)
        memcpy(slide->picture, bytes, slide->size);
    return slide->picture != NULL;
}

static void add_page(void *deck, const DeckPage *page) {
    Pptx *pptx = deck;
    if (pptx->failed)
        return;
    Slide *slides = array_reserve(pptx->arena, pptx->slides, pptx->count, &pptx->capacity,
                                  sizeof *slides);
    pptx->failed = !slides;
    if (!slides)
        return;
    pptx->slides = slides;
    Slide *slide = &slides[pptx->count++];
    *slide = (Slide){slide_text(pptx, page), notes_text(pptx, page), NULL, 0};
    pptx->failed = !slide->text || !slide->notes || !pack_picture(pptx, page, slide);
}

/* ---- what is the same in every deck ---- */

static const char theme[] = HEAD
    "<a:theme xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" "
    "name=\"Plain\"><a:themeElements><a:clrScheme name=\"Plain\">"
    "<a:dk1><a:srgbClr val=\"000000\"/></a:dk1><a:lt1><a:srgbClr val=\"FFFFFF\"/></a:lt1>"
    "<a:dk2><a:srgbClr val=\"465061\"/></a:dk2><a:lt2><a:srgbClr val=\"F3F5F9\"/></a:lt2>"
    "<a:accent1><a:srgbClr val=\"006AD6\"/></a:accent1>"
    "<a:accent2><a:srgbClr val=\"BB4D05\"/></a:accent2>"
    "<a:accent3><a:srgbClr val=\"2D7D51\"/></a:accent3>"
    "<a:accent4><a:srgbClr val=\"6B38AA\"/></a:accent4>"
    "<a:accent5><a:srgbClr val=\"015666\"/></a:accent5>"
    "<a:accent6><a:srgbClr val=\"644500\"/></a:accent6>"
    "<a:hlink><a:srgbClr val=\"006AD6\"/></a:hlink>"
    "<a:folHlink><a:srgbClr val=\"6B38AA\"/></a:folHlink></a:clrScheme>"
    "<a:fontScheme name=\"Plain\"><a:majorFont><a:latin typeface=\"Arial\"/>"
    "<a:ea typeface=\"\"/><a:cs typeface=\"\"/></a:majorFont><a:minorFont>"
    "<a:latin typeface=\"Arial\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/>"
    "</a:minorFont></a:fontScheme><a:fmtScheme name=\"Plain\"><a:fillStyleLst>"
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>"
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>"
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:fillStyleLst>"
    "<a:lnStyleLst><a:ln><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln>"
    "<a:ln><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln>"
    "<a:ln><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln></a:lnStyleLst>"
    "<a:effectStyleLst><a:effectStyle><a:effectLst/></a:effectStyle>"
    "<a:effectStyle><a:effectLst/></a:effectStyle>"
    "<a:effectStyle><a:effectLst/></a:effectStyle></a:effectStyleLst><a:bgFillStyleLst>"
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>"
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>"
    "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:bgFillStyleLst>"
    "</a:fmtScheme></a:themeElements></a:theme>";

#define RELATIONS(rows)                                                                  \
    HEAD "<Relationships "                                                               \
         "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" rows  \
         "</Relationships>"
#define ROW(id, type, target)                                                            \
    "<Relationship Id=\"rId" id "\" Type=\"" RELATION type "\" Target=\"" target "\"/>"

static const struct {
    const char *name, *text;
} parts[] = {
    {"_rels/.rels",
     RELATIONS(ROW("1", "officeDocument",
                   "ppt/presentation.xml") "<Relationship Id=\"rId2\" "
                                           "Type=\"http://schemas.openxmlformats.org/"
                                           "package/2006/relationships/"
                                           "metadata/core-properties\" "
                                           "Target=\"docProps/core.xml\"/>")},
    {"ppt/theme/theme1.xml", theme},
    {"ppt/theme/theme2.xml", theme},
    {"ppt/slideMasters/slideMaster1.xml",
     HEAD "<p:sldMaster" SPACES "><p:cSld><p:bg><p:bgRef idx=\"1001\"><a:schemeClr "
          "val=\"bg1\"/></p:bgRef></p:bg><p:spTree>" TREE "</p:spTree></p:cSld>" COLORS
          "<p:sldLayoutIdLst><p:sldLayoutId id=\"2147483649\" r:id=\"rId1\"/>"
          "</p:sldLayoutIdLst></p:sldMaster>"},
    {"ppt/slideMasters/_rels/slideMaster1.xml.rels",
     RELATIONS(ROW("1", "slideLayout", "../slideLayouts/slideLayout1.xml")
                   ROW("2", "theme", "../theme/theme1.xml"))},
    {"ppt/slideLayouts/slideLayout1.xml",
     HEAD "<p:sldLayout" SPACES " type=\"blank\"><p:cSld name=\"Blank\"><p:spTree>" TREE
          "</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"
          "</p:sldLayout>"},
    {"ppt/slideLayouts/_rels/slideLayout1.xml.rels",
     RELATIONS(ROW("1", "slideMaster", "../slideMasters/slideMaster1.xml"))},
    {"ppt/notesMasters/notesMaster1.xml",
     HEAD "<p:notesMaster" SPACES "><p:cSld><p:bg><p:bgRef idx=\"1001\"><a:schemeClr "
          "val=\"bg1\"/></p:bgRef></p:bg><p:spTree>" TREE
          "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Notes\"/><p:cNvSpPr/><p:nvPr>"
          "<p:ph type=\"body\" idx=\"1\"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm>"
          "<a:off x=\"685800\" y=\"4400550\"/><a:ext cx=\"5486400\" cy=\"3600450\"/>"
          "</a:xfrm><a:prstGeom prst=\"rect\"/></p:spPr><p:txBody><a:bodyPr/><a:p/>"
          "</p:txBody></p:sp></p:spTree></p:cSld>" COLORS "</p:notesMaster>"},
    {"ppt/notesMasters/_rels/notesMaster1.xml.rels",
     RELATIONS(ROW("1", "theme", "../theme/theme2.xml"))},
};

/* ---- the file ---- */

static void put_part(Pptx *pptx, Zip *zip, const char *name, const Writer *writer) {
    pptx->failed |= writer->full;
    if (!pptx->failed)
        zip_put(zip, name, writer->text, writer->length);
}

#define TYPE "application/vnd.openxmlformats-officedocument.presentationml."

static void put_types(Pptx *pptx, Zip *zip) {
    Writer writer = {.arena = pptx->arena};
    writer_text(
        &writer, HEAD
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
        "<Default Extension=\"rels\" "
        "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
        "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
        "<Default Extension=\"png\" ContentType=\"image/png\"/>"
        "<Override PartName=\"/docProps/core.xml\" "
        "ContentType=\"application/vnd.openxmlformats-package.core-properties+xml\"/>"
        "<Override PartName=\"/ppt/presentation.xml\" ContentType=\"" TYPE
        "presentation.main+xml\"/>"
        "<Override PartName=\"/ppt/slideMasters/slideMaster1.xml\" ContentType=\"" TYPE
        "slideMaster+xml\"/>"
        "<Override PartName=\"/ppt/slideLayouts/slideLayout1.xml\" ContentType=\"" TYPE
        "slideLayout+xml\"/>"
        "<Override PartName=\"/ppt/notesMasters/notesMaster1.xml\" ContentType=\"" TYPE
        "notesMaster+xml\"/>");
    for (int i = 1; i <= 2; i++)
        writer_format(&writer,
                      "<Override PartName=\"/ppt/theme/theme%d.xml\" "
                      "ContentType=\"application/vnd.openxmlformats-officedocument.theme"
                      "+xml\"/>",
                      i);
    for (size_t i = 1; i <= pptx->count; i++)
        writer_format(
            &writer,
            "<Override PartName=\"/ppt/slides/slide%zu.xml\" ContentType=\"" TYPE
            "slide+xml\"/><Override PartName=\"/ppt/notesSlides/notesSlide%zu.xml"
            "\" ContentType=\"" TYPE "notesSlide+xml\"/>",
            i, i);
    writer_text(&writer, "</Types>");
    put_part(pptx, zip, "[Content_Types].xml", &writer);
}

static void put_presentation(Pptx *pptx, Zip *zip) {
    Writer text = {.arena = pptx->arena}, relations = text, core = text;
    writer_text(&text, HEAD "<p:presentation" SPACES "><p:sldMasterIdLst><p:sldMasterId "
                            "id=\"2147483648\" r:id=\"rId1\"/></p:sldMasterIdLst>"
                            "<p:notesMasterIdLst><p:notesMasterId r:id=\"rId2\"/>"
                            "</p:notesMasterIdLst><p:sldIdLst>");
    writer_text(
        &relations,
        HEAD "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/"
             "relationships\">" ROW("1", "slideMaster", "slideMasters/slideMaster1.xml")
                 ROW("2", "notesMaster", "notesMasters/notesMaster1.xml")
                     ROW("3", "theme", "theme/theme1.xml"));
    for (size_t i = 1; i <= pptx->count; i++) {
        writer_format(&text, "<p:sldId id=\"%zu\" r:id=\"rId%zu\"/>", 255 + i, 3 + i);
        writer_format(&relations,
                      "<Relationship Id=\"rId%zu\" Type=\"" RELATION
                      "slide\" Target=\"slides/slide%zu.xml\"/>",
                      3 + i, i);
    }
    writer_format(&text,
                  "</p:sldIdLst><p:sldSz cx=\"%d\" cy=\"%zu\"/><p:notesSz cx=\"%d\" "
                  "cy=\"%d\"/></p:presentation>",
                  WIDTH, (size_t)WIDTH * pptx->film.height / pptx->film.width,
                  NOTES_WIDTH, NOTES_HEIGHT);
    writer_text(&relations, "</Relationships>");
    writer_text(&core, HEAD
                "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/"
                "2006/metadata/core-properties\" "
                "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>");
    svg_text(&core, pptx->head->title);
    writer_format(&core, "</dc:title><dc:language>%s</dc:language></cp:coreProperties>",
                  pptx->head->language->code);
    put_part(pptx, zip, "ppt/presentation.xml", &text);
    put_part(pptx, zip, "ppt/_rels/presentation.xml.rels", &relations);
    put_part(pptx, zip, "docProps/core.xml", &core);
}

/* Writes a text with its "#" as a number; 0: as it is. */
static void put_numbered(Writer *writer, const char *text, size_t number) {
    for (; *text; text++) {
        if (*text == '#' && number)
            writer_size(writer, number);
        else
            writer_put(writer, text, 1);
    }
}

static void put_slide(Pptx *pptx, Zip *zip, size_t number) {
    const Slide *slide = &pptx->slides[number - 1];
    const struct {
        const char *name, *text;
    } own[] = {{"ppt/slides/slide#.xml", slide->text},
               {"ppt/notesSlides/notesSlide#.xml", slide->notes},
               {"ppt/slides/_rels/slide#.xml.rels",
                RELATIONS(ROW("1", "slideLayout", "../slideLayouts/slideLayout1.xml")
                              ROW("2", "image", "../media/image#.png") ROW(
                                  "3", "notesSlide", "../notesSlides/notesSlide#.xml"))},
               {"ppt/notesSlides/_rels/notesSlide#.xml.rels",
                RELATIONS(ROW("1", "notesMaster", "../notesMasters/notesMaster1.xml")
                              ROW("2", "slide", "../slides/slide#.xml"))}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        Writer name = {.arena = pptx->arena}, text = {.arena = pptx->arena};
        put_numbered(&name, own[i].name, number);
        put_numbered(&text, own[i].text, i < 2 ? 0 : number);
        put_part(pptx, zip, name.full ? "" : name.text, &text);
    }
    Writer name = {.arena = pptx->arena};
    put_numbered(&name, "ppt/media/image#.png", number);
    pptx->failed |= name.full;
    if (!pptx->failed)
        zip_put(zip, name.text, slide->picture, slide->size);
}

static bool save(void *deck, const char *path, Error *error) {
    Pptx *pptx = deck;
    Zip zip;
    if (pptx->failed)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", path);
    zip_begin(&zip, path);
    put_types(pptx, &zip);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        zip_put(&zip, parts[i].name, parts[i].text, strlen(parts[i].text));
    put_presentation(pptx, &zip);
    for (size_t i = 1; i <= pptx->count; i++)
        put_slide(pptx, &zip, i);
    zip.has_memory = zip.has_memory && !pptx->failed && !arena_exhausted(pptx->arena);
    return zip_end(&zip, error);
}

static void destroy(void *deck) {
    Pptx *pptx = deck;
    if (!pptx)
        return;
    for (size_t i = 0; i < pptx->count; i++)
        free(pptx->slides[i].picture);
    film_finish(&pptx->film);
    png_destroy(pptx->png);
    arena_destroy(pptx->arena);
    free(pptx);
}

static void *create(const DeckHead *head, Error *error) {
    Pptx *pptx = calloc(1, sizeof *pptx);
    if (pptx) {
        pptx->head = head;
        pptx->arena = arena_create(PPTX_MAX_MEMORY);
        pptx->png = png_create();
    }
    if (pptx && pptx->arena && pptx->png)
        return pptx;
    destroy(pptx);
    error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for a deck");
    return NULL;
}

const DeckKind pptx_deck = {create, add_page, save, destroy};

#include "formats/format.h"

#include "files/export_npz.h"
#include "formats/apng.h"
#include "formats/gif.h"
#include "formats/html.h"
#include "formats/pdf.h"
#include "formats/svg.h"

static bool write_svg(Sheet *sheet, const char *path, Error *error) {
    SheetPicture picture = sheet_picture(sheet);
    return svg_write(picture.scene, picture.fonts, picture.width, picture.height, path,
                     error);
}

/* A worksheet comes before tensors: those that go with it are of its numbers. */
static const Format formats[] = {
    {.name = "png", .ending = "png", .write_page = sheet_write},
    {.name = "svg", .ending = "svg", .write_page = write_svg},
    {.name = "pdf", .ending = "pdf", .deck = &pdf_deck},
    {.name = "html", .ending = "html", .deck = &html_deck},
    {.name = "gif", .ending = "gif", .deck = &gif_deck, .is_film = true},
    {.name = "apng", .ending = "apng", .deck = &apng_deck, .is_film = true},
    {.name = "worksheet", .ending = "pdf", .deck = &pdf_deck, .is_worksheet = true},
    {.name = "npz", .ending = "npz", .write_tensors = export_npz},
    {.name = "csv", .ending = "csv", .write_tensors = export_csv},
};

static const Paper papers[] = {{"a4", 595, 842}, {"letter", 612, 792}};

const Format *format_at(size_t index) {
    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}

bool formats_have_decks(unsigned asked) {
    bool any = false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        any |= formats[i].deck && !formats[i].is_worksheet && asked >> i & 1;
    return any;
}

bool formats_have_worksheets(unsigned asked) {
    bool any = false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        any |= formats[i].is_worksheet && asked >> i & 1;
    return any;
}

const Paper *paper_at(size_t index) {
    return index < sizeof papers / sizeof *papers ? &papers[index] : NULL;
}

size_t deck_page_of(const DeckPage *page, size_t step) {
    size_t i = 0;
    while (i < page->step_count && page->steps[i] != step)
        i++;
    return i;
}

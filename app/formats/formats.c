#include "formats/format.h"

#include "formats/formats_parts.h"

#include <string.h>

static bool write_svg(Sheet *sheet, const char *path, Error *error) {
    SheetPicture picture = sheet_picture(sheet);
    return svg_write(&picture, path, error);
}

/* A worksheet comes before tensors: those that go with it are of its numbers. */
static const Format formats[] = {
    {.name = "png", .ending = "png", .write_page = sheet_write},
    {.name = "svg", .ending = "svg", .has_width = true, .write_page = write_svg},
    {.name = "pdf", .ending = "pdf", .has_width = true, .deck = &pdf_deck},
    {.name = "pptx", .ending = "pptx", .deck = &pptx_deck, .says = true},
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

const Format *format_of_file(const char *name, unsigned asked) {
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].deck && asked >> i & 1 &&
            strcmp(ending + 1, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

static bool is_deck(const Format *format) {
    return format->deck && format->has_width;
}

static bool is_worksheet(const Format *format) {
    return format->is_worksheet;
}

static bool has_numbers(const Format *format) {
    return format->is_worksheet || format->write_tensors;
}

static bool has_width(const Format *format) {
    return format->has_width;
}

static bool any(unsigned asked, bool (*holds)(const Format *format)) {
    bool found = false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        found |= asked >> i & 1 && holds(&formats[i]);
    return found;
}

bool formats_have_decks(unsigned asked) {
    return any(asked, is_deck);
}

bool formats_have_worksheets(unsigned asked) {
    return any(asked, is_worksheet);
}

bool formats_have_numbers(unsigned asked) {
    return any(asked, has_numbers);
}

bool formats_have_width(unsigned asked) {
    return any(asked, has_width);
}

const Paper *paper_at(size_t index) {
    return index < sizeof papers / sizeof *papers ? &papers[index] : NULL;
}

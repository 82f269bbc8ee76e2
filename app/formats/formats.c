#include "formats/format.h"

#include "formats/formats_parts.h"

#include <string.h>

static bool write_png(Sheet *sheet, WholeFile *file, Error *error) {
    size_t size;
    const uint8_t *bytes = sheet_pack(sheet, &size, error);
    if (bytes)
        whole_file_add(file, bytes, size);
    return bytes;
}

static bool write_svg(Sheet *sheet, WholeFile *file, Error *error) {
    SheetPicture picture = sheet_picture(sheet);
    return svg_write(&picture, file, error);
}

/* A worksheet comes before tensors: those that go with it are of its numbers. */
static const Format formats[] = {
    {.name = "png", .ending = "png", .write_page = write_png},
    {.name = "svg", .ending = "svg", .traits = FORMAT_HAS_WIDTH, .write_page = write_svg},
    {.name = "pdf",
     .ending = "pdf",
     .traits = FORMAT_HAS_WIDTH | FORMAT_HAS_HANDOUT | FORMAT_PRESENTS,
     .deck = &pdf_deck},
    {.name = "pptx",
     .ending = "pptx",
     .traits = FORMAT_SAYS | FORMAT_PRESENTS,
     .deck = &pptx_deck},
    {.name = "html",
     .ending = "html",
     .traits = FORMAT_SAYS | FORMAT_PRESENTS,
     .deck = &html_deck},
    {.name = "gif", .ending = "gif", .traits = FORMAT_IS_FILM, .deck = &gif_deck},
    {.name = "apng", .ending = "apng", .traits = FORMAT_IS_FILM, .deck = &apng_deck},
    {.name = "worksheet",
     .ending = "pdf",
     .traits = FORMAT_IS_WORKSHEET | FORMAT_HAS_NUMBERS,
     .deck = &pdf_deck},
    {.name = "exam",
     .ending = "pdf",
     .traits = FORMAT_IS_WORKSHEET | FORMAT_IS_EXAM | FORMAT_HAS_NUMBERS,
     .deck = &pdf_deck},
    {.name = "npz",
     .ending = "npz",
     .traits = FORMAT_HAS_NUMBERS,
     .write_tensors = export_npz},
    {.name = "csv",
     .ending = "csv",
     .traits = FORMAT_HAS_NUMBERS,
     .write_tensors = export_csv,
     .is_abridged = true},
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

bool formats_have(unsigned asked, FormatTraits trait) {
    bool found = false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        found |= asked >> i & 1 && formats[i].traits & trait;
    return found;
}

const Paper *paper_at(size_t index) {
    return index < sizeof papers / sizeof *papers ? &papers[index] : NULL;
}

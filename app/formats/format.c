#include "formats/format.h"

#include "files/export_npz.h"
#include "formats/svg.h"

static bool write_svg(Sheet *sheet, const char *path, Error *error) {
    SheetPicture picture = sheet_picture(sheet);
    return svg_write(picture.scene, picture.fonts, picture.width, picture.height, path,
                     error);
}

static const Format formats[] = {
    {.name = "png", .write_page = sheet_write},
    {.name = "svg", .write_page = write_svg},
    {.name = "pdf", .is_deck = true},
    {.name = "npz", .write_tensors = export_npz},
    {.name = "csv", .write_tensors = export_csv},
};

const Format *format_at(size_t index) {
    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}

/* A sheet: one picture, with all it takes to lay it out, paint and write it.
 *
 * What `export`, `play --png` and the window's S write comes from here, so equal steps
 * give equal files. A sheet is used again from picture to picture, by one thread; several
 * threads have a sheet each. It needs no display. Pictures are painted strip by strip,
 * each compressed while it is still at hand, so that their pixels never stand in memory
 * whole. */
#ifndef APP_SHEET_H
#define APP_SHEET_H

#include "drive/drive.h"
#include "paint/fonts.h"
#include "picture/page/page.h"
#include "picture/page/worksheet.h"

typedef struct Sheet Sheet;

/* A sheet of that many pixels. NULL with ERROR_FILE when there are no fonts, ERROR_MEMORY
 * when memory is short. The caller destroys it. */
Sheet *sheet_create(size_t width, size_t height, Error *error);

/* Says how wide its pictures are on paper. */
void sheet_set_millimetres(Sheet *sheet, double millimetres);

/* NULL is fine. */
void sheet_destroy(Sheet *sheet);

/* Lays out what a session shows, with how it differs from the lesson but without anything
 * that asks for keys or follows the pointer; with the help, when it is open.
 * ERROR_MEMORY. */
bool sheet_lay_out(Sheet *sheet, Session *session, Error *error);

/* The same for a page, whose metrics and size are the sheet's own. */
bool sheet_lay_out_page(Sheet *sheet, const Page *page, Error *error);

/* What a page says, and the sum of the cell that it explains alone, in the arena; NULL
 * when that is exhausted. */
const char *sheet_read_page(const Sheet *sheet, const Page *page, Arena *arena);
const char *sheet_read_sum(const Sheet *sheet, const Page *page, Arena *arena);

/* The same for a worksheet's page, which begins with exercise *next; that becomes the
 * next page's, or the exercises' count. The first counts the pages. */
bool sheet_lay_out_worksheet(Sheet *sheet, Worksheet *worksheet, size_t *next,
                             Error *error);

/* What was laid out last, for whoever doesn't paint it. */
typedef struct SheetPicture {
    const Scene *scene;
    Fonts *fonts;
    size_t width, height; /* pixels */
    double millimetres;   /* that it is wide on paper; 0: nobody has said */
} SheetPicture;

/* Borrowed until something else is laid out. */
SheetPicture sheet_picture(const Sheet *sheet);

/* Paints what was laid out last, which must not have changed: the bytes of a PNG file,
 * borrowed until the next is painted. NULL with ERROR_MEMORY. */
const uint8_t *sheet_pack(Sheet *sheet, size_t *size, Error *error);

/* Writes them, whole or not at all. ERROR_FILE, ERROR_MEMORY. */
bool sheet_write(Sheet *sheet, const char *path, Error *error);

#endif

/* A sheet: lays out, paints and writes one picture.
 *
 * `export`, `play --png` and the window's S use it, so equal steps give equal files. A
 * sheet is reused from picture to picture by one thread; several threads have a sheet
 * each. It needs no display. Pictures are painted strip by strip, and each strip is
 * compressed at once, so that the pixels of a whole picture are never in memory. */
#pragma once

#include "picture/page/page.h"

typedef struct Error Error;
typedef struct Fonts Fonts;
typedef struct Session Session;
typedef struct Sheet Sheet;
typedef struct Worksheet Worksheet;

/* Creates a sheet of that many pixels. Returns NULL with ERROR_FILE if there are no
 * fonts, or with ERROR_MEMORY. The caller destroys it. */
Sheet *sheet_create(size_t width, size_t height, Error *error);

/* Sets the width of its pictures on paper. */
void sheet_set_millimetres(Sheet *sheet, double millimetres);

/* NULL is fine. */
void sheet_destroy(Sheet *sheet);

/* Lays out what a session shows, with the differences from the lesson and the help if it
 * is open, but without requests for keys and without what follows the pointer.
 * ERROR_MEMORY. */
bool sheet_lay_out(Sheet *sheet, Session *session, Error *error);

/* Lays out a page; the sheet's own metrics and size are used. */
bool sheet_lay_out_page(Sheet *sheet, const Page *page, Error *error);

/* Return the text of a page, and that of the computation of its explained cell alone, in
 * the arena; NULL if that is exhausted. */
const char *sheet_read_page(const Sheet *sheet, const Page *page, Arena *arena);
const char *sheet_read_sum(const Sheet *sheet, const Page *page, Arena *arena);

/* Lays out a page of a worksheet that begins with exercise *next, and sets *next to the
 * next page's first exercise, or to the number of exercises. The first call counts the
 * pages. */
bool sheet_lay_out_worksheet(Sheet *sheet, Worksheet *worksheet, size_t *next,
                             Error *error);

/* Last layout, for callers that don't paint it. */
typedef struct SheetPicture {
    const Scene *scene;
    Fonts *fonts;
    size_t width, height; /* pixels */
    double millimetres;   /* width on paper; 0: not set */
} SheetPicture;

/* Returns the last layout, borrowed until something else is laid out. */
SheetPicture sheet_picture(const Sheet *sheet);

/* Paints the last layout, which must not have changed; returns the bytes of a PNG file,
 * borrowed until the next painting, or NULL with ERROR_MEMORY. */
const uint8_t *sheet_pack(Sheet *sheet, size_t *size, Error *error);

/* Writes the PNG file, whole or not at all. ERROR_FILE, ERROR_MEMORY. */
bool sheet_write(Sheet *sheet, const char *path, Error *error);

/* Parts of a worksheet, for its own files. */
#pragma once

#include "lesson/practise/practise.h"
#include "picture/page/page.h"
#include "picture/page/page_parts.h"

/* The page being filled. */
typedef struct Paper {
    const Worksheet *worksheet;
    const PageParts *parts; /* of the present question */
    const Canvas *canvas;
    WorksheetQuestion *question; /* the present one */
    Box column;  /* room that is left; questions may reach below it while measured */
    double room; /* additional room of each question for work */
    bool writes_into_picture; /* the row asked for has its only blank cells there */
} Paper;

/* Exercise of the present question. */
const Exercise *paper_exercise(const Paper *paper);

/* Cuts a strip off the column, whether or not there is room for it. */
Box paper_take(Paper *paper, double height);

/* ---- pictures: worksheet_picture.c ---- */

/* Draws the picture of the present question from the column's upper left corner, small,
 * with blank cells on a sheet; returns its size. Chooses the area that it is laid out in
 * while the question is measured. */
Box paper_draw_picture(Paper *paper);

/* Writes "Given: X[I, 0] = 0.3643, …" with as many digits as necessary for numbers that
 * the picture, which begins with item `first`, doesn't print. */
void paper_put_givens(Paper *paper, size_t first);

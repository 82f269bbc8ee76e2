/* A menu: what can be done with the thing under the pointer, beside it. */
#ifndef PICTURE_MENU_H
#define PICTURE_MENU_H

#include "picture/explain/cell_name.h"

typedef struct MenuRow {
    const char *words, *key; /* key: "" for none */
    const char *why;         /* NULL: it can be done */
} MenuRow;

typedef struct Menu {
    const char *title;    /* what it is about, or NULL: … */
    CellName cell;        /* … this cell … */
    const Player *player; /* … of this lesson */
    size_t count;
    const MenuRow *rows;
    size_t chosen; /* of the rows; `count`: none */
    Link link;     /* of a row, with its place, from 1, as row */
    Point at;      /* its corner, where there is room */
} Menu;

/* Draws it within the page; of a chosen row that can't be done below it why. */
void menu_draw(const Canvas *canvas, const Menu *menu);

#endif

/* A menu beside the item under the pointer, with its commands. */
#pragma once

#include "picture/explain/explain.h"

typedef struct MenuRow {
    const char *words, *key; /* key: "" for none */
    const char *why;         /* NULL: enabled */
} MenuRow;

typedef struct Menu {
    const char *title;    /* title, or NULL: the cell's name */
    CellName cell;        /* cell that the menu is about */
    const Player *player; /* lesson of the cell */
    size_t count;
    const MenuRow *rows;
    size_t chosen; /* among the rows; `count`: none */
    Link link;     /* link of a row, with its number, from 1, as row */
    Point at;      /* its corner, if there is room */
} Menu;

/* Draws the menu within the page; if the chosen row is disabled, with the reason below
 * it. */
void menu_draw(const Canvas *canvas, const Menu *menu);

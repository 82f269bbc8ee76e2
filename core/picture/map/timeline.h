/* The timeline along the bottom of a page. */
#pragma once

#include "picture/stage/page_content.h"

/* Draws the lesson's statements as dots, with chapter names below. */
void timeline_draw(const PageParts *parts, Box area);

/* Number of the statement at an x coordinate along the timeline. */
size_t timeline_statement_at(const Player *player, Box bar, double x);

/* Progress of the player, from 0 to 1. */
double timeline_fraction(const Player *player);

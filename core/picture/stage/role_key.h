/* Key of a picture's roles: the meaning of the colours of frames, tabs and lanes. */
#pragma once

#include "picture/scene/theme.h"

typedef struct Canvas Canvas;

/* Set of roles: bit 1 << role. */
typedef unsigned RoleSet;
RoleSet role_set_add(RoleSet roles, Role role);

/* Draws a small frame and a word for each role of the set that has tabs, from the strip's
 * left end; nothing if there are fewer than two or they don't fit. */
void role_key_draw(const Canvas *canvas, Box strip, RoleSet roles);

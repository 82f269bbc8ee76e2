/* The key of a picture's roles: which colour of frames, tabs and lanes means what. */
#ifndef PICTURE_ROLE_KEY_H
#define PICTURE_ROLE_KEY_H

#include "picture/draw/roles.h"

/* Roles as a set: bit 1 << role. */
typedef unsigned RoleSet;
RoleSet role_set_add(RoleSet roles, Role role);

/* From the strip's left end on a small frame and a word for each role of the set that
 * wears tabs; nothing where these are fewer than two, or have no room. */
void role_key_draw(const Canvas *canvas, Box strip, RoleSet roles);

#endif

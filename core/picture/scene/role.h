/* Roles of tensors in a transformer, found by name, and their colours. A role's colour is
 * used for names, frames, tabs and lanes; cells are coloured by number alone. How roles
 * are drawn: picture/draw/roles.h. */
#pragma once

#include "picture/scene/theme.h"

typedef enum Role {
    ROLE_NONE,
    ROLE_QUERY,
    ROLE_KEY,
    ROLE_VALUE,
    ROLE_RESIDUAL,      /* the residual stream, to which each sublayer adds */
    ROLE_PROBABILITIES, /* attention weights and other probabilities, which sum to 1 */
    ROLE_NORM,          /* normalized rows */
    ROLE_FEED_FORWARD,  /* hidden units */
    ROLE_COUNT
} Role;

/* Role of a tensor by its name: Q, W_Q, Q_1, K.T and `….query` are queries, keys and
 * values, `….residual_1` and `….norm_1` parts of a layer; any other name is ROLE_NONE. */
Role role_of_name(const char *name);

/* Reports whether a name is that of a weight or bias, such as "W_Q", which computes a
 * tensor of the role. */
bool role_names_weight(const char *name);

/* Colour of a role; `none` if it has no colour. */
Color role_color(const Theme *theme, Role role, Color none);

/* Colour of a tensor's name in words and formulas: the role's for queries, keys and
 * values, otherwise `none`. */
Color role_name_color(const Theme *theme, const char *name, Color none);

/* Copy of a theme that writes names and words in one ink, for grounds on which hues are
 * unreadable. */
Theme role_one_ink(const Theme *theme, Color ink);

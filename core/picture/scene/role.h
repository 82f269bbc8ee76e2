/* Roles: what a tensor is to a transformer, by its name, and the colour that stands for
 * it. A role colours names, frames, tabs and lanes; cells are coloured by number alone.
 * What a role wears in a picture: see picture/draw/roles.h. */
#ifndef PICTURE_ROLE_H
#define PICTURE_ROLE_H

#include "picture/scene/theme.h"

typedef enum Role {
    ROLE_NONE,
    ROLE_QUERY,
    ROLE_KEY,
    ROLE_VALUE,
    ROLE_RESIDUAL,      /* the row that each sublayer adds to */
    ROLE_PROBABILITIES, /* what sums to 1: attention weights, probabilities */
    ROLE_NORM,          /* rows brought back to scale */
    ROLE_FEED_FORWARD,  /* hidden units */
    ROLE_COUNT
} Role;

/* The role that a name tells: Q, W_Q, Q_1, K.T and `….query` are queries, keys and
 * values, `….residual_1` and `….norm_1` parts of a layer; any other name is ROLE_NONE. */
Role role_of_name(const char *name);

/* Whether it is the name of a weight or a bias, "W_Q", which makes a tensor of the role.
 */
bool role_names_weight(const char *name);

/* A role's colour; `none` where it has none. */
Color role_color(const Theme *theme, Role role, Color none);

/* The colour of a tensor's name in words and formulas: of queries, keys and values their
 * role's, of any other `none`. */
Color role_name_color(const Theme *theme, const char *name, Color none);

/* A theme that writes names and words in one ink, on a ground that has no room for hues.
 */
Theme role_one_ink(const Theme *theme, Color ink);

#endif

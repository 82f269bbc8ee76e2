/* What roles wear in pictures: a table of a query wears a blue frame with a tab "Q 5 × 3"
 * on it, so that it is known again wherever it stands. Cells keep the colours of their
 * numbers. Lanes between tables: picture/draw/lanes.h.
 *
 * Boxes are points, thicknesses and sizes units. Nothing here is linked to anything but
 * the cells of a thumbnail. */
#ifndef PICTURE_ROLES_H
#define PICTURE_ROLES_H

#include "picture/draw/heatmap.h"
#include "picture/scene/role.h"

/* The role of a tensor: by its name, else by what made it; what only moves numbers
 * (a slice, a transpose) has that of its input. */
Role role_of_node(const Tape *tape, size_t node);

/* Whether a tensor makes one of its role, as W_Q does: it is a weight, or moved from one.
 */
bool role_is_weight(const Tape *tape, size_t node);

/* Whether tables of the role wear a tab in every picture: queries, keys and values. */
bool role_has_tab(Role role);

/* Where a tab sticks to its frame. */
typedef enum RoleTabSide {
    ROLE_TAB_ABOVE, /* on the left end of its upper edge */
    ROLE_TAB_BELOW, /* under the left end of its lower edge */
    ROLE_TAB_BESIDE /* to the right of it, as high as the middle or as is asked for */
} RoleTabSide;

/* A tab: the name of a table, with its shape small beside it. */
typedef struct RoleTab {
    size_t node; /* whose it is */
    Role role;
    const char *name;  /* a formula */
    const char *shape; /* "5 × 3"; NULL or "": none */
    bool weight;       /* hollow: what makes a table of the role, not one itself */
    RoleTabSide side;
    double lift; /* points that a tab beside is raised above the frame's middle */
} RoleTab;

/* How far a frame reaches beyond what it is around; its outer box around a table. */
#define ROLE_FRAME_MARGIN 7.0
Box role_frame_box(Box table);

/* How tall a tab is, and how wide. */
double role_tab_height(const Canvas *canvas, const RoleTab *tab);
double role_tab_width(const Canvas *canvas, const RoleTab *tab);

/* The tab of a frame that is role_frame_box; gives back its box. It may be wider than the
 * frame. Drawn before the frame, which covers its root. */
Box role_tab(const Canvas *canvas, const RoleTab *tab, Box frame);

/* A rounded frame around a table, on the theme's page; gives back its outer box. Drawn
 * before the cells. */
Box role_frame(const Canvas *canvas, Role role, Box table);

/* A table on the residual lane: its cells small and without numbers, in the lane's frame.
 * `heatmap` has tensor, node, cells, colours and reach; gives back the frame's outer box.
 */
Box role_thumbnail(const Canvas *canvas, const Heatmap *heatmap);

#endif

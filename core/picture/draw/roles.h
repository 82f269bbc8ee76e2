/* Frames and tabs of roles: a query's table has a blue frame with a tab "Q 5 × 3", so
 * that it is recognised in every picture. Cells keep the colours of their numbers. Lanes
 * between tables: picture/draw/lanes.h.
 *
 * Boxes are points, thicknesses and sizes units. Nothing here is linked except the cells
 * of a thumbnail. */
#pragma once

#include "picture/draw/heatmap.h"
#include "picture/scene/theme.h"

typedef struct Tape Tape;

/* Role of a tensor by its name, else by the operation that made it; operations that only
 * move numbers (slice, transpose) keep the role of their input. */
Role role_of_node(const Tape *tape, size_t node);

/* Reports whether a tensor's role is that of a norm or of a residual sum, in a fraction
 * of role_of_node's time. */
bool role_adds_or_norms(const Tape *tape, size_t node);

/* Reports whether a tensor is a weight of its role, such as W_Q, or a view of one. */
bool role_is_weight(const Tape *tape, size_t node);

/* Reports whether tables of a role have a tab in every picture: queries, keys and
 * values. */
bool role_has_tab(Role role);

/* Position of a tab on its frame. */
typedef enum RoleTabSide {
    ROLE_TAB_ABOVE, /* on the left end of its upper edge */
    ROLE_TAB_BELOW, /* under the left end of its lower edge */
    ROLE_TAB_BESIDE /* at its right, at the middle or `lift` above it */
} RoleTabSide;

/* A tab: the name of a table, with its shape in small type beside it. */
typedef struct RoleTab {
    size_t node; /* node of the table */
    Role role;
    const char *name;  /* a formula */
    const char *shape; /* "5 × 3"; NULL or "": none */
    bool weight;       /* hollow: a weight that computes a table of the role */
    RoleTabSide side;
    double lift; /* points that a tab beside is raised above the frame's middle */
} RoleTab;

/* Distance from a table to its frame; the frame's outer box. */
#define ROLE_FRAME_MARGIN 7.0
Box role_frame_box(Box table);

/* Height and width of a tab. */
double role_tab_height(const Canvas *canvas, const RoleTab *tab);
double role_tab_width(const Canvas *canvas, const RoleTab *tab);

/* Draws the tab of a frame that is role_frame_box; returns its box. It may be wider than
 * the frame. Draw it before the frame, which covers its root. */
Box role_tab(const Canvas *canvas, const RoleTab *tab, Box frame);

/* Draws a rounded frame around a table, on the theme's page; returns its outer box. Draw
 * it before the cells. */
Box role_frame(const Canvas *canvas, Role role, Box table);

/* Draws a table on the residual lane: its cells small and without numbers, in the lane's
 * frame. `heatmap` has tensor, node, cells, colours and reach; returns the frame's outer
 * box. */
Box role_thumbnail(const Canvas *canvas, const Heatmap *heatmap);

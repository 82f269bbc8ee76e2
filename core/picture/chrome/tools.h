/* The tools: what the bar on top of a page offers as buttons, and the sign of each. */
#ifndef PICTURE_TOOLS_H
#define PICTURE_TOOLS_H

#include "picture/draw/canvas.h"

/* In the bar's order. */
typedef enum Tool {
    TOOL_NONE,
    TOOL_SLOWER,
    TOOL_FASTER,
    TOOL_PLAY,
    TOOL_PAUSE, /* what TOOL_PLAY is while it plays */
    TOOL_BACK,
    TOOL_NEXT,
    TOOL_OPEN,
    TOOL_CLOSE,
    TOOL_PRACTISE,
    TOOL_CHANGE,
    TOOL_TEXT, /* only where there is one to change */
    TOOL_INFLUENCE,
    TOOL_VIEW,
    TOOL_SAVE,
    TOOL_PRESENT,
    TOOL_LANGUAGE, /* only where there is another; its word is that one's name */
    TOOL_FIND,
    TOOL_HELP,
    TOOL_COUNT, /* of those that the bar has; other signs: */
    TOOL_USE = TOOL_COUNT,
    TOOL_LEAVE,
    TOOL_PASTE,
    TOOL_SIGNS
} Tool;

/* Draws a tool's sign into a square box. */
void tool_draw(const Canvas *canvas, Tool tool, Box box, Color ink);

/* Draws a tool's sign in the middle of a box, all of which is linked. */
void tool_draw_button(const Canvas *canvas, Tool tool, Link link, Box box, Color ink);

/* Whether a group of tools ends before this one. */
bool tool_begins_group(Tool tool);

#endif

/* Tools: the buttons of a page's top bar, and the sign of each. */
#pragma once

#include "picture/scene/scene.h"

typedef struct Canvas Canvas;

/* In the bar's order. */
typedef enum Tool {
    TOOL_NONE,
    TOOL_SLOWER,
    TOOL_FASTER,
    TOOL_PLAY,
    TOOL_PAUSE, /* replaces TOOL_PLAY during playback */
    TOOL_BACK,
    TOOL_NEXT,
    TOOL_OPEN,
    TOOL_CLOSE,
    TOOL_PRACTISE,
    TOOL_CHANGE,
    TOOL_TEXT,  /* only if the lesson's text can be changed */
    TOOL_MORE,  /* all that has no button */
    TOOL_COUNT, /* number of the bar's tools; other signs follow */
    TOOL_FIND = TOOL_COUNT,
    TOOL_USE,
    TOOL_LEAVE,
    TOOL_PASTE,
    TOOL_HOME,
    TOOL_SIGNS
} Tool;

/* Draws a tool's sign into a square box. */
void tool_draw(const Canvas *canvas, Tool tool, Box box, Color ink);

/* Draws a tool's sign in the middle of a box, all of which is linked. */
void tool_draw_button(const Canvas *canvas, Tool tool, Link link, Box box, Color ink);

/* Reports whether a tool is the first one of a group. */
bool tool_begins_group(Tool tool);

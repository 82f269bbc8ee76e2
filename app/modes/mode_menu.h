#ifndef APP_MODE_MENU_H
#define APP_MODE_MENU_H

#include "session/session.h"

/* Opens the menu of what was drawn with a link, its corner at a point. */
bool menu_open(Session *session, Link link, Point at);

#endif

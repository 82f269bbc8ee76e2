/* Sends messages of a desktop to a window of an X server without one.
 *
 *   drop WINDOW PATH    drops a file on it, as a folder view does; ends with 0 once the
 *                       window has taken it. Source: XDND, version 5
 *   drop WINDOW         asks it to close, as the X of its title bar does. Source: ICCCM
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 5, PATIENCE = 10000 };

typedef struct Drop {
    Display *display;
    Window source, target;
    char uri[4200];
} Drop;

static Atom atom(const Drop *drop, const char *name) {
    return XInternAtom(drop->display, name, False);
}

static void send(const Drop *drop, const char *type, const long data[4]) {
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = drop->target,
                                .message_type = atom(drop, type),
                                .format = 32}};
    event.xclient.data.l[0] = (long)drop->source;
    for (int i = 0; i < 4; i++)
        event.xclient.data.l[i + 1] = data[i];
    XSendEvent(drop->display, drop->target, False, NoEventMask, &event);
    XFlush(drop->display);
}

/* Sends the path to the requestor of the dropped data. */
static void answer(const Drop *drop, const XSelectionRequestEvent *asked) {
    XEvent event = {.xselection = {.type = SelectionNotify,
                                   .requestor = asked->requestor,
                                   .selection = asked->selection,
                                   .target = asked->target,
                                   .property = asked->property,
                                   .time = asked->time}};
    XChangeProperty(drop->display, asked->requestor, asked->property, asked->target, 8,
                    PropModeReplace, (const unsigned char *)drop->uri,
                    (int)strlen(drop->uri));
    XSendEvent(drop->display, asked->requestor, False, NoEventMask, &event);
    XFlush(drop->display);
}

/* Waits for a message; false when it doesn't come. */
static int wait_for(const Drop *drop, const char *type) {
    struct pollfd connection = {ConnectionNumber(drop->display), POLLIN, 0};
    for (;;) {
        while (XPending(drop->display)) {
            XEvent event;
            XNextEvent(drop->display, &event);
            if (event.type == SelectionRequest)
                answer(drop, &event.xselectionrequest);
            if (event.type == ClientMessage &&
                event.xclient.message_type == atom(drop, type))
                return 1;
        }
        if (poll(&connection, 1, PATIENCE) <= 0)
            return 0;
    }
}

static int ask_to_close(const Drop *drop) {
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = drop->target,
                                .message_type = atom(drop, "WM_PROTOCOLS"),
                                .format = 32}};
    event.xclient.data.l[0] = (long)atom(drop, "WM_DELETE_WINDOW");
    XSendEvent(drop->display, drop->target, False, NoEventMask, &event);
    XSync(drop->display, False);
    return 0;
}

int main(int argc, char **argv) {
    Drop drop = {.display = argc == 2 || argc == 3 ? XOpenDisplay(NULL) : NULL};
    if (!drop.display)
        return 2;
    Window root = DefaultRootWindow(drop.display);
    drop.target = strtoul(argv[1], NULL, 0);
    if (argc == 2)
        return ask_to_close(&drop);
    drop.source = XCreateSimpleWindow(drop.display, root, 0, 0, 1, 1, 0, 0, 0);
    snprintf(drop.uri, sizeof drop.uri, "file://%s\r\n", argv[2]);
    XSetSelectionOwner(drop.display, atom(&drop, "XdndSelection"), drop.source,
                       CurrentTime);
    send(&drop, "XdndEnter",
         (long[]){(long)VERSION << 24, (long)atom(&drop, "text/uri-list"), 0, 0});
    send(&drop, "XdndPosition",
         (long[]){0, 200 << 16 | 200, CurrentTime, (long)atom(&drop, "XdndActionCopy")});
    if (!wait_for(&drop, "XdndStatus"))
        return 1;
    send(&drop, "XdndDrop", (long[]){0, CurrentTime, 0, 0});
    return wait_for(&drop, "XdndFinished") ? 0 : 1;
}

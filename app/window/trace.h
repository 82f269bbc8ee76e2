/* A trace: how long the window's frames took, a line each, for whoever measures it.
 *
 * The file is the one that $GLASSFORMER_TRACE_FRAMES names; without it nothing is kept. A
 * line has milliseconds: since the program's clock began; from waking up with an event to
 * having the frame on the screen; and of these for what the event did, for laying out,
 * for painting and for showing. {0} is a trace without a file. */
#ifndef APP_TRACE_H
#define APP_TRACE_H

#include <stdio.h>

typedef enum TraceMark {
    TRACE_WOKEN, /* something has happened */
    TRACE_BEGUN, /* a frame is begun */
    TRACE_LAID_OUT,
    TRACE_PAINTED,
    TRACE_COUNT
} TraceMark;

typedef struct Trace {
    FILE *file;
    double marks[TRACE_COUNT]; /* in milliseconds */
} Trace;

void trace_open(Trace *trace);
void trace_close(Trace *trace);

/* Notes the time at which the frame has reached a mark. */
void trace_mark(Trace *trace, TraceMark mark);

/* The frame is on the screen. */
void trace_frame(Trace *trace);

#endif

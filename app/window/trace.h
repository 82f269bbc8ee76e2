/* A trace: durations of the window's frames, a line each, for measurements.
 *
 * The file is named by $GLASSFORMER_TRACE_FRAMES; without it nothing is recorded. A line
 * has milliseconds: since the start of the program's clock; from waking up with an event
 * to the frame on the screen; and of these for handling the event, layout, painting and
 * showing. {0} is a trace without a file. */
#pragma once

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

#include "window/window_parts.h"

#include "files/files.h"

#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

void trace_open(Trace *trace) {
    const char *path = getenv("GLASSFORMER_TRACE_FRAMES");
    char *resolved = path && *path ? links_resolve(path) : NULL;
    trace->file = resolved ? fopen(resolved, "w") : NULL;
    free(resolved);
    trace_mark(trace, TRACE_WOKEN);
}

void trace_close(Trace *trace) {
    if (trace->file)
        fclose(trace->file);
    trace->file = NULL;
}

void trace_mark(Trace *trace, TraceMark mark) {
    if (trace->file)
        trace->marks[mark] = now();
}

void trace_frame(Trace *trace) {
    if (!trace->file)
        return;
    const double *marks = trace->marks;
    double shown = now();
    fprintf(trace->file, "%.1f %.2f %.2f %.2f %.2f %.2f\n", shown,
            shown - marks[TRACE_WOKEN], marks[TRACE_BEGUN] - marks[TRACE_WOKEN],
            marks[TRACE_LAID_OUT] - marks[TRACE_BEGUN],
            marks[TRACE_PAINTED] - marks[TRACE_LAID_OUT], shown - marks[TRACE_PAINTED]);
    fflush(trace->file);
}

#include "paint/paint.h"

#include "base/arena.h"
#include "drive/drive.h"

enum { AHEAD_MAX_MEMORY = 256 << 20 }; /* of a scene */

bool ahead_draw(Session *session, Fonts *fonts, Painter *painter, PageFit fit,
                bool (*enough)(void *context), void *context) {
    Scene scene;
    TextMetrics metrics = fonts_metrics(fonts);
    Arena *arena = arena_create(AHEAD_MAX_MEMORY);
    bool next = arena && session_draw_next(session, &scene, arena, &metrics, fit.width,
                                           fit.height);
    bool done = !next || painter_prepare(painter, &scene, fit.scale, enough, context);
    arena_destroy(arena);
    return done;
}

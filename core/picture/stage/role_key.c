#include "picture/stage/role_key.h"

#include "picture/draw/canvas.h"
#include "picture/draw/roles.h"

static const double WORD_UNITS = 15, SWATCH_W = 26, SWATCH_H = 14; /* units */
static const double WORD_GAP = 14, BETWEEN = 30;

static const char *const words[ROLE_COUNT] = {
    [ROLE_QUERY] = "role.query", [ROLE_KEY] = "role.key", [ROLE_VALUE] = "role.value"};

RoleSet role_set_add(RoleSet roles, Role role) {
    return roles | 1u << role;
}

static bool is_told(RoleSet roles, int role) {
    return (roles >> role & 1) && words[role];
}

static double width_of(const Canvas *canvas, int role, double size) {
    return SWATCH_W + WORD_GAP +
           canvas_text_width(canvas, FONT_TEXT, size, canvas_string(canvas, words[role]));
}

void role_key_draw(const Canvas *canvas, Box strip, RoleSet roles) {
    double size = canvas_size(canvas, WORD_UNITS, "一"), used = 0;
    size_t count = 0;
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (!is_told(roles, role))
            continue;
        used += (count++ ? BETWEEN : 0) + width_of(canvas, role, size);
    }
    if (count < 2 || used + BETWEEN > strip.w || canvas->without_legends)
        return;
    double x = strip.x;
    double middle = strip.y + strip.h / 2;
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (!is_told(roles, role))
            continue;
        role_frame(canvas, (Role)role,
                   box_inset((Box){x, middle - SWATCH_H / 2, SWATCH_W, SWATCH_H},
                             ROLE_FRAME_MARGIN));
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){x + SWATCH_W + WORD_GAP / 2, label_baseline(middle, size)},
                    LABEL_LEFT, canvas_string(canvas, words[role]));
        x += width_of(canvas, role, size) + BETWEEN;
    }
}

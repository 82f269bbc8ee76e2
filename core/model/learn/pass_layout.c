#include "model/learn/pass_layout.h"

#include "model/learn/lanes.h"

#include <string.h>

static bool ends_in(const char *name, const char *const *endings, size_t count) {
    const char *last = strrchr(name, '.') + 1;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(last, endings[i]) == 0)
            return true;
    }
    return false;
}

static PassPlace place_of(const TransformerParameter *parameter,
                          const TransformerShape *shape) {
    static const char *const to_heads[] = {"W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V"};
    static const char *const from_heads[] = {"W_O"};
    size_t d_k = shape->d_model / shape->heads;
    PassPlace place = {.rows = parameter->rows,
                       .stride = lanes_up(parameter->cols),
                       .col_group = parameter->cols,
                       .col_pitch = parameter->cols,
                       .row_group = parameter->rows,
                       .row_pitch = parameter->rows};
    if (ends_in(parameter->name, to_heads, 6)) {
        place.stride = shape->heads * lanes_up(d_k);
        place.col_group = d_k;
        place.col_pitch = lanes_up(d_k);
    }
    if (ends_in(parameter->name, from_heads, 1)) {
        place.rows = shape->heads * lanes_up(d_k);
        place.row_group = d_k;
        place.row_pitch = lanes_up(d_k);
    }
    return place;
}

bool pass_layout_init(PassLayout *layout, Arena *arena, const TransformerShape *shape) {
    *layout = (PassLayout){0};
    layout->parameters = transformer_parameters(arena, shape, &layout->count);
    PassPlace *places = arena_alloc(arena, layout->count, sizeof *places);
    if (!layout->parameters || !places)
        return false;
    for (size_t i = 0; i < layout->count; i++) {
        places[i] = place_of(&layout->parameters[i], shape);
        places[i].offset = layout->size;
        layout->size += places[i].rows * places[i].stride;
    }
    layout->places = places;
    return true;
}

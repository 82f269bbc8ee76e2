#include "modes/modes.h"

#include "picture/overlays/overlays.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

typedef enum Switch {
    SWITCH_HEADS,
    SWITCH_NORM,
    SWITCH_MASK,
    SWITCH_TEMPERATURE,
    SWITCH_COUNT
} Switch;

static const char *const keys[SWITCH_COUNT] = {"switch.heads", "switch.norm",
                                               "switch.mask", "switch.temperature"};

enum { HEADS_MOST = 64 };

static const double temperatures[] = {0.25, 0.5, 1, 2, 4};
enum { TEMPERATURE_COUNT = sizeof temperatures / sizeof *temperatures };

static List *lines_of(Session *session) {
    return mode_state(session, &mode_switches);
}

static const TransformerShape *shape_of(const Session *session) {
    return &session->lesson->model->shape;
}

/* The model as the file has it, where that is known and no `changes:` put it otherwise.
 */
static const TransformerShape *own_shape(const Session *session) {
    const Lesson *plain = session->entry->lesson;
    bool known = plain && plain->model && !variant_in(plain);
    return known ? &plain->model->shape : NULL;
}

/* True if the panel has a line for this model. */
static bool has_switch(const Session *session, Switch line) {
    return line != SWITCH_TEMPERATURE || session->lesson->model->logits != TAPE_NONE;
}

/* ---- what a line says ---- */

static double temperature_of(const TransformerShape *shape) {
    return shape->temperature > 0 ? shape->temperature : 1;
}

static const char *value_words(const Session *session, const TransformerShape *shape,
                               Switch line, Arena *arena) {
    static const char *const masks[] = {"switch.mask_own", "switch.mask_causal",
                                        "switch.mask_none"};
    switch (line) {
    case SWITCH_HEADS:
        return arena_format(arena, "%zu", shape->heads);
    case SWITCH_NORM:
        return session_words(session,
                             shape->pre_norm ? "switch.norm_pre" : "switch.norm_post");
    case SWITCH_MASK:
        return session_words(session, masks[shape->mask]);
    case SWITCH_TEMPERATURE:
        return arena_format(arena, "%g", temperature_of(shape));
    case SWITCH_COUNT:
        break;
    }
    return "";
}

/* A line's value as a number, to compare it by. */
static double value_of(const TransformerShape *shape, Switch line) {
    const double values[SWITCH_COUNT] = {(double)shape->heads, shape->pre_norm,
                                         (double)shape->mask, temperature_of(shape)};
    return values[line];
}

static bool is_own(const TransformerShape *shape, const TransformerShape *own,
                   Switch line) {
    return value_of(shape, line) == value_of(own, line);
}

const char *switches_words(const Session *session, Arena *arena) {
    const LessonSwitches *switches = &session->lesson->switches;
    const bool put[SWITCH_COUNT] = {switches->heads > 0, switches->norm != 0,
                                    switches->mask != 0, switches->temperature > 0};
    const char *all = NULL;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        if (!put[i])
            continue;
        const char *const pair[] = {
            session_words(session, keys[i]),
            value_words(session, shape_of(session), (Switch)i, arena)};
        all = session_list(
            session, all,
            language_sentence(session->language, "list.named", 2, pair, arena), arena);
    }
    return all;
}

/* ---- changing a line ---- */

/* The next number of heads that divides d_model and consists of whole groups. */
static size_t next_heads(const TransformerShape *shape, int direction) {
    size_t most = shape->d_model < HEADS_MOST ? shape->d_model : HEADS_MOST;
    size_t group = shape->heads / transformer_kv_heads(shape); /* that share */
    for (size_t heads = shape->heads; direction > 0 ? heads < most : heads > 1;) {
        heads += direction > 0 ? 1 : (size_t)-1;
        if (shape->d_model % heads == 0 && heads % group == 0)
            return heads;
    }
    return shape->heads;
}

static double next_temperature(double present, int direction) {
    int at = 0;
    while (at + 1 < TEMPERATURE_COUNT && temperatures[at] < present)
        at++;
    at += direction;
    return temperatures[at < 0 ? 0 : at < TEMPERATURE_COUNT ? at : TEMPERATURE_COUNT - 1];
}

/* A shape with one line changed; the same at the ends. */
static TransformerShape changed_shape(const TransformerShape *shape, Switch line,
                                      int direction) {
    TransformerShape changed = *shape;
    int mask = (int)shape->mask + direction;
    switch (line) {
    case SWITCH_HEADS:
        changed.heads = next_heads(shape, direction);
        break;
    case SWITCH_NORM:
        changed.pre_norm = direction > 0;
        break;
    case SWITCH_MASK:
        if (mask >= TRANSFORMER_MASK_OWN && mask <= TRANSFORMER_MASK_NONE)
            changed.mask = (TransformerMask)mask;
        break;
    case SWITCH_TEMPERATURE:
        changed.temperature = next_temperature(temperature_of(shape), direction);
        break;
    case SWITCH_COUNT:
        break;
    }
    return changed;
}

/* Returns the switches for a shape: those that are set, and the lines that differ from
 * the present shape; none that equal the file's own, if that is known. */
static LessonSwitches switches_for(const Session *session,
                                   const TransformerShape *shape) {
    const TransformerShape *own = own_shape(session), *present = shape_of(session);
    LessonSwitches switches = session->lesson->switches;
    if (!is_own(shape, present, SWITCH_HEADS))
        switches.heads = shape->heads;
    if (!is_own(shape, present, SWITCH_NORM))
        switches.norm = shape->pre_norm ? LESSON_NORM_PRE : LESSON_NORM_POST;
    switches.mask = shape->mask;
    switches.temperature = temperature_of(shape);
    if (own && is_own(shape, own, SWITCH_HEADS))
        switches.heads = 0;
    if (own && is_own(shape, own, SWITCH_NORM))
        switches.norm = LESSON_NORM_OWN;
    if (temperature_of(shape) == 1)
        switches.temperature = 0;
    return switches;
}

static bool change_line(Session *session, int direction) {
    Switch line = (Switch)lines_of(session)->chosen;
    const TransformerShape *shape = shape_of(session);
    TransformerShape changed = changed_shape(shape, line, direction);
    if (is_own(&changed, shape, line))
        return false;
    Variant variant = variant_of(session->lesson, session->entry);
    variant.switches = switches_for(session, &changed);
    return opening_variant(session, &variant, VARIANT_NEW) || session->message[0];
}

/* ---- keys and the pointer ---- */

static bool toggle(Session *session) {
    if (!mode_leave(session, &mode_switches))
        mode_enter(session, &mode_switches);
    if (!has_switch(session, (Switch)lines_of(session)->chosen))
        lines_of(session)->chosen = 0;
    return true;
}

static const char *why_no_model(const Session *session) {
    return session->lesson->model ? NULL : "switch.none";
}

const ActionGroup actions_model = {&mode_lesson, 1,
                                   &(const Action){"switch_model", "X", "X",
                                                   .act = toggle, .why_not = why_no_model,
                                                   .traits = ACTION_MORE}};

/* Lines that aren't there for a model come last. */
static size_t count_lines(Session *session) {
    size_t count = SWITCH_COUNT;
    while (!has_switch(session, (Switch)(count - 1)))
        count--;
    return count;
}

static const ListControl control = {.list = lines_of, .count = count_lines};

static const Action switching[] = {
    {"switch_less", "Left", .act_by = change_line, .by = -1, .traits = ACTION_OF_KEYS},
    {"switch_more", "Right", .act_by = change_line, .by = 1, .traits = ACTION_OF_KEYS},
    {.name = "close_switches", .keys = "Escape|Return"},
};

const ActionGroup actions_switching = ACTION_GROUP(&mode_switches, switching);

/* A line's link says which line, from 1, and in `col` which way: 1 back, 2 on. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind != LINK_COMMAND || !link.row)
        return MODE_PASSES;
    list_choose(session, &control, link.row - 1);
    if (link.col)
        change_line(session, link.col == 2 ? 1 : -1);
    return MODE_CHANGES;
}

static void draw(Session *session, const Canvas *canvas) {
    Choice choices[SWITCH_COUNT];
    Arena *arena = canvas->scene->arena;
    const TransformerShape *shape = shape_of(session), *own = own_shape(session);
    size_t count = 0;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        Switch line = (Switch)i;
        if (!has_switch(session, line))
            continue;
        bool as_own = own && is_own(shape, own, line);
        TransformerShape less = changed_shape(shape, line, -1);
        TransformerShape more = changed_shape(shape, line, 1);
        choices[count++] =
            (Choice){.name = session_words(session, keys[i]),
                     .value = value_words(session, shape, line, arena),
                     .note = as_own ? session_words(session, "switch.own") : "",
                     .has_less = !is_own(&less, shape, line),
                     .has_more = !is_own(&more, shape, line)};
    }
    choices_draw(canvas, session_words(session, "switch.title"),
                 session_words(session, "switch.keys"), choices, count,
                 lines_of(session)->chosen, action_link("switch_model"),
                 action_link("close_switches"));
}

const Mode mode_switches = {.name = "switches",
                            .state_size = sizeof(List),
                            .missing = "action.why.no_panel",
                            .banner = "banner.switches",
                            .overlays = true,
                            .grows = true,
                            .list = &control,
                            .press = press,
                            .draw = draw};

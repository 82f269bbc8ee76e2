#include "modes/modes.h"

#include "picture/overlays/overlays.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

typedef enum Switch {
    SWITCH_HEADS,
    SWITCH_NORM,
    SWITCH_MASK,
    SWITCH_TEMPERATURE,
    SWITCH_SEED,
    SWITCH_COUNT
} Switch;

static const char *const keys[SWITCH_COUNT] = {
    "switch.heads", "switch.norm", "switch.mask", "switch.temperature", "switch.seed"};

/* The model that the panel is about. */
typedef struct Model {
    TransformerShape shape;
    bool trained;
    size_t seed; /* of its training */
} Model;

enum { HEADS_MOST = 64 };

static const double temperatures[] = {0.25, 0.5, 1, 2, 4};
enum { TEMPERATURE_COUNT = sizeof temperatures / sizeof *temperatures };

static List *lines_of(Session *session) {
    return mode_state(session, &mode_switches);
}

static Model model_of(const Lesson *lesson) {
    const LessonSwitches *switches = &lesson->switches;
    return (Model){.shape = lesson->model->shape,
                   .trained = lesson->is_trained,
                   .seed = switches->seeded ? switches->seed : lesson->own_seed};
}

/* Finds the model as the file has it, where that is known and no `changes:` put it
 * otherwise. */
static bool own_model(const Session *session, Model *own) {
    const Lesson *plain = session->entry->lesson;
    bool known = plain && plain->model && !variant_in(plain);
    if (known)
        *own = model_of(plain);
    return known;
}

/* True if the panel has a line for this model. */
static bool has_switch(const Session *session, Switch line) {
    const Lesson *lesson = session->lesson;
    return line == SWITCH_TEMPERATURE ? lesson->model->logits != TAPE_NONE
           : line == SWITCH_SEED      ? lesson->is_trained
                                      : true;
}

/* ---- what a line says ---- */

static double temperature_of(const TransformerShape *shape) {
    return shape->temperature > 0 ? shape->temperature : 1;
}

static const char *value_words(const Session *session, const Model *model, Switch line,
                               Arena *arena) {
    const TransformerShape *shape = &model->shape;
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
    case SWITCH_SEED:
        return arena_format(arena, "%zu", model->seed);
    case SWITCH_COUNT:
        break;
    }
    return "";
}

/* A line's value as a number, to compare it by. */
static double value_of(const Model *model, Switch line) {
    const TransformerShape *shape = &model->shape;
    const double values[SWITCH_COUNT] = {(double)shape->heads, shape->pre_norm,
                                         (double)shape->mask, temperature_of(shape),
                                         (double)model->seed};
    return values[line];
}

static bool is_own(const Model *model, const Model *own, Switch line) {
    return value_of(model, line) == value_of(own, line);
}

const char *switches_words(const Session *session, Arena *arena) {
    const LessonSwitches *switches = &session->lesson->switches;
    const bool put[SWITCH_COUNT] = {switches->heads > 0, switches->norm != 0,
                                    switches->mask != 0, switches->temperature > 0,
                                    false /* retrained_words */};
    const Model model = session->lesson->model ? model_of(session->lesson) : (Model){0};
    const char *all = NULL;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        if (!put[i])
            continue;
        const char *const pair[] = {session_words(session, keys[i]),
                                    value_words(session, &model, (Switch)i, arena)};
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

/* A model with one line changed; the same at the ends. */
static Model changed_model(const Model *model, Switch line, int direction) {
    const TransformerShape *shape = &model->shape;
    Model changed = *model;
    int mask = (int)shape->mask + direction;
    switch (line) {
    case SWITCH_HEADS:
        changed.shape.heads = next_heads(shape, direction);
        break;
    case SWITCH_NORM:
        changed.shape.pre_norm = direction > 0;
        break;
    case SWITCH_MASK:
        if (mask >= TRANSFORMER_MASK_OWN && mask <= TRANSFORMER_MASK_NONE)
            changed.shape.mask = (TransformerMask)mask;
        break;
    case SWITCH_TEMPERATURE:
        changed.shape.temperature = next_temperature(temperature_of(shape), direction);
        break;
    case SWITCH_SEED:
        changed.seed = direction > 0 ? model->seed + 1 : model->seed - (model->seed > 0);
        break;
    case SWITCH_COUNT:
        break;
    }
    return changed;
}

/* Returns the switches for a model: those that are set, and the lines that differ from
 * the present model; none that equal the file's own, if that is known. */
static LessonSwitches switches_for(const Session *session, const Model *model) {
    Model own, present = model_of(session->lesson);
    bool known = own_model(session, &own);
    LessonSwitches switches = session->lesson->switches;
    if (!is_own(model, &present, SWITCH_HEADS))
        switches.heads = model->shape.heads;
    if (!is_own(model, &present, SWITCH_NORM))
        switches.norm = model->shape.pre_norm ? LESSON_NORM_PRE : LESSON_NORM_POST;
    switches.mask = model->shape.mask;
    switches.temperature = temperature_of(&model->shape);
    if (known && is_own(model, &own, SWITCH_HEADS))
        switches.heads = 0;
    if (known && is_own(model, &own, SWITCH_NORM))
        switches.norm = LESSON_NORM_OWN;
    if (temperature_of(&model->shape) == 1)
        switches.temperature = 0;
    switches.seed = model->seed;
    switches.seeded = model->trained && model->seed != session->lesson->own_seed;
    return switches;
}

static bool change_to(Session *session, const Model *model) {
    Variant variant = variant_of(session->lesson, session->entry);
    variant.switches = switches_for(session, model);
    return opening_variant(session, &variant, VARIANT_NEW) || session->message[0];
}

static bool change_line(Session *session, int direction) {
    Switch line = (Switch)lines_of(session)->chosen;
    Model model = model_of(session->lesson);
    Model changed = changed_model(&model, line, direction);
    return !is_own(&changed, &model, line) && change_to(session, &changed);
}

/* Trains the model with another seed, or, where that was done, with the lesson's own. */
static bool train_again(Session *session) {
    Model model = model_of(session->lesson);
    size_t own = session->lesson->own_seed;
    model.seed = model.seed == own ? own + 1 : own;
    return change_to(session, &model);
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

static const char *why_not_trained(const Session *session) {
    return session->lesson->is_trained ? NULL : "switch.not_trained";
}

static const Action of_model[] = {
    {"switch_model", "X", "X", .act = toggle, .why_not = why_no_model,
     .traits = ACTION_MORE},
    {"train_again", "Shift+X", "Shift+X", .act = train_again, .why_not = why_not_trained,
     .traits = ACTION_MORE},
};

const ActionGroup actions_model = ACTION_GROUP(&mode_lesson, of_model);

/* Lines that aren't there for a model come last: a trained one has logits. */
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
    Model model = model_of(session->lesson), own;
    bool known = own_model(session, &own);
    size_t count = 0;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        Switch line = (Switch)i;
        if (!has_switch(session, line))
            continue;
        bool as_own = known && is_own(&model, &own, line);
        Model less = changed_model(&model, line, -1);
        Model more = changed_model(&model, line, 1);
        choices[count++] =
            (Choice){.name = session_words(session, keys[i]),
                     .value = value_words(session, &model, line, arena),
                     .note = as_own ? session_words(session, "switch.own") : "",
                     .has_less = !is_own(&less, &model, line),
                     .has_more = !is_own(&more, &model, line)};
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

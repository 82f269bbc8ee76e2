#include "picture/explain/practising.h"

#include "lesson/play/follow.h"
#include "lesson/practise/practise.h"

/* Reports whether the answer is an option, or is only looked at. */
static bool has_options(const PractisePanel *panel) {
    const Exercise *exercise = practise_exercise(panel->practise);
    return exercise && (exercise->count || exercise->kind == EXERCISE_THOUGHT);
}

bool practise_panel_above(const PractisePanel *panel) {
    return panel && practise_hides(panel->practise) && has_options(panel);
}

bool practise_panel_answered(const PractisePanel *panel) {
    const Exercise *exercise = panel ? practise_exercise(panel->practise) : NULL;
    bool number = exercise && exercise->kind == EXERCISE_CELL && !panel->whole;
    return exercise && !practise_hides(panel->practise) && (exercise->count || number);
}

bool practise_panel_below(const PractisePanel *panel) {
    return panel &&
           (practise_hides(panel->practise) ? !has_options(panel) : panel->whole);
}

bool practise_panel_is_choice(const PractisePanel *panel) {
    if (!panel || !practise_hides(panel->practise))
        return false;
    const Exercise *exercise = practise_exercise(panel->practise);
    return exercise->kind == EXERCISE_CHOICE && !exercise->question->open;
}

bool practise_panel_orders(const PractisePanel *panel) {
    return panel && practise_hides(panel->practise) &&
           practise_exercise(panel->practise)->kind == EXERCISE_ORDER;
}

bool practise_panel_hides(const PractisePanel *panel, size_t node) {
    return panel && practise_hides_node(panel->practise, node);
}

bool practise_panel_hides_cell(const PractisePanel *panel) {
    if (!panel || !practise_hides(panel->practise))
        return false;
    const Exercise *exercise = practise_exercise(panel->practise);
    return exercise->kind != EXERCISE_CELL && exercise->kind != EXERCISE_DIRECTION;
}

bool practise_panel_focus(const PractisePanel *panel, Link *focus) {
    FollowCell cell = practise_exercise(panel->practise)->cell;
    *focus = (Link){LINK_CELL, cell.node, cell.row, cell.col};
    return !practise_panel_hides_cell(panel);
}

bool practise_panel_waits(const PractisePanel *panel) {
    return panel && practise_hides(panel->practise);
}

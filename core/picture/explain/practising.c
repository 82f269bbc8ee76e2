#include "picture/explain/explain.h"

#include "lesson/play/follow.h"
#include "lesson/practise/practise.h"

/* The exercise while it is open, else NULL. */
static const Exercise *open_exercise(const PractisePanel *panel) {
    return practise_panel_waits(panel) ? practise_exercise(panel->practise) : NULL;
}

/* Reports whether the answer is an option, or is only looked at. */
static bool has_options(const Exercise *exercise) {
    return exercise && (exercise->count || exercise->kind == EXERCISE_THOUGHT);
}

bool practise_panel_waits(const PractisePanel *panel) {
    return panel && practise_hides(panel->practise);
}

bool practise_panel_above(const PractisePanel *panel) {
    return has_options(open_exercise(panel));
}

bool practise_panel_below(const PractisePanel *panel) {
    return practise_panel_waits(panel) ? !practise_panel_above(panel)
                                       : panel && panel->whole;
}

bool practise_panel_answered(const PractisePanel *panel) {
    const Exercise *exercise = panel ? practise_exercise(panel->practise) : NULL;
    bool number = exercise && exercise->kind == EXERCISE_CELL && !panel->whole;
    return exercise && !practise_hides(panel->practise) && (exercise->count || number);
}

bool practise_panel_is_choice(const PractisePanel *panel) {
    const Exercise *exercise = open_exercise(panel);
    return exercise && exercise->kind == EXERCISE_CHOICE && !exercise->question->open;
}

bool practise_panel_hides(const PractisePanel *panel, size_t node) {
    return panel && practise_hides_node(panel->practise, node);
}

bool practise_panel_hides_cell(const PractisePanel *panel) {
    const Exercise *exercise = open_exercise(panel);
    return exercise && exercise->kind != EXERCISE_CELL &&
           exercise->kind != EXERCISE_DIRECTION;
}

bool practise_panel_focus(const PractisePanel *panel, Link *focus) {
    FollowCell cell = practise_exercise(panel->practise)->cell;
    *focus = (Link){LINK_CELL, cell.node, cell.row, cell.col};
    return !practise_panel_hides_cell(panel);
}

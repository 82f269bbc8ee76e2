#include "picture/explain/practising.h"

bool practise_panel_hides(const PractisePanel *panel, size_t node) {
    return panel && practise_hides(panel->practise) &&
           node >= practise_exercise(panel->practise)->cell.node;
}

bool practise_panel_hides_cell(const PractisePanel *panel) {
    return panel && practise_hides(panel->practise) &&
           practise_exercise(panel->practise)->kind != EXERCISE_CELL;
}

bool practise_panel_hides_words(const PractisePanel *panel, const char *words) {
    if (!panel || !practise_hides(panel->practise))
        return false;
    const Practise *practise = panel->practise;
    const Exercise *exercise = practise_exercise(practise);
    return !exercise->asked || !practise->term ||
           practise_tells(words, practise->term->value);
}

#include "actions/actions.h"

#include "picture/tensors/views.h"

static bool next_words(Session *session) {
    session->words = (session->words + 1) % WORDS_COUNT;
    return true;
}

static bool previous_words(Session *session) {
    session->words = (session->words + WORDS_COUNT - 1) % WORDS_COUNT;
    return true;
}

bool words_turn_to(Session *session, size_t depth) {
    if (depth >= WORDS_COUNT)
        return false;
    WordsDepth chosen = (WordsDepth)depth;
    session->words = chosen == session->words ? WORDS_USUAL : chosen;
    return true;
}

/* Shows how the explained cell was computed, in numbers. */
static bool explain(Session *session) {
    session->words = WORDS_NUMBERS;
    return true;
}

static bool show_code(Session *session) {
    session->words = WORDS_CODE;
    return true;
}

static bool turn_sources(Session *session) {
    bool shows = !session->sources;
    session_compare_sources(session, shows);
    if (session->memory)
        memory_note_text(session->memory, "sources", shows ? "on" : "off");
    session_show_message(session, shows ? "source.on" : "source.off", NULL, NULL);
    return true;
}

/* Returns the reason why the comparison can't be switched off in a lesson that is about
 * its source; else NULL. */
static const char *is_about_source(const Session *session) {
    return session->lesson->shows_sources ? "action.why.about_source" : NULL;
}

static LessonView next_view(const Session *session, LessonView *present) {
    *present = views_present(&session->player, session_tensor_view(session));
    return views_next(&session->player, *present);
}

static bool change_view(Session *session) {
    LessonView present;
    session->tensor_view = next_view(session, &present);
    session->tensor_view_step = session->player.step;
    return true;
}

static const char *has_one_view(const Session *session) {
    LessonView present;
    return next_view(session, &present) == present ? "action.why.one_view" : NULL;
}

static const Action actions[] = {
    {"next_words", {"Tab"}, "Tab", next_words, NULL, 0},
    {"previous_words", {"Shift+Tab"}, NULL, previous_words, NULL, 0},
    {.name = "explain",
     .act = explain,
     .why_not = lesson_no_cell_reason,
     .traits = ACTION_ON_CELL},
    {"sources", {"U"}, "U", turn_sources, is_about_source, ACTION_ON_STEP},
    {.name = "show_code", .act = show_code, .traits = ACTION_ON_STEP},
    {"change_view",
     {"V"},
     "V",
     change_view,
     has_one_view,
     ACTION_QUIET | ACTION_ON_STEP | ACTION_TOOL(TOOL_VIEW)},
};

const ActionGroup actions_words = ACTION_GROUP(&mode_lesson, actions);

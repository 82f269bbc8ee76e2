#include "actions/actions.h"

#include "picture/tensors/views.h"

/* Turns the words on to the next depth (1) or back to the one before (-1). */
static bool turn_words(Session *session, int by) {
    int count = WORDS_COUNT - WORDS_STORY;
    int depth = ((int)session->words - WORDS_STORY + by + count) % count;
    session->words = (WordsDepth)(WORDS_STORY + depth);
    return true;
}

bool words_turn_to(Session *session, size_t depth) {
    if (depth >= WORDS_COUNT)
        return false;
    session->words = (WordsDepth)depth;
    return true;
}

static bool set_words(Session *session, int depth) {
    session->words = (WordsDepth)depth;
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
    {"next_words", "Tab", "Tab", .act_by = turn_words, .by = 1},
    {"previous_words", "Shift+Tab", .act_by = turn_words, .by = -1},
    {"explain", .act_by = set_words, .by = WORDS_NUMBERS,
     .why_not = lesson_no_cell_reason, .traits = ACTION_ON_CELL},
    {"sources", "U", "U", .act = turn_sources, .why_not = is_about_source,
     .traits = ACTION_ON_STEP | ACTION_MORE},
    {"show_code", .act_by = set_words, .by = WORDS_CODE,
     .traits = ACTION_ON_STEP | ACTION_MORE},
    {"change_view", "V", "V", .act = change_view, .why_not = has_one_view,
     .traits = ACTION_QUIET | ACTION_ON_STEP | ACTION_MORE},
};

const ActionGroup actions_words = ACTION_GROUP(&mode_lesson, actions);

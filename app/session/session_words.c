#include "session/session_actions.h"

/* How deep the words at the top go; kept from step to step and from lesson to lesson. */

bool next_words(Session *session) {
    session->words = (session->words + 1) % WORDS_COUNT;
    return true;
}

bool previous_words(Session *session) {
    session->words = (session->words + WORDS_COUNT - 1) % WORDS_COUNT;
    return true;
}

bool turn_words_to(Session *session, size_t depth) {
    if (depth >= WORDS_COUNT)
        return false;
    WordsDepth chosen = (WordsDepth)depth;
    session->words = chosen == session->words ? WORDS_USUAL : chosen;
    return true;
}

#include "formats/formats_parts.h"

#include <stdlib.h>

enum { DECK_MAX_MEMORY = 1 << 30 };

/* A call of one of the kind's functions, under the guard of the deck's arena. */
typedef struct Call {
    Deck *deck;
    const DeckPage *page;
    const char *path;
    Error *error;
    bool saved;
} Call;

static void begin_guarded(void *context) {
    Deck *deck = context;
    deck->own = arena_alloc(deck->arena, 1, deck->kind->size);
    deck->kind->begin(deck);
}

static void add_guarded(void *context) {
    const Call *call = context;
    call->deck->kind->add(call->deck, call->page);
}

static void save_guarded(void *context) {
    Call *call = context;
    call->saved = call->deck->kind->save(call->deck, call->path, call->error);
}

Deck *deck_create(const DeckKind *kind, const DeckHead *head, Error *error) {
    Deck *deck = calloc(1, sizeof *deck);
    error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for %s", kind->what);
    if (deck) {
        *deck =
            (Deck){.kind = kind, .head = head, .arena = arena_create(DECK_MAX_MEMORY)};
        if (deck->arena && kind->template)
            deck->template = template_read(deck->arena, kind->template, error);
        if (deck->arena && (deck->template || !kind->template) &&
            arena_guard(deck->arena, begin_guarded, deck))
            return deck;
    }
    deck_destroy(deck);
    return NULL;
}

void deck_add(Deck *deck, const DeckPage *page) {
    Call call = {.deck = deck, .page = page};
    deck->failed = deck->failed || !arena_guard(deck->arena, add_guarded, &call);
}

bool deck_save(Deck *deck, const char *path, Error *error) {
    Call call = {.deck = deck, .path = path, .error = error};
    if (deck->failed || !arena_guard(deck->arena, save_guarded, &call))
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", path);
    return call.saved;
}

void deck_destroy(Deck *deck) {
    if (!deck)
        return;
    if (deck->own)
        deck->kind->finish(deck);
    arena_destroy(deck->arena);
    free(deck);
}

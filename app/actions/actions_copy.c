#include "base/number.h"
#include "base/strings/writer.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>
#include <string.h>

/* Copying to the clipboard: a number with all its digits, a whole tensor, a link. */

enum { SCRATCH_BYTES = 512 << 20, LINK_BYTES = 1 << 16 };

static const char *has_no_cell(const Session *session) {
    return questions_wait(session) ? "action.why.asks_still"
                                   : lesson_no_cell_reason(session);
}

/* Keeps a text for the driver of the session; false when there is no memory. */
static bool offer_text(Session *session, const char *text) {
    char *copy = text ? strdup(text) : NULL;
    if (!copy) {
        session_show_message(session, "copy.memory", NULL, NULL);
        return false;
    }
    free(session->copied);
    session->copied = copy;
    session->request = SESSION_COPY;
    return true;
}

static bool copy_number(Session *session) {
    FollowCell cell;
    char text[NUMBER_SIZE];
    if (!lesson_explained_cell(session, &cell))
        return false;
    const Tensor *tensor = &tape_node(session->lesson->tape, cell.node)->output;
    number_write(text, tensor_at(tensor, cell.row, cell.col));
    if (offer_text(session, text))
        session_show_message(session, "copy.number", text, NULL);
    return true;
}

/* A line a row, tabs between the columns. */
static const char *tensor_text(const Tensor *tensor, Arena *arena) {
    Writer writer = {.arena = arena};
    char text[NUMBER_SIZE];
    for (size_t row = 0; row < tensor->rows && !writer.full; row++) {
        for (size_t col = 0; col < tensor->cols; col++) {
            writer_text(&writer, number_write(text, tensor_at(tensor, row, col)));
            writer_text(&writer, col + 1 < tensor->cols ? "\t" : "\n");
        }
    }
    return writer.full ? NULL : writer.text;
}

static bool copy_tensor(Session *session) {
    FollowCell cell;
    Arena *arena = arena_create(SCRATCH_BYTES);
    if (arena && lesson_explained_cell(session, &cell)) {
        const TapeNode *node = tape_node(session->lesson->tape, cell.node);
        const char *shape =
            arena_format(arena, "%zu × %zu", node->output.rows, node->output.cols);
        if (offer_text(session, tensor_text(&node->output, arena)))
            session_show_message(session, "copy.tensor", shape, NULL);
    }
    arena_destroy(arena);
    return true;
}

static const char *has_no_link(const Session *session) {
    return session->number ? NULL : "action.why.no_link";
}

static bool copy_link(Session *session) {
    Arena *arena = arena_create(LINK_BYTES);
    const char *link = arena ? link_write(session, arena) : NULL;
    if (offer_text(session, link))
        session_show_message(session, "copy.link", link, NULL);
    arena_destroy(arena);
    return true;
}

static const Action actions[] = {
    {"copy_number", "Ctrl+C", "Ctrl+C", .act = copy_number, .why_not = has_no_cell,
     .traits = ACTION_ON_CELL},
    {"copy_tensor", "Ctrl+Shift+C", "Ctrl+Shift+C", .act = copy_tensor,
     .why_not = has_no_cell, .traits = ACTION_ON_CELL},
    {"copy_link", .act = copy_link, .why_not = has_no_link, .traits = ACTION_ON_STEP},
};

const ActionGroup actions_copy = ACTION_GROUP(&mode_lesson, actions);

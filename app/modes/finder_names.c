#include "modes/modes.h"

#include "picture/draw/part_name.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <string.h>

/* Names of tensors in the finder: those that pictures have, as text. */

/* The text of a name's formula, "\text{weights}" or "\tensor{Q}"; NULL for a formula with
 * other signs. New in the arena. */
static char *text_of(const char *formula, Arena *arena) {
    static const char *const groups[] = {"\\text{", "\\tensor{"};
    char *text = arena_copy(arena, formula, strlen(formula)), *to = text;
    for (const char *from = formula; text && *from;) {
        size_t group = 0;
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
            if (strncmp(from, groups[i], strlen(groups[i])) == 0)
                group = strlen(groups[i]);
        }
        if (!group && *from == '\\')
            return NULL;
        from += group;
        if (!group && *from != '{' && *from != '}')
            *to++ = *from;
        from += !group;
    }
    if (text)
        *to = 0;
    return text;
}

/* Removes the number of a tensor's head, "_2", from the end of its name. */
static void drop_head(char *text, unsigned long head) {
    char end[24];
    size_t length = strlen(text);
    size_t tail = (size_t)snprintf(end, sizeof end, "_%lu", head);
    if (head && length > tail && strcmp(text + length - tail, end) == 0)
        text[length - tail] = 0;
}

/* What is behind the last dot of a name. */
static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".T") != 0 ? dot + 1 : name;
}

/* A tensor's names, made under the arena's guard. */
typedef struct Naming {
    Session *session;
    const TapeNode *node;
    Arena *arena;
    const char *name, *place;
} Naming;

static void name_guarded(void *context) {
    Naming *this = context;
    const Session *session = this->session;
    Scene scene;
    scene_init(&scene, this->arena, 1, 1, session->theme->page);
    Canvas canvas = {
        .scene = &scene, .theme = session->theme, .language = session->language};
    const char *internal = this->node->name;
    const char *added =
        this->node->operation == OPERATION_ADD
            ? tape_node(session->lesson->tape, this->node->inputs[1])->name
            : NULL;
    const char *formula = part_name(&canvas, session->lesson, internal, added);
    char *text = formula ? text_of(formula, this->arena) : NULL;
    unsigned long head = part_head(internal);
    if (text)
        drop_head(text, head);
    this->name = text ? text : last_part(internal);
    const char *owner = part_owner(&canvas, session->lesson, internal);
    const char *number = canvas_format(&canvas, "%lu", head);
    if (owner)
        this->place = head ? canvas_format(&canvas, "%s · %s %s", owner,
                                           canvas_string(&canvas, "part.head"), number)
                           : owner;
}

const char *finder_tensor_name(Session *session, size_t node, Arena *arena,
                               const char **place) {
    const TapeNode *tensor = tape_node(session->lesson->tape, node);
    Naming naming = {.session = session, .node = tensor, .arena = arena};
    bool named = arena_guard(arena, name_guarded, &naming);
    *place = named && naming.place ? naming.place : "";
    return named ? naming.name : tensor->name;
}

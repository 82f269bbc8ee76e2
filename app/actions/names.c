#include "actions/actions.h"

#include "picture/draw/part_name.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <string.h>

/* Names of tensors as pictures have them, as text. */

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

/* A name without the number of its head, "_2", at the end. */
static const char *without_head(const char *text, unsigned long head, Arena *arena) {
    char end[24];
    size_t length = strlen(text);
    size_t tail = (size_t)snprintf(end, sizeof end, "_%lu", head);
    bool has = head && length > tail && strcmp(text + length - tail, end) == 0;
    return has ? arena_copy(arena, text, length - tail) : text;
}

/* Part of a name behind its last dot; the whole name if it has none. A transpose, "K.T",
 * is one part. */
static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".T") != 0 ? dot + 1 : name;
}

/* A tensor's names, made under the arena's guard. */
typedef struct Naming {
    const Session *session;
    const TapeNode *node;
    Arena *arena;
    const char *name, *stem, *place;
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
    this->name = text ? text : last_part(internal);
    this->stem = without_head(this->name, head, this->arena);
    const char *owner = part_owner(&canvas, session->lesson, internal);
    const char *number = canvas_format(&canvas, "%lu", head);
    if (owner)
        this->place = head ? canvas_format(&canvas, "%s · %s %s", owner,
                                           canvas_string(&canvas, "part.head"), number)
                           : owner;
}

const char *tensor_name(const Session *session, size_t node, Arena *arena,
                        const char **stem, const char **place) {
    const TapeNode *tensor = tape_node(session->lesson->tape, node);
    Naming naming = {.session = session, .node = tensor, .arena = arena};
    bool named = arena_guard(arena, name_guarded, &naming);
    if (place)
        *place = named && naming.place ? naming.place : "";
    if (stem)
        *stem = named ? naming.stem : tensor->name;
    return named ? naming.name : tensor->name;
}

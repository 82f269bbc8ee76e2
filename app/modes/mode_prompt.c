#include "session/action.h"
#include "session/state.h"

#include "picture/draw/marks.h"
#include "picture/page/help.h"

#include <string.h>

/* Writing a text, for whatever it is wanted. */

void prompt_begin(Session *session, const Prompt *prompt, const char *text) {
    session->prompt = prompt;
    field_begin(&session->field, text);
    mode_enter(session, &mode_prompt);
}

static bool leave(Session *session) {
    return mode_leave(session, &mode_prompt);
}

/* What takes the text may put another lesson in this one's place, prompt and all. */
static bool use(Session *session) {
    char text[FIELD_SIZE];
    memcpy(text, session->field.text, sizeof text);
    if (session->prompt->use(session, text))
        mode_leave(session, &mode_prompt);
    return true;
}

static bool paste(Session *session) {
    session->request = SESSION_PASTE;
    return false;
}

static const Action actions[] = {
    {.name = "leave_field", .keys = {"Escape"}, .act = leave},
    {.name = "use_text", .keys = {"Return"}, .act = use},
    {.name = "paste", .keys = {"Ctrl+V", "Shift+Insert"}, .act = paste},
};

const ActionGroup actions_writing = ACTION_GROUP(&mode_prompt, actions);

static bool writes(const Session *session) {
    (void)session;
    return true;
}

static void draw(Session *session, const Canvas *canvas) {
    HelpField field = {.title = session->prompt->title,
                       .keys = session->prompt->keys,
                       .text = session->field.text,
                       .caret = session->field.caret,
                       .selected = session->field.selected,
                       .problem = session->message};
    Box cell;
    if (!session->prompt->at_cell) {
        help_draw_field(canvas, &field);
        return;
    }
    const char *name = edit_cell_name(session, &session->edited, canvas->scene->arena);
    if (!marks_cell_box(canvas->scene, session->edited.shown, &cell))
        cell = (Box){session->width / 2, session->height / 2, 0, 0};
    field.title = canvas_words(canvas, field.title, name ? name : "", NULL);
    help_draw_cell_field(canvas, &field, cell);
}

const Mode mode_prompt = {.name = "prompt",
                          .missing = "action.why.not_writing",
                          .closed = true,
                          .overlays = true,
                          .writes = writes,
                          .draw = draw};

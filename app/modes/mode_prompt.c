#include "actions/actions.h"
#include "lesson/content/changes.h"
#include "picture/draw/marks.h"
#include "picture/overlays/overlays.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Writing a text, for whatever it is wanted. */

/* Leaves a cell as it was before the wheel changed it, too. */
static bool leave(Session *session) {
    PromptState *state = prompt_state(session);
    session->message[0] = 0; /* about the text */
    if (state->turned)
        changes_undo(session->lesson->changes);
    return mode_leave(session, &mode_prompt);
}

static bool is_done(const Session *session) {
    return !mode_on(session, &mode_prompt) && !session_is_opening(session);
}

/* Uses the text. This may replace the lesson and close the prompt. On the tour an
 * unchanged text goes on; a changed one stays at the station. */
static bool use(Session *session) {
    char text[FIELD_SIZE];
    const Lesson *before = session->lesson;
    memcpy(text, session->field.text, sizeof text);
    session->message[0] = 0;
    if (prompt_state(session)->prompt->use(session, text))
        mode_leave(session, &mode_prompt);
    if (is_done(session) && session->lesson == before && mode_on(session, &mode_tour))
        action_do(session, action_number("tour_next"));
    return true;
}

/* On the tour the keys that go on also take the text. */
static ModeAnswer key(Session *session, const char *name) {
    const Field *field = &session->field;
    bool at_end = field->caret == strlen(field->text);
    bool on = strcmp(name, "Down") == 0 || strcmp(name, "PageDown") == 0 ||
              (strcmp(name, "Right") == 0 && at_end);
    if (!on || !mode_on(session, &mode_tour))
        return MODE_PASSES;
    use(session);
    return MODE_CHANGES;
}

/* Opens the text in the lesson that takes any text. */
static bool take_elsewhere(Session *session) {
    char text[FIELD_SIZE];
    memcpy(text, session->field.text, sizeof text);
    leave(session);
    return text_take_elsewhere(session, text);
}

static const char *why_not_elsewhere(const Session *session) {
    bool words = prompt_state(session)->prompt && prompt_state(session)->prompt->words;
    return words && text_has_elsewhere(session) && !mode_on(session, &mode_tour)
               ? NULL
               : "action.why.no_typing";
}

static const Action actions[] = {
    {"text_elsewhere", "Ctrl+Return", .act = take_elsewhere, .why_not = why_not_elsewhere,
     .traits = ACTION_QUIET},
    {"leave_field", "Escape", .act = leave},
    {"use_text", "Return", .act = use},
    {"paste", "Ctrl+V|Shift+Insert", .request = SESSION_PASTE},
};

const ActionGroup actions_writing = ACTION_GROUP(&mode_prompt, actions);

/* ---- words to choose from ---- */

/* Returns the beginning of the last word of a text. */
static size_t last_word(const char *text) {
    size_t begin = strlen(text);
    while (begin > 0 && text[begin - 1] != ' ')
        begin--;
    return begin;
}

static void write_anew(Session *session, const char *text) {
    field_begin(&session->field, text);
    field_key(&session->field, "End");
    session->message[0] = 0;
}

/* Puts a word behind the text, in place of its own beginning; behind one that is
 * selected, too. */
static void add_word(Session *session, const char *word) {
    char text[FIELD_SIZE];
    size_t begin = last_word(session->field.text);
    bool begun =
        !session->field.selected && strncasecmp(session->field.text + begin, word,
                                                strlen(session->field.text + begin)) == 0;
    size_t kept = begun ? begin : strlen(session->field.text);
    const char *blank = kept && session->field.text[kept - 1] != ' ' ? " " : "";
    int size = snprintf(text, sizeof text, "%.*s%s%s ", (int)kept, session->field.text,
                        blank, word);
    if (size > 0 && (size_t)size < sizeof text)
        write_anew(session, text);
}

static void take_word(Session *session) {
    char text[FIELD_SIZE];
    size_t end = strlen(session->field.text);
    memcpy(text, session->field.text, sizeof text);
    while (end > 0 && text[end - 1] == ' ')
        text[--end] = 0;
    text[last_word(text)] = 0;
    write_anew(session, text);
}

/* The words that go on with the one begun; all where none does. */
static const char *const *words_now(const Session *session, Arena *arena, size_t *count) {
    const char *const *words =
        prompt_state(session)->prompt->words(session, arena, count);
    const char *text = session->field.text;
    const char *begun = session->field.selected ? "" : text + last_word(text);
    const char **fitting = arena_alloc(arena, *count + 1, sizeof *fitting);
    size_t found = 0;
    for (size_t i = 0; words && fitting && i < *count; i++) {
        if (strncasecmp(words[i], begun, strlen(begun)) == 0)
            fitting[found++] = words[i];
    }
    bool whole = found == 1 && strlen(fitting[0]) == strlen(begun);
    if (!found || whole)
        return words;
    *count = found;
    return fitting;
}

enum { SCRATCH_BYTES = 4 << 20 };

/* A button of the tour takes the open text first. */
static ModeAnswer go_on_touring(Session *session, Link link) {
    if (link.index == action_number("leave_tour"))
        leave(session);
    else
        use(session);
    if (is_done(session) && link.index != action_number("tour_next"))
        action_do(session, link.index);
    return MODE_CHANGES;
}

/* A word's link has a row, so that it is none of an action's. */
static ModeAnswer press(Session *session, Link link) {
    if (link.kind == LINK_COMMAND && !link.row && link.index < action_count() &&
        action_mode(link.index) == &mode_tour)
        return go_on_touring(session, link);
    if (link.kind == LINK_COMMAND && link.row && link.index == action_number("use_text"))
        return field_number_key(&session->field, link.col) ? MODE_CHANGES : MODE_TAKES;
    if (link.kind != LINK_COMMAND || !link.row || !prompt_state(session)->prompt->words)
        return MODE_PASSES;
    size_t count = 0;
    Arena *arena = arena_create(SCRATCH_BYTES);
    const char *const *words = arena ? words_now(session, arena, &count) : NULL;
    if (words && link.col < count)
        add_word(session, words[link.col]);
    else if (words)
        take_word(session);
    arena_destroy(arena);
    return words ? MODE_CHANGES : MODE_TAKES;
}

static void add_words(const Session *session, FieldChips *chips, Arena *arena) {
    chips->use = action_link("use_text");
    chips->paste = action_link("paste");
    chips->leave = action_link("leave_field");
    chips->chip = (Link){LINK_COMMAND, 0, 1, 0};
    if (!why_not_elsewhere(session))
        chips->elsewhere = action_link("text_elsewhere");
    if (prompt_state(session)->prompt->words)
        chips->words = words_now(session, arena, &chips->count);
    if (!chips->words)
        chips->count = 0;
}

static void draw(Session *session, const Canvas *canvas) {
    HelpField field = {.title = prompt_state(session)->prompt->title,
                       .keys = prompt_state(session)->prompt->keys,
                       .text = session->field.text,
                       .caret = session->field.caret,
                       .selected = session->field.selected,
                       .problem = session->message};
    Box cell;
    add_words(session, &field.chips, canvas->scene->arena);
    if (!prompt_state(session)->prompt->at_cell) {
        help_draw_field(canvas, &field);
        return;
    }
    const char *name =
        edit_cell_name(session, &prompt_state(session)->edited, canvas->scene->arena);
    if (!marks_cell_box(canvas->scene, prompt_state(session)->edited.shown, &cell))
        cell = (Box){session->width / 2, session->height / 2, 0, 0};
    field.title = canvas_words(canvas, field.title, name ? name : "", NULL);
    help_draw_cell_field(canvas, &field, canvas_shrunk(canvas, cell));
}

const Mode mode_prompt = {.name = "prompt",
                          .state_size = sizeof(PromptState),
                          .missing = "action.why.not_writing",
                          .banner = "banner.prompt",
                          .closed = true,
                          .overlays = true,
                          .grows = true,
                          .key = key,
                          .always_writes = true,
                          .press = press,
                          .draw = draw};

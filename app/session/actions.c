#include "session/mode.h"

#include "picture/overlays/overlays.h"
#include "session/state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Groups in the order of the help, subject by subject. */
static const ActionGroup *const groups[] = {
    &actions_steps,     &actions_play,       &actions_lessons,   &actions_leave,
    &actions_words,     &actions_pin,        &actions_follow,    &actions_influence,
    &actions_copy,      &actions_map,        &actions_menu,      &actions_find,
    &actions_glossary,  &actions_edit,       &actions_moved,     &actions_compare,
    &actions_model,     &actions_mute,       &actions_restore,   &actions_text,
    &actions_practise,  &actions_questions,  &actions_answering, &actions_quiz,
    &actions_present,   &actions_presenting, &actions_lens,      &actions_picture,
    &actions_size,      &actions_looks,      &actions_anywhere,  &actions_lensed,
    &actions_tour,      &actions_home,       &actions_from_home, &actions_touring,
    &actions_pinned,    &actions_pin_rests,  &actions_followed,  &actions_influenced,
    &actions_switching, &actions_exercise,   &actions_writing,   &actions_in_glossary,
    &actions_opening,   &actions_finding,    &actions_choosing,  &actions_setting,
    &actions_compared,  &actions_more,
};

/* Headings of the help; each begins at a group. */
static const struct {
    const ActionGroup *first;
    const char *subject;
} subjects[] = {
    {&actions_steps, "help.going"},        {&actions_words, "help.looking"},
    {&actions_edit, "help.changing"},      {&actions_practise, "help.practising"},
    {&actions_present, "help.presenting"}, {&actions_size, "help.program"},
};

enum { GROUP_COUNT = sizeof groups / sizeof *groups };

size_t action_count(void) {
    size_t count = 0;
    for (size_t i = 0; i < GROUP_COUNT; i++)
        count += groups[i]->count;
    return count;
}

/* The group of an action, whose number becomes one within it. */
static const ActionGroup *find_group(size_t *number) {
    size_t i = 0;
    for (; i + 1 < GROUP_COUNT && *number >= groups[i]->count; i++)
        *number -= groups[i]->count;
    return groups[i];
}

const Action *action_at(size_t number) {
    const ActionGroup *group = find_group(&number);
    return &group->actions[number];
}

const Mode *action_mode(size_t number) {
    return find_group(&number)->mode;
}

size_t action_number(const char *name) {
    size_t number = 0;
    while (number < action_count() && strcmp(action_at(number)->name, name) != 0)
        number++;
    return number;
}

Tool action_tool(const Action *action) {
    return (Tool)(action->traits >> ACTION_TOOL_SHIFT);
}

Link action_link(const char *name) {
    return (Link){LINK_COMMAND, action_number(name), 0, 0};
}

/* ---- whether, and doing it ---- */

/* The strings key of why not, or NULL. */
static const char *why_not(const Session *session, size_t number) {
    const ActionGroup *group = find_group(&number);
    const Action *action = &group->actions[number];
    if (group->mode && !mode_on(session, group->mode))
        return group->mode->missing;
    if (group->mode && !mode_reached(session, group->mode))
        return "action.why.busy";
    if (action->why_not_by)
        return action->why_not_by(session, action->by);
    return action->why_not ? action->why_not(session) : NULL;
}

const char *action_why_not(const Session *session, size_t number) {
    const char *key = why_not(session, number);
    return key ? session_words(session, key) : NULL;
}

/* Does what an action is for. */
static bool act(Session *session, const Action *action, const Mode *own) {
    const Mode *mode = action->toggles ? action->toggles : own;
    if (action->act)
        return action->act(session);
    if (action->act_by)
        return action->act_by(session, action->by);
    if (action->request)
        session->request = action->request;
    else if (!mode_leave(session, mode))
        mode_enter(session, mode);
    return action->request != SESSION_PASTE;
}

bool action_do(Session *session, size_t number) {
    const Action *action = action_at(number);
    const char *why = why_not(session, number);
    if (!(action->traits & ACTION_OF_PLAYING))
        autoplay_stop(session);
    if (!why)
        return act(session, action, action_mode(number));
    if (action->traits & ACTION_QUIET)
        return false;
    session_show_message(session, why, NULL, NULL);
    return true;
}

/* ---- keys ---- */

const char *action_plain_key(const char *key) {
    static const char *const names[][2] = {
        {"Enter", "Return"}, {"Keypad Enter", "Return"}, {"Esc", "Escape"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(key, names[i][0]) == 0)
            return names[i][1];
    }
    return key;
}

bool action_next_key(const char **keys, char key[SESSION_KEY_SIZE]) {
    size_t length = *keys ? strcspn(*keys, "|") : 0;
    snprintf(key, SESSION_KEY_SIZE, "%.*s", (int)length, *keys ? *keys : "");
    if (length)
        *keys += length + ((*keys)[length] == '|');
    return length > 0;
}

static bool has_key(const Action *action, const char *key) {
    char one[SESSION_KEY_SIZE];
    for (const char *keys = action->keys; action_next_key(&keys, one);) {
        if (strcasecmp(one, key) == 0)
            return true;
    }
    return false;
}

size_t action_of_key(const Mode *mode, const char *key) {
    size_t first = 0;
    for (size_t i = 0; i < GROUP_COUNT; first += groups[i++]->count) {
        for (size_t j = 0; groups[i]->mode == mode && j < groups[i]->count; j++) {
            if (has_key(&groups[i]->actions[j], key))
                return first + j;
        }
    }
    return first;
}

bool action_is_taken(const Session *session, size_t number) {
    char key[SESSION_KEY_SIZE];
    const char *keys = action_at(number)->keys;
    bool has = action_next_key(&keys, key);
    for (size_t i = session->mode_count; has && i > 0; i--) {
        const Mode *mode = session->modes[i - 1];
        if (mode == action_mode(number))
            break;
        if (!mode->offers && action_of_key(mode, key) < action_count())
            return true;
    }
    return false;
}

bool action_key_exists(const char *name) {
    const char *key = action_plain_key(name);
    for (size_t i = 0; i < action_count(); i++) {
        if (has_key(action_at(i), key))
            return true;
    }
    return field_key_exists(key);
}

bool action_nearest_key(const char *key, char nearest[SESSION_KEY_SIZE]) {
    enum { NAMES_MAX = 256 };
    char keys[NAMES_MAX][SESSION_KEY_SIZE];
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < action_count(); i++) {
        const char *rest = action_at(i)->keys;
        while (count < NAMES_MAX && action_next_key(&rest, keys[count]))
            count++;
    }
    for (size_t i = 0; i < count; i++)
        names[i] = keys[i];
    const char *found = error_nearest(key, names, count);
    snprintf(nearest, SESSION_KEY_SIZE, "%s", found ? found : "");
    return found != NULL;
}

/* Writes a key's name behind its modifiers' and says whether that stands for anything. */
static bool try_name(char name[SESSION_KEY_SIZE], bool ctrl, bool shift,
                     const char *key) {
    snprintf(name, SESSION_KEY_SIZE, "%s%s%s", ctrl ? "Ctrl+" : "", shift ? "Shift+" : "",
             key);
    return action_key_exists(name);
}

bool action_name_key(char name[SESSION_KEY_SIZE], const char *named, const char *placed,
                     bool ctrl, bool shift) {
    return (shift &&
            (try_name(name, ctrl, true, named) || try_name(name, ctrl, true, placed))) ||
           try_name(name, ctrl, false, named) || try_name(name, ctrl, false, placed);
}

const char *action_shown_key(const Action *action, Arena *arena) {
    static const char *const signs[][2] = {{"Right", "→"},
                                           {"Left", "←"},
                                           {"Up", "↑"},
                                           {"Down", "↓"},
                                           {"-", "−"},
                                           {"Return", "Enter"},
                                           {"Escape", "Esc"},
                                           {"PageUp", "Page Up"},
                                           {"PageDown", "Page Down"}};
    char name[SESSION_KEY_SIZE];
    const char *keys = action->keys;
    action_next_key(&keys, name);
    const char *key = strrchr(name, '+');
    key = key && key[1] ? key + 1 : name;
    size_t sign = 0, count = sizeof signs / sizeof *signs;
    while (sign < count && strcmp(key, signs[sign][0]) != 0)
        sign++;
    const char *shown = arena_format(arena, "%.*s%s", (int)(key - name), name,
                                     sign < count ? signs[sign][1] : key);
    return shown ? shown : "";
}

/* The subject that a group begins, or NULL. */
static const char *subject_of(const ActionGroup *group) {
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        if (subjects[i].first == group)
            return subjects[i].subject;
    }
    return NULL;
}

/* Adds the lines of a subject, or of the actions marked ACTION_FIRST, or of all others;
 * returns the entry after the last. */
static HelpEntry *add_lines(HelpEntry *entry, const char *leads, bool first,
                            Arena *arena) {
    const char *subject = first && !leads ? "help.first" : NULL;
    bool within = false;
    for (size_t g = 0; g < GROUP_COUNT; g++) {
        const char *begun = subject_of(groups[g]);
        within = begun ? leads && strcmp(begun, leads) == 0 : within;
        subject = begun && (leads || !first) ? begun : subject;
        for (size_t i = 0; i < groups[g]->count; i++) {
            const Action *action = &groups[g]->actions[i];
            const char *words = arena_format(arena, "key.%s", action->name);
            bool early = leads ? within : action->traits & ACTION_FIRST;
            if (!action->shown || !words || early != first)
                continue;
            *entry++ = (HelpEntry){action->shown, words, subject};
            subject = NULL;
        }
    }
    return entry;
}

HelpEntry *action_help(const char *subject, Arena *arena, size_t *first, size_t *count) {
    HelpEntry *entries = arena_alloc(arena, action_count(), sizeof *entries);
    if (!entries)
        return NULL;
    HelpEntry *rest = add_lines(entries, subject, true, arena);
    *first = (size_t)(rest - entries);
    *count = (size_t)(add_lines(rest, subject, false, arena) - entries);
    return entries;
}

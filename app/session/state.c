#include "session/state.h"

#include "base/strings/utf8.h"
#include "picture/page/text_scale.h"
#include "picture/panels/help.h"
#include "picture/scene/scene_scale.h"
#include "picture/scene/scene_troubles.h"
#include "picture/words/insets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Session *session_create(Course *course, const char *theme) {
    Session *session = malloc(sizeof *session);
    if (!session)
        return NULL;
    *session = (Session){.course = course,
                         .language = course->language,
                         .theme = theme ? themes_lookup(&course->themes, theme)
                                        : &course->themes.items[0],
                         .text_scale = 1,
                         .back_row = 1,
                         .width = 1600,
                         .height = 900,
                         .play = {.speed = PACE_NORMAL}};
    session->home.lessons =
        arena_alloc(course->arena, course->room, sizeof *session->home.lessons);
    home_enter(session);
    return session;
}

void session_destroy(Session *session) {
    if (!session)
        return;
    mode_begin(session, &mode_nothing);
    variant_finish(&session->variants);
    course_lesson_finish(&session->files[0]);
    course_lesson_finish(&session->files[1]);
    free(session->watched.changes);
    free(session->way.places);
    free(session->copied);
    free(session);
}

/* ---- the stack of modes ---- */

static size_t place_of(const Session *session, const Mode *mode) {
    size_t place = 0;
    while (place < session->mode_count && session->modes[place] != mode)
        place++;
    return place;
}

bool mode_on(const Session *session, const Mode *mode) {
    return place_of(session, mode) < session->mode_count;
}

bool mode_leave(Session *session, const Mode *mode) {
    size_t place = place_of(session, mode);
    if (place == session->mode_count)
        return false;
    if (mode->leave)
        mode->leave(session);
    session->mode_count--;
    for (; place < session->mode_count; place++)
        session->modes[place] = session->modes[place + 1];
    return true;
}

/* What was done in a lesson is noted before that is left. */
void mode_begin(Session *session, const Mode *bottom) {
    session_remember(session);
    while (session->mode_count)
        mode_leave(session, session->modes[session->mode_count - 1]);
    mode_enter(session, bottom);
    session->leaving = NULL;
    session->shown++;
}

void mode_enter(Session *session, const Mode *mode) {
    if (!mode_on(session, mode) && session->mode_count < MODES_MAX)
        session->modes[session->mode_count++] = mode;
}

bool mode_reached(const Session *session, const Mode *mode) {
    for (size_t i = session->mode_count; i > 0; i--) {
        if (session->modes[i - 1] == mode)
            return true;
        if (session->modes[i - 1]->closed && !session->modes[i - 1]->offers)
            return false;
    }
    return false;
}

bool mode_overlaid(const Session *session) {
    for (size_t i = 0; i < session->mode_count; i++) {
        if (session->modes[i]->overlays)
            return true;
    }
    return false;
}

const Mode *mode_writing(const Session *session) {
    for (size_t i = session->mode_count; i > 0; i--) {
        const Mode *mode = session->modes[i - 1];
        if (mode->writes && mode->writes(session))
            return mode;
        if (mode->closed)
            return NULL;
    }
    return NULL;
}

/* ---- what it says ---- */

SessionRequest session_take_request(Session *session) {
    SessionRequest request = session->request;
    session->request = SESSION_NOTHING;
    return request;
}

const char *session_words(const Session *session, const char *key) {
    return language_words(session->language, key);
}

const char *session_list(const Session *session, const char *so_far, const char *more,
                         Arena *arena) {
    const char *const both[] = {so_far, more};
    return so_far ? language_sentence(session->language, "list.next", 2, both, arena)
                  : more;
}

void session_say(Session *session, const char *key, const char *first,
                 const char *second) {
    language_write(session->message, sizeof session->message, session->language, key, 2,
                   (const char *const[]){first, second});
    utf8_mend(session->message);
    session->message_left = 0;
}

/* The present step, however deep: "Step 3 of 13", or its path. */
static const char *step_title(const Session *session, Arena *arena) {
    const Player *player = &session->player;
    const char *const count[] = {
        arena_format(arena, "%zu", player_statement(player) + 1),
        arena_format(arena, "%zu", player_statement_count(player))};
    const char *words =
        language_sentence(session->language, "page.step_of", 2, count, arena);
    return player_step(player)->depth > 1
               ? arena_format(arena, "%s (%s)", words, player_step(player)->path)
               : words;
}

const char *session_title(const Session *session, Arena *arena) {
    if (!mode_on(session, &mode_lesson))
        return "Glassformer";
    const char *title = text_in(&session->lesson->title, session->language);
    const char *id = session->lesson->id;
    if (isdigit((unsigned char)id[0]))
        title = arena_format(arena, "%lu · %s", strtoul(id, NULL, 10), title);
    const char *const parts[] = {title, step_title(session, arena)};
    return language_sentence(session->language, "window.title", 2, parts, arena);
}

const char *session_notes_title(const Session *session, Arena *arena) {
    const char *title = session_title(session, arena);
    return language_sentence(session->language, "window.notes", 1, &title, arena);
}

bool session_leaves(Session *session, const char *key, const char *words) {
    if (session->leaving && strcmp(session->leaving, key) == 0)
        return true;
    session->leaving = key;
    session_say(session, words, NULL, NULL);
    return false;
}

void session_lacks_memory(Session *session) {
    session->short_of_memory = true;
    session_say(session, "change.failed", NULL, NULL);
}

bool session_is_whole(const Session *session, Error *error) {
    if (session->short_of_memory)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for all of this");
    return course_is_whole(session->course, error);
}

const char *session_picture_name(const Session *session, Arena *arena) {
    if (!mode_on(session, &mode_lesson))
        return "glassformer.png";
    size_t row, col;
    const char *path = player_step(&session->player)->path;
    if (player_cell(&session->player, &row, &col))
        return arena_format(arena, "%s-%s-cell-%zu-%zu.png", session->lesson->id, path,
                            row, col);
    return arena_format(arena, "%s-%s.png", session->lesson->id, path);
}

/* ---- what it shows ---- */

/* Draws a mode on a page that is so much smaller, and makes that larger; gives back how
 * much is wrong with it. */
static size_t draw_grown_by(Session *session, const Canvas *canvas, const Mode *mode,
                            double scale) {
    Scene *scene = canvas->scene;
    Canvas grown = *canvas;
    size_t first = scene->count;
    double width = scene->width, height = scene->height;
    grown.enlarged = scale;
    scene->width /= scale;
    scene->height /= scale;
    mode->draw(session, &grown);
    size_t troubles =
        scene_troubles(scene, first, (Box){0, 0, scene->width, scene->height});
    scene->width = width;
    scene->height = height;
    scene_scale(scene, first, scale, (Point){0, 0});
    return troubles;
}

/* In type as large as the lesson's, or as has room. */
static void draw_grown(Session *session, const Canvas *canvas, const Mode *mode) {
    Page page = {.presents = session_presents(session),
                 .text_scale = session_text_scale(session)};
    double scale = text_scale_of(&page);
    size_t first = canvas->scene->count;
    while (draw_grown_by(session, canvas, mode, scale) && scale > 1) {
        canvas->scene->count = first;
        scale = text_scale_below(scale);
    }
}

static void draw(Session *session, Scene *scene, Arena *arena, const TextMetrics *metrics,
                 double width, double height, bool interactive) {
    session->width = width;
    session->height = height;
    scene_init(scene, arena, width, height, session->theme->page);
    scene_set_lines(scene, session->theme->lines);
    Canvas canvas = {.scene = scene,
                     .theme = session->theme,
                     .metrics = metrics,
                     .language = session->language};
    SentenceNames names = {.canvas = &canvas};
    Insets insets = insets_of_names(&names);
    canvas.insets = &insets;
    /* what is wrong with a file has the page's foot to itself */
    session->height -= interactive ? reload_strip(session, &canvas, false) : 0;
    if (session->modes[0]->fill)
        session->modes[0]->fill(session, &canvas, interactive);
    session->height = scene->height = height;
    for (size_t i = 1; interactive && i < session->mode_count; i++) {
        const Mode *mode = session->modes[i];
        if (mode->draw && mode->grows)
            draw_grown(session, &canvas, mode);
        else if (mode->draw)
            mode->draw(session, &canvas);
    }
    if (interactive)
        reload_strip(session, &canvas, true);
    if (interactive)
        bar_draw_tip(session, &canvas);
}

void session_draw(Session *session, Scene *scene, Arena *arena,
                  const TextMetrics *metrics, double width, double height,
                  bool interactive) {
    questions_look(session);
    session->drawn = session->shown;
    draw(session, scene, arena, metrics, width, height, interactive);
}

void session_draw_sheet(Session *session, Scene *scene, Arena *arena,
                        const TextMetrics *metrics, double width, double height) {
    questions_look(session);
    draw(session, scene, arena, metrics, width, height,
         mode_overlaid(session) || session_presents(session));
}

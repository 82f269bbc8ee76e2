#include "actions/actions.h"
#include "drive/drive.h"
#include "modes/modes.h"
#include "picture/page/page.h"
#include "picture/scene/label.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"

/* Draws a mode on a page smaller by the enlargement, and enlarges that; returns how far
 * it is from fitting. */
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

/* Draws a mode in type as large as the lesson's, or as fits. */
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

/* ---- an input method's composition ---- */

bool session_caret(const Session *session, const Scene *scene, Box *caret) {
    size_t last = scene->count;
    while (last > 0 && scene->items[last - 1].link.kind != LINK_FIELD)
        last--;
    if (!mode_writing(session) || !last)
        return false;
    *caret = scene->items[last - 1].box; /* which a field draws last */
    return true;
}

/* Draws what is composed over the field, underlined, from the caret on. */
static void draw_composed(const Session *session, const Canvas *canvas) {
    static const double TEXT_FRACTION = 0.9, LINE = 2;
    const Theme *theme = canvas->theme;
    Box caret;
    if (!session->composed[0] || !session_caret(session, canvas->scene, &caret))
        return;
    double size = caret.h * TEXT_FRACTION;
    double width = canvas_text_width(canvas, FONT_TEXT, size, session->composed);
    Point at = {caret.x + LINE, label_baseline(caret.y + caret.h / 2, size)};
    Box box = {at.x, caret.y, width, caret.h};
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    canvas_fill(canvas, box, 0, theme->bar);
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, size, theme->ink, at,
               LABEL_LEFT, session->composed); /* verbatim */
    canvas_fill(canvas, (Box){box.x, box.y + box.h, width, LINE}, 0, theme->ink);
    canvas_fill(canvas, (Box){box.x + width, box.y, LINE, box.h}, 0, theme->accent);
    canvas_unlink(canvas);
}

/* A session's page, drawn under the guard of the scene's arena. */
typedef struct Drawing {
    Session *session;
    const Canvas *canvas;
    bool interactive;
    bool unseen; /* drawn ahead: the lesson's page alone */
} Drawing;

static void draw_guarded(void *context) {
    const Drawing *this = context;
    Session *session = this->session;
    Scene *scene = this->canvas->scene;
    Box page = {0, 0, scene->width, scene->height};
    Box bar = this->interactive ? touch_bar_cut(session, &page) : (Box){0};
    double width = scene->width, height = scene->height;
    session->width = page.w;
    session->height = page.h;
    /* an error in a file takes the place of the page's footer */
    session->height -= this->interactive ? reload_strip(session, this->canvas, false) : 0;
    if (this->unseen)
        lesson_fill_unseen(session, this->canvas);
    else if (session->modes[0]->fill)
        session->modes[0]->fill(session, this->canvas, this->interactive);
    session->width = scene->width = width;
    session->height = scene->height = height;
    if (this->unseen)
        return;
    touch_bar_show(session, this->canvas, bar);
    for (size_t i = 1; this->interactive && i < session->mode_count; i++) {
        const Mode *mode = session->modes[i];
        if (mode->draw && mode->grows)
            draw_grown(session, this->canvas, mode);
        else if (mode->draw)
            mode->draw(session, this->canvas);
    }
    if (!this->interactive)
        return;
    draw_composed(session, this->canvas);
    reload_strip(session, this->canvas, true);
    bar_draw_tip(session, this->canvas);
}

static void draw(Session *session, Scene *scene, Arena *arena, const TextMetrics *metrics,
                 double width, double height, bool interactive, bool unseen) {
    session->width = width;
    session->height = height;
    scene_init(scene, arena, width, height, session->theme->page);
    scene_set_lines(scene, session->theme->lines);
    scene_set_language(scene, session->language);
    Canvas canvas = {.scene = scene,
                     .theme = session->theme,
                     .metrics = metrics,
                     .language = session->language};
    SentenceNames names;
    sentence_names_use(&names, &canvas, NULL);
    arena_guard(arena, draw_guarded, &(Drawing){session, &canvas, interactive, unseen});
    session->width = scene->width = width;
    session->height = scene->height = height;
}

void session_draw(Session *session, Scene *scene, Arena *arena,
                  const TextMetrics *metrics, double width, double height,
                  bool interactive) {
    questions_look(session);
    session->drawn = session->shown;
    draw(session, scene, arena, metrics, width, height, interactive, false);
    bool presses = interactive && session->presses;
    session->presses &= !presses;
    if (presses &&
        session_pointer_press(session, scene, session->press.x, session->press.y)) {
        session_pointer_release(session);
        session->drawn = session->shown;
        draw(session, scene, arena, metrics, width, height, interactive, false);
    }
}

bool session_draw_next(Session *session, Scene *scene, Arena *arena,
                       const TextMetrics *metrics, double width, double height) {
    Player here = session->player, next;
    if (!lesson_next_place(session, &next))
        return false;
    session->player = next;
    draw(session, scene, arena, metrics, width, height, true, true);
    session->player = here;
    return true;
}

void session_draw_sheet(Session *session, Scene *scene, Arena *arena,
                        const TextMetrics *metrics, double width, double height) {
    questions_look(session);
    draw(session, scene, arena, metrics, width, height,
         mode_overlaid(session) || session_presents(session), false);
}

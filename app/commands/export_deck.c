#include "commands/export.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"
#include "picture/page/page.h"

#include <stdlib.h>
#include <string.h>

static const double FRAME = 80, STAY = 3000; /* milliseconds: of a film's pictures */

/* The page of the step that a player is on. */
static Page page_of(const Export *export, const Player *player) {
    return (Page){.player = player,
                  .theme = export->theme,
                  .language = export->course->language,
                  .number = strtoul(export->lesson->id, NULL, 10),
                  .needs = export->needs,
                  .words = export->line->words,
                  .alone = export->line->picture_only,
                  .presents = export->presents,
                  .sources = export->line->sources || export->lesson->shows_sources};
}

/* The page of a step, on which, if that is asked for, its question waits. */
typedef struct StepPage {
    Player player;
    Page page;
    Practise asked;
    PractisePanel panel;
} StepPage;

/* Begins a step's page, which must not move. False if there is no memory; the caller ends
 * it. */
static bool begin_step(StepPage *shown, const Export *export, size_t step) {
    shown->player = export->player;
    shown->page = page_of(export, &shown->player);
    player_jump(&shown->player, step);
    if (!export->line->ask)
        return true;
    shown->panel =
        (PractisePanel){.practise = &shown->asked, .answer = "", .chosen = PLAYER_NONE};
    if (!practise_begin_question(&shown->asked, &shown->player, step))
        return !practise_was_short(&shown->asked);
    shown->page.practise = &shown->panel;
    shown->page.has_focus = practise_panel_focus(&shown->panel, &shown->page.focus);
    return true;
}

static void end_step(StepPage *shown) {
    if (shown->page.practise)
        practise_finish(&shown->asked);
}

bool export_lay_out(const Export *export, Sheet *sheet, size_t step, PaceMoment moment,
                    Error *error) {
    StepPage shown;
    if (!begin_step(&shown, export, step))
        return export_no_memory(error);
    shown.page.moment = moment;
    bool done = sheet_lay_out_page(sheet, &shown.page, error);
    end_step(&shown);
    return done;
}

/* ---- pages ---- */

/* Context of the explanations of a step's cells. */
typedef struct Explanation {
    const Export *export;
    size_t step;
} Explanation;

static const char *explain_cell(void *context, Link cell, bool heard, Arena *arena) {
    const Explanation *explanation = context;
    Player player = explanation->export->player;
    Page page = page_of(explanation->export, &player);
    player_jump(&player, explanation->step);
    page.has_focus = true;
    page.focus = cell;
    const Sheet *sheet = explanation->export->sheets[0];
    return heard ? sheet_read_sum(sheet, &page, arena)
                 : sheet_write_sum(sheet, &page, arena);
}

/* Sets what a screen reader reads for a step, and of that the sum of its cell, unless the
 * step asks for it. False if there is no memory. */
static bool read_page(const Export *export, size_t step, DeckPage *read) {
    StepPage shown;
    const Sheet *sheet = export->sheets[0];
    if (!begin_step(&shown, export, step))
        return false;
    shown.page.presents = false; /* all words, not only those that fit two lines */
    read->said = sheet_read_page(sheet, &shown.page, export->arena);
    read->sum =
        shown.page.practise ? "" : sheet_read_sum(sheet, &shown.page, export->arena);
    end_step(&shown);
    return read->said && read->sum;
}

static DeckPage deck_page(Export *export, size_t number, const size_t *steps) {
    const Lesson *lesson = export->lesson;
    const Language *language = export->course->language;
    const LessonStep *words = player_words(&export->player, steps[number]);
    const char *heading = text_in(
        text_is_empty(&words->concept) ? &words->heading : &words->concept, language);
    return (DeckPage){.part = text_in(&lesson->part, language),
                      .lesson = text_in(&lesson->title, language),
                      .step =
                          *heading ? heading : export->player.steps[steps[number]].name,
                      .notes = text_in(&words->notes, language),
                      .number = number,
                      .step_count = export->picture_count,
                      .steps = steps};
}

/* Adds the animation from the step before to a step, picture by picture. */
static bool add_motion(Export *export, Deck *deck, DeckPage *page, Error *error) {
    Player before = export->player, player = export->player;
    size_t step = page->steps[page->number];
    player_jump(&player, step);
    before = player;
    if (!player_move(&before, PLAYER_LEFT))
        return true;
    PaceMotion motion = pace_motion(&player, &before, export->arena);
    double length = pace_length(&motion);
    page->seconds = FRAME / 1000;
    for (double at = 0; at < length; at += FRAME) {
        if (!export_lay_out(export, export->sheets[0], step, pace_moment(&motion, at),
                            error))
            return false;
        page->picture = sheet_picture(export->sheets[0]);
        deck_add(deck, page);
    }
    page->seconds = pace_stay(&player, export->course->language) / 1000;
    return true;
}

/* Reports whether a format's pages are in presented type: slides are, unless their frame
 * is asked for. */
static bool line_presents(const CommandLine *line, const Format *format) {
    bool slides = format->traits & FORMAT_PRESENTS && !line->frame && !line->picture_only;
    return line->present || slides;
}

/* Adds the pictures of the lesson's steps. */
static bool add_pictures(Export *export, const Format *format, Deck *deck, Error *error) {
    size_t count = export->picture_count;
    size_t *steps = arena_alloc(export->arena, count, sizeof *steps);
    export->presents = line_presents(export->line, format);
    for (size_t i = 0; steps && i < count; i++)
        steps[i] = export->pictures[i].step;
    for (size_t i = 0; steps && i < count; i++) {
        Explanation explanation = {export, steps[i]};
        DeckPage page = deck_page(export, i, steps);
        page.tell = export->line->ask ? NULL : explain_cell;
        page.context = &explanation;
        if (format->traits & FORMAT_SAYS && !read_page(export, steps[i], &page))
            return export_no_memory(error);
        page.seconds = STAY / 1000;
        if ((format->traits & FORMAT_IS_FILM &&
             !add_motion(export, deck, &page, error)) ||
            !export_lay_out(export, export->sheets[0], steps[i], (PaceMoment){0}, error))
            return false;
        page.picture = sheet_picture(export->sheets[0]);
        deck_add(deck, &page);
        export_show_progress(export, i + 1, count);
    }
    export_show_progress(export, 0, 0);
    return steps || export_no_memory(error);
}

static bool add_lesson(Export *export, const Format *format, Deck *deck, Error *error) {
    return export_sheet(export, 0, error) && add_pictures(export, format, deck, error);
}

/* ---- files ---- */

DeckHead export_head(const Export *export, const Format *format, const char *title) {
    bool paper = format->traits & FORMAT_IS_WORKSHEET || export->line->handout;
    return (DeckHead){
        .title = title,
        .language = export->course->language,
        .paper = paper ? export->line->paper : NULL,
        .handout = format->traits & FORMAT_IS_WORKSHEET ? 0 : export->line->handout};
}

bool export_save(Deck *deck, const char *path, Error *error) {
    const char *end = strrchr(path, '/');
    if (end && end > path) {
        char *folder = strndup(path, (size_t)(end - path));
        bool made = folder ? folder_make(folder, error) : export_no_memory(error);
        free(folder);
        if (!made)
            return false;
    }
    return deck_save(deck, path, error);
}

bool export_deck(Export *export, const Format *format, Error *error) {
    if (format == export->format_of_all)
        return add_lesson(export, format, export->decks_of_all[0], error);
    const char *path = arena_format(export->arena, "%s/%s.%s", export->line->out,
                                    export->lesson->id, format->ending);
    if (!path)
        return export_no_memory(error);
    DeckHead head = export_head(
        export, format, text_in(&export->lesson->title, export->course->language));
    Deck *deck = deck_create(format->deck, &head, error);
    bool written =
        deck && add_lesson(export, format, deck, error) && export_save(deck, path, error);
    deck_destroy(deck);
    if (written)
        print("%s\n", path);
    return written;
}

/* ---- all lessons in one ---- */

const char *export_key_path(const Export *export, const char *path) {
    const char *name = strrchr(path, '/'), *ending = strrchr(path, '.');
    if (!ending || (name && ending < name))
        ending = path + strlen(path);
    return arena_format(export->arena, "%.*s-key%s", (int)(ending - path), path, ending);
}

bool export_begin_all(Export *export, Error *error) {
    const char *title = text_in(&export->course->title, export->course->language);
    export->head_of_all =
        export_head(export, export->format_of_all, *title ? title : "Glassformer");
    for (int key = 0; key <= export->line->key; key++) {
        export->decks_of_all[key] =
            deck_create(export->format_of_all->deck, &export->head_of_all, error);
        if (!export->decks_of_all[key])
            return false;
    }
    return true;
}

bool export_save_all(Export *export, Error *error) {
    const char *out = export->line->out;
    const char *key = export->line->key ? export_key_path(export, out) : "";
    if (!key)
        return export_no_memory(error);
    return export_save(export->decks_of_all[0], out, error) &&
           (!*key || export_save(export->decks_of_all[1], key, error));
}

void export_end_all(Export *export) {
    for (size_t key = 0; key < 2; key++)
        deck_destroy(export->decks_of_all[key]);
}

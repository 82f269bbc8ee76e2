#include "commands/export.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/practise/practise.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"

#include <stdlib.h>
#include <string.h>

enum {
    EXAM_QUESTIONS = 40,
    EXAM_MINUTES = 90, /* for so many questions */
    MINUTES_STEP = 5
};

/* ---- questions ---- */

/* Rounds of lessons, and the questions chosen from them; in the export's arena. */
typedef struct Questions {
    size_t round_count, count;
    Practise *rounds;
    WorksheetQuestion *items;
} Questions;

static void end_questions(Questions *questions) {
    for (size_t i = 0; i < questions->round_count; i++)
        practise_finish(&questions->rounds[i]);
}

/* Chooses questions of the lessons of players. False if there is no memory; the caller
 * ends them in either case. */
static bool choose_questions(Export *export, const Player *players, size_t count,
                             const PaperOrder *order, Questions *questions) {
    Arena *arena = export->arena;
    *questions = (Questions){.rounds = arena_alloc(arena, count, sizeof(Practise))};
    PaperQuestion *chosen = arena_alloc(arena, order->count, sizeof *chosen);
    questions->items = arena_alloc(arena, order->count, sizeof *questions->items);
    if (!questions->rounds || !questions->items || !chosen)
        return false;
    for (size_t i = 0; i < count; i++, questions->round_count++) {
        if (!practise_begin_paper(&questions->rounds[i], &players[i]))
            return false;
    }
    questions->count = paper_compose(questions->rounds, count, order, chosen, arena);
    for (size_t i = 0; i < questions->count; i++) {
        Practise *round = &questions->rounds[chosen[i].lesson];
        questions->items[i] =
            (WorksheetQuestion){.round = round,
                                .exercise = chosen[i].exercise,
                                .points = chosen[i].points,
                                .lesson = strtoul(round->player->lesson->id, NULL, 10)};
    }
    bool whole = !arena_exhausted(arena);
    for (size_t i = 0; i < count; i++)
        whole &= !arena_exhausted(questions->rounds[i].answers);
    return whole;
}

/* ---- pages ---- */

/* Black on white unless another theme is asked for. */
static const Theme *theme_of_paper(const Export *export) {
    const Theme *print = themes_lookup(&export->course->themes, "print");
    return export->line->theme || !print ? export->theme : print;
}

/* A worksheet of the export's language and paper. */
static Worksheet worksheet_of(const Export *export, const Questions *questions) {
    const Paper *paper = export->line->paper;
    return (Worksheet){.page = {.theme = theme_of_paper(export),
                                .language = export->course->language,
                                .height = WORKSHEET_WIDTH * paper->height / paper->width},
                       .count = questions->count,
                       .questions = questions->items,
                       .copy = export->line->copy};
}

/* Adds the pages of a worksheet to a deck. */
static bool add_pages(Export *export, Worksheet *worksheet, DeckPage page, Deck *deck,
                      Error *error) {
    if (!export_sheet(export, 0, error))
        return false;
    for (size_t next = 0; next < worksheet->count;) {
        if (!sheet_lay_out_worksheet(export->sheets[0], worksheet, &next, error))
            return false;
        page.picture = sheet_picture(export->sheets[0]);
        deck_add(deck, &page);
    }
    return true;
}

/* Writes a worksheet, or its key, to a file of its own. */
static bool write_paper(Export *export, const Format *format, Worksheet *worksheet,
                        DeckPage page, const char *path, Error *error) {
    if (!path)
        return export_no_memory(error);
    DeckHead head = export_head(export, format, page.lesson);
    Deck *deck = deck_create(format->deck, &head, error);
    bool written = deck && add_pages(export, worksheet, page, deck, error) &&
                   export_save(deck, path, error);
    deck_destroy(deck);
    if (written)
        print("%s\n", path);
    return written;
}

/* FOLDER/08-one-head-worksheet-7.pdf, FOLDER/exam-7-key.pdf */
static const char *path_of(const Export *export, const char *name, const char *ending,
                           bool key) {
    const CommandLine *line = export->line;
    const char *path =
        arena_format(export->arena, "%s/%s%s%s.%s", line->out, name,
                     line->copy ? "-" : "", line->copy ? line->copy : "", ending);
    return path && key ? export_key_path(export, path) : path;
}

/* ---- a lesson's worksheet ---- */

/* Adds the worksheet, and its key if that is asked for, to the decks of all lessons, or
 * writes them to files. */
static bool write_worksheet(Export *export, const Format *format, Worksheet *worksheet,
                            Error *error) {
    const Language *language = export->course->language;
    const char *name = arena_format(export->arena, "%s-worksheet", export->lesson->id);
    DeckPage page = {.part = text_in(&export->lesson->part, language),
                     .lesson = text_in(&export->lesson->title, language),
                     .step = ""};
    bool written = name || export_no_memory(error);
    for (int key = 0; written && key <= export->line->key; key++) {
        worksheet->key = key;
        written =
            format == export->format_of_all
                ? add_pages(export, worksheet, page, export->decks_of_all[key], error)
                : write_paper(export, format, worksheet, page,
                              path_of(export, name, format->ending, key), error);
    }
    return written;
}

bool export_worksheet(Export *export, const Format *format, Error *error) {
    const CommandLine *line = export->line;
    Questions questions;
    PaperOrder order = {.count =
                            line->questions ? line->questions : PAPER_QUESTIONS_USUAL,
                        .redrawn = export->redrawn,
                        .seed = line->seed};
    bool written = choose_questions(export, &export->player, 1, &order, &questions) ||
                   export_no_memory(error);
    export->is_empty = written && !questions.count;
    if (export->is_empty)
        print_to(stderr, "glassformer: '%s' has nothing to reckon, so no worksheet\n",
                 export->lesson->id);
    if (written && questions.count) {
        Worksheet worksheet = worksheet_of(export, &questions);
        worksheet.page.player = &export->player;
        worksheet.page.number = strtoul(export->lesson->id, NULL, 10);
        worksheet.redrawn = export->redrawn;
        written = write_worksheet(export, format, &worksheet, error);
    }
    end_questions(&questions);
    return written;
}

/* ---- an exam ---- */

/* The time for a number of questions. */
static size_t minutes_for(size_t count) {
    size_t steps =
        (EXAM_MINUTES * count / EXAM_QUESTIONS + MINUTES_STEP / 2) / MINUTES_STEP;
    return MINUTES_STEP * (steps ? steps : 1);
}

/* Writes the exam, and its key if that is asked for. */
static bool write_exam(Export *export, const Format *format, const Player *players,
                       size_t count, Error *error) {
    const CommandLine *line = export->line;
    const char *title = text_in(&export->course->title, export->course->language);
    Questions questions;
    PaperOrder order = {.count = line->questions ? line->questions : EXAM_QUESTIONS,
                        .exam = true,
                        .seed = line->seed};
    bool written = choose_questions(export, players, count, &order, &questions) ||
                   export_no_memory(error);
    if (written && questions.count < order.count)
        print_to(stderr, "glassformer: the lessons have %zu questions for an exam\n",
                 questions.count);
    Worksheet worksheet = worksheet_of(export, &questions);
    worksheet.title = *title ? title : "Glassformer";
    worksheet.minutes = minutes_for(questions.count);
    DeckPage page = {.part = "",
                     .lesson = language_words(export->course->language, "worksheet.exam"),
                     .step = ""};
    for (int key = 0; written && questions.count && key <= line->key; key++) {
        worksheet.key = key;
        const char *path = format != export->format_of_all
                               ? path_of(export, "exam", format->ending, key)
                           : key ? export_key_path(export, line->out)
                                 : line->out;
        written = write_paper(export, format, &worksheet, page, path, error);
    }
    end_questions(&questions);
    return written;
}

ExitCode export_exam(Export *export, const Format *format, size_t count) {
    ExitCode code = EXIT_DONE;
    size_t open = 0;
    Error error;
    arena_reset(export->arena);
    Player *players = arena_alloc(export->arena, count, sizeof *players);
    bool whole = players;
    for (size_t i = 0; i < count && whole; i++) {
        ErrorList errors = {0};
        Lesson *lesson = course_open(export->course, export_name_at(export, i), &errors);
        whole = lesson ? player_init(&players[open], lesson)
                       : errors.items[0].code != ERROR_MEMORY;
        ExitCode one = lesson ? EXIT_DONE : report_errors(&errors);
        code = one > code ? one : code;
        if (lesson && !whole)
            lesson_destroy(lesson);
        open += lesson && whole;
    }
    if (!whole || (open && !write_exam(export, format, players, open, &error)))
        code = whole ? report_error(&error) : report_no_memory(EXPORT_MUCH);
    for (size_t i = 0; i < open; i++)
        lesson_destroy((Lesson *)players[i].lesson);
    return code;
}

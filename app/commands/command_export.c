#include "commands/command.h"

#include "base/number.h"
#include "commands/report.h"
#include "files/folder.h"
#include "files/print.h"
#include "formats/format.h"
#include "formats/pdf.h"
#include "lesson/load/load.h"
#include "picture/explain/practising.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXPORT_MAX_MEMORY = 256 << 20, SLUG_SIZE = 64 };

typedef struct Picture {
    size_t step;
    const char *path; /* without what tells its format */
} Picture;

/* One run of the command: one lesson after the other is read, written and let go of, so
 * that any number can be exported. Threads share its pictures: they take them from `next`
 * until one has `failed`, which is the one that tells of an error. */
typedef struct Export {
    Course *course;
    const CommandLine *line;
    const Theme *theme;
    Sheet *sheets[THREADS_MAX]; /* one a thread, once it has had a picture */
    Pdf *deck;                  /* of all lessons, or NULL */
    size_t all_pictures, all_lessons;
    bool shows_progress;
    Arena *arena; /* all that follows: the present lesson's */
    Lesson *lesson;
    const char *needs; /* that it builds on */
    Player player;
    size_t picture_count;
    Picture *pictures;
    atomic_size_t next, done;
    atomic_bool failed;
    Error error; /* the first */
} Export;

/* A thread, and the sheet that it has. */
typedef struct Worker {
    Export *export;
    size_t index;
} Worker;

/* ---- what to write ---- */

static const char MUCH[] = "to export that much";

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory %s", MUCH);
}

/* A name as part of a file's: letters, digits and what is not ASCII stay. */
static const char *slug_of(const char *name, char out[SLUG_SIZE]) {
    size_t length = 0;
    for (; *name && length < SLUG_SIZE - 1; name++) {
        unsigned char c = (unsigned char)*name;
        bool stays = c >= 0x80 || c == '_' || (c >= '0' && c <= '9') ||
                     (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (stays || (length && out[length - 1] != '-'))
            out[length++] = stays ? (char)c : '-';
    }
    if (*name) /* cut: not within a character of several bytes */
        while (length && ((unsigned char)out[length - 1] & 0xC0) == 0x80)
            length--;
    if (*name && length && (unsigned char)out[length - 1] >= 0xC0)
        length--;
    while (length && out[length - 1] == '-')
        length--;
    out[length] = 0;
    return out;
}

static int digits_of(size_t number) {
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits > 2 ? digits : 2;
}

/* "07-A", "07.02-exp": names sort as the lesson goes. */
static const char *file_name(Export *export, const Player *player,
                             const PlayerStep *step) {
    const char *number = "";
    int digits = digits_of(player_statement_count(player));
    for (const char *part = step->path; part && number; part = strchr(part, '.')) {
        part += *part == '.';
        number = arena_format(export->arena, "%s%s%0*zu", number, *number ? "." : "",
                              digits, (size_t)strtoull(part, NULL, 10));
        digits = 2;
    }
    char slug[SLUG_SIZE];
    slug_of(step->name, slug);
    return number ? arena_format(export->arena, "%s%s%s", number, *slug ? "-" : "", slug)
                  : NULL;
}

static bool add_picture(Export *export, const char *folder, size_t step) {
    const char *name = file_name(export, &export->player, &export->player.steps[step]);
    const char *path = name ? arena_format(export->arena, "%s/%s", folder, name) : NULL;
    if (path)
        export->pictures[export->picture_count++] = (Picture){step, path};
    return path != NULL;
}

/* A training is shown at its end, and then how it began. */
static bool has_beginning(const Export *export, const PlayerStep *step) {
    return !export->line->all_steps && step->frame != PLAYER_NONE && step->child_count;
}

static bool is_wanted(const Export *export, size_t statement) {
    const CommandLine *line = export->line;
    return !line->first_step ||
           (statement + 1 >= line->first_step && statement < line->last_step);
}

static bool plan_pictures(Export *export, Error *error) {
    const Player *player = &export->player;
    const char *folder =
        arena_format(export->arena, "%s/%s", export->line->out, export->lesson->id);
    export->picture_count = 0;
    export->pictures =
        arena_alloc(export->arena, player->step_count, sizeof *export->pictures);
    if (!folder || !export->pictures)
        return no_memory(error);
    if (export->line->first_step > player_statement_count(player))
        return error_set(
            error, ERROR_USAGE, 0, 0, "'%s' has %zu steps; --steps can't begin at %zu",
            export->lesson->id, player_statement_count(player), export->line->first_step);
    for (size_t i = 0; i < player->step_count;
         i = export->line->all_steps ? i + 1 : player->steps[i].next) {
        if (!is_wanted(export, player->steps[i].statement))
            continue;
        if (!add_picture(export, folder, i) ||
            (has_beginning(export, &player->steps[i]) &&
             !add_picture(export, folder, i + 1)))
            return no_memory(error);
    }
    return true;
}

/* ---- writing, in several threads ---- */

static void fail(Export *export, const Error *error) {
    if (!atomic_exchange(&export->failed, true))
        export->error = *error;
}

/* In all formats that were asked for. */
static bool write_page(const Export *export, Sheet *sheet, const char *path,
                       Error *error) {
    const Format *format;
    bool written = true;
    for (unsigned i = 0; written && (format = format_at(i)); i++) {
        if (!format->write_page || !(export->line->formats >> i & 1))
            continue;
        size_t size = strlen(path) + strlen(format->name) + 2;
        char *name = malloc(size);
        if (!name)
            return no_memory(error);
        snprintf(name, size, "%s.%s", path, format->name);
        written = format->write_page(sheet, name, error);
        free(name);
    }
    return written;
}

/* Lays out a picture's page. */
static bool lay_out(const Export *export, Sheet *sheet, const Picture *picture,
                    Error *error) {
    Player player = export->player;
    Page page = {.player = &player,
                 .theme = export->theme,
                 .language = export->course->language,
                 .number = strtoul(export->lesson->id, NULL, 10),
                 .needs = export->needs,
                 .words = export->line->words,

                 .alone = export->line->picture_only,
                 .presents = export->line->present,
                 .sources = export->line->sources || export->lesson->shows_sources};
    player_jump(&player, picture->step);
    Practise asked;
    PractisePanel panel = {.practise = &asked, .answer = "", .chosen = PLAYER_NONE};
    if (export->line->ask && practise_begin_question(&asked, &player, picture->step)) {
        page.practise = &panel;
        page.has_focus = practise_panel_focus(&panel, &page.focus);
    }
    bool done = sheet_lay_out_page(sheet, &page, error);
    if (page.practise)
        practise_finish(&asked);
    return done;
}

static void show_progress(Export *export) {
    enum { WIDTH = 40 };
    static const char bar[] = "########################################";
    size_t done = export->done;
    int filled = (int)(WIDTH * done / export->picture_count);
    fprintf(stderr, "\r\033[K%s [%-*.*s] %zu of %zu", export->lesson->id, WIDTH, filled,
            bar, done, export->picture_count);
}

/* Takes pictures until there are none left. The first thread, which is the program's own,
 * shows how far all have come; another that has no memory leaves its share to it. */
static void work(Export *export, size_t index) {
    Error error;
    bool is_first = index == 0;
    Sheet **sheet = &export->sheets[index];
    if (!*sheet)
        *sheet = sheet_create(export->line->width, export->line->height, &error);
    if (!*sheet && is_first)
        fail(export, &error);
    while (*sheet && !export->failed) {
        size_t next = atomic_fetch_add(&export->next, 1);
        if (next >= export->picture_count)
            break;
        const Picture *picture = &export->pictures[next];
        if (!lay_out(export, *sheet, picture, &error) ||
            !write_page(export, *sheet, picture->path, &error))
            fail(export, &error);
        export->done++;
        if (is_first && export->shows_progress)
            show_progress(export);
    }
}

static void *work_in_thread(void *data) {
    const Worker *worker = data;
    number_take_point();
    work(worker->export, worker->index);
    return NULL;
}

static size_t thread_count(const Export *export) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count =
        export->line->threads ? export->line->threads : (size_t)(cores > 1 ? cores : 1);
    count = count < THREADS_MAX ? count : THREADS_MAX;
    return count < export->picture_count ? count : export->picture_count;
}

/* A thread that can't be had is done without. */
static void work_in_parallel(Export *export) {
    pthread_t threads[THREADS_MAX];
    Worker workers[THREADS_MAX];
    size_t count = thread_count(export), begun = 1;
    for (; begun < count; begun++) {
        workers[begun] = (Worker){export, begun};
        if (pthread_create(&threads[begun], NULL, work_in_thread, &workers[begun]) != 0)
            break;
    }
    work(export, 0);
    for (size_t i = 1; i < begun; i++)
        pthread_join(threads[i], NULL);
    if (export->shows_progress)
        fputs("\r\033[K", stderr);
}

static bool write_pictures(Export *export, Error *error) {
    const char *folder =
        arena_format(export->arena, "%s/%s", export->line->out, export->lesson->id);
    if (!folder)
        return no_memory(error);
    if (!folder_make(folder, error))
        return false;
    export->next = export->done = 0;
    work_in_parallel(export);
    export->all_pictures += export->picture_count;
    if (export->failed)
        *error = export->error;
    return !export->failed;
}

/* ---- decks ---- */

static bool add_to_deck(Export *export, Pdf *pdf, const Picture *picture, Error *error) {
    const Lesson *lesson = export->lesson;
    const Language *language = export->course->language;
    const LessonStep *words = player_words(&export->player, picture->step);
    const char *heading = text_in(&words->heading, language);
    if (!lay_out(export, export->sheets[0], picture, error))
        return false;
    DeckPage page = {
        .picture = sheet_picture(export->sheets[0]),
        .part = text_in(&lesson->part, language),
        .lesson = text_in(&lesson->title, language),
        .step = heading && *heading ? heading : export->player.steps[picture->step].name,
        .notes = text_in(&words->notes, language)};
    pdf_add(pdf, &page);
    return true;
}

static bool add_lesson(Export *export, Pdf *pdf, Error *error) {
    Sheet **sheet = &export->sheets[0];
    if (!*sheet)
        *sheet = sheet_create(export->line->width, export->line->height, error);
    bool added = *sheet != NULL;
    for (size_t i = 0; added && i < export->picture_count; i++)
        added = add_to_deck(export, pdf, &export->pictures[i], error);
    return added;
}

/* Whether --out names a deck that all lessons go into. */
static bool names_deck(const CommandLine *line) {
    const Format *format;
    const char *ending = strrchr(line->out, '.');
    for (unsigned i = 0; ending && (format = format_at(i)); i++) {
        if (format->is_deck && line->formats >> i & 1 &&
            strcmp(ending + 1, format->name) == 0)
            return true;
    }
    return false;
}

/* One file a lesson, FOLDER/08-one-head.pdf, or its pages for the one of them all. */
static bool write_deck(Export *export, Error *error) {
    const char *out = export->line->out;
    if (export->deck)
        return add_lesson(export, export->deck, error);
    const char *path = arena_format(export->arena, "%s/%s.pdf", out, export->lesson->id);
    if (!path)
        return no_memory(error);
    DeckHead head = {text_in(&export->lesson->title, export->course->language),
                     export->course->language->code, export->line->handout};
    Pdf *pdf = pdf_create(&head, error);
    bool written = pdf && add_lesson(export, pdf, error) && folder_make(out, error) &&
                   pdf_save(pdf, path, error);
    pdf_destroy(pdf);
    return written;
}

/* The deck of all lessons, into the folder that it is named in. */
static bool save_deck(Export *export, Error *error) {
    const char *out = export->line->out, *end = strrchr(out, '/');
    if (end && end > out) {
        const char *folder = arena_copy(export->arena, out, (size_t)(end - out));
        if (!folder)
            return no_memory(error);
        if (!folder_make(folder, error))
            return false;
    }
    return pdf_save(export->deck, out, error);
}

/* ---- tensors ---- */

/* One file a lesson: FOLDER/08-one-head.npz. */
static bool write_tensors(Export *export, const Format *format, Error *error) {
    const char *folder = export->line->out;
    const char *path =
        arena_format(export->arena, "%s/%s.%s", folder, export->lesson->id, format->name);
    if (!path)
        return no_memory(error);
    return folder_make(folder, error) &&
           format->write_tensors(&export->player, path, error);
}

/* ---- all of it ---- */

static bool write_lesson(Export *export, Error *error) {
    unsigned formats = export->line->formats;
    export->needs = course_needs(export->course, export->lesson, export->course->language,
                                 export->arena);
    if (!export->needs || !player_init(&export->player, export->lesson))
        return no_memory(error);
    const Format *format;
    bool has_pages = false, written = true;
    for (unsigned i = 0; (format = format_at(i)); i++)
        has_pages |= format->write_page && formats >> i & 1;
    if (!plan_pictures(export, error))
        return false;
    if (has_pages)
        written = write_pictures(export, error);
    for (unsigned i = 0; written && (format = format_at(i)); i++) {
        if (formats >> i & 1 && format->write_tensors)
            written = write_tensors(export, format, error);
        else if (formats >> i & 1 && format->is_deck)
            written = write_deck(export, error);
    }
    export->all_lessons += written;
    return written;
}

static const char *name_at(const Export *export, size_t index) {
    return export->line->lesson_count ? export->line->lessons[index]
                                      : export->course->lessons[index].id;
}

/* Two lessons of one ID would write into the same folder. */
static ExitCode refuse_twins(const Export *export, size_t count) {
    const Course *course = export->course;
    const char **ids = arena_alloc(export->arena, count, sizeof *ids);
    for (size_t i = 0; ids && i < count; i++) {
        size_t known = course_find(course, name_at(export, i));
        ids[i] = known < course->all ? course->lessons[known].id
                                     : lesson_id(export->arena, name_at(export, i));
        for (size_t j = 0; ids[i] && j < i; j++) {
            if (strcmp(ids[i], ids[j]) != 0)
                continue;
            print_to(stderr,
                     "glassformer: two of the lessons are called '%s' and would have one "
                     "folder; export them to two folders\n",
                     ids[i]);
            return EXIT_USAGE;
        }
    }
    return arena_exhausted(export->arena) ? report_no_memory(MUCH) : EXIT_DONE;
}

/* What was written, so far as anything was. */
static void tell(size_t count, const char *what, const char *folder) {
    if (count)
        print("%zu %s%s in %s\n", count, what, count == 1 ? "" : "s", folder);
}

/* A lesson with errors is told of and left out; what can't be written ends it all. */
static ExitCode write_lessons(Export *export, size_t count) {
    ExitCode code = EXIT_DONE;
    for (size_t i = 0; i < count; i++) {
        Error error;
        ErrorList errors = {0};
        arena_reset(export->arena);
        export->lesson = course_open(export->course, name_at(export, i), &errors);
        bool written = export->lesson && write_lesson(export, &error);
        ExitCode one = !export->lesson ? report_errors(&errors)
                       : written       ? EXIT_DONE
                                       : report_error(&error);
        code = one > code ? one : code;
        bool failed = export->lesson && !written;
        lesson_destroy(export->lesson);
        if (failed)
            return code;
    }
    tell(export->all_pictures, "picture", export->line->out);
    const Format *format;
    for (unsigned i = 0; (format = format_at(i)); i++) {
        char files[32];
        snprintf(files, sizeof files, "%s file", format->name);
        if (!format->write_page && !(format->is_deck && export->deck) &&
            export->line->formats >> i & 1)
            tell(export->all_lessons, files, export->line->out);
    }
    return code;
}

/* All lessons in one deck. */
static ExitCode write_course(Export *export, size_t count) {
    Error error;
    const Language *language = export->course->language;
    const char *title = text_in(&export->course->title, language);
    DeckHead head = {title && *title ? title : "Glassformer", language->code,
                     export->line->handout};
    export->deck = pdf_create(&head, &error);
    if (!export->deck)
        return report_error(&error);
    ExitCode code = write_lessons(export, count);
    if (export->all_lessons && code <= EXIT_DATA) {
        if (save_deck(export, &error))
            tell(export->all_lessons, "lesson", export->line->out);
        else
            code = report_error(&error);
    }
    pdf_destroy(export->deck);
    return code;
}

ExitCode command_export(Course *course, const CommandLine *line) {
    Export export = {.course = course,
                     .line = line,
                     .theme = line->theme ? themes_lookup(&course->themes, line->theme)
                                          : &course->themes.items[0],
                     .shows_progress = isatty(STDERR_FILENO),
                     .arena = arena_create(EXPORT_MAX_MEMORY)};
    if (!export.arena)
        return report_no_memory(MUCH);
    size_t count = line->lesson_count ? line->lesson_count : course->count;
    ExitCode code = refuse_twins(&export, count);
    if (code == EXIT_DONE)
        code = names_deck(line) ? write_course(&export, count)
                                : write_lessons(&export, count);
    for (size_t i = 0; i < THREADS_MAX; i++)
        sheet_destroy(export.sheets[i]);
    arena_destroy(export.arena);
    return code;
}

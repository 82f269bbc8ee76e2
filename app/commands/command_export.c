#include "commands/command.h"

#include "base/number.h"
#include "commands/report.h"
#include "files/export_npz.h"
#include "files/folder.h"
#include "files/print.h"
#include "paint/sheet.h"
#include "picture/explain/practising.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXPORT_MAX_MEMORY = 256 << 20, SLUG_SIZE = 64 };

typedef struct ExportLesson {
    Lesson *lesson;
    size_t number;     /* 0: from a file, and to be destroyed */
    const char *needs; /* that it builds on */
    Player player;
} ExportLesson;

typedef struct Picture {
    size_t lesson, step;
    const char *path;
} Picture;

/* One run of the command. The threads share it: they read lessons and take pictures
 * from `next` until one has `failed`, which is the one that tells of an error. */
typedef struct Export {
    Course *course;
    const CommandLine *line;
    const Theme *theme;
    Arena *arena;
    size_t lesson_count;
    ExportLesson *lessons;
    size_t picture_count;
    Picture *pictures;
    atomic_size_t next, done;
    atomic_bool failed;
    Error error; /* the first */
    bool shows_progress;
} Export;

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

/* "07-A.png", "07.02-exp.png": names sort as the lesson goes. */
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
    return number
               ? arena_format(export->arena, "%s%s%s.png", number, *slug ? "-" : "", slug)
               : NULL;
}

static bool add_picture(Export *export, size_t index, const char *folder, size_t step) {
    const Player *player = &export->lessons[index].player;
    const char *name = file_name(export, player, &player->steps[step]);
    const char *path = name ? arena_format(export->arena, "%s/%s", folder, name) : NULL;
    if (path)
        export->pictures[export->picture_count++] = (Picture){index, step, path};
    return path != NULL;
}

/* A training is shown at its end, and then how it began. */
static bool has_beginning(const Export *export, const PlayerStep *step) {
    return !export->line->all_steps && step->frame != PLAYER_NONE && step->child_count;
}

static bool add_pictures(Export *export, size_t index, Error *error) {
    const Player *player = &export->lessons[index].player;
    const char *folder = arena_format(export->arena, "%s/%s", export->line->out,
                                      export->lessons[index].lesson->id);
    if (!folder)
        return no_memory(error);
    if (!folder_make(folder, error))
        return false;
    for (size_t i = 0; i < player->step_count;
         i = export->line->all_steps ? i + 1 : player->steps[i].next) {
        if (!add_picture(export, index, folder, i) ||
            (has_beginning(export, &player->steps[i]) &&
             !add_picture(export, index, folder, i + 1)))
            return no_memory(error);
    }
    return true;
}

static bool plan_pictures(Export *export, Error *error) {
    size_t most = 0;
    for (size_t i = 0; i < export->lesson_count; i++)
        most += export->lessons[i].player.step_count;
    export->pictures = arena_alloc(export->arena, most, sizeof *export->pictures);
    if (!export->pictures)
        return no_memory(error);
    for (size_t i = 0; i < export->lesson_count; i++) {
        if (!add_pictures(export, i, error))
            return false;
    }
    return true;
}

/* ---- reading the lessons ---- */

/* Two lessons of one id would write into the same folder. */
static ExitCode refuse_twins(const Export *export) {
    for (size_t i = 0; i < export->lesson_count; i++) {
        for (size_t j = 0; j < i; j++) {
            const char *id = export->lessons[i].lesson->id;
            if (strcmp(id, export->lessons[j].lesson->id) != 0)
                continue;
            print_to(stderr,
                     "glassformer: two of the lessons are called '%s' and would have one "
                     "folder; export them to two folders\n",
                     id);
            return EXIT_USAGE;
        }
    }
    return EXIT_DONE;
}

/* Loads what was asked for. Lessons with errors are told of and left out. */
static ExitCode load_lessons(Export *export) {
    const CommandLine *line = export->line;
    size_t count = line->lesson_count ? line->lesson_count : export->course->count;
    export->lessons = arena_alloc(export->arena, count, sizeof *export->lessons);
    if (!export->lessons)
        return report_no_memory(MUCH);
    ExitCode code = EXIT_DONE;
    for (size_t i = 0; i < count; i++) {
        ErrorList errors = {0};
        const char *name =
            line->lesson_count ? line->lessons[i] : export->course->lessons[i].id;
        ExportLesson loaded = {0};
        loaded.lesson = course_open(export->course, name, &loaded.number, &errors);
        if (loaded.lesson) {
            loaded.needs = course_needs(export->course, loaded.lesson,
                                        export->course->language, export->arena);
            export->lessons[export->lesson_count++] = loaded;
        } else {
            ExitCode one = report_errors(&errors);
            code = one > code ? one : code;
        }
    }
    ExitCode twins = refuse_twins(export);
    return twins != EXIT_DONE ? twins : code;
}

/* ---- writing, in several threads ---- */

static void fail(Export *export, const Error *error) {
    if (!atomic_exchange(&export->failed, true))
        export->error = *error;
}

static bool write_picture(Export *export, Sheet *sheet, const Picture *picture,
                          Error *error) {
    const ExportLesson *from = &export->lessons[picture->lesson];
    Player player = from->player;
    Page page = {.player = &player,
                 .theme = export->theme,
                 .language = export->course->language,
                 .number = strtoul(from->lesson->id, NULL, 10),
                 .needs = from->needs,
                 .words = export->line->words,
                 .presents = export->line->present,
                 .sources = export->line->sources || from->lesson->shows_sources};
    player_jump(&player, picture->step);
    Practise asked;
    PractisePanel panel = {.practise = &asked, .answer = "", .chosen = PLAYER_NONE};
    if (export->line->ask && practise_begin_question(&asked, &player, picture->step)) {
        page.practise = &panel;
        page.has_focus = practise_panel_focus(&panel, &page.focus);
    }
    bool written = sheet_lay_out_page(sheet, &page, error) &&
                   sheet_write(sheet, picture->path, error);
    if (page.practise)
        practise_finish(&asked);
    return written;
}

static void show_progress(Export *export) {
    enum { WIDTH = 40 };
    static const char bar[] = "########################################";
    size_t done = export->done;
    int filled = (int)(WIDTH * done / export->picture_count);
    fprintf(stderr, "\r[%-*.*s] %zu of %zu", WIDTH, filled, bar, done,
            export->picture_count);
}

/* Takes pictures until there are none left. The first thread, which is the program's own,
 * shows how far all have come; another that has no memory leaves its share to it. */
static void work(Export *export, bool is_first) {
    Error error;
    Sheet *sheet = sheet_create(export->line->width, export->line->height, &error);
    if (!sheet && is_first)
        fail(export, &error);
    while (sheet && !export->failed) {
        size_t index = atomic_fetch_add(&export->next, 1);
        if (index >= export->picture_count)
            break;
        if (!write_picture(export, sheet, &export->pictures[index], &error))
            fail(export, &error);
        export->done++;
        if (is_first && export->shows_progress)
            show_progress(export);
    }
    sheet_destroy(sheet);
}

static void *work_in_thread(void *export) {
    number_take_point();
    work(export, false);
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
    size_t count = thread_count(export), begun = 1;
    while (begun < count &&
           pthread_create(&threads[begun], NULL, work_in_thread, export) == 0)
        begun++;
    work(export, true);
    for (size_t i = 1; i < begun; i++)
        pthread_join(threads[i], NULL);
    if (export->shows_progress)
        fputs("\r\033[K", stderr);
}

static ExitCode write_pictures(Export *export) {
    Error error;
    if (!plan_pictures(export, &error))
        return report_error(&error);
    export->shows_progress = isatty(STDERR_FILENO);
    work_in_parallel(export);
    if (export->failed)
        return report_error(&export->error);
    print("%zu picture%s in %s\n", export->picture_count,
          export->picture_count == 1 ? "" : "s", export->line->out);
    return EXIT_DONE;
}

/* ---- tensors for NumPy ---- */

/* One file a lesson: FOLDER/08-one-head.npz. */
static bool write_tensors(Export *export, Error *error) {
    const char *folder = export->line->out;
    if (!folder_make(folder, error))
        return false;
    for (size_t i = 0; i < export->lesson_count; i++) {
        const ExportLesson *from = &export->lessons[i];
        const char *path =
            arena_format(export->arena, "%s/%s.npz", folder, from->lesson->id);
        if (!path)
            return no_memory(error);
        if (!export_npz(&from->player, path, error))
            return false;
    }
    print("%zu npz file%s in %s\n", export->lesson_count,
          export->lesson_count == 1 ? "" : "s", folder);
    return true;
}

/* ---- all of it ---- */

static ExitCode write_formats(Export *export) {
    Error error;
    for (size_t i = 0; i < export->lesson_count; i++) {
        if (!player_init(&export->lessons[i].player, export->lessons[i].lesson))
            return report_no_memory(MUCH);
    }
    unsigned formats = export->line->formats;
    ExitCode code = formats & EXPORT_PNG ? write_pictures(export) : EXIT_DONE;
    if (code != EXIT_DONE || !(formats & EXPORT_NPZ))
        return code;
    return write_tensors(export, &error) ? EXIT_DONE : report_error(&error);
}

ExitCode command_export(Course *course, const CommandLine *line) {
    Export export = {.course = course,
                     .line = line,
                     .theme = line->theme ? themes_lookup(&course->themes, line->theme)
                                          : &course->themes.items[0],
                     .arena = arena_create(EXPORT_MAX_MEMORY)};
    if (!export.arena)
        return report_no_memory(MUCH);
    ExitCode code = load_lessons(&export);
    if (code != EXIT_USAGE && export.lesson_count) {
        ExitCode written = write_formats(&export);
        code = written > code ? written : code;
    }
    for (size_t i = 0; i < export.lesson_count; i++) {
        if (!export.lessons[i].number)
            lesson_destroy(export.lessons[i].lesson);
    }
    arena_destroy(export.arena);
    return code;
}

#include "base/number.h"
#include "commands/export.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/practise/practise.h"
#include "picture/scene/theme.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXPORT_MAX_MEMORY = 256 << 20 };

/* A thread, and the sheet that it has. */
typedef struct Worker {
    Export *export;
    size_t index;
} Worker;

/* ---- writing, in several threads ---- */

static void fail(Export *export, const Error *error) {
    if (!atomic_exchange(&export->failed, true))
        export->error = *error;
}

/* Writes a page in all formats of the command line; the files end with others. */
static bool write_page(const Export *export, Sheet *sheet, const char *path,
                       WholeFiles *files, Error *error) {
    const Format *format;
    bool written = true;
    for (unsigned i = 0; written && (format = format_at(i)); i++) {
        if (!format->write_page || !(export->line->formats >> i & 1))
            continue;
        size_t size = strlen(path) + strlen(format->ending) + 2;
        char *name = malloc(size);
        if (!name)
            return export_no_memory(error);
        snprintf(name, size, "%s.%s", path, format->ending);
        WholeFile file;
        whole_file_begin(&file, name);
        written = format->write_page(sheet, &file, error) &&
                  whole_files_add(files, &file, error);
        whole_file_drop(&file);
        free(name);
    }
    return written;
}

/* Takes pictures until there are none left. The first thread, which is the program's own,
 * prints the progress of all. A thread without memory leaves its pictures to the
 * first. */
static void work(Export *export, size_t index) {
    Error error;
    WholeFiles files = {0};
    bool is_first = index == 0;
    Sheet *sheet = export_sheet(export, index, &error);
    if (!sheet && is_first)
        fail(export, &error);
    while (sheet && !export->failed) {
        size_t next = atomic_fetch_add(&export->next, 1);
        if (next >= export->picture_count)
            break;
        const Picture *picture = &export->pictures[next];
        if (!export_lay_out(export, sheet, picture->step, (PaceMoment){0}, &error) ||
            !write_page(export, sheet, picture->path, &files, &error))
            fail(export, &error);
        export->done++;
        if (is_first)
            export_show_progress(export, export->done, export->picture_count);
    }
    if (!whole_files_end(&files, &error))
        fail(export, &error);
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
    export_show_progress(export, 0, 0);
}

static bool write_pictures(Export *export, Error *error) {
    const char *folder =
        arena_format(export->arena, "%s/%s", export->line->out, export->lesson->id);
    if (!folder)
        return export_no_memory(error);
    if (!folder_make(folder, error))
        return false;
    export->next = export->done = 0;
    export->presents = export->line->present;
    work_in_parallel(export);
    export->all_pictures += export->picture_count;
    if (export->failed)
        *error = export->error;
    return !export->failed;
}

/* ---- tensors ---- */

/* Writes a lesson's tensors to one file: FOLDER/08-one-head.npz. */
static bool write_tensors(Export *export, const Format *format, Error *error) {
    const char *folder = export->line->out;
    const char *path = arena_format(export->arena, "%s/%s.%s", folder, export->lesson->id,
                                    format->ending);
    if (!path)
        return export_no_memory(error);
    TensorChoice choice = {.abridged = format->is_abridged && !export->line->all_steps};
    bool written = folder_make(folder, error) &&
                   format->write_tensors(&export->player, path, &choice, error);
    if (written)
        print("%s\n", path);
    if (written && choice.left_out)
        print_to(stderr,
                 "glassformer: '%s' leaves out %zu tensors, because '%s' has very many "
                 "numbers; --all-steps adds them\n",
                 path, choice.left_out, export->lesson->id);
    return written;
}

/* ---- all of it ---- */

/* A lesson's export being planned, under the arena's guard. */
typedef struct Planning {
    Export *export;
    Error *error;
    bool planned;
} Planning;

static void plan_guarded(void *context) {
    Planning *this = context;
    Export *export = this->export;
    export->needs = course_needs(export->course, export->lesson, export->course->language,
                                 export->arena);
    this->planned = player_init(&export->player, export->lesson)
                        ? export_plan(export, this->error)
                        : export_no_memory(this->error);
}

static bool write_lesson(Export *export, Error *error) {
    unsigned formats = export->line->formats;
    Planning planning = {export, error, false};
    if (!arena_guard(export->arena, plan_guarded, &planning))
        return export_no_memory(error);
    if (!planning.planned)
        return false;
    const Format *format;
    bool has_pages = false, written = true, drawn = false;
    for (unsigned i = 0; (format = format_at(i)); i++)
        has_pages |= format->write_page && formats >> i & 1;
    if (has_pages)
        written = write_pictures(export, error);
    for (unsigned i = 0; written && (format = format_at(i)); i++) {
        if (!(formats >> i & 1) || format->traits & FORMAT_IS_EXAM)
            continue;
        bool draws = export->line->copy && !drawn && format->traits & FORMAT_HAS_NUMBERS;
        drawn |= draws;
        if (draws && !lesson_redraw(export->lesson, export->line->seed, &export->redrawn))
            return export_no_memory(error);
        if (draws && !export->redrawn)
            print_to(stderr,
                     "glassformer: no other numbers were found for '%s': copy %s has its "
                     "own\n",
                     export->lesson->id, export->line->copy);
        if (format->write_tensors)
            written = write_tensors(export, format, error);
        else if (format->traits & FORMAT_IS_WORKSHEET)
            written = export_worksheet(export, format, error);
        else if (format->deck)
            written = export_deck(export, format, error);
    }
    export->all_lessons += written && !export->is_empty;
    return written;
}

const char *export_name_at(const Export *export, size_t index) {
    return export->line->lesson_count ? export->line->lessons[index]
                                      : export->course->lessons[index].id;
}

/* Two lessons of one ID would write into the same folder. */
static ExitCode refuse_twins(const Export *export, size_t count) {
    const Course *course = export->course;
    const char **ids = arena_alloc(export->arena, count, sizeof *ids);
    for (size_t i = 0; ids && i < count; i++) {
        size_t known = course_find(course, export_name_at(export, i));
        ids[i] = known < course->all
                     ? course->lessons[known].id
                     : lesson_id(export->arena, export_name_at(export, i));
        for (size_t j = 0; ids[i] && j < i; j++) {
            if (!ids[j] || strcmp(ids[i], ids[j]) != 0)
                continue;
            print_to(stderr,
                     "glassformer: two of the lessons are called '%s' and would have one "
                     "folder; export them to two folders\n",
                     ids[i]);
            return EXIT_USAGE;
        }
    }
    return arena_exhausted(export->arena) ? report_no_memory(EXPORT_MUCH) : EXIT_DONE;
}

/* Prints how much was written, unless that is nothing. */
static void print_count(size_t count, const char *what, const char *folder) {
    if (count)
        print("%zu %s%s in %s\n", count, what, count == 1 ? "" : "s", folder);
}

/* Writes the lessons. One with errors is reported and left out; a file that can't be
 * written, or missing memory, ends the export. */
static ExitCode write_lessons(Export *export, size_t count) {
    ExitCode code = EXIT_DONE;
    for (size_t i = 0; i < count; i++) {
        Error error;
        ErrorList errors = {0};
        arena_reset(export->arena);
        export->lesson = course_open(export->course, export_name_at(export, i), &errors);
        bool written = export->lesson && write_lesson(export, &error);
        ExitCode one = !export->lesson ? report_errors(&errors)
                       : written       ? EXIT_DONE
                                       : report_error(&error);
        code = one > code ? one : code;
        export->cut_short =
            !written && (export->lesson || errors.items[0].code == ERROR_MEMORY);
        lesson_destroy(export->lesson);
        if (export->cut_short)
            return code;
    }
    print_count(export->all_pictures, "picture", export->line->out);
    return code;
}

/* Writes all lessons to one file. */
static ExitCode write_course(Export *export, size_t count) {
    Error error;
    if (!export_begin_all(export, &error)) {
        export_end_all(export);
        return report_error(&error);
    }
    ExitCode code = write_lessons(export, count);
    if (export->all_lessons && code <= EXIT_DATA && !export->cut_short) {
        if (export_save_all(export, &error))
            print_count(export->all_lessons, "lesson", export->line->out);
        else
            code = report_error(&error);
    }
    export_end_all(export);
    return code;
}

/* Writes what is of single lessons, and an exam. */
static ExitCode write_all(Export *export, size_t count) {
    const Format *format, *exam = NULL;
    ExitCode code = EXIT_DONE;
    bool lessons = false;
    for (unsigned i = 0; (format = format_at(i)); i++) {
        bool asked = export->line->formats >> i & 1;
        if (format->traits & FORMAT_IS_EXAM)
            exam = asked ? format : exam;
        else
            lessons |= asked;
    }
    if (lessons)
        code = export->format_of_all && export->format_of_all != exam
                   ? write_course(export, count)
                   : write_lessons(export, count);
    ExitCode other = exam ? export_exam(export, exam, count) : EXIT_DONE;
    return other > code ? other : code;
}

ExitCode command_export(Course *course, const CommandLine *line) {
    Export export = {.course = course,
                     .line = line,
                     .theme = line->theme ? themes_lookup(&course->themes, line->theme)
                                          : &course->themes.items[0],
                     .format_of_all = format_of_file(line->out, line->formats),
                     .shows_progress = isatty(STDERR_FILENO),
                     .arena = arena_create(EXPORT_MAX_MEMORY)};
    if (!export.arena)
        return report_no_memory(EXPORT_MUCH);
    size_t count = line->lesson_count ? line->lesson_count : course->count;
    ExitCode code = refuse_twins(&export, count);
    if (code == EXIT_DONE)
        code = write_all(&export, count);
    for (size_t i = 0; i < THREADS_MAX; i++)
        sheet_destroy(export.sheets[i]);
    arena_destroy(export.arena);
    return code;
}

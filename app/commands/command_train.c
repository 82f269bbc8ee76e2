#include "base/maths.h"
#include "base/number.h"
#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/model/learning.h"
#include "model/learn/train.h"
#include "model/weights/safetensors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A training run from the command line. */
typedef struct Training {
    const CommandLine *line;
    const char *id; /* the lesson's, as typed */
    Lesson *lesson;
    Arena *arena;
    Trainer *trainer;
    TrainOptions options;
    bool terminal; /* whether standard error is one */
    double shown;  /* time of the last progress message in seconds */
    size_t told;   /* plain lines so far, of TENTHS */
    double saved;  /* when the file was last written */
    bool good;
    Error error;
} Training;

/* A look at the clock is not worth while after every small update. */
enum { TENTHS = 10, BAR = 24, CLOCK_UPDATES = 16 };

#define SHOW_SECONDS 0.1
#define SAVE_SECONDS 30.0

/* Set by the signal handler, which can do nothing else. */
static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- the lesson ---- */

static bool load(Training *this, Course *course, ErrorList *errors) {
    size_t index = course_find(course, this->id);
    LessonOptions untrained = {.untrained = true};
    if (index < course->all)
        this->lesson =
            course_load(course, course->lessons[index].path, &untrained, errors);
    else if (course_is_path(this->id))
        this->lesson = course_load(course, this->id, &untrained, errors);
    else
        course_explain_unknown(course, this->id, errors);
    if (!this->lesson || this->lesson->training)
        return this->lesson != NULL;
    errors->file = this->lesson->file;
    return error_list_add(errors, ERROR_VALUE, 0, 0,
                          "this lesson has nothing to train; its model would need "
                          "'weights: {train: …}'");
}

static bool make_trainer(Training *this) {
    this->options = this->lesson->training->options;
    if (this->line->epochs)
        this->options.epochs = this->line->epochs;
    this->trainer =
        lesson_trainer(this->lesson, this->arena, &this->options, &this->error);
    return this->trainer != NULL;
}

/* ---- the file ---- */

static bool write_bytes(Training *this, const char *path,
                        bool (*make)(const Trainer *, Arena *, uint8_t **, size_t *,
                                     Error *)) {
    uint8_t *bytes;
    size_t length;
    Arena *room = arena_create_within(this->arena, LESSON_MAX_MEMORY);
    bool good = make(this->trainer, room, &bytes, &length, &this->error) &&
                whole_file_write(path, bytes, length, &this->error);
    arena_destroy(room);
    return good;
}

static bool write_file(Training *this) {
    bool good = write_bytes(this, this->line->out, checkpoint_write);
    this->saved = now();
    return good;
}

static bool can_not_read(Training *this, const char *path, const char *why) {
    return error_set(&this->error, ERROR_FILE, 0, 0, "can't read '%s': %s", path, why);
}

/* The bytes of a file that is there; *bytes stays NULL where there is none. */
static bool read_bytes(Training *this, const char *path, Arena *room, uint8_t **bytes,
                       size_t *length) {
    struct stat status;
    *bytes = NULL;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || can_not_read(this, path, strerror(errno));
    bool good = fstat(file, &status) == 0 || can_not_read(this, path, strerror(errno));
    if (good && !S_ISREG(status.st_mode))
        good = can_not_read(this, path, "it is not a regular file; take another name");
    if (good && status.st_size >= LESSON_MAX_MEMORY)
        good = can_not_read(this, path, "it is larger than the limit for a model, 1 GiB");
    *length = 0;
    if (good)
        *bytes = arena_alloc(room, (size_t)status.st_size + 1, 1);
    while (good && *length < (size_t)status.st_size) {
        ssize_t count = read(file, *bytes + *length, (size_t)status.st_size - *length);
        if (count <= 0 && errno != EINTR)
            good = can_not_read(this, path,
                                count < 0 ? strerror(errno) : "it became shorter");
        *length += count > 0 ? (size_t)count : 0;
    }
    close(file);
    return good;
}

/* Goes on from the file, where there is one. */
static bool resume(Training *this) {
    uint8_t *bytes = NULL;
    size_t length;
    Arena *room = arena_create_within(this->arena, LESSON_MAX_MEMORY);
    bool good = read_bytes(this, this->line->out, room, &bytes, &length) &&
                (!bytes || checkpoint_read(this->trainer, room, this->line->out, bytes,
                                           length, &this->error));
    arena_destroy(room);
    if (good && !bytes)
        return write_file(this); /* what can't be written should show before the work */
    size_t epoch = trainer_progress(this->trainer).epoch;
    if (good && epoch >= this->options.epochs)
        print_to(stderr,
                 "%s: all %zu epochs are trained already, so there is nothing to do; "
                 "to train further, write '--epochs' with a larger number\n",
                 this->line->out, epoch);
    else if (good)
        print_to(stderr, "%s: going on behind epoch %zu of %zu\n", this->line->out, epoch,
                 this->options.epochs);
    return good;
}

/* Checks that the file of --weights can be written, and that it doesn't exist or
 * contains, by its header, only weights of the same model. */
static bool check_weights_file(Training *this) {
    const char *path = this->line->weights;
    uint8_t *older, *own;
    size_t older_length, own_length;
    if (!path)
        return true;
    if (strcmp(path, this->line->out) == 0)
        return error_set(&this->error, ERROR_VALUE, 0, 0,
                         "'%s' is named by --out too; the weights alone need a file of "
                         "their own",
                         path);
    Arena *room = arena_create_within(this->arena, LESSON_MAX_MEMORY);
    bool good =
        read_bytes(this, path, room, &older, &older_length) &&
        checkpoint_write_weights(this->trainer, room, &own, &own_length, &this->error);
    if (good && older && !safetensors_same_header(own, older, older_length))
        good = error_set(&this->error, ERROR_VALUE, 0, 0,
                         "'%s' is there already and holds no weights of this model; give "
                         "--weights another name, or remove that file",
                         path);
    arena_destroy(room);
    return good && whole_file_check(path, &this->error);
}

/* Writes only the weights if all epochs are over and --weights is given. Checks the file
 * again, because it may have been replaced since the training began. */
static bool write_weights(Training *this) {
    return !this->line->weights ||
           trainer_progress(this->trainer).epoch < this->options.epochs ||
           (check_weights_file(this) &&
            write_bytes(this, this->line->weights, checkpoint_write_weights));
}

/* ---- progress ---- */

/* The last epoch that is over, "epoch 12 of 200, loss 0.1234, 95.0% of words right". */
static void print_progress(const Training *this) {
    size_t known, epoch = trainer_progress(this->trainer).epoch;
    const TrainEpoch *history = trainer_history(this->trainer, &known);
    char loss[NUMBER_SIZE];
    print_to(stderr, "epoch %zu of %zu", epoch, this->options.epochs);
    if (epoch)
        print_to(stderr, ", loss %s, %.1f%% of words right",
                 number_format(loss, history[epoch - 1].loss, 4),
                 100 * history[epoch - 1].accuracy);
}

static void show_bar(Training *this) {
    size_t done = trainer_progress(this->trainer).epoch;
    size_t filled = BAR * done / this->options.epochs;
    fputs("\r[", stderr);
    for (size_t i = 0; i < BAR; i++)
        fputs(i < filled ? "█" : "·", stderr);
    fputs("] ", stderr);
    print_progress(this);
    fputs("\033[K", stderr);
    this->shown = now();
}

/* Prints a line for each tenth, if there is no terminal. */
static void show_line(Training *this) {
    size_t tenth = TENTHS * trainer_progress(this->trainer).epoch / this->options.epochs;
    if (this->terminal || tenth <= this->told)
        return;
    this->told = tenth;
    print_progress(this);
    fputs("\n", stderr);
}

/* ---- training ---- */

/* Trains until the end or a signal, whichever comes first; every now and then the file is
 * written, so that little is lost when the machine stops. */
static bool train(Training *this) {
    this->saved = now();
    this->told = TENTHS * trainer_progress(this->trainer).epoch / this->options.epochs;
    for (size_t i = 1; !interrupted && trainer_update(this->trainer, NULL); i++) {
        show_line(this);
        if (i % CLOCK_UPDATES)
            continue;
        if (this->terminal && now() - this->shown >= SHOW_SECONDS)
            show_bar(this);
        if (now() - this->saved >= SAVE_SECONDS && !write_file(this))
            return false;
    }
    if (this->terminal) {
        show_bar(this);
        fputs("\n", stderr);
    }
    return write_file(this);
}

static void print_end(const Training *this) {
    TrainProgress place = trainer_progress(this->trainer);
    if (place.epoch < this->options.epochs) {
        print_to(stderr,
                 "interrupted behind update %zu, in epoch %zu of %zu; %s has all of it. "
                 "The same command goes on from there:\n"
                 "  glassformer train %s --out %s",
                 place.updates, place.epoch + 1, this->options.epochs, this->line->out,
                 this->id, this->line->out);
        if (this->line->epochs)
            print_to(stderr, " --epochs %zu", this->line->epochs);
        fputs("\n", stderr);
        return;
    }
    TrainEpoch end = trainer_evaluate(this->trainer);
    char loss[NUMBER_SIZE];
    print("%s: %zu epochs, %zu updates, loss %s, %.1f%% of words right\n",
          this->line->out, place.epoch, place.updates, number_format(loss, end.loss, 6),
          100 * end.accuracy);
    if (!isfinite(end.loss))
        print_to(
            stderr,
            "this training reached no finite loss; remove the file and take a smaller "
            "'learning_rate:' than %g\n",
            this->options.optimizer.learning_rate);
}

/* Trains, under the arena's guard. */
static void train_guarded(void *context) {
    Training *this = context;
    this->good = make_trainer(this) && check_weights_file(this) && resume(this) &&
                 train(this) && write_weights(this);
}

static bool run(Training *this) {
    this->arena = arena_create(LESSON_MAX_MEMORY);
    if (this->arena && arena_guard(this->arena, train_guarded, this))
        return this->good;
    return error_set(&this->error, ERROR_MEMORY, 0, 0,
                     "there is no memory to train with; take a smaller model, fewer "
                     "epochs or fewer examples");
}

/* Signals end the training, not the program; a second one does. */
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = interrupt,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

ExitCode command_train(Course *course, const CommandLine *line) {
    Training this = {
        .line = line, .id = line->lessons[0], .terminal = isatty(STDERR_FILENO)};
    ErrorList errors = {0};
    ExitCode code = EXIT_DONE;
    catch_signals();
    if (!load(&this, course, &errors)) {
        code = report_errors(&errors);
    } else if (!run(&this)) {
        code = report_error(&this.error);
    } else {
        print_end(&this);
    }
    arena_destroy(this.arena);
    lesson_destroy(this.lesson);
    return code;
}

/* Benchmark of the time from a key to its frame: steps through lessons like a viewer and
 * measures, for a lesson's first page, for each key and for the frames of its animation
 * separately, the session's work, layout and painting in milliseconds of processor time,
 * which a busy machine lengthens less than the time that passes. Excludes the time in
 * which the window system shows the pixels, and that in which the window draws the next
 * page ahead; --held: keys follow each other without a rest, so that it doesn't. Prints
 * each lesson's slowest frames with their steps, then all frames' median, 99th percentile
 * and maximum. frames [--present] [--held] LESSON… */
#include "base/arena.h"
#include "course/course.h"
#include "drive/drive.h"
#include "paint/paint.h"
#include "session/state.h" /* where it stands */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WIDTH = 1920,
    HEIGHT = 1080,
    MAX_FRAMES = 100000,
    CELLS_A_STEP = 12,
    FRAMES_A_MOTION = 8
};
static const double SCALE = 1.2;

/* Times of frames of one kind. */
typedef struct Times {
    size_t count;
    double keys[MAX_FRAMES], layout[MAX_FRAMES], paint[MAX_FRAMES], whole[MAX_FRAMES];
    size_t begin, slowest; /* first and slowest frame of the present lesson */
    char slowest_step[64]; /* path of its step */
} Times;

typedef struct Bench {
    Session *session;
    Fonts *fonts;
    TextMetrics metrics;
    Painter *painter;
    Arena *arena;
    uint32_t *pixels;
    bool presents, held;
    Times opened, still,
        moving; /* first of a lesson, behind a key, later in its motion */
} Bench;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static bool never(void *unused) {
    (void)unused;
    return false;
}

/* Draws what shows now and notes its times and that of the session's work, which began
 * at `began`. */
static void draw(Bench *bench, Times *times, double began) {
    double pressed = now();
    Scene scene;
    arena_reset(bench->arena);
    session_draw(bench->session, &scene, bench->arena, &bench->metrics, WIDTH / SCALE,
                 HEIGHT / SCALE, true);
    double laid_out = now();
    painter_paint(bench->painter, &scene,
                  (PainterTarget){bench->pixels, WIDTH, HEIGHT, WIDTH, SCALE});
    double painted = now();
    size_t i = times->count++;
    times->keys[i] = pressed - began;
    times->layout[i] = laid_out - pressed;
    times->paint[i] = painted - laid_out;
    times->whole[i] = painted - began;
    if (i == times->begin || times->whole[i] > times->whole[times->slowest]) {
        const Player *player = &bench->session->player;
        times->slowest = i;
        snprintf(times->slowest_step, sizeof times->slowest_step, "%s",
                 player_step(player)->path);
    }
}

/* Uses the rest before the next key as the window does. */
static void rest(Bench *bench) {
    PageFit fit = {WIDTH / SCALE, HEIGHT / SCALE, SCALE};
    if (!bench->held)
        ahead_draw(bench->session, bench->fonts, bench->painter, fit, never, NULL);
}

/* A key, and frames from all of the motion that it begins. */
static bool frame(Bench *bench, const char *key) {
    double began = now();
    if (bench->still.count == MAX_FRAMES || !session_key(bench->session, key))
        return false;
    draw(bench, &bench->still, began);
    double step = session_motion_length(bench->session) / FRAMES_A_MOTION;
    for (size_t i = 0; i < FRAMES_A_MOTION && step > 0; i++) {
        began = now();
        if (bench->moving.count == MAX_FRAMES || !session_tick(bench->session, step))
            break;
        draw(bench, &bench->moving, began);
    }
    rest(bench);
    return true;
}

/* Returns true if a key leads on within the lesson. At the end a key may print a message
 * or open the next lesson. */
static bool leads_on(Bench *bench, const char *key) {
    Player before = bench->session->player;
    const Player *after = &bench->session->player;
    return frame(bench, key) && after->lesson == before.lesson &&
           (after->step != before.step || after->cell != before.cell);
}

static void report_slowest(const char *what, const Times *times) {
    size_t i = times->slowest;
    if (times->begin < times->count)
        printf(" %s %7.3f = %7.3f + layout %7.3f + paint %7.3f at %-10s", what,
               times->whole[i], times->keys[i], times->layout[i], times->paint[i],
               times->slowest_step);
}

/* Every step of a lesson, each opened into its first cells and closed again. */
static bool walk(Bench *bench, const char *lesson) {
    ErrorList errors = {0};
    bench->opened.begin = bench->opened.count;
    bench->still.begin = bench->still.count;
    bench->moving.begin = bench->moving.count;
    if (!session_open(bench->session, lesson, &errors)) {
        error_list_print(&errors, stderr);
        return false;
    }
    if (bench->presents != session_presents(bench->session))
        session_key(bench->session, "F5");
    if (bench->opened.count < MAX_FRAMES)
        draw(bench, &bench->opened, now());
    rest(bench);
    do {
        size_t opened = 0;
        while (opened < 8 && frame(bench, "Down"))
            opened++;
        for (size_t i = 0; i < CELLS_A_STEP && frame(bench, "Right"); i++)
            continue;
        while (opened > 0 && frame(bench, "Up"))
            opened--;
    } while (leads_on(bench, "Right"));
    while (leads_on(bench, "Left"))
        continue;
    printf("%-32s", bench->session->lesson->id);
    report_slowest("opened", &bench->opened);
    report_slowest("key", &bench->still);
    report_slowest("moving", &bench->moving);
    printf("\n");
    return true;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void report_one(const char *what, double *times, size_t count) {
    qsort(times, count, sizeof *times, compare);
    printf("%-10s median %7.3f   p99 %7.3f   worst %7.3f ms\n", what, times[count / 2],
           times[count * 99 / 100], times[count - 1]);
}

static void report(const char *what, Times *times) {
    if (!times->count)
        return;
    printf("%s: %zu frames\n", what, times->count);
    report_one("session", times->keys, times->count);
    report_one("layout", times->layout, times->count);
    report_one("paint", times->paint, times->count);
    report_one("together", times->whole, times->count);
}

int main(int argc, char **argv) {
    static Bench bench;
    Course course = {0};
    ErrorList errors = {0};
    Error error = {0};
    int status = 3;
    if (!course_init(&course, &errors)) {
        error_list_print(&errors, stderr);
        goto done;
    }
    bench.session = session_create(&course, NULL);
    bench.fonts = fonts_create(&error);
    bench.painter = bench.fonts ? painter_create(bench.fonts) : NULL;
    bench.arena = arena_create((size_t)256 << 20);
    bench.pixels = malloc(sizeof *bench.pixels * WIDTH * HEIGHT);
    if (!bench.session || !bench.painter || !bench.arena || !bench.pixels) {
        fprintf(stderr, "%s\n", error.message);
        goto done;
    }
    session_animate(bench.session, true);
    bench.metrics = fonts_metrics(bench.fonts);
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        bench.presents |= strcmp(argv[first], "--present") == 0;
        bench.held |= strcmp(argv[first], "--held") == 0;
    }
    for (int i = first; i < argc; i++) {
        if (!walk(&bench, argv[i]))
            goto done;
    }
    if (bench.still.count == 0) {
        fprintf(stderr, "no lesson was given, or none has steps\n");
        goto done;
    }
    printf("%d lessons%s, keys %s, a frame of %d×%d each\n", argc - first,
           bench.presents ? ", presented" : "",
           bench.held ? "held down" : "pressed with a rest between", WIDTH, HEIGHT);
    report("first of a lesson", &bench.opened);
    report("behind a key", &bench.still);
    report("while moving", &bench.moving);
    status = 0;
done:
    free(bench.pixels);
    arena_destroy(bench.arena);
    painter_destroy(bench.painter);
    fonts_destroy(bench.fonts);
    session_destroy(bench.session);
    if (course.arena)
        course_finish(&course);
    return status;
}

#include "close.h"
#include "contains.h"
#include "files/files.h"
#include "paint/paint.h"
#include "sample_scene.h"

#include <dirent.h>
#include <libpng16/png.h> /* not the png.h of app/ */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of this test's own, and a name in it. */
static char folder[] = "/tmp/test_png_XXXXXX";
static char path[sizeof folder + 32];

static int make_folder(void **state) {
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/picture.png", folder);
    return 0;
}

static int remove_folder(void **state) {
    unlink(path);
    return rmdir(folder); /* fails when anything is left over */
}

static size_t files_in_folder(void) {
    size_t count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static uint32_t noise(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Decodes with libpng and compares with what was to be written. */
static void assert_decodes(const uint8_t *bytes, size_t size, const uint32_t *pixels,
                           size_t width, size_t height, size_t stride) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    uint8_t *rgb = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(rgb);
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    assert_int_equal(image.warning_or_error, 0);
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            const uint8_t *found = rgb + 3 * (y * width + x);
            uint32_t pixel =
                (uint32_t)found[0] << 16 | (uint32_t)found[1] << 8 | found[2];
            assert_int_equal(pixel, pixels[y * stride + x] & 0xFFFFFF);
        }
    }
    free(rgb);
}

/* Writes a whole picture at once. */
static bool write_picture(Png *png, const char *to, const uint32_t *pixels, size_t width,
                          size_t height, size_t stride, Error *error) {
    if (!png_begin(png, width, height, error))
        return false;
    png_add(png, pixels, height, stride);
    return png_save(png, to, error);
}

static bool write_alone(const char *to, const uint32_t *pixels, size_t width,
                        size_t height, size_t stride, Error *error) {
    Png *png = png_create();
    assert_non_null(png);
    bool written = write_picture(png, to, pixels, width, height, stride, error);
    png_destroy(png);
    return written;
}

/* Returns the contents of the file; the caller frees them. */
static uint8_t *read_file(size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Writes twice, behind another picture and alone, and checks both: the same bytes, and
 * those of the picture. */
static size_t check_picture(const uint32_t *pixels, size_t width, size_t height,
                            size_t stride) {
    static const uint32_t other[12] = {1, 2, 3, 1, 2, 3, 4, 5, 6, 1, 2, 3};
    size_t size = 0, size_again = 0;
    Error error = {0};
    Png *png = png_create();
    assert_non_null(png);
    assert_true(write_picture(png, path, other, 4, 3, 4, &error));
    assert_true(write_picture(png, path, pixels, width, height, stride, &error));
    uint8_t *bytes = read_file(&size);
    png_destroy(png);
    assert_true(write_alone(path, pixels, width, height, stride, &error));
    uint8_t *again = read_file(&size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, again, size);
    assert_decodes(bytes, size, pixels, width, height, stride);
    free(bytes);
    free(again);
    return size;
}

static void test_noise_comes_back_as_it_was(void **state) {
    enum { WIDTH = 311, HEIGHT = 97, STRIDE = 320 };
    static uint32_t pixels[STRIDE * HEIGHT];
    uint32_t seed = 1;
    for (size_t i = 0; i < STRIDE * HEIGHT; i++)
        pixels[i] = noise(&seed);
    check_picture(pixels, WIDTH, HEIGHT, STRIDE);
}

static void test_the_smallest_pictures_come_back(void **state) {
    uint32_t pixels[] = {0xFF123456, 0xFFABCDEF, 0xFF000000, 0xFFFFFFFF};
    check_picture(pixels, 1, 1, 1);
    check_picture(pixels, 4, 1, 4);
    check_picture(pixels, 1, 4, 1);
    check_picture(pixels, 1, 2, 2);
}

static void test_equal_rows_cost_next_to_nothing(void **state) {
    enum { WIDTH = 1920, HEIGHT = 1080 };
    uint32_t *pixels = malloc(sizeof *pixels * WIDTH * HEIGHT);
    assert_non_null(pixels);
    uint32_t seed = 7;
    for (size_t x = 0; x < WIDTH; x++)
        pixels[x] = noise(&seed);
    for (size_t i = WIDTH; i < WIDTH * HEIGHT; i++)
        pixels[i] = pixels[i - WIDTH];
    size_t size = check_picture(pixels, WIDTH, HEIGHT, WIDTH);
    free(pixels);
    assert_in_range(size, 3 * WIDTH, 3 * WIDTH + 3 * WIDTH * HEIGHT / 50);
}

static void test_a_large_picture_comes_back(void **state) {
    enum { WIDTH = 1280, HEIGHT = 720 };
    uint32_t *pixels = malloc(sizeof *pixels * WIDTH * HEIGHT);
    assert_non_null(pixels);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = 0xFF000000u | (uint32_t)((i % WIDTH) * (i / WIDTH) >> 4 & 0xFFFFFF);
    check_picture(pixels, WIDTH, HEIGHT, WIDTH);
    free(pixels);
}

static void test_rows_may_come_in_parts_and_pictures_one_after_the_other(void **state) {
    enum { WIDTH = 301, HEIGHT = 200 };
    static const size_t widths[] = {WIDTH, 40, WIDTH, WIDTH, 1},
                        parts[] = {1, 3, 64, 200, 7};
    static uint32_t pixels[WIDTH * HEIGHT];
    uint32_t seed = 3;
    for (size_t y = 0; y < HEIGHT; y++) {
        for (size_t x = 0; x < WIDTH; x++)
            pixels[y * WIDTH + x] =
                y % 3 == 0 ? noise(&seed) : pixels[(y - y % 3) * WIDTH + x];
    }
    Error error = {0};
    Png *png = png_create();
    assert_non_null(png);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        assert_true(png_begin(png, widths[i], HEIGHT, &error));
        for (size_t y = 0; y < HEIGHT; y += parts[i]) {
            size_t count = HEIGHT - y < parts[i] ? HEIGHT - y : parts[i];
            png_add(png, pixels + y * WIDTH, count, WIDTH);
        }
        assert_true(png_save(png, path, &error));
        size_t size = 0;
        uint8_t *found = read_file(&size);
        assert_decodes(found, size, pixels, widths[i], HEIGHT, WIDTH);
        free(found);
    }
    /* One begun anew forgets the rows of one that was never ended. */
    assert_true(png_begin(png, WIDTH, HEIGHT, &error));
    png_add(png, pixels, 5, WIDTH);
    assert_false(png_begin(png, 0, HEIGHT, &error));
    assert_int_equal(error.code, ERROR_VALUE);
    assert_true(png_begin(png, 2, 1, &error));
    png_add(png, pixels, 1, WIDTH);
    assert_true(png_save(png, path, &error));
    png_destroy(png);
    png_destroy(NULL);
}

/* ---- pixels of every kind, at every border of the compressor ---- */

typedef uint32_t (*Fill)(size_t x, size_t y, uint32_t *state);

static uint32_t fill_flat(size_t x, size_t y, uint32_t *state) {
    return 0xFFF7F7F7;
}

static uint32_t fill_gradient(size_t x, size_t y, uint32_t *state) {
    return 0xFF000000u | (uint32_t)(x & 0xFF) << 16 | (uint32_t)(y & 0xFF) << 8 |
           (uint32_t)((x + y) & 0xFF);
}

static uint32_t fill_noise(size_t x, size_t y, uint32_t *state) {
    return noise(state);
}

/* Runs, and a few pixels that were met before, near and far. */
static uint32_t fill_words(size_t x, size_t y, uint32_t *state) {
    static const uint32_t inks[] = {0xFFFFFFFF, 0xFF111827, 0xFF8899AA, 0xFFFFFFFE};
    uint32_t drawn = noise(state);
    return drawn % 16 == 0 ? inks[drawn >> 8 & 3] : inks[(x / 37 + y / 5) % 2];
}

/* Alpha, which is not stored, differs where the colour is the same. */
static uint32_t fill_alpha(size_t x, size_t y, uint32_t *state) {
    return noise(state) << 24 | (uint32_t)(x / 9 + y / 9) % 3;
}

static uint32_t fill_far(size_t x, size_t y, uint32_t *state) {
    return (uint32_t)((x % 4001) * 2654435761u);
}

static const Fill fills[] = {fill_flat,  fill_gradient, fill_noise,
                             fill_words, fill_alpha,    fill_far};

static void test_every_kind_and_size_comes_back(void **state) {
    static const struct {
        size_t width, height;
    } sizes[] = {
        {1, 1},     {1, 500},   {500, 1},   {2, 2},
        {3, 2},     {85, 3},    {86, 3},    {87, 3}, /* the longest match: 86 pixels */
        {10922, 3}, {10923, 3}, {10924, 3},          /* a row as far as one reaches */
        {7281, 11}, {21845, 4}, {21846, 4},          /* rows around the window's size */
        {181, 181}, {32768, 1}, {16384, 2}, {256, 128}, /* tokens around a block's */
        {1920, 40}, {40, 1920}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t width = sizes[i].width, height = sizes[i].height, stride = width + i % 3;
        uint32_t *pixels = malloc(sizeof *pixels * stride * height);
        assert_non_null(pixels);
        for (size_t j = 0; j < sizeof fills / sizeof *fills; j++) {
            uint32_t seed = (uint32_t)(i + 31 * j);
            for (size_t at = 0; at < stride * height; at++)
                pixels[at] = fills[j](at % stride, at / stride, &seed);
            check_picture(pixels, width, height, stride);
        }
        free(pixels);
    }
}

/* ---- a page ---- */

enum { WIDE = 1600, HIGH = 900, THREADS = 4, TIMES = 5 };

static uint32_t page[WIDE * HIGH];

static void paint_page(void) {
    static double values[SAMPLE_WAVES * SAMPLE_WAVES];
    Tensor waves;
    Scene scene;
    Fonts *fonts = fonts_create(NULL);
    Painter *painter = fonts ? painter_create(fonts) : NULL;
    Arena *arena = arena_create(64 << 20);
    assert_true(painter && arena);
    TextMetrics metrics = fonts_metrics(fonts);
    scene_init(&scene, arena, WIDE, HIGH, SAMPLE_WHITE);
    sample_scene(&scene, &metrics, 0, &waves, values);
    painter_paint(painter, &scene, (PainterTarget){page, WIDE, HIGH, WIDE, 1});
    painter_destroy(painter);
    fonts_destroy(fonts);
    arena_destroy(arena);
}

/* No larger than as libpng writes it. */
static void test_a_page_comes_back_and_is_small(void **state) {
    paint_page();
    size_t size = check_picture(page, WIDE, HIGH, WIDE);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = WIDE,
                       .height = HIGH,
                       .format = PNG_FORMAT_BGRA};
    png_alloc_size_t most = 0;
    assert_true(png_image_write_to_memory(&image, NULL, &most, 0, page, 0, NULL));
    assert_in_range(size, 1000, most);
}

/* Packs the page, in strips of so many rows; the caller frees its bytes. */
static uint8_t *pack_page(Png *png, size_t strip, size_t *size) {
    Error error;
    if (!png_begin(png, WIDE, HIGH, &error))
        return NULL;
    for (size_t y = 0; y < HIGH; y += strip)
        png_add(png, page + y * WIDE, strip, WIDE);
    const uint8_t *bytes = png_pack(png, size, &error);
    uint8_t *copy = bytes ? malloc(*size) : NULL;
    return copy ? memcpy(copy, bytes, *size) : NULL;
}

typedef struct Expected {
    uint8_t *bytes;
    size_t size;
} Expected;

/* Returns NULL if each time all bytes were as expected. */
static void *pack_again(void *context) {
    static const size_t strips[TIMES] = {1, 900, 4, 100, 225};
    const Expected *expected = context;
    Png *png = png_create();
    bool good = png;
    for (size_t i = 0; good && i < TIMES; i++) {
        size_t size = 0;
        uint8_t *bytes = pack_page(png, strips[i], &size);
        good =
            bytes && size == expected->size && memcmp(bytes, expected->bytes, size) == 0;
        free(bytes);
    }
    png_destroy(png);
    return good ? NULL : context;
}

static void test_threads_and_strips_make_the_same_bytes(void **state) {
    Expected expected = {0};
    Png *png = png_create();
    assert_non_null(png);
    paint_page();
    expected.bytes = pack_page(png, 60, &expected.size);
    assert_non_null(expected.bytes);
    png_destroy(png);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, pack_again, &expected), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    free(expected.bytes);
}

static void test_a_file_is_readable_by_all_and_alone(void **state) {
    uint32_t pixels[6] = {1, 2, 3, 4, 5, 6};
    Error error = {0};
    umask(022);
    assert_true(write_alone(path, pixels, 3, 2, 3, &error));
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    assert_int_equal(files_in_folder(), 1);
}

static void test_a_picture_without_pixels_is_refused(void **state) {
    uint32_t pixel = 0;
    Error error = {0};
    assert_false(write_alone(path, &pixel, 0, 1, 1, &error));
    assert_int_equal(error.code, ERROR_VALUE);
    assert_contains(error.message, "0 × 1");
    error = (Error){0};
    assert_false(write_alone(path, &pixel, 1, 0, 1, &error));
    assert_int_equal(error.code, ERROR_VALUE);
    error = (Error){0};
    assert_false(write_alone(path, &pixel, SIZE_MAX / 2, 1, 1, &error));
    assert_int_equal(error.code, ERROR_VALUE);
}

static void test_a_missing_folder_is_named(void **state) {
    uint32_t pixel = 0;
    char missing[sizeof folder + 32];
    snprintf(missing, sizeof missing, "%s/none/picture.png", folder);
    Error error = {0};
    assert_false(write_alone(missing, &pixel, 1, 1, 1, &error));
    assert_int_equal(error.code, ERROR_FILE);
    assert_contains(error.message, missing);
    assert_contains(error.message, "No such file");
}

static void test_a_folder_in_the_way_leaves_nothing_behind(void **state) {
    uint32_t pixel = 0;
    char taken[sizeof folder + 32], inside[sizeof taken + 8];
    snprintf(taken, sizeof taken, "%s/taken.png", folder);
    snprintf(inside, sizeof inside, "%s/x", taken);
    assert_int_equal(mkdir(taken, 0755), 0);
    assert_int_equal(mkdir(inside, 0755), 0);
    size_t before = files_in_folder();
    Error error = {0};
    assert_false(write_alone(taken, &pixel, 1, 1, 1, &error));
    assert_int_equal(error.code, ERROR_FILE);
    assert_int_equal(files_in_folder(), before);
    assert_int_equal(rmdir(inside), 0);
    assert_int_equal(rmdir(taken), 0);
}

/* The limit on a file's size stands for a disk that fills up while a picture is written.
 */
static void test_a_full_disk_keeps_the_older_file(void **state) {
    enum { SIDE = 100 };
    static uint32_t pixels[SIDE * SIDE];
    uint32_t seed = 3, one = 0xFF445566;
    for (size_t i = 0; i < SIDE * SIDE; i++)
        pixels[i] = noise(&seed);
    Error error = {0};
    assert_true(write_alone(path, &one, 1, 1, 1, &error));
    struct rlimit limit, small;
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    bool written = write_alone(path, pixels, SIDE, SIDE, SIDE, &error);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_false(written);
    assert_int_equal(error.code, ERROR_FILE);
    assert_int_equal(files_in_folder(), 1);
    size_t size = 0;
    uint8_t *found = read_file(&size);
    assert_decodes(found, size, &one, 1, 1, 1);
    free(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise_comes_back_as_it_was),
        cmocka_unit_test(test_the_smallest_pictures_come_back),
        cmocka_unit_test(test_equal_rows_cost_next_to_nothing),
        cmocka_unit_test(test_a_large_picture_comes_back),
        cmocka_unit_test(test_rows_may_come_in_parts_and_pictures_one_after_the_other),
        cmocka_unit_test(test_every_kind_and_size_comes_back),
        cmocka_unit_test(test_a_page_comes_back_and_is_small),
        cmocka_unit_test(test_threads_and_strips_make_the_same_bytes),
        cmocka_unit_test(test_a_file_is_readable_by_all_and_alone),
        cmocka_unit_test(test_a_picture_without_pixels_is_refused),
        cmocka_unit_test(test_a_missing_folder_is_named),
        cmocka_unit_test(test_a_folder_in_the_way_leaves_nothing_behind),
        cmocka_unit_test(test_a_full_disk_keeps_the_older_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

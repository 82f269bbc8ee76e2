/* Files that are written: what stands under the name before and after. */
#include "contains.h"
#include "course/notes.h"
#include "files/files.h"
#include "lesson/model/learning.h"
#include "lesson/play/player.h"
#include "lesson_text.h"
#include "skip.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_files_XXXXXX";

static int go_there(void **state) {
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int remove_folder(void **state) {
    return chdir("/") != 0 || rmdir(folder) != 0; /* fails when anything is left over */
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_holds(const char *path, const char *text) {
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = 0;
    fclose(file);
    assert_string_equal(found, text);
}

static bool write_text(const char *path, const char *text, Error *error) {
    return whole_file_write(path, text, strlen(text), error);
}

static void test_a_link_stays_and_its_file_is_written(void **state) {
    Error error;
    struct stat status;
    put("real", "old");
    assert_int_equal(symlink("real", "link"), 0);
    assert_int_equal(symlink("link", "far"), 0);
    assert_true(write_text("far", "new", &error));
    assert_int_equal(lstat("far", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_holds("real", "new");
    unlink("real");
    assert_true(write_text("link", "again", &error)); /* one that leads nowhere yet */
    assert_holds("real", "again");
    unlink("far");
    unlink("link");
    unlink("real");
}

/* All links of a path are followed, from its first name to its last one. */
static void test_links_are_resolved(void **state) {
    static const struct {
        const char *path, *behind, *folder;
    } rows[] = {
        {"", "", ""},
        {"x", "x", "x"},
        {"./x/", "./x/", "./x/"},
        {"dir/new/er", "dir/new/er", "dir/new/er"},
        {"to-dir", "dir", "to-dir"},
        {"to-dir/", "dir/", "dir/"},
        {"to-dir//x", "dir/x", "dir/x"},
        {"dir/up/dir/up/x", "dir/../dir/../x", "dir/../dir/../x"},
        {"dir/root/tmp", "/tmp", "/tmp"},
        {"dir/up", "dir/..", "dir/up"},
        {"dir/back/new", "dir/../dir/new", "dir/../dir/new"},
    };
    assert_int_equal(mkdir("dir", 0777), 0);
    assert_int_equal(symlink("dir", "to-dir"), 0);
    assert_int_equal(symlink("..", "dir/up"), 0);
    assert_int_equal(symlink("/", "dir/root"), 0);
    assert_int_equal(symlink("../to-dir/", "dir/back"), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *behind = links_resolve(rows[i].path);
        char *in_folder = links_resolve_folder(rows[i].path);
        assert_string_equal(behind, rows[i].behind);
        assert_string_equal(in_folder, rows[i].folder);
        free(behind);
        free(in_folder);
    }
    static const char *const links[] = {"dir/up", "dir/root", "dir/back", "to-dir"};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        unlink(links[i]);
    rmdir("dir");
}

/* Notes, their lock and the name for damaged notes are never written through another
 * user's link. */
static void test_no_notes_behind_anothers_link(void **state) {
    static const NotesKind kind = {.version = 1};
    Error error;
    if (geteuid() != 0)
        skip_because("another user's link: root alone can make one");
    assert_int_equal(mkdir("target", 0777), 0);
    assert_int_equal(symlink("target", "away"), 0);
    assert_int_equal(lchown("away", 65534, 65534), 0);
    put("target/damaged.json", "{");
    for (size_t i = 0; i < 2; i++) {
        Notes *notes = notes_open(i ? "away/damaged.json" : "away/in/notes.json", &kind);
        assert_non_null(notes);
        assert_false(notes_begin(notes, &error));
        assert_int_equal(error.code, ERROR_FILE);
        notes_close(notes);
    }
    assert_false(folder_make("away", &error));
    assert_false(folder_make("away/in", &error));
    assert_non_null(strstr(error.message, "a link that another user has made"));
    assert_holds("target/damaged.json", "{");
    unlink("target/damaged.json");
    assert_int_equal(rmdir("target"), 0);
    unlink("away");
}

static void test_a_circle_of_links_is_an_error(void **state) {
    Error error;
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_false(write_text("a", "x", &error));
    assert_int_equal(error.code, ERROR_FILE);
    unlink("a");
    unlink("b");
}

static void test_the_mode_is_kept(void **state) {
    Error error;
    struct stat status;
    static const mode_t modes[] = {0600, 0644, 0664, 0755};
    put("file", "old");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod("file", modes[i]), 0);
        assert_true(write_text("file", "new", &error));
        assert_int_equal(stat("file", &status), 0);
        assert_int_equal(status.st_mode & 0777, modes[i]);
    }
    unlink("file");
}

static void test_only_regular_files_are_replaced(void **state) {
    Error error;
    struct stat status;
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_int_equal(symlink("/dev/null", "null"), 0);
    assert_int_equal(mkdir("folder", 0777), 0);
    static const char *const names[] = {"pipe", "null", "folder", "/dev/null"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(write_text(names[i], "x", &error));
        assert_int_equal(error.code, ERROR_FILE);
        assert_contains(error.message, "not a regular file");
        assert_int_equal(stat(names[i], &status), 0);
        assert_false(S_ISREG(status.st_mode));
    }
    unlink("pipe");
    unlink("null");
    rmdir("folder");
}

/* The ID of a process that is no more. */
static long dead_process(void) {
    pid_t child = fork();
    if (!child)
        _exit(0);
    waitpid(child, NULL, 0);
    return (long)child;
}

static void test_what_killed_processes_left_is_removed(void **state) {
    Error error;
    char left[64], other[64], own[64], locked[64];
    long dead = dead_process();
    snprintf(left, sizeof left, "file.%ld-0.tmp", dead);
    snprintf(locked, sizeof locked, "file.%ld-1.tmp", dead); /* by another machine */
    snprintf(other, sizeof other, "file2.%ld-0.tmp", dead);
    snprintf(own, sizeof own, "file.%ld-7.tmp", (long)getpid());
    const char *const stay[] = {locked, other, own, "file.x.tmp", "file.1-0.tmp.bak"};
    put(left, "half");
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        put(stay[i], "mine");
    int lock = open(locked, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), 0);
    assert_true(write_text("file", "new", &error));
    assert_int_not_equal(access(left, F_OK), 0);
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++) {
        assert_int_equal(access(stay[i], F_OK), 0);
        unlink(stay[i]);
    }
    close(lock);
    unlink("file");
}

static void test_what_is_dropped_leaves_nothing(void **state) {
    WholeFile file, none = {0};
    put("file", "old");
    whole_file_begin(&file, "file");
    whole_file_add(&file, "new", 3);
    whole_file_drop(&file);
    whole_file_drop(&file);
    int unused = open("/dev/null", O_RDONLY | O_CLOEXEC); /* 0, where nothing is open */
    whole_file_drop(&none);
    assert_int_not_equal(fcntl(0, F_GETFD), -1);
    close(unused);
    assert_holds("file", "old");
    unlink("file");
}

static size_t files_here(void);

enum { MANY = 2 * WHOLE_FILES_MAX + 3 };

static const char *name_of(size_t i) {
    static char name[16];
    snprintf(name, sizeof name, "many-%zu", i);
    return name;
}

static bool add_one(WholeFiles *files, const char *path, Error *error) {
    WholeFile file;
    char copy[32]; /* which is gone when the files end */
    snprintf(copy, sizeof copy, "%s", path);
    whole_file_begin(&file, copy);
    whole_file_add(&file, "new", 3);
    bool added = whole_files_add(files, &file, error);
    whole_file_drop(&file); /* does nothing */
    return added;
}

static void test_many_files_end_together(void **state) {
    Error error;
    WholeFiles files = {0};
    assert_true(whole_files_end(&files, &error)); /* of none */
    for (size_t i = 0; i < MANY; i++)
        put(name_of(i), "old");
    for (size_t i = 0; i < MANY; i++) {
        assert_true(add_one(&files, name_of(i), &error));
        size_t ended = (i + 1) / WHOLE_FILES_MAX * WHOLE_FILES_MAX;
        assert_int_equal(files_here(), MANY + i + 1 - ended); /* the others are beside */
        for (size_t j = 0; j < MANY; j++)
            assert_holds(name_of(j), j < ended ? "new" : "old");
    }
    assert_true(whole_files_end(&files, &error));
    assert_int_equal(files_here(), MANY);
    for (size_t i = 0; i < MANY; i++) {
        assert_holds(name_of(i), "new");
        unlink(name_of(i));
    }
}

static void test_one_of_many_that_fails_leaves_the_others(void **state) {
    Error error;
    WholeFiles files = {0};
    for (size_t i = 0; i < 5; i++)
        assert_true(add_one(&files, name_of(i), &error));
    assert_int_equal(mkdir("many-1", 0777), 0); /* in the way of two of them */
    assert_int_equal(mkdir("many-3", 0777), 0);
    assert_false(add_one(&files, "none/many-5", &error)); /* at once */
    assert_contains(error.message, "none/many-5");
    assert_false(whole_files_end(&files, &error));
    assert_int_equal(error.code, ERROR_FILE);
    assert_contains(error.message, "'many-1'");
    assert_int_equal(files_here(), 5);
    assert_int_equal(rmdir("many-1"), 0);
    assert_int_equal(rmdir("many-3"), 0);
    for (size_t i = 0; i < 5; i += 2) {
        assert_holds(name_of(i), "new");
        unlink(name_of(i));
    }
}

static size_t files_here(void) {
    size_t count = 0;
    DIR *directory = opendir(".");
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

/* Gives how many files there are. */
static size_t write_new(const char *path, size_t names, const char *expected) {
    Error error;
    Arena *arena = arena_create(1 << 16);
    const char *given = whole_file_write_new(arena, path, names, "new", 3, &error);
    assert_int_equal(given != NULL, expected != NULL);
    if (expected)
        assert_string_equal(given, expected);
    else
        assert_int_equal(error.code, ERROR_FILE);
    arena_destroy(arena);
    return files_here();
}

static void test_a_new_file_takes_a_name_that_nothing_has(void **state) {
    put("a.b", "old");
    assert_int_equal(mkdir("a-2.b", 0777), 0);
    assert_int_equal(symlink("nowhere", "a-3.b"), 0);
    assert_int_equal(write_new("a.b", 1, NULL), 3);
    assert_int_equal(write_new("a.b", 3, NULL), 3);
    assert_int_equal(write_new("a.b", SIZE_MAX, "a-4.b"), 4);
    assert_int_equal(write_new("./c", SIZE_MAX, "./c"), 5);
    assert_int_equal(write_new("./c", SIZE_MAX, "./c-2"), 6);
    assert_int_equal(write_new("nowhere/d", SIZE_MAX, NULL), 6);
    assert_holds("a.b", "old");
    static const char *const holding[] = {"a-4.b", "c", "c-2"};
    for (size_t i = 0; i < sizeof holding / sizeof *holding; i++) {
        assert_holds(holding[i], "new");
        unlink(holding[i]);
    }
    unlink("a.b");
    unlink("a-3.b");
    rmdir("a-2.b");
}

/* ---- the cache ---- */

static const double KEY[] = {1, 2.5, -3};

/* Saves `first` and `second` under a key. */
static void keep(const double *key, double first, double second) {
    double numbers[] = {first, 7, second};
    const LessonPiece pieces[] = {
        {numbers, 2 * sizeof *numbers}, {NULL, 0}, {numbers + 2, sizeof *numbers}};
    cache_of_trainings.save(key, 3, pieces, 3);
}

/* Fails unless that is found, or else nothing if `first` is 0. */
static void assert_kept(const double *key, double first, double second) {
    double numbers[] = {-1, -1, -1};
    const LessonPiece pieces[] = {
        {numbers, sizeof *numbers}, {NULL, 0}, {numbers + 1, 2 * sizeof *numbers}};
    assert_int_equal(cache_of_trainings.load(key, 3, pieces, 3), first != 0);
    assert_true(numbers[0] == (first != 0 ? first : -1));
    assert_true(numbers[1] == (first != 0 ? 7 : -1));
    assert_true(numbers[2] == (first != 0 ? second : -1));
}

/* Returns the path of the cache's only file. */
static const char *kept_path(void) {
    static char path[300];
    char name[256] = "";
    DIR *directory = opendir("cache/trained");
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        assert_string_equal(name, "");
        strcpy(name, entry->d_name);
    }
    closedir(directory);
    snprintf(path, sizeof path, "cache/trained/%s", name);
    return path;
}

static int go_to_cache(void **state) {
    return setenv("GLASSFORMER_CACHE", "cache", 1);
}

static int remove_cache(void **state) {
    return system("rm -rf cache elsewhere") || setenv("GLASSFORMER_CACHE", "", 1);
}

static void test_what_is_cached_is_found_by_its_key(void **state) {
    static const double other[] = {1, 2.5, 3};
    const LessonPiece longer = {(double[4]){0}, 4 * sizeof(double)};
    assert_kept(KEY, 0, 0);
    keep(KEY, 5, 6);
    assert_kept(KEY, 5, 6);
    assert_kept(other, 0, 0);
    assert_false(cache_of_trainings.load(KEY, 2, &longer, 1));
    assert_false(cache_of_trainings.load(KEY, 3, &longer, 1));
    keep(other, 8, 9);
    keep(KEY, 15, 16); /* replaces it */
    assert_kept(KEY, 15, 16);
    assert_kept(other, 8, 9);
}

/* Writes `size` bytes to a path. */
static void put_bytes(const char *path, const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_a_damaged_file_of_the_cache_is_replaced(void **state) {
    unsigned char bytes[1000];
    keep(KEY, 5, 6);
    const char *path = kept_path();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size < sizeof bytes);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x10;
        put_bytes(path, bytes, size);
        assert_kept(KEY, 0, 0);
        bytes[i] ^= 0x10;
    }
    for (size_t i = 0; i < size; i++) {
        put_bytes(path, bytes, i);
        assert_kept(KEY, 0, 0);
    }
    put_bytes(path, bytes, size + 1);
    assert_kept(KEY, 0, 0);
    keep(KEY, 5, 6);
    assert_kept(KEY, 5, 6);
}

static void test_the_cache_takes_only_files_of_its_own(void **state) {
    struct stat status;
    keep(KEY, 5, 6);
    const char *path = kept_path();
    assert_int_equal(rename(path, "elsewhere"), 0);
    assert_int_equal(symlink("../../elsewhere", path), 0);
    assert_kept(KEY, 0, 0);
    keep(KEY, 7, 8); /* in place of the link */
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_kept(KEY, 7, 8);
    unlink(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_kept(KEY, 0, 0);
    unlink(path);
    assert_int_equal(mkdir(path, 0777), 0);
    keep(KEY, 7, 8);
    assert_kept(KEY, 0, 0);
    rmdir(path);
    keep(KEY, 7, 8);
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 65534, 65534), 0);
        assert_kept(KEY, 0, 0);
    }
}

static void test_the_cache_can_be_off_and_elsewhere(void **state) {
    static const struct {
        const char *own, *cache, *home, *local, *folder;
    } rows[] = {
        {"", "/c", "/h", "/l", NULL},
        {"here", "/c", "/h", "/l", "here"},
        {NULL, "/c", "/h", "/l", "/c/glassformer"},
        {NULL, "relative", "/h", "/l", "/h/.cache/glassformer"},
        {NULL, NULL, "", "/l", "/l/glassformer/cache"},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static const char *const names[] = {"GLASSFORMER_CACHE", "XDG_CACHE_HOME", "HOME",
                                        "LOCALAPPDATA"};
    char before[4][300];
    for (size_t i = 0; i < 4; i++)
        snprintf(before[i], sizeof before[i], "%s",
                 getenv(names[i]) ? getenv(names[i]) : "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const values[] = {rows[i].own, rows[i].cache, rows[i].home,
                                      rows[i].local};
        Arena *arena = arena_create(1 << 16);
        for (size_t j = 0; j < 4; j++) {
            unsetenv(names[j]);
            if (values[j])
                setenv(names[j], values[j], 1);
        }
        const char *folder_found = folder_of_cache(arena);
        assert_int_equal(folder_found != NULL, rows[i].folder != NULL);
        if (folder_found)
            assert_string_equal(folder_found, rows[i].folder);
        arena_destroy(arena);
    }
    unsetenv("LOCALAPPDATA");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", before[2], 1);
    setenv("GLASSFORMER_CACHE", "", 1);
    keep(KEY, 5, 6);
    assert_kept(KEY, 0, 0);
    assert_int_equal(access("cache", F_OK), -1);
}

/* 64 MiB, of which one result has at most 16. */
static void test_the_oldest_of_the_cache_makes_room(void **state) {
    enum { ENTRIES = 12 };
    size_t size = (size_t)7 << 20;
    unsigned char *bytes = calloc(3, size);
    LessonPiece piece = {bytes, size}, large = {bytes, 3 * size};
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_non_null(bytes);
    for (size_t i = 0; i < ENTRIES; i++)
        cache_of_trainings.save(&(double){(double)i}, 1, &piece, 1);
    for (size_t i = 0; i < ENTRIES; i++)
        assert_int_equal(cache_of_trainings.load(&(double){(double)i}, 1, &piece, 1),
                         i >= ENTRIES - 9);
    put("cache/trained/half.1-0.tmp", "what a killed process has left");
    assert_int_equal(utimensat(AT_FDCWD, "cache/trained/half.1-0.tmp", times, 0), 0);
    cache_of_trainings.save(&(double){ENTRIES}, 1, &piece, 1);
    assert_int_equal(access("cache/trained/half.1-0.tmp", F_OK), -1);
    cache_of_trainings.save(&(double){100}, 1, &large, 1);
    assert_false(cache_of_trainings.load(&(double){100}, 1, &large, 1));
    assert_true(cache_of_trainings.load(&(double){ENTRIES}, 1, &piece, 1));
    free(bytes);
}

/* ---- tensors ---- */

enum { ZIP_HEADER = 30, NPZ_BYTES = 1 << 16 };

static uint64_t little(const unsigned char *bytes, size_t size) {
    uint64_t number = 0;
    for (size_t i = size; i-- > 0;)
        number = number << 8 | bytes[i];
    return number;
}

/* Bit by bit; source: RFC 1952, section 8. */
static uint32_t crc_of(const unsigned char *bytes, size_t size) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 8 * size; i++) {
        uint32_t bit = (crc ^ (uint32_t)(bytes[i / 8] >> i % 8)) & 1;
        crc = crc >> 1 ^ (bit ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* A lesson whose only tensor has the cells 0, 1, … */
static Lesson *counting_lesson(size_t rows, size_t cols) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    fputs("title: t\ngiven:\n  X: [", stream);
    for (size_t i = 0; i < rows * cols; i++)
        fprintf(stream, "%s%s%zu%s", i ? ", " : "", i % cols ? "" : "[", i,
                i % cols + 1 < cols ? "" : "]");
    fputs("]\nsteps:\n  - show: X\n", stream);
    assert_int_equal(fclose(stream), 0);
    Lesson *lesson = lesson_good(text);
    free(text);
    return lesson;
}

/* Its entry is as long as it says and has the sum that it says, and ends with all cells:
 * below, at and above the piece of 1024 that they are written in. */
static void test_an_npz_has_all_cells_and_their_sum(void **state) {
    static const size_t shapes[][2] = {{1, 1},    {1, 1023}, {1, 1024},
                                       {1, 1025}, {2, 1024}, {41, 50}};
    static unsigned char bytes[NPZ_BYTES];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t cells = shapes[i][0] * shapes[i][1];
        Lesson *lesson = counting_lesson(shapes[i][0], shapes[i][1]);
        Player player;
        Error error;
        assert_true(player_init(&player, lesson));
        assert_true(export_npz(&player, "x.npz", &(TensorChoice){0}, &error));
        FILE *file = fopen("x.npz", "rb");
        assert_non_null(file);
        size_t length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        remove("x.npz");
        size_t size = (size_t)little(bytes + 22, 4), name = (size_t)little(bytes + 26, 2);
        assert_true(ZIP_HEADER + name + size < length);
        assert_memory_equal(bytes + ZIP_HEADER, "X.npy", name);
        const unsigned char *npy = bytes + ZIP_HEADER + name;
        assert_int_equal(little(bytes + 14, 4), crc_of(npy, size));
        assert_int_equal(size, 10 + little(npy + 8, 2) + 8 * cells);
        for (size_t j = 0; j < cells; j++) {
            uint64_t bits = little(npy + size - 8 * (cells - j), 8);
            double value;
            memcpy(&value, &bits, sizeof value);
            assert_true(value == (double)j);
        }
        lesson_destroy(lesson);
    }
}

/* Neither an npz nor a csv, and nothing in the folder beside it. */
static void test_tensors_without_a_place_leave_nothing(void **state) {
    bool (*const writes[])(const Player *, const char *, TensorChoice *,
                           Error *) = {export_npz, export_csv};
    static const char *const paths[] = {"missing/x", "taken"};
    Lesson *lesson = counting_lesson(2, 1024);
    Player player;
    assert_true(player_init(&player, lesson));
    assert_int_equal(mkdir("taken", 0700), 0);
    for (size_t i = 0; i < 4; i++) {
        Error error = {0};
        assert_false(writes[i / 2](&player, paths[i % 2], &(TensorChoice){0}, &error));
        assert_int_equal(error.code, ERROR_FILE);
        assert_contains(error.message, paths[i % 2]);
    }
    assert_int_equal(rmdir("taken"), 0);
    lesson_destroy(lesson);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_npz_has_all_cells_and_their_sum),
        cmocka_unit_test(test_tensors_without_a_place_leave_nothing),
        cmocka_unit_test(test_a_link_stays_and_its_file_is_written),
        cmocka_unit_test(test_links_are_resolved),
        cmocka_unit_test(test_no_notes_behind_anothers_link),
        cmocka_unit_test(test_a_circle_of_links_is_an_error),
        cmocka_unit_test(test_the_mode_is_kept),
        cmocka_unit_test(test_only_regular_files_are_replaced),
        cmocka_unit_test(test_what_killed_processes_left_is_removed),
        cmocka_unit_test(test_what_is_dropped_leaves_nothing),
        cmocka_unit_test(test_many_files_end_together),
        cmocka_unit_test(test_one_of_many_that_fails_leaves_the_others),
        cmocka_unit_test(test_a_new_file_takes_a_name_that_nothing_has),
        cmocka_unit_test_setup_teardown(test_what_is_cached_is_found_by_its_key,
                                        go_to_cache, remove_cache),
        cmocka_unit_test_setup_teardown(test_a_damaged_file_of_the_cache_is_replaced,
                                        go_to_cache, remove_cache),
        cmocka_unit_test_setup_teardown(test_the_cache_takes_only_files_of_its_own,
                                        go_to_cache, remove_cache),
        cmocka_unit_test_setup_teardown(test_the_cache_can_be_off_and_elsewhere,
                                        go_to_cache, remove_cache),
        cmocka_unit_test_setup_teardown(test_the_oldest_of_the_cache_makes_room,
                                        go_to_cache, remove_cache),
    };
    return cmocka_run_group_tests(tests, go_there, remove_folder);
}

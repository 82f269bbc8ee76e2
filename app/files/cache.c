#include "files/files.h"

#include "base/hash.h"
#include "lesson/model/learning.h"

#include <fcntl.h>
#include <inttypes.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of all files, and of one. */
enum { CACHE_MOST = 64 << 20, ENTRY_MOST = 16 << 20, PATH_MOST = 4096 };

/* ---- the folder ---- */

const char *folder_of_cache(Arena *arena) {
    const char *wanted = getenv("GLASSFORMER_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME"), *windows = getenv("LOCALAPPDATA");
    if (wanted)
        return *wanted ? wanted : NULL;
    if (cache && *cache == '/')
        return arena_format(arena, "%s/glassformer", cache);
    if (home && *home == '/')
        return arena_format(arena, "%s/.cache/glassformer", home);
    return windows && *windows ? arena_format(arena, "%s/glassformer/cache", windows)
                               : NULL;
}

/* The files of a folder: the sum of their sizes, and the oldest one. */
typedef struct Contents {
    char oldest[PATH_MOST]; /* path; "" without files */
    struct timespec written;
    int64_t size;
} Contents;

static bool add_file(void *context, const char *folder, const char *name) {
    Contents *contents = context;
    char path[PATH_MOST];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length >= (int)sizeof path || lstat(path, &status) != 0 ||
        S_ISDIR(status.st_mode))
        return true;
    struct timespec written = status.st_mtim, *oldest = &contents->written;
    bool older = written.tv_sec < oldest->tv_sec ||
                 (written.tv_sec == oldest->tv_sec && written.tv_nsec < oldest->tv_nsec);
    contents->size += status.st_size;
    if (contents->oldest[0] && !older)
        return true;
    strcpy(contents->oldest, path);
    *oldest = written;
    return true;
}

/* Removes the oldest files until the rest has `most` bytes. */
static void make_room(const char *folder, int64_t most) {
    Error error;
    Contents contents;
    do {
        contents = (Contents){.size = 0};
        if (!folder_each(folder, add_file, &contents, &error))
            return;
    } while (contents.size > most && unlink(contents.oldest) == 0);
}

/* ---- one file: a head, the key, the pieces ---- */

/* Has no gaps. */
typedef struct Head {
    char magic[16];
    char program[96]; /* which one wrote it: its version, and its file's stamp */
    uint64_t key_size, size;
    uint64_t digest; /* CRC-32 of the key and the pieces */
} Head;

/* An entry that is looked for or written. */
typedef struct Entry {
    Head head;
    Arena *arena;
    const char *folder, *path;
    const double *key;
    const LessonPiece *pieces;
    size_t count;
} Entry;

static void fill_head(Entry *entry, size_t key_count) {
    FileStamp program = {0}; /* a page comes with the entries that its build wrote */
#ifndef __EMSCRIPTEN__
    program = file_stamp("/proc/self/exe");
#endif
    Head *head = &entry->head;
    memcpy(head->magic, "glassformer 1\n", 15);
    snprintf(head->program, sizeof head->program,
             "%s %" PRId64 " %" PRId64 ".%" PRId64 " %" PRIu64, GLASSFORMER_VERSION,
             program.size, program.seconds, program.nanoseconds, program.number);
    head->key_size = key_count * sizeof *entry->key;
    for (size_t i = 0; i < entry->count; i++)
        head->size += entry->pieces[i].size;
}

static size_t file_size(const Entry *entry) {
    return sizeof entry->head + entry->head.key_size + entry->head.size;
}

/* Finds the entry's path. False if nothing is cached, or nothing of this size. The caller
 * destroys the arena either way. */
static bool find(Entry *entry, size_t key_count) {
    entry->arena = arena_create(1 << 20);
    fill_head(entry, key_count);
    if (!entry->arena || file_size(entry) > ENTRY_MOST)
        return false;
    uint64_t hash = hash_bytes(HASH_START, &entry->head, sizeof entry->head);
    hash = hash_bytes(hash, entry->key, entry->head.key_size);
    const char *folder = folder_of_cache(entry->arena);
    entry->folder = folder ? arena_format(entry->arena, "%s/trained", folder) : NULL;
    entry->path = entry->folder
                      ? arena_format(entry->arena, "%s/%016" PRIx64, entry->folder, hash)
                      : NULL;
    return entry->path != NULL;
}

static uint32_t digest_of(const void *bytes, size_t size, uint32_t digest) {
    return size ? libdeflate_crc32(digest, bytes, size) : digest;
}

/* Reports whether an open file is one that the user has written, of that size. */
static bool is_own(int file, size_t size) {
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
#ifndef _WIN32
    if (status.st_uid != geteuid())
        return false;
#endif
    return (uint64_t)status.st_size == size;
}

/* Reads all of a file that has to have that size; the caller frees the bytes. */
static unsigned char *read_whole(const char *path, size_t size) {
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    unsigned char *bytes = file >= 0 && is_own(file, size) ? malloc(size) : NULL;
    size_t filled = 0;
    while (bytes && filled < size) {
        ssize_t count = read(file, bytes + filled, size - filled);
        if (count <= 0)
            break;
        filled += (size_t)count;
    }
    if (file >= 0)
        close(file);
    if (filled == size)
        return bytes;
    free(bytes);
    return NULL;
}

/* Reports whether the bytes of a file are the entry, undamaged. */
static bool is_entry(const Entry *entry, const unsigned char *bytes) {
    Head head;
    size_t key_size = entry->head.key_size;
    memcpy(&head, bytes, sizeof head);
    uint64_t digest = digest_of(bytes + sizeof head, key_size + entry->head.size, 0);
    bool whole = head.digest == digest;
    head.digest = entry->head.digest;
    return whole && memcmp(&head, &entry->head, sizeof head) == 0 &&
           memcmp(bytes + sizeof head, entry->key, key_size) == 0;
}

static bool load(const double *key, size_t key_count, const LessonPiece *pieces,
                 size_t count) {
    Entry entry = {.key = key, .pieces = pieces, .count = count};
    unsigned char *bytes = NULL;
    if (find(&entry, key_count))
        bytes = read_whole(entry.path, file_size(&entry));
    bool found = bytes && is_entry(&entry, bytes);
    size_t at = sizeof entry.head + entry.head.key_size;
    for (size_t i = 0; found && i < count; i++) {
        if (pieces[i].size)
            memcpy(pieces[i].bytes, bytes + at, pieces[i].size);
        at += pieces[i].size;
    }
    free(bytes);
    arena_destroy(entry.arena);
    return found;
}

static void write_entry(Entry *entry) {
    WholeFile file;
    Error error;
    uint32_t digest = digest_of(entry->key, entry->head.key_size, 0);
    for (size_t i = 0; i < entry->count; i++)
        digest = digest_of(entry->pieces[i].bytes, entry->pieces[i].size, digest);
    entry->head.digest = digest;
    whole_file_begin_cached(&file, entry->path);
    whole_file_add(&file, &entry->head, sizeof entry->head);
    whole_file_add(&file, entry->key, entry->head.key_size);
    for (size_t i = 0; i < entry->count; i++)
        whole_file_add(&file, entry->pieces[i].bytes, entry->pieces[i].size);
    whole_file_end(&file, &error);
}

static void save(const double *key, size_t key_count, const LessonPiece *pieces,
                 size_t count) {
    Entry entry = {.key = key, .pieces = pieces, .count = count};
    Error error;
    if (find(&entry, key_count) && folder_make(entry.folder, &error)) {
        make_room(entry.folder, CACHE_MOST - (int64_t)file_size(&entry));
        write_entry(&entry);
    }
    arena_destroy(entry.arena);
}

const LessonStore cache_of_trainings = {load, save};

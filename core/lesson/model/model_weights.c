#include "lesson/model/model_weights.h"

#include "lesson/read/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int file, uint8_t *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = read(file, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            errno = count < 0 ? errno : EIO; /* it became shorter meanwhile */
            return false;
        }
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

/* Opening must not wait, as it would for a pipe. */
static bool read_file(Arena *room, const char *path, uint8_t **bytes, size_t *length,
                      Error *error) {
    struct stat status = {0};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return error_set(error, ERROR_FILE, 0, 0,
                         "the weights in '%s' can't be read: it is not a file", path);
    /* Memory first: no file may be open where it ends. */
    *length = status.st_size > 0 ? (size_t)status.st_size : 0;
    *bytes = arena_alloc(room, *length + 1, 1);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool good = (file >= 0 && read_all(file, *bytes, *length)) ||
                error_set(error, ERROR_FILE, 0, 0,
                          "the weights in '%s' can't be read: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    return good;
}

static bool open_file(ModelWeights *weights, LessonReader *reader,
                      const TransformerShape *shape, Error *error) {
    Arena *arena = reader->lesson->arena;
    const char *path = beside_path(arena, reader->lesson->file, weights->file->text);
    uint8_t *bytes = NULL;
    size_t length = 0;
    weights->room = arena_create_within(arena, LESSON_MAX_MEMORY - arena_used(arena));
    return read_file(weights->room, path, &bytes, &length, error) &&
           weights_read(&weights->stored, weights->room, weights->file->text, bytes,
                        length, shape, error);
}

bool model_weights_open(ModelWeights *weights, LessonReader *reader,
                        const TransformerShape *shape, TransformerWeights *fill) {
    Error error;
    if (!weights->file) {
        random_init(&weights->random,
                    weights->train ? reader->training->options.seed : weights->seed);
        *fill = transformer_random_weights(&weights->random);
        return true;
    }
    if (!open_file(weights, reader, shape, &error))
        return error_list_append(reader->errors, &error, weights->file->line,
                                 weights->file->column);
    *fill = weights_fill(&weights->stored);
    return true;
}

void model_weights_close(ModelWeights *weights) {
    arena_destroy(weights->room);
    weights->room = NULL;
}

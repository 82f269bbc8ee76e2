/* Stamps that show if a file has changed: time of writing, size, and identity. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct FileStamp {
    int64_t seconds, nanoseconds, size;
    uint64_t number;
} FileStamp; /* {0}: of no file */

/* The stamp of the file that a path has now; {0} when there is none. */
FileStamp file_stamp(const char *path);

bool file_stamp_equal(FileStamp a, FileStamp b);

/* True if two paths lead to the same file or folder; false if either leads to none. */
bool file_is_same(const char *a, const char *b);

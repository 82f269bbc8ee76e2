#include "files/files.h"

#include <sys/stat.h>

FileStamp file_stamp(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return (FileStamp){0};
    return (FileStamp){.seconds = status.st_mtim.tv_sec,
                       .nanoseconds = status.st_mtim.tv_nsec,
                       .size = status.st_size,
                       .number = status.st_ino};
}

bool file_stamp_equal(FileStamp a, FileStamp b) {
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds && a.size == b.size &&
           a.number == b.number;
}

bool file_is_same(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

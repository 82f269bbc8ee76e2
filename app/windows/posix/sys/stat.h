#include_next <sys/stat.h>

#include <direct.h>
#include <stdint.h>

/* As in POSIX; fields that Windows lacks are 0. */
struct posix_stat {
    unsigned st_mode, st_uid, st_gid;
    uint64_t st_dev, st_ino;
    int64_t st_size;
    struct timespec st_mtim;
};

int posix_stat(const char *path, struct posix_stat *status);
int posix_fstat(int file, struct posix_stat *status);
int posix_mkdir(const char *path); /* a drive is there already */

/* The compiler's headers define these two as macros if file offsets have 64 bits. */
#undef stat
#undef fstat
#define stat posix_stat
#define fstat posix_fstat
#define lstat posix_stat
#define mkdir(path, mode) posix_mkdir(path)
#define fchmod(file, mode) 0
#define S_ISLNK(mode) ((void)(mode), 0)

/* POSIX functions that the program uses and Windows lacks or has in another form;
 * included before every file (build.sh), and the folder beside it before the compiler's
 * headers. Links, owners and locks of files are left out: a written file is still the
 * older one or the new one, whole. */
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- files: slashes, drives, names in UTF-8 (glassformer.manifest) ---- */

#define O_CLOEXEC O_NOINHERIT
#define O_NONBLOCK 0
#define O_NOFOLLOW 0
#define O_DIRECTORY 0
#define O_NOCTTY 0
enum { LOCK_EX = 2, LOCK_NB = 4 };

int posix_rename(const char *from, const char *to); /* takes the place of what is there */
char *posix_realpath(const char *path);

#define rename posix_rename
#define realpath(path, room) posix_realpath(path)
#define fsync(file) _commit(file)
#define fchown(file, user, group) 0
#define flock(file, how) ((void)(file), 0)
#define openat(folder, name, flags) ((void)(folder), (void)(name), -1)
#define unlinkat(folder, name, flags) 0
#define link(from, to) (errno = ENOTSUP, -1)
#define readlink(path, to, size) ((ssize_t)0)

/* ---- the rest ---- */

char *strndup(const char *text, size_t most);
/* Memory stream: its text is complete when the stream is closed with posix_close, which
 * is fclose here. */
FILE *posix_memory(char **text, size_t *length);
int posix_close(FILE *file);

#define open_memstream posix_memory
#define fclose posix_close
#define setenv(name, value, over) _putenv_s(name, value)
#define localtime_r(time, to) (localtime_s(to, time) == 0 ? (to) : NULL)
#define kill(process, how) ((void)(process), errno = EPERM, -1)
#define _SC_NPROCESSORS_ONLN 0
#define sysconf(what)                                                                    \
    atol(getenv("NUMBER_OF_PROCESSORS") ? getenv("NUMBER_OF_PROCESSORS") : "1")

#define SA_RESTART 0
#define SA_RESETHAND 0
struct sigaction {
    void (*sa_handler)(int);
    int sa_mask, sa_flags;
};
#define sigemptyset(mask) 0
#define sigaction(number, action, older) signal(number, (action)->sa_handler)

/* The real main, in posix.c, passes its arguments on with slashes. SDL's pkg-config
 * defines another macro of this name. */
#undef main
#define main posix_main
int posix_main(int argc, char **argv);

/* The only locale used on Windows is C's. */
typedef int locale_t;
#define LC_ALL_MASK 0
#define newlocale(mask, name, base) (base)
#define uselocale(locale) 0

#include "windows/posix.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#undef fclose
#undef main
#undef read
#undef rename
#undef write
#include <windows.h>

/* ---- files ---- */

static void turn_slashes(char *path) {
    for (; *path; path++)
        *path = *path == '\\' ? '/' : *path;
}

static bool is_drive(const char *path) {
    return path[0] && path[1] == ':' && !path[2];
}

/* 100 nanoseconds since 1601. */
static struct timespec time_of(FILETIME time) {
    int64_t ticks =
        ((int64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - 116444736000000000;
    return (struct timespec){ticks / 10000000, (long)(ticks % 10000000) * 100};
}

static int look(HANDLE file, struct posix_stat *status) {
    BY_HANDLE_FILE_INFORMATION found;
    if (file == INVALID_HANDLE_VALUE || GetFileType(file) != FILE_TYPE_DISK ||
        !GetFileInformationByHandle(file, &found)) {
        errno = file == INVALID_HANDLE_VALUE ? ENOENT : EINVAL;
        return -1;
    }
    bool folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    *status = (struct posix_stat){
        .st_mode = (folder ? S_IFDIR : S_IFREG) | 0666,
        .st_dev = found.dwVolumeSerialNumber,
        .st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
        .st_size = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow),
        .st_mtim = time_of(found.ftLastWriteTime)};
    return 0;
}

int posix_fstat(int file, struct posix_stat *status) {
    return look((HANDLE)_get_osfhandle(file), status);
}

int posix_stat(const char *path, struct posix_stat *status) {
    char drive[] = {path[0], ':', '/', 0};
    HANDLE file = CreateFileA(is_drive(path) ? drive : path, FILE_READ_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    int result = look(file, status);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return result;
}

int posix_mkdir(const char *path) {
    return is_drive(path) ? 0 : _mkdir(path);
}

ssize_t posix_read(int file, void *bytes, size_t size) {
    return _read(file, bytes, size < INT_MAX ? (unsigned)size : INT_MAX);
}

ssize_t posix_write(int file, const void *bytes, size_t size) {
    return _write(file, bytes, size < INT_MAX ? (unsigned)size : INT_MAX);
}

int posix_rename(const char *from, const char *to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        return 0;
    errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
    return -1;
}

char *posix_realpath(const char *path) {
    struct posix_stat status;
    char *full = posix_stat(path, &status) == 0 ? _fullpath(NULL, path, 0) : NULL;
    if (full)
        turn_slashes(full);
    return full;
}

int alphasort(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static struct dirent *copy_of(const struct dirent *entry) {
    struct dirent *copy = malloc(sizeof *copy);
    return copy ? memcpy(copy, entry, sizeof *copy) : NULL;
}

int scandir(const char *path, struct dirent ***list, int (*wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
    DIR *directory = opendir(path);
    int count = 0;
    *list = NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        if (wanted && !wanted(entry))
            continue;
        struct dirent **longer = realloc(*list, (size_t)(count + 1) * sizeof **list);
        if (!longer)
            break;
        *list = longer;
        if (!(longer[count] = copy_of(entry)))
            break;
        count++;
    }
    if (!directory)
        return -1;
    closedir(directory);
    qsort(*list, (size_t)count, sizeof **list,
          (int (*)(const void *, const void *))compare);
    return count;
}

/* ---- the rest ---- */

char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

/* A stream into memory is a file that is read when it is closed; one at a time. */
static struct {
    FILE *file;
    char **text;
    size_t *length;
} memory;

FILE *posix_memory(char **text, size_t *length) {
    memory.file = tmpfile();
    memory.text = text;
    memory.length = length;
    return memory.file;
}

int posix_close(FILE *file) {
    if (file == memory.file && file) {
        size_t length = (size_t)ftell(file);
        rewind(file);
        *memory.text = calloc(length + 1, 1);
        *memory.length = *memory.text ? fread(*memory.text, 1, length, file) : 0;
        memory.file = NULL;
    }
    return fclose(file);
}

/* Prepares the Windows process and runs the program: paths from the command line get
 * slashes, texts and keys are unchanged, and files are written in binary mode. */
int main(int argc, char **argv) {
    char folder[MAX_PATH];
    _fmode = O_BINARY;
    setmode(STDOUT_FILENO, O_BINARY);
    setmode(STDERR_FILENO, O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i - 1], "--text") != 0 && strcmp(argv[i - 1], "--keys") != 0)
            turn_slashes(argv[i]);
    }
    DWORD length = GetModuleFileNameA(NULL, folder, sizeof folder);
    turn_slashes(folder);
    char *slash = length < sizeof folder ? strrchr(folder, '/') : NULL;
    if (slash && !getenv("GLASSFORMER_DATA")) {
        *slash = 0;
        _putenv_s("GLASSFORMER_DATA", folder);
    }
    const char *home = getenv("USERPROFILE");
    if (home && strlen(home) < sizeof folder && !getenv("HOME")) {
        turn_slashes(strcpy(folder, home));
        _putenv_s("HOME", folder);
    }
    if (!getenv("SDL_VIDEODRIVER"))
        _putenv_s("SDL_VIDEODRIVER", "windows");
    return posix_main(argc, argv);
}

/* Files: where the program's data lies, folders, links, files that are written whole, and
 * what is written to them: pictures, tensors, archives; and printing that is safe for
 * terminals. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "lesson/play/player.h"
#include "tensor/tensor.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

typedef struct LessonStore LessonStore;
typedef struct Png Png;
typedef struct Writer Writer;

/* ---- The data folder: what the program comes with, wherever it was started.
 *
 * It has `lessons/` and `assets/`. It is $GLASSFORMER_DATA, else where an installed
 * program keeps it (../share/glassformer/course beside the program's folder), else the
 * project folder that the program was built in. */

enum { DATA_FOLDER_SIZE = 4096 };

/* Finds it. ERROR_FILE with a sentence that says where it was looked for. */
bool data_folder_find(char folder[DATA_FOLDER_SIZE], Error *error);

/* ---- Stamps that show if a file has changed: time of writing, size, and identity. */

typedef struct FileStamp {
    int64_t seconds, nanoseconds, size;
    uint64_t number;
} FileStamp; /* {0}: of no file */

/* The stamp of the file that a path has now; {0} when there is none. */
FileStamp file_stamp(const char *path);

bool file_stamp_equal(FileStamp a, FileStamp b);

/* True if two paths lead to the same file or folder; false if either leads to none. */
bool file_is_same(const char *a, const char *b);

/* ---- Folders that pictures go to ---- */

/* Makes a folder and those above it, as far as they are not there. ERROR_FILE. */
bool folder_make(const char *path, Error *error);

/* Takes a name of a folder's; false without memory. */
typedef bool (*FolderTake)(void *context, const char *folder, const char *name);

/* Hands it the names in a folder, which may not be there. ERROR_FILE where that can't be
 * read to its end, ERROR_MEMORY. */
bool folder_each(const char *path, FolderTake take, void *context, Error *error);

/* Returns the folder for saved pictures: Glassformer, which may not exist yet, in
 * $XDG_PICTURES_DIR, the one that user-dirs.dirs names, ~/Pictures, or home; without
 * any the current folder. In the arena; NULL when that is exhausted. */
const char *folder_of_pictures(Arena *arena);

/* ---- links ----
 *
 * Symbolic links in the path of a file that is written.
 *
 * In a folder that others can write to, another user may create a link that makes the
 * user overwrite one of their own files. A link, at any position of a path, is followed
 * only if it is owned by the user, by root or by the owner of the folder that it is in. A
 * link that is exchanged after the check is not noticed. Source: protected_symlinks in
 * Linux's Documentation/admin-guide/sysctl/fs.rst, here for all folders. */

/* A value of errno for a link that is not followed. */
enum { LINKS_OTHERS = -2 };

/* Returns the length of a path's folder, including the slash at its end; 0 if the path
 * has no folder. */
size_t links_folder_length(const char *path);

/* Returns the path with all links replaced by their targets, on the heap; the file itself
 * need not exist. NULL with errno, which may be LINKS_OTHERS. */
char *links_resolve(const char *path);

/* Like links_resolve, but leaves the path's last name as it is. */
char *links_resolve_folder(const char *path);

/* Returns the text for an errno of these functions. */
const char *links_reason(int problem);

/* ---- whole files ----
 *
 * Files that are written whole or not at all.
 *
 * The bytes go to a temporary file in the same folder, which is renamed when all of them
 * are on the disk. If anything fails, nothing new is left behind, and an existing file of
 * that name is unchanged. The new file gets the mode of the one it replaces. If the name
 * is a link, its target is written; anything but a regular file is left alone. Another
 * user's link is not followed (files/files.h). Temporary files left by a killed process
 * are removed when the same file is written again. */

/* A file being written. {0} is none. */
typedef struct WholeFile {
    const char *asked; /* the path as it was given; borrowed */
    char *path, *name; /* behind links; of the temporary file. NULL once it has ended */
    int descriptor;
    int problem; /* the first errno, or 0 */
    bool cached; /* it can be made again */
} WholeFile;

/* Begins the file; a problem shows when it ends. */
void whole_file_begin(WholeFile *file, const char *path);

/* The same for a file that can be made again: whole_file_end doesn't wait for the disk,
 * and the file replaces a link that has its name. */
void whole_file_begin_cached(WholeFile *file, const char *path);

/* Appends `size` bytes; does nothing once there is a problem. */
void whole_file_add(WholeFile *file, const void *bytes, size_t size);

/* Waits until the bytes are on the disk, so that no failure of the machine leaves the
 * name without them, and renames the file to its name. ERROR_FILE if any call failed
 * since it began. */
bool whole_file_end(WholeFile *file, Error *error);

/* Gives the file up. Does nothing once it has ended, and to {0}. */
void whole_file_drop(WholeFile *file);

/* Files of one folder that end together, which takes a tenth of the time: the disk is
 * waited for once. {0} are none. WHOLE_FILES_MAX: 64 threads with so many each stay below
 * 1,024 open files, a usual limit. */
enum { WHOLE_FILES_MAX = 12 };

typedef struct WholeFiles {
    WholeFile files[WHOLE_FILES_MAX];
    size_t count;
} WholeFiles;

/* Takes over a file to which all was added, and leaves {0}; `asked` need not last. Ends
 * it and the others once there are WHOLE_FILES_MAX. ERROR_FILE if any can't be ended; the
 * others are. */
bool whole_files_add(WholeFiles *files, WholeFile *file, Error *error);

/* Ends the files that are left: each as whole_file_end does. ERROR_FILE of the first that
 * failed. */
bool whole_files_end(WholeFiles *files, Error *error);

/* Checks that writing the file could begin; changes nothing. ERROR_FILE. */
bool whole_file_check(const char *path, Error *error);

/* All at once. */
bool whole_file_write(const char *path, const void *bytes, size_t size, Error *error);

/* The same where nothing that is there is written over: the file is PATH or, where more
 * `names` than one are tried, PATH with -2, -3 … before its ending. Its path is the one
 * given or in the arena; NULL with ERROR_FILE. */
const char *whole_file_write_new(Arena *arena, const char *path, size_t names,
                                 const void *bytes, size_t size, Error *error);

/* Gives a file that is there such a name in place of its own. NULL with errno. */
const char *whole_file_move(Arena *arena, const char *from, const char *path,
                            size_t names);

/* ---- the cache ----
 *
 * Results that take long to compute and can be computed again, kept for the next run.
 *
 * They are in the user's cache folder, 64 MiB at most; beyond that the oldest files are
 * removed. A file is only read if it is a regular one of the user's, of the size that is
 * wanted, was written by this very program for the same key, and its checksum is right;
 * else it is as if it weren't there, and the next result replaces it. */

/* Returns $GLASSFORMER_CACHE, else glassformer in $XDG_CACHE_HOME or ~/.cache, else
 * glassformer/cache in %LOCALAPPDATA%; it may not exist. NULL without any, if
 * GLASSFORMER_CACHE is empty, or when the arena is exhausted. Borrowed or in the arena.
 */
const char *folder_of_cache(Arena *arena);

/* Keeps trained parameters in the cache. */
extern const LessonStore cache_of_trainings;

/* ---- PNG files: 8-bit RGB, the same bytes for the same pixels.
 *
 * A picture is written to a temporary file beside its own and renamed when it is whole,
 * so that a name never holds half a picture. */

/* Makes one picture after the other, from rows as they come. */

/* NULL when there is no memory. The caller destroys it, or NULL. */
Png *png_create(void);
void png_destroy(Png *png);

/* Begins a picture of so many pixels. ERROR_VALUE when it has none or is wider or higher
 * than PNG allows, ERROR_MEMORY. */
bool png_begin(Png *png, size_t width, size_t height, Error *error);

/* Adds the next `count` rows of pixels 0xAARRGGBB (alpha is left out), `stride` pixels
 * apart; after png_begin, and no more than the picture's height in all. */
void png_add(Png *png, const uint32_t *rows, size_t count, size_t stride);

/* The picture's file, of which all rows are there. Borrowed until the next picture
 * begins. NULL with ERROR_MEMORY. */
const uint8_t *png_pack(Png *png, size_t *size, Error *error);

/* Writes the picture, of which all rows are there. ERROR_FILE, ERROR_MEMORY; then nothing
 * new is left behind and an older file of that name is as it was. */
bool png_save(Png *png, const char *path, Error *error);

/* ---- Zip files, not compressed: the same entries give the same bytes, without time or
 * machine. Written whole or not at all.
 * Source: PKWARE, APPNOTE.TXT 6.3.10. */

/* Bytes that grow; {0} is empty. The owner frees `data`. */
typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
} Bytes;

/* Puts a number's lowest `size` bytes there, for which there is room. */
void bytes_put_little(Bytes *out, uint64_t number, size_t size);

/* A zip being written. */
typedef struct Zip {
    WholeFile file;
    const char *path;
    uint64_t length;
    size_t count;    /* of entries */
    Bytes directory; /* these, as they come at the end */
    bool has_memory, fits;
} Zip;

/* The path is borrowed. What goes wrong shows when it ends. */
void zip_begin(Zip *zip, const char *path);

/* Begins an entry of `size` bytes with that CRC-32; zip_add then appends them. */
void zip_begin_entry(Zip *zip, const char *name, uint32_t crc, size_t size);
void zip_add(Zip *zip, const void *bytes, size_t size);

/* An entry all at once. */
void zip_put(Zip *zip, const char *name, const void *bytes, size_t size);

/* ERROR_FILE, ERROR_MEMORY; ERROR_LIMIT past the 4 GiB that a zip of this form can hold.
 */
bool zip_end(Zip *zip, Error *error);

/* ---- A lesson's tensors as a file ---- */

/* How many of a lesson's tensors a file has. */
typedef struct TensorChoice {
    bool abridged;   /* only the main ones of a lesson with very many numbers */
    size_t left_out; /* number of tensors that weren't written; set by the writing */
} TensorChoice;

/* Writes the tensors that `show --json` lists, each once: given ones, and the result of
 * every operation. They are called by name; a tensor without a name, or with an earlier
 * one's, by the path of its step. No time or machine is stored: the same tensors have the
 * same bytes. ERROR_FILE, ERROR_LIMIT, ERROR_MEMORY. */
bool export_npz(const Player *player, const char *path, TensorChoice *choice,
                Error *error);

/* Writes the same tensors as comma-separated values, one row per cell: tensor, row,
 * column (from 0, as in NumPy) and value, with all its digits. If it is abridged, a
 * lesson with more than 100,000 numbers has only its given tensors and its steps'
 * results, of 10,000 numbers at most each. ERROR_FILE, ERROR_MEMORY, ERROR_WORK. */
bool export_csv(const Player *player, const char *path, TensorChoice *choice,
                Error *error);

/* ---- Templates: texts with {{names}} that are filled in ---- */

/* The text of a file in assets/templates of the data folder, in the arena. NULL with
 * ERROR_FILE, ERROR_MEMORY. */
const char *template_read(Arena *arena, const char *name, Error *error);

/* Text that replaces a name, escaped for the file's format. */
typedef struct TemplateValue {
    const char *name, *text;
} TemplateValue;

/* Writes `length` bytes of a template with its names' values, the last of which is
 * {NULL, NULL}; nothing for another name. */
void template_write(Writer *writer, const char *text, size_t length,
                    const TemplateValue *values);

/* ---- printing ----
 *
 * Printing, safe for terminals.
 *
 * Names of files and of a model's tensors, and words of lessons, come from other people,
 * and a terminal executes the control characters in them. Characters that control it
 * (utf8_steers) are printed as "\u001b", as in JSON and Python, and a byte that is not
 * UTF-8 as "\xff". Commands print everything through these functions, except their own
 * control sequences. */

/* printf to standard output, and to a stream. */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_to(FILE *stream, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text as it stands, without a line break. */
void print_text(FILE *stream, const char *text);

/* Prints a value, which may be NULL, and releases it. False when it is NULL, when
 * jansson had no memory for it (base/json_watch.h), or when the stream has an error. */
bool print_json(FILE *stream, json_t *value, size_t flags);

/* A number as JSON; "inf", "-inf" and "nan" as texts, for JSON has no numbers for them.
 */
json_t *json_number(double value);

/* Reports whether so many numbers of a lesson may be printed at once. Printing has the
 * same limit of work as the lesson, in addition to it. ERROR_WORK, ERROR_MEMORY. */
bool print_allowed(const Arena *lesson, double numbers, Error *error);

/* True if there was no memory for a part of the output. */
bool print_was_short(void);

/* Symbolic links in the path of a file that is written.
 *
 * In a folder that others can write to, another user may create a link that makes the
 * user overwrite one of their own files. A link, at any position of a path, is followed
 * only if it is owned by the user, by root or by the owner of the folder that it is in. A
 * link that is exchanged after the check is not noticed. Source: protected_symlinks in
 * Linux's Documentation/admin-guide/sysctl/fs.rst, here for all folders. */
#pragma once

#include <stddef.h>

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

/* Symbolic links on the way to a file that is written.
 *
 * In a folder that others can write to, another user may plant a link so that the user
 * writes over a file of their own. A link is followed, at any place of a path, only if it
 * is owned by the user, by root or by the owner of the folder that it is in. A link that
 * is exchanged after the check is not noticed.
 * Source: protected_symlinks in Linux's Documentation/admin-guide/sysctl/fs.rst, here for
 * all folders. */
#ifndef APP_LINKS_H
#define APP_LINKS_H

#include <stddef.h>

/* In place of an errno: a link that is not followed. */
enum { LINKS_OTHERS = -2 };

/* Returns the length of the folder's part of a path, with its slash; 0: the current
 * folder. */
size_t links_folder_length(const char *path);

/* Returns the path behind all links, on the heap; what it ends in need not be there yet.
 * NULL with errno, which may be LINKS_OTHERS. */
char *links_resolve(const char *path);

/* Like links_resolve, but leaves the path's last name as it is. */
char *links_resolve_folder(const char *path);

/* Returns the text for an errno of these functions. */
const char *links_reason(int problem);

#endif

/* The program has functions of its own of that name. */
#define tell io_tell
#include_next <io.h>
#undef tell

/* At most 2 GiB per call, because the functions of Windows take the size as an unsigned
 * int. */
ssize_t posix_read(int file, void *bytes, size_t size);
ssize_t posix_write(int file, const void *bytes, size_t size);

#define read posix_read
#define write posix_write

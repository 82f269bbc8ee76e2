/* The program has functions of its own of that name. */
#define tell io_tell
#include_next <io.h>
#undef tell

#include_next <math.h>

/* The compiler's headers convert a double to float in a branch of these macros that isn't
 * taken, and the compiler warns of it. */
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

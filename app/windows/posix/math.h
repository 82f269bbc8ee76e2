#include_next <math.h>

/* The macros of the compiler's headers convert a double to float in a branch that isn't
 * taken, which causes a warning. */
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

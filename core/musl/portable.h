/* Included before each of musl's files. See README. */
#ifndef MUSL_PORTABLE_H
#define MUSL_PORTABLE_H

#include "base/maths.h"

/* A product and a sum rounded once are other digits than rounded twice. */
#undef __FP_FAST_FMA

#define hidden __attribute__((visibility("hidden")))

#define erfc maths_erfc
#define expm1 maths_expm1
double maths_erfc(double x);
double maths_expm1(double x);

/* These are other functions in some C libraries' <math.h>. */
#define __tan maths_tan_of_part
#define __sinl maths_sinl_of_part
#define __cosl maths_cosl_of_part
#define __tanl maths_tanl_of_part

#define __cos maths_cos_of_part
#define __sin maths_sin_of_part
#define __rem_pio2 maths_rem_pio2
#define __rem_pio2_large maths_rem_pio2_large
#define __exp_data maths_exp_data
#define __log_data maths_log_data
#define __pow_log_data maths_pow_log_data
#define __math_divzero maths_divzero
#define __math_invalid maths_invalid
#define __math_oflow maths_oflow
#define __math_uflow maths_uflow
#define __math_xflow maths_xflow

#endif

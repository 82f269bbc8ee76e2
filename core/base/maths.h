/* The functions of <math.h> under their own names, with results equal to the last bit on
 * all platforms.
 *
 * C only requires exp, log, pow, sin … to be approximate: results differ between C
 * libraries, and within one between processors with and without fused multiply-add. So
 * core/ has its own functions, in maths.c, and includes this instead of <math.h>. Exact
 * functions (sqrt, floor, round, fmod, ldexp, fabs …) remain the C library's. Files of
 * app/ that draw include it, too.
 *
 * The error of a result is at most 0.8 units in the last place. Zeros, infinities and NaN
 * give the results of C17's annex F; errno and floating-point exceptions are not set. */
#pragma once

#include <math.h>

#define PI 3.14159265358979323846

#define cos maths_cos
#define erf maths_erf
#define exp maths_exp
#define expm1 maths_expm1
#define log maths_log
#define log10 maths_log10
#define log1p maths_log1p
#define pow maths_pow
#define sin maths_sin
#define tanh maths_tanh

double maths_cos(double x);
double maths_erf(double x);
double maths_exp(double x);
double maths_expm1(double x);
double maths_log(double x);
double maths_log10(double x);
double maths_log1p(double x);
double maths_pow(double x, double y);
double maths_sin(double x);
double maths_tanh(double x);

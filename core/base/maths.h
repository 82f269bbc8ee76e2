/* The functions of <math.h> by their own names, the same to the last bit everywhere.
 *
 * C says of exp, log, pow, sin … only that they are near the truth; which of the doubles
 * beside it they give differs between C libraries, and in one library between processors
 * with fused multiplication and without. So core/ has its own, in maths.c, and includes
 * this instead of <math.h>. What is exact anyway (sqrt, floor, round, fmod, ldexp, fabs
 * …) stays the C library's. Files of app/ that draw include it, too.
 *
 * No result is further from the truth than 0.8 of a unit in the last place. Zeros,
 * infinities and NaN give what C17's annex F says; errno and floating-point exceptions
 * are not set. */
#ifndef BASE_MATHS_H
#define BASE_MATHS_H

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

#endif

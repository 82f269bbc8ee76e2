/* The functions of <math.h> by their own names, the same to the last bit everywhere.
 *
 * C says of exp, log, pow, sin … only that they are near the truth; which of the doubles
 * beside it they give differs between C libraries, and in one library between processors
 * with fused multiplication and without. So core/ takes them from sources of its own,
 * core/musl, and includes this instead of <math.h>. What is exact anyway (sqrt, floor,
 * round, fmod, ldexp, fabs …) stays the C library's. Files of app/ that draw include it,
 * too. */
#ifndef BASE_MATHS_H
#define BASE_MATHS_H

#include <math.h>

#define PI 3.14159265358979323846

#define cos maths_cos
#define erf maths_erf
#define exp maths_exp
#define log maths_log
#define log10 maths_log10
#define pow maths_pow
#define sin maths_sin
#define tanh maths_tanh

double maths_cos(double x);
double maths_erf(double x);
double maths_exp(double x);
double maths_log(double x);
double maths_log10(double x);
double maths_pow(double x, double y);
double maths_sin(double x);
double maths_tanh(double x);

#endif

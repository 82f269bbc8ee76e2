#include "model/learn/lanes.h"

/* lanes_kernels.c is compiled once for any machine, and where the build can, once more
 * for x86 with AVX2. */
extern const LanesKernels lanes_plain;
#ifdef LANES_HAVE_AVX2
extern const LanesKernels lanes_avx2;
#endif

const LanesKernels *lanes_kernels(void) {
#ifdef LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &lanes_avx2;
#endif
    return &lanes_plain;
}

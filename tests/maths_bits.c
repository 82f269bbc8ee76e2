/* Prints a line `FUNCTION BITS` for each function of maths_bits.h. */
#include "maths_bits.h"

#include <inttypes.h>
#include <stdio.h>

int main(void) {
    for (size_t i = 0; i < MATHS_FUNCTIONS; i++)
        printf("%s 0x%016" PRIX64 "\n", maths_functions[i].name,
               maths_bits(&maths_functions[i]));
    return 0;
}

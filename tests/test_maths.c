/* The mathematical functions: near the truth, and the same to the last bit in every
 * build. The truth was computed by Python's decimal with 60 digits and rounded once. */
#include "base/maths.h"

#include "close.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct Case {
    double x, y, truth;
} Case;

static const Case exp_cases[] = {
    {0x1.0000000000000p+0, 0, 0x1.5bf0a8b145769p+1},
    {-0x1.0000000000000p+0, 0, 0x1.78b56362cef38p-2},
    {0x1.0000000000000p-1, 0, 0x1.a61298e1e069cp+0},
    {-0x1.5e00000000000p+9, 0, 0x1.14f2b0fb9307fp-1010},
    {0x1.6280000000000p+9, 0, 0x1.d422d2be5dc9bp+1022},
    {-0x1.7480000000000p+9, 0, 0x0.0000000000001p-1022},
    {0x1.b7cdfd9d7bdbbp-34, 0, 0x1.000000006df38p+0},
    {-0x1.523db82c83272p+3, 0, 0x1.aebcbaf2ac0c0p-16},
    {-0x1.4f2f4e989f05cp+4, 0, 0x1.b6a5201534d50p-31},
    {0x1.21cb4feb96b7cp+3, 0, 0x1.0bd31c5659375p+13},
    {-0x1.9a760ee572744p+4, 0, 0x1.fc3c9fc2da6d3p-38},
    {0x1.1392e41a5d660p+1, 0, 0x1.1384d568ffd83p+3},
    {-0x1.01e0956421814p+3, 0, 0x1.4bb73fb4da5d3p-12},
    {-0x1.a8522f2ad5e43p+4, 0, 0x1.ab74e99f2a78bp-39},
    {0x1.c8d9f870e1cc0p-2, 0, 0x1.8ff158b14a008p+0},
    {-0x1.bc011125afb38p+4, 0, 0x1.f3abf6dcc8940p-41},
};

static const Case log_cases[] = {
    {0x1.0000000000000p+1, 0, 0x1.62e42fefa39efp-1},
    {0x1.0000000000000p-1, 0, -0x1.62e42fefa39efp-1},
    {0x1.4000000000000p+3, 0, 0x1.26bb1bbb55516p+1},
    {0x1.000000006df38p+0, 0, 0x1.b7cdffffa18d8p-34},
    {0x0.730d67819e8d2p-1022, 0, -0x1.62991d5d62a5ep+9},
    {0x1.1ccf385ebc8a0p+1023, 0, 0x1.62991d5d62a5ep+9},
    {0x1.5b01d5799bddcp+4, 0, 0x1.89d329e246d3cp+1},
    {0x1.c043ea6f363e4p+1, 0, 0x1.40dbdf15888e8p+0},
    {0x1.22dd13ff1845ep+2, 0, 0x1.83939f7e5864dp+0},
    {0x1.53b51a04732a8p+4, 0, 0x1.871a7e5af589cp+1},
    {0x1.4ac134216ac28p+5, 0, 0x1.dc6861b6a6584p+1},
    {0x1.8cba1f73c8b9bp+2, 0, 0x1.d3099c8d2218dp+0},
    {0x1.656e4fea2e119p+3, 0, 0x1.34e3f09c4ec78p+1},
    {0x1.f6019593a0c69p+4, 0, 0x1.b9174e30a9d2cp+1},
    {0x1.7b167774f6655p+5, 0, 0x1.eddda1fa54f41p+1},
};

static const Case log10_cases[] = {
    {0x1.0000000000000p+1, 0, 0x1.34413509f79ffp-2},
    {0x1.0000000000000p-1, 0, -0x1.34413509f79ffp-2},
    {0x1.8000000000000p+1, 0, 0x1.e8927964fd5fdp-2},
    {0x1.711947cfa26a3p-17, 0, -0x1.3d59d27ebcea4p+2},
    {0x1.68b09b6b4a15cp+11, 0, 0x1.bae89e2ce9104p+1},
    {0x1.efda2354cda5fp+10, 0, 0x1.a61199f0004acp+1},
    {0x1.31146988fe88ap+12, 0, 0x1.d821dc5084346p+1},
    {0x1.d1d88b3b98e2fp+7, 0, 0x1.2f00cfafa6f53p+1},
    {0x1.0c457fd6a495ep+12, 0, 0x1.d0fc221174be7p+1},
    {0x1.6a036d206fc4ap+10, 0, 0x1.94949722b8301p+1},
};

static const Case sin_cases[] = {
    {0x1.0000000000000p+0, 0, 0x1.aed548f090ceep-1},
    {-0x1.0000000000000p+1, 0, -0x1.d18f6ead1b446p-1},
    {0x1.8000000000000p+1, 0, 0x1.210386db6d55bp-3},
    {0x1.9000000000000p+6, 0, -0x1.03425b78c4db8p-1},
    {0x1.e848000000000p+19, 0, -0x1.6664b2568d867p-2},
    {0x1.0f0cf064dd592p+73, 0, -0x1.b453ab76bf397p-1},
    {0x1.5798ee2308c3ap-27, 0, 0x1.5798ee2308c3ap-27},
    {-0x1.c75a7e897d81ap+2, 0, -0x1.7a6987413ae46p-1},
    {-0x1.e939d6e4a7602p+2, 0, -0x1.f4c535a5dab60p-1},
    {-0x1.ea495a0cb7b98p+1, 0, 0x1.456be302d88adp-1},
    {0x1.94a4490d1ed48p+2, 0, 0x1.42349c43fbe30p-5},
    {-0x1.98ab946f82d6ap+2, 0, -0x1.a23cdc2ee0acbp-4},
    {0x1.a1caf76d92200p+0, 0, 0x1.ff0a8f4c4a01ap-1},
    {0x1.639e54bc1e650p+1, 0, 0x1.6be965871b881p-2},
    {-0x1.46a98be0d27ccp+1, 0, -0x1.1ca9a0606a6fcp-1},
};

static const Case cos_cases[] = {
    {0x1.0000000000000p+0, 0, 0x1.14a280fb5068cp-1},
    {-0x1.0000000000000p+1, 0, -0x1.aa22657537205p-2},
    {0x1.8000000000000p+1, 0, -0x1.fae04be85e5d2p-1},
    {0x1.9000000000000p+6, 0, 0x1.b981dbf665fdfp-1},
    {0x1.e848000000000p+19, 0, 0x1.df9df9906d32cp-1},
    {0x1.5798ee2308c3ap-27, 0, 0x1.0000000000000p+0},
    {0x1.e8e7408f80740p-1, 0, 0x1.27c82d7556c36p-1},
    {-0x1.17d0a782d9bccp+3, 0, -0x1.8df00d1ffd059p-1},
    {-0x1.19daf1be7aaf0p+3, 0, -0x1.a1a7bb2d9ee9ep-1},
    {-0x1.785f72f092dcep+2, 0, 0x1.d71c88bfe4ec7p-1},
    {0x1.cdd2ed2a26858p+1, 0, -0x1.c9502d9a43053p-1},
    {-0x1.72ba368e92d68p+0, 0, 0x1.f515c790c0e44p-4},
    {-0x1.dbc882ab01e54p+1, 0, -0x1.ad8988074ab00p-1},
    {0x1.b613a54f00a30p+0, 0, -0x1.1eadb15b8d0c6p-3},
};

static const Case tanh_cases[] = {
    {0x1.0000000000000p+0, 0, 0x1.85efab514f394p-1},
    {-0x1.0000000000000p-1, 0, -0x1.d9353d7568af3p-2},
    {0x1.12e0be826d695p-30, 0, 0x1.12e0be826d695p-30},
    {0x1.4000000000000p+4, 0, 0x1.0000000000000p+0},
    {-0x1.7f837a8dbd5b0p-2, 0, -0x1.6e88b16ff130ap-2},
    {-0x1.9a13c2c0671dcp+0, 0, -0x1.d809a796e3f80p-1},
    {0x1.2d71d0970298cp+1, 0, 0x1.f6dcaf3169801p-1},
    {0x1.978a64c7a2ea0p+0, 0, 0x1.d7450a7eea812p-1},
    {-0x1.060b907585c68p+1, 0, -0x1.ef3707159849dp-1},
    {0x1.30d6ea99ba408p-1, 0, 0x1.11491a127c444p-1},
    {0x1.9cd1cbf5ff900p-3, 0, 0x1.97515aa12948bp-3},
    {0x1.80240b2bf702ep+1, 0, 0x1.fd793cd024ccap-1},
};

static const Case erf_cases[] = {
    {0x1.0000000000000p+0, 0, 0x1.af767a741088bp-1},
    {-0x1.0000000000000p-1, 0, -0x1.0a7ef5c18edd2p-1},
    {0x1.12e0be826d695p-30, 0, 0x1.362a9ffc610ddp-30},
    {0x1.4000000000000p+2, 0, 0x1.fffffffffc9e8p-1},
    {0x1.d5e76972e6cc0p+0, 0, 0x1.fb2b569a7a62cp-1},
    {-0x1.b24daf641b434p+0, 0, -0x1.f7966cc04eeb3p-1},
    {0x1.ebb2f4895ea56p+1, 0, 0x1.fffffe22d0474p-1},
    {-0x1.8719c3be78fc4p+1, 0, -0x1.fffdf709e084bp-1},
    {-0x1.4f5e71ab8a168p-1, 0, -0x1.4a9cd6f75f1f0p-1},
    {0x1.074ff3abc87c0p+1, 0, 0x1.fe2514a9855c4p-1},
    {-0x1.645e2a888a9a2p+1, 0, -0x1.fff53385097dfp-1},
    {-0x1.69a83940b93c0p-4, 0, -0x1.9707422cafdb4p-4},
};

static const Case pow_cases[] = {
    {0x1.4000000000000p+3, -0x1.0000000000000p-1, 0x1.43d136248490fp-2},
    {0x1.3880000000000p+13, 0x1.5555555555555p-1, 0x1.d028ac9478910p+8},
    {0x1.3880000000000p+13, 0x1.0000000000000p-2, 0x1.4000000000000p+3},
    {0x1.ccccccccccccdp-1, 0x1.c000000000000p+2, 0x1.e9c6a99d1cdbfp-2},
    {0x1.ff7ced916872bp-1, 0x1.f400000000000p+9, 0x1.788526411ed72p-2},
    {0x1.0000000000000p+1, 0x1.0000000000000p-1, 0x1.6a09e667f3bcdp+0},
    {0x1.8000000000000p+0, -0x1.2c40000000000p+8, 0x1.49b325724d129p-176},
    {0x1.695586543ef7ep-2, 0x1.58818e13deef8p+1, 0x1.f05d3a8bb6542p-5},
    {0x1.b8648fc82e73cp+2, 0x1.2b1d3f9404268p+0, 0x1.30b56be1c589fp+3},
    {0x1.f84674caebe38p+2, -0x1.7d71f1a8edbdcp+1, 0x1.17376b188cbb2p-9},
    {0x1.907d7939367cep+2, 0x1.8289fcfe4c288p+0, 0x1.fe1cfc6f403dbp+3},
    {0x1.4e0506f960501p+2, -0x1.66c413b996350p-1, 0x1.41b74c8430ed7p-2},
    {0x1.e3d249febd294p+2, 0x1.c75a7b228d5ecp+2, 0x1.b29fd6c73625ap+20},
    {0x1.1114a4fa2fe12p+2, 0x1.502f0810a3d68p+1, 0x1.69708259778dap+5},
    {0x1.179091a525d48p-1, 0x1.9ca7d94f426dcp+1, 0x1.2329bf60608b1p-3},
};

typedef struct Function {
    const char *name;
    double (*of_one)(double x);
    double (*of_two)(double x, double y);
    const Case *cases;
    size_t count;
    double least, most; /* where its bits are summed up */
    uint64_t sum;
} Function;

static const Function functions[] = {
    {"exp", exp, NULL, exp_cases, COUNT(exp_cases), -750, 720, 0xA7261243D036E63B},
    {"log", log, NULL, log_cases, COUNT(log_cases), 1e-09, 1000000000.0,
     0xC9371B7FA69ED51F},
    {"log10", log10, NULL, log10_cases, COUNT(log10_cases), 1e-09, 1000000000.0,
     0x671FEE13DEA84319},
    {"sin", sin, NULL, sin_cases, COUNT(sin_cases), -1000, 1000, 0x2CC22FDDAB95B76D},
    {"cos", cos, NULL, cos_cases, COUNT(cos_cases), -1000, 1000, 0x017A529CCAD44C1A},
    {"tanh", tanh, NULL, tanh_cases, COUNT(tanh_cases), -20, 20, 0x7DECAF89CEF075A2},
    {"erf", erf, NULL, erf_cases, COUNT(erf_cases), -7, 7, 0xA89BD1C6237BCCB3},
    {"pow", NULL, pow, pow_cases, COUNT(pow_cases), 0, 40, 0x9B12858914C3F300},
};

static double result(const Function *function, double x, double y) {
    return function->of_one ? function->of_one(x) : function->of_two(x, y);
}

static void test_each_result_is_one_of_the_two_doubles_beside_the_truth(void **state) {
    for (size_t i = 0; i < COUNT(functions); i++) {
        const Function *function = &functions[i];
        for (size_t j = 0; j < function->count; j++) {
            const Case *at = &function->cases[j];
            double found = result(function, at->x, at->y);
            if (found != at->truth && nextafter(found, at->truth) != at->truth)
                fail_msg("%s(%a, %a) is %a, not %a", function->name, at->x, at->y, found,
                         at->truth);
        }
    }
}

/* FNV-1a over the bits of ten thousand results: any other digit is another sum. */
static void test_the_bits_are_those_of_every_other_build(void **state) {
    enum { RESULTS = 10000 };
    for (size_t i = 0; i < COUNT(functions); i++) {
        const Function *function = &functions[i];
        uint64_t sum = 0xCBF29CE484222325;
        for (size_t j = 0; j < RESULTS; j++) {
            double part = (double)j / RESULTS;
            double x = function->least + (function->most - function->least) * part;
            double found = result(function, x, 12 - 30 * part);
            uint64_t bits;
            memcpy(&bits, &found, sizeof bits);
            for (int byte = 0; byte < 8; byte++)
                sum = (sum ^ (bits >> 8 * byte & 0xFF)) * 0x100000001B3;
        }
        if (sum != function->sum)
            fail_msg("%s: 0x%016llX", function->name, (unsigned long long)sum);
    }
}

static void test_powers_of_ten_and_their_logarithms_are_exact(void **state) {
    double power = 1;
    for (int i = 0; i <= 22; i++, power *= 10) {
        assert_true(pow(10, i) == power);
        assert_true(pow(10, -i) == 1 / power);
        assert_true(log10(power) == i);
    }
}

static void test_infinities_and_zeros_go_where_they_should(void **state) {
    assert_true(exp(-INFINITY) == 0 && exp(INFINITY) == INFINITY && exp(0) == 1);
    assert_true(exp(710) == INFINITY && exp(-746) == 0);
    assert_true(log(0) == -INFINITY && log(1) == 0 && isnan(log(-1)));
    assert_true(log10(0) == -INFINITY && log(INFINITY) == INFINITY);
    assert_true(pow(0, 0) == 1 && pow(0, -1) == INFINITY && pow(2, -INFINITY) == 0);
    assert_true(isnan(pow(-8, 0.5)) && pow(-2, 3) == -8);
    assert_true(tanh(INFINITY) == 1 && erf(-INFINITY) == -1);
    assert_true(isnan(sin(INFINITY)) && isnan(cos(NAN)) && cos(0) == 1);
    assert_true(signbit(sin(-0.0)) && signbit(tanh(-0.0)) && signbit(erf(-0.0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_result_is_one_of_the_two_doubles_beside_the_truth),
        cmocka_unit_test(test_the_bits_are_those_of_every_other_build),
        cmocka_unit_test(test_powers_of_ten_and_their_logarithms_are_exact),
        cmocka_unit_test(test_infinities_and_zeros_go_where_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

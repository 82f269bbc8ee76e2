/* Mathematics as it is heard: texts and formulas in words of each language. */
#include "base/strings/aloud.h"
#include "course_files.h"
#include "picture/formula/formula.h"

/* A source, and its words in English and in Chinese. */
typedef struct Spoken {
    const char *source, *en, *zh;
} Spoken;

static void is_heard(const CourseFiles *files, const Spoken *spoken, bool formula) {
    static const char *const codes[] = {"en", "zh"};
    for (size_t i = 0; i < 2; i++) {
        const Language *language = course_language(files, codes[i]);
        const char *words = formula
                                ? formula_aloud(files->arena, language, spoken->source)
                                : aloud_text(files->arena, language, spoken->source);
        assert_string_equal(words, i ? spoken->zh : spoken->en);
    }
}

static void test_signs_in_texts_are_words(void **state) {
    static const Spoken texts[] = {
        {"e^(1.414 − 1.414) ÷ 1.986 ≈ 0.503",
         "e to the power of (1.414 minus 1.414) divided by 1.986, about 0.503",
         "e 的 (1.414 减 1.414) 次方除以 1.986，约等于 0.503"},
        {" = 1 × −0.5 + √(2) = 0.5",
         "equals 1 times minus 0.5 plus the square root of 2 equals 0.5",
         "等于 1 乘负 0.5 加根号 2 等于 0.5"},
        {"3·10⁻⁵, x², Kᵀ, −∞",
         "3 times 10 to the power of minus 5, x squared, K transposed, minus infinity",
         "3 乘 10 的负 5 次方, x 的平方, K 的转置, 负无穷大"},
        {"除以 √2，得分", "除以 the square root of 2，得分", "除以根号 2，得分"},
        {"ID 7 → E", "ID 7 gives E", "ID 7 得到 E"},
        /* words without mathematics stay as they are */
        {"→  Space: a+b, Ctrl+S, well-known, a<b",
         "→  Space: a+b, Ctrl+S, well-known, a<b",
         "→  Space: a+b, Ctrl+S, well-known, a<b"},
        {"set by hand  ·  was 0.5", "set by hand, was 0.5", "set by hand，was 0.5"},
        {"3 × 12", "3 by 12", "3 乘 12"},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        is_heard(*state, &texts[i], false);
}

static void test_formulas_are_read_from_their_trees(void **state) {
    static const Spoken formulas[] = {
        {"\\tensor{S_scaled} = \\frac{\\tensor{S}}{\\sqrt{2}}",
         "S scaled equals S over the square root of 2", "S_scaled 等于 S 除以根号 2"},
        {"\\tensor{A} = \\op{softmax}\\left(\\tensor{S_scaled}\\right)",
         "A equals softmax of S scaled", "A 等于 softmax S_scaled"},
        {"\\op{softmax}\\left(\\frac{\\tensor{Q} \\tensor{K.T}}{\\sqrt{d_k}}\\right) "
         "\\tensor{V}",
         "softmax of (Q times K transposed over the square root of d k) times V",
         "softmax (Q 乘 K 的转置除以根号 d_k) 乘 V"},
        {"\\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}} \\odot \\gamma + \\beta",
         "(x minus mu) over the square root of (sigma squared plus epsilon) times, "
         "element by "
         "element, gamma plus beta",
         "(x 减 mu) 除以根号 (sigma 的平方加 epsilon) 逐元素乘 gamma 加 beta"},
        {"\\op{softmax}\\left(x\\right)_{j} = \\frac{e^{x_j}}{\\sum_{k} e^{x_k}}",
         "softmax of x at j equals e to the power of x j over the sum over k of e to the "
         "power of x k",
         "softmax x 的第 j 项等于 e 的 x_j 次方除以求和，按 k，e 的 x_k 次方"},
        {"\\max\\left(0, x\\right)", "the maximum of (0, x)", "最大值 (0, x)"},
        {"e^{-x}", "e to the power of minus x", "e 的负 x 次方"},
        {"\\tensor{M}_{ij} = -\\infty \\quad j > i",
         "M i j equals minus infinity, j is greater than i",
         "M_i j 等于负无穷大, j 大于 i"},
        {"\\frac{\\partial L}{\\partial \\tensor{W_Q}}", "partial L over partial W Q",
         "偏 L 除以偏 W_Q"},
        {"\\Phi\\left(x\\right)", "Phi of x", "Phi x"},
        {"\\tensor{head_1.scores}'", "scores 1 prime", "scores_1 撇"},
    };
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        is_heard(*state, &formulas[i], true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs_in_texts_are_words),
        cmocka_unit_test(test_formulas_are_read_from_their_trees),
    };
    return cmocka_run_group_tests(tests, course_set_up, course_tear_down);
}

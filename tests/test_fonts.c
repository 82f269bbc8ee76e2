#include "base/strings/utf8.h"
#include "close.h"
#include "contains.h"
#include "paint/paint.h"
#include "paint/paint_parts.h"

#include <SDL_ttf.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Fonts *fonts;
static TextMetrics metrics;

static int open_fonts(void **state) {
    Error error = {0};
    fonts = fonts_create(&error);
    if (!fonts) {
        print_error("%s\n", error.message);
        return 1;
    }
    metrics = fonts_metrics(fonts);
    return 0;
}

static int close_fonts(void **state) {
    fonts_destroy(fonts);
    return 0;
}

static double advance(FontRole font, double size, const char *text) {
    return metrics.advance(metrics.context, font, size, text, strlen(text));
}

/* ---- where they come from ---- */

static const Typeface *file_of(FontFace face) {
    return &font_files_find(NULL)->faces[face];
}

/* This program's other end: what it finds with the data folder of its environment. */
static int find(void) {
    Error error = {0};
    Fonts *found = fonts_create(&error);
    printf("code %d: %s\n", error.code, error.message);
    fonts_destroy(found);
    return 0;
}

static void test_a_font_that_is_missing_is_named(void **state) {
    char self[1024], folder[] = "/tmp/test_fonts_XXXXXX", command[4096], output[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = 0;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cp -r \"$GLASSFORMER_SOURCE/assets\" '%s' && rm "
             "'%s/assets/fonts/DejaVuSans.ttf' "
             "&& GLASSFORMER_DATA='%s' '%s' find; rm -r '%s'",
             folder, folder, folder, self, folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    pclose(pipe);
    char code[20];
    snprintf(code, sizeof code, "code %d:", ERROR_FILE);
    assert_contains(output, code);
    assert_contains(output, "/assets/fonts/DejaVuSans.ttf' can't be read");
}

/* All characters of a folder's texts that no font of the program draws. */
static size_t count_strange(const char *folder) {
    char pattern[1024];
    glob_t files;
    size_t strange = 0;
    snprintf(pattern, sizeof pattern, "%s/%s/*.yaml", getenv("GLASSFORMER_SOURCE"),
             folder);
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        static char text[4 << 20];
        FILE *file = fopen(files.gl_pathv[i], "r");
        assert_non_null(file);
        size_t length = fread(text, 1, sizeof text, file);
        fclose(file);
        for (size_t offset = 0; offset < length;) {
            uint32_t code_point = utf8_next(text, length, &offset);
            for (FontRole role = 0; code_point >= ' ' && role < FONT_COUNT; role++) {
                if (font_files_face(role, code_point) < FACE_SYSTEM)
                    continue;
                print_error("%s: U+%04X\n", files.gl_pathv[i], code_point);
                strange++;
            }
        }
    }
    globfree(&files);
    return strange;
}

static void test_the_programs_fonts_have_all_that_it_writes(void **state) {
    assert_int_equal(count_strange("lessons") + count_strange("assets/strings"), 0);
}

static void test_a_bold_text_is_in_bold_faces(void **state) {
    assert_int_equal(font_files_face(FONT_TEXT, 'a'), FACE_TEXT);
    assert_int_equal(font_files_face(FONT_TEXT, 0x4E2D), FACE_CJK);
    assert_int_equal(font_files_face(FONT_BOLD, 'a'), FACE_BOLD);
    assert_int_equal(font_files_face(FONT_BOLD, 0x4E2D), FACE_CJK_BOLD);
    assert_int_equal(font_files_face(FONT_MONO, 'a'), FACE_MONO);
    assert_int_equal(font_files_face(FONT_MATH, 'a'), FACE_MATH);
}

/* Whatever the system has: a face that draws it, or none, and the same again. */
static void test_what_the_program_lacks_is_asked_of_the_system(void **state) {
    static const uint32_t rare[] = {0x0E01, 0x9F98, 0x1F9E0, 0x13000, 0xE000, 0x10FFFF};
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++) {
        FontFace face = font_files_face(FONT_TEXT, rare[i]);
        assert_in_range(face, FACE_SYSTEM, FACE_NONE);
        if (face != FACE_NONE)
            assert_true(typeface_has(file_of(face), rare[i]));
        assert_int_equal(font_files_face(FONT_TEXT, rare[i]), face);
    }
    assert_non_null(fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, "ก龘"));
}

/* ---- glyphs and measures ---- */

/* SDL_ttf's own font of a file of ours. */
static TTF_Font *open_at(const Typeface *file, int pixels) {
    SDL_RWops *stream = SDL_RWFromConstMem(file->bytes, file->size);
    TTF_Font *font = TTF_OpenFontIndexRW(stream, 1, pixels, file->index);
    assert_non_null(font);
    TTF_SetFontHinting(font, TTF_HINTING_LIGHT_SUBPIXEL);
    TTF_SetFontScriptName(font, "Latn");
    return font;
}

static void test_every_role_has_its_glyphs(void **state) {
    static const uint32_t common[] = {'A',    '0',    0x4E2D, 0x221A, 0x2211, 0x2208,
                                      0x1D40, 0x2096, 0x2080, 0x2212, 0x221E, 0x1D444};
    for (FontRole role = 0; role < FONT_COUNT; role++) {
        for (size_t i = 0; i < sizeof common / sizeof *common; i++)
            assert_true(metrics.provides(metrics.context, role, common[i]));
        assert_false(metrics.provides(metrics.context, role, 0x10FFFF));
    }
}

static void test_advances_agree_with_what_is_drawn(void **state) {
    enum { COPIES = 16 };
    static const struct {
        FontRole role;
        FontFace face;
        const char *text;
    } samples[] = {{FONT_TEXT, FACE_TEXT, "Take the dot product of every query"},
                   {FONT_TEXT, FACE_TEXT, "AVATAR To Ty difficult"},
                   {FONT_TEXT, FACE_TEXT, "−0.123"},
                   {FONT_BOLD, FACE_BOLD, "How much should each word look?"},
                   {FONT_MATH, FACE_MATH, "softmax"},
                   {FONT_TEXT, FACE_CJK, "每个词在问什么？"},
                   {FONT_BOLD, FACE_CJK_BOLD, "一个注意力头"}};
    assert_int_equal(TTF_Init(), 0);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        for (int pixels = 9; pixels < 60; pixels += 10) {
            /* Many copies, so that the ends, where SDL_ttf counts ink, weigh little. */
            char many[COPIES * 64] = "";
            for (int copy = 0; copy < COPIES; copy++)
                strcat(many, samples[i].text);
            int width = 0;
            TTF_Font *font = open_at(file_of(samples[i].face), pixels);
            assert_int_equal(TTF_SizeUTF8(font, many, &width, NULL), 0);
            TTF_CloseFont(font);
            double measured = advance(samples[i].role, pixels, many), drawn = width;
            assert_close(&measured, &drawn, 1, 3 + 0.001 * drawn);
        }
    }
    TTF_Quit();
}

static void test_advances_grow_with_the_size(void **state) {
    double small = 3 * advance(FONT_TEXT, 11, "Take the dot"),
           large = advance(FONT_TEXT, 33, "Take the dot");
    assert_close(&small, &large, 1, 1e-9);
    assert_true(small > 100);
}

static void test_a_text_is_drawn_as_long_as_measured_at_every_scale(void **state) {
    static const char text[] = "Head: HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH";
    for (double scale = 0.3; scale < 3; scale += 0.037) {
        const TextMask *mask = fonts_mask(fonts, FONT_TEXT, fonts_em(17, scale), text);
        assert_non_null(mask);
        double measured = advance(FONT_TEXT, 17, text) * scale, drawn = mask->width;
        assert_close(&drawn, &measured, 1, 2 + 4 * scale); /* bearings */
    }
}

static void test_digits_have_one_width(void **state) {
    double zero = advance(FONT_TEXT, 20, "0");
    for (char digit[] = "1"; digit[0] <= '9'; digit[0]++) {
        double width = advance(FONT_TEXT, 20, digit);
        assert_close(&width, &zero, 1, 0);
    }
    double several = advance(FONT_TEXT, 20, "31415"), five = 5 * zero;
    assert_close(&several, &five, 1, 1e-9);
}

static void test_a_mixed_text_is_as_long_as_its_runs(void **state) {
    double mixed = advance(FONT_TEXT, 20, "softmax归一化QKᵀ");
    double parts = advance(FONT_TEXT, 20, "softmax") + advance(FONT_TEXT, 20, "归一化") +
                   advance(FONT_TEXT, 20, "QKᵀ");
    assert_close(&mixed, &parts, 1, 1e-9);
}

static void test_ink_is_where_the_mask_is(void **state) {
    static const struct {
        FontRole role;
        const char *text;
    } samples[] = {{FONT_TEXT, "x"}, {FONT_TEXT, "gÅ"}, {FONT_BOLD, "Q"},
                   {FONT_MATH, "𝑓"}, {FONT_MATH, "∑"},  {FONT_TEXT, "−0.5"}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        double ink[2], drawn[2];
        metrics.ink(metrics.context, samples[i].role, 60, samples[i].text,
                    strlen(samples[i].text), &ink[0], &ink[1]);
        const TextMask *mask =
            fonts_mask(fonts, samples[i].role, 60 * EM_PARTS, samples[i].text);
        assert_non_null(mask);
        drawn[0] = -mask->top;
        drawn[1] = mask->top + mask->height > 0 ? mask->top + mask->height : 0;
        assert_close(drawn, ink, 2, 1.5);
    }
}

static void test_ink_left_of_the_origin_stays_there(void **state) {
    const TextMask *mask = fonts_mask(fonts, FONT_MATH, 100 * EM_PARTS, "𝑓");
    assert_non_null(mask);
    assert_in_range(-mask->left, 10, 20); /* its glyph begins 0.147 em to the left */
    const TextMask *upright = fonts_mask(fonts, FONT_TEXT, 100 * EM_PARTS, "H");
    assert_in_range(upright->left, 7, 12);
}

static void test_a_mask_is_full_where_a_stem_is(void **state) {
    const TextMask *mask = fonts_mask(fonts, FONT_BOLD, 100 * EM_PARTS, "I");
    assert_non_null(mask);
    assert_int_equal(mask->coverage[mask->height / 2 * mask->width + mask->width / 2],
                     255);
}

static void test_blanks_have_an_advance_and_no_mask(void **state) {
    assert_true(advance(FONT_TEXT, 20, "  ") > 5);
    assert_null(fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, "  "));
    assert_null(fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, ""));
    double none = advance(FONT_TEXT, 20, ""), zero = 0;
    assert_close(&none, &zero, 1, 0);
}

static void test_damaged_text_is_shown_as_such(void **state) {
    assert_true(advance(FONT_TEXT, 20,
                        "a\xFF\xFE"
                        "b") > 0);
    assert_non_null(fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, "\xFF"));
    assert_non_null(fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, "a\nb\tc\x01"));
    assert_non_null(fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, "\xF4\x8F\xBF\xBF"));
    assert_non_null(
        fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, "e\xCC\x81\xCC\x81\xCC\x81"));
    fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, "\xE2\x80\x8F\xE2\x80\xAE\xEF\xBB\xBF");
}

static void test_a_very_long_text_is_measured_whole_and_drawn_in_part(void **state) {
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'w', LENGTH);
    text[LENGTH] = 0;
    double whole = advance(FONT_TEXT, 20, text),
           expected = LENGTH * advance(FONT_TEXT, 20, "w");
    assert_close(&whole, &expected, 1, 1e-6 * expected);
    const TextMask *mask = fonts_mask(fonts, FONT_TEXT, 20 * EM_PARTS, text);
    assert_non_null(mask);
    assert_in_range(mask->width, 1000, STENCIL_MAX_WIDTH + 40);
    free(text);
}

static void test_sizes_are_kept_within_bounds(void **state) {
    assert_int_equal(fonts_em(13, 1.2), 374);
    assert_int_equal(fonts_em(0, 1), EM_PARTS);
    assert_int_equal(fonts_em(-5, 1), EM_PARTS);
    assert_int_equal(fonts_em(NAN, 1), EM_PARTS);
    assert_int_equal(fonts_em(1e300, 1), FONTS_MAX_EM);
    assert_non_null(fonts_mask(fonts, FONT_TEXT, FONTS_MAX_EM, "中g"));
    for (int em = EM_PARTS; em < 3 * EM_PARTS; em++) {
        for (FontRole role = 0; role < FONT_COUNT; role++)
            fonts_mask(fonts, role, em, "iм中a中שi中");
    }
}

/* More sizes than stay open, and back: fonts are closed, reopened and resized meanwhile.
 */
static void test_masks_do_not_depend_on_what_was_drawn_before(void **state) {
    Fonts *other = fonts_create(NULL);
    assert_non_null(other);
    for (int pixels = 70; pixels >= 10; pixels--)
        fonts_mask(other, FONT_TEXT, pixels * EM_PARTS, "warm up 中 𝑄");
    for (int pixels = 10; pixels <= 70; pixels += 3) {
        const TextMask *a =
            fonts_mask(fonts, FONT_TEXT, pixels * EM_PARTS, "0.25 中文 𝑄ᵀ");
        const TextMask *b =
            fonts_mask(other, FONT_TEXT, pixels * EM_PARTS, "0.25 中文 𝑄ᵀ");
        assert_non_null(a);
        assert_non_null(b);
        assert_int_equal(a->left, b->left);
        assert_int_equal(a->top, b->top);
        assert_int_equal(a->width, b->width);
        assert_int_equal(a->height, b->height);
        assert_memory_equal(a->coverage, b->coverage, (size_t)(a->width * a->height));
    }
    fonts_destroy(other);
}

/* Drawn whole, a text's letters stand where they belong to a few 64ths of a pixel; put
 * together, to an eighth and what blanks miss their mark by. */
static void test_texts_put_together_look_like_texts_drawn_whole(void **state) {
    static const char *const samples[] = {"should", "AVATAR",   "Hot Ty", "difficult",
                                          "−0.707", "(12.345)", "Xᵀ, √d", "naïve"};
    SDL_Color white = {255, 255, 255, 255}, black = {0, 0, 0, 255};
    assert_int_equal(TTF_Init(), 0);
    for (int pixels = 10; pixels <= 50; pixels++) {
        TTF_Font *font = open_at(file_of(FACE_TEXT), pixels);
        for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
            SDL_Surface *whole = TTF_RenderUTF8_Shaded(font, samples[i], white, black);
            const TextMask *mask =
                fonts_mask(fonts, FONT_TEXT, pixels * EM_PARTS, samples[i]);
            assert_non_null(whole);
            assert_non_null(mask);
            int top = TTF_FontAscent(font) + mask->top, worst = 0;
            for (int y = 0; y < mask->height; y++) {
                for (int x = 0; x < mask->width; x++) {
                    int column = x + mask->left, row = y + top;
                    bool inside =
                        column >= 0 && column < whole->w && row >= 0 && row < whole->h;
                    const uint8_t *drawn = whole->pixels;
                    int expected = inside ? drawn[row * whole->pitch + column] : 0;
                    int wrong = abs(mask->coverage[y * mask->width + x] - expected);
                    worst = wrong > worst ? wrong : worst;
                }
            }
            if (worst > 255 * 3 / 10)
                print_error("'%s' at %d: %d\n", samples[i], pixels, worst);
            assert_in_range(worst, 0, 255 * 3 / 10);
            SDL_FreeSurface(whole);
        }
        TTF_CloseFont(font);
    }
    TTF_Quit();
}

/* Source of the expected numbers: the MATH table of TeX Gyre Termes Math, read
 * byte by byte with another program. */
static void test_math_constants_are_the_fonts(void **state) {
    const MathConstants *math = &metrics.math;
    double found[] = {
        math->axis_height,           math->rule_thickness,  math->numerator_shift,
        math->denominator_shift,     math->numerator_gap,   math->denominator_gap,
        math->superscript_shift,     math->subscript_shift, math->script_gap,
        math->script_scale,          math->radical_gap,     math->radical_rule_thickness,
        math->radical_extra_ascender};
    double expected[] = {0.250, 0.052, 0.634, 0.598, 0.140, 0.140, 0.339,
                         0.222, 0.140, 0.74,  0.140, 0.052, 0.140};
    assert_close(found, expected, sizeof found / sizeof *found, 1e-12);
}

/* ---- scripts and directions ---- */

typedef struct Placed {
    size_t count;
    uint32_t indices[32];
    int advances[32]; /* in the font's units */
    char text[128];   /* that the glyphs stand for, in their order */
} Placed;

static void add_placed(void *context, const PlacedGlyph *glyph) {
    Placed *placed = context;
    assert_in_range(placed->count, 0, 31);
    placed->indices[placed->count] = glyph->index;
    placed->advances[placed->count++] =
        (int)(glyph->advance * file_of(glyph->face)->units + 0.5);
    strncat(placed->text, glyph->text, glyph->length);
}

/* Source of the expected glyphs: hb-shape 6.0 with DejaVuSans.ttf, --script and
 * --direction as the texts are written. */
static void test_letters_are_kerned_joined_and_in_their_direction(void **state) {
    static const struct {
        const char *text, *placed;
        uint32_t indices[16];
        int advances[16];
    } samples[] = {
        {"AVATAR To Ty",
         "AVATAR To Ty",
         {36, 57, 36, 55, 36, 53, 3, 55, 82, 3, 55, 92},
         {1270, 1270, 1242, 1092, 1401, 1423, 651, 903, 1253, 651, 932, 1212}},
        {"مرحبا", "ابحرم", {5256, 5260, 5277, 5288, 5341}, {624, 618, 1266, 1130, 1097}},
        {"שלום עולם",
         "םלוע םולש",
         {1332, 1331, 1324, 1337, 3, 1332, 1324, 1331, 1344},
         {1359, 1164, 558, 1282, 651, 1359, 558, 1164, 1451}},
        {"لا", "لا", {5365}, {1168}},
        {"12 שלום, 34",
         "12 םולש, 34",
         {20, 21, 3, 1332, 1324, 1331, 1344, 15, 3, 22, 23},
         {1303, 1303, 651, 1359, 558, 1164, 1451, 651, 651, 1303, 1303}},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        Placed placed = {0};
        double sum = 0, measured = advance(FONT_TEXT, 2048, samples[i].text);
        assert_true(fonts_place(fonts, FONT_TEXT, samples[i].text, add_placed, &placed));
        assert_string_equal(placed.text, samples[i].placed);
        for (size_t k = 0; k < placed.count; k++) {
            assert_int_equal(placed.indices[k], samples[i].indices[k]);
            assert_int_equal(placed.advances[k], samples[i].advances[k]);
            sum += placed.advances[k];
        }
        assert_close(&measured, &sum, 1, 1e-9);
    }
}

static void add_advance(void *context, const PlacedGlyph *glyph) {
    *(double *)context += glyph->advance;
}

/* Text has equal length on the screen and in PDF and SVG, with any fonts. */
static void test_placed_glyphs_are_as_long_as_measured(void **state) {
    static const char *const samples[] = {
        "Attention Is All You Need", "softmax归一化QKᵀ, 𝑄·𝐾",
        "naïve e\u0301 fi ffl",      "Ağaç Жук Ωμέγα",
        "مرحبا بالعالم 42",          "שָׁלוֹם"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        for (FontRole role = 0; role < FONT_COUNT; role++) {
            double sum = 0, measured = advance(role, 1, samples[i]);
            assert_true(fonts_place(fonts, role, samples[i], add_advance, &sum));
            assert_close(&measured, &sum, 1, 1e-9);
        }
    }
}

/* A mask is in another's, with its origin `left` pixels right of that one's, but for what
 * half a pixel makes. */
static void assert_drawn_at(const TextMask *whole, int left, const TextMask *part) {
    int worst = 0;
    for (int y = 0; y < part->height; y++) {
        for (int x = 0; x < part->width; x++) {
            int column = left + part->left + x - whole->left;
            int row = part->top + y - whole->top;
            assert_in_range(column, 0, whole->width - 1);
            assert_in_range(row, 0, whole->height - 1);
            int wrong = abs(whole->coverage[row * whole->width + column] -
                            part->coverage[y * part->width + x]);
            worst = wrong > worst ? wrong : worst;
        }
    }
    assert_in_range(worst, 0, 255 * 5 / 8);
}

/* A copy of a text's mask, which the next would end. */
static TextMask *draw(FontRole role, int em, const char *text) {
    const TextMask *mask = fonts_mask(fonts, role, em, text);
    assert_non_null(mask);
    size_t size = (size_t)mask->width * (size_t)mask->height;
    TextMask *copy = malloc(sizeof *copy + size);
    assert_non_null(copy);
    *copy = *mask;
    copy->coverage = memcpy(copy + 1, mask->coverage, size);
    return copy;
}

/* At an em of 64 pixels a unit of the font is 1 / 32 of one. */
static void test_a_text_to_the_left_is_drawn_from_the_right(void **state) {
    enum { EM = 64 * EM_PARTS };
    static const struct {
        const char *whole, *part;
        double left; /* units of the part's origin */
    } samples[] = {
        {"שלום", "ם", 0},
        {"שלום", "ש", 1359 + 558 + 1164},
        {"שלום 42", "42", 1359 + 558 + 1164 + 1451 + 651},
        {"ab שלום", "ש", 1255 + 1300 + 651 + 1359 + 558 + 1164},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        TextMask *whole = draw(FONT_TEXT, EM, samples[i].whole);
        TextMask *part = draw(FONT_TEXT, EM, samples[i].part);
        assert_drawn_at(whole, (int)(samples[i].left / 32 + 0.5), part);
        free(whole);
        free(part);
    }
}

/* Letters alone are apart; joined, no column between them is empty. */
static void test_arabic_letters_are_drawn_joined(void **state) {
    TextMask *mask = draw(FONT_TEXT, 40 * EM_PARTS, "ببب");
    for (int x = 0; x < mask->width; x++) {
        int sum = 0;
        for (int y = 0; y < mask->height; y++)
            sum += mask->coverage[y * mask->width + x];
        assert_true(sum > 0);
    }
    double joined = advance(FONT_TEXT, 1, "ببب"), alone = 3 * advance(FONT_TEXT, 1, "ب");
    assert_true(joined < 0.75 * alone);
    free(mask);
}

/* In every place of every text an ideograph has the bytes that it has alone. */
static void test_ideographs_are_on_whole_pixels(void **state) {
    static const char *const samples[] = {"文　文　文　文　文　文", "d 文 a 文",
                                          "−0.7 文"};
    for (int em = 10 * EM_PARTS; em < 40 * EM_PARTS; em += 53) {
        TextMask *alone = draw(FONT_TEXT, em, "文");
        for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
            TextMask *whole = draw(FONT_TEXT, em, samples[i]);
            const char *text = samples[i], *at = text;
            while ((at = strstr(at, "文"))) {
                double pen = metrics.advance(metrics.context, FONT_TEXT, 1, text,
                                             (size_t)(at - text));
                int left = (int)(pen * em / EM_PARTS + 0.5);
                for (int y = 0; y < alone->height; y++)
                    assert_memory_equal(
                        whole->coverage + (y + alone->top - whole->top) * whole->width +
                            left + alone->left - whole->left,
                        alone->coverage + y * alone->width, (size_t)alone->width);
                at += strlen("文");
            }
            free(whole);
        }
        free(alone);
    }
}

/* A size that isn't whole is between its neighbours, as an em of 24ths of a pixel. */
static void test_sizes_need_not_be_whole(void **state) {
    int ink[EM_PARTS + 1];
    for (int part = 0; part <= EM_PARTS; part++) {
        TextMask *mask = draw(FONT_BOLD, 20 * EM_PARTS + part, "HHHHHHHHHHHHHHHHHHHH");
        ink[part] = 0;
        for (int i = 0; i < mask->width * mask->height; i++)
            ink[part] += mask->coverage[i];
        double measured = advance(FONT_BOLD, 20 + part / (double)EM_PARTS,
                                  "HHHHHHHHHHHHHHHHHHHH"),
               drawn = mask->width;
        assert_close(&drawn, &measured, 1, 5);
        assert_true(part == 0 || ink[part] > ink[part - 1]);
        free(mask);
    }
}

/* How many of the blocks named by a number are still there. */
static size_t count_found(Cache *cache) {
    size_t count = 0;
    char name[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d", i);
        count += cache_find(cache, 1, name, strlen(name)) != NULL;
    }
    return count;
}

static void test_a_cache_forgets_what_was_used_longest_ago(void **state) {
    enum { BLOCK = 1000, LIMIT = 10 * BLOCK };
    Cache *cache = cache_create(LIMIT);
    assert_non_null(cache);
    char name[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d", i);
        uint8_t *block = cache_add(cache, 1, name, strlen(name), BLOCK);
        assert_non_null(block);
        assert_int_equal(block[BLOCK - 1], 0);
        memset(block, i, BLOCK);
        assert_non_null(cache_find(cache, 1, "0", 1)); /* used again and again */
    }
    assert_non_null(cache_find(cache, 1, "999", 3));
    assert_null(cache_find(cache, 1, "500", 3));
    assert_null(cache_find(cache, 2, "999", 3));
    assert_in_range(count_found(cache), 5, 9);
    assert_int_equal(*(uint8_t *)cache_find(cache, 1, "998", 3), 998 & 0xFF);
    assert_non_null(cache_add(cache, 1, "large", 5, 2 * LIMIT)); /* alone, but kept */
    assert_int_equal(count_found(cache), 0);
    assert_null(cache_add(cache, 1, "all", 3, SIZE_MAX - 10));
    cache_destroy(cache);
    cache_destroy(NULL);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "find") == 0)
        return find();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_font_that_is_missing_is_named),
        cmocka_unit_test(test_the_programs_fonts_have_all_that_it_writes),
        cmocka_unit_test(test_a_bold_text_is_in_bold_faces),
        cmocka_unit_test(test_what_the_program_lacks_is_asked_of_the_system),
        cmocka_unit_test(test_every_role_has_its_glyphs),
        cmocka_unit_test(test_advances_agree_with_what_is_drawn),
        cmocka_unit_test(test_advances_grow_with_the_size),
        cmocka_unit_test(test_a_text_is_drawn_as_long_as_measured_at_every_scale),
        cmocka_unit_test(test_digits_have_one_width),
        cmocka_unit_test(test_a_mixed_text_is_as_long_as_its_runs),
        cmocka_unit_test(test_ink_is_where_the_mask_is),
        cmocka_unit_test(test_ink_left_of_the_origin_stays_there),
        cmocka_unit_test(test_a_mask_is_full_where_a_stem_is),
        cmocka_unit_test(test_blanks_have_an_advance_and_no_mask),
        cmocka_unit_test(test_damaged_text_is_shown_as_such),
        cmocka_unit_test(test_a_very_long_text_is_measured_whole_and_drawn_in_part),
        cmocka_unit_test(test_sizes_are_kept_within_bounds),
        cmocka_unit_test(test_masks_do_not_depend_on_what_was_drawn_before),
        cmocka_unit_test(test_texts_put_together_look_like_texts_drawn_whole),
        cmocka_unit_test(test_math_constants_are_the_fonts),
        cmocka_unit_test(test_letters_are_kerned_joined_and_in_their_direction),
        cmocka_unit_test(test_placed_glyphs_are_as_long_as_measured),
        cmocka_unit_test(test_a_text_to_the_left_is_drawn_from_the_right),
        cmocka_unit_test(test_arabic_letters_are_drawn_joined),
        cmocka_unit_test(test_ideographs_are_on_whole_pixels),
        cmocka_unit_test(test_sizes_need_not_be_whole),
        cmocka_unit_test(test_a_cache_forgets_what_was_used_longest_ago),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}

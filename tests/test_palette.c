/* Colours: numbers and words are readable on every background, in every theme, and the
 * sign of a number is visible to viewers with red-green blindness. */
#include "contains.h"
#include "course_files.h"
#include "fixed_metrics.h"
#include "picture/draw/lanes.h"
#include "picture/draw/patterns.h"
#include "picture/draw/roles.h"
#include "tensor/tape/tape.h"

#include <float.h>
#include <math.h>

static const double LEAST_CONTRAST = 4.5; /* WCAG 2.1, AA */

enum { SAMPLES = 1025 };

/* A theme whose lines are that thick is for eyes that need the most: WCAG 2.1, AAA. */
static double least_contrast(const Theme *theme) {
    return theme->lines >= 1.5 ? 7 : LEAST_CONTRAST;
}

/* ---- numbers on cells ---- */

static void assert_same_color(Color actual, Color expected) {
    assert_memory_equal(&actual, &expected, sizeof actual);
}

static void assert_number_ink(const Theme *theme, const char *what, double value,
                              Color ground) {
    Color ink = palette_ink(ground, theme->cell_dark, theme->cell_light);
    double contrast = palette_contrast(ground, ink);
    if (!(contrast >= least_contrast(theme))) {
        print_error("%s: number ink on %s at %g has a contrast of %.2f\n", theme->name,
                    what, value, contrast);
        fail();
    }
}

static void test_scales_reach_to_the_largest_numbers(void **state) {
    const CourseFiles *files = *state;
    const Theme *theme = &files->themes.items[0];
    const Palette *palette = &theme->diverging;
    for (double reach = DBL_MAX; reach > DBL_MAX / 8; reach /= 2) {
        ColorScale scale = {palette, -reach, reach, theme->masked};
        assert_same_color(color_scale_at(&scale, -reach), palette->stops[0]);
        assert_same_color(color_scale_at(&scale, reach),
                          palette->stops[palette->count - 1]);
        assert_same_color(color_scale_at(&scale, 0), palette->stops[palette->count / 2]);
    }
}

static void test_numbers_can_be_read_on_every_cell(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        ColorScale diverging = {&theme->diverging, -1, 1, theme->masked};
        ColorScale sequential = {&theme->sequential, 0, 1, theme->masked};
        for (int j = 0; j < SAMPLES; j++) {
            double share = j / (SAMPLES - 1.0), value = 2 * share - 1;
            assert_number_ink(theme, "diverging", value,
                              color_scale_at(&diverging, value));
            assert_number_ink(theme, "sequential", share,
                              color_scale_at(&sequential, share));
        }
        assert_number_ink(theme, "masked", -INFINITY,
                          color_scale_at(&diverging, -INFINITY));
        assert_number_ink(theme, "plain", 0, theme->panel);
    }
}

/* ---- words on grounds ---- */

typedef struct Use {
    const char *ink, *ground;
    Color color, on;
} Use;

static void assert_readable(const Theme *theme, const Use *uses, size_t count) {
    size_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        double contrast = palette_contrast(uses[i].color, uses[i].on);
        if (contrast >= least_contrast(theme))
            continue;
        print_error("%s: %s on %s has a contrast of %.2f\n", theme->name, uses[i].ink,
                    uses[i].ground, contrast);
        bad++;
    }
    assert_int_equal(bad, 0);
}

static void test_words_can_be_read_on_every_ground_they_stand_on(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        const Use grounds[] = {{NULL, "page", {0}, theme->page},
                               {NULL, "panel", {0}, theme->panel},
                               {NULL, "bar", {0}, theme->bar}};
        const Use inks[] = {{"ink", NULL, theme->ink, {0}},
                            {"ink_soft", NULL, theme->ink_soft, {0}},
                            {"ink_faint", NULL, theme->ink_faint, {0}},
                            {"query", NULL, theme->query, {0}},
                            {"key", NULL, theme->key, {0}},
                            {"value", NULL, theme->value, {0}},
                            {"residual", NULL, theme->residual, {0}},
                            {"probabilities", NULL, theme->probabilities, {0}},
                            {"norm", NULL, theme->norm, {0}},
                            {"feed_forward", NULL, theme->feed_forward, {0}},
                            {"other 0", NULL, theme->other[0], {0}},
                            {"other 1", NULL, theme->other[1], {0}},
                            {"other 2", NULL, theme->other[2], {0}},
                            {"other 3", NULL, theme->other[3], {0}},
                            {"bad_ink", NULL, theme->bad_ink, {0}}};
        for (size_t j = 0; j < sizeof grounds / sizeof *grounds; j++) {
            for (size_t k = 0; k < sizeof inks / sizeof *inks; k++)
                assert_readable(
                    theme,
                    &(Use){inks[k].ink, grounds[j].ground, inks[k].color, grounds[j].on},
                    1);
        }
        const Use pairs[] = {
            {"good_ink", "good", theme->good_ink, theme->good},
            {"bad_ink", "bad", theme->bad_ink, theme->bad},
            {"current_ink", "current", theme->current_ink, theme->current}};
        assert_readable(theme, pairs, sizeof pairs / sizeof *pairs);
    }
}

/* Lines and dots need less than words: WCAG 2.1, 1.4.11. */
static void test_what_marks_a_cell_stands_out_from_the_page(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        assert_true(palette_contrast(theme->focus, theme->page) >= 3);
        assert_true(palette_contrast(theme->query, theme->page) >= 3);
        assert_true(palette_contrast(theme->key, theme->page) >= 3);
        assert_true(palette_contrast(theme->value, theme->page) >= 3);
        assert_true(palette_contrast(theme->bad_ink, theme->page) >= 3);
    }
}

/* ---- colour-blind eyes ---- */

typedef struct Linear {
    double c[3]; /* red, green, blue, without gamma */
} Linear;

static Linear linear_of(Color color) {
    const uint8_t channels[] = {color.r, color.g, color.b};
    Linear linear;
    for (int i = 0; i < 3; i++) {
        double c = channels[i] / 255.0;
        linear.c[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    return linear;
}

/* How colours look to others. Source: Machado, Oliveira and Fernandes 2009, severity 1.
 */
typedef struct Vision {
    const char *name;
    double m[3][3];
} Vision;

static const Vision visions[] = {
    {"all cones", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia",
     {{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};

enum { VISION_COUNT = sizeof visions / sizeof *visions };

static Linear seen(const Vision *vision, Color color) {
    Linear in = linear_of(color), out;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++)
            sum += vision->m[i][j] * in.c[j];
        out.c[i] = fmin(fmax(sum, 0), 1);
    }
    return out;
}

static double lab_root(double t) {
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE L*a*b* under D65. Source: CIE 15:2004; sRGB's matrix, IEC 61966-2-1. */
static void lab_of(Linear rgb, double lab[3]) {
    double x = 0.4124564 * rgb.c[0] + 0.3575761 * rgb.c[1] + 0.1804375 * rgb.c[2];
    double y = 0.2126729 * rgb.c[0] + 0.7151522 * rgb.c[1] + 0.0721750 * rgb.c[2];
    double z = 0.0193339 * rgb.c[0] + 0.1191920 * rgb.c[1] + 0.9503041 * rgb.c[2];
    double fx = lab_root(x / 0.95047), fy = lab_root(y), fz = lab_root(z / 1.08883);
    lab[0] = 116 * fy - 16;
    lab[1] = 500 * (fx - fy);
    lab[2] = 200 * (fy - fz);
}

/* The distance of two colours as they are seen: 2.3 is just noticeable. */
static double distance(const Vision *vision, Color a, Color b) {
    double left[3], right[3], sum = 0;
    lab_of(seen(vision, a), left);
    lab_of(seen(vision, b), right);
    for (int i = 0; i < 3; i++)
        sum += (left[i] - right[i]) * (left[i] - right[i]);
    return sqrt(sum);
}

static void assert_apart(const Theme *theme, const Vision *vision, const char *what,
                         Color a, Color b, double least) {
    double apart = distance(vision, a, b);
    if (!(apart >= least)) {
        print_error("%s: %s are %.1f apart with %s, less than %.1f\n", theme->name, what,
                    apart, vision->name, least);
        fail();
    }
}

static void test_the_distance_of_colours_is_that_of_lab(void **state) {
    const Vision *all = &visions[0];
    Color black = {0, 0, 0, 255}, white = {255, 255, 255, 255}, red = {255, 0, 0, 255};
    assert_true(fabs(distance(all, black, white) - 100) < 0.05);
    assert_true(fabs(distance(all, black, red) - 117.34) < 0.05);
    assert_true(distance(all, red, red) == 0);
    /* red and green of one lightness are far apart, but not for all */
    Color green = {0, 140, 0, 255};
    assert_true(distance(all, red, green) > 100);
    assert_true(distance(&visions[2], red, green) < 50);
}

/* Plus and minus stay far apart, the more so the larger the number. */
static void test_the_sign_is_seen_by_colour_blind_eyes(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        ColorScale scale = {&theme->diverging, -1, 1, theme->masked};
        for (size_t v = 0; v < VISION_COUNT && !theme->patterns; v++) {
            const double values[] = {1, 0.75, 0.5, 0.25}, least[] = {60, 45, 30, 14};
            for (size_t j = 0; j < sizeof values / sizeof *values; j++)
                assert_apart(theme, &visions[v], "plus and minus",
                             color_scale_at(&scale, -values[j]),
                             color_scale_at(&scale, values[j]), least[j]);
        }
    }
}

static void assert_pairs_apart(const Theme *theme, const Vision *vision, const char *what,
                               const Color *colors, size_t count, double least) {
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < a; b++) {
            char pair[64];
            snprintf(pair, sizeof pair, "%s %zu and %zu", what, b, a);
            assert_apart(theme, vision, pair, colors[b], colors[a], least);
        }
    }
}

/* Tabs and frames of all roles; lanes, mixed into the page, of those that flow side by
 * side; heads, which have the other colours. */
static void test_roles_are_told_apart_by_colour_blind_eyes(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        Color tabs[ROLE_COUNT], lanes[ROLE_COUNT];
        for (Role role = ROLE_NONE; role < ROLE_COUNT; role++) {
            tabs[role] = role_color(theme, role, theme->page);
            lanes[role] = palette_mix(theme->page, tabs[role], LANE_TINT);
        }
        for (size_t v = 0; v < VISION_COUNT && !theme->patterns; v++) {
            assert_pairs_apart(theme, &visions[v], "tabs", tabs + 1, ROLE_COUNT - 1, 12);
            assert_pairs_apart(theme, &visions[v], "lanes", lanes + 1, ROLE_RESIDUAL,
                               10.5);
            assert_pairs_apart(theme, &visions[v], "others", theme->other, 4, 12);
        }
    }
}

static void test_good_and_bad_are_told_apart_by_colour_blind_eyes(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        for (size_t v = 0; v < VISION_COUNT && !theme->patterns; v++) {
            assert_apart(theme, &visions[v], "good and bad", theme->good, theme->bad, 11);
            assert_apart(theme, &visions[v], "their words", theme->good_ink,
                         theme->bad_ink, 20);
        }
    }
}

/* The lines over what is masked, that fall (1) or rise (-1) to the right. */
static size_t masked_lines(const Scene *scene, const Theme *theme, int way) {
    size_t lines = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        lines += item->kind == SCENE_LINE &&
                 memcmp(&item->fill, &theme->hatch, sizeof theme->hatch) == 0 &&
                 (item->points[1].x - item->points[0].x) * way > 0;
    }
    return lines;
}

/* Without colour, hatching shows a sign, and the dashes of its line show a role, a head
 * or a curve. */
static void test_a_theme_without_colour_has_patterns(void **state) {
    CourseFiles *files = *state;
    double values[] = {-1, 0, 1, -INFINITY};
    Tensor tensor = {.rows = 1, .cols = 4, .values = values};
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        TextMetrics metrics = fixed_metrics();
        Scene scene;
        Canvas canvas = {.scene = &scene,
                         .theme = theme,
                         .metrics = &metrics,
                         .language = files->language};
        Heatmap heatmap = {.tensor = &tensor,
                           .node = TAPE_NONE,
                           .cells = {20, 20, 160, 40},
                           .reach = 1,
                           .visible = 4};
        scene_init(&scene, files->arena, 200, 80, theme->page);
        heatmap_draw(&canvas, &heatmap);
        size_t hatched = 0, lines = 0;
        for (size_t j = 0; j < scene.count; j++)
            hatched += scene.items[j].kind == SCENE_CLIP;
        assert_int_equal(hatched, theme->patterns ? 2 : 1); /* −∞ is in every theme */
        assert_true(masked_lines(&scene, theme, -1) > 4);
        assert_int_equal(masked_lines(&scene, theme, 1) > 4, theme->patterns);
        scene_init(&scene, files->arena, 200, 80, theme->page);
        role_frame(&canvas, ROLE_KEY, heatmap.cells);
        for (size_t j = 0; j < scene.count; j++)
            lines += scene.items[j].kind == SCENE_LINE;
        assert_true(theme->patterns ? lines > 4 : lines == 0);
        for (size_t turn = 1; turn < 4; turn++) { /* heads beside each other, curves */
            PatternDash one = pattern_nth(theme, turn - 1),
                        dash = pattern_nth(theme, turn);
            assert_true(theme->patterns ? dash.on != one.on : dash.on == 0);
        }
    }
}

/* In print without colour, and for eyes without it, larger is darker (or lighter)
 * throughout. */
static void assert_monotone(const Theme *theme, const char *what, const ColorScale *scale,
                            double from, double to) {
    Color ground = color_scale_at(scale, from);
    double before = 1;
    for (int i = 1; i < SAMPLES; i++) {
        double value = from + (to - from) * i / (SAMPLES - 1);
        double contrast = palette_contrast(ground, color_scale_at(scale, value));
        if (contrast < before - 0.02) { /* colours are whole numbers */
            print_error("%s: %s turns back at %g\n", theme->name, what, value);
            fail();
        }
        before = fmax(before, contrast);
    }
    assert_true(before > 2.5);
}

static void test_lightness_alone_tells_how_large_a_number_is(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        ColorScale diverging = {&theme->diverging, -1, 1, theme->masked};
        ColorScale sequential = {&theme->sequential, 0, 1, theme->masked};
        assert_monotone(theme, "diverging, plus", &diverging, 0, 1);
        assert_monotone(theme, "diverging, minus", &diverging, 0, -1);
        assert_monotone(theme, "sequential", &sequential, 0, 1);
    }
}

/* ---- the arithmetic ---- */

static void assert_color(Color actual, Color expected) {
    if (memcmp(&actual, &expected, sizeof actual) != 0)
        print_error("#%02x%02x%02x %d is not #%02x%02x%02x %d\n", actual.r, actual.g,
                    actual.b, actual.a, expected.r, expected.g, expected.b, expected.a);
    assert_memory_equal(&actual, &expected, sizeof actual);
}

static const Palette three = {
    3, {{0, 0, 0, 255}, {100, 200, 50, 255}, {255, 255, 255, 255}}};

static void test_stops_lie_at_equal_distances(void **state) {
    ColorScale scale = {&three, -2, 2, {1, 2, 3, 255}};
    assert_color(color_scale_at(&scale, -2), three.stops[0]);
    assert_color(color_scale_at(&scale, 0), three.stops[1]);
    assert_color(color_scale_at(&scale, 2), three.stops[2]);
    assert_color(color_scale_at(&scale, -1), (Color){50, 100, 25, 255});
    assert_color(color_scale_at(&scale, 1), (Color){178, 228, 153, 255});
}

static void test_values_outside_take_the_colour_of_the_end(void **state) {
    ColorScale scale = {&three, 0, 1, {1, 2, 3, 255}};
    assert_color(color_scale_at(&scale, -5), three.stops[0]);
    assert_color(color_scale_at(&scale, 1e300), three.stops[2]);
}

static void test_what_is_no_finite_number_has_the_masked_colour(void **state) {
    ColorScale scale = {&three, 0, 1, {1, 2, 3, 255}};
    assert_color(color_scale_at(&scale, -INFINITY), scale.masked);
    assert_color(color_scale_at(&scale, INFINITY), scale.masked);
    assert_color(color_scale_at(&scale, NAN), scale.masked);
}

static void test_mixing_reaches_both_ends(void **state) {
    Color a = {0, 10, 200, 0}, b = {255, 11, 100, 255};
    assert_color(palette_mix(a, b, 0), a);
    assert_color(palette_mix(a, b, 256), b);
    assert_color(palette_mix(a, b, 128), (Color){128, 11, 150, 128});
}

static void test_contrast_is_that_of_wcag(void **state) {
    Color black = {0, 0, 0, 255}, white = {255, 255, 255, 255},
          gray = {119, 119, 119, 255};
    assert_true(fabs(palette_contrast(black, white) - 21) < 1e-9);
    assert_true(palette_contrast(gray, gray) == 1);
    assert_true(palette_contrast(white, gray) == palette_contrast(gray, white));
    assert_true(fabs(palette_contrast(gray, white) - 4.478) < 1e-3);
}

static void test_ink_is_the_one_that_contrasts_more(void **state) {
    Color black = {0, 0, 0, 255}, white = {255, 255, 255, 255};
    assert_color(palette_ink((Color){118, 118, 118, 255}, black, white), black);
    assert_color(palette_ink((Color){116, 116, 116, 255}, black, white), white);
}

/* ---- themes' files ---- */

static void test_zero_is_the_quietest_colour(void **state) {
    const CourseFiles *files = *state;
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        ColorScale scale = {&theme->diverging, -1, 1, theme->masked};
        assert_int_equal(theme->diverging.count % 2, 1);
        Color zero = color_scale_at(&scale, 0);
        assert_true(palette_contrast(zero, theme->page) < 1.4);
    }
}

static void test_each_role_has_its_colour_in_all_names(void **state) {
    const CourseFiles *files = *state;
    Color none = {1, 2, 3, 4};
    for (size_t i = 0; i < files->themes.count; i++) {
        const Theme *theme = &files->themes.items[i];
        const char *queries[] = {"Q", "W_Q", "Q_1", "Q'", "Q.T", "head_1.query", "b_Q"};
        for (size_t j = 0; j < sizeof queries / sizeof *queries; j++)
            assert_color(role_name_color(theme, queries[j], none), theme->query);
        assert_color(role_name_color(theme, "K.T", none), theme->key);
        assert_color(role_name_color(theme, "encoder.0.value", none), theme->value);
        const char *others[] = {"X", "A", "", "W", "Quantity", "W_O", "Q.weights"};
        for (size_t j = 0; j < sizeof others / sizeof *others; j++)
            assert_color(role_name_color(theme, others[j], none), none);
    }
}

/* Reads a theme file with one line of the real one replaced. */
static bool load_changed(const char *line, const char *instead, Error *error) {
    char path[COURSE_PATH_SIZE], text[20000], changed[COURSE_PATH_SIZE];
    FILE *file = fopen(course_path(path, "assets/themes.yaml"), "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *build = getenv("GLASSFORMER_BUILD"), *at = strstr(text, line);
    assert_non_null(build);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%s/changed-themes.yaml", build);
    file = fopen(changed, "wb");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, instead, at + strlen(line));
    fclose(file);
    Arena *arena = arena_create(1 << 20);
    assert_non_null(arena);
    Themes themes;
    ErrorList errors = {0};
    bool good = themes_load(arena, changed, &themes, &errors);
    assert_int_equal(errors.count, !good);
    *error = errors.items[0];
    arena_destroy(arena);
    remove(changed);
    return good;
}

static void test_a_bad_theme_is_refused_with_a_sentence(void **state) {
    static const struct {
        const char *line, *instead;
        ErrorCode code;
        const char *words;
    } cases[] = {
        {"  page: \"#fcfdfe\"\n", "", ERROR_NAME, "page"},
        {"  page: \"#fcfdfe\"", "  page: \"#fcfdf\"", ERROR_VALUE, "#rrggbb"},
        {"  page: \"#fcfdfe\"", "  page: white", ERROR_VALUE, "#rrggbb"},
        {"  page: \"#fcfdfe\"", "  page: [1]", ERROR_VALUE, "#rrggbb"},
        {"  page: \"#fcfdfe\"", "  pages: \"#fcfdfe\"\n  page: \"#fcfdfe\"", ERROR_NAME,
         "pages"},
        {"  diverging: [", "  diverging: [\"#gggggg\", ", ERROR_VALUE, "#rrggbb"},
        {"  lines: 1.6", "  lines: thick", ERROR_VALUE, "0.5 to 4"},
        {"  patterns: true", "  patterns: yes", ERROR_VALUE, "true or false"},
    };
    Error error;
    assert_true(load_changed("light:", "light:", &error));
    assert_true(
        load_changed("light:\n", "light:\n  lines: 2\n  patterns: true\n", &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(load_changed(cases[i].line, cases[i].instead, &error));
        if (error.code != cases[i].code || !strstr(error.message, cases[i].words))
            print_error("'%s' gave %d: %s\n", cases[i].instead, error.code,
                        error.message);
        assert_int_equal(error.code, cases[i].code);
        assert_contains(error.message, cases[i].words);
        assert_true(error.line > 0);
    }
}

static void test_a_theme_is_found_by_its_name(void **state) {
    const CourseFiles *files = *state;
    assert_true(files->themes.count >= 2);
    assert_string_equal(themes_lookup(&files->themes, "light")->name, "light");
    assert_string_equal(themes_lookup(&files->themes, "dark")->name, "dark");
    assert_null(themes_lookup(&files->themes, "Light"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales_reach_to_the_largest_numbers),
        cmocka_unit_test(test_numbers_can_be_read_on_every_cell),
        cmocka_unit_test(test_words_can_be_read_on_every_ground_they_stand_on),
        cmocka_unit_test(test_what_marks_a_cell_stands_out_from_the_page),
        cmocka_unit_test(test_the_distance_of_colours_is_that_of_lab),
        cmocka_unit_test(test_the_sign_is_seen_by_colour_blind_eyes),
        cmocka_unit_test(test_roles_are_told_apart_by_colour_blind_eyes),
        cmocka_unit_test(test_good_and_bad_are_told_apart_by_colour_blind_eyes),
        cmocka_unit_test(test_a_theme_without_colour_has_patterns),
        cmocka_unit_test(test_lightness_alone_tells_how_large_a_number_is),
        cmocka_unit_test(test_stops_lie_at_equal_distances),
        cmocka_unit_test(test_values_outside_take_the_colour_of_the_end),
        cmocka_unit_test(test_what_is_no_finite_number_has_the_masked_colour),
        cmocka_unit_test(test_mixing_reaches_both_ends),
        cmocka_unit_test(test_contrast_is_that_of_wcag),
        cmocka_unit_test(test_ink_is_the_one_that_contrasts_more),
        cmocka_unit_test(test_zero_is_the_quietest_colour),
        cmocka_unit_test(test_each_role_has_its_colour_in_all_names),
        cmocka_unit_test(test_a_bad_theme_is_refused_with_a_sentence),
        cmocka_unit_test(test_a_theme_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, course_set_up, course_tear_down);
}

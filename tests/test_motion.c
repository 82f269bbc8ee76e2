/* Motion over every page of every lesson: it is a function of the moment, stays on the
 * page, can be read, and ends in the still. */
#include "drawn_lesson.h"
#include "lesson/content/sources.h"
#include "lesson/model/generate_step.h"
#include "lesson/play/pace.h"
#include "picture/page/page.h"
#include "picture/stage/page_content.h"
#include "picture/transitions/transitions.h"
#include "sample.h"
#include "tensor/tape/tape.h"
#include "text/vocabulary.h"

#include <math.h>

enum { MOVES_MOST = 4000 };

static const double WIDTH = 1600, HEIGHT = 900, HAIR = 1;
static const double INK_ASCENT = 0.72, INK_DESCENT = 0.20;

static size_t looked;     /* at so many motions */
static size_t for_people; /* so many lessons, the first ones, are for people */

static void draw(Drawn *fixture, const Player *player, PaceMoment moment) {
    Page page = {.player = player,
                 .theme = &fixture->files.themes.items[0],
                 .metrics = &fixture->metrics,
                 .language = fixture->files.language,
                 .width = WIDTH,
                 .height = HEIGHT,
                 .moment = moment};
    arena_reset(fixture->frame);
    page_draw(&fixture->scene, fixture->frame, &page);
    if (!scene_complete(&fixture->scene))
        fail_msg("%s %s: a moment is incomplete", player->lesson->id,
                 player_step(player)->path);
}

static uint64_t look(Drawn *fixture, const Player *player, PaceMoment moment) {
    draw(fixture, player, moment);
    return scene_digest(&fixture->scene);
}

/* Clips hold what is in them; else every item that is seen lies on the page. */
static void check_inside(const Drawn *fixture, const Player *player, double time) {
    size_t depth = 0;
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        depth += item->kind == SCENE_CLIP;
        depth -= item->kind == SCENE_UNCLIP;
        bool seen = item->fill.a || item->stroke.a || item->kind == SCENE_IMAGE;
        Box box = item->box;
        if (depth || !seen || item->kind == SCENE_CLIP)
            continue;
        if (!(box.x >= -HAIR && box.y >= -HAIR && box.x + box.w <= WIDTH + HAIR &&
              box.y + box.h <= HEIGHT + HAIR))
            fail_msg("%s %s at %.2f: something leaves the page (%.1f "
                     "%.1f %.1f %.1f)",
                     player->lesson->id, player_step(player)->path, time, box.x, box.y,
                     box.w, box.h);
    }
}

/* ---- what is read on the way ---- */

enum { TEXTS_MOST = 6000, CLIPS_MOST = 16, SEEN = 60, COVERS = 200 /* alpha */ };

static Box common(Box a, Box b) {
    double x = fmax(a.x, b.x), y = fmax(a.y, b.y);
    return (Box){x, y, fmax(fmin(a.x + a.w, b.x + b.w) - x, 0),
                 fmax(fmin(a.y + a.h, b.y + b.h) - y, 0)};
}

static double area_of(Box box) {
    return box.w > HAIR && box.h > HAIR ? box.w * box.h : 0;
}

static Box ink_of(const SceneItem *text) {
    double up = INK_ASCENT * text->size, down = INK_DESCENT * text->size;
    return text->angle < 0 || text->angle > 0
               ? text->box
               : (Box){text->box.x, text->origin.y - up, text->box.w, up + down};
}

typedef struct Inks {
    size_t count, troubles;
    Box boxes[TEXTS_MOST];
    const char *first, *second; /* the last that lie over each other */
    const char *texts[TEXTS_MOST];
} Inks;

/* A text that can be read lies on others. */
static void add_text(Inks *inks, const SceneItem *text, Box ink) {
    for (size_t i = 0; i < inks->count; i++) {
        if (!(area_of(common(inks->boxes[i], ink)) > 0))
            continue;
        inks->troubles++;
        inks->first = inks->texts[i];
        inks->second = text->text;
    }
    if (inks->count == TEXTS_MOST)
        return;
    inks->boxes[inks->count] = ink;
    inks->texts[inks->count++] = text->text;
}

/* A ground leaves of the texts below it all or nothing. */
static void add_ground(Inks *inks, Box ground) {
    for (size_t i = 0; i < inks->count; i++) {
        double whole = area_of(inks->boxes[i]);
        double hidden = area_of(common(inks->boxes[i], ground));
        if (hidden > 0.9 * whole)
            inks->boxes[i].w = 0;
        else if (hidden > 0.12 * whole) {
            inks->troubles++;
            inks->first = inks->texts[i];
            inks->second = "a ground";
        }
    }
}

/* How many texts lie over each other, or are cut by a ground. */
static const Inks *look_at_texts(const Scene *scene) {
    static Inks inks;
    Box clips[CLIPS_MOST] = {{0, 0, WIDTH, HEIGHT}};
    size_t depth = 0;
    inks.count = inks.troubles = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP) {
            assert_true(depth + 1 < CLIPS_MOST);
            clips[depth + 1] = common(clips[depth], item->box);
            depth++;
        }
        depth -= item->kind == SCENE_UNCLIP;
        if (item->kind == SCENE_TEXT && item->fill.a >= SEEN)
            add_text(&inks, item, common(ink_of(item), clips[depth]));
        if (item->kind == SCENE_RECTANGLE && item->fill.a >= COVERS)
            add_ground(&inks, common(item->box, clips[depth]));
    }
    return &inks;
}

static void check_texts(const Drawn *fixture, const Player *player, double time,
                        size_t troubles) {
    const Inks *inks = look_at_texts(&fixture->scene);
    if (inks->troubles > troubles)
        fail_msg("%s %s at %.2f: '%s' lies under '%s', and %zu more", player->lesson->id,
                 player_step(player)->path, time, inks->first, inks->second,
                 inks->troubles - troubles - 1);
}

/* Of eight frames from a motion's first to its last each is read as well as the still,
 * and in lessons for people something is new in each. */
static void check_motion(Drawn *fixture, const Player *player, PaceMotion motion) {
    bool strict = false;
    for (size_t i = 0; i < for_people; i++)
        strict |= fixture->files.lessons[i] == player->lesson;
    enum { COUNT = 7 };
    double length = pace_length(&motion);
    uint64_t seen[COUNT], still = look(fixture, player, (PaceMoment){0});
    size_t items = fixture->scene.count;
    size_t troubles = look_at_texts(&fixture->scene)->troubles;
    assert_true(length <= PACE_LONGEST);
    for (size_t i = 0; i < COUNT; i++) {
        double share = (double)i / COUNT;
        PaceMoment moment = pace_moment(&motion, length * share);
        seen[i] = look(fixture, player, moment);
        check_inside(fixture, player, share);
        if (!(moment.zoom < 1))
            check_texts(fixture, player, share, troubles);
    }
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t next = i + 1 < COUNT ? seen[i + 1] : still;
        if (seen[i] == next && motion.kind == PACE_STEP && strict)
            fail_msg("%s %s: nothing moves from frame %zu to the next",
                     player->lesson->id, player_step(player)->path, i);
    }
    for (size_t i = 0; i < COUNT; i += 2) { /* back again, somewhat */
        size_t at = COUNT - 1 - i;
        PaceMoment moment = pace_moment(&motion, length * ((double)at / COUNT));
        if (look(fixture, player, moment) != seen[at])
            fail_msg("%s %s: frame %zu isn't the same again", player->lesson->id,
                     player_step(player)->path, at);
    }
    PaceMoment end = {.kind = motion.kind,
                      .time = 1,
                      .zoom = 1,
                      .around = motion.around,
                      .from = motion.from};
    if (look(fixture, player, end) != still || fixture->scene.count != items)
        fail_msg("%s %s: the motion doesn't end in the still", player->lesson->id,
                 player_step(player)->path);
    looked++;
}

/* Moves; where that is a motion, one in so many is looked at. */
static bool go(Drawn *fixture, Player *player, PlayerMove move, size_t *moves) {
    Player before = *player;
    if (!player_move(player, move))
        return false;
    arena_reset(fixture->scratch);
    PaceMotion motion = pace_motion(player, &before, fixture->scratch);
    if (motion.kind != PACE_REST && (*moves)++ % sample_one_in() == 0)
        check_motion(fixture, player, motion);
    return true;
}

/* Every step of a lesson from left to right, opened down to its operations. */
static void walk(Drawn *fixture, const Lesson *lesson, size_t *moves) {
    Player player;
    assert_true(player_init(&player, lesson));
    for (size_t i = 0; i < MOVES_MOST; i++) {
        if (player_step(&player)->child_count &&
            player_step(&player)->frame == PLAYER_NONE) {
            Player inner = player;
            for (size_t depth = 0; player_step(&inner)->child_count; depth++) {
                assert_true(go(fixture, &inner, PLAYER_DOWN, moves));
                go(fixture, &inner, PLAYER_RIGHT, moves);
            }
            while (inner.step != player.step && go(fixture, &inner, PLAYER_UP, moves))
                continue;
        }
        Player cells = player;
        if (go(fixture, &cells, PLAYER_DOWN, moves))
            go(fixture, &cells, PLAYER_RIGHT, moves);
        if (!go(fixture, &player, PLAYER_RIGHT, moves))
            break;
    }
}

static void test_motion_is_pure_on_the_page_and_ends_in_the_still(void **state) {
    Drawn *fixture = *state;
    size_t moves = 0;
    for (size_t i = 0; i < fixture->files.count; i++)
        walk(fixture, fixture->files.lessons[i], &moves);
    assert_true(looked > 600 / sample_one_in());
}

/* Words within bars that grow are in the way of no other part. */
static void test_the_bars_of_a_generation_can_be_read_as_they_grow(void **state) {
    Drawn *fixture = *state;
    size_t found = 0;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player;
        if (strcmp(fixture->files.lessons[i]->id, "38-type-anything") != 0)
            continue;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        for (Player before = player; player_move(&player, PLAYER_RIGHT);
             before = player) {
            if (!lesson_generation_at(&player, player.step, &(size_t){0}))
                continue;
            arena_reset(fixture->scratch);
            check_motion(fixture, &player,
                         pace_motion(&player, &before, fixture->scratch));
            found++;
        }
    }
    assert_true(found > 3);
}

static void test_every_manner_is_drawn(void **state) {
    for (TransitionKind kind = TRANSITION_MISSING + 1; kind < TRANSITION_COUNT; kind++) {
        if (!transitions_has_row(kind))
            fail_msg(
                "manner %d has no row in core/picture/transitions/transition_table.c",
                kind);
    }
}

/* ---- one product ---- */

static const char PRODUCT[] = "title: x\ngiven:\n  A: [[1, 2], [3, 4]]\n"
                              "  B: [[5, 6], [7, 8]]\nsteps:\n  - do: C = A @ B\n"
                              "  - do: D = A @ B\n";

/* The items in front of the still: ghosts are linked to nothing. */
static size_t ghosts(const Drawn *fixture, const char *text) {
    size_t count = 0;
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        count += item->kind == SCENE_TEXT && item->fill.a &&
                 item->link.kind == LINK_NONE && strcmp(item->text, text) == 0;
    }
    return count;
}

/* How a lesson's first operation comes to be. */
static PaceMotion first_motion(Drawn *fixture, const Lesson *lesson, Player *player) {
    assert_true(player_init(player, lesson));
    Player before = *player;
    assert_true(player_move(player, PLAYER_RIGHT));
    arena_reset(fixture->scratch);
    return pace_motion(player, &before, fixture->scratch);
}

/* 4 · 8 + 3 · 6 = 50: the explained cell comes first, pair by pair, and its products and
 * its sum are printed. */
static void test_a_products_pairs_drop_into_the_sum(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player;
    PaceMotion motion = first_motion(fixture, lesson, &player);
    size_t products = 0, alone = 0;
    for (double at = 0; at < 0.42; at += 0.01) {
        draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
        products += ghosts(fixture, "18") > 0;
        alone += ghosts(fixture, "3") > 0;
    }
    assert_true(products > 3); /* on its way, and the sum so far */
    assert_true(alone > 3);
    draw(fixture, &player, (PaceMoment){0});
    assert_int_equal(ghosts(fixture, "18"), 0);
    lesson_destroy(lesson);
}

/* 3 · 1.234 + 1 · 0.456: where the table has room for two decimals, its sums have two
 * from the start, too. */
static void test_a_sum_has_its_digits_from_the_start(void **state) {
    Drawn *fixture = *state;
    char text[2048] = "title: x\ngiven:\n  A: [[3, 1]]\n  B: [";
    for (int row = 0; row < 2; row++) {
        strcat(text, row ? "], [" : "[");
        for (int col = 0; col < 24; col++)
            strcat(text, row ? col ? ", 0.456" : "0.456" : col ? ", 1.234" : "1.234");
    }
    strcat(text, "]]\nsteps:\n  - do: C = A @ B\n  - do: D = A @ B\n");
    Lesson *lesson = lesson_good(text);
    Player player;
    PaceMotion motion = first_motion(fixture, lesson, &player);
    size_t seen = 0;
    for (double at = 0; at < 0.6; at += 0.01) {
        draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
        seen += ghosts(fixture, "3.70") > 0;
    }
    assert_true(seen > 3);
    lesson_destroy(lesson);
}

/* The animation can be stopped to ask the class for the result: 50 appears only after it
 * has been added up. */
static void test_the_result_is_told_last_and_slowly(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(PRODUCT);
    Player player;
    PaceMotion motion = first_motion(fixture, lesson, &player);
    double told = motion.explanation.to * TRANSITION_EXPLAINED,
           length = pace_length(&motion);
    assert_true(told >= 0.5 && told < 0.9);
    draw(fixture, &player, pace_moment(&motion, 0));
    size_t legend = ghosts(fixture, "50");
    for (double at = 0; at < 1; at += 0.05) {
        draw(fixture, &player, pace_moment(&motion, length * at));
        assert_int_equal(ghosts(fixture, "50") > legend, at >= told);
    }
    lesson_destroy(lesson);
}

/* Returns true if a moving number is over a table's cells other than its own. */
static bool covers(const Drawn *fixture, size_t table, const char *number, Box *around) {
    const Scene *scene = &fixture->scene;
    bool over = false;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        bool cell = item->link.kind == LINK_CELL && item->link.index == table;
        if (cell)
            *around = around->w > 0 ? box_join(*around, item->box) : item->box;
    }
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        bool seen = item->kind == SCENE_TEXT && item->link.kind == LINK_NONE &&
                    item->fill.a && strcmp(item->text, number) == 0;
        over |= seen && area_of(common(item->box, *around)) > 0;
    }
    return over;
}

/* 5 · 8 + 6 · 9: a row's number meets its column's beside the table, whose others can be
 * read meanwhile. */
static void test_a_pair_meets_beside_its_table(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good("title: x\ngiven:\n  A: [[5, 6]]\n"
                                 "  B: [[1, 2, 8], [3, 4, 9]]\nsteps:\n"
                                 "  - do: C = A @ B\n    cell: C[0, 2]\n"
                                 "  - do: D = A @ B\n    cell: D[0, 2]\n");
    Player player;
    PaceMotion motion = first_motion(fixture, lesson, &player);
    size_t met = 0;
    for (double at = 0; at < 0.5; at += 0.01) {
        Box around = {0};
        draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
        assert_false(covers(fixture, tape_find(lesson->tape, "B"), "5", &around));
        met += ghosts(fixture, "×") > 0;
    }
    assert_true(met > 0);
    lesson_destroy(lesson);
}

/* How many of a node's numbers can be read. */
static size_t readable_of(const Drawn *fixture, size_t node) {
    size_t count = 0;
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        count += item->kind == SCENE_TEXT && item->fill.a &&
                 item->link.kind == LINK_CELL && item->link.index == node;
    }
    return count;
}

/* Cached rows aren't computed again: they are there from the beginning, and only the new
 * value moves. */
static void test_kept_rows_stand_from_the_beginning(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson =
        lesson_good("title: x\ngiven:\n  H: {random: [4, 2], seed: 1}\n"
                    "  W: {random: [2, 2], seed: 2}\nsteps:\n  - do: V = H @ W\n"
                    "  - do: o = attention(H[3] @ W, stack(H[0:3], H[3] @ W), "
                    "stack(V[0:3], H[3] @ W))\n"
                    "    as: cache\n");
    Player player, before;
    assert_true(player_init(&player, lesson));
    before = player;
    assert_true(player_move(&player, PLAYER_RIGHT));
    arena_reset(fixture->scratch);
    PaceMotion motion = pace_motion(&player, &before, fixture->scratch);
    const TapeNode *mixed = tape_node(lesson->tape, player_step(&player)->node);
    size_t seen[9] = {0};
    for (double at = 0; at < 1; at += 0.05) {
        draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
        seen[readable_of(fixture, mixed->inputs[1])]++;
    }
    assert_true(seen[6] > 1 && seen[8] > 1);
    assert_int_equal(seen[0] + seen[1] + seen[2] + seen[3] + seen[4] + seen[5], 0);
    lesson_destroy(lesson);
}

/* The head of lesson 8: by the tape values come before the shares that mix them. */
static void test_parts_come_as_the_result_needs_them(void **state) {
    Drawn *fixture = *state;
    Player player;
    assert_true(player_init(&player, fixture->files.lessons[8]));
    while (!player_step(&player)->child_count)
        assert_true(player_move(&player, PLAYER_RIGHT));
    Player before = player;
    assert_true(player_move(&before, PLAYER_LEFT));
    arena_reset(fixture->scratch);
    PaceMotion motion = pace_motion(&player, &before, fixture->scratch);
    const PlayerStep *parts = &player.steps[player.step + 1];
    enum { QUERY, SCALED = 3, VALUES = 5 };
    size_t queries = 0, values = 0;
    for (double at = 0; at < 1; at += 0.05) {
        draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
        size_t scores = readable_of(fixture, parts[SCALED].node);
        queries += readable_of(fixture, parts[QUERY].node) > 0 && !scores;
        values += readable_of(fixture, parts[VALUES].node) == 0 && scores;
    }
    assert_true(queries > 1 && values > 1);
}

/* A gate's signals are all there before lines lead from them to their products. */
static void test_lines_leave_what_is_there(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson =
        lesson_good("title: x\ngiven:\n  X: [[1, 2]]\n  Z: [[3, 1, 2], [1, 2, 4]]\n"
                    "  W: [[1, 2], [3, 1], [2, 2]]\nsteps:\n  - do: A = X + X\n"
                    "  - do: Y = swiglu(A, Z, Z, W)\n");
    Player player, before;
    assert_true(player_init(&player, lesson));
    before = player;
    assert_true(player_move(&player, PLAYER_RIGHT));
    arena_reset(fixture->scratch);
    PaceMotion motion = pace_motion(&player, &before, fixture->scratch);
    size_t product = tape_node(lesson->tape, player_step(&player)->node)->inputs[0];
    size_t signal = tape_node(lesson->tape, product)->inputs[1], waited = 0, led = 0;
    for (double at = 0; at < 1; at += 0.02) {
        draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
        size_t bent = 0, there = readable_of(fixture, signal); /* lines past the gates */
        for (size_t i = 0; i < fixture->scene.count; i++) {
            const SceneItem *item = &fixture->scene.items[i];
            bent += item->kind == SCENE_LINE && item->fill.a && item->count == 3 &&
                    item->points[1].x - item->points[0].x > 100;
        }
        waited += !bent && there > 0;
        led += bent > 0;
        assert_true(!bent || there >= 3);
    }
    assert_true(waited > 1 && led > 1);
    lesson_destroy(lesson);
}

/* The word that the first turn says is on its way to the second one's text. */
static void test_the_said_word_drops_into_the_next_text(void **state) {
    Drawn *fixture = *state;
    size_t found = 0;
    for (size_t i = 0; i < fixture->files.count && !found; i++) {
        Player player, before;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        for (before = player; player_move(&player, PLAYER_RIGHT); before = player) {
            size_t turn, dropped = 0, moves = 0;
            const LessonGenerate *generate =
                lesson_generation_at(&player, player.step, &turn);
            if (!generate || turn != PLAYER_NONE || generate->generated.step_count < 2 ||
                generate->generated.options.rule == GENERATE_BEAM)
                continue;
            FollowCell said = lesson_generation_cell(generate, 0);
            arena_reset(fixture->scratch);
            PaceMotion motion = pace_motion(&player, &before, fixture->scratch);
            for (double at = 0; at < 0.5; at += 0.02, moves++) {
                draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
                dropped += ghosts(fixture, generate->words[said.col]) > 0;
            }
            assert_true(dropped > 0 && dropped < moves);
            found++;
        }
    }
    assert_true(found > 0);
}

/* How many texts of a node's rows, as words that are read, are there. */
static size_t words_there(const Drawn *fixture, size_t node) {
    size_t count = 0;
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        count += item->kind == SCENE_TEXT && item->fill.a == 255 &&
                 item->link.kind == LINK_SOURCE && item->link.index == node;
    }
    return count;
}

/* Words and what they have stand; then some are cut; then the rest has the chances. */
static void test_what_is_cut_stands_first(void **state) {
    Drawn *fixture = *state;
    size_t found = 0;
    for (size_t i = 0; i < fixture->files.count; i++) {
        Player player, before;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        for (before = player; player_move(&player, PLAYER_RIGHT); before = player) {
            size_t number;
            const LessonGenerate *generate =
                lesson_generation_at(&player, player.step, &number);
            if (!generate || number == PLAYER_NONE)
                continue;
            const DecodingStep *turn = &generate->generated.steps[number];
            size_t cut = turn->top_k == TAPE_NONE ? turn->top_p : turn->top_k;
            if (cut == TAPE_NONE)
                continue;
            arena_reset(fixture->scratch);
            PaceMotion motion = pace_motion(&player, &before, fixture->scratch);
            size_t cuts = 0, last = 0, chances = 0;
            draw(fixture, &player, (PaceMoment){0});
            size_t words = readable_of(fixture, turn->all_probabilities);
            for (double at = 0; at < 1; at += 0.05) {
                draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * at));
                assert_int_equal(readable_of(fixture, turn->all_probabilities), words);
                last = readable_of(fixture, cut);
                chances += readable_of(fixture, turn->probabilities) > 0;
                cuts += last && !chances;
            }
            assert_true(words > 2 && chances > 1 && (!last || cuts > 0));
            found += last > 0;
        }
    }
    assert_true(found > 0);
}

/* It stands before the state that it leads to. */
static void test_a_word_that_is_read_stands_from_the_beginning(void **state) {
    Drawn *fixture = *state;
    Lesson *lesson = lesson_good(
        "title: x\ntokens: [a, b, c]\ngiven:\n  X: {random: [3, 2], seed: 1}\n"
        "  W: {random: [2, 2], seed: 2}\n  U: {random: [2, 2], seed: 3}\n"
        "labels:\n  X: {rows: tokens}\nsteps:\n  - do: h = X[0] @ W\n"
        "  - do: z = X[1] @ W + h @ U\n  - do: s = X[2] @ W + z @ U\n");
    Player player, before;
    assert_true(player_init(&player, lesson));
    before = player;
    assert_true(player_move(&player, PLAYER_RIGHT));
    arena_reset(fixture->scratch);
    PaceMotion motion = pace_motion(&player, &before, fixture->scratch);
    draw(fixture, &player, pace_moment(&motion, 0));
    assert_int_equal(words_there(fixture, tape_find(lesson->tape, "X")), 3);
    assert_int_equal(readable_of(fixture, player_step(&player)->node), 0);
    lesson_destroy(lesson);
}

/* How many texts of cells with this label can be read, or, with others, can't. */
static size_t labelled(const Drawn *fixture, const Player *player, size_t node,
                       const char *label, bool same) {
    const Tensor *ids = &tape_node(player->lesson->tape, node)->output;
    size_t count = 0;
    for (size_t i = 0; i < fixture->scene.count; i++) {
        const SceneItem *item = &fixture->scene.items[i];
        if (item->kind == SCENE_TEXT && item->link.kind == LINK_CELL &&
            item->link.index == node &&
            (strcmp(ids->col_labels[item->link.col], label) == 0) == same)
            count += same ? item->fill.a && strcmp(item->text, label) == 0
                          : item->fill.a < 255;
    }
    return count;
}

/* Only what is new moves: its two parts are on their way, the other pieces stand. */
static void test_the_pieces_of_a_merge_go_together(void **state) {
    Drawn *fixture = *state;
    size_t found = 0;
    for (size_t i = 0; i < fixture->files.count && !found; i++) {
        Player player, before;
        assert_true(player_init(&player, fixture->files.lessons[i]));
        for (before = player; player_move(&player, PLAYER_RIGHT); before = player) {
            size_t node = player_step(&player)->node;
            const LessonSource *source = lesson_source_of(player.lesson->sources, node);
            if (!source || !source->merging || !source->merging->merges ||
                player_words(&player, player.step)->closes)
                continue;
            const Bpe *bpe = source->merging->bpe;
            const BpeMerge *last = &bpe->merges[source->merging->merges - 1];
            const char *piece = vocabulary_at(bpe->symbols, last->result)->text;
            arena_reset(fixture->scratch);
            PaceMotion motion = pace_motion(&player, &before, fixture->scratch);
            draw(fixture, &player, pace_moment(&motion, pace_length(&motion) * 0.4));
            assert_int_equal(labelled(fixture, &player, node, piece, true), 0);
            assert_int_equal(labelled(fixture, &player, node, piece, false), 0);
            draw(fixture, &player, pace_moment(&motion, pace_length(&motion)));
            assert_true(labelled(fixture, &player, node, piece, true) > 0);
            found++;
        }
    }
    assert_true(found > 0);
}

static int set_up(void **state) {
    drawn_set_up(state);
    Drawn *fixture = *state;
    course_load_folder(&fixture->files, "lessons");
    for_people = fixture->files.count;
    course_load_folder(&fixture->files, "tests/lessons");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bars_of_a_generation_can_be_read_as_they_grow),
        cmocka_unit_test(test_every_manner_is_drawn),
        cmocka_unit_test(test_a_products_pairs_drop_into_the_sum),
        cmocka_unit_test(test_a_sum_has_its_digits_from_the_start),
        cmocka_unit_test(test_the_result_is_told_last_and_slowly),
        cmocka_unit_test(test_a_pair_meets_beside_its_table),
        cmocka_unit_test(test_kept_rows_stand_from_the_beginning),
        cmocka_unit_test(test_parts_come_as_the_result_needs_them),
        cmocka_unit_test(test_lines_leave_what_is_there),
        cmocka_unit_test(test_what_is_cut_stands_first),
        cmocka_unit_test(test_a_word_that_is_read_stands_from_the_beginning),
        cmocka_unit_test(test_the_pieces_of_a_merge_go_together),
        cmocka_unit_test(test_the_said_word_drops_into_the_next_text),
        cmocka_unit_test(test_motion_is_pure_on_the_page_and_ends_in_the_still),
    };
    return cmocka_run_group_tests(tests, set_up, drawn_tear_down);
}

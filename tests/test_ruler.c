#include "close.h"
#include "picture/stage/ruler.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 20000, TRACKS = 7, HALVINGS = 200 };

static void shares_the_least_when_there_is_no_more(void **state) {
    (void)state;
    Track tracks[] = {{.parts = 4, .least = 10, .want = 20, .most = 90}, track_of(44)};
    assert_true(ruler_share(tracks, 2, 100, 84));
    assert_true(tracks[0].part == 10 && tracks[0].at == 100 && tracks[0].size == 40);
    assert_true(tracks[1].part == 44 && tracks[1].at == 140 && tracks[1].size == 44);
    assert_true(ruler_used(tracks, 2) == 84);
}

static void says_that_even_the_least_has_no_room(void **state) {
    (void)state;
    Track tracks[] = {{.parts = 4, .least = 10, .want = 20, .most = 90}, track_of(44)};
    assert_false(ruler_share(tracks, 2, 0, 83));
    assert_true(tracks[0].part == 10 && tracks[1].at == 40);
}

static void grants_wants_by_rank(void **state) {
    (void)state;
    Track tracks[] = {{.parts = 2, .want = 30, .most = 80, .rank = 1},
                      {.want = 100, .most = 100, .rank = 0},
                      {.want = 50, .most = 50, .rank = 2}};
    assert_true(ruler_share(tracks, 3, 0, 170));
    assert_true(tracks[0].part == 30 && tracks[1].part == 100 && tracks[2].part == 10);
    assert_true(ruler_share(tracks, 3, 0, 400));
    assert_true(tracks[0].part == 80 && tracks[1].part == 100 && tracks[2].part == 50);
    assert_true(ruler_used(tracks, 3) == 310); /* no more than the most */
}

static void grows_the_smallest_parts_first(void **state) {
    (void)state;
    Track tracks[] = {{.parts = 3, .least = 10, .want = 40, .most = 40},
                      {.parts = 1, .least = 25, .want = 40, .most = 40}};
    assert_true(ruler_share(tracks, 2, 0, 60));
    assert_close(&tracks[0].part, &(double){35. / 3}, 1, 1e-12);
    assert_true(tracks[1].part == 25);
    assert_true(ruler_share(tracks, 2, 0, 120));
    assert_true(tracks[0].part == 30 && tracks[1].part == 30); /* level from 25 on */
}

static void keeps_a_track_within_another(void **state) {
    (void)state;
    Track tracks[] = {{.parts = 2, .want = 90, .most = 90, .within = 2},
                      {.parts = 1, .want = 30, .most = 50},
                      {.want = 10, .most = 10}};
    assert_true(ruler_share(tracks, 3, 0, 1000));
    assert_true(tracks[0].part == 50 && tracks[1].part == 50);
    tracks[1].rank = 1; /* the first may not have what the second hasn't yet */
    assert_true(ruler_share(tracks, 3, 0, 70));
    assert_true(tracks[0].part <= tracks[1].part);
    assert_close(&(double){ruler_used(tracks, 3)}, &(double){70}, 1, 1e-9);
}

/* ---- many cases against a slow reference ---- */

static double least_limit(const Track *tracks, const double *limits, size_t i) {
    double least = limits[i];
    for (size_t steps = 0; tracks[i].within && steps <= TRACKS; steps++) {
        i = tracks[i].within - 1;
        least = fmin(least, limits[i]);
    }
    return least;
}

static double raised(double part, double limit, double level) {
    return fmax(part, fmin(level, limit));
}

/* Finds by halving up to which level all parts can be raised. */
static void raise_slowly(const Track *tracks, size_t count, const double *targets,
                         double *parts, double room) {
    double limits[TRACKS], low = 0, high = 1e6;
    for (size_t i = 0; i < count; i++)
        limits[i] = fmax(parts[i], targets[i]);
    for (int step = 0; step < HALVINGS; step++) {
        double level = (low + high) / 2, used = 0;
        for (size_t i = 0; i < count; i++)
            used += fmax(tracks[i].parts, 1) *
                    raised(parts[i], least_limit(tracks, limits, i), level);
        *(used <= room ? &low : &high) = level;
    }
    for (size_t i = 0; i < count; i++)
        parts[i] = raised(parts[i], least_limit(tracks, limits, i), low);
}

static void share_slowly(const Track *tracks, size_t count, double room, double *parts) {
    double targets[TRACKS], used = 0;
    for (size_t i = 0; i < count; i++) {
        parts[i] = tracks[i].least;
        used += fmax(tracks[i].parts, 1) * parts[i];
    }
    for (int rank = -2; used <= room && rank <= 3; rank++) {
        for (size_t i = 0; i < count; i++)
            targets[i] = rank == 3                ? tracks[i].most
                         : tracks[i].rank == rank ? tracks[i].want
                                                  : 0;
        raise_slowly(tracks, count, targets, parts, room);
    }
}

static double below(int end) {
    return rand() % end;
}

static Track random_track(size_t count) {
    Track track = {.parts = below(6), .least = below(20), .rank = rand() % 5 - 2};
    track.want = track.least + below(30);
    track.most = track.want + below(30);
    track.within = rand() % 3 ? 0 : 1 + (size_t)rand() % count;
    return track;
}

static void agrees_with_a_slow_reference(void **state) {
    (void)state;
    srand(7);
    size_t full = 0, refused = 0;
    for (int n = 0; n < CASES; n++) {
        size_t count = 1 + (size_t)rand() % TRACKS;
        Track tracks[TRACKS];
        double parts[TRACKS], least = 0, room = below(600), at = below(50);
        for (size_t i = 0; i < count; i++) {
            tracks[i] = random_track(count);
            least += fmax(tracks[i].parts, 1) * tracks[i].least;
        }
        share_slowly(tracks, count, room, parts);
        bool fits = ruler_share(tracks, count, at, room);
        assert_int_equal(fits, least <= room);
        for (size_t i = 0; i < count; i++) {
            const Track *track = &tracks[i];
            assert_close(&track->part, &parts[i], 1, 1e-6);
            assert_close(&track->size, &(double){fmax(track->parts, 1) * track->part}, 1,
                         1e-9);
            assert_close(&track->at, &at, 1, 1e-9);
            at += track->size;
            assert_true(!track->within || track->part == track->least ||
                        track->part <= tracks[track->within - 1].part + 1e-9);
        }
        double used = ruler_used(tracks, count);
        assert_true(!fits || used <= room + 1e-6);
        full += fits && used > room - 1e-6;
        refused += !fits;
    }
    assert_true(full > CASES / 20 && refused > CASES / 20); /* all kinds were there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_the_least_when_there_is_no_more),
        cmocka_unit_test(says_that_even_the_least_has_no_room),
        cmocka_unit_test(grants_wants_by_rank),
        cmocka_unit_test(grows_the_smallest_parts_first),
        cmocka_unit_test(keeps_a_track_within_another),
        cmocka_unit_test(agrees_with_a_slow_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

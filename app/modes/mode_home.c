#include "modes/modes.h"

#include "lesson/content/lesson.h"
#include "picture/home/home.h"
#include "session/state.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCRATCH_BYTES = 4 << 20,
    CARDS_MAX = 3,
    BUTTONS_MAX = 7,
    KEPT_MAX_MEMORY = 256 << 20
};

static const double ROLL = 80;           /* points that a wheel's step scrolls */
static const double SCREEN_SHARE = 0.75; /* of it, that a press scrolls */
static const double LEAST_UNITS = 615;   /* the narrowest page, in points of its type */

/* ---- lessons whose pictures are wanted ---- */

static void abandon_loader(Session *session) {
    loader_abandon(home_state(session)->loader);
    home_state(session)->loader = NULL;
}

/* Keeps a lesson that was read for its picture, as far as the others leave memory; else
 * it is as if it had not been read. */
static void limit_memory(Course *course, CourseLesson *entry) {
    size_t used = 0;
    for (size_t i = 0; i < course->all; i++) {
        const Lesson *lesson = course->lessons[i].lesson;
        used += lesson ? arena_used(lesson->arena) : 0;
    }
    if (!entry->lesson || used <= KEPT_MAX_MEMORY)
        return;
    course_lesson_finish(entry);
    entry->tried = false;
    entry->large = true;
}

/* A lesson, if it is there; else it is read, in the background where there is one. */
static const Player *load_player(Session *session, size_t index) {
    CourseLesson *entry = &session->course->lessons[index];
    ErrorList errors = {0};
    if (entry->tried || entry->large)
        return entry->lesson ? &entry->player : NULL;
    if (!session->in_background) {
        course_lesson(session->course, index, &errors);
        limit_memory(session->course, entry);
    } else if (!home_state(session)->loader) {
        home_state(session)->loader = loader_start(
            entry->path, &(LessonOptions){.work = session->course->work}, session->watch);
        home_state(session)->reading = index;
    }
    return entry->lesson ? &entry->player : NULL;
}

bool home_poll(Session *session) {
    HomeState *home = home_state(session);
    if (!home->loader || !loader_wait(home->loader, 0))
        return false;
    CourseLesson *entry = &session->course->lessons[home->reading];
    ErrorList errors = {0};
    Player player;
    Lesson *lesson = loader_take(home->loader, &player, &errors);
    home->loader = NULL;
    if (entry->tried) { /* it was opened meanwhile */
        lesson_destroy(lesson);
        return true;
    }
    Error missing_data;
    course_note_missing(session->course, entry->path, errors.items, errors.count);
    if (!lesson && !course_is_whole(session->course, &missing_data))
        session_show_message(session, "home.lacks", missing_data.message, NULL);
    entry->tried = true;
    entry->lesson = lesson;
    entry->player = player;
    limit_memory(session->course, entry);
    return true;
}

/* ---- as it stands ---- */

static void fill_lessons(Session *session) {
    Course *course = session->course;
    for (size_t i = 0; i < course->all; i++) {
        const CourseLesson *entry = &course->lessons[i];
        const LessonHead *head = course_head(course, i);
        ProgressLesson notes = progress_of(practise_state(session)->progress, entry->id);
        HomeLesson *lesson = &home_state(session)->lessons[i];
        *lesson =
            (HomeLesson){.number = strtoul(entry->id, NULL, 10),
                         .unnumbered = !isdigit((unsigned char)entry->id[0]),
                         .title = course_title(course, i, session->language),
                         .part = text_in(&head->part, session->language),
                         .goal = text_in(&head->goal, session->language),
                         .minutes = head->minutes,
                         .note = i < course->count ? NULL : entry->id,
                         .block = head->block,
                         .broken = entry->tried && !entry->lesson,
                         .practised = notes.at_once + notes.after_hints + notes.skipped,
                         .at_once = notes.at_once,
                         .answered = notes.answered};
        MemoryPlace place;
        if (session->memory && memory_place(session->memory, entry->id, &place) &&
            place.steps)
            lesson->read = (double)place.seen / (double)place.steps;
    }
}

static void add_card(Home *home, HomeCard *cards, const char *action, const char *title,
                     const char *detail) {
    cards[home->card_count++] =
        (HomeCard){.link = action_link(action), .title = title, .detail = detail};
}

static const char *words_of_going_on(const Session *session, const Home *home,
                                     Arena *arena) {
    HomePlace place = home_place(session);
    const HomeLesson *lesson = &home->lessons[place.lesson];
    const char *title =
        lesson->number && place.known
            ? arena_format(arena, "%zu · %s", lesson->number, lesson->title)
            : lesson->title;
    return language_sentence(session->language, place.known ? "home.go_on" : "home.begin",
                             1, &title, arena);
}

static void add_go_on(const Session *session, Home *home, HomeCard *cards, Arena *arena) {
    HomePlace place = home_place(session);
    const char *step = arena_format(arena, "%zu", place.statement + 1);
    bool path = place.lesson < session->course->count &&
                course_head(session->course, place.lesson)->begins;
    add_card(
        home, cards, "go_on", words_of_going_on(session, home, arena),
        place.known
            ? language_sentence(session->language, "home.step", 1, &step, arena)
            : session_words(session, path ? "home.begin_path" : "home.begin_detail"));
}

/* Adds the cards. The strong one is the lesson to begin or to go on with. */
static void add_cards(const Session *session, Home *home, HomeCard *cards, Arena *arena) {
    add_go_on(session, home, cards, arena);
    cards[0].strong = true;
    if (!action_why_not(session, action_number("tour")))
        add_card(home, cards, "tour", session_words(session, "home.tour"),
                 session_words(session, "home.tour_detail"));
    if (!action_why_not(session, action_number("type_anything")))
        add_card(home, cards, "type_anything", session_words(session, "home.type"),
                 session_words(session, "home.type_detail"));
    home->cards = cards;
}

/* The size of the type, on a narrow screen no larger than leaves the towers their names.
 */
static double scale_of(const Session *session) {
    double most = fmax(session->width / LEAST_UNITS, 1);
    return fmin(session_text_scale(session), most);
}

static bool ends(const Session *session) {
    return home_state(session)->scroll >= home_state(session)->scroll_most - 1;
}

static void add_button(Home *home, HomeButton *buttons, const char *action,
                       const char *words) {
    buttons[home->button_count++] = (HomeButton){action_link(action), words};
}

static void add_buttons(const Session *session, Home *home, Arena *arena) {
    HomeButton *buttons = arena_alloc(arena, BUTTONS_MAX, sizeof *buttons);
    const Language *next = languages_next(&session->course->languages, session->language);
    size_t finder = action_number("find");
    if (finder < action_count())
        home->find = (HomeButton){action_link("find"),
                                  session->screen.touch ? "" : action_at(finder)->shown};
    if (!buttons)
        return;
    home->buttons = buttons;
    if (scale_of(session) > 1)
        add_button(home, buttons, "home_more",
                   session_words(session, ends(session) ? "home.top" : "home.more"));
    if (home->all > home->count)
        buttons[home->button_count++] =
            (HomeButton){(Link){LINK_BLOCK, HOME_OWN_LESSONS, 0, 0},
                         session_words(session, "home.mine")};
    if (!action_why_not(session, action_number("quiz")))
        add_button(home, buttons, "quiz", session_words(session, "home.quiz"));
    if (!action_why_not(session, action_number("unit")))
        add_button(home, buttons, "unit", session_words(session, "home.routes"));
    add_button(home, buttons, "language", next->name);
    add_button(home, buttons, "theme", session_words(session, "home.theme"));
    add_button(home, buttons, "help", session_words(session, "home.help"));
}

/* Returns the content of home, for the page size of the last drawing. */
static Home home_of(Session *session, Arena *arena) {
    HomeState *at = home_state(session);
    Course *course = session->course;
    Home home = {.lessons = at->lessons,
                 .chosen = at->chosen,
                 .door = at->door,
                 .time = session->play.animates == SESSION_MOVES ? at->time : -1,
                 .present = home_place(session).lesson,
                 .scale = scale_of(session),
                 .scroll = at->scroll,
                 .width = session->width,
                 .height = session->height};
    if (at->lessons) {
        home.count = course->count;
        home.all = course->all;
        fill_lessons(session);
    }
    HomeCard *cards = arena_alloc(arena, CARDS_MAX, sizeof *cards);
    if (cards && home.all)
        add_cards(session, &home, cards, arena);
    if (!text_is_empty(&course->title))
        home.title = text_in(&course->title, session->language);
    if (!text_is_empty(&course->about))
        home.say = text_in(&course->about, session->language);
    add_buttons(session, &home, arena);
    return home;
}

/* Returns the sample of the tour's lesson; NULL until that has been read. */
static const HomeSample *read_sample(Session *session, Arena *arena) {
    size_t speaks = course_touring(session->course);
    const Player *player =
        speaks < session->course->count ? load_player(session, speaks) : NULL;
    const HomeSample *sample = player ? home_sample(player->lesson, arena) : NULL;
    home_state(session)->length = sample ? home_length(sample) : 0;
    return sample;
}

/* Reads the lessons in view: the one with the sample first, then those that are listed.
 */
static void read_lessons_in_view(Session *session, Home *home, Arena *arena) {
    home->sample = read_sample(session, arena);
    for (size_t i = 0; i < home->all; i++) {
        HomeLesson *lesson = &home_state(session)->lessons[i];
        if (home->door.kind != LINK_NONE && home_lists(home, home->door, i))
            lesson->player = load_player(session, i);
        lesson->broken |= session->course->lessons[i].tried && !lesson->player &&
                          !session->course->lessons[i].lesson;
    }
}

static void fill(Session *session, const Canvas *canvas, bool interactive) {
    Arena *arena = canvas->scene->arena;
    Home home = home_of(session, arena);
    read_lessons_in_view(session, &home, arena);
    if (interactive && session->message[0])
        home.message = session->message;
    home_state(session)->scroll =
        home_draw(canvas, &home, &home_state(session)->scroll_most);
}

/* ---- time ---- */

static bool travels(const Session *session) {
    return session->play.animates == SESSION_MOVES && session->mode_count == 1 &&
           home_state(session)->length > 0;
}

double home_until_tick(const Session *session) {
    return home_until_change(travels(session) ? home_state(session)->length : 0,
                             home_state(session)->time);
}

bool home_tick(Session *session, double milliseconds) {
    Arena *arena = home_state(session)->length > 0 ? NULL : arena_create(SCRATCH_BYTES);
    if (arena) /* not drawn yet */
        read_sample(session, arena);
    arena_destroy(arena);
    double until = home_until_tick(session);
    if (travels(session))
        home_state(session)->time += milliseconds;
    return until <= milliseconds;
}

/* ---- choosing ---- */

static bool choose(Session *session, Link link) {
    bool changes = !link_equal(link, home_state(session)->chosen);
    home_state(session)->chosen = link;
    return changes;
}

static bool lists(const Session *session) {
    return home_state(session)->door.kind != LINK_NONE;
}

/* Closes the list and chooses its door, or nothing. */
static bool close_list(Session *session, Link chosen) {
    home_state(session)->door = (Link){0};
    choose(session, chosen);
    return true;
}

/* Opens the list of a door. By a key its first lesson is chosen; a door without lessons
 * stays closed. */
static bool open_list(Session *session, Link door, bool by_key) {
    home_state(session)->door = door;
    choose(session, door);
    Arena *arena = by_key ? arena_create(SCRATCH_BYTES) : NULL;
    if (arena) {
        Home home = home_of(session, arena);
        Link first = home_first_of(&home, door);
        home_state(session)->door = first.kind != LINK_NONE ? door : first;
        choose(session, first.kind != LINK_NONE ? first : door);
    }
    arena_destroy(arena);
    return true;
}

static bool walk(Session *session, int move) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    if (!arena)
        return false;
    Home home = home_of(session, arena);
    Link to = home_step(&home, arena, home_state(session)->chosen, (HomeMove)move);
    home_state(session)->scroll = home_scroll_to(&home, arena, to);
    arena_destroy(arena);
    home_state(session)->choosing = true;
    if (lists(session) && (move == HOME_TAB || move == HOME_LEFT || move == HOME_RIGHT))
        return close_list(session, home_state(session)->door);
    return choose(session, to);
}

bool home_roll(Session *session, int steps) {
    HomeState *home = home_state(session);
    double before = home->scroll, to = before - ROLL * steps;
    home->scroll = fmin(fmax(to, 0), home->scroll_most);
    return home->scroll != before;
}

/* Opens a lesson at the place where it was left, and does an action there. */
static bool resume(Session *session, HomePlace place, const char *act) {
    Arrival arrival = {.statement = place.statement, .remembered = true, .act = act};
    return opening_number(session, place.lesson, arrival);
}

static bool go_on(Session *session) {
    return resume(session, home_place(session), NULL);
}

/* The lesson that is chosen, else the one to go on with. */
static bool present(Session *session) {
    Link chosen = home_state(session)->chosen;
    HomePlace place = chosen.kind == LINK_LESSON ? (HomePlace){.lesson = chosen.index}
                                                 : home_place(session);
    return resume(session, place, "present");
}

static bool use(Session *session, Link link, bool by_key) {
    switch (link.kind) {
    case LINK_BLOCK:
        return open_list(session, link, by_key);
    case LINK_LESSON:
        return session_open_number(session, link.index) || session->message[0];
    case LINK_COMMAND:
        return action_do(session, link.index);
    default:
        return false;
    }
}

/* ---- actions ---- */

/* Right opens the lesson to go on with, unless a choice is being made by keys. */
static bool begin_or_go_right(Session *session) {
    return home_state(session)->choosing ? walk(session, HOME_RIGHT) : go_on(session);
}

/* Opens the choice, or the strong card if there is none. */
static bool open_chosen(Session *session) {
    Link chosen = home_state(session)->chosen;
    if (chosen.kind != LINK_NONE)
        return use(session, chosen, true);
    Arena *arena = arena_create(SCRATCH_BYTES);
    Home home = {0};
    if (arena)
        home = home_of(session, arena);
    Link next = home_strong_card(&home);
    arena_destroy(arena);
    return use(session, next, true);
}

/* Most of a screen further; from the end back to the top. */
static bool scroll_on(Session *session) {
    HomeState *home = home_state(session);
    double screen = session->height / scale_of(session);
    home->scroll =
        ends(session) ? 0 : fmin(home->scroll + SCREEN_SHARE * screen, home->scroll_most);
    return true;
}

static const char *all_is_seen(const Session *session) {
    return scale_of(session) > 1 ? NULL : "action.why.all_is_seen";
}

static bool close_by_key(Session *session) {
    return close_list(session, home_state(session)->door);
}

static const char *why_no_list(const Session *session) {
    return lists(session) ? NULL : "action.why.at_home";
}

static const Action actions[] = {
    {"begin", "Right", .act = begin_or_go_right},
    {"home_left", "Left", .act_by = walk, .by = HOME_LEFT, .traits = ACTION_OF_KEYS},
    {"home_up", "Up", .act_by = walk, .by = HOME_UP, .traits = ACTION_OF_KEYS},
    {"home_down", "Down", .act_by = walk, .by = HOME_DOWN, .traits = ACTION_OF_KEYS},
    {"home_group", "Tab", .act_by = walk, .by = HOME_TAB, .traits = ACTION_OF_KEYS},
    {"home_open", "Return|Space", .act = open_chosen, .traits = ACTION_OF_KEYS},
    {"home_close", "Escape", .act = close_by_key, .why_not = why_no_list,
     .traits = ACTION_QUIET | ACTION_OF_KEYS},
    {"home_more", "End", .act = scroll_on, .why_not = all_is_seen},
    {"save_home", "Ctrl+S", .request = SESSION_SAVE},
};

const ActionGroup actions_home = ACTION_GROUP(&mode_home, actions);

/* Actions of the cards. */

static bool list_own_lessons(Session *session) {
    return open_list(session, (Link){LINK_BLOCK, HOME_OWN_LESSONS, 0, 0}, true);
}

static const char *why_no_own(const Session *session) {
    return session->course->all > session->course->count ? NULL
                                                         : "action.why.no_own_lessons";
}

/* The course in the first row, then its units. */
static Course *unit_of_row(const Session *session, size_t row) {
    Course *unit = session->course;
    while (unit->id && unit->next)
        unit = unit->next;
    for (; row && unit; row--)
        unit = unit->next && unit->next->id ? unit->next : NULL;
    return unit;
}

static size_t count_units(const Session *session) {
    size_t count = 0;
    while (unit_of_row(session, count))
        count++;
    return count;
}

static size_t present_unit(const Session *session) {
    size_t row = 0;
    while (unit_of_row(session, row) != session->course)
        row++;
    return row;
}

static const char *unit_words(const Session *session, size_t row, Arena *arena) {
    (void)arena;
    const Course *unit = unit_of_row(session, row);
    return unit->id ? text_in(&unit->title, session->language)
                    : session_words(session, "home.whole_course");
}

static void set_unit(Session *session, size_t row) {
    abandon_loader(session);
    session->course = unit_of_row(session, row);
    home_state(session)->left = (HomePlace){0};
    home_enter(session);
}

static bool choose_unit(Session *session) {
    static const Setting setting = {.title = "home.routes",
                                    .action = "unit",
                                    .count = count_units,
                                    .present = present_unit,
                                    .words = unit_words,
                                    .use = set_unit};
    setting_open(session, &setting);
    return true;
}

static const char *why_no_unit(const Session *session) {
    return session->course->next ? NULL : "action.why.no_unit";
}

static bool type_anything(Session *session) {
    return opening_with_text(session, course_find(session->course, COURSE_TYPE_ANYTHING),
                             NULL);
}

static const char *why_no_typing(const Session *session) {
    bool has =
        course_find(session->course, COURSE_TYPE_ANYTHING) < session->course->count;
    return has ? NULL : "action.why.no_typing";
}

static const Action cards[] = {
    {"go_on", "PageDown|PageUp", .act = go_on},
    {"present_lesson", "F5", .act = present},
    {"type_anything", .act = type_anything, .why_not = why_no_typing},
    {"own_lessons", .act = list_own_lessons, .why_not = why_no_own},
    {"unit", .act = choose_unit, .why_not = why_no_unit},
};

const ActionGroup actions_from_home = ACTION_GROUP(&mode_home, cards);

/* ---- letters, and the pointer ---- */

/* A letter that stands for nothing else begins a search. */
static ModeAnswer search(Session *session, const char *key) {
    size_t finder = action_number("find");
    bool letter = isalpha((unsigned char)key[0]) && !key[1];
    if (!letter || finder == action_count() || action_of_key(NULL, key) < action_count())
        return MODE_PASSES;
    char text[] = {(char)tolower((unsigned char)key[0]), 0};
    action_do(session, finder);
    field_insert(&session->field, text);
    mode_finder.typed(session);
    return MODE_CHANGES;
}

/* Chooses the thing under the pointer, and starts the light again if it has arrived. */
static bool move(Session *session, const Scene *scene, double x, double y) {
    HomeState *home = home_state(session);
    Link link = scene_hit(scene, x, y);
    bool again = home->length > 0 && home->time >= home->length;
    if (again)
        home->time = 0;
    bool changed = choose(session, link) || again;
    if (changed)
        home->choosing = false;
    return changed;
}

static ModeAnswer press(Session *session, Link link) {
    HomeState *home = home_state(session);
    if (link.kind == LINK_COMMAND)
        return MODE_PASSES;
    if (lists(session) && (link.kind == LINK_NONE || link_equal(link, home->door)))
        return close_list(session, (Link){0}) ? MODE_CHANGES : MODE_TAKES;
    return use(session, link, false) ? MODE_CHANGES : MODE_TAKES;
}

const Mode mode_home = {.name = "home",
                        .state_size = sizeof(HomeState),
                        .missing = "action.why.in_home",
                        .key = search,
                        .rolls = true,
                        .press = press,
                        .move = move,
                        .fill = fill,
                        .leave = abandon_loader};

#include "base/strings/literal.h"
#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "formats/format.h"
#include "picture/scene/theme.h"

#include <string.h>

/* ---- scripts ---- */

/* Prints assets/templates/completions.SHELL. Each script runs `glassformer __complete --
 * WORDS…` on the words up to the cursor's and offers its lines, which command_complete
 * below describes. */
ExitCode command_completions(Course *course, const CommandLine *line) {
    static const char *const shells[] = {"bash", "zsh", "fish"};
    Error error;
    size_t i = 0, count = sizeof shells / sizeof *shells;
    while (i < count && strcmp(line->lessons[0], shells[i]) != 0)
        i++;
    if (i == count) {
        error_set(&error, ERROR_USAGE, 0, 0,
                  "there are no completions for '%s'; the shells are bash, zsh and fish",
                  line->lessons[0]);
        return report_error(&error);
    }
    const char *name = arena_format(course->arena, "completions.%s", shells[i]);
    const char *script = template_read(course->arena, name, &error);
    if (script)
        fputs(script, stdout);
    return script ? EXIT_DONE : report_error(&error);
}

/* ---- answers ---- */

/* The word to complete. */
typedef struct Completion {
    Course *course;
    const char *word;  /* as far as it is typed */
    const char *typed; /* in `word`: the part that an answer replaces */
} Completion;

/* Prints an answer, a tab and the first line of its meaning, unless the word begins
 * otherwise or a shell would split the answer or run a part of it. */
static void offer(const Completion *completion, const char *answer, const char *meaning) {
    if (strncmp(answer, completion->typed, strlen(completion->typed)) == 0 &&
        literal_is_plain(answer))
        print("%.*s%s\t%.*s\n", (int)(completion->typed - completion->word),
              completion->word, answer, (int)strcspn(meaning, "\t\r\n"), meaning);
}

/* Offers each of the words of "numpy|torch". */
static void offer_choices(const Completion *completion, const char *choices) {
    while (*choices) {
        char choice[32];
        size_t length = strcspn(choices, "|");
        snprintf(choice, sizeof choice, "%.*s", (int)length, choices);
        offer(completion, choice, "");
        choices += length + (choices[length] == '|');
    }
}

static void offer_commands(const Completion *completion) {
    for (size_t i = 1; command_line_at(i); i++)
        offer(completion, command_line_at(i)->name,
              command_line_words(command_line_at(i), completion->course->language));
}

static void offer_playlists(const Completion *completion) {
    Course *course = completion->course;
    for (const Course *unit = course_first_unit(course); unit && unit->id;
         unit = unit->next)
        offer(completion, unit->id, text_in(&unit->title, course->language));
}

static void offer_lessons(const Completion *completion) {
    Course *course = completion->course;
    for (size_t i = 0; i < course->count; i++)
        offer(completion, course->lessons[i].id,
              course_title(course, i, course->language));
}

static void offer_options(const Completion *completion, const Command *command) {
    CommandOption option;
    for (size_t i = 0;
         command_option_at(command, i, completion->course->language, &option); i++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", option.name);
        offer(completion, name, option.words);
    }
}

/* Formats are a list with commas: the last of them is completed. */
static void offer_formats(const Completion *completion) {
    Completion last = *completion;
    const char *comma = strrchr(last.typed, ',');
    last.typed = comma ? comma + 1 : last.typed;
    for (size_t i = 0; format_at(i); i++)
        offer(&last, format_at(i)->name, "");
}

static void offer_values(const Completion *completion, const CommandOption *option) {
    Course *course = completion->course;
    if (strcmp(option->name, "lang") == 0) {
        for (size_t i = 0; i < course->languages.count; i++)
            offer(completion, course->languages.items[i]->code,
                  course->languages.items[i]->name);
    } else if (strcmp(option->name, "theme") == 0) {
        for (size_t i = 0; i < course->themes.count; i++)
            offer(completion, course->themes.items[i].name, "");
    } else if (strcmp(option->name, "format") == 0) {
        offer_formats(completion);
    } else if (option->choices) {
        offer_choices(completion, option->choices);
    } else if (strcmp(option->value, "FILE") == 0) {
        print(":files\n");
    } else if (strcmp(option->value, "FOLDER|FILE") == 0) {
        print(":folders\n");
    }
}

/* Offers what a command takes behind the options. */
static void offer_arguments(const Completion *completion, const Command *command) {
    const char *takes = command->arguments;
    bool lessons = strstr(takes, "LESSON") != NULL;
    if (!*command->name || strstr(takes, "COMMAND"))
        offer_commands(completion);
    if (lessons)
        offer_lessons(completion);
    if (lessons || strstr(takes, "PLAYLIST"))
        offer_playlists(completion);
    if (strchr(takes, '|'))
        offer_choices(completion, takes);
    if (lessons || strcmp(takes, "FILE") == 0)
        print(":files\n");
}

/* The option of a command that is called `length` bytes of a name; false for none, and
 * for one without a value. */
static bool find_option(const Command *command, const char *name, size_t length,
                        CommandOption *option) {
    for (size_t i = 0; command_option_at(command, i, NULL, option); i++) {
        if (strncmp(option->name, name, length) == 0 && !option->name[length])
            return option->value != NULL;
    }
    return false;
}

/* Prints the answers for the last of the line's words, a line each: the answer, a tab,
 * its meaning. ":files" and ":folders" stand for the shell's own answers. */
ExitCode command_complete(Course *course, const CommandLine *line) {
    const char *const *words = line->lessons;
    size_t last = line->lesson_count - 1;
    const char *word = words[last], *value = strchr(word, '=');
    const char *before =
        last && strncmp(words[last - 1], "--", 2) == 0 ? words[last - 1] + 2 : "";
    Completion completion = {course, word, word};
    const Command *command = command_line_find(words, last);
    CommandOption option;
    if (find_option(command, before, strlen(before), &option)) {
        offer_values(&completion, &option);
    } else if (strncmp(word, "--", 2) == 0 && value) {
        completion.typed = value + 1;
        if (find_option(command, word + 2, (size_t)(value - word) - 2, &option))
            offer_values(&completion, &option);
    } else if (*word == '-') {
        offer_options(&completion, command);
    } else {
        offer_arguments(&completion, command);
    }
    return EXIT_DONE;
}

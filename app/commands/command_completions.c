#include "commands/command.h"

#include "base/strings/literal.h"
#include "commands/command_line.h"
#include "commands/command_options.h"
#include "commands/report.h"

#include <string.h>

/* What shells complete the command line by, printed from its tables: commands, their
 * options, what these can be, the course's lessons and playlists. */

/* ---- words ---- */

/* What an option's value can be, or NULL: where a course says it, from there. "a|b" is
 * written with another sign between. */
static void print_choices(const Course *course, const CommandOption *option, char sign) {
    if (strcmp(option->name, "lang") == 0) {
        for (size_t i = 0; i < course->languages.count; i++)
            printf("%s%s", i ? (char[2]){sign} : "", course->languages.items[i]->code);
    } else if (strcmp(option->name, "theme") == 0) {
        for (size_t i = 0; i < course->themes.count; i++)
            printf("%s%s", i ? (char[2]){sign} : "", course->themes.items[i].name);
    } else {
        for (const char *c = option->choices; *c; c++)
            putchar(*c == '|' ? sign : *c);
    }
}

static bool has_choices(const CommandOption *option) {
    return option->choices || strcmp(option->name, "lang") == 0 ||
           strcmp(option->name, "theme") == 0;
}

static bool is_file(const CommandOption *option) {
    return option->value &&
           (strcmp(option->value, "FILE") == 0 || strcmp(option->value, "FOLDER") == 0);
}

static bool takes_lessons(const Command *command) {
    return strstr(command->arguments, "LESSON") != NULL;
}

static bool takes_playlist(const Command *command) {
    return strstr(command->arguments, "PLAYLIST") != NULL;
}

static bool takes_command(const Command *command) {
    return strstr(command->arguments, "COMMAND") != NULL;
}

/* True if what it takes is one of some words, but no lesson. */
static bool takes_words(const Command *command) {
    return takes_command(command) || takes_playlist(command) ||
           strchr(command->arguments, '|');
}

/* Prints an ID after a blank, unless a shell would take it apart or run a part of it. */
static void print_id(const char *id) {
    if (literal_is_plain(id))
        printf(" %s", id);
}

static void print_playlists(const Course *course) {
    for (const Course *unit = course_first_unit(course); unit && unit->id;
         unit = unit->next)
        print_id(unit->id);
}

/* Prints the IDs of lessons, and of the playlists, which are taken in their place. */
static void print_lessons(const Course *course) {
    for (size_t i = 0; i < course->count; i++)
        print_id(course->lessons[i].id);
    print_playlists(course);
}

static void print_commands(void) {
    for (size_t i = 1; command_line_at(i); i++)
        printf("%s%s", i > 1 ? " " : "", command_line_at(i)->name);
}

/* What a command takes that is no option, where that is one of some words. */
static void print_arguments(const Course *course, const Command *command) {
    if (takes_command(command))
        print_commands();
    else if (takes_lessons(command))
        print_lessons(course);
    else if (takes_playlist(command))
        print_playlists(course);
    for (const char *c = command->arguments; strchr(command->arguments, '|') && *c; c++)
        putchar(*c == '|' ? ' ' : *c);
}

/* Within single quotes of a shell; `special` get a backslash. */
static void print_quoted(const char *text, const char *special) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

/* ---- bash ---- */

/* An arm for each option with values, of whichever command: none has two meanings. */
static void print_bash_values(const Course *course) {
    for (size_t i = 0; command_line_at(i); i++) {
        CommandOption option;
        for (size_t k = 0;
             command_option_at(command_line_at(i), k, course->language, &option); k++) {
            if (!option.value)
                continue;
            printf("    '%s --%s') ", command_line_at(i)->name, option.name);
            if (has_choices(&option)) {
                fputs("COMPREPLY=($(compgen -W '", stdout);
                print_choices(course, &option, ' ');
                fputs("' -- \"$word\")); return ;;\n", stdout);
            } else if (is_file(&option)) {
                fputs("COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", stdout);
            } else {
                fputs("return ;;\n", stdout);
            }
        }
    }
}

static void print_bash_commands(const Course *course) {
    for (size_t i = 0; command_line_at(i); i++) {
        const Command *command = command_line_at(i);
        CommandOption option;
        printf("    '%s') options='", command->name);
        for (size_t k = 0; command_option_at(command, k, course->language, &option); k++)
            printf("%s--%s", k ? " " : "", option.name);
        fputs(takes_lessons(command) ? "' words=$lessons" : "' words='", stdout);
        if (!takes_lessons(command)) {
            print_arguments(course, command);
            putchar('\'');
        }
        fputs(" ;;\n", stdout);
    }
}

static void print_bash(const Course *course) {
    puts("# Completes glassformer in bash; 'glassformer completions bash' prints it.\n"
         "_glassformer() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    local command= options words commands lessons");
    fputs("    commands='", stdout);
    print_commands();
    fputs("'\n    lessons='", stdout);
    print_lessons(course);
    puts("'\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -gt 1 ] && [[ \" $commands \" == *\" ${COMP_WORDS[1]} "
         "\"* "
         "]]; then\n"
         "        command=${COMP_WORDS[1]}\n"
         "    fi\n"
         "    if [ \"$word\" = = ]; then # of --theme=, which bash takes apart\n"
         "        word=\n"
         "    elif [ \"$before\" = = ]; then\n"
         "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "    fi\n"
         "    case \"$command $before\" in");
    print_bash_values(course);
    puts("    esac\n"
         "    case $command in");
    print_bash_commands(course);
    puts("    esac\n"
         "    case $word in\n"
         "    -*) words=$options ;;\n"
         "    *) [ \"$COMP_CWORD\" -gt 1 ] || words=\"$commands $words\" ;;\n"
         "    esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o bashdefault -o default -F _glassformer glassformer");
}

/* ---- zsh ---- */

static void print_zsh_option(const Course *course, const CommandOption *option) {
    printf(" \\\n            '--%s%s[", option->name, option->value ? "=" : "");
    print_quoted(option->words, "[]\\");
    putchar(']');
    if (option->value) {
        putchar(':');
        print_quoted(option->value, ":\\");
        putchar(':');
    }
    if (option->value && has_choices(option)) {
        putchar('(');
        print_choices(course, option, ' ');
        putchar(')');
    } else if (is_file(option)) {
        fputs("_files", stdout);
    }
    putchar('\'');
}

static void print_zsh_command(const Course *course, const Command *command) {
    CommandOption option;
    printf("    %s)\n        _arguments", *command->name ? command->name : "*");
    for (size_t k = 0; command_option_at(command, k, course->language, &option); k++)
        print_zsh_option(course, &option);
    if (takes_lessons(command)) {
        fputs(" \\\n            '*:lesson:_glassformer_lessons'", stdout);
    } else if (takes_words(command)) {
        fputs(" \\\n            '*:argument:(", stdout);
        print_arguments(course, command);
        fputs(")'", stdout);
    } else if (command->lessons_max) {
        fputs(" \\\n            '*:argument:_files'", stdout);
    }
    puts("\n        ;;");
}

static void print_zsh(const Course *course) {
    puts("#compdef glassformer\n"
         "# Completes glassformer in zsh; 'glassformer completions zsh' prints it.\n"
         "_glassformer_lessons() {");
    fputs("    compadd ", stdout);
    print_lessons(course);
    puts("\n    _files -g '*.yaml'\n"
         "}\n"
         "_glassformer() {\n"
         "    local -a commands=(");
    for (size_t i = 1; command_line_at(i); i++) {
        printf("        '%s:", command_line_at(i)->name);
        print_quoted(command_line_words(command_line_at(i), course->language), "\\");
        puts("'");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe command commands\n"
         "    fi\n"
         "    case $words[2] in");
    for (size_t i = 1; command_line_at(i); i++)
        print_zsh_command(course, command_line_at(i));
    print_zsh_command(course, command_line_at(0));
    puts("    esac\n"
         "}\n"
         "_glassformer \"$@\"");
}

/* ---- fish ---- */

static void print_fish_command(const Course *course, const Command *command) {
    const char *when = *command->name ? "__fish_seen_subcommand_from " : "";
    const char *name = *command->name ? command->name : "__fish_use_subcommand";
    CommandOption option;
    for (size_t k = 0; command_option_at(command, k, course->language, &option); k++) {
        printf("complete -c glassformer -n '%s%s' -l %s", when, name, option.name);
        if (option.value && has_choices(&option)) {
            fputs(" -x -a '", stdout);
            print_choices(course, &option, ' ');
            putchar('\'');
        } else if (option.value) {
            fputs(is_file(&option) ? " -r -F" : " -x", stdout);
        }
        fputs(" -d '", stdout);
        print_quoted(option.words, "");
        puts("'");
    }
    if (!takes_lessons(command) && !takes_words(command))
        return;
    printf("complete -c glassformer -n '%s%s' -a '", when, name);
    print_arguments(course, command);
    puts("'");
}

static void print_fish(const Course *course) {
    puts("# Completes glassformer in fish; 'glassformer completions fish' prints it.");
    for (size_t i = 1; command_line_at(i); i++) {
        printf("complete -c glassformer -n __fish_use_subcommand -a %s -d '",
               command_line_at(i)->name);
        print_quoted(command_line_words(command_line_at(i), course->language), "");
        puts("'");
    }
    for (size_t i = 0; command_line_at(i); i++)
        print_fish_command(course, command_line_at(i));
}

ExitCode command_completions(Course *course, const CommandLine *line) {
    static const struct {
        const char *name;
        void (*print)(const Course *course);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    Error error;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(line->lessons[0], shells[i].name) != 0)
            continue;
        shells[i].print(course);
        return EXIT_DONE;
    }
    error_set(&error, ERROR_USAGE, 0, 0,
              "there are no completions for '%s'; the shells are bash, zsh and fish",
              line->lessons[0]);
    return report_error(&error);
}

/* Hands seeds to their targets again.
 *
 *   replay                  each target its folder of tests/fuzz/seeds; prints TAP
 *   replay TARGET FILE…     one target these files
 *   replay --targets        prints the targets' names, each with more files that are
 * seeds replay --words TARGET   prints a dictionary for libFuzzer
 *
 * The source folder is GLASSFORMER_SOURCE's. A target that goes wrong ends the program.
 */
#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void replay(const Target *target, const char *path) {
    FILE *file = fopen(path, "rb");
    TARGET_EXPECT(file && fseek(file, 0, SEEK_END) == 0);
    size_t length = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(length ? length : 1); /* no longer: sanitizers see its end */
    TARGET_EXPECT(bytes && fread(bytes, 1, length, file) == length);
    fclose(file);
    target->run(bytes, length);
    free(bytes);
}

/* How many seeds a target has. */
static size_t replay_folder(const Target *target) {
    char within[200], folder[1024], path[2048];
    size_t count = 0;
    snprintf(within, sizeof within, "tests/fuzz/seeds/%s", target->name);
    DIR *listing = opendir(target_source(folder, within));
    for (struct dirent *entry = listing ? readdir(listing) : NULL; entry;
         entry = readdir(listing)) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        fprintf(stderr, "%s\n", path); /* the last is the one that went wrong */
        replay(target, path);
        count++;
    }
    if (listing)
        closedir(listing);
    return count;
}

static int replay_all(void) {
    size_t number = 0, failed = 0;
    FILE *tap = fdopen(dup(STDOUT_FILENO), "w"); /* what targets print goes nowhere */
    TARGET_EXPECT(tap && freopen("/dev/null", "w", stdout));
    for (const Target *target = targets; target->name; target++) {
        size_t count = replay_folder(target);
        fprintf(tap, "%sok %zu - %s: %zu seeds\n", count ? "" : "not ", ++number,
                target->name, count);
        fflush(tap);
        failed += count == 0;
    }
    fprintf(tap, "1..%zu\n", number);
    fclose(tap);
    return failed != 0;
}

int main(int argument_count, char **arguments) {
    if (argument_count == 1)
        return replay_all();
    if (strcmp(arguments[1], "--targets") == 0) {
        for (const Target *target = targets; target->name; target++)
            printf("%s %s\n", target->name, target->more ? target->more : "");
        return 0;
    }
    bool words = strcmp(arguments[1], "--words") == 0;
    const Target *target =
        argument_count > (words ? 2 : 1) ? target_find(arguments[words ? 2 : 1]) : NULL;
    if (!target) {
        fprintf(stderr, "replay [--targets | --words TARGET | TARGET FILE...]\n");
        return 2;
    }
    if (words && target->words)
        target->words();
    for (int i = 2; !words && i < argument_count; i++)
        replay(target, arguments[i]);
    return 0;
}

#include "files/files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_data_folder(const char *folder) {
    char assets[DATA_FOLDER_SIZE + 20];
    snprintf(assets, sizeof assets, "%s/assets/strings", folder);
    return access(assets, R_OK) == 0;
}

/* The folder an installed program has its data in; "" when the system doesn't say where
 * the program is. */
static void installed_folder(char folder[DATA_FOLDER_SIZE]) {
    static const char beside[] = "/../share/glassformer/course";
    ssize_t length = readlink("/proc/self/exe", folder, DATA_FOLDER_SIZE - sizeof beside);
    folder[length > 0 ? length : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        strcpy(slash, beside);
}

bool data_folder_find(char folder[DATA_FOLDER_SIZE], Error *error) {
    const char *wanted = getenv("GLASSFORMER_DATA");
    if (wanted && *wanted) {
        snprintf(folder, DATA_FOLDER_SIZE, "%s", wanted);
        return is_data_folder(folder) ||
               error_set(error, ERROR_FILE, 0, 0,
                         "GLASSFORMER_DATA is '%s', where there is no assets/strings; it "
                         "must be the folder that has 'lessons' and 'assets'",
                         wanted);
    }
    char installed[DATA_FOLDER_SIZE];
    installed_folder(installed);
    strcpy(folder, installed);
    if (is_data_folder(folder))
        return true;
    strcpy(folder, GLASSFORMER_PROJECT_FOLDER);
    return is_data_folder(folder) ||
           error_set(error, ERROR_FILE, 0, 0,
                     "the lessons are neither in '%s' nor in '%s'; set GLASSFORMER_DATA "
                     "to the folder that has 'lessons' and 'assets'",
                     installed, GLASSFORMER_PROJECT_FOLDER);
}

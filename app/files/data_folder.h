/* The data folder: what the program comes with, wherever it was started.
 *
 * It has `lessons/` and `assets/`. It is $GLASSFORMER_DATA, else where an installed
 * program keeps it (../share/glassformer/course beside the program's folder), else the
 * project folder that the program was built in. */
#pragma once

#include "base/error.h"

enum { DATA_FOLDER_SIZE = 4096 };

/* Finds it. ERROR_FILE with a sentence that says where it was looked for. */
bool data_folder_find(char folder[DATA_FOLDER_SIZE], Error *error);

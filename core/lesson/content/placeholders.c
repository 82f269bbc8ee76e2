#include "lesson/content/placeholders.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

/* Formats a number so that only 0 reads as 0. */
static const char *number_of(char out[NUMBER_SIZE], double value, int decimals) {
    enum { MOST = 3 };
    if (decimals >= 0)
        return number_format_shortest(out, value, decimals);
    number_format_short(out, value, MOST);
    bool vanishes = strcmp(out, "0") == 0 && fabs(value) > 0;
    return vanishes ? number_format_shortest(out, value, MOST) : out;
}

static void write(const Placeholders *placeholders, const PlaceholderWording *wording) {
    char *end = wording->out, number[NUMBER_SIZE];
    for (size_t i = 0; i < wording->count; i++) {
        const PlaceholderPiece *piece = &wording->pieces[i];
        memcpy(end, piece->words, piece->length);
        end += piece->length;
        if (piece->node == TAPE_NONE)
            continue;
        double value = tape_node(placeholders->tape, piece->node)->output.values[0];
        number_of(number, value, piece->decimals);
        memcpy(end, number, strlen(number));
        end += strlen(number);
    }
    *end = 0;
}

void placeholders_refresh(const Placeholders *placeholders) {
    tape_recompute(placeholders->tape, placeholders->lesson_nodes,
                   tape_count(placeholders->tape));
    for (const PlaceholderWording *wording = placeholders->wordings; wording;
         wording = wording->next)
        write(placeholders, wording);
}

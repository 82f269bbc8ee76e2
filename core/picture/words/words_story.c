#include "lesson/content/content.h"
#include "picture/draw/canvas.h"
#include "picture/draw/roles.h"
#include "picture/words/words_parts.h"
#include "tensor/tape/tape.h"

#include <string.h>

static const double TEXT_UNITS = 17.5, LEADING = 1.5, WIDEST_UNITS = 1100;

/* Area limited to a readable line length. */
static Box readable(Box area) {
    area.w = area.w < WIDEST_UNITS ? area.w : WIDEST_UNITS;
    return area;
}

/* Purpose of a product within an attention; NULL for other products. */
static const char *part_in_attention(const Tape *tape, const PlayerStep *at) {
    static const char *const keys[ROLE_COUNT] = {[ROLE_QUERY] = "story.query",
                                                 [ROLE_KEY] = "story.key",
                                                 [ROLE_VALUE] = "story.value"};
    if (strcmp(at->topic, operation_of(OPERATION_MATMUL)->name) != 0)
        return NULL;
    const size_t *inputs = tape_node(tape, at->node)->inputs;
    if (role_of_node(tape, inputs[0]) == ROLE_QUERY &&
        role_of_node(tape, inputs[1]) == ROLE_KEY)
        return "story.scores";
    return keys[role_of_node(tape, at->node)];
}

/* Key of the step's story; queries, keys, values and scores are products with stories of
 * their own. */
static const char *story_key(const PageParts *parts) {
    const Player *player = parts->page->player;
    const char *key = part_in_attention(player->lesson->tape, player_step(player));
    return key ? canvas_string(parts->canvas, key) : words_general(parts, "story");
}

double words_story(const PageParts *parts, Box area, bool draw) {
    const Theme *theme = parts->canvas->theme;
    bool own;
    WordsText text = {.font = FONT_TEXT,
                      .units = TEXT_UNITS,
                      .leading = LEADING,
                      .lines = 3,
                      .color = theme->ink_soft,
                      .text = generated_words(parts, "say", &own)};
    Box rest = readable(area);
    const Player *player = parts->page->player;
    const LessonStep *step = &player->lesson->steps[player_statement(player)];
    if (own)
        box_take_top(&rest, words_text(parts, &text, rest, draw) + 6);
    if (own && step->shown_count) /* shown tables compute nothing */
        return rest.y - area.y;
    text.text = story_key(parts);
    text.color = theme->ink;
    return rest.y - area.y + words_text(parts, &text, rest, draw);
}

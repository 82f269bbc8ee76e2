/* Functions that the room's own files share. */
#pragma once

#include "lesson/content/block.h"
#include "model/build/transformer.h"
#include "picture/chrome/chrome.h"
#include "picture/map/map.h"

/* Draws a tensor as a small image that fits into the box. */
void map_thumbnail(const PageParts *parts, size_t node, Box box);

/* Reports whether the map shows a node of a later step: the page shows its influence, or
 * a change has moved it. */
bool map_shows_ahead(const PageParts *parts, size_t node);

/* Draws the box of a step or a part; dark if it is the present one. */
void map_box(const Canvas *canvas, Box box, bool present);

/* Draws the ring of a step or a part whose tensor is not shown yet. */
void map_ring(const Canvas *canvas, Box box);

/* Strikes out the words in a box, whose step or part is muted. */
void map_strike(const Canvas *canvas, Box box);

/* Reports whether a lesson's steps are those of its model, whose towers are its map. */
bool map_has_towers(const Lesson *lesson);

/* Block of the player's step outside a model: that of its composite's topic; else of its
 * statement, or of the last one before it that names one; else of the lesson. */
LessonBlock map_block(const Player *player);

/* Block that a step within a composite has by its own topic or role. */
LessonBlock map_own_block(const Player *player, const PlayerStep *step);

/* Block of a statement: the lesson's, until a statement gives another. */
LessonBlock map_stated_block(const Lesson *lesson, size_t statement);

/* State of a box. While the cursor is on a layer as a whole, the layer's parts count as
 * computed. */
typedef enum BoxState { BOX_TO_COME, BOX_PRESENT, BOX_DONE } BoxState;

BoxState tower_box_state(const Towers *towers, const TowerBox *box, const Tower *tower);
const char *tower_box_words(const Towers *towers, const TowerBox *box);

/* Reports whether the step is no part of the model, but about the block of that name. */
bool towers_are_about(const Towers *towers, const char *name);

/* Part of the encoder output, or PLAYER_NONE. */
size_t towers_memory_part(const Transformer *model);

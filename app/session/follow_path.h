/* The path of cells followed back from a number: the state of mode_trace. */
#pragma once

#include "lesson/play/follow.h"
#include "session/mode.h"

/* A cell of the path, and where the session stood when it was explained. */
typedef struct FollowPathPoint {
    FollowCell cell;
    size_t step;  /* of the player */
    size_t depth; /* of the player */
    size_t at;    /* cell of the player, or PLAYER_NONE */
    bool has_pin;
    Link pin; /* LINK_CELL */
    LessonView view;
    size_t view_step; /* that the view was chosen for */
} FollowPathPoint;

typedef struct FollowPath {
    size_t count; /* 0, or 2 and more */
    size_t capacity;
    FollowPathPoint *places; /* on the heap; freed with the session */
} FollowPath;

FollowPath *follow_path(const Session *session);

/* Reports whether the session stands at the end of the path. */
bool trace_is_open(const Session *session);

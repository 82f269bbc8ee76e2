#include "picture/views.h"

void waves_view(const Stage *stage, ViewPlace place) {
    (void)stage;
    (void)place;
}

/* The pictures of the operations: one table, in operation_picture.c, holds one for every
 * operation. They lie below by kind: matrices/matrix_pictures.h, rows/row_pictures.h,
 * embeddings/embedding_pictures.h. Each draws stage->node into stage->area.
 */
#pragma once

#include "picture/stage/stage.h"
#include "tensor/operations/operation.h"

/* operation_picture.c: returns true if an operation can be drawn; a test checks all. */
bool operation_has_picture(OperationKind kind);

/* Draws the operation's own picture, or that of a muted one. */
void operation_picture(const Stage *stage);

/* Draws the operation while its output is asked for: without anything on the way to
 * it. */
void asked_picture(const Stage *stage);

/* backward_picture.c: gradient · derivative → gradient */
void backward_picture(const Stage *stage);

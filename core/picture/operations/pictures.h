/* The pictures of the operations: one table, in operation_picture.c, holds one for every
 * operation. They lie below by kind: matrices/matrix_pictures.h, rows/row_pictures.h,
 * embeddings/embedding_pictures.h. Each draws stage->node into stage->area.
 */
#ifndef PICTURE_PICTURES_H
#define PICTURE_PICTURES_H

#include "picture/stage/stage.h"

/* operation_picture.c: whether an operation can be drawn; a test asks it of all */
bool operation_has_picture(OperationKind kind);

/* The operation's own picture, or that of a muted one. */
void operation_picture(const Stage *stage);

/* The same where the output is to be found out: nothing on the way to it is shown. */
void asked_picture(const Stage *stage);

/* backward_picture.c: gradient · derivative → gradient */
void backward_picture(const Stage *stage);

#endif

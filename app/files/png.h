/* PNG files: 8-bit RGB, the same bytes for the same pixels.
 *
 * A picture is written to a temporary file beside its own and renamed when it is whole,
 * so that a name never holds half a picture. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes one picture after the other, from rows as they come. */
typedef struct Png Png;

/* NULL when there is no memory. The caller destroys it. */
Png *png_create(void);

/* NULL is fine. */
void png_destroy(Png *png);

/* Begins a picture of so many pixels. ERROR_VALUE when it has none or is wider or higher
 * than PNG allows, ERROR_MEMORY. */
bool png_begin(Png *png, size_t width, size_t height, Error *error);

/* Adds the next `count` rows of pixels 0xAARRGGBB (alpha is left out), `stride` pixels
 * apart; after png_begin, and no more than the picture's height in all. */
void png_add(Png *png, const uint32_t *rows, size_t count, size_t stride);

/* The picture's file, of which all rows are there. Borrowed until the next picture
 * begins. NULL with ERROR_MEMORY. */
const uint8_t *png_pack(Png *png, size_t *size, Error *error);

/* Writes the picture, of which all rows are there. ERROR_FILE, ERROR_MEMORY; then nothing
 * new is left behind and an older file of that name is as it was. */
bool png_save(Png *png, const char *path, Error *error);

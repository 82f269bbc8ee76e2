/* PNG files: 8-bit RGB, the same bytes for the same pixels.
 *
 * A picture is written to a temporary file beside its own and renamed when it is whole,
 * so that a name never holds half a picture. */
#ifndef APP_PNG_H
#define APP_PNG_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes height rows of width pixels 0xAARRGGBB (alpha is left out), rows `stride` pixels
 * apart. ERROR_FILE when the file can't be written, ERROR_VALUE for a picture without
 * pixels or wider or higher than PNG allows, ERROR_MEMORY; then nothing new is left
 * behind and an older file of that name is as it was. */
bool png_write(const char *path, const uint32_t *pixels, size_t width, size_t height,
               size_t stride, Error *error);

/* The same into memory: *bytes holds *size bytes, which the caller frees. */
bool png_encode(const uint32_t *pixels, size_t width, size_t height, size_t stride,
                uint8_t **bytes, size_t *size, Error *error);

#endif

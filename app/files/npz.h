/* npz files: tensors as numpy.load reads them.
 *
 * An npz is a zip of .npy files, one per tensor, not compressed; numbers are float64. No
 * time or machine is stored: the same tensors have the same bytes. Source: NumPy,
 * numpy.lib.format; PKWARE, APPNOTE.TXT 6.3.10. */
#pragma once

#include "base/error.h"
#include "tensor/tensor.h"

typedef struct NpzTensor {
    const char *name; /* without ".npy"; names differ */
    const Tensor *tensor;
} NpzTensor;

/* Writes a file, whole or not at all. ERROR_FILE, ERROR_MEMORY; ERROR_LIMIT past the 4
 * GiB that a zip of this form can hold. */
bool npz_write(const char *path, const NpzTensor *tensors, size_t count, Error *error);

// SPDX-License-Identifier: GPL-3.0-or-later
/// A place for numbers that took long to find.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Keeps numbers from one run of the program to the next, by a hash of what they were made from. Thread-safe.
typedef struct qvNumberStore
{
    void* context;
    /// The numbers of a hash, to be freed; NULL when they are not known.
    double* (*load)(void* context, uint64_t hash, size_t* count);
    void (*save)(void* context, uint64_t hash, const double* numbers, size_t count);
} qvNumberStore;

#ifdef __cplusplus
}
#endif

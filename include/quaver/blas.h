// SPDX-License-Identifier: GPL-3.0-or-later
/// Set-up of OpenBLAS, for the start of a program that uses the solver. It matters for speed and for what happens when
/// memory is short, not for results.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes BLAS and LAPACK calls run on the calling thread only: the solver is parallel over keys, modes and vertices
/// itself, and two levels of threads on the same cores slow each other down. Process-wide.
void qvBlas_UseOneThread(void);

/// The kernels that OpenBLAS picked when it was loaded, such as "SkylakeX". Never NULL.
const char* qvBlas_CoreName(void);

/// What the environment variable OPENBLAS_CORETYPE should be for this CPU ("SKYLAKEX", "HASWELL"), or NULL when
/// OpenBLAS picked well by itself. OpenBLAS reads the variable when it is loaded, so a program that wants it sets
/// it and starts itself again. OpenBLAS falls back to kernels of 2004 on CPUs that are newer than itself.
const char* qvBlas_WantedCore(void);

/// Whether the system limits the address space of this program (ulimit -v).
bool qvBlas_IsCramped(void);

/// Takes the memory that so many threads need which call BLAS at a time, 128 MB of addresses each, where addresses are
/// limited: OpenBLAS tries for ever to get what it lacks in the middle of a call. Before the first call. Threads of
/// OpenBLAS itself take as much while it is loaded: OPENBLAS_NUM_THREADS=1 keeps them away.
QV_CHECKED qvResult qvBlas_Claim(int threads, qvError* error);

#ifdef __cplusplus
}
#endif

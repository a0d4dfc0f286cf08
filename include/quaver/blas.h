// SPDX-License-Identifier: GPL-3.0-or-later
/// Set-up of OpenBLAS, for the start of a program that uses the solver. Both matter for speed, not for results.
#pragma once

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

#ifdef __cplusplus
}
#endif

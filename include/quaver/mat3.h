// SPDX-License-Identifier: GPL-3.0-or-later
/// 3x3 matrices in double.
#pragma once

#include "quaver/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Stored by rows: m[row][column].
typedef struct qvMat3
{
    double m[3][3];
} qvMat3;

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// Tables of parameters. What has parameters (a brush, a layer) describes each once; the inspector, scene files, the
/// command line and the generic tests read the table.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qvParameterType
{
    qv_parameterNumber, ///< double
    qv_parameterInt,    ///< int
    qv_parameterBool,   ///< bool
    qv_parameterVector, ///< qvVec3, each component in range
    qv_parameterPoint,  ///< qvVec3 in the mesh's space
    qv_parameterAxes,   ///< unsigned: bit 0 for x, 1 for y, 2 for z; written as a subset of "xyz"
} qvParameterType;

typedef struct qvParameter
{
    const char* tag;   ///< stable name in files
    const char* label; ///< for people
    const char* unit;  ///< "" when it has none; "m" for a length in the mesh's units, "rad", "1/s"
    qvParameterType type;
    double minimum, maximum;
    double standard[3]; ///< default; of numbers the first
    size_t offset;      ///< where the value is in its struct
} qvParameter;

#ifdef __cplusplus
}
#endif

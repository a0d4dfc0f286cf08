// SPDX-License-Identifier: GPL-3.0-or-later
// libdraco, which speaks C++ only, from C. Compiled where it was found when this was built (QUAVER_DRACO).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvDraco qvDraco;

/// A mesh; NULL where the bytes hold none, or one whose attributes would take more than limit bytes while they are
/// decoded. What its header says of its size must have been checked: memory follows it.
qvDraco* qvCreateDraco(const uint8_t* bytes, size_t size, size_t limit);
void qvDestroyDraco(qvDraco* draco); ///< NULL is allowed

int64_t qvDraco_PointCount(const qvDraco* draco);
int64_t qvDraco_TriangleCount(const qvDraco* draco);

/// Three points of a triangle.
void qvDraco_Triangle(const qvDraco* draco, int64_t triangle, uint32_t points[3]);

/// The values of all points by the attribute's unique number, components of a type of glTF (5121 and so on) each,
/// stride bytes from one to the next. False where there is no such attribute or its values do not go into the type.
bool qvDraco_Attribute(const qvDraco* draco, uint32_t id, int componentType, int components, size_t stride,
                       uint8_t* values);

#ifdef __cplusplus
}
#endif

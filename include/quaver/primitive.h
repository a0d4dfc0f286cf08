// SPDX-License-Identifier: GPL-3.0-or-later
/// Built-in shapes. Each stands on y = 0 with y up, centred on the y axis, inside the box from (-1, 0, -1) to
/// (1, 2, 1), is exactly 2 high or wide, has UVs, is a mirror image of itself in x, and is closed and clean unless its
/// description says otherwise. The sheet stands upright in the xy plane and faces +z, as on a washing line; the torus
/// lies flat; the imp and the sack face +z.
#pragma once

#include "quaver/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    qv_minResolution = 1,
    qv_maxResolution = 200,
};

typedef struct qvPrimitive
{
    const char* tag;         ///< in scene files: "sack"
    const char* label;       ///< in menus: "Flour sack"
    const char* description; ///< one sentence
    int defaultResolution;
    /// Fills the mesh; resolution is in [qv_minResolution, qv_maxResolution].
    qvResult (*create)(int resolution, qvMesh** mesh, qvError* error);
} qvPrimitive;

/// All primitives, in menu order.
int qvPrimitiveCount(void);
const qvPrimitive* qvGetPrimitive(int index);

/// By tag, or NULL.
const qvPrimitive* qvFindPrimitive(const char* tag);

/// Makes a primitive's mesh. resolution grows the number of triangles (below 1 million); 0 means the
/// primitive's default (about 2,000 points). Fails for
/// an unknown tag or a resolution out of range.
QV_CHECKED qvResult qvCreatePrimitive(const char* tag, int resolution, qvMesh** mesh, qvError* error);

#ifdef __cplusplus
}
#endif

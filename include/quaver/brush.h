// SPDX-License-Identifier: GPL-3.0-or-later
/// Brushes: strokes that pose a mesh elastically. A stroke says what happens at its centre, and the elastic body around
/// it follows.
///
///     qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), diagonal);
///     stroke.at = picked;
///     stroke.drag = moved;
///     if (qvStroke_Applyf(&stroke, &target, NULL, points, &error) != qv_ok) ...
#pragma once

#include "quaver/job.h"
#include "quaver/kelvinlet.h"
#include "quaver/parameter.h"
#include "quaver/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvBrush qvBrush;
typedef struct qvStroke qvStroke;
typedef struct qvStrokeTarget qvStrokeTarget;

/// One dab of a brush. Fields that a brush's parameter table does not list are ignored by it.
struct qvStroke
{
    const qvBrush* brush;
    qvVec3 at;       ///< centre, where the mesh is now
    qvVec3 drag;     ///< displacement of the centre
    qvVec3 axis;     ///< any length but zero
    qvVec3 joint;    ///< of a limb: where it bends, where the mesh is now
    int segments;    ///< of a limb, 1 to 4: how many parts follow each other
    double angle;    ///< radians
    double amount;   ///< change of length at the centre, > -1
    double radius;   ///< > 0
    int scales;      ///< 1 to 3: how fast the effect fades with distance
    double poisson;  ///< 0 to 0.5: how much volume is kept
    double strength; ///< 0 to 1, multiplies drag, angle and amount
    unsigned mirror; ///< bits 0 to 2: also at the other side of x = 0, y = 0, z = 0
    bool connected;  ///< only the connected parts of the mesh that the centres are on
    bool pins;       ///< pinned points stay where they are, and the field bends around them
    bool ground;     ///< nothing is pushed through the ground, and what stands on it does not sink
};

/// What a body stands on, where the points are: everything with dot(up, x) above the height is free.
typedef struct qvStrokeGround
{
    qvVec3 up; ///< of length 1
    double height;
} qvStrokeGround;

/// What a stroke acts on. All arrays have pointCount entries.
struct qvStrokeTarget
{
    int pointCount;
    const float* weights;         ///< 0 (a pin, masked) to 1 per point; NULL: all 1
    const float* distances;       ///< distance along the surface from the nearest centre (qvComputeDistances), so
                                  ///< that the effect fades along the surface and does not jump gaps; NULL: it does
    const qvTopology* topology;   ///< needed by `connected` and by brushes that are not elastic; may be NULL otherwise
    qvPool* pool;                 ///< may be NULL
    const uint8_t* pinned;        ///< not 0: pinned, for strokes with `pins`; NULL: none is
    const qvStrokeGround* ground; ///< for strokes with `ground`; NULL: there is none
};

/// A stroke as a wave instead of at rest.
typedef struct qvStrokeWave
{
    bool impulse; ///< a blow that peaks at the stroke's amount; else a push that tends to the stroke
    double age;   ///< seconds since it started
    double speed; ///< of the shear wave, units per second, > 0
    double fade;  ///< 1/s
} qvStrokeWave;

enum
{
    qv_maxStrokeCopies = 8,
    qv_maxChain = 5, ///< joints of a limb and its end
};

/// The descriptor at the end of each brush_x.c. Either `handle` or `shape` is set.
struct qvBrush
{
    const char* tag;   ///< stable name in files
    const char* label; ///< for people
    const char* description;
    const qvParameter* parameters; ///< offsets into qvStroke
    int parameterCount;
    size_t measure; ///< offset into qvStroke of the parameter that says how much: a drag, or a number

    /// What the stroke does at its centre: sets moves and displacement, or turns and gradient.
    void (*handle)(const qvStroke* stroke, qvHandle* handle);

    /// New positions from old ones, for a brush that is not elastic. part in (0, 1] multiplies the strength.
    qvResult (*shape)(const qvStroke* stroke, const qvStrokeTarget* target, double part, const float* weights,
                      qvPoints* points, qvError* error);
};

int qvBrushCount(void);
const qvBrush* qvGetBrush(int index);        ///< in palette order
const qvBrush* qvFindBrush(const char* tag); ///< by tag, or NULL
/// The parameter at an offset into qvStroke; NULL: the brush does not have it.
const qvParameter* qvBrush_FindParameter(const qvBrush* brush, size_t offset);
/// The number that says how much a stroke does; NULL: its drag does.
double* qvStroke_Measure(qvStroke* stroke);

/// All fields at their defaults; the radius is 0.15 of the diagonal (of the mesh's bounding box).
qvStroke qvDefaultStroke(const qvBrush* brush, double diagonal);

/// Checks every parameter of the brush against its range. The message starts with the parameter's tag.
QV_CHECKED qvResult qvStroke_Validate(const qvStroke* stroke, qvError* error);

/// The centre and its mirror images, each once. Returns how many.
int qvStroke_Centers(const qvStroke* stroke, qvVec3 centers[qv_maxStrokeCopies]);

/// The joints of a bend and the end of its limb, where the stroke takes them. Returns how many; 0 for other brushes and
/// for a limb of no length.
int qvStroke_Chain(const qvStroke* stroke, qvVec3 points[qv_maxChain]);

/// The loads of a stroke, one per centre, with their forces solved together (static or, with a wave, dynamic): for
/// events that send strokes as waves. Fails for a brush that is not elastic.
QV_CHECKED qvResult qvStroke_Loads(const qvStroke* stroke, const qvStrokeWave* wave,
                                   qvKelvinlet loads[qv_maxStrokeCopies], int* count, qvError* error);

/// Moves the points. wave is NULL for the pose itself. Every centre of a grab ends exactly at its target; a twist
/// turns its centre by exactly the angle; scale and pinch stretch it by exactly 1 + amount, for every Poisson
/// ratio. Mirrored copies are solved together. A grab's impulse peaks at its drag, and mirrored never beyond it, save
/// for what advection adds (5 %); images closer than a radius cancel some of what is asked across the plane. Impulses
/// of the other brushes are each set alone and add where mirrored copies meet. The same bits for any pool.
///
/// Near a mirror plane not everything can be met: a drag across the plane would carry the two centres through each
/// other, which no deformation does, and ends 0.025 radii before it; and what a stroke asks across the plane fades out,
/// a drag from 0.025 to 0.01 radii of distance, a turn or shear from 0.1 to 0.02. Along the plane it stays exact.
/// Images closer than about a radius may move each other's centres when they turn or stretch. On the plane (within 1e-6
/// radii) a stroke counts once, as it is given.
QV_CHECKED qvResult qvStroke_Applyf(const qvStroke* stroke, const qvStrokeTarget* target, const qvStrokeWave* wave,
                                    qvVec3f* points, qvError* error);

/// The same in double.
QV_CHECKED qvResult qvStroke_Apply(const qvStroke* stroke, const qvStrokeTarget* target, const qvStrokeWave* wave,
                                   qvVec3* points, qvError* error);

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact keys: where a motion goes through the ground or a sphere, how deep, and the keys that keep it out. A contact
/// is nothing new in a scene: what is added are ordinary keys, undone, saved and baked like any other.
///
///     qvContactDef def = qvDefaultContactDef();             // the ground at y = 0
///     qvContactReport* report;
///     qvResult result = qvFindContacts(take, &def, &job, &report, &error);
///     if (result != qv_ok)
///         return result;
///     bool inside = report->contactCount > 0;
///     qvDestroyContactReport(report);
///     qvContactPlan* plan = NULL;
///     if (inside)
///         result = qvPlanContacts(take, &def, pipeline, &job, &plan, &error);
///     if (plan != NULL)
///         result = qvContactPlan_Apply(plan, document, &error); // one undo step
///     qvDestroyContactPlan(plan);
///
/// Only vertices are looked at: a sphere smaller than a triangle can be within it.
#pragma once

#include "quaver/document.h"
#include "quaver/take.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum qvObstacleKind
{
    qv_obstacleGround, ///< what lies below a height
    qv_obstacleSphere, ///< what lies inside
    qv_obstacleScene,  ///< the scene's ground and obstacles, where they are at each time
} qvObstacleKind;

typedef struct qvObstacle
{
    qvObstacleKind kind;
    double height; ///< of the ground, y
    qvVec3 centre; ///< of the sphere
    double radius; ///< above 0
} qvObstacle;

/// Start from qvDefaultContactDef(). Lengths in scene units.
typedef struct qvContactDef
{
    qvObstacle obstacle; ///< default: the ground at y = 0
    /// Of the scene, for qv_obstacleScene. Default NULL: made from the take's scene and its mesh files.
    const qvObstacles* obstacles;
    double tolerance;   ///< what does not count, fraction of the diagonal, 1e-5 to 0.1; default 0.002
    int keysPerContact; ///< at most, 1 to 32; default 6
    /// Keys that are inside themselves are moved out as a whole, by their transform. Default false: they stay, and
    /// next to them only what is deeper than they are is a contact.
    bool lift;
} qvContactDef;

qvContactDef qvDefaultContactDef(void);

/// How deep a place is inside the ground or the sphere, units; negative outside. normal (may be NULL): the way out, of
/// length 1.
double qvObstacle_Depth(const qvObstacle* obstacle, qvVec3 at, qvVec3* normal);

/// A time in which the motion is inside.
typedef struct qvContact
{
    double begin, end; ///< s; in a loop it may go on beyond the end of the range
    double time;       ///< when it is deepest
    double depth;      ///< units
    int point;         ///< the deepest one
    int pointCount;    ///< how many are inside at that time
    bool waves;        ///< it is waves that go in, which lie on top of the keys and are not held by them
} qvContact;

/// A key whose own pose is inside. No other key can help that.
typedef struct qvContactKey
{
    qvId key;
    double depth; ///< units
} qvContactKey;

/// What was found over the range of the scene.
typedef struct qvContactReport
{
    double diagonal; ///< of the body
    double depth;    ///< the deepest of all, units, keys and waves included; 0: nothing is inside
    double time;     ///< of it, s
    int contactCount, keyCount;
    qvContact* contacts; ///< ascending in time
    qvContactKey* keys;  ///< the same
} qvContactReport;

/// Looks at four moments per frame. Fails for numbers that are not finite or out of range, and for a range with more
/// than 100,000 frames.
QV_CHECKED qvResult qvFindContacts(const qvTake* take, const qvContactDef* def, const qvJob* job,
                                   qvContactReport** report, qvError* error);
void qvDestroyContactReport(qvContactReport* report); ///< NULL is allowed

/// Keys that keep a motion out.
typedef struct qvContactPlan qvContactPlan;

/// Finds keys, solves the scene with them, looks again, and goes on until nothing is deeper than the tolerance or it
/// gets no better. Nothing is changed. A body that is moved by a clip of its file has no keys to add to:
/// qv_unsupported.
QV_CHECKED qvResult qvPlanContacts(const qvTake* take, const qvContactDef* def, qvPipeline* pipeline, const qvJob* job,
                                   qvContactPlan** plan, qvError* error);
void qvDestroyContactPlan(qvContactPlan* plan); ///< NULL is allowed

int qvContactPlan_KeyCount(const qvContactPlan* plan);    ///< that are added
int qvContactPlan_LiftedCount(const qvContactPlan* plan); ///< keys that are moved out
/// What is left when the plan is applied.
const qvContactReport* qvContactPlan_Report(const qvContactPlan* plan);

/// Does it, as one undo step. The document must hold the scene that the plan was made for.
QV_CHECKED qvResult qvContactPlan_Apply(const qvContactPlan* plan, qvDocument* document, qvError* error);

// --- Standing -----------------------------------------------------------------------------------------------------

typedef enum qvStandMode
{
    qv_standDrop, ///< the lowest point of the body touches the ground, from above or from below
    qv_standKeep, ///< what is below the ground comes up; what is above it stays
} qvStandMode;

/// How far above the scene's ground a body's lowest point is at a time of its motion, without waves; below: negative.
/// Fails only when memory runs out.
QV_CHECKED qvResult qvFindClearance(const qvTake* take, double time, double* clearance, qvError* error);

/// Puts keys on the scene's ground by their transforms, as one undo step; their poses stay as they are. The document
/// holds the take's scene. moved (may be NULL) gets how many keys were moved: those that were there already are not.
/// Fails for keys whose place cannot be keyed: partial and soft ones, and those within extra turns of the body.
QV_CHECKED qvResult qvStandKeys(const qvTake* take, const qvId* keys, int count, qvStandMode mode, qvDocument* document,
                                int* moved, qvError* error);

#ifdef __cplusplus
}
#endif

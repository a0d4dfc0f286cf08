// SPDX-License-Identifier: GPL-3.0-or-later
/// Keys to motion. A body of triangles passes through poses at given times, with the least force in between: it
/// anticipates, overshoots, wobbles and settles. K. Hildebrandt, C. Schulz, C. von Tycowicz, K. Polthier,
/// "Interactive Spacetime Control of Deformable Objects", 2012.
///
/// Two objects, so that most edits are cheap. A qvMotionSpace holds what depends on shapes: vibration modes, the
/// reduced basis and the linearized elasticity of every distinct pose. It takes seconds for thousands of points. A
/// qvMotion holds the curves; it takes milliseconds and is made anew after every change of times, velocities, kinds,
/// frequency, damping, gravity or wind.
///
///     qvMotionSpaceDef spaceDef = qvDefaultMotionSpaceDef();
///     spaceDef.topology = topology, spaceDef.rest = rest, spaceDef.poses = poses, spaceDef.poseCount = 3;
///     if (qvCreateMotionSpace(&spaceDef, NULL, &job, &space, &error) == qv_ok)
///     {
///         qvMotionDef def = qvDefaultMotionDef();
///         def.keys = keys, def.keyCount = 4;             // each with a time and the number of a pose
///         if (qvCreateMotion(&def, space, pool, &motion, &error) == qv_ok)
///             qvMotion_EvaluateFloat(motion, 0.5, scratch, pool, points);
///     }
///
/// Points are those of the topology, 3 numbers each; lengths are in the mesh's units, times in seconds, angles in
/// radians. Inside, the body is scaled to a bounding-box diagonal of 10.
#pragma once

#include "quaver/base_motion.h"
#include "quaver/job.h"
#include "quaver/math.h"
#include "quaver/result.h"
#include "quaver/store.h"
#include "quaver/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the motion arrives at a key from the one before.
typedef enum qvMotionKind
{
    qv_motionWiggly, ///< least force: with the body's own vibrations
    qv_motionSmooth, ///< cubic spline
    qv_motionLinear, ///< straight, at constant speed
    qv_motionHold,   ///< stays, then jumps at the key
} qvMotionKind;

/// The velocity at a key.
typedef enum qvVelocityMode
{
    qv_velocityFree,   ///< whatever is smoothest; zero at the first key, no force at the last
    qv_velocityZero,   ///< stops there
    qv_velocitySet,    ///< given
    qv_velocityBroken, ///< different before and after, each given or free: an impact
    qv_velocityTurn,   ///< like free, but no coordinate of the shape goes beyond the key on the way to it: the motion
                       ///< arrives by a monotone cubic, slows down where it turns, and may wobble again after the key.
                       ///< At the first and last key, and for the body's path, the same as free
} qvVelocityMode;

/// What a body is made of, as scenes have it. Spaces take stretch, bend and modes from it, motions the rest.
typedef struct qvBodyMaterial
{
    double frequency;    ///< Hz of the lowest elastic mode of the free rest shape, 0 to 60; default 2
    double settle;       ///< s until free vibration has decayed to 5 %, above 0, INFINITY for no damping; default 1
    double stiffDamping; ///< Rayleigh's beta in seconds, 0 to 1; default 0
    double maxWobble;    ///< Hz; faster modes get at least critical damping. INFINITY for none; default 12
    double stretch;      ///< weight of the membrane energy, above 0; default 1
    double bend;         ///< weight of the bending energy, above 0; default 1
    int modes;           ///< vibration modes per distinct pose, 1 to 200; default 20
    qvVec3 gravity;      ///< units/s^2 (m/s^2 in scenes); default 0
    qvVec3 wind;         ///< acceleration of a surface that faces it, the same
} qvBodyMaterial;

qvBodyMaterial qvDefaultBodyMaterial(void);

// --- Shapes -----------------------------------------------------------------------------------------------------

/// A shape that keys can refer to, in world coordinates before the key's transform. Arrays belong to the caller and are
/// copied.
typedef struct qvMotionPose
{
    const double* points; ///< [3 pointCount]
    const double* before; ///< [3 pointCount] velocities of the points with which a key arrives; NULL: zero
    const double* after;  ///< the same with which it leaves; NULL: zero
    const char* label;    ///< what messages call it; NULL: "pose 3"
} qvMotionPose;

/// About which state the elastic forces are linearized.
typedef enum qvMotionModel
{
    /// The pose is the rest shape: the body swings about its poses, and two keys of the same pose hold it still.
    qv_modelPose,
    /// As in the paper: second derivative and force of the energy at the pose. The body always wants back to its rest
    /// shape and swings through poses that stretch it.
    qv_modelState,
} qvMotionModel;

/// Pins that hold for part of the time.
typedef struct qvMotionPins
{
    const int32_t* points; ///< that the modes leave where they are
    int count;             ///< 0: the body is free
    const bool* poses;     ///< [poseCount] those of keys at the ends of segments with these pins; NULL: all
} qvMotionPins;

/// What a space is made from. Start from qvDefaultMotionSpaceDef().
typedef struct qvMotionSpaceDef
{
    const qvTopology* topology; ///< not needed afterwards
    const double* rest;         ///< [3 pointCount] the shape without forces

    const qvMotionPose* poses;
    int poseCount; ///< at least 1

    const int32_t*
        pins;     ///< points that the modes leave where they are; with pins the frame is the keyed transform alone
    int pinCount; ///< default 0

    qvBodyMaterial material; ///< of which stretch, bend and modes count
    qvMotionModel model;     ///< default qv_modelPose

    /// What is rigid in a pose belongs to it like the rest of it, instead of moving the frame; it swings as fast as the
    /// lowest mode, and gravity does not pull at it. For poses that are offsets from another motion. Default false.
    bool keepsRigid;

    /// Where pins come and go: the sets that keys name by `pinSet`, instead of `pins`. Each set costs about as much
    /// as a space of its own. Default none.
    const qvMotionPins* pinSets;
    int pinSetCount;

    /// The poses in the order in which keys show them, a pose as often as it is shown. It counts where so many poses
    /// are different that not all of what they bring fits into the basis (more than 14, and 320 vectors): then each
    /// sees those alone that are shown within `window` keys of it. Default NULL: as they are listed.
    const int* order;
    int orderCount;
    bool isLoop; ///< the first pose of the order follows the last one. Default false
    int window;  ///< keys on each side, at least 1; default 9

    const qvNumberStore* store; ///< for modes; needed while the space is made. Default NULL
    const char* folder;         ///< where a large space may keep what is seldom read. Default NULL: in memory
} qvMotionSpaceDef;

qvMotionSpaceDef qvDefaultMotionSpaceDef(void);

/// Immutable once made; may be used from several threads at once.
typedef struct qvMotionSpace qvMotionSpace;

/// Fails with qv_badInput for numbers that are not finite or out of range, a body without size, more than 2,000 parts
/// and more poses than fit into memory; with qv_cancelled when the job says so. Poses with the same shape up to a
/// rigid motion share modes and linearization. previous (may be NULL) is any earlier space: where body, pins, stretch,
/// bend and modes are the same, what it knows of unchanged poses is taken from it, to the same result within 1e-9.
/// Where the basis does not hold all that poses bring (see `order`), that of the previous space stays as long as it
/// does for the new poses; the motion between keys then differs from that of a space made anew by what both leave out.
/// previous may be destroyed afterwards.
QV_CHECKED qvResult qvCreateMotionSpace(const qvMotionSpaceDef* def, const qvMotionSpace* previous, const qvJob* job,
                                        qvMotionSpace** space, qvError* error);
void qvDestroyMotionSpace(qvMotionSpace* space); ///< NULL is allowed

typedef struct qvMotionSpaceStats
{
    int pointCount;
    int dimension;       ///< of the reduced space, the largest with several sets of pins
    int shapeCount;      ///< distinct shapes among the poses (of all sets of pins)
    double diagonal;     ///< of the rest shape's bounding box
    double milliseconds; ///< what making it took
} qvMotionSpaceStats;

qvMotionSpaceStats qvMotionSpace_Stats(const qvMotionSpace* space);

/// The strips of the mixer: vibration modes of the rest shape, slowest first, as its pins (those of set 0) let it
/// swing. They belong to the space even when no key is at rest. At most qvMotionSpaceDef.modes.
int qvMotionSpace_ModeCount(const qvMotionSpace* space);

/// Hz of a mode when the lowest elastic mode of the free rest shape has `frequency`.
double qvMotionSpace_ModeFrequency(const qvMotionSpace* space, int mode, double frequency);

/// Displacements [3 pointCount] of a mode, the largest of length 1: rest + a sin(2 pi f t) shape plays it alone.
void qvMotionSpace_ModeShape(const qvMotionSpace* space, int mode, double* displacements);

// --- Motion -----------------------------------------------------------------------------------------------------

/// Start from qvDefaultMotionKey().
typedef struct qvMotionKey
{
    double time; ///< seconds, ascending from key to key
    int pose;    ///< index into the space's poses; default 0

    qvMotionKind kind;   ///< of the segment that arrives here; default qv_motionWiggly
    qvVelocityMode mode; ///< default qv_velocityFree

    /// Uniform velocity of the body before and after, units/s, added to the pose's own: with qv_velocitySet `after`
    /// counts for both sides, with qv_velocityBroken the sides that are given. Default zero.
    qvVec3 before, after;
    bool givenBefore, givenAfter; ///< of a broken key: false leaves that side free. Default false
    bool breaksFrame; ///< a broken key breaks the body's path alone: its shape goes on swinging as at a free key, and
                      ///< what a velocity says of the shape does not count. Default false

    bool hasTransform;  ///< false: the key does not key the frame. Default false
    qvQuat rotation;    ///< of the whole body, about the origin; any length above 0. Default identity
    qvVec3 translation; ///< after the rotation. Default zero
    int turns;          ///< whole extra turns about the axis of rotation (y where there is none) on the way to this key

    /// Material of the segment that arrives here; negative or NAN: the motion's. At a key where they change the
    /// force is continuous instead of the acceleration. Defaults -1.
    double frequency; ///< Hz, 0 to 60
    double settle;    ///< s, at least 0.01, INFINITY for no damping

    /// How strongly the key attracts: INFINITY passes through it; a finite weight w adds w (2 pi f)^3 |q - pose|^2 to
    /// the integral of the squared force, in modal units (mass-weighted displacement), where f is the motion's
    /// frequency or 0.1 Hz, whichever is larger. Pose, transform and pins of the key all attract like that: with weight
    /// 0 the motion is the one without the key (but for whole turns on the way to it, velocities that it gives, and
    /// where it is the first or last key: there the motion still begins or ends). Default INFINITY.
    double weight;

    /// A partial key: it says where these points are, and nothing of the others. Its pose is the one for which the
    /// space has modes and stiffness. Of the directions in which the listed points see the reduced space
    /// (mass-weighted), those above 0.1 of the largest singular value are met exactly, those above 1e-3 as far as it is
    /// worth the force, and qvMotion_KeyReport tells how near the points came. What is not listed is pulled to where
    /// the other keys would have it, just enough to keep it from swinging wildly for the sake of the listed points.
    /// Without pins the key's frame is that of the body on its way between the other keys, with these points moved to
    /// their targets. Default NULL, 0: the whole body.
    const int32_t* only;
    int onlyCount;
    const double* targets; ///< [3 onlyCount] like the pose's points; NULL: those of the pose

    int pinSet; ///< of the segment that arrives here, and after the last key; default 0

    const char* label; ///< what messages call it; default NULL: "key 3"
} qvMotionKey;

qvMotionKey qvDefaultMotionKey(void);

/// A strip of the mixer. It acts on what the wiggly motion does beyond the smooth one, so that every key stays as it
/// is; with all strips muted the motion is smooth, like that of keys of kind qv_motionSmooth and that of points with
/// weight 0, also after the last key, about which the smooth motion rings down with the velocity it arrives with. The
/// strip of the last mode is a shelf: its gain also counts for everything faster, which no mode of the rest shape
/// describes.
typedef struct qvMixerStrip
{
    int mode;       ///< 0 to qvMotionSpace_ModeCount() - 1; strips of modes that do not exist are ignored
    double gain;    ///< 0 to 4; default 1
    double damping; ///< added to the mode's own, 0 to 100; 1 is the critical damping of the mode. Default 0
    bool mute;      ///< default false
    bool solo;      ///< where any strip has it, those without are mute; default false
} qvMixerStrip;

qvMixerStrip qvDefaultMixerStrip(void);

/// What a motion is made from. Arrays are copied. Start from qvDefaultMotionDef().
typedef struct qvMotionDef
{
    const qvMotionKey* keys;
    int keyCount;  ///< at least 1
    double period; ///< above 0: a loop; all keys lie within one period. Default 0

    qvBodyMaterial material; ///< of which all but stretch, bend and modes counts

    const qvMixerStrip* strips; ///< at most one per mode; default NULL, 0
    int stripCount;

    /// Shapes between the keys from local rotations and strains, so that what turns keeps its lengths. false: straight
    /// from displacements, as in the paper, unless the basis is bounded, as it is for more than some hundred vectors:
    /// such a motion meets its keys by local rotations alone. Default true
    bool warp;

    /// [pointCount] how much of the wiggly motion each point shows, 0 (the smooth motion) to 1. NULL (the default): 1.
    const float* weights;
} qvMotionDef;

qvMotionDef qvDefaultMotionDef(void);

/// Immutable once made; may be evaluated from several threads at once.
typedef struct qvMotion qvMotion;

/// The space must outlive the motion. Fails with qv_badInput for keys that do not ascend in time, do not fit into the
/// period or name a pose that does not exist, and for numbers out of range.
///
/// Where the set of pins changes from one segment to the next the motion is split: both sides have the key's pose, so
/// the key must be hard and for the whole body. A free velocity there is that of the side with fewer pins (in the air:
/// whatever needs the least force); the other side has the nearest one that its pins allow. Zero, set and broken mean
/// what they always do.
QV_CHECKED qvResult qvCreateMotion(const qvMotionDef* def, const qvMotionSpace* space, qvPool* pool, qvMotion** motion,
                                   qvError* error);
void qvDestroyMotion(qvMotion* motion); ///< NULL is allowed

/// Bytes of scratch that one evaluation needs, aligned for doubles.
size_t qvMotion_ScratchSize(const qvMotion* motion);

/// Positions of all points at a time, and velocities and accelerations unless NULL: [3 pointCount] each. Any finite
/// time: before the first key its pose holds, after the last one the body rings down about it; a loop repeats. At a
/// key where something jumps: just after it. Allocation-free.
void qvMotion_Evaluate(const qvMotion* motion, double time, void* scratch, double* positions, double* velocities,
                       double* accelerations);

/// The same in float, for pictures: the same bits for any pool.
void qvMotion_EvaluateFloat(const qvMotion* motion, double time, void* scratch, qvPool* pool, qvVec3f* positions);

/// The same for many times, in any order: frames [timeCount x pointCount], the same bits as one by one but faster.
/// Fails only when memory runs out.
QV_CHECKED qvResult qvMotion_EvaluateFrames(const qvMotion* motion, const double* times, int timeCount, qvPool* pool,
                                            qvVec3f* frames, qvError* error);

/// The motion as what other layers build on, with its own frame and velocities in closed form. pointCount is that of
/// its space. It refers to the motion.
qvBaseMotion qvMakeMotionBase(const qvMotion* motion, int pointCount);

/// Coordinates in the reduced space of many times (ascending is fastest), and derivatives unless NULL: rows of
/// `dimension` numbers, for caches. Accelerations come with velocities only. Where pins come and go, rows of different
/// sets of pins have nothing in common, and shorter ones end in zeros. Allocation-free.
void qvMotion_Coordinates(const qvMotion* motion, const double* times, int timeCount, void* scratch, double* values,
                          double* velocities, double* accelerations);

/// The rigid frame at a time: x -> linear x + offset takes the deformed body in rest coordinates to the world.
qvAffine qvMotion_Frame(const qvMotion* motion, double time);

/// For graphs: how far each mode of the rest shape is out, as the displacement of the point that moves most in it
/// (units, signed). Rows of qvMotionSpace_ModeCount() numbers; modes are those of the pins that hold at the time.
/// Allocation-free.
void qvMotion_ModeCurves(const qvMotion* motion, const double* times, int timeCount, void* scratch, double* values);

/// For meters: how strongly each mode of the rest shape [qvMotionSpace_ModeCount()] swings about the smooth motion or
/// the last pose, after its strip: the amplitude of the point that moves most in it, units, not negative.
/// Allocation-free.
void qvMotion_ModeLevels(const qvMotion* motion, double time, void* scratch, double* levels);

/// How a key was met.
typedef struct qvMotionKeyReport
{
    /// Largest distance at the key's time of a point from where the key wants it (of a partial key: of its listed
    /// points), units. Zero for hard keys of the whole body.
    double error;
    /// The part of it that no motion in this space can avoid, units: listed points that move against each other in ways
    /// that neither modes nor poses have.
    double residual;
    int directions; ///< of the reduced space that the key constrains
} qvMotionKeyReport;

/// Allocation-free.
qvMotionKeyReport qvMotion_KeyReport(const qvMotion* motion, int key);

/// How far the shape goes beyond where the key and the one before it are, on the way to the key, over the difference
/// of the two (both in the reduced space: root of mean squares over the body). 0 for the first key and where both are
/// the same; NAN when memory runs out.
double qvMotion_Passes(const qvMotion* motion, int key);

/// The pose [3 pointCount] that a key led to, in world coordinates before the keyed transform: for a hard key of the
/// whole body its own. A space with that pose in the place of a partial key's pose (with the same targets) refines it.
/// Allocation-free.
void qvMotion_KeyPose(const qvMotion* motion, int key, double* points);

#ifdef __cplusplus
}
#endif

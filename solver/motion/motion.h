// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvMotion is made of.
#pragma once

#include "motion/warp.h"
#include "quaver/wiggly.h"

/// The curves of all coordinates through all keys as one linearization sees them; rows of d numbers per key. The
/// cubic spline is one without a shape. They are solved over all keys; of what is solved, only what is read is kept.
typedef struct qvTrack
{
    const qvMotionShape* shape; // modes, and the centre unless the key's own pose is it; NULL: q itself
    double* center;             // [d] q = center + Phi omega
    qvWigglyPlan* plan;         // NULL where no segment needs it
    int32_t* rowOf;             // [keyCount] rows of the solution and, if there are some, of force; -1: not kept. NULL:
    int rowCount;               // a row per key
    int first, knotCount;       // keys of the curves if they are a window: the first one, which loops count on from the
                                // end, and their number; 0: all keys
    double begin;               // time of the first one, if they are a window
    qvWigglySolution solution;
    double* force;  // [d], or a row per segment like the next two
    double* lambda; // NULL once rows were let go, like delta
    double* delta;
    double* ringLambda; // [d] after the last key
    double* ringDelta;
    double* numbers; // owns centre and ring
    double* rows;    // owns the others
} qvTrack;

/// The row of a key, which must be in the window of a track that has one.
static inline size_t qvTrack_Row(const qvTrack* track, int key)
{
    int knot = track->knotCount > 0 ? key - track->first : key;
    return (size_t)(track->rowOf != NULL ? track->rowOf[knot] : knot);
}

/// The key of a row before rows are let go.
static inline int qvTrack_Key(const qvTrack* track, int row, int keyCount)
{
    int key = (track->first + row) % keyCount;
    return key < 0 ? key + keyCount : key;
}

/// A time as the curves of a track have it: in its window, which loops pass again and again.
double qvTrack_Time(const qvTrack* track, double period, double time);

/// Allocates a track of `width` numbers a row: zeros. stride: width where segments have materials of their own, else 0.
QV_CHECKED qvResult qvTrack_Allocate(qvTrack* track, int keyCount, int width, int stride, qvError* error);
void qvTrack_Free(qvTrack* track);

/// What a plan of a track's curves needs of its keys, those of its window if it has one: there its outer ends have
/// given velocities. *memory is to be freed after the plan is made.
QV_CHECKED qvResult qvTrack_Cut(const qvMotion* motion, const qvTrack* track, const qvWigglySide* before,
                                const qvWigglySide* after, qvWigglyDef* def, void** memory, qvError* error);

/// Once a track is solved: keeps the rows that rowOf names, rowCount of them, and lets go of the others and of all that
/// only solving needs. Does nothing where all rows are read.
QV_CHECKED qvResult qvTrack_Settle(qvTrack* track, int keyCount, int width, int stride, const int32_t* rowOf,
                                   int rowCount, qvError* error);

/// A time in which the mass centre falls freely.
typedef struct qvFlight
{
    double begin, end;      // seconds
    qvVec3 start, velocity; // of the mass centre at the beginning
} qvFlight;

/// Gains of the mixer. Deviation of the wiggly motion from the smooth one: times shelf, plus the modes' shares times
/// gain.
typedef struct qvMixer
{
    bool active;     // some gain is not 1
    double shelf;    // of everything that no mode describes
    double* gain;    // [modeCount] that of the mode minus shelf
    double* damping; // [modeCount] added, over the critical one
} qvMixer;

/// Velocities [d] of the reduced coordinates that a section takes from its neighbours; NULL: none.
typedef struct qvCarried
{
    const double *first, *last; // after its first key, before its last one
    bool cut[2];                // whether it begins and ends where pins come or go
} qvCarried;

/// Where a key is.
typedef struct qvKeyPlace
{
    int section, key;
} qvKeyPlace;

struct qvMotion
{
    const qvMotionSpace* space;
    int keyCount;
    double period;
    double frequency;
    double* times;
    qvKnot* knots;
    int* poses;      // of the keys
    int stride;      // d where segments have materials of their own, else 0
    qvTrack smooth;  // reduced coordinates q, cubic
    qvTrack* tracks; // omega, wiggly: one per shape, then one per partial key
    int trackCount;
    int* trackOf;   // per key
    double* values; // [keyCount x d] reduced coordinates at the keys; of soft ones what they want until all is made
    double* kappa;  // [keyCount] how soft keys attract, INFINITY for others; NULL without soft keys
    double* wigglyKappa; // the same in the wiggly splines
    double startShare;   // how much of its own pose a first soft key wants; the rest is that of the next key
    double* presence;    // [keyCount] how much the motion near a key is that key's (soft.h)
    double* heldAt;      // [keyCount x heldCount] where the keys have the pins; NULL without any that poses move
    double* end;         // [3 d] after the last key, of the last track: velocity and centre of omega, and the velocity
                         // of the smooth motion
    qvFramePath* outer;  // keyed transforms; NULL when there are none
    qvFramePath* inner;  // rigid part of the poses; NULL with pins
    qvFlight* flights;   // where both paths are
    int flightCount;
    qvVec3 gravity; // in flights
    qvMixer mixer;
    qvCarried carried;          // while the motion is made
    qvMotionKeyReport* reports; // per key, directions below 0 where it is not a partial one; NULL without any

    bool warped;        // shapes between keys by rotations and strains (warp.h)
    qvTrack carrier;    // shares of the shapes, if warped
    qvTrack* ways;      // per track: how far the wiggly motion is on the way to every shape; NULL if not warped
    double* carrierEnd; // [shapeCount] velocities of the shares after the last key
    double carrierRate; // 1/s, how fast they come to rest then
    double** residuals; // per key: [3 pointCount] what a partial key lacks, in the mesh's units; NULL: nothing
    double** softPoses; // per key: [3 pointCount] where a soft key ended up, before the keyed transform; NULL: nothing
    float* weights;     // [pointCount] of the deviation from the smooth motion; NULL: 1

    // Where pins come and go: a motion of its own per section, and nothing above but the space and numbers.
    int sectionCount; // 0: one set of pins
    qvMotion** sections;
    double* starts;     // [sectionCount] times
    qvKeyPlace* places; // [keyCount]
};

enum
{
    qv_motionChunk = 32 ///< times evaluated together, which bounds the scratch
};

/// Rows of d numbers per time: coordinates and two derivatives. A NULL is not wanted.
typedef struct qvRows
{
    double* x[3];
} qvRows;

/// The path of the keyed transforms about a pivot; NULL when there are none.
QV_CHECKED qvResult qvMotion_BuildOuter(const qvMotionDef* def, qvVec3 pivot, qvFramePath** path, qvError* error);

struct qvPartials;

/// Both paths of the frame and the tracks, from a checked definition whose knots are filled already.
QV_CHECKED qvResult qvMotion_BuildFrames(qvMotion* motion, const qvMotionDef* def, const struct qvPartials* partials,
                                         qvError* error);
QV_CHECKED qvResult qvMotion_BuildTracks(qvMotion* motion, const qvMotionDef* def, const struct qvPartials* partials,
                                         qvPool* pool, qvError* error);

/// Damping rate of a mode.
double qvMotion_Damping(const qvMotionDef* def, double settle, double lambda);

/// Velocity of the reduced coordinates that a key gives at one side, 0 before and 1 after it; out holds zeros before.
void qvMotion_GivenVelocity(const qvMotion* motion, const qvMotionDef* def, int key, int side, double* out);

/// The frame at a time.
qvRigidState qvMotion_FrameState(const qvMotion* motion, double time);

/// The keyed transform alone, about the space's pivot.
qvRigid qvMotion_KeyedPose(const qvMotion* motion, double time);

/// When and how a key is met.
qvKnot qvMotion_Knot(const qvMotionKey* key);

// --- Mixer ---------------------------------------------------------------------------------------------------------

QV_CHECKED qvResult qvMotion_BuildMixer(qvMotion* motion, const qvMotionDef* def, qvError* error);

/// Adds the damping of the strips to a row of damping rates of a shape's modes; stiffness scales eigenvalues.
void qvMotion_AddDamping(const qvMotion* motion, const qvMotionShape* shape, double stiffness, double* delta);

/// value = smooth + mixed (value - smooth), for count rows; shares: scratch of modeCount numbers per row.
void qvMotion_Mix(const qvMotion* motion, int count, const double* smooth, double* shares, double* value);

/// Coordinates and velocities of what the motion swings about at a time: the smooth curve, or the last pose after the
/// last key. False where the motion does not swing: before the first key and on segments of other kinds.
bool qvMotion_CenterAt(const qvMotion* motion, double time, double* value, double* velocity);

/// Takes out of a row what it does with the pins; adds a key's share, with derivatives, of where it has them.
void qvMotion_ReleasePins(const qvMotion* motion, const qvRows* row);
void qvMotion_HoldPins(const qvMotion* motion, int key, const double share[3], const qvRows* row);

// --- Sections ------------------------------------------------------------------------------------------------------

/// A motion with one set of pins, from a checked definition.
QV_CHECKED qvResult qvCreateSection(const qvMotionDef* def, const qvMotionSpace* space, const qvCarried* carried,
                                    qvPool* pool, qvMotion** motion, qvError* error);

QV_CHECKED qvResult qvMotion_BuildSections(qvMotion* motion, const qvMotionDef* def, qvPool* pool, qvError* error);

/// The motion to evaluate at a time, which is put into its range: the motion itself, or one of its sections.
const qvMotion* qvMotion_SectionAt(const qvMotion* motion, double* time);

size_t qvMotion_LargestScratch(const qvMotion* motion);
void qvMotion_SectionCoordinates(const qvMotion* motion, const double* times, int timeCount, void* scratch,
                                 double* values, double* velocities, double* accelerations);

// --- Rotations ------------------------------------------------------------------------------------------------------

/// The shares of the shapes, before the tracks are built.
QV_CHECKED qvResult qvMotion_BuildCarrier(qvMotion* motion, const qvMotionDef* def, qvError* error);

/// Modal coordinates of the keys (values and velocities) seen from a shape by displacements become those seen by
/// rotations and strains. The rows are those of the track.
QV_CHECKED qvResult qvMotion_ShiftKeys(const qvMotion* motion, const qvTrack* track, qvError* error);

/// How far the motion of a track is on the way to every shape, with the sides of its wiggly splines.
QV_CHECKED qvResult qvMotion_BuildWays(qvMotion* motion, const qvMotionDef* def, int track, const qvWigglySide* before,
                                       const qvWigglySide* after, qvError* error);

/// Whether the last key is reached by a curve with a free end.
bool qvMotion_ArrivesFreely(const qvMotion* motion);

/// What keys whose pose is not one of the shapes lack, once everything else is made.
QV_CHECKED qvResult qvMotion_BuildResiduals(qvMotion* motion, qvPool* pool, qvError* error);

/// A motion at a time with `order` derivatives (0 to 2); pointers into the scratch.
typedef struct qvMotionState
{
    const double* q[3];      // [d] reduced coordinates
    const double* smooth[3]; // [d] those of the smooth motion, if there are weights
    qvWarpInput input;       // if warped: q as a blend of shapes and vibration
    qvWarpInput smoothInput; // the same of the smooth motion
    int keys[2];             // at the ends of the segment
    double residual[2][3];   // how much of what partial ones lack is missing
} qvMotionState;

size_t qvMotion_WorkSize(const qvMotion* motion);  ///< numbers of scratch that qvMotion_Coordinates uses
size_t qvMotion_StateSize(const qvMotion* motion); ///< numbers of scratch
void qvMotion_FindState(const qvMotion* motion, double time, int order, double* scratch, qvPool* pool,
                        qvMotionState* state);

// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a wave layer. Places and directions are in the body's rigid frame unless they are called world.
//     snapshot    where the loads that start at one time find the points (material points, de Goes and James 2018,
//                 eq. 20)
//     change      the wave of a key that the motion jumps to
#pragma once

#include "base/memory.h"
#include "kelvinlet/flow.h"
#include "kelvinlet/load.h"
#include "kelvinlet/stroke_pins.h"
#include "quaver/waves.h"
#include "waves/window.h"

enum
{
    qv_maxWaveImages = 64, ///< repetitions of one wave that are there at once in a loop
};

typedef struct qvSnapshot
{
    double time;
    bool independent;
    qvAffine frame; ///< frame to world
    qvPointsf points;
    qvSphere* spheres; ///< around each block of points
    qvSphere whole;    ///< around all
} qvSnapshot;

typedef struct qvLayerLoad
{
    qvKelvinlet load;
    double start;
    qvWindow until; ///< of its age
    qvWindow stop;  ///< of its age, by a later hard key
    double life;    ///< age after which it moves nothing; may be INFINITY
    int snapshot;
    int substeps;      ///< 0: linear
    bool midpoint;     ///< one step of the midpoint rule instead of RK4
    int part;          ///< the connected part that it moves; -1: all
    const float* mask; ///< per point; NULL: all 1
    double threshold;  ///< displacements below this are left out
} qvLayerLoad;

/// A stroke as it is applied again at every age.
typedef struct qvChangeStroke
{
    qvStroke stroke;
    float* weights;     ///< per point: mask and connected parts, as in the pose (smooth brush: the mask alone)
    int substeps;       ///< as many as the pose itself takes
    qvStrokePins* pins; ///< what holds the stroke; NULL: nothing
    uint8_t* pinned;    ///< of a brush that is not elastic, per point; NULL: none
} qvChangeStroke;

/// One of the two keys between which a change travels: its base, advected by its strokes.
typedef struct qvChangeSide
{
    qvVec3f* base; ///< NULL: the side adds nothing
    qvChangeStroke* strokes;
    int strokeCount;
    double time;      ///< of the side's own key
    double map[3][3]; ///< from the key's axes to the frame's at the start, times the share of the strokes that shows
} qvChangeSide;

/// The wave of a key that the motion jumps to.
typedef struct qvChange
{
    double start, speed;
    qvWindow stop;
    double life;
    qvVec3f* first; ///< displacement at age 0: from where the motion is at the key to where it is just before
    qvVec3f* gap;   ///< what the strokes leave over, such as a distance of the bases
    double gapRadius;
    qvChangeSide key, before;
} qvChange;

struct qvWaveLayer
{
    const qvTopology* topology;
    qvBaseMotion base;
    qvBaseMotion carrier; ///< of the keys' shapes; no points: they are where they are
    int pointCount, blockCount;
    bool keepKeys;
    double period, diagonal;
    int substeps;

    double* hardKeys;
    double* misses; ///< per hard key
    int hardKeyCount;

    double* rest;   ///< [3 pointCount]
    double* masses; ///< for the fit of a frame

    QV_ARRAY(qvLayerLoad) loads; ///< ascending by start
    QV_ARRAY(qvSnapshot) snapshots;
    QV_ARRAY(float*) masks; ///< owned
    qvChange* changes;
    int changeCount;

    double peakSize, peakSpeed; ///< what colours are measured by
    double milliseconds;
};

/// What to leave out of an evaluation.
typedef struct qvLayerFilter
{
    bool once;         ///< no repetitions in a loop: what starts later in the period is not there yet
    bool ignoresStops; ///< as if keepKeys was off
    double without;    ///< loads that start around this time are not there
    double around;     ///< so near to it, s; 0: all are there
} qvLayerFilter;

/// The youngest age that something with a start has at a time: negative when it has not begun. In a loop the others
/// follow at distances of a period.
double qvWaveLayer_FirstAge(const qvWaveLayer* layer, double start, double time, const qvLayerFilter* filter);

/// Displacements in the frame at a time, not turned into the world. scratch as for qvWaveLayer_Add.
void qvWaveLayer_FrameDisplacements(const qvWaveLayer* layer, double time, const qvLayerFilter* filter, void* scratch,
                                    qvPool* pool, qvVec3f* displacements);

/// The frame at a time; points are the base motion's there, or NULL.
qvAffine qvWaveLayer_Frame(const qvWaveLayer* layer, double time, const qvVec3f* points, void* scratch, qvPool* pool);

/// The rigid frame that brings the rest shape nearest to the points. coordinates has 3 count entries.
qvAffine qvFitFrame(int count, const double* masses, const double* rest, const qvVec3f* points, double* coordinates);

/// Keeps a copy of a mask (NULL: none) for as long as the layer lives. *kept is NULL when it is 1 everywhere.
QV_CHECKED qvResult qvWaveLayer_KeepMask(qvWaveLayer* layer, const float* mask, const float** kept, qvError* error);

/// The window that the next hard key after a start asks for.
qvWindow qvWaveLayer_FindStop(const qvWaveLayer* layer, double start);

// --- Loads ----------------------------------------------------------------------------------------------------------

/// Appends the loads of an event or of a key's ripple to a layer. Its snapshot is the layer's last one.
QV_CHECKED qvResult qvWaveLayer_AddEvent(qvWaveLayer* layer, const qvWaveEvent* event, const qvJob* job,
                                         qvError* error);
QV_CHECKED qvResult qvWaveLayer_AddRipple(qvWaveLayer* layer, const qvKeyWave* key, qvError* error);

/// Loads that displace all centres of a path by the event's drag. loads has count entries.
QV_CHECKED qvResult qvMakePathLoads(const qvWaveEvent* event, const qvVec3* centers, int count, qvKelvinlet* loads,
                                    qvError* error);

/// Where a place near a shape goes when the shape's points go to others: it moves by the mean of the points around it.
/// part: only the points of this connected part; -1: all.
qvVec3 qvCarryPlace(const qvTopology* topology, int part, const double* from, const qvPointsf* to, qvVec3 at);

/// The point of a shape nearest to a place.
int qvFindNearestPoint(int pointCount, const double* points, qvVec3 at);

// --- Shapes of keys -------------------------------------------------------------------------------------------------

/// Shapes of a key where the carrier has them; without one they are the key's own.
typedef struct qvKeyShapes
{
    const qvKeyWave* key;
    const double* acted;       ///< the base where the strokes act on it: at the key's own time
    const double *base, *pose; ///< at the time that was asked for
    double* carried;           ///< to be freed, also after a failure; NULL without a carrier
} qvKeyShapes;

QV_CHECKED qvResult qvWaveLayer_FindShapes(const qvWaveLayer* layer, const qvKeyWave* key, double time,
                                           qvKeyShapes* shapes, qvError* error);

/// What the body shows at one time, where the carrier would have it at another: its own jumps are no waves. frame: of
/// the body at the first.
QV_CHECKED qvResult qvWaveLayer_CarryOn(const qvWaveLayer* layer, const qvAffine* frame, double from, double to,
                                        qvVec3f* points, qvError* error);

// --- Changes --------------------------------------------------------------------------------------------------------

/// Appends the wave by which a key is reached from the one before; the changes have room for it. All that begins
/// earlier is in the layer.
QV_CHECKED qvResult qvWaveLayer_AddChange(qvWaveLayer* layer, const qvKeyWave* key, const qvKeyWave* before,
                                          void* scratch, qvPool* pool, qvError* error);

/// Again for a change that is there, when waves have been added that come round to its key in a loop.
QV_CHECKED qvResult qvWaveLayer_MeetChange(qvWaveLayer* layer, int index, const qvKeyWave* key, const qvKeyWave* before,
                                           void* scratch, qvPool* pool, qvError* error);
void qvChange_Free(qvChange* change);

/// Room for changes: [pointCount] each, and what the carrier needs.
typedef struct qvChangeWork
{
    qvVec3f *key, *before, *own;
    void* carrier;
} qvChangeWork;

/// Makes sum, which is zero, the sum of all changes at a time.
void qvWaveLayer_AddChanges(const qvWaveLayer* layer, double time, const qvLayerFilter* filter, qvPool* pool,
                            const qvChangeWork* work, qvVec3f* sum);

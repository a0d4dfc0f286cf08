// SPDX-License-Identifier: GPL-3.0-or-later
/// Elastic waves on top of any motion: events on the timeline, transients at keys, and secondary motion that is found
/// from the motion itself. F. de Goes and D. L. James, "Dynamic Kelvinlets", 2018; J. Singh and D. Pagurek, "Dynamic
/// Kelvinlets", 2019.
///
///     qvWaveLayerDef def = qvDefaultWaveLayerDef();
///     def.topology = topology, def.rest = rest, def.base = qvMakeMotionBase(motion, pointCount);
///     def.events = events, def.eventCount = 2;
///     if (qvCreateWaveLayer(&def, &job, &layer, &error) == qv_ok)
///     {
///         qvMotion_EvaluateFloat(motion, time, motionScratch, pool, points);
///         qvWaveLayer_Add(layer, time, scratch, pool, points);
///     }
///
/// Points are those of the topology; lengths are in the mesh's units, times in seconds, angles in radians. A wave lives
/// in the body's rigid frame: each load meets every point where the body and the earlier loads have it at the load's
/// start, carries it through its own field, and the displacements add and turn with the frame (2018, eq. 20).
#pragma once

#include "quaver/base_motion.h"
#include "quaver/brush.h"
#include "quaver/job.h"
#include "quaver/kelvinlet.h"
#include "quaver/math.h"
#include "quaver/mesh.h"
#include "quaver/motion.h"
#include "quaver/result.h"
#include "quaver/topology.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Events ---------------------------------------------------------------------------------------------------------

/// A blow or a push at a time: plain values, the same for scene files, the window and the waves. What it does is given,
/// not its force: the centre's displacement (turn, stretch) at its peak over time, or finally for a push.
typedef struct qvWaveDef
{
    double time;
    double until;    ///< has faded out by then, over the last quarter of the time since the start, with two continuous
                     ///< derivatives. INFINITY: never
    bool push;       ///< stays; else an impulse that passes
    qvStroke stroke; ///< of any elastic brush. The centre is in rest coordinates, carried along by the body; directions
                     ///< are in the axes of its frame; the pressure wave's speed follows from poisson
    int vertex;      ///< that it is attached to instead of the stroke's centre; -1: none
    double speed;    ///< of the shear wave, units/s
    double fade;     ///< 1/s
    bool mute;
} qvWaveDef;

/// A wave on the points of a body. Start from qvDefaultWaveEvent().
typedef struct qvWaveEvent
{
    qvWaveDef def;      ///< its vertex is a point's number, its radius above 0
    bool independent;   ///< meets the body without the waves before it: cheaper to set up, for many small waves
    const float* mask;  ///< 0 to 1 per point; NULL: all 1
    const qvVec3* path; ///< a painted curve of loads instead of one, rest coordinates; grab only. NULL: none
    int pathCount;      ///< at least 2 with a path
    const char* label;  ///< what messages call it; default NULL: "event 3"
} qvWaveEvent;

/// All fields at their defaults: a grab impulse without drag. The radius is 0.15 of the diagonal.
qvWaveEvent qvDefaultWaveEvent(double diagonal);

/// Checks every field. The message starts with its name.
QV_CHECKED qvResult qvWaveEvent_Validate(const qvWaveEvent* event, qvError* error);

/// Sets the drags of grab events such that these points are displaced by this much at these times: all on a body at
/// rest (the points that events are attached to are its), advection included, `until` and masks not. Fails when the
/// targets cannot be met by these events.
QV_CHECKED qvResult qvSolveWaveEvents(qvWaveEvent* events, int eventCount, const qvVec3f* rest,
                                      const qvWaveTarget* targets, int targetCount, qvSolveReport* report,
                                      qvError* error);

typedef struct qvWavePreset
{
    const char* tag;
    const char* label;
    const char* description;
} qvWavePreset;

int qvWavePresetCount(void);
const qvWavePreset* qvGetWavePreset(int index);

/// Makes a wave what a preset says, all of it but when and where it is: its sizes fit a body of this diagonal, its drag
/// or axis points along a direction (usually into the surface).
void qvWavePreset_Apply(int preset, double diagonal, qvVec3 direction, qvWaveDef* wave);

// --- Waves of keys --------------------------------------------------------------------------------------------------

/// A stroke of a key, centred where the mesh is when it is applied.
typedef struct qvWaveStroke
{
    qvStroke stroke;
    const float* weights;  ///< mask per point; NULL: all 1
    const uint8_t* pinned; ///< per point, for strokes with `pins`; NULL: none
} qvWaveStroke;

typedef enum qvKeyWaveKind
{
    qv_keyWaveNone,   ///< the key is only needed as the one before the next
    qv_keyWaveChange, ///< interp wave: the base motion holds until the key; from then on the change travels. Nothing at
                      ///< a first key, save in a loop, where the last key is the one before
    qv_keyWaveRipple, ///< impulses of the strokes that peak at amount times what they do
} qvKeyWaveKind;

/// One per key of the scene, ascending in time. Start from qvDefaultKeyWave().
typedef struct qvKeyWave
{
    double time;
    qvKeyWaveKind kind;          ///< default qv_keyWaveNone
    double amount;               ///< of a ripple; default 1
    const float* mask;           ///< of a ripple, per point, beside those of its strokes; NULL: all 1
    double speed;                ///< of the shear wave, units/s; default 3
    const double* base;          ///< [3 pointCount] the shape that the strokes act on
    const double* pose;          ///< [3 pointCount] the shape that they result in
    const qvWaveStroke* strokes; ///< in order
    int strokeCount;
    qvAffine transform; ///< takes base and pose to the world, as the base motion has it at the key; default identity
    const char* label;  ///< what messages call it; default NULL: "key 3"
} qvKeyWave;

qvKeyWave qvDefaultKeyWave(void);

// --- The layer ------------------------------------------------------------------------------------------------------

/// What a layer is made from. Arrays are copied; topology and what base refers to must outlive the layer. Start from
/// qvDefaultWaveLayerDef().
typedef struct qvWaveLayerDef
{
    const qvTopology* topology;
    const qvVec3f* rest;
    qvBaseMotion base;

    const qvWaveEvent* events; ///< in any order
    int eventCount;
    const qvKeyWave* keys; ///< ascending in time
    int keyCount;
    qvBaseMotion carrier; ///< below base, such as a clip: the keys' shapes are offsets from it. Default: none, with all
                          ///< of it zero

    /// In the last quarter of the time before every hard key (since the hard key before) all waves that began earlier
    /// are brought to zero with two continuous derivatives, and they stay zero. Default true
    bool keepKeys;
    const double* hardKeys; ///< ascending
    int hardKeyCount;

    double period; ///< above 0: a loop; every wave comes once a period and a push lasts at most one. Default 0
    int substeps;  ///< RK4 steps per load; default qv_estimateSubsteps: as many as its size asks for
} qvWaveLayerDef;

qvWaveLayerDef qvDefaultWaveLayerDef(void);

/// Immutable once made; may be evaluated from several threads at once. Several layers can be added on top of each
/// other, for example one of edited events and one of generated ones.
typedef struct qvWaveLayer qvWaveLayer;

/// Fails with qv_badInput for numbers out of range, with "event 3: " or "key 2: " before the message; with qv_cancelled
/// when the job says so.
QV_CHECKED qvResult qvCreateWaveLayer(const qvWaveLayerDef* def, const qvJob* job, qvWaveLayer** layer, qvError* error);
void qvDestroyWaveLayer(qvWaveLayer* layer); ///< NULL is allowed

/// Bytes of scratch for the functions below, aligned for doubles; one per thread.
size_t qvWaveLayer_ScratchSize(const qvWaveLayer* layer);

/// Adds the waves' displacement at a time to the base motion's positions at that time. The same bits for any pool.
/// Costs the same for every time with as many active loads. (Waves of changes at keys take a few small tables from the
/// heap; should those fail, the key's pose shows at once.)
void qvWaveLayer_Add(const qvWaveLayer* layer, double time, void* scratch, qvPool* pool, qvVec3f* points);

/// The displacement alone, in the world.
void qvWaveLayer_Displacements(const qvWaveLayer* layer, double time, void* scratch, qvPool* pool,
                               qvVec3f* displacements);

/// What wavefronts are coloured by.
typedef enum qvWaveColor
{
    qv_waveColorSize,  ///< length of the displacement
    qv_waveColorSpeed, ///< of the displacement: fronts show, a push at rest does not
} qvWaveColor;

/// Per point 0 to about 1: 1 is the largest that the layer's strongest wave does at its centre.
void qvWaveLayer_Colors(const qvWaveLayer* layer, double time, qvWaveColor color, void* scratch, qvPool* pool,
                        float* values);

/// How far the waves would be from a hard key without keepKeys: the largest displacement of a point at its time by
/// waves that began earlier, in units.
double qvWaveLayer_KeyMiss(const qvWaveLayer* layer, int hardKey);

typedef struct qvWaveStats
{
    int loadCount;       ///< loads of all events and ripples
    int changeCount;     ///< keys with a travelling change
    int snapshotCount;   ///< distinct times at which loads start
    size_t bytes;        ///< of memory
    double milliseconds; ///< what making it took
} qvWaveStats;

qvWaveStats qvWaveLayer_Stats(const qvWaveLayer* layer);

/// Loads that move something at a time.
int qvWaveLayer_ActiveCount(const qvWaveLayer* layer, double time);

// --- Secondary motion -----------------------------------------------------------------------------------------------

/// What an artist says of secondary motion.
typedef struct qvSecondaryTerms
{
    double amount;    ///< multiplies the impulses; negative: the body lags behind. Default 1
    double threshold; ///< accelerations below this many diagonals/s^2 are left out, 0 or more; default 0.05
    double radius;    ///< of all loads; 0 (default): found from the merged masses
    double speed;     ///< of the shear wave, units/s (m/s in scenes); default 3
    int max;          ///< most loads that are active at any time, 1 or more; default 100
    double rate;      ///< samples per second, 1 to 1000; default 48
} qvSecondaryTerms;

/// Start from qvDefaultSecondaryDef().
typedef struct qvSecondaryDef
{
    const qvTopology* topology;
    const qvVec3f* rest;
    qvBaseMotion base;
    const float* weights; ///< per point, multiplies the impulses; NULL: all 1

    double begin, end; ///< s; samples lie inside. Default 0 and 1
    bool loop;         ///< end is begin again. Default false
    qvSecondaryTerms terms;
    double poisson; ///< default 0.45
    double fade;    ///< 1/s; default 0
} qvSecondaryDef;

qvSecondaryDef qvDefaultSecondaryDef(void);

typedef struct qvSecondaryReport
{
    int sampleCount;
    int mergedCount;     ///< loads after merging, of all samples
    int droppedCount;    ///< of those, left out to stay within max
    qvVec3 momentum;     ///< sum of the impulses before dropping, in the axes of the world
    double mass;         ///< of the body: its volume (density 1), and a thin wall's where it is not closed
    double milliseconds; ///< what it took
} qvSecondaryReport;

/// Impulses that answer a base motion's accelerations, as ordinary events, ascending in time: `free` them. The same
/// events for any pool and frame rate. They are independent, end when their wave has left the body, act on all of its
/// parts and carry no mask.
QV_CHECKED qvResult qvCreateSecondaryEvents(const qvSecondaryDef* def, const qvJob* job, qvWaveEvent** events,
                                            int* eventCount, qvSecondaryReport* report, qvError* error);

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// From a scene to moving points. A pipeline turns scenes into takes: it caches every stage by a hash of its inputs, so
/// an edit recomputes only what it touches. A take is the result: closed form in time, evaluated in any order, on any
/// thread, the same bits for the window, the bake and the pictures.
///
///     qvPipeline* pipeline;
///     qvTake* take;
///     result = qvCreatePipeline(NULL, &pipeline, &error);
///     result = qvPipeline_Solve(pipeline, scene, folder, &job, &take, &error);
///     qvTakeView view = { 0 };
///     result = qvTakeView_SetTake(&view, take, &error);
///     result = qvTakeView_Show(&view, 0.5, qv_layersAll, pool, &error); // view.mesh, view.vertices, view.points
///     qvTakeView_Free(&view);
///     qvReleaseTake(take);
#pragma once

#include "quaver/animation.h"
#include "quaver/bvh.h"
#include "quaver/model.h"
#include "quaver/scene.h"
#include "quaver/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- Body ---------------------------------------------------------------------------------------------------------

/// A scene's mesh, loaded. Immutable, with a count of owners.
typedef struct qvBody
{
    const qvModel* model; ///< of a file; NULL for a primitive
    const qvMesh* mesh;
    const qvTopology* topology;
    qvMeshReport report;
    const qvVec3f* rest; ///< points
    double diagonal;
    uint64_t hash;
} qvBody;

/// folder: where relative paths start. A missing file is qv_notFound.
QV_CHECKED qvResult qvLoadBody(const qvSceneMesh* mesh, const char* folder, const qvJob* job, const qvBody** body,
                               qvError* error);
const qvBody* qvRetainBody(const qvBody* body);
void qvReleaseBody(const qvBody* body);

/// Checks what only the mesh can tell: vertex numbers, sizes of masks, weights and offsets.
QV_CHECKED qvResult qvScene_CheckBody(const qvScene* scene, const qvBody* body, qvError* error);

/// The pose of a key without its transform, with its first strokeCount strokes (-1: all), in rest coordinates or, over
/// a clip, where that has the body at the key's time: points has pointCount entries. For live brushing: pose once, then
/// apply the stroke that is being dragged.
QV_CHECKED qvResult qvComputePose(const qvScene* scene, const qvBody* body, qvId key, int strokeCount, qvPool* pool,
                                  qvVec3f* points, qvError* error);
/// Keys over a clip of the mesh's file are offsets from it. Points that a body has at a time (without the keys'
/// transform) to rest plus offsets in the clip's local frames, as bases of keys hold them, and back; in place. Without
/// a clip nothing changes.
QV_CHECKED qvResult qvPose_OffClip(const qvScene* scene, const qvBody* body, double time, qvVec3f* points,
                                   qvError* error);
QV_CHECKED qvResult qvPose_OnClip(const qvScene* scene, const qvBody* body, double time, qvVec3f* points,
                                  qvError* error);
/// Applies one stroke as the pipeline does: at is carried from rest coordinates to where points are, mask (per vertex,
/// or NULL) and `connected` count.
QV_CHECKED qvResult qvApplyStroke(const qvBody* body, const qvStroke* stroke, const float* mask, qvPool* pool,
                                  qvVec3f* points, qvError* error);
/// The same for a stroke with `pins`, with what the scene has pinned at a time.
QV_CHECKED qvResult qvScene_ApplyStroke(const qvScene* scene, const qvBody* body, double time, const qvStroke* stroke,
                                        const float* mask, qvPool* pool, qvVec3f* points, qvError* error);
/// Where a point of the rest shape's surroundings goes when the body's points move: on the surface along with its
/// triangle, inside and outside by a smooth affine fit to the points near it. So strokes carry their places.
qvVec3 qvBody_Carry(const qvBody* body, const qvVec3f* points, qvVec3 at);
/// The place at rest that is carried to `at`, or as near to it as can be found: to 1e-6 of the diagonal where the body
/// is not folded onto itself.
qvVec3 qvBody_CarryBack(const qvBody* body, const qvVec3f* points, qvVec3 at);
/// Points of a vertex set, ascending; *points is the caller's (free).
QV_CHECKED qvResult qvVertexSet_Points(const qvVertexSet* set, const qvBody* body, int32_t** points, int* count,
                                       qvError* error);

/// Displacements from rest per vertex, which is how keys keep a pose: points in the coordinates of keys. Zero for a
/// vertex of no triangle.
void qvBody_Offsets(const qvBody* body, const qvVec3f* points, qvVec3f* offsets);

// --- Pipeline -----------------------------------------------------------------------------------------------------

typedef enum qvStage
{
    qv_stageBody,   ///< reading the mesh
    qv_stagePoses,  ///< strokes
    qv_stageSpace,  ///< modes and basis
    qv_stageMotion, ///< curves
    qv_stageWaves,  ///< events, transients, secondary motion
    qv_stageDetail, ///< a body on fewer points
    qv_stageRests,  ///< what poses have beyond those
    qv_stageCount,
} qvStage;

typedef struct qvPipelineDef
{
    const char* cacheFolder; ///< for what large bodies need and takes long to find; NULL: no cache on disk
    size_t cacheLimit;       ///< bytes of all its files, the oldest of which go; 0 keeps nothing; default 4 GB
} qvPipelineDef;

qvPipelineDef qvDefaultPipelineDef(void);

typedef struct qvPipeline qvPipeline;
typedef struct qvTake qvTake;

QV_CHECKED qvResult qvCreatePipeline(const qvPipelineDef* def, qvPipeline** pipeline, qvError* error);
void qvDestroyPipeline(qvPipeline* pipeline); ///< takes stay valid

/// Another cacheLimit from now on; what is too much goes at once. At any time, from any thread.
void qvPipeline_SetCacheLimit(qvPipeline* pipeline, size_t bytes);

/// Solves a scene. What lies above a simulation needs it, so that all but the topmost is simulated first. Several
/// threads may do so at once.
QV_CHECKED qvResult qvPipeline_Solve(qvPipeline* pipeline, const qvScene* scene, const char* folder, const qvJob* job,
                                     qvTake** take, qvError* error);
/// A body that was loaded for a scene need not be loaded once more for its takes: the pipeline keeps it, unless it has
/// one from the same source, unchanged. Returns the one that takes will have; the caller releases it too.
const qvBody* qvPipeline_ShareBody(qvPipeline* pipeline, const qvBody* body);
/// How often a stage has run (for poses: how many poses).
int qvPipeline_Runs(const qvPipeline* pipeline, qvStage stage);

// --- Take ---------------------------------------------------------------------------------------------------------

const qvTake* qvRetainTake(const qvTake* take);
void qvReleaseTake(const qvTake* take); ///< NULL is allowed

const qvScene* qvTake_Scene(const qvTake* take);
const qvBody* qvTake_Body(const qvTake* take);
const char* qvTake_Folder(const qvTake* take); ///< where relative files of the scene are looked up
/// The clip of the mesh file that moves a body below its keys, or -1.
int qvTake_Clip(const qvTake* take);
/// Where that clip is at a time of the scene, s of the clip. The take has a clip.
double qvTake_ClipTime(const qvTake* take, double time);
/// World positions of the points as that clip alone has them. scratch as for qvTake_Evaluate.
void qvTake_ClipPoints(const qvTake* take, double time, void* scratch, qvVec3f* points);

/// Until when the motion is known, s: simulations come in while others look on, and what is not there yet shows the
/// motion below. INFINITY: all of it is. Thread-safe.
double qvTake_ValidUntil(const qvTake* take);
/// Computes on until the motion is known at a time; INFINITY: to its end. From any thread; a cancelled call keeps what
/// it has. Bakes and pictures do so by themselves. A worker's take may lack what lies above its simulations for good:
/// qvTake_Complete.
QV_CHECKED qvResult qvTake_Advance(const qvTake* take, double time, const qvJob* job, qvError* error);
/// What to say when frames that were there cannot be read any more, again and again. qvTake_ValidUntil went back then,
/// and what was evaluated meanwhile may be wrong; to advance makes them anew.
QV_CHECKED qvResult qvTake_FailLost(qvError* error);
/// The same scene's take with all of its simulations to their ends, and with all that lies above them: the take itself
/// where it lacks nothing, or another one. The caller releases it.
QV_CHECKED qvResult qvTake_Complete(const qvTake* take, const qvJob* job, const qvTake** whole, qvError* error);
/// Whether a simulation has a say at a time.
bool qvTake_IsSimulated(const qvTake* take, double time);
/// The channels that engines can show, each tag once: copies as many as fit, returns how many there are.
int qvFindChannels(const qvChannel** found, int capacity);
/// From when on the body's topology may be another than its mesh's, s; INFINITY: never. From then on waves and keys
/// mean nothing, and points are those of the mesh that it was.
double qvTake_ChangesFrom(const qvTake* take);
/// What that leaves without effect, in one line: keys that are not met, waves that end. False when there is nothing.
bool qvTake_ChangeRemark(const qvTake* take, char* text, size_t capacity);

enum
{
    qv_maxRemark = 256 ///< bytes of a remark, with its zero
};

/// What an artist should know of a simulation of the scene, one sentence that names it: that it is left out, as the
/// program does not have its engine, or that its body is so soft that gravity alone squashes it. False: nothing.
bool qvTake_SimulationRemark(const qvTake* take, int simulation, char text[qv_maxRemark]);

/// Why keys are solved on all points although the scene wants fewer (its field detail), one sentence. False: they are
/// not, or that is what it wants.
bool qvTake_DetailRemark(const qvTake* take, char text[qv_maxRemark]);
/// On how many points keys are solved; 0 without keys.
int qvTake_DetailPoints(const qvTake* take);

/// Which layers an evaluation includes.
typedef enum qvTakeLayers
{
    qv_layersAll,    ///< what is shown and baked
    qv_layersMotion, ///< without waves
    qv_layersSmooth, ///< the plain cubic motion, for comparison
} qvTakeLayers;

/// Bytes of scratch for any evaluation of this take; one per thread. A qvTakeView has it.
size_t qvTake_ScratchSize(const qvTake* take);
/// World positions of all points at a time, into the caller's memory; the same bits for any pool. Allocates nothing,
/// but for keys that arrive as a wave: some kilobytes for each of their strokes, and without those the wave is left
/// out; and for the plain motion, which is made when it is asked for first. Without memory for that the wiggly one
/// stands in.
void qvTake_Evaluate(const qvTake* take, double time, qvTakeLayers layers, void* scratch, qvPool* pool,
                     qvVec3f* points);
/// The same with all layers at several times, [count][pointCount], which is quicker than one by one; allocates.
QV_CHECKED qvResult qvTake_EvaluateFrames(const qvTake* take, const double* times, int count, qvPool* pool,
                                          qvVec3f* points, qvError* error);
/// World positions of the file's vertices, from the points of qvTake_Evaluate with all layers at the same time. Where a
/// clip moves vertices apart that are one point at rest, each goes its own way.
void qvTake_Vertices(const qvTake* take, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices);
/// The rigid frame at a time: rest coordinates to the world.
qvAffine qvTake_Frame(const qvTake* take, double time);
/// What keyed transforms alone make of the body at a time: key coordinates to the world; the identity without any.
qvAffine qvTake_KeyedFrame(const qvTake* take, double time);
/// The same as the transform of a key at that time would have it.
void qvTake_KeyedPlace(const qvTake* take, double time, qvVec3* translate, qvQuat* rotate);
/// From the world to the coordinates of keys, in place; frame: what qvTake_KeyedFrame says.
void qvWorldToKeys(const qvAffine* frame, qvVec3f* points, int count);
void qvKeysToWorld(const qvAffine* frame, qvVec3f* points, int count);
/// Where a key itself has the body, without a take: what puts its pose (qvComputePose) into the world. The identity
/// without a transform.
qvAffine qvSceneKey_Frame(const qvSceneKey* key);
/// The frame to put a key's pose (qvComputePose) into the world.
qvAffine qvTake_KeyFrame(const qvTake* take, int key);
/// Whether anything sends waves: events, keys, or the motion itself.
bool qvTake_HasWaves(const qvTake* take);

/// Modes of the rest shape, for the mixer.
int qvTake_ModeCount(const qvTake* take);
double qvTake_ModeFrequency(const qvTake* take, int mode); ///< Hz
/// The rest shape swinging in one mode, phase in turns, peak displacement a tenth of the diagonal.
void qvTake_ModeShape(const qvTake* take, int mode, double phase, qvVec3f* points);
/// How far every mode is out at many times, for graphs, in mesh units (wiggly, and in the plain smooth motion): rows of
/// modeCount numbers per time. The take has modes. False when memory runs out.
bool qvTake_ModeCurves(const qvTake* take, const double* times, int timeCount, double* wiggly, double* smooth);

/// How well a key is hit.
typedef struct qvKeyReport
{
    /// Largest distance of a constrained point from its pose, fraction of the diagonal; of a key that arrives as a wave
    /// once the wave has passed.
    double error;
    double residual; ///< of a partial or soft key: what was left unconstrained, fraction of the diagonal
    double waves;    ///< how far the waves would be from the key without keep_keys, fraction of the diagonal
    double passes;   ///< how far the shape goes beyond the pose before it is there, over the way to it; 0 where it does
                     ///< not, and where the velocity is not free
} qvKeyReport;

qvKeyReport qvTake_KeyReport(const qvTake* take, int key);

/// Jump at a loop's seam, fractions of the diagonal (per second, per second squared); zeros without a loop. What starts
/// right there by itself, a blow or a ripple, is no jump of the loop and is left out. Waves and clips are known only at
/// single times: of them, what is reported is what the measure is sure of.
typedef struct qvSeam
{
    double position, velocity, acceleration;
    bool atLeast; ///< there are waves or a clip, so that the jumps may be larger than that
    bool closes;  ///< a jump of position or velocity moves less than a thousandth of the diagonal in a frame
} qvSeam;

qvSeam qvTake_Seam(const qvTake* take);

/// Measures the seam and, unless its number is negative, a key, which takes its time with many waves, so that
/// qvTake_Seam and qvTake_KeyReport know them. Fails with qv_cancelled only.
QV_CHECKED qvResult qvTake_Measure(const qvTake* take, int key, const qvJob* job, qvError* error);

/// Events that the secondary motion generated, ascending in time; they belong to the take.
int qvTake_GeneratedCount(const qvTake* take);
const qvSceneEvent* qvTake_GeneratedEvent(const qvTake* take, int index);

// --- View ---------------------------------------------------------------------------------------------------------

/// A take as one thread looks at it: what evaluation needs, and what the last one gave. { 0 } looks at nothing.
typedef struct qvTakeView
{
    const qvTake* take;   ///< retained; NULL: none
    const qvMesh* mesh;   ///< whose vertices they are: the body's, or `changed`
    qvMesh* changed;      ///< the mesh of the last qvTakeView_Show where the topology is another; NULL: the body's
    unsigned int epoch;   ///< grows when `mesh` becomes another one
    qvVec3f* points;      ///< [pointCount] of the body, where the last evaluation has them
    qvVec3f* vertices;    ///< [mesh->vertexCount] of the last qvTakeView_Show
    void* scratch;        ///< qvTake_ScratchSize bytes
    double* numbers;      ///< one for every point or mode, whichever are more
    qvVec3f* shownPoints; ///< of the last qvTakeView_ShowChannel
    float* shownValues;
    qvVec3f* shownArrows;
    int pointCapacity, vertexCapacity, numberCapacity, shownPointCapacity, shownValueCapacity, shownArrowCapacity;
    size_t scratchCapacity;
} qvTakeView;

/// Looks at a take from now on; NULL: at none. Memory is kept for the next one; where it runs out the view looks at
/// nothing.
QV_CHECKED qvResult qvTakeView_SetTake(qvTakeView* view, const qvTake* take, qvError* error);
void qvTakeView_Free(qvTakeView* view);

/// The points at a time.
void qvTakeView_Evaluate(qvTakeView* view, double time, qvTakeLayers layers, qvPool* pool);
/// The points at a time, and the mesh and vertices that are drawn then. Fails only where the topology changes, and
/// shows the body's mesh then.
QV_CHECKED qvResult qvTakeView_Show(qvTakeView* view, double time, qvTakeLayers layers, qvPool* pool, qvError* error);
/// What a simulation shows of a channel at a time, at points of its own: the arrays are the view's, until the next
/// call. False: at that time no simulation has that channel, or it is not computed so far, or memory has run out.
bool qvTakeView_ShowChannel(qvTakeView* view, const char* tag, double time, qvShownPoints* shown);
/// Values as parts of the channel's range, in place: 0 to 1.
void qvShownPoints_Scale(qvShownPoints* shown);
/// Strength of the waves per point, 0 to about 1, for colours: pointCount entries.
void qvTakeView_Wavefronts(qvTakeView* view, double time, qvPool* pool, float* values);
/// How much each mode swings at a time, as a fraction of the diagonal: modeCount entries.
void qvTakeView_Levels(qvTakeView* view, double time, float* levels);

// --- Worker -------------------------------------------------------------------------------------------------------

/// Two threads that keep a take up to date: the newest scene wins and is begun beside what it supersedes, which is
/// cancelled.
typedef struct qvWorker qvWorker;

QV_CHECKED qvResult qvCreateWorker(const qvPipelineDef* def, qvWorker** worker, qvError* error);
void qvDestroyWorker(qvWorker* worker); ///< cancels and waits; NULL is allowed

/// What the worker solves with, for other work on the same scenes: what one has solved the other finds in the caches.
/// Valid as long as the worker.
qvPipeline* qvWorker_Pipeline(qvWorker* worker);
/// qvPipeline_ShareBody of the worker's pipeline.
const qvBody* qvWorker_ShareBody(qvWorker* worker, const qvBody* body);
/// Hands over a scene (retained); returns at once.
void qvWorker_Post(qvWorker* worker, const qvScene* scene, const char* folder);
/// Another document comes: what was posted so far is given up, and nothing of it can be collected any more.
void qvWorker_Forget(qvWorker* worker);
/// The newest finished take since the last call, or NULL; the caller releases it.
const qvTake* qvWorker_Collect(qvWorker* worker);
/// Whether a take or a failure waits to be collected.
bool qvWorker_HasNews(qvWorker* worker);
/// What failed last, once: false when nothing did.
bool qvWorker_CollectError(qvWorker* worker, qvError* error);
/// Progress for a status bar; stage has at least 64 characters. False when idle.
bool qvWorker_Progress(qvWorker* worker, double* fraction, char* stage);
/// Whether simulations of the newest take are still being computed (qvTake_ValidUntil says how far they are).
bool qvWorker_IsSimulating(qvWorker* worker);
/// How a worker has fared with superseded scenes.
typedef struct qvWorkerStats
{
    uint64_t posted;  ///< scenes handed over
    uint64_t begun;   ///< of them solved or tried; the others were superseded before their turn
    uint64_t stopped; ///< of these left unfinished because a newer scene came
    uint64_t newest;  ///< number of the newest scene begun, counted from 1: posted once the newest of all is
    int mostAtOnce;   ///< solves under way at the same time, at most: two, while a stopped one runs out
} qvWorkerStats;

qvWorkerStats qvWorker_Stats(qvWorker* worker);

// --- Bake ---------------------------------------------------------------------------------------------------------

/// Frames of a take, ready to be written: world positions of the file's vertices and the rigid frame at every sample.
/// Or, for a body that a clip of its file moves, what the waves add to the clip, in bind space.
typedef struct qvBake
{
    int frameCount, vertexCount;
    int first; ///< number of the first frame among all that the range has
    double fps;
    double start; ///< s, when the first one of all is
    double* times;
    qvVec3f* positions; ///< [frameCount][vertexCount]
    qvAffine* frames;   ///< [frameCount]
    qvMesh** meshes; ///< [frameCount] those whose topology is another than the body's, in world space, else NULL; NULL
                     ///< when there are none
    bool loop;
    bool bind; ///< positions are displacements in bind space
} qvBake;

typedef struct qvBakeDef
{
    double fps;      ///< 0: the scene's
    bool hasRange;   ///< false: the preview range if there is one and usePreview, else the scene's range
    double range[2]; ///< s
    bool usePreview;
    bool hasFrames; ///< only some of the moments that this gives:
    int frames[2];  ///< the first and the last number, from 0; those that do not exist are left out
    bool bind;      ///< of a take with a clip: displacements in bind space, for glTF that keeps its skin
} qvBakeDef;

qvBakeDef qvDefaultBakeDef(void);

/// What a definition comes to for a scene: the moments of a bake or a film, at qvScene_SampleTime.
typedef struct qvMoments
{
    double fps, range[2];
    int total;        ///< moments of the range
    int first, count; ///< those that are meant: all of them, or the frames of a definition
    bool loop;        ///< the last one of all is the first again
} qvMoments;

/// Fails for a range without length or with more than 100,000 moments, and for frames of which none exists.
QV_CHECKED qvResult qvBakeDef_Moments(const qvBakeDef* def, const qvScene* scene, qvMoments* moments, qvError* error);

/// Fails where qvBakeDef_Moments does.
QV_CHECKED qvResult qvCreateBake(const qvTake* take, const qvBakeDef* def, const qvJob* job, qvBake** bake,
                                 qvError* error);
void qvDestroyBake(qvBake* bake); ///< NULL is allowed

/// What leaves the program: which samples, and how they are written.
typedef struct qvTakeExport
{
    qvBakeDef bake;
    qvExportOptions options; ///< its job is for the bake too
    bool embedScene;         ///< the scene goes into a glTF file, so that Quaver can open and edit it again
} qvTakeExport;

qvTakeExport qvDefaultTakeExport(void);

/// Bakes and writes by the extension of path. A scene that is moved by its file's own clip keeps that clip and its
/// skin; what waves add goes below it as morph targets. report may be NULL.
QV_CHECKED qvResult qvExportTake(const qvTake* take, const qvTakeExport* def, const char* path, qvExportReport* report,
                                 qvError* error);
/// What that would come to, without writing.
QV_CHECKED qvResult qvEstimateTake(const qvTake* take, const qvTakeExport* def, const char* path,
                                   qvExportReport* report, qvError* error);
/// Fails when a path is that of the mesh file or of a file that it refers to: qvExportTake does not write over those,
/// and nothing else should.
QV_CHECKED qvResult qvTake_CheckTarget(const qvTake* take, const char* path, qvError* error);

#ifdef __cplusplus
}
#endif

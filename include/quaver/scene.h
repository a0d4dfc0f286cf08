// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene: what an artist made. The mesh, keys as stacks of brush strokes, material, pins and events. Plain values,
/// read by everyone; changed only by the edits of document.h.
///
/// A qvScene is an immutable snapshot with a count of owners. Snapshots of one document share what did not change:
/// keys, strokes and large arrays. Numbers are in seconds, radians, and the mesh's own units; vertex numbers are those
/// of the mesh file.
///
///     const qvScene* scene;
///     if (qvLoadScene("lean.json", &scene, &error) == qv_ok)
///         for (int i = 0; i < scene->keyCount; i++)
///             printf("%s at %g s\n", scene->keys[i]->tag, scene->keys[i]->time);
///     qvReleaseScene(scene);
#pragma once

#include "quaver/brush.h"
#include "quaver/json.h"
#include "quaver/math.h"
#include "quaver/motion.h"
#include "quaver/obstacle.h"
#include "quaver/result.h"
#include "quaver/rig.h"
#include "quaver/simulation.h"
#include "quaver/waves.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Names an object of a document for as long as the document lives: never given twice, and undo brings the same one
/// back. 0: none.
typedef uint32_t qvId;

enum
{
    qv_maxTag = 32,   ///< bytes of a key's or event's id in files, with its zero
    qv_maxName = 128, ///< bytes of a name, with its zero
};

/// A shared, immutable array.
typedef struct qvBlob
{
    size_t size; ///< bytes
    const void* data;
} qvBlob;

/// Vertices by number and by a box in rest coordinates; both may be given.
typedef struct qvVertexSet
{
    const qvBlob* vertices; ///< int32_t each; NULL: none
    bool hasBox;
    qvVec3 lower, upper;
} qvVertexSet;

typedef struct qvSceneMesh
{
    const char* file;      ///< relative to the scene's folder; NULL: a primitive
    const char* primitive; ///< tag; NULL: a file
    int resolution;        ///< of the primitive; 0: its default
} qvSceneMesh;

/// Which animation of the mesh's file moves the body, and when. A file without one leaves it alone.
typedef struct qvSceneClip
{
    bool on;          ///< false: none; null in files
    const char* name; ///< see qvRig_FindClip; NULL: by its number
    int number;       ///< counted from 1
    double start;     ///< s; where the clip begins
    double speed;     ///< seconds of the clip in one of the scene
    bool repeat;      ///< it plays again and again, before its start too; else it holds its ends
} qvSceneClip;

typedef struct qvScenePin
{
    qvId id;
    qvVertexSet where;
    double from, to;     ///< s; -INFINITY and INFINITY when not given
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvScenePin;

typedef struct qvSceneStrip
{
    qvId id;
    qvMixerStrip def;    ///< mode 0 is the lowest elastic mode of the rest shape
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneStrip;

typedef struct qvSceneMarker
{
    qvId id;
    double time;
    char name[qv_maxName];
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneMarker;

typedef struct qvSceneStroke
{
    qvId id;
    qvStroke stroke;     ///< at is in rest coordinates; radius 0: 0.15 of the mesh's diagonal
    const qvBlob* mask;  ///< float per vertex; NULL: none
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneStroke;

/// A stack of strokes, shared.
typedef struct qvStrokeStack
{
    int count;
    const qvSceneStroke* const* strokes;
} qvStrokeStack;

typedef enum qvBaseKind
{
    qv_baseRest,
    qv_baseKey,     ///< the pose of another key
    qv_baseOffsets, ///< captured displacements
} qvBaseKind;

/// How the motion arrives at a key. The order of scene/interp_list.inl.
typedef enum qvInterp
{
    qv_interpWiggly,
    qv_interpSmooth,
    qv_interpLinear,
    qv_interpHold,
    qv_interpWave,
    qv_interpCount,
} qvInterp;

/// One side of a key's velocity.
typedef struct qvSceneVelocity
{
    bool given;
    qvVec3 value;          ///< of the whole body
    qvStrokeStack strokes; ///< else by strokes: their displacement in one second
    const qvBlob* offsets; ///< else qvVec3f per vertex, units/s: what was captured; NULL: none
} qvSceneVelocity;

/// Whether a side says the velocity of every point by itself, not one of the whole body.
static inline bool qvSceneVelocity_IsField(const qvSceneVelocity* velocity)
{
    return velocity->strokes.count > 0 || velocity->offsets != NULL;
}

typedef struct qvSceneKey
{
    qvId id;
    char tag[qv_maxTag]; ///< the id in files, unique
    char name[qv_maxName];
    double time;

    qvBaseKind base;
    qvId baseKey;
    const qvBlob* offsets; ///< qvVec3f per vertex
    qvStrokeStack strokes;

    bool hasTransform;
    qvVec3 translate;
    qvQuat rotate;
    int turns;

    qvInterp interp;
    qvVelocityMode velocityMode;
    qvSceneVelocity before, after; ///< qv_velocitySet uses after alone
    bool breaksFrame;              ///< velocity.break: a broken key breaks the flight alone, not the wobble

    double weight;    ///< INFINITY: hard
    qvVertexSet only; ///< of a partial key
    bool partial;

    bool ripple;         ///< wave.kind
    double waveAmount;   ///< of a ripple
    double waveSpeed;    ///< m/s
    double frequency;    ///< override for the segment that arrives here; NAN: none
    double settle;       ///< the same
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneKey;

typedef struct qvSceneEvent
{
    qvId id;
    char tag[qv_maxTag];
    char name[qv_maxName];
    qvWaveDef def;      ///< as in the file: radius 0 stands for 0.15 of the mesh's diagonal
    const qvBlob* mask; ///< float per vertex; NULL: none
    const qvBlob* path; ///< qvVec3 each: a painted curve of loads; NULL: one load
    const qvBlob* extra;
} qvSceneEvent;

typedef struct qvSceneSecondary
{
    bool enabled;
    qvSecondaryTerms terms; ///< speed in m/s
} qvSceneSecondary;

/// Two vertices of different parts that stay together while physics moves the body.
typedef struct qvSceneJoint
{
    qvId id;
    int a, b;            ///< vertices of the mesh file
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneJoint;

/// What a part of the body is made of where it differs from the rest (engine of surfaces).
typedef struct qvScenePart
{
    qvId id;
    int at;                                   ///< a vertex of the mesh file, of that part
    double wobble, settle, poisson, friction; ///< NAN: the simulation's
    double density;                           ///< beside that of parts that are not named
    const qvBlob* extra;                      ///< unknown fields as JSON text; NULL: none
} qvScenePart;

/// A span of time in which physics moves the body.
typedef struct qvSceneSimulation
{
    qvId id;
    char tag[qv_maxTag];
    char name[qv_maxName];
    char engine[qv_maxTag]; ///< what computes it; one that the program does not have is left out
    qvSimulationDef def;    ///< as in the file: what is left open is not filled in, nor are its curves
    const qvBlob *wobble, *melt,
        *dent; ///< curves, double[2] each: seconds from the start, value; NULL: the def's number
    int jointCount;
    const qvSceneJoint* const* joints;
    int partCount;
    const qvScenePart* const* parts;
    bool mute;
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneSimulation;

/// What lies below a height, in every scene.
typedef struct qvSceneGround
{
    double height; ///< y; NAN: the lowest point of the rest shape
    double friction;
    bool on;
} qvSceneGround;

/// Where an obstacle is at a time.
typedef struct qvSceneObstacleKey
{
    qvId id;
    double time;
    qvVec3 at;
    qvQuat rotate;
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneObstacleKey;

/// What a body may not go through, beside the ground.
typedef struct qvSceneObstacle
{
    qvId id;
    char tag[qv_maxTag];
    char name[qv_maxName];
    qvObstacleShape shape; ///< sphere, box or mesh
    double radius;         ///< of a sphere
    qvVec3 size;           ///< of a box
    const char* file;      ///< of a mesh, relative to the scene's folder; NULL: none
    qvVec3 at;             ///< without keys
    qvQuat rotate;         ///< the same
    int keyCount;
    const qvSceneObstacleKey* const* keys; ///< ascending in time; they say where it is instead of at and rotate
    double friction;
    bool inside; ///< a vessel
    bool mute;
    const qvBlob* extra; ///< unknown fields as JSON text; NULL: none
} qvSceneObstacle;

/// What pictures of the scene look at it with. Angles in degrees, as in files.
typedef struct qvSceneCamera
{
    qvVec3 target;   ///< the point in the middle of the picture
    double yaw;      ///< degrees about y; 0 looks along -z, 90 along -x
    double pitch;    ///< degrees, positive looks down
    double distance; ///< from the eye to the target, scene units
    double lens;     ///< vertical angle of view, degrees
    bool ortho;      ///< without perspective; shows as much at the target as the lens does
} qvSceneCamera;

typedef struct qvScene
{
    char name[qv_maxName];
    double fps;
    bool hasRange;
    double range[2]; ///< when not given: 0 and the last key's time, or 1
    bool loop;
    bool hasPreview;
    double preview[2];
    bool keepKeys;
    double unit; ///< metres in a unit of the mesh: gravity, wind and speeds of waves are in metres
    bool hasCamera;
    qvSceneCamera camera; ///< when not given: at its defaults

    qvSceneMesh mesh;
    int detail; ///< points on which the motion of keys is solved, where the mesh has more; 0: all
    qvSceneClip clip;
    qvBodyMaterial material; ///< in metres: gravity and wind
    qvSceneSecondary secondary;
    qvSceneGround ground;
    const qvBlob* weights; ///< float per vertex; NULL: 1

    int pinCount, stripCount, markerCount, keyCount, eventCount, simulationCount, obstacleCount;
    const qvScenePin* const* pins;
    const qvSceneStrip* const* strips;
    const qvSceneMarker* const* markers;         ///< ascending in time
    const qvSceneKey* const* keys;               ///< ascending in time
    const qvSceneEvent* const* events;           ///< ascending in time
    const qvSceneSimulation* const* simulations; ///< ascending in time
    const qvSceneObstacle* const* obstacles;
    const qvBlob* extra; ///< unknown fields of scene, camera, mesh, clip, material, secondary, as JSON text
} qvScene;

/// One more owner. Returns scene. Thread-safe.
const qvScene* qvRetainScene(const qvScene* scene);
/// One owner fewer; NULL is allowed. Thread-safe.
void qvReleaseScene(const qvScene* scene);

/// A key and an event with every field at its default and without a place in a scene, to be filled for
/// qvDocument_AddKey and qvDocument_AddEvent.
qvSceneKey qvDefaultSceneKey(void);
qvSceneEvent qvDefaultSceneEvent(void);
/// The same for qvDocument_AddSimulation, of the first engine.
qvSceneSimulation qvDefaultSceneSimulation(void);

/// A scene of 2 s with a mesh and one key at 0, everything else at its default.
QV_CHECKED qvResult qvCreateScene(const qvSceneMesh* mesh, const qvScene** scene, qvError* error);

/// A scene that a clip of its mesh file moves: without keys, as long as the clip, and with the frame rate and the loop
/// that the file notes. clip is as in qvRig_FindClip; where there is none, qv_notFound.
QV_CHECKED qvResult qvCreateClipScene(const qvSceneMesh* mesh, const char* clip, const qvRig* rig,
                                      const qvScene** scene, qvError* error);

/// Metres in a unit of a mesh that is so large across: 1, unless that would make it smaller than 0.2 m or larger than
/// 20 m; then so that it is 2 m.
double qvUnitForSize(double diagonal);

/// The clip of the rig that a scene means; rig may be NULL. qv_notFound names those that there are.
QV_CHECKED qvResult qvSceneClip_Find(const qvSceneClip* clip, const qvRig* rig, int* index, qvError* error);

/// Reads a scene file, or the scene embedded in a .glb or .gltf. The mesh is not loaded. A mistake is one line with
/// the path of the field: "lean.json: keys[2].strokes[0].radius: must be positive".
QV_CHECKED qvResult qvLoadScene(const char* path, const qvScene** scene, qvError* error);
/// The same from text; name stands in messages.
QV_CHECKED qvResult qvParseScene(const char* text, size_t size, const char* name, const qvScene** scene,
                                 qvError* error);
/// True for a file that qvLoadScene is meant for: .json or other JSON text, be there mistakes in it, or a glTF with
/// an embedded scene.
bool qvIsSceneFile(const char* path);

/// The scene as JSON text, fields at their defaults left out, in a stable order. Free with qvFreeText.
QV_CHECKED qvResult qvPrintScene(const qvScene* scene, char** text, qvError* error);
QV_CHECKED qvResult qvSaveScene(const qvScene* scene, const char* path, qvError* error);

/// A hash of everything in the scene, for "unsaved?" and for tests. Equal content gives equal hashes.
uint64_t qvScene_Hash(const qvScene* scene);

/// By id, or NULL. index may be NULL.
const qvSceneKey* qvScene_FindKey(const qvScene* scene, qvId id, int* index);
const qvSceneEvent* qvScene_FindEvent(const qvScene* scene, qvId id, int* index);
const qvSceneSimulation* qvScene_FindSimulation(const qvScene* scene, qvId id, int* index);
const qvSceneObstacle* qvScene_FindObstacle(const qvScene* scene, qvId id, int* index);
/// The stroke, the key that holds it and its place in the stack (key and place may be NULL). Strokes of a velocity are
/// not searched.
const qvSceneStroke* qvScene_FindStroke(const qvScene* scene, qvId id, const qvSceneKey** key, int* place);

// --- Simulations --------------------------------------------------------------------------------------------------

/// An engine of simulations, for people to choose from.
typedef struct qvEngineInfo
{
    const char* tag;   ///< in scene files
    const char* label; ///< for people
    const char* help;  ///< one sentence: what it is good at
} qvEngineInfo;

/// The engines of this program by index; false after the last.
bool qvGetEngineInfo(int index, qvEngineInfo* info);

/// What a simulation is given, with everything that it leaves to the scene filled in: its end, wobble, settle, gravity.
qvSimulationDef qvSceneSimulation_Resolve(const qvSceneSimulation* simulation, const qvScene* scene);
/// Whether its span is one that the scene can play: inside the range, after the ones before it. Muted ones and those of
/// engines that the program does not have are.
QV_CHECKED qvResult qvScene_CheckSimulation(const qvScene* scene, const qvSceneSimulation* simulation, qvError* error);

/// A kind of body for simulations: jelly, clay. See scene/simulation_preset_list.inl.
typedef struct qvSimulationPreset
{
    const char* label;
    const char* help;   ///< one sentence
    const char* engine; ///< tag
    const char* fields; ///< as in files: a JSON object
} qvSimulationPreset;

/// The presets that this program has the engine and all fields for. Returns how many (at most capacity).
int qvFindSimulationPresets(const qvSimulationPreset** found, int capacity);

/// Where the ground is; lowest is the lowest y of the body at rest.
double qvScene_GroundHeight(const qvScene* scene, double lowest);
/// The ground and the obstacles that are not muted, in this order, with their meshes from files that are looked up in
/// folder. Messages name the obstacle.
QV_CHECKED qvResult qvCreateSceneObstacles(const qvScene* scene, const char* folder, double lowest, const qvJob* job,
                                           qvObstacles** obstacles, qvError* error);
/// Where an obstacle of the scene is at a time and how it moves, without its shape.
QV_CHECKED qvResult qvScene_PlaceObstacle(const qvScene* scene, const qvSceneObstacle* obstacle, double time,
                                          qvObstaclePlace* place, qvError* error);

/// Whether any key moves the body as a whole. The first one that does would move it at all times.
bool qvScene_KeysFrame(const qvScene* scene);
/// Whether a key that is put at a time may say where the body is there (qvTake_KeyedPlace) without changing the way:
/// other keys say it, no extra turns are on the way, which cannot be divided, and the body does not fall freely.
bool qvScene_MayKeyPlace(const qvScene* scene, double time);

/// Start and end: the range, or what it is when not given.
void qvScene_Range(const qvScene* scene, double range[2]);

/// How many samples a bake takes, and the time of one: range[0] + i / fps, the end included. A last one within 1e-4 of
/// a frame of the end, or nearer than float32 can tell, takes the end's time.
int qvScene_SampleCount(double fps, const double range[2]);
double qvScene_SampleTime(double fps, const double range[2], int sample);

// --- Fields -------------------------------------------------------------------------------------------------------

/// Objects with fields.
typedef enum qvObjectKind
{
#define QV_OBJECT(word, name) qv_object##name,
#include "quaver/object_list.inl"
#undef QV_OBJECT
    qv_objectKindCount,
} qvObjectKind;

/// The word that edits and messages have for a kind: "key".
const char* qvObjectKind_Word(qvObjectKind kind);

/// An object of a document; id 0 for those that exist once.
typedef struct qvRef
{
    qvObjectKind kind;
    qvId id;
} qvRef;

typedef enum qvFieldType
{
    qv_fieldNumber,
    qv_fieldInt,
    qv_fieldBool,
    qv_fieldText,
    qv_fieldVector,
    qv_fieldPoint,
    qv_fieldRotation, ///< x, y, z, w
    qv_fieldAxes,     ///< subset of "xyz"
    qv_fieldChoice,   ///< one of a list of tags
    qv_fieldRange,    ///< [a, b]
    qv_fieldOther,    ///< a structure of its own (strokes, base, only, velocity): JSON only
} qvFieldType;

/// One field of an object: written once, read by files, inspector, command line and tests.
typedef struct qvField
{
    const char* tag;   ///< name in files and edits: "frequency", "transform.translate"
    const char* label; ///< for people
    const char* unit;  ///< "Hz", "s", "" …
    const char* help;  ///< what it does to the motion, one sentence, for tooltips
    qvFieldType type;
    double minimum, maximum;
    double standard;          ///< default of numbers, bools and choices
    const char* const* tags;  ///< of a choice, NULL-ended
    const char* const* names; ///< the same for people
} qvField;

int qvFieldCount(qvObjectKind kind);
const qvField* qvGetField(qvObjectKind kind, int index);
const qvField* qvFindField(qvObjectKind kind, const char* tag); ///< or NULL

/// Whether a brush, shape or engine has this field (a grab has no angle); true for other objects' fields.
bool qvField_Applies(const qvScene* scene, qvRef object, const qvField* field);

/// The field with the range and default that it has for this object: a brush may narrow them.
qvField qvField_For(const qvScene* scene, qvRef object, const qvField* field);

/// Reads a field: numbers, bools (0 or 1), choices (index) and axes (bits) fill values[0]; vectors and points three,
/// rotations four, ranges two. False for texts, other types and objects that do not exist. Optional numbers, ranges
/// and velocities that are not given read as NAN in values[0], a hard weight as INFINITY, an automatic radius or
/// resolution as 0.
bool qvReadField(const qvScene* scene, qvRef object, const char* tag, double values[4]);
/// What stands for a field that is not given: the material's wobble for a simulation. False where the field is given,
/// or nothing is known to stand for it.
bool qvReadInherited(const qvScene* scene, qvRef object, const char* tag, double values[4]);
/// Text of a text field, or NULL.
const char* qvReadText(const qvScene* scene, qvRef object, const char* tag);

/// Material presets (jelly, rubber, flesh, sheet metal, paper): label and values, by index; NULL after the last.
const char* qvMaterialPreset(int index, qvBodyMaterial* material);

/// Interpolation kinds in the order of qvInterp: tag for files, label for people.
const char* qvInterp_Tag(qvInterp interp);
const char* qvInterp_Label(qvInterp interp);

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the engine "surface" share.
#pragma once

#include "bem/surface_pins.h"
#include "layer/below.h"
#include "layer/engine.h"

/// A connected part of the body: one body, or a row of pieces.
typedef struct qvSurfaceWhole
{
    int firstPart, partCount;
    qvCarrier* out;       ///< from the vertices of its surface to its points; NULL: the only piece's
    int vertexCount;      ///< of the surface, of several pieces
    int32_t (*copies)[2]; ///< of each: its places among all vertices, one of them twice where there is one only
} qvSurfaceWhole;

typedef struct qvSurfaceModel
{
    const qvEngineInput* input;
    int partCount, shapeCount, vertexCount;
    qvBemPart* parts; // or pieces
    qvSurfaceWhole* wholes;
    int wholeCount;
    qvBemJoint* seams; // between pieces; they hang where their vertices are
    int seamCount;
    qvBemShape** shapes;
    bool isBorrowed;          // parts, wholes, seams, shapes and histories are those of the span before
    qvBemHistory** histories; // of the shapes; NULL: modes answer
    qvBemBodyDef* bodies;
    qvBemJoint* joints; // those of the input, then the seams
    int jointCount;
    qvBemSystem* system;
    double step; // s
    qvBemPins* pins;
    double* start;    // the state at the start, its time before it
    size_t stateSize; // doubles
} qvSurfaceModel;

static inline int qvSurfaceModel_PointCount(const qvSurfaceModel* model)
{
    return model->input->mesh->pointCount;
}

/// --- surface_below.c: the motion below ---

/// What asking for it takes: the points of a part, and scratch of carriers and of fits.
typedef struct qvSurfaceRoom
{
    qvBelow below;
    qvVec3* part;
    void* carrier;
    double* fit;
    qvVec3* surface; // of a part in several pieces
} qvSurfaceRoom;

bool qvSurfaceRoom_Make(const qvSurfaceModel* model, qvSurfaceRoom* room); ///< false: out of memory
void qvSurfaceRoom_Free(qvSurfaceRoom* room);
/// The points of a part into the room.
void qvSurfaceRoom_Gather(const qvBemPart* part, const qvVec3f* points, const qvSurfaceRoom* room);
/// Places and velocities of all vertices at a time.
void qvSurfaceRoom_Motion(const qvSurfaceModel* model, double time, const qvSurfaceRoom* room, const qvMoving* motion);

/// --- surface_parts.c: connected parts and their shapes ---

QV_CHECKED qvResult qvSurfaceModel_MakeParts(qvSurfaceModel* model, const qvVec3* shape, const qvJob* job,
                                             qvError* error);
void qvSurfaceModel_FreeParts(qvSurfaceModel* model);
/// The vertices of a whole's surface: of all vertices, or put together in room.
const qvVec3* qvSurfaceModel_Surface(const qvSurfaceModel* model, const qvSurfaceWhole* whole, const qvVec3* vertices,
                                     qvVec3* room);
const qvCarrier* qvSurfaceModel_Carrier(const qvSurfaceModel* model, const qvSurfaceWhole* whole);
/// Vertices that room has for qvSurfaceModel_Surface.
int qvSurfaceModel_RoomCount(const qvSurfaceModel* model);

/// What a connected part is made of: nothing is left to others.
qvEnginePart qvSurfaceModel_MaterialOf(const qvSurfaceModel* model, int part);

/// --- surface_pieces.c ---

/// Cuts a part, whose points are in the first of so many parts from `first` on, into these.
QV_CHECKED qvResult qvSurfaceModel_CutPart(qvSurfaceModel* model, qvSurfaceWhole* whole, const qvBemShapeDef* def,
                                           const qvJob* job, qvError* error);
/// What bends and twists between the pieces of a part fades like modes do; what moves it as a whole stays.
void qvSurfaceModel_Calm(const qvSurfaceModel* model, double step, double* state);

/// --- surface_engine.c: the bodies ---

/// The bodies with steps of that length; 0: the one that fits them.
QV_CHECKED qvResult qvSurfaceModel_MakeSystem(const qvSurfaceModel* model, double step, const qvJob* job,
                                              qvBemSystem** system, qvError* error);
/// A body of a state in the motion of its vertices; returns by how many thicknesses it would be strained.
double qvSurfaceModel_SetBody(const qvSurfaceModel* model, int body, const qvMoving* motion, const qvSurfaceRoom* room,
                              double* state);

/// --- surface_joints.c ---

/// The bodies and vertices of the input's joints, which do not hang yet.
QV_CHECKED qvResult qvSurfaceModel_FindJoints(qvSurfaceModel* model, qvError* error);
/// Hangs both ends of each joint on the middle between them, where the state at the start has them; a joint that the
/// span before has hangs as there.
QV_CHECKED qvResult qvSurfaceModel_HangJoints(qvSurfaceModel* model, qvError* error);

/// --- surface_history.c ---

/// Where the scene asks for it: the histories of all shapes and the steps that they need, into model and bodies.
QV_CHECKED qvResult qvSurfaceModel_MakeHistories(qvSurfaceModel* model, const qvJob* job, qvError* error);
void qvSurfaceModel_FreeHistories(qvSurfaceModel* model);
/// Whether so long a frame can be stepped; histories cannot be shortened.
bool qvSurfaceModel_IsStep(const qvSurfaceModel* model, double seconds, qvError* error);

/// --- surface_run.c, surface_draw.c: as the engine's descriptor has them ---

void* qvSurfaceRun_Begin(const void* model);
void qvSurfaceRun_End(void* run);
qvResult qvSurfaceRun_Step(void* run, double seconds, const qvJob* job, qvError* error);
void qvSurfaceRun_Sample(void* run, float* values, float* rates);
void qvSurfaceRun_Save(const void* run, void* bytes);
qvResult qvSurfaceRun_Load(void* run, const void* bytes, qvError* error);
size_t qvSurfaceModel_ScratchSize(const void* model);
void qvSurfaceModel_Points(const void* model, double time, const float* values, void* scratch, qvPool* pool,
                           qvVec3f* points);

/// --- surface_show.c: as the engine's descriptor has them ---

enum
{
    qv_surfacePressure,
    qv_surfaceForce,
    qv_surfaceChannels
};

extern const qvChannel qvSurfaceChannels[qv_surfaceChannels];
int qvSurfaceModel_ShownCount(const void* model);
double qvSurfaceModel_ShownRadius(const void* model);
void qvSurfaceModel_Show(const void* model, int channel, double time, const float* values, void* scratch,
                         qvVec3f* points, float* shown, qvVec3f* arrows);

// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.4, "domain decomposition": a part is cut into closed pieces, each linear
// in a frame of its own, that are joined at their interfaces. What turns from piece to piece is then no strain.
#include "bem/surface_model.h"

#include "base/memory.h"
#include "body/cut.h"
#include "math/mat3.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_SEAMS = 12, // joints of an interface
};

static const double BAND = 6.0;  // of the part's lowest frequency: faster modes of its pieces have no inertia
static const double FADED = 3.0; // ln(20): what "settled" means

// --- Making ---------------------------------------------------------------------------------------------------------

// A piece as a proxy, and which vertices are no first copies on the surface.
static qvResult MakePiece(qvSurfaceModel* model, const qvCut* cut, int index, const qvBemShapeDef* def, double lowest,
                          const qvJob* job, qvBemPart* part, qvError* error)
{
    const qvCutPiece* piece = &cut->pieces[index];
    qvProxy proxy = { .vertexCount = piece->vertexCount,
                      .triangleCount = piece->triangleCount,
                      .triangles = piece->triangles,
                      .vertices = qvAllocateRaw((size_t)piece->vertexCount, sizeof(qvVec3)) };
    qvBemShape* shape = NULL;
    qvBemShapeDef own = *def;
    own.proxy = &proxy;
    own.highest = BAND * lowest;
    part->isExtra = qvAllocate((size_t)piece->vertexCount, 1);
    qvResult result =
        proxy.vertices != NULL && part->isExtra != NULL ? qv_ok : qvError_OutOfMemory(error, 25.0 * piece->vertexCount);
    for (int v = 0; result == qv_ok && v < piece->vertexCount; v++)
        proxy.vertices[v] = cut->vertices[piece->vertices[v]];
    if (result == qv_ok)
        result = qvCreateBemShape(&own, job, &shape, error);
    free(proxy.vertices);
    if (result != qv_ok)
        return result;
    model->shapes[model->shapeCount++] = shape;
    part->shape = shape;
    part->share = shape->model->omega[0] / lowest;
    for (int v = 0; v < piece->vertexCount; v++)
        part->isExtra[v] = piece->vertices[v] >= cut->surfaceCount;
    return qv_ok;
}

// Points of a part that a piece has too.
static qvResult SharePoints(const qvBemPart* from, qvBemPart* to, qvError* error)
{
    to->pointCount = from->pointCount;
    to->points = qvAllocate((size_t)from->pointCount, sizeof(*to->points));
    if (to->points == NULL)
        return qvError_OutOfMemory(error, 4.0 * from->pointCount);
    memcpy(to->points, from->points, (size_t)from->pointCount * sizeof(*to->points));
    return qv_ok;
}

// Where vertices of the surface are among all vertices: in one piece, or in two that share an interface.
static qvResult FindCopies(const qvSurfaceModel* model, const qvCut* cut, qvSurfaceWhole* whole, qvError* error)
{
    int first = model->vertexCount;
    whole->vertexCount = cut->surfaceCount;
    whole->copies = qvAllocateRaw((size_t)cut->surfaceCount, sizeof(*whole->copies));
    if (whole->copies == NULL)
        return qvError_OutOfMemory(error, 8.0 * cut->surfaceCount);
    for (int v = 0; v < cut->surfaceCount; v++)
        whole->copies[v][0] = whole->copies[v][1] = -1;
    for (int p = 0; p < cut->pieceCount; p++)
    {
        const qvCutPiece* piece = &cut->pieces[p];
        for (int v = 0; v < piece->vertexCount; v++)
        {
            int32_t on = piece->vertices[v];
            if (on >= cut->surfaceCount)
                continue;
            int32_t* copies = whole->copies[on];
            model->parts[whole->firstPart + p].isExtra[v] |= copies[0] >= 0;
            copies[0] = copies[0] >= 0 ? copies[0] : first + v;
            copies[1] = first + v;
        }
        first += piece->vertexCount;
    }
    return qv_ok;
}

// --- Seams ----------------------------------------------------------------------------------------------------------

// Vertices that two pieces share, spread out: each the farthest from those before it.
static void AddSeams(qvSurfaceModel* model, const qvCut* cut, int firstPart, int index, int32_t* numbers, double* far)
{
    const qvCutPiece *one = &cut->pieces[index], *next = &cut->pieces[index + 1];
    for (int v = 0; v < cut->vertexCount; v++)
        numbers[v] = -1;
    for (int v = 0; v < next->vertexCount; v++)
        numbers[next->vertices[v]] = v;
    for (int v = 0; v < one->vertexCount; v++)
        far[v] = numbers[one->vertices[v]] >= 0 ? INFINITY : -1.0;
    for (int n = 0; n < MOST_SEAMS; n++)
    {
        int best = 0;
        for (int v = 1; v < one->vertexCount; v++)
            best = far[v] > far[best] ? v : best;
        if (!(far[best] > 0.0))
            break;
        qvBemJoint* seam = &model->seams[model->seamCount++];
        *seam = (qvBemJoint){ .body = { firstPart + index, firstPart + index + 1 },
                              .vertex = { best, numbers[one->vertices[best]] } };
        for (int v = 0; v < one->vertexCount; v++)
            far[v] = fmin(far[v], qvDistance(cut->vertices[one->vertices[v]], cut->vertices[one->vertices[best]]));
        far[best] = -1.0;
    }
}

static qvResult Sew(qvSurfaceModel* model, const qvCut* cut, int firstPart, qvError* error)
{
    size_t wanted = (size_t)(model->seamCount + MOST_SEAMS * (cut->pieceCount - 1));
    qvBemJoint* seams = realloc(model->seams, wanted * sizeof(*seams));
    int32_t* numbers = qvAllocate((size_t)cut->vertexCount, sizeof(*numbers));
    double* far = qvAllocate((size_t)cut->vertexCount, sizeof(*far));
    model->seams = seams != NULL ? seams : model->seams;
    qvResult result =
        seams != NULL && numbers != NULL && far != NULL ? qv_ok : qvError_OutOfMemory(error, 64.0 * (double)wanted);
    for (int p = 0; result == qv_ok && p + 1 < cut->pieceCount; p++)
        AddSeams(model, cut, firstPart, p, numbers, far);
    free(numbers);
    free(far);
    return result;
}

// --- All ------------------------------------------------------------------------------------------------------------

static qvResult MakeCarrier(const qvCut* cut, const qvBemShapeDef* def, const qvJob* job, qvCarrier** carrier,
                            qvError* error)
{
    qvCarrierDef out = { .vertexCount = cut->surfaceCount,
                         .vertices = cut->vertices,
                         .triangleCount = cut->triangleCount,
                         .triangles = cut->triangles,
                         .pointCount = def->pointCount,
                         .points = def->points };
    return qvCreateCarrier(&out, job, carrier, error);
}

qvResult qvSurfaceModel_CutPart(qvSurfaceModel* model, qvSurfaceWhole* whole, const qvBemShapeDef* def,
                                const qvJob* job, qvError* error)
{
    qvBemPart* parts = &model->parts[whole->firstPart];
    qvProxyDef proxies = { def->pointCount, def->points, def->triangleCount, def->triangles, def->detail };
    qvProxy* proxy = NULL;
    qvCut* cut = NULL;
    double lowest = 0.0;
    qvResult result = qvCreateProxy(&proxies, job, &proxy, error);
    if (result == qv_ok)
        result = qvCreateCut(proxy->vertices, proxy->vertexCount, proxy->triangles, proxy->triangleCount,
                             whole->partCount, &cut, error);
    if (result == qv_ok)
        result = qvBemLowest(proxy, def, job, &lowest, error);
    if (result == qv_ok)
        result = MakeCarrier(cut, def, job, &whole->out, error);
    for (int p = 0; result == qv_ok && p < whole->partCount; p++)
    {
        if (p > 0)
            result = SharePoints(&parts[0], &parts[p], error);
        if (result == qv_ok)
            result = MakePiece(model, cut, p, def, lowest, job, &parts[p], error);
    }
    if (result == qv_ok)
        result = FindCopies(model, cut, whole, error);
    if (result == qv_ok)
        result = Sew(model, cut, whole->firstPart, error);
    qvDestroyProxy(proxy);
    qvDestroyCut(cut);
    return result;
}

// --- Calming --------------------------------------------------------------------------------------------------------

// Mass, centre, momentum and inertia of the pieces of a part, for a density of 1.
typedef struct Row
{
    double mass;
    qvVec3 centre, velocity, momentum;
    qvMat3 inertia;
} Row;

static Row Gather(const qvSurfaceModel* model, const qvSurfaceWhole* whole, double* state)
{
    Row row = { 0 };
    for (int p = 0; p < whole->partCount; p++)
    {
        double mass = model->parts[whole->firstPart + p].shape->model->surface->volume;
        qvBemPose pose = qvBemSystem_Pose(model->system, state + 1, whole->firstPart + p);
        row.mass += mass;
        row.centre = qvMulAdd(row.centre, mass, pose.place);
        row.velocity = qvMulAdd(row.velocity, mass, pose.velocity);
    }
    row.centre = qvScale(1.0 / row.mass, row.centre);
    row.velocity = qvScale(1.0 / row.mass, row.velocity);
    for (int p = 0; p < whole->partCount; p++)
    {
        const qvBemSurface* surface = model->parts[whole->firstPart + p].shape->model->surface;
        qvBemPose pose = qvBemSystem_Pose(model->system, state + 1, whole->firstPart + p);
        qvVec3 arm = qvSub(pose.place, row.centre), axes[3];
        for (int k = 0; k < 3; k++)
            axes[k] = qvQuat_Rotate(pose.rotation, qvMakeVec3(k == 0, k == 1, k == 2));
        qvMat3 turn = { { { axes[0].x, axes[1].x, axes[2].x },
                          { axes[0].y, axes[1].y, axes[2].y },
                          { axes[0].z, axes[1].z, axes[2].z } } };
        qvMat3 back = qvMat3_Transpose(&turn), own = qvMat3_Product(&turn, &surface->inertia);
        own = qvMat3_Product(&own, &back);
        qvMat3 outer = qvMat3_Outer(arm, arm),
               round = qvMat3_Diagonal(qvDot(arm, arm), qvDot(arm, arm), qvDot(arm, arm));
        row.inertia = qvMat3_MulAdd(&row.inertia, 1.0, &own);
        row.inertia = qvMat3_MulAdd(&row.inertia, surface->volume, &round);
        row.inertia = qvMat3_MulAdd(&row.inertia, -surface->volume, &outer);
        row.momentum = qvAdd(row.momentum, qvMat3_Apply(&own, pose.spin));
        row.momentum = qvMulAdd(row.momentum, surface->volume, qvCross(arm, qvSub(pose.velocity, row.velocity)));
    }
    return row;
}

void qvSurfaceModel_Calm(const qvSurfaceModel* model, double step, double* state)
{
    for (int w = 0; w < model->wholeCount; w++)
    {
        const qvSurfaceWhole* whole = &model->wholes[w];
        if (whole->partCount < 2)
            continue;
        double rate =
            2.0 * FADED / model->bodies[whole->firstPart].settle; // of velocities: amplitudes fade half as fast
        rate -= model->input->pinCount > 0 ? 0.5 * rate : 0.0;    // what is pinned is braked as a whole already
        double fade = exp(-rate * step);
        Row row = Gather(model, whole, state);
        qvMat3 inverse = qvMat3_Inverse(&row.inertia);
        qvVec3 spin = qvMat3_Apply(&inverse, row.momentum);
        for (int p = 0; p < whole->partCount; p++)
        {
            qvBemPose pose = qvBemSystem_Pose(model->system, state + 1, whole->firstPart + p);
            qvVec3 rigid = qvAdd(row.velocity, qvCross(spin, qvSub(pose.place, row.centre)));
            pose.velocity = qvMulAdd(rigid, fade, qvSub(pose.velocity, rigid));
            pose.spin = qvMulAdd(spin, fade, qvSub(pose.spin, spin));
            qvBemSystem_SetPose(model->system, state + 1, whole->firstPart + p, &pose);
        }
    }
}

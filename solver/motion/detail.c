// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/detail_build.h"

#include "base/memory.h"
#include "math/decompose3.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GRAIN = 1024
};

static const double LEAST_FRAME = 0.01; // of the determinant that a frame of its size may have: flatter ones are none
static const double NOTHING = 2e-7;     // of the size: rests that are rounding
static const double STEP = 1e-4;        // of the size that points move in a difference

// --- The body -------------------------------------------------------------------------------------------------------

void qvDestroyDetail(qvDetail* detail)
{
    if (detail == NULL)
        return;
    qvDestroyThin(detail->thin);
    qvDestroyCarrier(detail->carrier);
    free(detail->kept);
    free(detail);
}

const qvThin* qvDetail_Thin(const qvDetail* detail)
{
    return detail->thin;
}

static qvResult MakeCarrier(const qvThinDef* def, const qvJob* job, qvDetail* detail, qvError* error)
{
    int n = detail->pointCount, few = detail->count;
    qvVec3* points = qvAllocateRaw((size_t)n + (size_t)few, sizeof(*points));
    if (points == NULL)
        return qvError_OutOfMemory(error, 24.0 * (n + few));
    for (int i = 0; i < n; i++)
        points[i] = qvVec3_FromFloat(def->rest[i]);
    for (int v = 0; v < few; v++)
        points[n + v] = points[detail->thin->points[v]];
    qvCarrierDef carrier = { .vertexCount = few,
                             .vertices = points + n,
                             .triangleCount = detail->thin->mesh->triangleCount,
                             .triangles = detail->thin->mesh->pointTriangles,
                             .pointCount = n,
                             .points = points,
                             .near = detail->thin->near };
    qvResult result = qvCreateCarrier(&carrier, job, &detail->carrier, error);
    free(points);
    return result;
}

qvResult qvCreateDetail(const qvThinDef* def, const qvJob* job, qvDetail** out, qvError* error)
{
    *out = NULL;
    qvDetail* detail = qvAllocate(1, sizeof(*detail));
    if (detail == NULL)
        return qvError_OutOfMemory(error, sizeof(*detail));
    detail->pointCount = def->topology->pointCount;
    qvResult result = qvCreateThin(def, job, &detail->thin, error);
    if (result == qv_ok)
    {
        detail->count = detail->thin->mesh->pointCount;
        detail->size = qvBox_Diagonal(detail->thin->mesh->bounds);
        detail->kept = qvAllocateRaw((size_t)detail->count, sizeof(*detail->kept));
        if (detail->kept == NULL)
            result = qvError_OutOfMemory(error, 4.0 * detail->count);
    }
    for (int v = 0; result == qv_ok && v < detail->count; v++)
    {
        if (def->kept != NULL && def->kept[detail->thin->points[v]])
            detail->kept[detail->keptCount++] = v;
    }
    if (result == qv_ok)
        result = MakeCarrier(def, job, detail, error);
    if (result == qv_ok)
        *out = detail;
    else
        qvDestroyDetail(detail);
    return result;
}

bool qvDetail_Spread(const qvDetail* detail, const double* few, double* all)
{
    int count = detail->count;
    qvVec3* vertices = qvAllocateRaw((size_t)count, sizeof(*vertices));
    void* scratch = qvAllocateRaw(1, qvCarrier_ScratchSize(detail->carrier));
    double largest = 1e-300;
    for (int i = 0; i < 3 * count; i++)
        largest = fmax(largest, fabs(few[i]));
    double step = STEP * detail->size / largest;
    for (int side = -1; vertices != NULL && scratch != NULL && side <= 1; side += 2)
    {
        for (int v = 0; v < count; v++)
        {
            qvVec3 rest = qvVec3_FromFloat(detail->thin->mesh->positions[detail->thin->mesh->pointVertex[v]]);
            vertices[v] = qvMulAdd(rest, side * step, qvMakeVec3(few[3 * v], few[3 * v + 1], few[3 * v + 2]));
        }
        qvCarrierMoment moment;
        qvCarrier_Prepare(detail->carrier, vertices, scratch, NULL, &moment);
        for (int i = 0; i < detail->pointCount; i++)
        {
            qvMat3 frame;
            qvVec3 p = qvScale(0.5 * side / step, qvCarrierMoment_Place(&moment, i, &frame));
            double* to = all + 3 * (size_t)i;
            to[0] = p.x + (side > 0 ? to[0] : 0.0), to[1] = p.y + (side > 0 ? to[1] : 0.0);
            to[2] = p.z + (side > 0 ? to[2] : 0.0);
        }
    }
    bool done = vertices != NULL && scratch != NULL;
    free(vertices);
    free(scratch);
    return done;
}

// --- Rests ----------------------------------------------------------------------------------------------------------

void qvDestroyDetailRests(qvDetailRests* rests)
{
    if (rests == NULL)
        return;
    for (int i = 0; rests->fields != NULL && i < 3 * rests->poseCount; i++)
        free(rests->fields[i]);
    free(rests->fields);
    free(rests->isFirm);
    free(rests->firm);
    free(rests);
}

double qvDetailRests_Bytes(const qvDetailRests* rests)
{
    double count = 0.0;
    for (int i = 0; i < 3 * rests->poseCount; i++)
        count += rests->fields[i] != NULL;
    return count * rests->pointCount * (double)sizeof(qvVec3f);
}

// One pose at work.
typedef struct Finding
{
    const qvDetail* detail;
    qvDetailRests* rests;
    const qvDetailPose* pose;
    qvVec3* vertices; // [count]
    void* scratch;
    qvCarrierMoment moment;
    qvMat3 turn;
    int number, side;
    double step;     // s, of the difference at work
    qvVec3f* field;  // that is filled
    bool* anyOfTask; // per range of GRAIN points: something is in it
} Finding;

void qvDetail_Turn(const qvCarrierMoment* moment, qvMat3* turn)
{
    if (!qvPolarRotation(&moment->affine, turn))
        *turn = qvMat3_Diagonal(1.0, 1.0, 1.0);
}

static bool IsFrame(const qvMat3* frame)
{
    double norm = qvMat3_Norm(frame) / sqrt(3.0);
    return fabs(qvMat3_Determinant(frame)) > LEAST_FRAME * norm * norm * norm;
}

// Points whose frame in some pose cannot be inverted keep their rests in the axes of the whole body.
static void MarkFirm(void* context, int begin, int end)
{
    const Finding* find = context;
    double nothing = NOTHING * find->detail->size;
    for (int p = begin; p < end; p++)
    {
        qvMat3 frame;
        qvVec3 miss = qvSub(qvVec3_FromFloat(find->pose->points[p]), qvCarrierMoment_Place(&find->moment, p, &frame));
        if (qvLength(miss) <= nothing)
            continue;
        find->anyOfTask[p / GRAIN] = true;
        if (!IsFrame(&frame))
            find->rests->isFirm[p] = true;
    }
}

// From a difference to what makes it up in the frames.
static qvVec3 Back(const Finding* find, int point, const qvMat3* frame, qvVec3 miss)
{
    qvMat3 back = find->rests->isFirm[point] ? qvMat3_Transpose(&find->turn) : qvMat3_Inverse(frame);
    return qvMat3_Apply(&back, miss);
}

static void FindRests(void* context, int begin, int end)
{
    const Finding* find = context;
    for (int p = begin; p < end; p++)
    {
        qvMat3 frame;
        qvVec3 miss = qvSub(qvVec3_FromFloat(find->pose->points[p]), qvCarrierMoment_Place(&find->moment, p, &frame));
        bool isSeen = qvLength(miss) > NOTHING * find->detail->size; // as when points were marked
        qvVec3 rest = isSeen ? Back(find, p, &frame, miss) : qvMakeVec3(0.0, 0.0, 0.0);
        find->field[p] = qvVec3_ToFloat(rest);
    }
}

// Half of a central difference of where a point is with its rest, over the step: what the velocity of the few makes.
static void AddDifference(void* context, int begin, int end)
{
    const Finding* find = context;
    const qvVec3f* rests = find->rests->fields[3 * find->number];
    for (int p = begin; p < end; p++)
    {
        qvMat3 frame;
        qvVec3 x = qvCarrierMoment_Place(&find->moment, p, &frame);
        if (rests != NULL)
            x = qvAdd(x, qvMat3_Apply(find->rests->isFirm[p] ? &find->turn : &frame, qvVec3_FromFloat(rests[p])));
        double share = 0.5 / find->step;
        find->rests->work[p] = find->step > 0.0 ? qvScale(share, x) : qvMulAdd(find->rests->work[p], share, x);
    }
}

static void FindRates(void* context, int begin, int end)
{
    const Finding* find = context;
    double nothing = 1e-6 * find->step; // find->step: the largest velocity
    for (int p = begin; p < end; p++)
    {
        qvMat3 frame;
        (void)qvCarrierMoment_Place(&find->moment, p, &frame);
        qvVec3 wanted =
            qvSub(qvVec3_FromFloat(find->pose->moved[find->side][p]), qvVec3_FromFloat(find->pose->points[p]));
        qvVec3 miss = qvSub(wanted, find->rests->work[p]);
        bool isSomething = qvLength(miss) > nothing && (find->rests->isFirm[p] || IsFrame(&frame));
        if (isSomething)
            find->anyOfTask[p / GRAIN] = true;
        find->field[p] = isSomething ? qvVec3_ToFloat(Back(find, p, &frame, miss)) : (qvVec3f){ 0.0f, 0.0f, 0.0f };
    }
}

static void PlaceFew(Finding* find, const qvVec3f* moved, double step, qvPool* pool)
{
    const qvDetail* detail = find->detail;
    for (int v = 0; v < detail->count; v++)
    {
        int p = detail->thin->points[v];
        qvVec3 at = qvVec3_FromFloat(find->pose->points[p]);
        find->vertices[v] = moved != NULL ? qvMulAdd(at, step, qvSub(qvVec3_FromFloat(moved[p]), at)) : at;
    }
    qvCarrier_Prepare(detail->carrier, find->vertices, find->scratch, pool, &find->moment);
    qvDetail_Turn(&find->moment, &find->turn);
}

static bool TakeAny(Finding* find)
{
    bool any = false;
    for (int i = 0; i <= find->detail->pointCount / GRAIN; i++)
    {
        any = any || find->anyOfTask[i];
        find->anyOfTask[i] = false;
    }
    return any;
}

// The field that is at work, if there is anything in it.
static bool Keep(Finding* find, bool any, int number)
{
    if (any)
        find->rests->fields[number] = find->field;
    else
        free(find->field);
    find->field = NULL;
    return true;
}

static bool FindVelocity(Finding* find, int side, qvPool* pool)
{
    const qvVec3f* moved = find->pose->moved[side];
    int n = find->detail->pointCount;
    double largest = 0.0;
    for (int p = 0; p < n; p++)
        largest = fmax(largest, qvDistance(qvVec3_FromFloat(moved[p]), qvVec3_FromFloat(find->pose->points[p])));
    if (!(largest > 0.0))
        return true;
    find->field = qvAllocateRaw((size_t)n, sizeof(*find->field));
    if (find->field == NULL)
        return false;
    find->side = side;
    for (int sign = 1; sign >= -1; sign -= 2)
    {
        find->step = sign * STEP * find->detail->size / largest;
        PlaceFew(find, moved, find->step, pool);
        qvParallelFor(pool, n, GRAIN, AddDifference, find);
    }
    PlaceFew(find, NULL, 0.0, pool);
    find->step = largest;
    qvParallelFor(pool, n, GRAIN, FindRates, find);
    return Keep(find, TakeAny(find), 3 * find->number + 1 + side);
}

static bool FindPose(Finding* find, qvPool* pool)
{
    int n = find->detail->pointCount;
    if (find->rests->hasRests[find->number])
    {
        find->field = qvAllocateRaw((size_t)n, sizeof(*find->field));
        if (find->field == NULL)
            return false;
        PlaceFew(find, NULL, 0.0, pool);
        qvParallelFor(pool, n, GRAIN, FindRests, find);
        (void)Keep(find, true, 3 * find->number);
    }
    for (int side = 0; side < 2; side++)
    {
        if (find->pose->moved[side] != NULL && !FindVelocity(find, side, pool))
            return false;
    }
    return true;
}

static bool ListFirm(qvDetailRests* rests)
{
    for (int p = 0; p < rests->pointCount; p++)
        rests->firmCount += rests->isFirm[p];
    rests->firm = qvAllocateRaw((size_t)rests->firmCount, sizeof(*rests->firm));
    for (int p = 0, k = 0; rests->firm != NULL && p < rests->pointCount; p++)
    {
        if (rests->isFirm[p])
            rests->firm[k++] = p;
    }
    return rests->firm != NULL;
}

static bool FindAll(Finding* find, const qvDetailPose* poses, qvPool* pool)
{
    qvDetailRests* rests = find->rests;
    for (int i = 0; i < rests->poseCount; i++)
    {
        find->pose = &poses[i], find->number = i;
        PlaceFew(find, NULL, 0.0, pool);
        qvParallelFor(pool, rests->pointCount, GRAIN, MarkFirm, find);
        rests->hasRests[i] = TakeAny(find);
    }
    bool done = ListFirm(rests);
    for (int i = 0; done && i < rests->poseCount; i++)
    {
        find->pose = &poses[i], find->number = i;
        done = FindPose(find, pool);
    }
    return done;
}

qvResult qvCreateDetailRests(const qvDetail* detail, const qvDetailPose* poses, int poseCount, const qvJob* job,
                             qvDetailRests** out, qvError* error)
{
    *out = NULL;
    size_t n = (size_t)detail->pointCount;
    qvDetailRests* rests = qvAllocate(1, sizeof(*rests));
    if (rests == NULL)
        return qvError_OutOfMemory(error, sizeof(*rests));
    rests->poseCount = poseCount, rests->pointCount = detail->pointCount;
    rests->fields = qvAllocate(3 * (size_t)poseCount, sizeof(*rests->fields));
    rests->isFirm = qvAllocate(n, sizeof(*rests->isFirm));
    rests->hasRests = qvAllocate((size_t)poseCount, sizeof(*rests->hasRests));
    rests->work = qvAllocateRaw(n, sizeof(*rests->work));
    Finding find = { .detail = detail, .rests = rests };
    find.vertices = qvAllocateRaw((size_t)detail->count, sizeof(*find.vertices));
    find.scratch = qvAllocateRaw(1, qvCarrier_ScratchSize(detail->carrier));
    find.anyOfTask = qvAllocate(n / GRAIN + 1, sizeof(*find.anyOfTask));
    bool done = rests->fields != NULL && rests->isFirm != NULL && rests->hasRests != NULL && rests->work != NULL &&
                find.vertices != NULL && find.scratch != NULL && find.anyOfTask != NULL &&
                FindAll(&find, poses, qvJob_Pool(job));
    free(find.vertices);
    free(find.scratch);
    free(find.anyOfTask);
    free(rests->hasRests);
    free(rests->work);
    rests->hasRests = NULL, rests->work = NULL;
    qvResult result = done ? qvJob_Ask(job, error) : qvError_OutOfMemory(error, 36.0 * (double)n * poseCount);
    if (result == qv_ok)
        *out = rests;
    else
        qvDestroyDetailRests(rests);
    return result;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/surface_pins.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_HELD = 60,  // vertices of a pin
    MOST_AROUND = 8, // pinned points that a free one listens to
};

static const double REACH = 2.0;            // edges over which the correction of points fades out
static const double RAMP = 0.1;             // s that a pin takes which begins while the body moves
static const double RELEASE = 0.1;          // s over which corrections fade when a pin lets go
static const double FULL = 0.5, NONE = 1.0; // edges of a miss: all of it is corrected, or nothing

// A free point near pinned ones: the sum of weight times what those are moved.
typedef struct Near
{
    int32_t point;
    int count;
    int32_t pinned[MOST_AROUND];
    double weights[MOST_AROUND];
} Near;

typedef struct Pin
{
    const int32_t* points;
    int count;
    QV_ARRAY(Near) near;
} Pin;

struct qvBemPins
{
    int count;
    double edge; // of the proxies
    Pin* pins;
    qvBemHold* holds;
};

void qvDestroyBemPins(qvBemPins* pins)
{
    if (pins == NULL)
        return;
    for (int i = 0; i < pins->count; i++)
    {
        free(pins->pins[i].near.items);
        free(pins->holds[i].body);
        free(pins->holds[i].vertex);
    }
    free(pins->pins);
    free(pins->holds);
    free(pins);
}

// --- Making ---------------------------------------------------------------------------------------------------------

static double MeanEdge(const qvBemPart* parts, int partCount)
{
    double sum = 0.0;
    for (int b = 0; b < partCount; b++)
    {
        const qvBemSurface* surface = parts[b].shape->model->surface;
        double area = 0.0;
        for (int v = 0; v < surface->vertexCount; v++)
            area += surface->vertexArea[v];
        sum += sqrt(area / (0.866 * surface->vertexCount));
    }
    return sum / partCount;
}

// Of the vertices of a piece that are on its surface the nearest one to a point at rest.
static int NearestVertex(const qvBemPart* piece, int point, double* distance)
{
    int best = 0;
    *distance = INFINITY;
    for (int v = 0; v < piece->shape->proxy->vertexCount; v++)
    {
        double far = qvDistance(piece->shape->proxy->vertices[v], piece->shape->points[point]);
        if (piece->isExtra[v] || far >= *distance)
            continue;
        *distance = far;
        best = v;
    }
    return best;
}

bool qvBemParts_Find(const qvBemPart* parts, int partCount, int32_t point, int* part, int* vertex)
{
    double least = INFINITY;
    for (int b = 0; b < partCount; b++)
    {
        for (int i = 0; i < parts[b].pointCount; i++)
        {
            if (parts[b].points[i] != point)
                continue;
            double distance = 0.0;
            int found = parts[b].isExtra == NULL ? qvCarrier_MainVertex(parts[b].shape->out, i)
                                                 : NearestVertex(&parts[b], i, &distance);
            if (distance >= least)
                continue;
            least = distance;
            *part = b;
            *vertex = found;
        }
    }
    return least < INFINITY;
}

static bool AddHeld(qvBemHold* hold, int* capacity, int body, int vertex)
{
    int wanted = hold->count + 1, other = *capacity;
    if (!qvReserve(&hold->body, &other, wanted, sizeof(int32_t)) ||
        !qvReserve(&hold->vertex, capacity, wanted, sizeof(int32_t)))
        return false;
    hold->body[hold->count] = body;
    hold->vertex[hold->count++] = vertex;
    return true;
}

// Vertices whose nearest point is pinned, or one for a pin that falls between vertices. False: out of memory.
static bool FindHeld(const Pin* pin, const uint8_t* marks, const qvBemPart* parts, int partCount, qvBemHold* hold)
{
    int capacity = 0;
    for (int b = 0; b < partCount; b++)
    {
        const qvBemShape* shape = parts[b].shape;
        for (int v = 0; v < shape->proxy->vertexCount; v++)
        {
            bool isExtra = parts[b].isExtra != NULL && parts[b].isExtra[v];
            if (!isExtra && marks[parts[b].points[qvCarrier_MainVertex(shape->in, v)]] &&
                !AddHeld(hold, &capacity, b, v))
                return false;
        }
    }
    int body, vertex;
    if (hold->count == 0 && qvBemParts_Find(parts, partCount, pin->points[0], &body, &vertex) &&
        !AddHeld(hold, &capacity, body, vertex))
        return false;
    // Many say no more than some: every so-many-th stays.
    int every = (hold->count + MOST_HELD - 1) / MOST_HELD, kept = 0;
    for (int i = 0; i < hold->count; i += every)
    {
        hold->body[kept] = hold->body[i];
        hold->vertex[kept++] = hold->vertex[i];
    }
    hold->count = kept;
    return true;
}

// Keeps the nearest of the pinned points around a free one, nearest first.
static void Insert(Near* near, double* distances, int32_t pinned, double distance)
{
    if (near->count == MOST_AROUND && distances[MOST_AROUND - 1] <= distance)
        return;
    int at = near->count < MOST_AROUND ? near->count++ : MOST_AROUND - 1;
    while (at > 0 && distances[at - 1] > distance)
    {
        distances[at] = distances[at - 1];
        near->pinned[at] = near->pinned[at - 1];
        at--;
    }
    distances[at] = distance;
    near->pinned[at] = pinned;
}

static bool FindAround(Pin* pin, const uint8_t* marks, const qvVec3* rest, int pointCount, double reach)
{
    for (int p = 0; p < pointCount; p++)
    {
        Near near = { .point = p };
        double distances[MOST_AROUND], sum = 0.0;
        for (int i = 0; i < MOST_AROUND; i++)
            distances[i] = INFINITY;
        for (int k = 0; !marks[p] && k < pin->count; k++)
        {
            double distance = qvDistance(rest[p], rest[pin->points[k]]);
            if (distance < reach)
                Insert(&near, distances, pin->points[k], distance);
        }
        for (int i = 0; i < near.count; i++)
        {
            double q = distances[i] / reach;
            near.weights[i] = pow(1.0 - q * q, 3.0);
            sum += near.weights[i];
        }
        double nearest = distances[0] / reach, share = pow(1.0 - nearest * nearest, 2.0);
        for (int i = 0; i < near.count; i++)
            near.weights[i] *= share / sum;
        if (near.count > 0 && !QV_PUSH(pin->near, near))
            return false;
    }
    return true;
}

qvResult qvCreateBemPins(const qvEngineInput* input, const qvBemPart* parts, int partCount, const qvVec3* rest,
                         qvBemPins** out, qvError* error)
{
    *out = NULL;
    int pointCount = input->mesh->pointCount;
    qvBemPins* made = qvAllocate(1, sizeof(*made));
    uint8_t* marks = qvAllocate((size_t)pointCount, sizeof(*marks));
    bool done = made != NULL && marks != NULL;
    if (done)
    {
        made->edge = MeanEdge(parts, partCount);
        made->pins = qvAllocate((size_t)input->pinCount, sizeof(*made->pins));
        made->holds = qvAllocate((size_t)input->pinCount, sizeof(*made->holds));
        done = made->pins != NULL && made->holds != NULL;
    }
    for (int i = 0; done && i < input->pinCount; i++)
    {
        const qvEnginePin* given = &input->pins[i];
        if (given->count == 0)
            continue;
        Pin* pin = &made->pins[made->count];
        qvBemHold* hold = &made->holds[made->count++];
        *pin = (Pin){ .points = given->points, .count = given->count };
        *hold = (qvBemHold){ .from = given->from, .to = given->to, .fadesIn = given->from > input->def.time };
        for (int k = 0; k < given->count; k++)
            marks[given->points[k]] = 1;
        done = FindHeld(pin, marks, parts, partCount, hold) &&
               FindAround(pin, marks, rest, pointCount, REACH * made->edge);
        for (int k = 0; k < given->count; k++)
            marks[given->points[k]] = 0;
    }
    free(marks);
    if (done)
    {
        *out = made;
        return qv_ok;
    }
    qvDestroyBemPins(made);
    return qvError_OutOfMemory(error, 100.0 * pointCount);
}

int qvBemPins_Holds(const qvBemPins* pins, const qvBemHold** holds)
{
    *holds = pins->holds;
    return pins->count;
}

// --- Points ---------------------------------------------------------------------------------------------------------

static double SmoothStep(double x)
{
    x = fmin(fmax(x, 0.0), 1.0);
    return x * x * (3.0 - 2.0 * x);
}

double qvBemHold_Share(const qvBemHold* hold, double time)
{
    if (time < hold->from || time > hold->to)
        return 0.0;
    return hold->fadesIn ? SmoothStep((time - hold->from) / RAMP) : 1.0;
}

static double CorrectionAt(const qvBemHold* hold, double time)
{
    if (time > hold->to)
        return qvBemHold_Share(hold, hold->to) * (1.0 - SmoothStep((time - hold->to) / RELEASE));
    return qvBemHold_Share(hold, time);
}

bool qvBemPins_IsActive(const qvBemPins* pins, double time)
{
    for (int i = 0; i < pins->count; i++)
    {
        if (CorrectionAt(&pins->holds[i], time) > 0.0)
            return true;
    }
    return false;
}

// What a point is moved. One that is far from where it is held is on its way there, or was let go.
static qvVec3 Miss(const qvBemPins* pins, double share, qvVec3f below, qvVec3f point)
{
    qvVec3 miss = qvSub(qvVec3_FromFloat(below), qvVec3_FromFloat(point));
    double far = qvLength(miss) / pins->edge;
    return qvScale(share * (1.0 - SmoothStep((far - FULL) / (NONE - FULL))), miss);
}

void qvBemPins_Apply(const qvBemPins* pins, double time, const qvVec3f* below, qvVec3f* points)
{
    for (int i = 0; i < pins->count; i++)
    {
        const Pin* pin = &pins->pins[i];
        double share = CorrectionAt(&pins->holds[i], time);
        for (int n = 0; share > 0.0 && n < pin->near.count; n++)
        {
            const Near* near = &pin->near.items[n];
            qvVec3 x = qvVec3_FromFloat(points[near->point]);
            for (int k = 0; k < near->count; k++)
                x = qvMulAdd(x, near->weights[k], Miss(pins, share, below[near->pinned[k]], points[near->pinned[k]]));
            points[near->point] = qvVec3_ToFloat(x);
        }
    }
    for (int i = 0; i < pins->count; i++)
    {
        const Pin* pin = &pins->pins[i];
        double share = CorrectionAt(&pins->holds[i], time);
        for (int k = 0; share > 0.0 && k < pin->count; k++)
        {
            int p = pin->points[k];
            qvVec3 x = qvVec3_FromFloat(points[p]), miss = Miss(pins, share, below[p], points[p]);
            bool isHeld = share == 1.0 && qvDistance(qvVec3_FromFloat(below[p]), x) <= FULL * pins->edge;
            points[p] = isHeld ? below[p] : qvVec3_ToFloat(qvAdd(x, miss));
        }
    }
}

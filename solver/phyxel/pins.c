// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/pins.h"

#include "base/memory.h"
#include "phyxel/kernel.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_AROUND = 64, // pinned vertices that a free one listens to
    MOST_PHYXELS = 512
};

static const double GRASP = 1.0;            // spacings around a pinned vertex within which phyxels are held
static const double REACH = 2.0;            // spacings over which the correction of vertices fades out
static const double RELEASE = 0.1;          // s over which it does when a pin lets go
static const double FULL = 0.5, NONE = 1.0; // spacings of a miss: all of it is corrected, or nothing

// A free vertex near pinned ones: the sum of weight times what those are moved.
typedef struct Term
{
    int32_t vertex; // pinned
    double weight;
} Term;

typedef struct Near
{
    int32_t vertex;
    int first, end; // terms
} Near;

typedef struct Pin
{
    double from, to; // of the state's clock
    bool fadesIn;    // it begins while the body moves
    const int32_t* points;
    int count;
    QV_ARRAY(Near) near;
    QV_ARRAY(Term) terms;
} Pin;

struct qvPhyxelPins
{
    double spacing;
    int count;
    Pin* pins;
    qvPhyxelHold* holds;
};

// --- Making ----------------------------------------------------------------------------------------------------------

static int FindNearest(const qvPhyxelBody* body, qvVec3 x)
{
    int nearest = 0;
    for (int i = 1; i < body->count; i++)
    {
        if (qvDistance(body->points[i], x) < qvDistance(body->points[nearest], x))
            nearest = i;
    }
    return nearest;
}

// The phyxels that carry pinned vertices, ascending.
static qvResult FindHeld(const Pin* pin, const qvPhyxelBody* body, const qvVec3* vertices, qvPhyxelHold* hold,
                         qvError* error)
{
    double radius = GRASP * body->spacing;
    qvNearQuery query = { .count = body->count, .points = body->points, .radius = radius };
    qvNearLists lists = { 0 };
    bool* marks = qvAllocate((size_t)body->count, sizeof(*marks));
    int32_t found[MOST_PHYXELS], *held = qvAllocate((size_t)body->count, sizeof(*held));
    qvResult result = qvNearLists_Find(&lists, &query, error);
    if (result == qv_ok && (marks == NULL || held == NULL))
        result = qvError_OutOfMemory(error, 5.0 * body->count);
    for (int k = 0; result == qv_ok && k < pin->count; k++)
    {
        qvVec3 x = vertices[pin->points[k]];
        int count = qvNearLists_Around(&lists, &query, x, radius, found, MOST_PHYXELS);
        if (count == 0)
            found[count++] = FindNearest(body, x);
        for (int n = 0; n < count; n++)
            marks[found[n]] = true;
    }
    hold->phyxels = held;
    for (int i = 0; result == qv_ok && i < body->count; i++)
    {
        if (marks[i])
            held[hold->count++] = i;
    }
    free(marks);
    qvNearLists_Free(&lists);
    return result;
}

// What a free vertex at x does when the pinned ones around it are moved. False: out of memory.
static bool AddNear(Pin* pin, int vertex, const qvVec3* pinned, qvVec3 x, const int32_t* found, int count, double reach)
{
    double sum = 0.0, nearest = INFINITY;
    Near near = { .vertex = vertex, .first = pin->terms.count };
    for (int n = 0; n < count; n++)
    {
        double distance = qvDistance(pinned[found[n]], x), q = distance / reach, weight = pow(1.0 - q * q, 3.0);
        nearest = fmin(nearest, q);
        sum += weight;
        if (!QV_PUSH(pin->terms, ((Term){ pin->points[found[n]], weight })))
            return false;
    }
    near.end = pin->terms.count;
    for (int n = near.first; n < near.end; n++)
        pin->terms.items[n].weight *= pow(1.0 - nearest * nearest, 2.0) / sum;
    return QV_PUSH(pin->near, near);
}

static qvResult FindAround(Pin* pin, double spacing, const qvVec3* vertices, int vertexCount, qvError* error)
{
    double reach = REACH * spacing;
    qvNearLists lists = { 0 };
    qvVec3* pinned = qvAllocate((size_t)pin->count, sizeof(*pinned));
    bool* marks = qvAllocate((size_t)vertexCount, sizeof(*marks));
    qvResult result = pinned != NULL && marks != NULL ? qv_ok : qvError_OutOfMemory(error, 24.0 * pin->count);
    for (int k = 0; result == qv_ok && k < pin->count; k++)
    {
        pinned[k] = vertices[pin->points[k]];
        marks[pin->points[k]] = true;
    }
    qvNearQuery query = { .count = pin->count, .points = pinned, .radius = reach };
    if (result == qv_ok)
        result = qvNearLists_Find(&lists, &query, error);
    for (int v = 0; result == qv_ok && v < vertexCount; v++)
    {
        int32_t found[MOST_AROUND];
        int count = marks[v] ? 0 : qvNearLists_Around(&lists, &query, vertices[v], reach, found, MOST_AROUND);
        if (count > 0 && !AddNear(pin, v, pinned, vertices[v], found, count, reach))
            result = qvError_OutOfMemory(error, 16.0 * pin->terms.count);
    }
    qvNearLists_Free(&lists);
    free(pinned);
    free(marks);
    return result;
}

qvResult qvCreatePhyxelPins(const qvEnginePin* pins, int pinCount, double start, const qvPhyxelBody* body,
                            const qvVec3* vertices, int vertexCount, qvPhyxelPins** out, qvError* error)
{
    *out = NULL;
    qvPhyxelPins* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->spacing = body->spacing;
    made->pins = qvAllocate((size_t)pinCount, sizeof(*made->pins));
    made->holds = qvAllocate((size_t)pinCount, sizeof(*made->holds));
    qvResult result = made->pins != NULL && made->holds != NULL ? qv_ok : qvError_OutOfMemory(error, 100.0 * pinCount);
    for (int i = 0; result == qv_ok && i < pinCount; i++)
    {
        if (pins[i].count == 0)
            continue;
        Pin* pin = &made->pins[made->count];
        qvPhyxelHold* hold = &made->holds[made->count++];
        *pin = (Pin){ .from = pins[i].from - start, .to = pins[i].to - start };
        pin->points = pins[i].points, pin->count = pins[i].count;
        pin->fadesIn = pin->from > 0.0;
        hold->from = pin->from, hold->to = pin->to;
        result = FindHeld(pin, body, vertices, hold, error);
        if (result == qv_ok)
            result = FindAround(pin, body->spacing, vertices, vertexCount, error);
    }
    if (result == qv_ok)
        *out = made;
    else
        qvDestroyPhyxelPins(made);
    return result;
}

void qvDestroyPhyxelPins(qvPhyxelPins* pins)
{
    if (pins == NULL)
        return;
    for (int i = 0; i < pins->count; i++)
    {
        free(pins->pins[i].near.items);
        free(pins->pins[i].terms.items);
        free((void*)(uintptr_t)pins->holds[i].phyxels);
    }
    free(pins->pins);
    free(pins->holds);
    free(pins);
}

int qvPhyxelPins_Holds(const qvPhyxelPins* pins, const qvPhyxelHold** holds)
{
    *holds = pins->holds;
    return pins->count;
}

// --- Vertices --------------------------------------------------------------------------------------------------------

// How much of a correction counts at a time.
static double ShareAt(const Pin* pin, double time)
{
    if (time < pin->from || time >= pin->to + RELEASE)
        return 0.0;
    double in = pin->fadesIn ? qvSmoothStep((time - pin->from) / qvPhyxel_HoldRamp) : 1.0;
    return time > pin->to ? in * (1.0 - qvSmoothStep((time - pin->to) / RELEASE)) : in;
}

bool qvPhyxelPins_IsActive(const qvPhyxelPins* pins, double time)
{
    for (int i = 0; i < pins->count; i++)
    {
        if (ShareAt(&pins->pins[i], time) > 0.0)
            return true;
    }
    return false;
}

// What a vertex is moved. One that is far from where it is held is on its way there, or was let go.
static qvVec3 Miss(const qvPhyxelPins* pins, double share, qvVec3f below, qvVec3f vertex)
{
    qvVec3 miss = qvSub(qvVec3_FromFloat(below), qvVec3_FromFloat(vertex));
    double far = qvLength(miss) / pins->spacing;
    return qvScale(share * (1.0 - qvSmoothStep((far - FULL) / (NONE - FULL))), miss);
}

static void MoveAround(const qvPhyxelPins* pins, const Pin* pin, double share, const qvVec3f* below, qvVec3f* vertices)
{
    for (int n = 0; n < pin->near.count; n++)
    {
        const Near* near = &pin->near.items[n];
        qvVec3 x = qvVec3_FromFloat(vertices[near->vertex]);
        for (int k = near->first; k < near->end; k++)
        {
            const Term* term = &pin->terms.items[k];
            x = qvMulAdd(x, term->weight, Miss(pins, share, below[term->vertex], vertices[term->vertex]));
        }
        vertices[near->vertex] = qvVec3_ToFloat(x);
    }
}

void qvPhyxelPins_Apply(const qvPhyxelPins* pins, double time, const qvVec3f* below, qvVec3f* vertices)
{
    for (int i = 0; i < pins->count; i++)
    {
        double share = ShareAt(&pins->pins[i], time);
        if (share > 0.0)
            MoveAround(pins, &pins->pins[i], share, below, vertices);
    }
    for (int i = 0; i < pins->count; i++)
    {
        const Pin* pin = &pins->pins[i];
        double share = ShareAt(pin, time);
        for (int k = 0; share > 0.0 && k < pin->count; k++)
        {
            int v = pin->points[k];
            qvVec3 miss = Miss(pins, share, below[v], vertices[v]);
            bool isHeld = share == 1.0 &&
                          qvDistance(qvVec3_FromFloat(below[v]), qvVec3_FromFloat(vertices[v])) <= FULL * pins->spacing;
            vertices[v] = isHeld ? below[v] : qvVec3_ToFloat(qvAdd(qvVec3_FromFloat(vertices[v]), miss));
        }
    }
}

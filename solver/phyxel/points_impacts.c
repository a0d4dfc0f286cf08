// SPDX-License-Identifier: GPL-3.0-or-later
// What is heard of knocks: of all phyxels that met something since the frame before, the fastest, then the fastest that
// is not near it, and so on. Slow ones are no knocks.
#include "phyxel/points_model.h"

#include "base/memory.h"

#include <math.h>

static const double LEAST_SPEED = 0.1; // of the speed that gravity gives within the body's height
static const double REACH = 0.15;      // of the body's diagonal, within which knocks are one

qvResult qvPoints_FindNearest(qvPointsModel* model, qvError* error)
{
    const qvPhyxelBody* body = model->body;
    model->nearest = qvAllocate((size_t)body->count, sizeof(*model->nearest));
    if (model->nearest == NULL)
        return qvError_OutOfMemory(error, 4.0 * body->count);
    for (int i = 0; i < body->count; i++)
    {
        double least = INFINITY;
        for (int p = 0; p < model->input->mesh->pointCount; p++)
        {
            double distance = qvDistance(body->points[i], model->shape[p]);
            if (distance < least)
                least = distance, model->nearest[i] = p;
        }
    }
    return qv_ok;
}

// The fastest knock that is not near those that were taken; -1: there is none.
static int FindFastest(const qvPointsModel* model, const qvPhyxelKnock* knocks, const int* taken, int count,
                       double least)
{
    const qvPhyxelBody* body = model->body;
    int fastest = -1;
    for (int i = 0; i < body->count; i++)
    {
        bool isNear = knocks[i].speed <= least;
        for (int k = 0; !isNear && k < count; k++)
            isNear = qvDistance(body->points[i], body->points[taken[k]]) < REACH * model->input->diagonal;
        if (!isNear && (fastest < 0 || knocks[i].speed > knocks[fastest].speed))
            fastest = i;
    }
    return fastest;
}

void qvPoints_SampleImpacts(const qvPointsModel* model, const qvPhyxelState* state, const qvPhyxelKnock* knocks,
                            float* values)
{
    qvPhyxelMatter matter = qvPhyxelTerms_At(&model->terms, qvPhyxelState_Time(state));
    double least = LEAST_SPEED * qvPhyxel_FlowSpeed(model->body, &matter);
    int taken[qv_mostImpacts];
    for (int k = 0; k < qv_mostImpacts; k++)
    {
        float* to = values + k * qv_impactNumbers;
        taken[k] = FindFastest(model, knocks, taken, k, least);
        if (taken[k] < 0)
        {
            for (int n = k * qv_impactNumbers; n < qv_mostImpacts * qv_impactNumbers; n++)
                values[n] = 0.0f;
            return;
        }
        const qvPhyxelKnock* knock = &knocks[taken[k]];
        to[0] = (float)knock->time, to[1] = (float)knock->speed, to[2] = (float)model->nearest[taken[k]];
        to[3] = (float)knock->normal.x, to[4] = (float)knock->normal.y, to[5] = (float)knock->normal.z;
    }
}

int qvPoints_Impacts(const void* object, const float* values, qvImpact impacts[qv_mostImpacts])
{
    const qvPointsModel* model = object;
    const float* from = values + qvPointsModel_Frame(model).impacts;
    int count = 0;
    if (!(model->input->def.impacts > 0.0))
        return 0;
    for (; count < qv_mostImpacts && from[1] > 0.0f; count++, from += qv_impactNumbers)
        impacts[count] = (qvImpact){ .time = model->input->def.time + from[0],
                                     .speed = from[1],
                                     .point = (int)from[2],
                                     .normal = qvMakeVec3(from[3], from[4], from[5]) };
    return count;
}

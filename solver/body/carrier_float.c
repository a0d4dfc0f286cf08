// SPDX-License-Identifier: GPL-3.0-or-later
// Carrying many points in float. The weights of a point sum up to 1, so that it goes where the mean of its vertices'
// affine maps takes it, and what it has beyond is added before the map.
#include "base/cpu.h"
#include "body/carrier_build.h"
#include "math/mat3.h"

enum
{
    GRAIN = 1024
};

typedef struct Maps
{
    const qvCarrierMoment* moment;
    float* maps;
} Maps;

static void MakeMaps(void* context, int begin, int end)
{
    const Maps* make = context;
    const qvCarrierMoment* moment = make->moment;
    const qvCarrier* carrier = moment->carrier;
    for (int v = begin; v < end; v++)
    {
        const qvMat3* gradient = &moment->gradients[v];
        qvMat3 whole = qvMat3_MulAdd(&moment->affine, 1.0, gradient);
        qvVec3 there = qvMat3_Apply(gradient, qvSub(carrier->vertices[v], carrier->middle));
        qvVec3 offset = qvSub(qvAdd(moment->middle, moment->left[v]), there);
        float* map = make->maps + (size_t)qv_carrierMap * (size_t)v;
        for (int k = 0; k < 3; k++)
        {
            map[4 * k] = (float)whole.m[0][k], map[4 * k + 1] = (float)whole.m[1][k];
            map[4 * k + 2] = (float)whole.m[2][k], map[4 * k + 3] = 0.0f;
        }
        map[12] = (float)offset.x, map[13] = (float)offset.y, map[14] = (float)offset.z, map[15] = 0.0f;
    }
}

size_t qvCarrier_FloatScratchSize(const qvCarrier* carrier)
{
    return (size_t)carrier->vertexCount * qv_carrierMap * sizeof(float);
}

void qvCarrierMoment_Points(const qvCarrierMoment* moment, const qvCarrierRests* rests, void* scratch, qvPool* pool,
                            qvVec3f* points)
{
    Maps make = { moment, scratch };
    qvParallelFor(pool, moment->carrier->vertexCount, GRAIN / 4, MakeMaps, &make);
    qvCarryWork work = { moment->carrier, make.maps, *rests, points };
    qvParallelFor(pool, moment->carrier->pointCount, GRAIN,
                  qvGetCpuLevel() >= qv_cpuAvx2 ? qvCarryPoints_Avx2 : qvCarryPoints_Portable, &work);
}

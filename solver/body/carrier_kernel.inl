// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of carrier_float.c, compiled once per CPU level as CARRY_POINTS.
#include "body/carrier_build.h"

typedef float Pair __attribute__((vector_size(32), aligned(4), may_alias)); // two columns

void CARRY_POINTS(void* context, int begin, int end)
{
    const qvCarryWork* work = context;
    const qvCarrier* carrier = work->carrier;
    const qvCarrierRests* rests = &work->rests;
    qvVec3 middle = carrier->middle;
    for (int p = begin; p < end; p++)
    {
        Pair left = { 0.0f }, right = { 0.0f };
        for (int i = carrier->first[p]; i < carrier->first[p + 1]; i++)
        {
            const float* map = work->maps + (size_t)qv_carrierMap * (size_t)carrier->weights[i].vertex;
            float weight = (float)carrier->weights[i].weight;
            left += weight * *(const Pair*)map;
            right += weight * *(const Pair*)(map + 8);
        }
        qvVec3 at = carrier->points[p];
        float x = (float)(at.x - middle.x), y = (float)(at.y - middle.y), z = (float)(at.z - middle.z);
        for (int k = 0; k < rests->count; k++)
        {
            qvVec3f more = rests->fields[k][p];
            float share = rests->shares[k];
            x += share * more.x, y += share * more.y, z += share * more.z;
        }
        work->points[p] = (qvVec3f){ left[0] * x + left[4] * y + right[0] * z + right[4],
                                     left[1] * x + left[5] * y + right[1] * z + right[5],
                                     left[2] * x + left[6] * y + right[2] * z + right[6] };
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of layer for test_places: sways the body sideways by the scene's field "sway", once a second.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/layer.h"
#include "scene/pipeline.h"

#include <math.h>
#include <stdlib.h>

typedef struct Sway
{
    double amount;
    int pointCount;
} Sway;

static int CountIn(const qvSolving* solving)
{
    return solving->scene->sway > 0.0;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    (void)index, (void)error;
    *hash = qvHash(&solving->scene->sway, sizeof(double), *hash);
    return qv_ok;
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    Sway* sway = *object = qvAllocate(1, sizeof(*sway));
    if (sway == NULL)
        return qvError_OutOfMemory(error, sizeof(*sway));
    *sway = (Sway){ solving->scene->sway, below->pointCount };
    return qv_ok;
}

static size_t ScratchSize(const void* object)
{
    (void)object;
    return 0;
}

static void Add(const void* object, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const Sway* sway = object;
    for (int i = 0; i < sway->pointCount; i++)
        points[i].x += (float)(sway->amount * sin(QV_TWO_PI * time));
}

const qvLayerKind swayLayer = {
    .tag = "sway",
    .label = "Sway",
    .help = "Sways the body sideways.",
    .version = 1,
    .traits = qv_layerAdds | qv_layerPartly,
    .stage = qv_stageWaves,
    .count = CountIn,
    .check = Check,
    .build = Build,
    .destroy = free,
    .scratchSize = ScratchSize,
    .add = Add,
};

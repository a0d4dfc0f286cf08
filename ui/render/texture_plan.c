// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/texture_plan.h"

#include <stdlib.h>

const double qvui_pictureBytes = 512.0 * 1048576.0;

enum
{
    LEAST_SIDE = 16
};

static void MarkUsed(qvuiTexturePlan* plan, const qvMesh* mesh)
{
    for (int i = 0; mesh->uvDomain != qv_domainNone && i < mesh->submeshCount; i++)
    {
        int material = mesh->submeshes[i].material, texture = material >= 0 ? mesh->materials[material].texture : -1;
        if (texture >= 0)
            plan->used[texture] = true;
    }
}

// Of pictures of these sizes, halved until no side is above largest. Smaller copies take a third more.
static double CountBytes(int (*sizes)[2], int count, int largest)
{
    double bytes = 0.0;
    for (int i = 0; i < count; i++)
    {
        int width = sizes[i][0], height = sizes[i][1];
        while (width > largest || height > largest)
            width /= 2, height /= 2;
        bytes += 4.0 / 3.0 * 4.0 * width * height;
    }
    return bytes;
}

qvResult qvuiTexturePlan_Init(qvuiTexturePlan* plan, const qvMesh* mesh, const char* folder, double limit,
                              qvError* error)
{
    size_t count = (size_t)mesh->textureCount;
    *plan = (qvuiTexturePlan){ .count = mesh->textureCount, .largest = qvui_largestPicture };
    plan->used = calloc(count + 1, sizeof(*plan->used));
    int(*sizes)[2] = calloc(count + 1, sizeof(*sizes));
    if (plan->used == NULL || sizes == NULL)
    {
        free(sizes);
        qvuiTexturePlan_Free(plan);
        return qvError_OutOfMemory(error, (double)count * sizeof(*sizes));
    }
    MarkUsed(plan, mesh);
    qvError ignored;
    for (int i = 0; i < plan->count; i++)
        if (plan->used[i] && qvuiMeasureTexture(&mesh->textures[i], folder, sizes[i], &ignored) != qv_ok)
            sizes[i][0] = sizes[i][1] = 0;
    while (plan->largest > LEAST_SIDE && CountBytes(sizes, plan->count, plan->largest) > limit)
        plan->largest /= 2;
    free(sizes);
    return qv_ok;
}

void qvuiTexturePlan_Free(qvuiTexturePlan* plan)
{
    free(plan->used);
    *plan = (qvuiTexturePlan){ 0 };
}

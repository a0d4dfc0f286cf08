// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/texture_plan.h"

#include <stdio.h>
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

void qvuiReduction_Add(qvuiReduction* reduction, const qvTexture* texture, const qvuiPicture* picture)
{
    if (picture->fullWidth == 0 || reduction->count++ > 0)
        return;
    const char* name = texture->name[0] != 0 ? texture->name : texture->path[0] != 0 ? texture->path : "A texture";
    snprintf(reduction->remark, sizeof(reduction->remark),
             "%.80s has %d x %d pixels and is shown with %d x %d, to save memory; the file stays as it is", name,
             picture->fullWidth, picture->fullHeight, picture->width, picture->height);
}

void qvuiReduction_Tell(const qvuiReduction* reduction, char* line, size_t size)
{
    char more[48] = "";
    if (reduction->count > 1)
        snprintf(more, sizeof(more), " (and %d more)", reduction->count - 1);
    snprintf(line, size, "%s%s", reduction->remark, more);
}

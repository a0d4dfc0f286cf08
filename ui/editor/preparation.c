// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/preparation.h"

#include "ui/render/texture_plan.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    SLICE = 6 << 20 // bytes of pictures in a frame: some milliseconds without a graphics card
};

static bool GoesOn(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return !((qvuiPreparation*)context)->ends;
}

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    qvuiPreparation* preparation = context;
    const qvMesh* mesh = preparation->body->mesh;
    qvBvh* bvh = NULL;
    if (qvCreateBvh(mesh, preparation->body->rest, &bvh, error) == qv_ok)
        atomic_store(&preparation->bvh, bvh);
    const qvJob untilTheEnd = { .progress = GoesOn, .context = preparation };
    qvuiTexturePlan plan;
    qvResult result = qvuiTexturePlan_Init(&plan, mesh, preparation->folder, qvui_pictureBytes, error);
    for (int i = 0; i < plan.count; i++)
    {
        qvError reason;
        qvuiPicture* picture = &preparation->pictures[i];
        if (!plan.used[i])
            continue;
        if (!job->progress(job->context, "textures", (double)i / plan.count))
        {
            result = qv_cancelled;
            break;
        }
        qvResult decoded =
            qvuiDecodeTexture(&mesh->textures[i], preparation->folder, plan.largest, &untilTheEnd, picture, &reason);
        qvuiReduction_Add(&preparation->reduction, &mesh->textures[i], picture);
        if (decoded != qv_ok && result == qv_ok)
            result = decoded, *error = reason;
    }
    qvuiTexturePlan_Free(&plan);
    return result;
}

qvResult qvuiPreparation_Start(qvuiPreparation* preparation, const qvBody* body, const char* folder, qvError* error)
{
    qvDestroyBvh(qvuiPreparation_TakeTree(preparation));
    qvuiPreparation_DropPictures(preparation);
    const qvBody* old = preparation->body;
    preparation->body = qvRetainBody(body);
    preparation->isPast = false;
    preparation->reduction.count = 0;
    qvReleaseBody(old);
    snprintf(preparation->folder, sizeof(preparation->folder), "%s", folder);
    int count = body->mesh->textureCount;
    preparation->pictures = calloc((size_t)count + 1, sizeof(*preparation->pictures));
    if (preparation->pictures == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*preparation->pictures));
    preparation->pictureCount = count;
    const qvuiErrand errand = { .work = Work, .order = preparation, .stage = "preparing" };
    return qvuiTask_Start(&preparation->task, &errand, error);
}

bool qvuiPreparation_Collect(qvuiPreparation* preparation)
{
    return qvuiTask_Collect(&preparation->task) != NULL;
}

qvBvh* qvuiPreparation_TakeTree(qvuiPreparation* preparation)
{
    return atomic_exchange(&preparation->bvh, NULL);
}

bool qvuiPreparation_HasPictures(const qvuiPreparation* preparation)
{
    return preparation->pictureCount > 0;
}

void qvuiPreparation_Upload(qvuiPreparation* preparation, qvuiSurface* surface)
{
    while (preparation->uploaded < preparation->pictureCount)
    {
        qvuiPicture* picture = &preparation->pictures[preparation->uploaded];
        qvuiUpload* upload = &preparation->upload;
        bool isNew = upload->name == 0;
        if (picture->pixels == NULL)
        {
            preparation->uploaded++;
            continue;
        }
        if (isNew)
            *upload = qvuiBeginUpload(picture);
        if (qvuiUpload_Continue(upload, picture, SLICE))
            qvuiSurface_TouchTextures(surface);
        if (isNew)
            qvuiSurface_SetTexture(surface, preparation->body->mesh, preparation->uploaded, upload->name);
        if (!qvuiUpload_IsDone(upload))
            return;
        qvuiFreePicture(picture);
        *upload = (qvuiUpload){ 0 };
        preparation->uploaded++;
        return;
    }
    qvuiPreparation_DropPictures(preparation);
}

// A texture that is half uploaded belongs to its surface.
void qvuiPreparation_DropPictures(qvuiPreparation* preparation)
{
    for (int i = 0; i < preparation->pictureCount; i++)
        qvuiFreePicture(&preparation->pictures[i]);
    free(preparation->pictures);
    preparation->pictures = NULL;
    preparation->pictureCount = preparation->uploaded = 0;
    preparation->upload = (qvuiUpload){ 0 };
}

void qvuiPreparation_Free(qvuiPreparation* preparation)
{
    preparation->ends = true;
    qvuiTask_End(&preparation->task);
    qvDestroyBvh(qvuiPreparation_TakeTree(preparation));
    qvuiPreparation_DropPictures(preparation);
    qvReleaseBody(preparation->body);
    preparation->body = NULL;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/textures.h"

#include <stdio.h>
#include <stdlib.h>

static bool IsUsed(const qvMesh* mesh, int texture)
{
    for (int i = 0; mesh->uvDomain != qv_domainNone && i < mesh->materialCount; i++)
        if (mesh->materials[i].texture == texture)
            return true;
    return false;
}

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    qvuiTextures* textures = context;
    const qvMesh* mesh = textures->body->mesh;
    qvResult result = qv_ok;
    for (int i = 0; i < mesh->textureCount; i++)
    {
        qvError reason;
        if (!IsUsed(mesh, i))
            continue;
        if (!job->progress(job->context, "textures", (double)i / mesh->textureCount))
            return qv_cancelled;
        qvResult decoded = qvuiDecodeTexture(&mesh->textures[i], textures->folder, &textures->pictures[i], &reason);
        if (decoded != qv_ok && result == qv_ok)
            result = decoded, *error = reason;
    }
    return result;
}

qvResult qvuiTextures_Start(qvuiTextures* textures, const qvBody* body, const char* folder, qvError* error)
{
    qvuiTextures_Drop(textures);
    const qvBody* old = textures->body;
    textures->body = qvRetainBody(body);
    qvReleaseBody(old);
    snprintf(textures->folder, sizeof(textures->folder), "%s", folder);
    int count = body->mesh->textureCount;
    if (count == 0)
        return qv_ok;
    textures->pictures = calloc((size_t)count, sizeof(*textures->pictures));
    if (textures->pictures == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*textures->pictures));
    return qvuiTask_Start(&textures->task, Work, textures, "textures", error);
}

bool qvuiTextures_Collect(qvuiTextures* textures)
{
    return qvuiTask_Collect(&textures->task);
}

void qvuiTextures_Drop(qvuiTextures* textures)
{
    for (int i = 0; textures->pictures != NULL && i < textures->body->mesh->textureCount; i++)
        qvuiFreePicture(&textures->pictures[i]);
    free(textures->pictures);
    textures->pictures = NULL;
}

void qvuiTextures_Free(qvuiTextures* textures)
{
    qvuiTask_Cancel(&textures->task);
    qvuiTextures_Drop(textures);
    qvReleaseBody(textures->body);
    textures->body = NULL;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// From a take to files.
#include "base/path.h"
#include "quaver/take.h"

#include <stdlib.h>

qvTakeExport qvDefaultTakeExport(void)
{
    return (qvTakeExport){ .bake = qvDefaultBakeDef(), .options = qvDefaultExportOptions() };
}

static bool IsGltf(const char* path)
{
    return qvPath_HasExtension(path, "glb gltf");
}

static qvAnimation MakeAnimation(const qvBake* bake, const qvTake* take)
{
    const qvBody* body = qvTake_Body(take);
    const qvScene* scene = qvTake_Scene(take);
    qvAnimation animation = qvDefaultAnimation();
    animation.model = body->model, animation.mesh = body->mesh;
    if (scene->name[0] != 0)
        animation.name = scene->name;
    animation.frameCount = bake->frameCount, animation.times = bake->times, animation.fps = bake->fps;
    animation.loop = bake->loop, animation.frames = bake->positions;
    if (bake->bind)
        animation.space = qv_framesBind, animation.clip = qvTake_Clip(take);
    else
        animation.rigid = bake->frames;
    return animation;
}

typedef qvResult WriteFcn(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                          qvExportReport* report, qvError* error);

static qvResult BakeAndWrite(const qvTake* take, const qvTakeExport* def, const char* path, WriteFcn* write,
                             qvExportReport* report, qvError* error)
{
    qvBakeDef bakeDef = def->bake;
    bakeDef.bind = qvTake_Clip(take) >= 0 && IsGltf(path);
    qvBake* bake;
    qvResult result = qvCreateBake(take, &bakeDef, def->options.job, &bake, error);
    if (result != qv_ok)
        return result;
    qvAnimation animation = MakeAnimation(bake, take);
    char* text = NULL;
    if (def->embedScene && IsGltf(path))
        result = qvPrintScene(qvTake_Scene(take), &text, error);
    animation.scene = text;
    if (result == qv_ok)
        result = write(&animation, path, &def->options, report, error);
    qvFreeText(text);
    qvDestroyBake(bake);
    return result;
}

qvResult qvExportTake(const qvTake* take, const qvTakeExport* def, const char* path, qvExportReport* report,
                      qvError* error)
{
    return BakeAndWrite(take, def, path, qvExportAnimation, report, error);
}

qvResult qvEstimateTake(const qvTake* take, const qvTakeExport* def, const char* path, qvExportReport* report,
                        qvError* error)
{
    return BakeAndWrite(take, def, path, qvEstimateExport, report, error);
}

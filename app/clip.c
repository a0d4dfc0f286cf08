// SPDX-License-Identifier: GPL-3.0-or-later
#include "clip.h"

#include "quaver/document.h"
#include "quaver/path.h"

#include <math.h>
#include <string.h>

const Clip noClip = { .start = NAN, .speed = NAN };

static const double SLOWEST = 0.01; // as in scenes

bool HasClip(const Clip* clip)
{
    return clip != NULL && (clip->name != NULL || clip->repeat != NULL || !isnan(clip->start) || !isnan(clip->speed));
}

static bool IsOneOf(const char* text, const char* a, const char* b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

int CheckClip(const Command* command, const Clip* clip, const char* input)
{
    if (clip->name != NULL && *clip->name == 0)
        return FailUsage(command, "--clip must be a name, a number or none");
    if (!isnan(clip->speed) && clip->speed < SLOWEST)
        return FailUsage(command, "--clip-speed must be a number from %g to 100", SLOWEST);
    if (clip->repeat != NULL && !IsOneOf(clip->repeat, "on", "off"))
        return FailUsage(command, "--clip-repeat must be on or off");
    bool mayHave = input != NULL && !qvPath_HasExtension(input, "obj ply stl");
    if (HasClip(clip) && !mayHave)
        return FailUsage(command, "--clip needs a scene or a .glb or .gltf file");
    return EXIT_DONE;
}

static const qvRef clipObject = { qv_objectClip, 0 };

static qvResult SetClip(qvDocument* document, const Clip* clip, qvError* error)
{
    qvResult result = qv_ok;
    bool isNone = clip->name != NULL && strcmp(clip->name, "none") == 0;
    if (clip->name != NULL)
        result = qvDocument_SetBool(document, clipObject, "on", !isNone, error);
    if (result == qv_ok && clip->name != NULL && !isNone)
        result = qvDocument_SetText(document, clipObject, "name", clip->name, error);
    if (result == qv_ok && !isnan(clip->start))
        result = qvDocument_SetNumber(document, clipObject, "start", clip->start, error);
    if (result == qv_ok && !isnan(clip->speed))
        result = qvDocument_SetNumber(document, clipObject, "speed", clip->speed, error);
    if (result == qv_ok && clip->repeat != NULL)
        result = qvDocument_SetBool(document, clipObject, "repeat", strcmp(clip->repeat, "on") == 0, error);
    return result;
}

static void Replace(const qvScene** scene, const qvDocument* document)
{
    qvReleaseScene(*scene);
    *scene = qvRetainScene(qvDocument_Scene(document));
}

qvResult ChooseClip(const Clip* clip, const qvScene** scene, qvError* error)
{
    if (!HasClip(clip))
        return qv_ok;
    qvDocument* document;
    qvResult result = qvCreateDocument(*scene, &document, error);
    if (result != qv_ok)
        return result;
    result = SetClip(document, clip, error);
    if (result == qv_ok)
        Replace(scene, document);
    qvCloseDocument(document);
    return result;
}

qvResult FitRange(const qvScene** scene, qvError* error)
{
    const qvSceneClip* clip = &(*scene)->clip;
    double range[2] = { 0.0, (*scene)->range[1] / clip->speed };
    double late = clip->repeat ? 0.0 : clip->start; // of one that repeats, only the moment in it is another
    if (range[1] + late > 0.0)
        range[1] += late;
    if (!(*scene)->hasRange || range[1] == (*scene)->range[1])
        return qv_ok;
    qvDocument* document;
    qvResult result = qvCreateDocument(*scene, &document, error);
    if (result != qv_ok)
        return result;
    result = qvDocument_SetNumbers(document, (qvRef){ qv_objectScene, 0 }, "range", range, 2, error);
    // What waits before its only pass has no seam.
    if (result == qv_ok && late != 0.0 && (*scene)->loop)
        result = qvDocument_SetBool(document, (qvRef){ qv_objectScene, 0 }, "loop", false, error);
    if (result == qv_ok)
        Replace(scene, document);
    qvCloseDocument(document);
    return result;
}

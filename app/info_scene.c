// SPDX-License-Identifier: GPL-3.0-or-later
#include "info_scene.h"

#include "command.h"

#include <stdio.h>

static void AddKeys(qvJson* scene, const qvTake* take)
{
    const qvScene* from = qvTake_Scene(take);
    qvJson* keys = qvJson_AddArray(scene, "keys");
    for (int i = 0; i < from->keyCount; i++)
    {
        qvKeyReport report = qvTake_KeyReport(take, i);
        qvJson* key = qvJson_AddObject(keys, NULL);
        qvJson_AddString(key, "id", from->keys[i]->tag);
        qvJson_AddString(key, "name", from->keys[i]->name);
        qvJson_AddNumber(key, "time", from->keys[i]->time);
        qvJson_AddString(key, "interp", qvInterp_Tag(from->keys[i]->interp));
        qvJson_AddNumber(key, "strokes", from->keys[i]->strokes.count);
        qvJson_AddNumber(key, "error", report.error);
        qvJson_AddNumber(key, "residual", report.residual);
        qvJson_AddNumber(key, "waves", report.waves);
    }
}

static void AddSeam(qvJson* scene, const qvTake* take)
{
    qvSeam seam = qvTake_Seam(take);
    qvJson* object = qvJson_AddObject(scene, "seam");
    qvJson_AddNumber(object, "position", seam.position);
    qvJson_AddNumber(object, "velocity", seam.velocity);
    qvJson_AddNumber(object, "acceleration", seam.acceleration);
    qvJson_AddBool(object, "at_least", seam.atLeast);
    qvJson_AddBool(object, "closes", seam.closes);
}

static void AddCamera(qvJson* scene, const qvSceneCamera* from)
{
    qvJson* camera = qvJson_AddObject(scene, "camera");
    qvJson_AddNumbers(camera, "target", (double[]){ from->target.x, from->target.y, from->target.z }, 3);
    qvJson_AddNumber(camera, "yaw", from->yaw);
    qvJson_AddNumber(camera, "pitch", from->pitch);
    qvJson_AddNumber(camera, "distance", from->distance);
    qvJson_AddNumber(camera, "lens", from->lens);
    qvJson_AddBool(camera, "ortho", from->ortho);
}

// What takes its time comes first, key by key.
static qvResult Measure(const qvTake* take, const qvJob* job, qvError* error)
{
    int keyCount = qvTake_Scene(take)->keyCount;
    qvResult result = qv_ok;
    for (int i = -1; result == qv_ok && i < keyCount; i++)
    {
        result = qvTake_Measure(take, i, job, error);
        if (result == qv_ok && i >= 0)
            result = qvJob_Progress(job, "keys", (i + 1.0) / keyCount, error);
    }
    return result;
}

static void AddRemarks(qvJson* root, const qvTake* take)
{
    char text[qv_maxRemark];
    for (int i = 0; i < qvTake_Scene(take)->simulationCount; i++)
    {
        if (qvTake_SimulationRemark(take, i, text))
            qvJson_AddString(qvJson_Find(root, "warnings"), NULL, text);
    }
    if (qvTake_DetailRemark(take, text))
        qvJson_AddString(qvJson_Find(root, "warnings"), NULL, text);
}

qvResult AddSceneFacts(qvJson* root, const qvTake* take, const qvJob* job, qvError* error)
{
    qvResult result = Measure(take, job, error);
    if (result != qv_ok)
        return result;
    const qvScene* from = qvTake_Scene(take);
    double range[2];
    qvScene_Range(from, range);
    AddRemarks(root, take);
    qvJson* scene = qvJson_AddObject(root, "scene");
    qvJson_AddString(scene, "name", from->name);
    qvJson_AddNumber(scene, "fps", from->fps);
    qvJson_AddNumbers(scene, "range", range, 2);
    qvJson_AddNumber(scene, "frames", qvScene_SampleCount(from->fps, range));
    qvJson_AddBool(scene, "loop", from->loop);
    if (from->hasCamera)
        AddCamera(scene, &from->camera);
    AddKeys(scene, take);
    if (from->loop)
        AddSeam(scene, take);
    qvJson* modes = qvJson_AddArray(scene, "modes");
    for (int i = 0; i < qvTake_ModeCount(take); i++)
        qvJson_AddNumber(modes, NULL, qvTake_ModeFrequency(take, i));
    char remark[256];
    if (qvTake_ChangeRemark(take, remark, sizeof(remark)))
        qvJson_AddString(scene, "remark", remark);
    qvJson_AddNumber(scene, "solved_points", qvTake_DetailPoints(take));
    qvJson_AddNumber(scene, "pins", from->pinCount);
    qvJson_AddNumber(scene, "events", from->eventCount);
    qvJson_AddNumber(scene, "generated_events", qvTake_GeneratedCount(take));
    return qv_ok;
}

// --- For people ----------------------------------------------------------------------------------------------------

static double Number(const qvJson* object, const char* name)
{
    return qvJson_Number(qvJson_Find(object, name));
}

// By its number, as in the window: the id of a key without a name says nothing to a reader.
static void PrintKey(const qvJson* key, int number)
{
    const char* name = qvJson_Text(qvJson_Find(key, "name"));
    printf("key %-6d %g s  ", number, Number(key, "time"));
    PrintClean(name);
    double strokes = Number(key, "strokes");
    printf("%s%s, %.0f stroke%s, error %.1e", name[0] != 0 ? ", " : "", qvJson_Text(qvJson_Find(key, "interp")),
           strokes, strokes == 1.0 ? "" : "s", Number(key, "error"));
    if (Number(key, "residual") > 0.0)
        printf(", residual %.1e", Number(key, "residual"));
    if (Number(key, "waves") > 0.0)
        printf(", waves %.1e", Number(key, "waves"));
    printf(" of the diagonal\n");
}

static void PrintModes(const qvJson* scene)
{
    const qvJson* modes = qvJson_Find(scene, "modes");
    if (qvJson_Count(modes) == 0)
        return;
    printf("modes      ");
    for (const qvJson* mode = qvJson_First(modes); mode != NULL; mode = qvJson_Next(mode))
        printf("%.3g%s", qvJson_Number(mode), qvJson_Next(mode) != NULL ? ", " : " Hz\n");
}

void PrintSceneFacts(const qvJson* root)
{
    const qvJson* scene = qvJson_Find(root, "scene");
    const qvJson *range = qvJson_Find(scene, "range"), *seam = qvJson_Find(scene, "seam");
    const qvJson* camera = qvJson_Find(scene, "camera");
    const char* name = qvJson_Text(qvJson_Find(scene, "name"));
    printf("scene      ");
    PrintClean(name[0] != 0 ? name : "without a name");
    printf("\nrange      %g s to %g s, %.0f frames at %g per second%s\n", qvJson_Number(qvJson_At(range, 0)),
           qvJson_Number(qvJson_At(range, 1)), Number(scene, "frames"), Number(scene, "fps"),
           qvJson_Bool(qvJson_Find(scene, "loop")) ? ", a loop" : "");
    int number = 0;
    for (const qvJson* key = qvJson_First(qvJson_Find(scene, "keys")); key != NULL; key = qvJson_Next(key))
        PrintKey(key, ++number);
    if (seam != NULL)
        printf("seam       %s: position by %s%.1e, velocity by %.1e /s, acceleration by %.1e /s^2 of the diagonal\n",
               qvJson_Bool(qvJson_Find(seam, "closes")) ? "closes" : "jumps",
               qvJson_Bool(qvJson_Find(seam, "at_least")) ? "at least " : "", Number(seam, "position"),
               Number(seam, "velocity"), Number(seam, "acceleration"));
    if (camera != NULL)
        printf("camera     %g\xc2\xb0 around, %g\xc2\xb0 down, %g from its target, lens %g\xc2\xb0%s\n",
               Number(camera, "yaw"), Number(camera, "pitch"), Number(camera, "distance"), Number(camera, "lens"),
               qvJson_Bool(qvJson_Find(camera, "ortho")) ? ", without perspective" : "");
    PrintModes(scene);
    if (qvJson_Find(scene, "remark") != NULL)
        printf("remark     %s\n", qvJson_Text(qvJson_Find(scene, "remark")));
    printf("pins       %.0f\nevents     %.0f, and %.0f found from the motion\n", Number(scene, "pins"),
           Number(scene, "events"), Number(scene, "generated_events"));
}

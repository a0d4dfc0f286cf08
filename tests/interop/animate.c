// SPDX-License-Identifier: GPL-3.0-or-later
// Exports a motion in closed form, for checks against other programs:
//   quaver_animate IN OUT [OPTION…]
// IN is a file or shape:TAG. Options: whole, still or top (what moves), quantize, compress, cubic, per-frame,
// no-normals, embed, skin (displacements below the skin, into the first clip), error=E, max=N, bones=N, for=PRESET,
// frames=N.
// Beside OUT it writes OUT.json: the frame rate, the reported error, and the exact positions of every tenth frame and
// the last one.
#include "bending_motion.h"
#include "quaver/blas.h"
#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Request
{
    const char *in, *out;
    qvBendingKind kind;
    int frameCount;
    bool isSkin, embed;
    qvExportOptions options;
} Request;

static int Fail(const char* message)
{
    fprintf(stderr, "%s\n", message);
    return EXIT_FAILURE;
}

static bool ParseOption(Request* request, const char* text)
{
    static const char* const kinds[] = { "whole", "still", "top" };
    for (int i = 0; i < 3; i++)
    {
        if (strcmp(text, kinds[i]) == 0)
        {
            request->kind = (qvBendingKind)i;
            return true;
        }
    }
    const struct
    {
        const char* name;
        bool *flag, value;
    } flags[] = {
        { "quantize", &request->options.quantize, true },
        { "compress", &request->options.compress, true },
        { "cubic", &request->options.cubic, true },
        { "per-frame", &request->options.perFrame, true },
        { "no-normals", &request->options.normals, false },
        { "skin", &request->isSkin, true },
        { "embed", &request->embed, true },
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
    {
        if (strcmp(text, flags[i].name) == 0)
        {
            *flags[i].flag = flags[i].value;
            return true;
        }
    }
    if (strncmp(text, "error=", 6) == 0)
        request->options.error = strtod(text + 6, NULL);
    else if (strncmp(text, "max=", 4) == 0)
        request->options.maxTargets = atoi(text + 4);
    else if (strncmp(text, "bones=", 6) == 0)
        request->options.bones = atoi(text + 6);
    else if (strncmp(text, "frames=", 7) == 0)
        request->frameCount = atoi(text + 7);
    else if (strncmp(text, "for=", 4) == 0)
        request->options.preset = qvFindExportPreset(text + 4);
    else
        return false;
    return strncmp(text, "for=", 4) != 0 || request->options.preset != NULL;
}

static qvResult Load(const char* name, qvModel** model, qvError* error)
{
    if (strncmp(name, "shape:", 6) != 0)
        return qvLoadModel(name, NULL, model, error);
    *model = calloc(1, sizeof(qvModel));
    if (*model == NULL)
        return qvError_OutOfMemory(error, sizeof(qvModel));
    return qvCreatePrimitive(name + 6, 16, &(*model)->mesh, error);
}

static void AddFrame(qvJson* list, const qvAnimation* animation, int vertexCount, int frame)
{
    const qvVec3f* p = animation->frames + (size_t)frame * (size_t)vertexCount;
    qvJson* item = qvJson_AddObject(list, NULL);
    qvJson_AddNumber(item, "frame", frame);
    qvJson_AddNumber(item, "time", animation->times[frame]);
    qvJson* positions = qvJson_AddArray(item, "positions");
    for (int i = 0; i < vertexCount; i++)
    {
        const double numbers[3] = { p[i].x, p[i].y, p[i].z };
        qvJson_AddNumbers(positions, NULL, numbers, 3);
    }
}

static qvResult WriteFacts(const Request* request, const qvAnimation* animation, int vertexCount,
                           const qvExportReport* report, qvError* error)
{
    qvJson* json = qvCreateJsonObject();
    qvJson_AddNumber(json, "fps", animation->fps);
    qvJson_AddNumber(json, "targets", report->targets);
    qvJson_AddNumber(json, "error", report->maxError);
    qvJson_AddNumber(json, "diagonal", report->diagonal);
    qvJson* frames = qvJson_AddArray(json, "frames");
    for (int k = 0; k < animation->frameCount; k++)
    {
        if (k % 10 == 0 || k == animation->frameCount - 1)
            AddFrame(frames, animation, vertexCount, k);
    }
    char path[1024], *text = qvJson_Print(json, false);
    qvDestroyJson(json);
    if (text == NULL)
        return qvError_OutOfMemory(error, 1e6);
    snprintf(path, sizeof(path), "%s.json", request->out);
    qvResult result = qvWriteFile(path, text, strlen(text), error);
    qvFreeText(text);
    return result;
}

// Small displacements in bind space, and the clip's own length.
static void MakeDisplacements(const qvModel* model, qvBendingMotion* motion)
{
    double duration = qvRig_ClipDuration(model->rig, 0);
    for (int k = 0; k < motion->frameCount; k++)
    {
        motion->times[k] = duration * k / (motion->frameCount - 1);
        for (int i = 0; i < model->mesh->vertexCount; i++)
        {
            double phase = 6.2831853071795865 * k / (motion->frameCount - 1) + 0.5 * i;
            motion->frames[k * model->mesh->vertexCount + i] =
                (qvVec3f){ (float)(0.05 * sin(phase)), (float)(0.03 * cos(2.0 * phase)), 0.0f };
        }
    }
}

static int Export(const Request* request, const qvModel* model)
{
    qvError error;
    qvBendingMotion motion;
    qvExportReport report;
    if (!qvCreateBendingMotion(model->mesh, request->kind, request->frameCount, 4.0, &motion))
        return Fail("out of memory");
    qvAnimation animation = qvBendingMotion_Animation(&motion);
    animation.model = model;
    animation.scene = request->embed ? "{\"quaver\": 1}" : NULL;
    if (request->isSkin)
    {
        MakeDisplacements(model, &motion);
        animation.space = qv_framesBind;
        animation.rigid = NULL;
        animation.clip = 0;
        animation.loop = false;
    }
    qvResult result = qvExportAnimation(&animation, request->out, &request->options, &report, &error);
    if (result == qv_ok)
        result = WriteFacts(request, &animation, model->mesh->vertexCount, &report, &error);
    if (result == qv_ok)
        printf("%s: %d frames, %d keys, %d targets, error %.2g of the diagonal, %.0f bytes%s%s\n", request->out,
               report.frames, report.keys, report.targets, report.maxError / report.diagonal, report.bytes,
               report.warning[0] != 0 ? "; " : "", report.warning);
    qvDestroyBendingMotion(&motion);
    return result == qv_ok ? EXIT_SUCCESS : Fail(error.message);
}

int main(int argc, char** argv)
{
    if (argc < 3)
        return Fail("usage: quaver_animate IN OUT [OPTION...]");
    Request request = { .in = argv[1], .out = argv[2], .frameCount = 97, .options = qvDefaultExportOptions() };
    for (int i = 3; i < argc; i++)
    {
        if (!ParseOption(&request, argv[i]))
            return Fail(argv[i]);
    }
    qvBlas_UseOneThread();
    qvError error;
    qvModel* model = NULL;
    if (Load(request.in, &model, &error) != qv_ok)
        return Fail(error.message);
    int status = Export(&request, model);
    qvDestroyModel(model);
    return status;
}

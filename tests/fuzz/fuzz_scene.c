// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a scene file: a scene that survives being edited, undone, printed, read again and baked, or one line
// that says why not.
#include "fuzzing.h"

#include "quaver/document.h"
#include "quaver/take.h"
#include "random_edits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    EDITS = 40
};

// What is printed can be read, and prints the same.
static void CheckPrints(const qvScene* scene)
{
    qvError error;
    char *text, *again;
    const qvScene* read;
    if (qvPrintScene(scene, &text, &error) != qv_ok ||
        qvParseScene(text, strlen(text), "printed", &read, &error) != qv_ok ||
        qvPrintScene(read, &again, &error) != qv_ok || strcmp(text, again) != 0 ||
        qvScene_Hash(read) != qvScene_Hash(scene))
        abort();
    qvFreeText(text);
    qvFreeText(again);
    qvReleaseScene(read);
}

static void Edit(qvDocument* document, uint64_t random)
{
    uint64_t hashes[EDITS + 1];
    hashes[0] = qvScene_Hash(qvDocument_Scene(document));
    for (int i = 0; i < EDITS; i++)
    {
        RandomEdit(document, &random);
        hashes[qvDocument_StepPosition(document)] = qvScene_Hash(qvDocument_Scene(document));
    }
    CheckPrints(qvDocument_Scene(document));
    while (qvDocument_CanUndo(document))
    {
        qvDocument_Undo(document);
        if (hashes[qvDocument_StepPosition(document)] != qvScene_Hash(qvDocument_Scene(document)))
            abort();
    }
}

// --- Two frames ------------------------------------------------------------------------------------------------------

static bool InTime(void* context, const char* stage, double fraction)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    bool asks = stage[0] == 0 && fraction == -1.0; // merely whether to go on
    if (!asks && (stage[0] == 0 || !(fraction >= 0.0 && fraction <= 1.0)))
        abort();
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec < *(const double*)context;
}

// A body so small that much can be tried.
static bool MakeSmall(qvDocument* document)
{
    qvError error;
    qvRef mesh = { qv_objectMesh, 0 }, material = { qv_objectMaterial, 0 }, secondary = { qv_objectSecondary, 0 };
    for (int i = 0; i < qvDocument_Scene(document)->simulationCount; i++)
    {
        qvRef simulation = { qv_objectSimulation, qvDocument_Scene(document)->simulations[i]->id };
        if (qvDocument_SetNumber(document, simulation, "detail", 100.0, &error) != qv_ok)
            return false;
    }
    return qvDocument_SetText(document, mesh, "primitive", "block", &error) == qv_ok &&
           qvDocument_SetNumber(document, mesh, "resolution", 1.0, &error) == qv_ok &&
           qvDocument_SetNumber(document, material, "modes", 3.0, &error) == qv_ok &&
           qvDocument_SetNumber(document, secondary, "max", 5.0, &error) == qv_ok;
}

static void CheckFrames(const qvTake* take, const qvJob* job)
{
    qvError error;
    qvBake* bake;
    double range[2], fps = qvTake_Scene(take)->fps;
    qvScene_Range(qvTake_Scene(take), range);
    qvBakeDef def = qvDefaultBakeDef();
    def.hasRange = true, def.range[0] = range[0], def.range[1] = range[0] + 1.0 / fps;
    if (qvCreateBake(take, &def, job, &bake, &error) != qv_ok)
        return;
    for (int i = 0; i < bake->frameCount * bake->vertexCount; i++)
    {
        const qvVec3f* p = &bake->positions[i];
        if (isnan(p->x) || isnan(p->y) || isnan(p->z))
            abort();
    }
    qvDestroyBake(bake);
}

static void Bake(qvDocument* document, uint64_t random)
{
    for (int i = 0; i < EDITS / 4; i++)
        RandomEdit(document, &random);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double deadline = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + 0.5;
    qvJob job = { .progress = InTime, .context = &deadline };
    qvError error;
    qvPipeline* pipeline;
    qvTake* take;
    if (!MakeSmall(document) || qvCreatePipeline(NULL, &pipeline, &error) != qv_ok)
        return;
    if (qvPipeline_Solve(pipeline, qvDocument_Scene(document), "/nonexistent", &job, &take, &error) == qv_ok)
        CheckFrames(take, &job);
    else if (take != NULL || error.message[0] == 0 || strchr(error.message, '\n') != NULL)
        abort();
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvError error;
    const qvScene* scene;
    qvDocument* document;
    if (qvParseScene((const char*)data, size, "fuzz", &scene, &error) != qv_ok)
    {
        if (scene != NULL || strncmp(error.message, "fuzz: ", 6) != 0 || strchr(error.message, '\n') != NULL)
            abort();
        return 0;
    }
    CheckPrints(scene);
    if (qvCreateDocument(scene, &document, &error) != qv_ok)
        abort();
    Edit(document, qvScene_Hash(scene));
    Bake(document, qvScene_Hash(scene));
    qvCloseDocument(document);
    qvReleaseScene(scene);
    return 0;
}

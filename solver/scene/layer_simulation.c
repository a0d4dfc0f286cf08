// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of simulations, one per span, in the order of time. What engines there are stands in engine_list.inl.
#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "phyxel/matter.h"
#include "scene/fields.h"
#include "scene/labels.h"
#include "scene/pipeline.h"
#include "scene/references.h"
#include "scene/simulation_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const qvEngine* qvFindEngine(const char* tag)
{
    for (int i = 0; qvEngines[i] != NULL; i++)
    {
        if (strcmp(qvEngines[i]->tag, tag) == 0)
            return qvEngines[i];
    }
    return NULL;
}

bool qvGetEngineInfo(int index, qvEngineInfo* info)
{
    if (index < 0 || qvEngines[index] == NULL)
        return false;
    *info = (qvEngineInfo){ qvEngines[index]->tag, qvEngines[index]->label, qvEngines[index]->help };
    return true;
}

int qvFindChannels(const qvChannel** found, int capacity)
{
    int count = 0;
    for (int e = 0; qvEngines[e] != NULL; e++)
    {
        for (int c = 0; c < qvEngines[e]->channelCount; c++)
        {
            const qvChannel* channel = &qvEngines[e]->channels[c];
            bool isKnown = false;
            for (int k = 0; k < count && k < capacity; k++)
                isKnown = isKnown || strcmp(found[k]->tag, channel->tag) == 0;
            if (isKnown)
                continue;
            if (count < capacity)
                found[count] = channel;
            count++;
        }
    }
    return count;
}

// --- Spans ---------------------------------------------------------------------------------------------------------

static bool IsActive(const qvSceneSimulation* simulation)
{
    return !simulation->mute && qvFindEngine(simulation->engine) != NULL;
}

// The index-th simulation that takes part; NULL: there are fewer.
static const qvSceneSimulation* Nth(const qvScene* scene, int index)
{
    for (int i = 0; i < scene->simulationCount; i++)
    {
        if (IsActive(scene->simulations[i]) && index-- == 0)
            return scene->simulations[i];
    }
    return NULL;
}

static int CountIn(const qvSolving* solving)
{
    int count = 0;
    while (Nth(solving->scene, count) != NULL)
        count++;
    return count;
}

static double Begins(const qvSolving* solving, int index)
{
    return Nth(solving->scene, index)->def.time;
}

static qvCurve CurveOf(const qvBlob* blob)
{
    return blob != NULL ? (qvCurve){ blob->data, (int)(blob->size / sizeof(double[2])) } : (qvCurve){ 0 };
}

// Fields of other engines are kept in scenes, and are at their defaults here. Owns nothing.
static qvSceneSimulation WithoutOthers(const qvSceneSimulation* simulation)
{
    qvSceneSimulation own = *simulation;
    const qvKindInfo* info = qvGetKind(qv_objectSimulation);
    for (int i = 0; i < info->rowCount; i++)
    {
        const qvRow* row = &info->rows[i];
        if (row->engine == NULL || strcmp(row->engine, own.engine) == 0)
            continue;
        if (row->codec == &qvCodecCurve || row->codec == &qvCodecList) // what belongs to the scene
            *(const void**)((char*)&own + (row->codec == &qvCodecList ? row->offset : row->extent)) = NULL;
        row->codec->reset(row, &own);
    }
    return own;
}

static qvSceneSimulation Resolve(const qvSceneSimulation* simulation, const qvScene* scene)
{
    static const double EARTH = 9.81, USUAL_WOBBLE = 2.0; // where the material leaves it open
    qvSceneSimulation own = WithoutOthers(simulation);
    qvSimulationDef def = own.def;
    const qvBodyMaterial* material = &scene->material;
    double range[2];
    def.wobbleCurve = CurveOf(own.wobble);
    def.meltCurve = CurveOf(own.melt);
    def.dentCurve = CurveOf(own.dent);
    qvScene_Range(scene, range);
    if (isinf(def.until))
        def.until = scene->loop && !def.hold ? range[1] - def.blend : range[1];
    if (isnan(def.wobble))
        def.wobble = material->frequency > 0.0 ? material->frequency : USUAL_WOBBLE;
    if (isnan(def.settle))
        def.settle = material->settle;
    if (isnan(def.gravity.x))
        def.gravity = qvLength(material->gravity) > 0.0 ? material->gravity : qvMakeVec3(0.0, -EARTH, 0.0);
    def.gravity = qvScale(1.0 / scene->unit, def.gravity);
    own.def = def;
    return own;
}

qvSimulationDef qvSceneSimulation_Resolve(const qvSceneSimulation* simulation, const qvScene* scene)
{
    return Resolve(simulation, scene).def;
}

static qvResult CheckSpan(const qvScene* scene, const qvSceneSimulation* simulation, const qvSimulationDef* def,
                          qvError* error)
{
    qvLabel label = qvSceneSimulation_Label(simulation);
    double range[2];
    qvScene_Range(scene, range);
    if (def->time < range[0] || def->until > range[1] || !(def->until > def->time))
        return qvError_Set(
            error, qv_badInput,
            "%s lasts until %g s, which is not inside the scene's range from %g s to %g s; move its ends", label.text,
            def->until, range[0], range[1]);
    if (scene->loop && def->hold)
        return qvError_Set(error, qv_badInput, "%s holds, but a loop must come back to its keys; let it blend",
                           label.text);
    if (scene->loop && def->until + def->blend > range[1] + 1e-9)
        return qvError_Set(error, qv_badInput,
                           "%s has faded back at %g s, after the end of the loop at %g s; end it sooner", label.text,
                           def->until + def->blend, range[1]);
    return qv_ok;
}

// Whether a simulation begins right where the one before it ends, with the same engine, and so takes over its state.
static bool Follows(const qvScene* scene, int index)
{
    const qvSceneSimulation *simulation = Nth(scene, index), *before = Nth(scene, index - 1);
    return before != NULL && strcmp(simulation->engine, before->engine) == 0 &&
           simulation->def.time == qvSceneSimulation_Resolve(before, scene).until;
}

// Of two that follow each other the second may begin right where the first ends, or once that has faded back.
static qvResult CheckOrder(const qvScene* scene, int index, const qvSimulationDef* def, qvError* error)
{
    const qvSceneSimulation *simulation = Nth(scene, index), *before = Nth(scene, index - 1);
    if (before == NULL)
        return qv_ok;
    qvSimulationDef last = qvSceneSimulation_Resolve(before, scene);
    double end = last.hold ? last.until : last.until + last.blend;
    if (def->time >= end || Follows(scene, index))
        return qv_ok;
    return qvError_Set(error, qv_badInput,
                       "%s begins before %s is over at %g s; let it begin there or, with the same engine, at %g s",
                       qvSceneSimulation_Label(simulation).text, qvSceneSimulation_Label(before).text, end, last.until);
}

qvResult qvScene_CheckSimulation(const qvScene* scene, const qvSceneSimulation* simulation, qvError* error)
{
    int index = 0;
    for (const qvSceneSimulation* at = Nth(scene, 0); at != NULL && at != simulation; at = Nth(scene, index))
        index++;
    if (!IsActive(simulation) || Nth(scene, index) == NULL)
        return qv_ok;
    qvSimulationDef def = qvSceneSimulation_Resolve(simulation, scene);
    qvResult result = CheckSpan(scene, simulation, &def, error);
    return result == qv_ok ? CheckOrder(scene, index, &def, error) : result;
}

// --- Remarks ---------------------------------------------------------------------------------------------------------

// How high a body is along a direction.
static double HeightAlong(const qvBody* body, qvVec3 direction)
{
    double lowest = INFINITY, highest = -INFINITY, length = qvLength(direction);
    for (int i = 0; length > 0.0 && i < body->mesh->pointCount; i++)
    {
        double at = qvDot(qvVec3_FromFloat(body->rest[i]), direction) / length;
        lowest = fmin(lowest, at);
        highest = fmax(highest, at);
    }
    return highest - lowest;
}

bool qvTake_SimulationRemark(const qvTake* take, int simulation, char text[qv_maxRemark])
{
    static const double MOST_SAG = 0.15; // of the height
    QV_ASSERT(simulation >= 0 && simulation < take->scene->simulationCount);
    const qvSceneSimulation* given = take->scene->simulations[simulation];
    text[0] = 0;
    if (given->mute)
        return false;
    if (qvFindEngine(given->engine) == NULL)
    {
        snprintf(text, qv_maxRemark, "%s is left out: this program does not have its engine \"%s\"",
                 qvSceneSimulation_Label(given).text, given->engine);
        return true;
    }
    qvSimulationDef def = qvSceneSimulation_Resolve(given, take->scene);
    const double constant[1][2] = { { 0.0, def.wobble } };
    qvPhyxelTerms terms = { .wobble = def.wobbleCurve.count > 0 ? def.wobbleCurve : (qvCurve){ constant, 1 },
                            .gravity = def.gravity };
    double part = qvPhyxelTerms_Sag(&terms) / HeightAlong(take->body, def.gravity);
    if (!(part > MOST_SAG))
        return false;
    snprintf(text, qv_maxRemark,
             "%s is so soft that it sags by %.0f %% of its height; raise its wobble or lower its gravity",
             qvSceneSimulation_Label(given).text, 100.0 * fmin(part, 1.0));
    return true;
}

// --- The layer -----------------------------------------------------------------------------------------------------

// What the body may meet: ground and obstacles, and the range over which their keys repeat.
static uint64_t HashObstacles(const qvScene* scene, const char* folder, uint64_t hash)
{
    double range[2];
    qvScene_Range(scene, range);
    hash = qvHashField(qv_objectScene, scene, "ground", hash);
    for (int i = 0; i < scene->obstacleCount; i++)
    {
        hash = qvHashInputs(qv_objectObstacle, scene->obstacles[i], qv_stageWaves, hash);
        if (scene->obstacles[i]->shape == qv_shapeMesh && !scene->obstacles[i]->mute)
            hash = qvHashObstacleFile(scene->obstacles[i], folder, hash);
    }
    return scene->loop ? qvHash(range, sizeof(range), hash) : hash;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    const qvScene* scene = solving->scene;
    const qvSceneSimulation* simulation = Nth(scene, index);
    const qvEngine* engine = qvFindEngine(simulation->engine);
    qvSceneSimulation resolved = Resolve(simulation, scene);
    qvResult result = CheckSpan(scene, simulation, &resolved.def, error);
    if (result == qv_ok)
        result = CheckOrder(scene, index, &resolved.def, error);
    solving->frames = HashObstacles(scene, solving->folder, qvHash_Combine(*hash, (uint64_t)engine->version));
    *hash = qvHashInputs(qv_objectSimulation, &resolved, qv_stageWaves, solving->frames);
    for (int i = 0; i < scene->pinCount; i++)
        *hash = qvHash_Combine(*hash, qvHashFields(qv_objectPin, scene->pins[i]));
    return result;
}

// An engine with its frames, what the body may meet, and what holds it.
typedef struct Simulation
{
    qvObstacles* obstacles;
    qvEnginePin* pins;
    int pinCount;
    qvEngineJoint* joints;
    qvEnginePart* parts;
    qvStepped* stepped;
    qvDiskCache* disk; // where its frames make room for themselves
} Simulation;

static double LowestOf(const qvBody* body)
{
    double lowest = INFINITY;
    for (int i = 0; i < body->mesh->pointCount; i++)
        lowest = fmin(lowest, body->rest[i].y);
    return lowest;
}

static qvResult MakePins(Simulation* made, const qvScene* scene, const qvBody* body, qvError* error)
{
    made->pins = qvAllocate((size_t)scene->pinCount, sizeof(*made->pins));
    qvResult result = made->pins != NULL ? qv_ok : qvError_OutOfMemory(error, 32.0 * scene->pinCount);
    for (int i = 0; result == qv_ok && i < scene->pinCount; i++)
    {
        const qvScenePin* pin = scene->pins[i];
        int32_t* points;
        int count;
        result = qvVertexSet_Points(&pin->where, body, &points, &count, error);
        made->pins[made->pinCount++] = (qvEnginePin){ pin->from, pin->to, points, count };
    }
    return result;
}

// The point of a vertex that an object of a list names.
static qvResult FindPoint(const qvBody* body, const char* list, int index, int vertex, int32_t* point, qvError* error)
{
    if (vertex < body->mesh->vertexCount && body->mesh->vertexPoint[vertex] >= 0)
    {
        *point = body->mesh->vertexPoint[vertex];
        return qv_ok;
    }
    return qvError_Set(error, qv_badInput, "%s[%d]: the mesh has no vertex %d in a triangle, choose one below %d", list,
                       index, vertex, body->mesh->vertexCount);
}

static qvResult CheckEnds(const qvBody* body, const qvSceneJoint* joint, int index, const int32_t points[2],
                          qvError* error)
{
    if (points[0] == points[1])
        return qvError_Set(error, qv_badInput,
                           "joints[%d]: vertices %d and %d are the same point; choose points of two parts", index,
                           joint->a, joint->b);
    if (body->topology->pointPart[points[0]] == body->topology->pointPart[points[1]])
        return qvError_Set(error, qv_badInput,
                           "joints[%d]: vertices %d and %d are of the same part; choose points of two parts", index,
                           joint->a, joint->b);
    return qv_ok;
}

static qvResult MakeJoints(Simulation* made, const qvSceneSimulation* simulation, const qvBody* body, qvError* error)
{
    made->joints = qvAllocate((size_t)simulation->jointCount, sizeof(*made->joints));
    qvResult result = made->joints != NULL ? qv_ok : qvError_OutOfMemory(error, 8.0 * simulation->jointCount);
    for (int i = 0; result == qv_ok && i < simulation->jointCount; i++)
    {
        int32_t* points = made->joints[i].points;
        result = FindPoint(body, "joints", i, simulation->joints[i]->a, &points[0], error);
        if (result == qv_ok)
            result = FindPoint(body, "joints", i, simulation->joints[i]->b, &points[1], error);
        if (result == qv_ok)
            result = CheckEnds(body, simulation->joints[i], i, points, error);
    }
    if (result == qv_badInput)
        qvError_Prefix(error, "%s", qvSceneSimulation_Label(simulation).text);
    return result;
}

static qvResult MakeParts(Simulation* made, const qvSceneSimulation* simulation, const qvBody* body, qvError* error)
{
    made->parts = qvAllocate((size_t)simulation->partCount, sizeof(*made->parts));
    qvResult result = made->parts != NULL ? qv_ok : qvError_OutOfMemory(error, 48.0 * simulation->partCount);
    for (int i = 0; result == qv_ok && i < simulation->partCount; i++)
    {
        const qvScenePart* from = simulation->parts[i];
        int32_t point = -1;
        result = FindPoint(body, "parts", i, from->at, &point, error);
        if (result != qv_ok)
            break;
        made->parts[i] = (qvEnginePart){ .part = body->topology->pointPart[point],
                                         .wobble = from->wobble,
                                         .settle = from->settle,
                                         .poisson = from->poisson,
                                         .friction = from->friction,
                                         .density = from->density };
        for (int other = 0; result == qv_ok && other < i; other++)
        {
            if (made->parts[other].part == made->parts[i].part)
                result =
                    qvError_Set(error, qv_badInput,
                                "parts[%d] and parts[%d] are the same part of the mesh; remove one of them", other, i);
        }
    }
    if (result == qv_badInput)
        qvError_Prefix(error, "%s", qvSceneSimulation_Label(simulation).text);
    return result;
}

// A body that has changed its topology has no way back to the motion below, unless the next span takes it over.
static qvResult CheckChange(const qvScene* scene, int index, const qvStepped* stepped, qvError* error)
{
    const qvSimulationDef* def = &Nth(scene, index)->def;
    double change = qvStepped_ChangesFrom(stepped);
    if (isinf(change))
        return qv_ok;
    if (scene->loop)
        return qvError_Set(error, qv_badInput,
                           "the body changes its topology at %g s, which a loop cannot take back; play it once",
                           change);
    if (def->hold || (Nth(scene, index + 1) != NULL && Follows(scene, index + 1)))
        return qv_ok;
    return qvError_Set(
        error, qv_badInput,
        "the body changes its topology at %g s and cannot blend back to its keys; let it hold afterwards", change);
}

// What lies below a span keeps the topology of the mesh.
static qvResult CheckBelow(const qvBaseMotion* below, const qvSimulationDef* def, qvError* error)
{
    if (below->extract == NULL || below->changesFrom >= def->time)
        return qv_ok;
    return qvError_Set(error, qv_badInput,
                       "the body has changed its topology at %g s; only a span of the same engine that begins where "
                       "the one before ends can go on with it",
                       below->changesFrom);
}

// The simulation right below, whose state is taken over.
static qvStepped* FindBefore(const qvTake* take)
{
    const qvLayer* layer = take->layers.items[take->layers.count - 1]->object;
    return ((const Simulation*)layer->object)->stepped;
}

// Bytes that the frames of one simulation may take: what the cache holds, but a gigabyte of it when it holds less;
// where there is none, frames stay in memory, half of which may be theirs.
static double RoomFor(qvDiskCache* disk)
{
    static const double LEAST = 1024.0 * 1024.0 * 1024.0;
    double ofMemory = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return fmax(disk != NULL ? (double)qvDiskCache_Limit(disk) : ofMemory, LEAST);
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)hash;
    const qvSceneSimulation* simulation = Nth(solving->scene, index);
    qvSceneSimulation resolved = Resolve(simulation, solving->scene);
    const qvBody* body = solving->body;
    Simulation* made = *object = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    qvResult result =
        qvCreateSceneObstacles(solving->scene, solving->folder, LowestOf(body), solving->job, &made->obstacles, error);
    if (result == qv_ok)
        result = MakePins(made, solving->scene, body, error);
    if (result == qv_ok)
        result = MakeJoints(made, &resolved, body, error);
    if (result == qv_ok)
        result = MakeParts(made, &resolved, body, error);
    if (result != qv_ok)
        return result;
    qvStepped* before = Follows(solving->scene, index) ? FindBefore(solving->take) : NULL;
    qvSteppedDef def = { .before = before, .engine = qvFindEngine(simulation->engine) };
    def.input = (qvEngineInput){ .mesh = body->mesh,
                                 .topology = body->topology,
                                 .rest = body->rest,
                                 .diagonal = body->diagonal,
                                 .below = before != NULL ? qvStepped_Below(before) : *below,
                                 .pins = made->pins,
                                 .pinCount = made->pinCount,
                                 .joints = made->joints,
                                 .jointCount = resolved.jointCount,
                                 .parts = made->parts,
                                 .partCount = resolved.partCount,
                                 .obstacles = made->obstacles,
                                 .store = solving->pipeline->disk != NULL ? &solving->pipeline->store : NULL,
                                 .def = resolved.def };
    made->disk = qvRetainDiskCache(solving->pipeline->disk);
    qvSimulationParts parts;
    qvFindSimulationParts(solving, &resolved, solving->frames, &parts);
    def.parts = parts.parts, def.partCount = parts.count;
    def.mostBytes = RoomFor(made->disk);
    def.moreRoom = "give the cache more room (--cache-size, Preferences)";
    def.makeRoom = made->disk != NULL ? qvDiskCache_MakeRoom : NULL, def.roomContext = made->disk;
    def.fileMode = made->disk != NULL ? qvDiskCache_FileMode(made->disk) : 0;
    result = CheckBelow(&def.input.below, &def.input.def, error);
    if (result == qv_ok)
        result = qvCreateStepped(&def, solving->job, &made->stepped, error);
    if (result == qv_ok)
        result = CheckChange(solving->scene, index, made->stepped, error);
    if (result == qv_badInput || result == qv_unsupported)
        qvError_Prefix(error, "%s", qvSceneSimulation_Label(simulation).text);
    return result;
}

static void Destroy(void* object)
{
    Simulation* simulation = object;
    qvDestroyStepped(simulation->stepped);
    for (int i = 0; i < simulation->pinCount; i++)
        free((void*)(uintptr_t)simulation->pins[i].points);
    free(simulation->pins);
    free(simulation->joints);
    free(simulation->parts);
    qvDestroyObstacles(simulation->obstacles);
    qvDestroyDiskCache(simulation->disk);
    free(simulation);
}

static qvBaseMotion Motion(const void* object)
{
    return qvStepped_Motion(((const Simulation*)object)->stepped);
}

static qvStepped* Steps(const void* object)
{
    return ((const Simulation*)object)->stepped;
}

const qvLayerKind qvSimulationLayer = {
    .tag = "simulation",
    .label = "Simulation",
    .help = "A span of time in which physics moves the body.",
    .version = 1,
    .stage = qv_stageWaves,
    .count = CountIn,
    .begins = Begins,
    .check = Check,
    .build = Build,
    .destroy = Destroy,
    .motion = Motion,
    .steps = Steps,
};

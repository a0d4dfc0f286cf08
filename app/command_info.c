// SPDX-License-Identifier: GPL-3.0-or-later
// quaver info: what is in a mesh file, a built-in shape or a scene.
#include "command.h"
#include "info_scene.h"
#include "solve.h"

#include "quaver/model.h"
#include "quaver/primitive.h"

#include <stdio.h>

static void AddBounds(qvJson* root, qvBox box)
{
    qvJson* bounds = qvJson_AddObject(root, "bounds");
    const double lower[3] = { box.lower.x, box.lower.y, box.lower.z };
    const double upper[3] = { box.upper.x, box.upper.y, box.upper.z };
    qvJson_AddNumbers(bounds, "min", lower, 3);
    qvJson_AddNumbers(bounds, "max", upper, 3);
    qvJson_AddNumber(bounds, "diagonal", qvBox_Diagonal(box));
}

// Sentences on what was repaired ("repairs") or only noticed ("warnings").
static void AddHealth(qvJson* root, const char* name, const qvMeshReport* report, bool repaired)
{
    qvJson* list = qvJson_AddArray(root, name);
    for (int kind = 0; kind < qv_healthKindCount; kind++)
    {
        char text[256];
        if (report->items[kind].count > 0 && qvHealth_IsRepaired((qvHealthKind)kind) == repaired)
            qvJson_AddString(list, NULL,
                             qvHealth_Describe((qvHealthKind)kind, &report->items[kind], text, sizeof(text)));
    }
}

static void AddHealthCounts(qvJson* root, const qvMeshReport* report)
{
    qvJson* health = qvJson_AddObject(root, "health");
    qvJson_AddNumber(health, "closed_parts", report->closedPartCount);
    qvJson_AddNumber(health, "boundary_edges", report->boundaryEdgeCount);
    qvJson_AddNumber(health, "polygons_triangulated", report->polygonCount);
    for (int kind = 0; kind < qv_healthKindCount; kind++)
        qvJson_AddNumber(health, qvHealth_Tag((qvHealthKind)kind), report->items[kind].count);
}

static void AddRig(qvJson* root, const qvModel* model)
{
    qvJson* morphs = qvJson_AddArray(root, "morphs");
    for (int i = 0; i < model->morphCount; i++)
        qvJson_AddString(morphs, NULL, model->morphs[i].name);
    qvJson_AddNumber(root, "joints", model->rig != NULL ? qvRig_JointCount(model->rig) : 0);
    qvJson* clips = qvJson_AddArray(root, "clips");
    for (int i = 0; model->rig != NULL && i < qvRig_ClipCount(model->rig); i++)
    {
        qvJson* clip = qvJson_AddObject(clips, NULL);
        qvJson_AddString(clip, "name", qvRig_ClipName(model->rig, i));
        qvJson_AddNumber(clip, "duration", qvRig_ClipDuration(model->rig, i));
    }
}

static qvJson* Describe(const char* name, const qvModel* model)
{
    const qvMesh* mesh = model->mesh;
    qvJson* root = qvCreateJsonObject();
    qvJson_AddString(root, "file", name);
    qvJson_AddNumber(root, "vertices", mesh->vertexCount);
    qvJson_AddNumber(root, "points", mesh->pointCount);
    qvJson_AddNumber(root, "triangles", mesh->triangleCount);
    qvJson_AddNumber(root, "parts", model->report.partCount);
    AddBounds(root, mesh->bounds);
    qvJson_AddBool(root, "normals", mesh->normalDomain != qv_domainNone);
    qvJson_AddBool(root, "uvs", mesh->uvDomain != qv_domainNone);
    qvJson_AddBool(root, "colors", mesh->colorDomain != qv_domainNone);
    qvJson* materials = qvJson_AddArray(root, "materials");
    for (int i = 0; i < mesh->materialCount; i++)
        qvJson_AddString(materials, NULL, mesh->materials[i].name);
    qvJson_AddNumber(root, "textures", mesh->textureCount);
    AddRig(root, model);
    AddHealthCounts(root, &model->report);
    AddHealth(root, "repairs", &model->report, true);
    AddHealth(root, "warnings", &model->report, false);
    qvJson* notes = qvJson_AddArray(root, "notes");
    for (int i = 0; i < model->notes.count; i++)
        qvJson_AddString(notes, NULL, model->notes.lines[i]);
    return root;
}

static double Number(const qvJson* root, const char* name)
{
    return qvJson_Number(qvJson_Find(root, name));
}

static const char* YesNo(const qvJson* root, const char* name)
{
    return qvJson_Bool(qvJson_Find(root, name)) ? "yes" : "no";
}

static void PrintBounds(const qvJson* root)
{
    const qvJson* bounds = qvJson_Find(root, "bounds");
    const qvJson* lower = qvJson_Find(bounds, "min");
    const qvJson* upper = qvJson_Find(bounds, "max");
    printf("bounds     (%g, %g, %g) to (%g, %g, %g)\n", qvJson_Number(qvJson_At(lower, 0)),
           qvJson_Number(qvJson_At(lower, 1)), qvJson_Number(qvJson_At(lower, 2)), qvJson_Number(qvJson_At(upper, 0)),
           qvJson_Number(qvJson_At(upper, 1)), qvJson_Number(qvJson_At(upper, 2)));
}

static void PrintList(const qvJson* root, const char* name, const char* label)
{
    for (const qvJson* item = qvJson_First(qvJson_Find(root, name)); item != NULL; item = qvJson_Next(item))
    {
        printf("%s  ", label);
        PrintClean(qvJson_Text(item)[0] != 0 ? qvJson_Text(item) : "(unnamed)");
        putchar('\n');
    }
}

// The same facts as the JSON, for people.
static void PrintText(const qvJson* root)
{
    const qvJson* health = qvJson_Find(root, "health");
    PrintClean(qvJson_Text(qvJson_Find(root, "file")));
    putchar('\n');
    printf("vertices   %.0f (%.0f points when welded)\n", Number(root, "vertices"), Number(root, "points"));
    printf("triangles  %.0f\n", Number(root, "triangles"));
    printf("parts      %.0f, of which %.0f closed; %.0f boundary edges\n", Number(root, "parts"),
           Number(health, "closed_parts"), Number(health, "boundary_edges"));
    PrintBounds(root);
    printf("normals    %s\nuvs        %s\ncolors     %s\n", YesNo(root, "normals"), YesNo(root, "uvs"),
           YesNo(root, "colors"));
    PrintList(root, "materials", "material ");
    PrintList(root, "morphs", "morph    ");
    if (Number(root, "joints") > 0)
        printf("joints     %.0f\n", Number(root, "joints"));
    for (const qvJson* clip = qvJson_First(qvJson_Find(root, "clips")); clip != NULL; clip = qvJson_Next(clip))
    {
        printf("clip       ");
        PrintClean(qvJson_Text(qvJson_Find(clip, "name")));
        printf(", %g s\n", Number(clip, "duration"));
    }
    if (qvJson_Count(qvJson_Find(root, "repairs")) + qvJson_Count(qvJson_Find(root, "warnings")) == 0)
        printf("health     clean: nothing had to be repaired\n");
    PrintList(root, "repairs", "repaired ");
    PrintList(root, "warnings", "warning  ");
    PrintList(root, "notes", "note     ");
}

// solved is NULL for a mesh alone.
static int Report(const char* name, const qvModel* model, SolvedScene* solved, bool json)
{
    qvJson* root = Describe(name, model);
    const qvTake* take = solved != NULL ? solved->take : NULL;
    if (take != NULL)
    {
        qvError error;
        qvJob job = SceneJob(solved);
        qvResult result = AddSceneFacts(root, take, &job, &error);
        EndProgress(&solved->line);
        if (result != qv_ok)
        {
            qvDestroyJson(root);
            return FailCommand(&error);
        }
    }
    if (json)
        return PrintJson(root);
    PrintText(root);
    if (take != NULL)
        PrintSceneFacts(root);
    qvDestroyJson(root);
    return EXIT_DONE;
}

static int InfoOfScene(const char* path, bool json, const Cache* cache)
{
    qvError error;
    SolvedScene solved;
    if (SolveSceneFile(path, &(SolveDef){ .cache = *cache }, &solved, &error) != qv_ok)
        return FailCommand(&error);
    const qvBody* body = qvTake_Body(solved.take);
    qvModel shape = { .mesh = (qvMesh*)body->mesh, .report = body->report };
    int status = Report(path, body->model != NULL ? body->model : &shape, &solved, json);
    FreeSolvedScene(&solved);
    return status;
}

static int InfoOfFile(const char* path, bool json)
{
    qvError error;
    qvModel* model;
    if (qvLoadModel(path, NULL, &model, &error) != qv_ok)
        return FailCommand(&error);
    int status = Report(path, model, NULL, json);
    qvDestroyModel(model);
    return status;
}

// A shape goes through the same checks as a file.
static qvResult Inspect(const qvMesh* mesh, qvMeshReport* report, qvError* error)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = mesh->vertexCount;
    def.positions = mesh->positions;
    def.faceCount = mesh->triangleCount;
    def.corners = mesh->triangles[0].v;
    qvMesh* copy;
    qvResult result = qvCreateMesh(&def, &copy, report, error);
    qvDestroyMesh(copy);
    return result;
}

static int InfoOfPrimitive(const char* tag, int resolution, bool json)
{
    qvError error;
    qvModel model = { 0 };
    if (qvCreatePrimitive(tag, resolution, &model.mesh, &error) != qv_ok)
        return FailCommand(&error);
    qvResult result = Inspect(model.mesh, &model.report, &error);
    int status = result == qv_ok ? Report(tag, &model, NULL, json) : FailCommand(&error);
    qvDestroyMesh(model.mesh);
    return status;
}

static int Run(int argumentCount, char** arguments)
{
    const char *path = NULL, *primitive = NULL;
    int resolution = 0;
    bool json = false;
    Cache cache = defaultCache;
    const Option options[] = {
        { NULL, OPTION_TEXT, &path, "a mesh or a scene", 0, 0 },
        { "--primitive", OPTION_TEXT, &primitive, "a built-in shape instead of a file", 0, 0 },
        { "--resolution", OPTION_INT, &resolution, "of the shape, 1 to 200", qv_minResolution, qv_maxResolution },
        { "--json", OPTION_FLAG, &json, "print one JSON object", 0, 0 },
        CACHE_OPTIONS(cache),
    };
    int status;
    if (!ParseOptions(&commandInfo, options, sizeof(options) / sizeof(options[0]), argumentCount, arguments, &status))
        return status;
    if ((path == NULL) == (primitive == NULL))
        return FailUsage(&commandInfo, "info needs a file or --primitive and a shape%s",
                         path != NULL ? ", not both" : "");
    if (resolution > 0 && primitive == NULL)
        return FailUsage(&commandInfo, "--resolution needs --primitive");
    if (primitive != NULL)
        return InfoOfPrimitive(primitive, resolution, json);
    return qvIsSceneFile(path) ? InfoOfScene(path, json, &cache) : InfoOfFile(path, json);
}

const Command commandInfo = { "info",
                              "FILE | --primitive SHAPE [--resolution N] [--json] [--cache DIR] [--cache-size SIZE]",
                              "says what is in a mesh or a scene, and what was repaired", Run };

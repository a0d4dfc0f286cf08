// SPDX-License-Identifier: GPL-3.0-or-later
// The demo scenes, solved, and what can be measured of them.
#pragma once

#include "scene_testing.h"

#include "quaver/file.h"
#include "quaver/json.h"

#include <dirent.h>

#define DEMOS QUAVER_TEST_DATA "/../../scenes"

// Tests share takes: solving is what takes time. Solved when first asked for.
typedef struct Demo
{
    char name[64];
    qvPool* pool;
    const qvScene* scene;
    qvTake* take;
    const qvBody* body;
    double range[2];
    void* scratch;
    qvVec3f *points, *other;
} Demo;

enum
{
    DEMO_CAPACITY = 32,
    DEMO_LEAST = 12,
    DEMO_FINE = 100, // resolutions above are for the pictures: one in four does to test
#ifdef QUAVER_SANITIZED
    DEMO_COARSE = true,
    DEMO_ROUGH = 4, // what coarse bodies with few modes are off more
#else
    DEMO_COARSE = false,
    DEMO_ROUGH = 1,
#endif
};

typedef struct Demos
{
    qvPool* pool;
    int count;
    Demo demos[DEMO_CAPACITY];
} Demos;

// Whether strokes or weights name vertices of the very shape.
static inline bool HasPaint(qvJson* root, const char* text)
{
    return qvJson_Find(root, "weights") != NULL || strstr(text, "\"mask\"") != NULL;
}

// With fewer modes and waves, and shapes coarser than in the file where nothing small is on them: with sanitizers a
// scene as it is takes minutes. Simulations stay as they are: what falls and flows with fewer points does something
// else.
static inline void MakeCoarse(qvJson* root, bool painted)
{
    qvJson* mesh = qvJson_Find(root, "mesh");
    const char* shape = qvJson_Text(qvJson_Find(mesh, "primitive"));
    int resolution = (int)qvJson_Number(qvJson_Find(mesh, "resolution")), step = resolution > DEMO_FINE ? 4 : 2;
    if (shape[0] != 0 && (strcmp(shape, "sheet") != 0 || step == 4) && !painted)
    {
        char text[64];
        snprintf(text, sizeof(text), "%s", shape);
        qvJson_Remove(root, mesh);
        mesh = qvJson_AddObject(root, "mesh");
        qvJson_AddString(mesh, "primitive", text);
        qvJson_AddNumber(mesh, "resolution", resolution > 0 ? (resolution + step - 1) / step : 1);
    }
    qvJson* material = qvJson_Find(root, "material");
    if (material != NULL)
        qvJson_AddNumber(material, "modes", 10);
    qvJson* secondary = qvJson_Find(root, "secondary");
    if (secondary != NULL)
        qvJson_AddNumber(secondary, "max", 30);
}

// without names a field to leave out.
static inline const qvScene* LoadChanged(const char* path, const char* without)
{
    qvError error;
    qvBytes bytes;
    ASSERT_OK(qvReadFile(path, 1 << 20, &bytes, &error), error);
    qvJson* root;
    ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &root, &error), error);
    char* before = qvJson_Print(root, false);
    if (DEMO_COARSE)
        MakeCoarse(root, HasPaint(root, before));
    qvJson* unwanted = without != NULL ? qvJson_Find(root, without) : NULL;
    assert_true(without == NULL || unwanted != NULL);
    if (unwanted != NULL)
        qvJson_Remove(root, unwanted);
    char* printed = qvJson_Print(root, false);
    const qvScene* scene;
    ASSERT_OK(qvParseScene(printed, strlen(printed), path, &scene, &error), error);
    free(before);
    free(printed);
    qvDestroyJson(root);
    qvFreeBytes(&bytes);
    return scene;
}

static inline bool IsFine(const qvBody* body)
{
    return body->mesh->pointCount > 3500;
}

// The file as it is; coarse with sanitizers. without names a field to leave out, or is NULL.
static inline void OpenDemo(Demo* demo, const char* name, qvPool* pool, const char* without)
{
    char path[1024];
    qvError error;
    qvJob job = { .pool = pool };
    snprintf(path, sizeof(path), DEMOS "/%s.json", name);
    if (DEMO_COARSE || without != NULL)
        demo->scene = LoadChanged(path, without);
    else
        ASSERT_OK(qvLoadScene(path, &demo->scene, &error), error);
    snprintf(demo->name, sizeof(demo->name), "%s", name);
    qvPipeline* pipeline = MustPipeline();
    ASSERT_OK(qvPipeline_Solve(pipeline, demo->scene, DEMOS, &job, &demo->take, &error), error);
    ASSERT_OK(qvTake_Advance(demo->take, INFINITY, &job, &error), error);
    qvDestroyPipeline(pipeline);
    demo->body = qvTake_Body(demo->take);
    demo->pool = IsFine(demo->body) ? pool : NULL; // it costs more than it brings for few points
    qvScene_Range(demo->scene, demo->range);
    size_t count = (size_t)demo->body->mesh->pointCount;
    demo->scratch = malloc(qvTake_ScratchSize(demo->take));
    demo->points = calloc(count, sizeof(qvVec3f));
    demo->other = calloc(count, sizeof(qvVec3f));
    assert_true(demo->scratch != NULL && demo->points != NULL && demo->other != NULL);
}

static inline void CloseDemo(Demo* demo)
{
    qvReleaseTake(demo->take);
    qvReleaseScene(demo->scene);
    free(demo->scratch);
    free(demo->points);
    free(demo->other);
}

static inline int Setup(void** state)
{
    qvError error;
    Demos* demos = calloc(1, sizeof(*demos));
    DIR* folder = opendir(DEMOS);
    if (demos == NULL || folder == NULL || qvCreatePool(0, &demos->pool, &error) != qv_ok)
        return -1;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
    {
        int length = (int)strlen(entry->d_name) - (int)strlen(".json");
        if (length <= 0 || strcmp(entry->d_name + length, ".json") != 0 || demos->count == DEMO_CAPACITY)
            continue;
        Demo* demo = &demos->demos[demos->count++];
        snprintf(demo->name, sizeof(demo->name), "%.*s", length, entry->d_name);
    }
    closedir(folder);
    *state = demos;
    return 0;
}

static inline int Teardown(void** state)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
    {
        if (demos->demos[i].take != NULL)
            CloseDemo(&demos->demos[i]);
    }
    qvDestroyPool(demos->pool);
    free(demos);
    return 0;
}

static inline Demo* Solved(Demos* demos, int index)
{
    Demo* demo = &demos->demos[index];
    char name[64];
    snprintf(name, sizeof(name), "%s", demo->name);
    if (demo->take == NULL)
        OpenDemo(demo, name, demos->pool, NULL);
    return demo;
}

static inline Demo* Find(void** state, const char* name)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
    {
        if (strcmp(demos->demos[i].name, name) == 0)
            return Solved(demos, i);
    }
    fail_msg("no scene is named %s", name);
    return NULL;
}

static inline const qvVec3f* At(Demo* demo, double time)
{
    qvTake_Evaluate(demo->take, time, qv_layersAll, demo->scratch, demo->pool, demo->points);
    return demo->points;
}

// Largest distance from rest at a time, and that of one point.
static inline double FromRest(Demo* demo, double time)
{
    return Farthest(At(demo, time), demo->body->rest, demo->body->mesh->pointCount);
}

// --- Measures -----------------------------------------------------------------------------------------------------

// Largest change of velocity from one 240th of a second to the next, at a time.
static inline double Kink(Demo* demo, double time)
{
    const double step = 1.0 / 240.0, period = demo->range[1] - demo->range[0];
    int n = demo->body->mesh->pointCount;
    qvVec3f* points = calloc(3 * (size_t)n, sizeof(*points));
    assert_non_null(points);
    for (int k = 0; k < 3; k++)
    {
        double from = time - demo->range[0] + (k - 1) * step;
        double wrapped = demo->range[0] + from - period * floor(from / period);
        qvTake_Evaluate(demo->take, wrapped, qv_layersAll, demo->scratch, demo->pool, points + (size_t)k * (size_t)n);
    }
    double largest = 0.0;
    for (int i = 0; i < n; i++)
    {
        qvVec3 a = qvVec3_FromFloat(points[i]), b = qvVec3_FromFloat(points[n + i]);
        qvVec3 c = qvVec3_FromFloat(points[2 * n + i]);
        largest = fmax(largest, qvLength(qvAdd(qvSub(a, b), qvSub(c, b))) / step);
    }
    free(points);
    return largest;
}

// How far the points that are lowest at rest are from the ground at a time.
static inline double OffGround(Demo* demo, double time)
{
    double off = 0.0;
    At(demo, time);
    for (int i = 0; i < demo->body->mesh->pointCount; i++)
        if (demo->body->rest[i].y < 0.02f)
            off = fmax(off, fabs((double)demo->points[i].y - demo->body->rest[i].y));
    return off;
}

static inline double OffGroundWhile(Demo* demo, double from, double to)
{
    double off = 0.0;
    for (int i = 0; i <= 24; i++)
        off = fmax(off, OffGround(demo, from + (to - from) * i / 24));
    return off;
}

// Mean velocity of the upper half of a body, upwards, just before (side -1) or after (+1) a time.
static inline double Rise(Demo* demo, double time, int side)
{
    const double step = 1e-3;
    double sum = 0.0;
    int count = 0;
    qvTake_Evaluate(demo->take, time + side * step, qv_layersAll, demo->scratch, demo->pool, demo->other);
    At(demo, time + 2.0 * side * step);
    for (int i = 0; i < demo->body->mesh->pointCount; i++)
        if (demo->body->rest[i].y > 1.0f)
            sum += side * ((double)demo->points[i].y - demo->other[i].y) / step, count++;
    return sum / count;
}

// Largest distance from rest of the points between two heights, over the whole motion, as a fraction of the diagonal.
static inline double Slip(Demo* demo, double lower, double upper)
{
    double slip = 0.0;
    for (int s = 0; s < 12; s++)
    {
        At(demo, demo->range[0] + (demo->range[1] - demo->range[0]) * s / 12);
        for (int i = 0; i < demo->body->mesh->pointCount; i++)
        {
            qvVec3 rest = qvVec3_FromFloat(demo->body->rest[i]);
            if (rest.y >= lower && rest.y <= upper)
                slip = fmax(slip, qvDistance(rest, qvVec3_FromFloat(demo->points[i])));
        }
    }
    return slip / demo->body->diagonal;
}

static inline double Volume(const qvMesh* mesh, const qvVec3f* points)
{
    double sum = 0.0;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        qvVec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = qvVec3_FromFloat(points[mesh->vertexPoint[mesh->triangles[t].v[k]]]);
        sum += qvDot(p[0], qvCross(p[1], p[2])) / 6.0;
    }
    return sum;
}

// The mass of a shell is spread over its area at rest.
static inline double AreaAtRest(const qvBody* body, int triangle)
{
    qvVec3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = qvVec3_FromFloat(body->rest[body->mesh->vertexPoint[body->mesh->triangles[triangle].v[k]]]);
    return 0.5 * qvLength(qvCross(qvSub(p[1], p[0]), qvSub(p[2], p[0])));
}

static inline qvVec3 MassCentre(const qvBody* body, const qvVec3f* points)
{
    const qvMesh* mesh = body->mesh;
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    double total = 0.0;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        qvVec3 now = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < 3; k++)
            now = qvMulAdd(now, 1.0 / 3.0, qvVec3_FromFloat(points[mesh->vertexPoint[mesh->triangles[t].v[k]]]));
        double area = AreaAtRest(body, t);
        sum = qvMulAdd(sum, area, now);
        total += area;
    }
    return qvScale(1.0 / total, sum);
}

// How thin and how stretched a shape is: a two-hundredth of its area is as thin as that at least, and as stretched.
typedef struct Strain
{
    double thin, stretched; // 1 where nothing changes
} Strain;

// A principal stretch and the area of its triangle.
typedef struct Stretch
{
    double value, area;
} Stretch;

static inline int CompareStretches(const void* a, const void* b)
{
    double x = ((const Stretch*)a)->value, y = ((const Stretch*)b)->value;
    return (x > y) - (x < y);
}

// Principal stretches of a triangle between two shapes: the square roots of the eigenvalues of its first fundamental
// form there relative to that here. False where the triangle has no area to begin with.
static inline bool FindStretches(const qvMesh* mesh, int triangle, const qvVec3f* from, const qvVec3f* to,
                                 double* least, double* most)
{
    const qvVec3f* shapes[2] = { from, to };
    double g[2][3];
    for (int k = 0; k < 2; k++)
    {
        qvVec3 p[3];
        for (int c = 0; c < 3; c++)
            p[c] = qvVec3_FromFloat(shapes[k][mesh->vertexPoint[mesh->triangles[triangle].v[c]]]);
        qvVec3 u = qvSub(p[1], p[0]), v = qvSub(p[2], p[0]);
        g[k][0] = qvDot(u, u), g[k][1] = qvDot(u, v), g[k][2] = qvDot(v, v);
    }
    double before = g[0][0] * g[0][2] - g[0][1] * g[0][1], after = g[1][0] * g[1][2] - g[1][1] * g[1][1];
    if (!(before > 1e-6 * g[0][0] * g[0][2]))
        return false;
    double mean = 0.5 * (g[0][2] * g[1][0] - 2.0 * g[0][1] * g[1][1] + g[0][0] * g[1][2]) / before;
    double apart = sqrt(fmax(mean * mean - after / before, 0.0));
    *least = sqrt(fmax(mean - apart, 0.0));
    *most = sqrt(mean + apart);
    return true;
}

// The stretch that a share of the area stays below.
static inline double StretchAt(Stretch* stretches, int count, double share)
{
    double total = 0.0, sum = 0.0;
    qsort(stretches, (size_t)count, sizeof(*stretches), CompareStretches);
    for (int i = 0; i < count; i++)
        total += stretches[i].area;
    int i = 0;
    while (i < count - 1 && (sum += stretches[i].area) < share * total)
        i++;
    return stretches[i].value;
}

// Single slivers of triangles do as they like without being seen: therefore a share of the area and no extremes.
static inline Strain FindStrain(const qvBody* body, const qvVec3f* from, const qvVec3f* to)
{
    const double share = 0.005;
    int count = 0, all = body->mesh->triangleCount;
    Stretch* least = calloc(2 * (size_t)all, sizeof(*least));
    assert_non_null(least);
    Stretch* most = least + all;
    for (int t = 0; t < all; t++)
    {
        if (!FindStretches(body->mesh, t, from, to, &least[count].value, &most[count].value))
            continue;
        least[count].area = most[count].area = AreaAtRest(body, t);
        count++;
    }
    Strain strain = { StretchAt(least, count, share), StretchAt(most, count, 1.0 - share) };
    free(least);
    return strain;
}

// The worst over the whole motion: against the shape at rest, or against what the motion is without waves.
static inline Strain WorstStrain(Demo* demo, bool ofWaves)
{
    enum
    {
        MOMENTS = 48
    };
    Strain worst = { 1.0, 1.0 };
    for (int s = 0; s <= MOMENTS; s++)
    {
        double time = demo->range[0] + (demo->range[1] - demo->range[0]) * s / MOMENTS;
        if (ofWaves)
            qvTake_Evaluate(demo->take, time, qv_layersMotion, demo->scratch, demo->pool, demo->other);
        Strain strain = FindStrain(demo->body, ofWaves ? demo->other : demo->body->rest, At(demo, time));
        worst.thin = fmin(worst.thin, strain.thin);
        worst.stretched = fmax(worst.stretched, strain.stretched);
    }
    return worst;
}

// Mean speed of all points at a time, in units per second.
static inline double MeanSpeed(Demo* demo, double time)
{
    const double step = 1.0 / 120.0;
    double sum = 0.0;
    int count = demo->body->mesh->pointCount;
    qvTake_Evaluate(demo->take, time + step, qv_layersAll, demo->scratch, demo->pool, demo->other);
    At(demo, time);
    for (int i = 0; i < count; i++)
        sum += qvDistance(qvVec3_FromFloat(demo->points[i]), qvVec3_FromFloat(demo->other[i]));
    return sum / (step * count);
}

// Angular momentum about the mass centre at a time, over what it would be if nothing cancelled: 1 for a
// body that turns as a whole.
static inline double Spin(Demo* demo, double time)
{
    const double step = 1e-3;
    const qvMesh* mesh = demo->body->mesh;
    qvTake_Evaluate(demo->take, time - step, qv_layersAll, demo->scratch, demo->pool, demo->other);
    At(demo, time + step);
    qvVec3 from = MassCentre(demo->body, demo->other), to = MassCentre(demo->body, demo->points), sum = { 0 };
    double total = 0.0;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        double area = AreaAtRest(demo->body, t);
        for (int k = 0; k < 3; k++)
        {
            int p = mesh->vertexPoint[mesh->triangles[t].v[k]];
            qvVec3 a = qvSub(qvVec3_FromFloat(demo->other[p]), from), b = qvSub(qvVec3_FromFloat(demo->points[p]), to);
            sum = qvMulAdd(sum, area, qvCross(a, qvSub(b, a)));
            total += area * qvLength(a) * qvDistance(a, b);
        }
    }
    return total > 0.0 ? qvLength(sum) / total : 0.0;
}

// The lowest point at a time.
static inline double Lowest(Demo* demo, double time)
{
    return qvComputeBounds(At(demo, time), demo->body->mesh->pointCount).lower.y;
}

static inline double HeightOf(Demo* demo, double time)
{
    qvBox box = qvComputeBounds(At(demo, time), demo->body->mesh->pointCount);
    return (double)box.upper.y - box.lower.y;
}

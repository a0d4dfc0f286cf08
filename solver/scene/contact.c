// SPDX-License-Identifier: GPL-3.0-or-later
// Where a take goes through the ground or a sphere. The depth is sampled four times per frame: a quarter of a frame is
// short against the 12 Hz above which bodies do not wobble.
#include "scene/contact.h"

#include "base/memory.h"
#include "scene/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_FRAMES = 100000,
    MAX_KEYS_PER_CONTACT = 32
};

static const double LARGEST = 1e9; // of lengths, units: beyond it floats are of no use

// --- Obstacle ------------------------------------------------------------------------------------------------------

qvContactDef qvDefaultContactDef(void)
{
    return (qvContactDef){ .obstacle = { .kind = qv_obstacleGround, .radius = 1.0 },
                           .tolerance = 0.002,
                           .keysPerContact = 6 };
}

static bool IsPlace(double x)
{
    return isfinite(x) && fabs(x) <= LARGEST;
}

qvResult qvContactDef_Check(const qvContactDef* def, qvError* error)
{
    const qvObstacle* o = &def->obstacle;
    if (!(def->tolerance >= 1e-5 && def->tolerance <= 0.1))
        return qvError_Set(error, qv_badInput, "tolerance: must be between 0.00001 and 0.1 of the size");
    if (def->keysPerContact < 1 || def->keysPerContact > MAX_KEYS_PER_CONTACT)
        return qvError_Set(error, qv_badInput, "keys per contact: must be between 1 and %d", MAX_KEYS_PER_CONTACT);
    if (o->kind == qv_obstacleGround && !IsPlace(o->height))
        return qvError_Set(error, qv_badInput, "height of the ground: must be a number up to 1e9");
    if (o->kind == qv_obstacleSphere && !(IsPlace(o->centre.x) && IsPlace(o->centre.y) && IsPlace(o->centre.z)))
        return qvError_Set(error, qv_badInput, "centre of the sphere: must be numbers up to 1e9");
    if (o->kind == qv_obstacleSphere && !(o->radius > 0.0 && o->radius <= LARGEST))
        return qvError_Set(error, qv_badInput, "radius of the sphere: must be above 0 and at most 1e9");
    return qv_ok;
}

double qvObstacle_Depth(const qvObstacle* obstacle, qvVec3 at, qvVec3* normal)
{
    qvVec3 up = { 0.0, 1.0, 0.0 };
    if (obstacle->kind == qv_obstacleGround)
    {
        if (normal != NULL)
            *normal = up;
        return obstacle->height - at.y;
    }
    qvVec3 arm = qvSub(at, obstacle->centre);
    double distance = qvLength(arm);
    if (normal != NULL) // from the very centre every way out is as good
        *normal = distance > 1e-12 * obstacle->radius ? qvScale(1.0 / distance, arm) : up;
    return obstacle->radius - distance;
}

qvResult qvContactDef_Complete(const qvContactDef* def, const qvTake* take, const qvJob* job, qvContactDef* complete,
                               qvObstacles** made, qvError* error)
{
    *complete = *def;
    *made = NULL;
    if (def->obstacle.kind != qv_obstacleScene || def->obstacles != NULL)
        return qv_ok;
    double lowest = qvTake_Body(take)->mesh->bounds.lower.y;
    qvResult result = qvCreateSceneObstacles(qvTake_Scene(take), take->folder, lowest, job, made, error);
    complete->obstacles = *made;
    return result;
}

bool qvContactDef_Place(const qvContactDef* def, double time, qvObstaclePlace** places)
{
    if (def->obstacle.kind != qv_obstacleScene)
        return true;
    if (*places == NULL)
        *places = qvAllocateRaw((size_t)qvObstacles_Count(def->obstacles), sizeof(**places));
    if (*places != NULL)
        qvObstacles_Place(def->obstacles, time, *places);
    return *places != NULL;
}

double qvContactDef_Depth(const qvContactDef* def, const qvObstaclePlace* places, qvVec3 at, qvVec3* normal)
{
    if (def->obstacle.kind != qv_obstacleScene)
        return qvObstacle_Depth(&def->obstacle, at, normal);
    qvObstacleTouch touch = qvObstacles_Nearest(def->obstacles, places, at);
    if (normal != NULL)
        *normal = touch.normal;
    return -touch.distance;
}

// --- Sampling ------------------------------------------------------------------------------------------------------

typedef struct Probe
{
    const qvTake* take;
    const qvContactDef* def;
    qvObstaclePlace* places; // of the scene's obstacles; NULL: none
    qvPool* pool;
    double slack;
    qvTakeView* view;
} Probe;

typedef struct Deepest
{
    double depth;
    int point, inside;
} Deepest;

// Of the listed points, or of all when list is NULL.
static Deepest Look(const Probe* probe, double time, qvTakeLayers layers, const int32_t* list, int count)
{
    Deepest deepest = { -INFINITY, 0, 0 };
    qvTakeView_Evaluate(probe->view, time, layers, probe->pool);
    if (probe->places != NULL)
        qvObstacles_Place(probe->def->obstacles, time, probe->places);
    for (int i = 0; i < count; i++)
    {
        int point = list != NULL ? list[i] : i;
        double depth =
            qvContactDef_Depth(probe->def, probe->places, qvVec3_FromFloat(probe->view->points[point]), NULL);
        deepest.inside += depth > probe->slack ? 1 : 0;
        if (depth > deepest.depth)
            deepest.depth = depth, deepest.point = point;
    }
    return deepest;
}

// How deep a key's own pose is; a soft one does not hold its pose, so that other keys can help it.
static qvResult KeyDepth(const Probe* probe, const qvSceneKey* key, double* depth, qvError* error)
{
    const qvBody* body = qvTake_Body(probe->take);
    int32_t* only = NULL;
    int count = body->mesh->pointCount;
    *depth = 0.0;
    if (key->weight < INFINITY)
        return qv_ok;
    qvResult result = key->partial ? qvVertexSet_Points(&key->only, body, &only, &count, error) : qv_ok;
    if (result == qv_ok)
        *depth = fmax(Look(probe, key->time, qv_layersMotion, only, count).depth, 0.0);
    free(only);
    return result;
}

// As deep as the keys at both ends of the segment are: next to a key that is inside, no key can be outside.
static void Allow(const qvScene* scene, const double* depths, qvContactScan* scan)
{
    int n = scene->keyCount;
    for (int i = 0; i < scan->count && n > 0; i++)
    {
        int next = 0;
        while (next < n && scene->keys[next]->time <= scan->times[i])
            next++;
        int a = next > 0 ? next - 1 : scan->loop ? n - 1 : 0;
        int b = next < n ? next : scan->loop ? 0 : n - 1;
        scan->allowed[i] = fmax(depths[a], depths[b]);
    }
}

static qvResult ScanKeys(const Probe* probe, const qvScene* scene, qvContactScan* scan, qvError* error)
{
    if (qvTake_Clip(probe->take) >= 0 || scene->keyCount == 0)
        return qv_ok;
    double* depths = qvAllocate((size_t)scene->keyCount, sizeof(*depths));
    scan->keys = qvAllocate((size_t)scene->keyCount, sizeof(*scan->keys));
    if (depths == NULL || scan->keys == NULL)
    {
        free(depths);
        return qvError_OutOfMemory(error, (double)scene->keyCount * sizeof(*scan->keys));
    }
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < scene->keyCount; i++)
    {
        result = KeyDepth(probe, scene->keys[i], &depths[i], error);
        if (depths[i] > scan->slack)
            scan->keys[scan->keyCount++] = (qvContactKey){ scene->keys[i]->id, depths[i] };
        else
            depths[i] = 0.0;
    }
    if (result == qv_ok)
        Allow(scene, depths, scan);
    free(depths);
    return result;
}

// Of every layer that is looked at.
static bool MakeDepths(int count, qvContactDepths* made)
{
    made->depths = qvAllocate((size_t)count, sizeof(*made->depths));
    made->points = qvAllocate(2 * (size_t)count, sizeof(*made->points));
    made->inside = made->points != NULL ? made->points + count : NULL;
    return made->depths != NULL && made->points != NULL;
}

static void FreeDepths(qvContactDepths* made)
{
    free(made->depths);
    free(made->points);
}

// The end of a loop is its start, also when it is no whole number of moments away.
static qvResult MakeTimes(const qvTake* take, qvContactScan* scan, qvError* error)
{
    const qvScene* scene = qvTake_Scene(take);
    double range[2], rate = qv_momentsPerFrame * scene->fps;
    qvScene_Range(scene, range);
    if (!((range[1] - range[0]) * scene->fps <= MAX_FRAMES))
        return qvError_Set(error, qv_badInput, "range: has more than %d frames; make it shorter", MAX_FRAMES);
    int steps = (int)fmax(ceil((range[1] - range[0]) * rate - 1e-6), 1.0);
    scan->loop = scene->loop, scan->period = range[1] - range[0];
    scan->count = scan->loop ? steps : steps + 1;
    scan->times = qvAllocate(2 * (size_t)scan->count, sizeof(double));
    if (scan->times == NULL || !MakeDepths(scan->count, &scan->motion))
        return qvError_OutOfMemory(error, 4.0 * scan->count * sizeof(double));
    scan->all = scan->motion;
    if (qvTake_HasWaves(take) && !MakeDepths(scan->count, &scan->all))
        return qvError_OutOfMemory(error, 2.0 * scan->count * sizeof(double));
    scan->allowed = scan->times + scan->count;
    for (int i = 0; i < scan->count; i++)
        scan->times[i] = fmin(range[0] + i / rate, range[1]);
    return qv_ok;
}

static void ScanTime(const Probe* probe, int moment, qvTakeLayers layers, const qvContactScan* scan,
                     qvContactDepths* to)
{
    Deepest found = Look(probe, scan->times[moment], layers, NULL, qvTake_Body(probe->take)->mesh->pointCount);
    to->depths[moment] = found.depth, to->points[moment] = found.point, to->inside[moment] = found.inside;
}

static qvResult ScanTimes(const Probe* probe, const qvJob* job, qvContactScan* scan, qvError* error)
{
    for (int i = 0; i < scan->count; i++)
    {
        qvResult result = qvJob_Progress(job, "contacts", (double)i / scan->count, error);
        if (result != qv_ok)
            return result;
        ScanTime(probe, i, qv_layersMotion, scan, &scan->motion);
        if (qvTake_HasWaves(probe->take))
            ScanTime(probe, i, qv_layersAll, scan, &scan->all);
    }
    return qv_ok;
}

qvResult qvScanContacts(const qvTake* take, const qvScene* fixed, const qvContactDef* def, const qvJob* job,
                        qvContactScan* scan, qvError* error)
{
    const qvBody* body = qvTake_Body(take);
    *scan = (qvContactScan){ .slack = def->tolerance * body->diagonal };
    qvResult result = qvContactDef_Check(def, error);
    if (result != qv_ok)
        return result;
    qvTakeView view = { 0 };
    Probe probe = { .take = take, .def = def, .pool = qvJob_Pool(job), .slack = scan->slack, .view = &view };
    result = qvTakeView_SetTake(&view, take, error);
    if (result == qv_ok && !qvContactDef_Place(def, 0.0, &probe.places))
        result = qvError_OutOfMemory(error, sizeof(*probe.places));
    if (result == qv_ok)
        result = MakeTimes(take, scan, error);
    if (result == qv_ok)
        result = ScanKeys(&probe, fixed, scan, error);
    if (result == qv_ok)
        result = ScanTimes(&probe, job, scan, error);
    qvTakeView_Free(&view);
    free(probe.places);
    return result;
}

void qvFreeContactScan(qvContactScan* scan)
{
    free(scan->times);
    if (scan->all.depths != scan->motion.depths)
        FreeDepths(&scan->all);
    FreeDepths(&scan->motion);
    free(scan->keys);
    *scan = (qvContactScan){ 0 };
}

// --- Contacts ------------------------------------------------------------------------------------------------------

static bool IsInside(const qvContactScan* scan, const qvContactDepths* depths, int i)
{
    return depths->depths[i] > scan->allowed[i] + scan->slack;
}

// In a loop a contact may go on over the seam: the first moment outside is where to start.
static int FirstMoment(const qvContactScan* scan, const qvContactDepths* depths)
{
    for (int i = 0; scan->loop && i < scan->count; i++)
    {
        if (!IsInside(scan, depths, i))
            return i;
    }
    return 0;
}

static double TimeOf(const qvContactScan* scan, int moment)
{
    return moment < scan->count ? scan->times[moment] : scan->times[moment - scan->count] + scan->period;
}

static qvContact MakeContact(const qvContactScan* scan, const qvContactDepths* depths, int first, int last)
{
    int deepest = first % scan->count;
    bool waves = true;
    for (int i = first; i <= last; i++)
    {
        int at = i % scan->count;
        waves = waves && !IsInside(scan, &scan->motion, at);
        if (depths->depths[at] - scan->allowed[at] > depths->depths[deepest] - scan->allowed[deepest])
            deepest = at;
    }
    return (qvContact){ .begin = TimeOf(scan, first),
                        .end = TimeOf(scan, last),
                        .time = scan->times[deepest],
                        .depth = depths->depths[deepest],
                        .point = depths->points[deepest],
                        .pointCount = depths->inside[deepest],
                        .waves = waves };
}

static int CompareTimes(const void* a, const void* b)
{
    double x = ((const qvContact*)a)->time, y = ((const qvContact*)b)->time;
    return (x > y) - (x < y);
}

qvResult qvContactScan_Intervals(const qvContactScan* scan, const qvContactDepths* depths, qvContact** contacts,
                                 int* count, qvError* error)
{
    QV_ARRAY(qvContact) found = { 0 };
    int start = FirstMoment(scan, depths), end = start + scan->count;
    for (int i = start, last; i < end; i = last + 1)
    {
        last = i;
        if (!IsInside(scan, depths, i % scan->count))
            continue;
        while (last + 1 < end && IsInside(scan, depths, (last + 1) % scan->count))
            last++;
        if (!QV_PUSH(found, MakeContact(scan, depths, i, last)))
        {
            free(found.items);
            return qvError_OutOfMemory(error, found.count * (double)sizeof(*found.items));
        }
    }
    if (found.count > 1)
        qsort(found.items, (size_t)found.count, sizeof(*found.items), CompareTimes);
    *contacts = found.items, *count = found.count;
    return qv_ok;
}

qvResult qvContactScan_Report(const qvContactScan* scan, double diagonal, qvContactReport** report, qvError* error)
{
    qvContactReport* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    *made = (qvContactReport){ .diagonal = diagonal, .keyCount = scan->keyCount, .time = scan->times[0] };
    for (int i = 0; i < scan->count; i++)
    {
        if (scan->all.depths[i] > made->depth)
            made->depth = scan->all.depths[i], made->time = scan->times[i];
    }
    qvResult result = qvContactScan_Intervals(scan, &scan->all, &made->contacts, &made->contactCount, error);
    size_t keys = (size_t)scan->keyCount;
    made->keys = qvAllocate(keys, sizeof(*made->keys));
    if (result == qv_ok && made->keys == NULL)
        result = qvError_OutOfMemory(error, (double)keys * sizeof(*made->keys));
    if (result != qv_ok)
    {
        qvDestroyContactReport(made);
        return result;
    }
    if (keys > 0)
        memcpy(made->keys, scan->keys, keys * sizeof(*made->keys));
    *report = made;
    return qv_ok;
}

void qvDestroyContactReport(qvContactReport* report)
{
    if (report == NULL)
        return;
    free(report->contacts);
    free(report->keys);
    free(report);
}

qvResult qvFindContacts(const qvTake* take, const qvContactDef* def, const qvJob* job, qvContactReport** report,
                        qvError* error)
{
    qvContactScan scan = { 0 };
    qvContactDef complete;
    qvObstacles* made;
    qvResult result = qvContactDef_Complete(def, take, job, &complete, &made, error);
    if (result == qv_ok)
        result = qvScanContacts(take, qvTake_Scene(take), &complete, job, &scan, error);
    if (result == qv_ok)
        result = qvContactScan_Report(&scan, qvTake_Body(take)->diagonal, report, error);
    qvFreeContactScan(&scan);
    qvDestroyObstacles(made);
    return result;
}

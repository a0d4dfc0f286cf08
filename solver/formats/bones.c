// SPDX-License-Identifier: GPL-3.0-or-later
// B. H. Le, Z. Deng, "Smooth skinning decomposition with rigid bones", 2012: weights and bones are found in turn. Other
// than there bones are added where points are farthest from their places until these are near enough, and points that
// stay behind count more and more, which brings down the largest error rather than the mean (C. L. Lawson, 1961, does
// so for functions).
#include "formats/bone_solve.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FIRST_LIMIT = 32,
    GROWING_ROUNDS = 3, // after bones were added
    HARD_ROUNDS = 3,    // while points follow one bone each
    SOFTENING_ROUNDS = 6,
    POLISHING_ROUNDS = 20,
    EXCHANGES = 3,
    EXCHANGED_ROUNDS = 9,
    CHOOSING = 4, // of so many rounds one also chooses which bones a point follows
    SWEEPS = 2,
    LEAST_FOLLOWED = 6, // points that a new bone starts from
    MOST_FOLLOWED = 60,
};

static const double HARD_SHARE = 0.6;     // of the bones that are placed while each point follows one alone
static const double HARD_TOLERANCE = 4.0; // about what four bones then gain
static const double NEAR = 1.6;           // so many times the tolerance, from where on polishing may reach it
static const double LEAST_SHARE = 0.6, LEAST_IMPORTANCE = 0.02;

// --- Start and end -------------------------------------------------------------------------------------------------

qvResult qvBoneSolve_Start(qvBoneSolve* solve, const qvBoneTask* task, qvError* error)
{
    size_t points = (size_t)task->pointCount, most = (size_t)task->maxBones, frames = (size_t)task->frameCount;
    *solve = (qvBoneSolve){ .task = task };
    qvWatch_Begin(&solve->watch, task->job);
    solve->maps = qvAllocateRaw(most * frames, sizeof(qvBoneMap));
    solve->bones = qvAllocate(points, QV_BONES_OF_POINT * sizeof(int32_t));
    solve->weights = qvAllocate(points, QV_BONES_OF_POINT * sizeof(double));
    solve->importance = qvAllocateRaw(points * frames, sizeof(float));
    solve->errors = qvAllocate(points * frames, sizeof(float));
    solve->worst = qvAllocate(points, sizeof(double));
    solve->products = qvAllocateRaw(16 * most * most, sizeof(double));
    solve->moments = qvAllocateRaw(most * frames, QV_BONE_NUMBERS * sizeof(double));
    solve->starts = qvAllocate(most + 1, sizeof(int32_t));
    solve->users = qvAllocateRaw(points, QV_BONES_OF_POINT * sizeof(int32_t));
    if (solve->maps == NULL || solve->bones == NULL || solve->weights == NULL || solve->importance == NULL ||
        solve->worst == NULL || solve->products == NULL || solve->moments == NULL || solve->errors == NULL ||
        solve->starts == NULL || solve->users == NULL)
        return qvError_OutOfMemory(error, (double)(most * frames * 24 + 32 * most * most + 12 * points) * 8.0);
    solve->isEven = true;
    solve->most = 1;
    return qv_ok;
}

void qvBoneSolve_Free(qvBoneSolve* solve)
{
    qvWatch_End(&solve->watch);
    free(solve->maps);
    free(solve->bones);
    free(solve->weights);
    free(solve->importance);
    free(solve->worst);
    free(solve->products);
    free(solve->moments);
    free(solve->errors);
    free(solve->starts);
    free(solve->users);
}

void qvBoneSkin_Free(qvBoneSkin* skin)
{
    free(skin->maps);
    free(skin->bones);
    free(skin->weights);
    *skin = (qvBoneSkin){ 0 };
}

static qvResult AllocateSkin(const qvBoneTask* task, qvBoneSkin* skin, qvError* error)
{
    size_t points = (size_t)task->pointCount, maps = (size_t)task->maxBones * (size_t)task->frameCount;
    *skin = (qvBoneSkin){ .maxError = INFINITY };
    skin->maps = qvAllocateRaw(maps, sizeof(qvBoneMap));
    skin->bones = qvAllocateRaw(points, QV_BONES_OF_POINT * sizeof(int32_t));
    skin->weights = qvAllocateRaw(points, QV_BONES_OF_POINT * sizeof(double));
    return skin->maps != NULL && skin->bones != NULL && skin->weights != NULL
               ? qv_ok
               : qvError_OutOfMemory(error, (double)maps * sizeof(qvBoneMap) + 48.0 * (double)points);
}

// --- New bones -----------------------------------------------------------------------------------------------------

typedef struct Near
{
    float distance;
    int32_t point;
} Near;

static bool IsNearer(Near a, Near b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.point < b.point;
}

// The points that are nearest to one at rest, the nearest first.
static void FindNear(const qvBoneTask* task, int point, int count, Near near[MOST_FOLLOWED])
{
    qvVec3 p = qvVec3_FromFloat(task->rest[point]);
    int found = 0;
    for (int i = 0; i < task->pointCount; i++)
    {
        Near next = { (float)qvDistance(p, qvVec3_FromFloat(task->rest[i])), i };
        if (found == count && !IsNearer(next, near[count - 1]))
            continue;
        int place = found < count ? found++ : count - 1;
        for (; place > 0 && IsNearer(next, near[place - 1]); place--)
            near[place] = near[place - 1];
        near[place] = next;
    }
}

// Gives a bone to the point that is farthest from its place and to those around it, which no other new one gets.
static bool SeedBone(qvBoneSolve* solve, int bone, bool* taken)
{
    const qvBoneTask* task = solve->task;
    int worst = -1, followed = task->pointCount / (2 * (solve->boneCount + 1));
    for (int i = 0; i < task->pointCount; i++)
    {
        if (!taken[i] && (worst < 0 || solve->worst[i] > solve->worst[worst]))
            worst = i;
    }
    if (worst < 0 || !(solve->worst[worst] > 0.0))
        return false;
    followed = followed > MOST_FOLLOWED ? MOST_FOLLOWED : followed < LEAST_FOLLOWED ? LEAST_FOLLOWED : followed;
    followed = followed > task->pointCount ? task->pointCount : followed;
    Near near[MOST_FOLLOWED];
    int32_t points[MOST_FOLLOWED];
    FindNear(task, worst, followed, near);
    for (int i = 0; i < followed; i++)
    {
        points[i] = near[i].point;
        taken[points[i]] = true;
    }
    qvBoneSolve_FollowPoints(solve, bone, points, followed);
    return true;
}

// Up to count more bones, and new places for those that nothing follows.
static qvResult AddBones(qvBoneSolve* solve, int count, qvError* error)
{
    const qvBoneTask* task = solve->task;
    bool* taken = qvAllocate((size_t)task->pointCount, sizeof(bool));
    bool* used = qvAllocate((size_t)task->maxBones, sizeof(bool));
    qvResult result = qv_ok;
    bool enough = taken != NULL && used != NULL;
    for (int i = 0; enough && i < QV_BONES_OF_POINT * task->pointCount; i++)
        used[solve->bones[i]] |= solve->weights[i] > 0.0;
    for (int b = 0, n = solve->boneCount; enough && b < n && result == qv_ok; b++)
    {
        if (!used[b])
        {
            SeedBone(solve, b, taken);
            result = qvJob_Ask(&solve->watch.shared, error);
        }
    }
    for (int i = 0; enough && i < count && solve->boneCount < solve->limit && result == qv_ok; i++)
    {
        solve->boneCount += SeedBone(solve, solve->boneCount, taken);
        result = qvJob_Ask(&solve->watch.shared, error);
    }
    free(taken);
    free(used);
    return enough ? result : qvError_OutOfMemory(error, 2.0 * task->pointCount);
}

// --- Rounds --------------------------------------------------------------------------------------------------------

static double Worst(const qvBoneSolve* solve)
{
    double worst = 0.0;
    for (int i = 0; i < solve->task->pointCount; i++)
        worst = fmax(worst, solve->worst[i]);
    return worst;
}

static void KeepBest(const qvBoneSolve* solve, qvBoneSkin* skin)
{
    double worst = Worst(solve);
    if (!(worst < skin->maxError))
        return;
    size_t points = (size_t)solve->task->pointCount;
    skin->maxError = worst;
    skin->boneCount = solve->boneCount;
    memcpy(skin->maps, solve->maps, (size_t)solve->boneCount * (size_t)solve->task->frameCount * sizeof(qvBoneMap));
    memcpy(skin->bones, solve->bones, points * QV_BONES_OF_POINT * sizeof(int32_t));
    memcpy(skin->weights, solve->weights, points * QV_BONES_OF_POINT * sizeof(double));
}

// Points count more in frames in which they are farther off.
static void UpdateImportance(qvBoneSolve* solve)
{
    size_t count = (size_t)solve->task->pointCount * (size_t)solve->task->frameCount;
    double worst = Worst(solve), sum = 0.0;
    if (!(worst > 0.0))
        return;
    for (size_t i = 0; i < count; i++)
    {
        double share = solve->errors[i] / worst, before = solve->isEven ? 1.0 : solve->importance[i];
        solve->importance[i] = (float)(before * (LEAST_SHARE + share * share));
        sum += solve->importance[i];
    }
    for (size_t i = 0; i < count; i++)
        solve->importance[i] = (float)fmax(solve->importance[i] * ((double)count / sum), LEAST_IMPORTANCE);
    solve->isEven = false;
}

// chooses: which bones a point follows, beside how much.
static qvResult Round(qvBoneSolve* solve, qvBoneSkin* skin, bool chooses, double progress, qvError* error)
{
    solve->progress = fmax(solve->progress, progress); // it does not go back where more bones are tried
    qvResult result = qvJob_Progress(&solve->watch.shared, "finding bones", solve->progress, error);
    if (result == qv_ok)
        result = qvBoneSolve_FitBones(solve, SWEEPS, error);
    if (result == qv_ok && chooses)
        result = qvBoneSolve_FindWeights(solve, error);
    if (result == qv_ok && !solve->isEven)
        result = qvBoneSolve_RefineWeights(solve, error);
    if (result == qv_ok)
        KeepBest(solve, skin);
    return result;
}

// With so many bones, of which all rounds take about the same time.
static double Progress(const qvBoneSolve* solve, double part)
{
    double bones = (double)solve->boneCount / solve->task->maxBones;
    return 0.1 + 0.75 * bones * (solve->most == 1 ? 0.5 * part : 0.5 + 0.5 * part);
}

static qvResult Grow(qvBoneSolve* solve, int count, qvBoneSkin* skin, qvError* error)
{
    qvResult result = AddBones(solve, count, error);
    solve->isEven = true;
    if (result == qv_ok)
        result = qvBoneSolve_FindWeights(solve, error);
    int rounds = solve->most > 1 ? GROWING_ROUNDS : HARD_ROUNDS;
    for (int i = 0; i < rounds && result == qv_ok; i++)
        result = Round(solve, skin, true, Progress(solve, 0.5), error);
    return result;
}

// The first bones are placed by points that follow one each: such bones spread, and leave room for blends.
static qvResult GrowHard(qvBoneSolve* solve, qvBoneSkin* skin, qvError* error)
{
    const qvBoneTask* task = solve->task;
    int last = (int)ceil(HARD_SHARE * solve->limit), before = 0;
    qvResult result = Grow(solve, 1, skin, error);
    while (result == qv_ok && before < solve->boneCount && solve->boneCount < last &&
           skin->maxError > HARD_TOLERANCE * task->tolerance)
    {
        before = solve->boneCount;
        int more = before / 2 > 0 ? before / 2 : 1;
        result = Grow(solve, more < last - before ? more : last - before, skin, error);
    }
    return result;
}

static qvResult Soften(qvBoneSolve* solve, qvBoneSkin* skin, qvError* error)
{
    qvResult result = qv_ok;
    solve->most = QV_BONES_OF_POINT;
    for (int i = 0; i < SOFTENING_ROUNDS && result == qv_ok && skin->maxError > solve->task->tolerance; i++)
        result = Round(solve, skin, true, Progress(solve, 0.0), error);
    return result;
}

// Rounds in which what is far off counts more and more, until the tolerance holds.
static qvResult Polish(qvBoneSolve* solve, int rounds, double progress, qvBoneSkin* skin, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; i < rounds && result == qv_ok && skin->maxError > solve->task->tolerance; i++)
    {
        UpdateImportance(solve);
        result = Round(solve, skin, i % CHOOSING == 0, progress, error);
    }
    return result;
}

// Back to the best that was found.
static qvResult Restore(qvBoneSolve* solve, const qvBoneSkin* skin, qvError* error)
{
    size_t points = (size_t)solve->task->pointCount;
    solve->boneCount = skin->boneCount;
    memcpy(solve->maps, skin->maps, (size_t)skin->boneCount * (size_t)solve->task->frameCount * sizeof(qvBoneMap));
    memcpy(solve->bones, skin->bones, points * QV_BONES_OF_POINT * sizeof(int32_t));
    memcpy(solve->weights, skin->weights, points * QV_BONES_OF_POINT * sizeof(double));
    solve->isEven = true;
    return qvBoneSolve_Measure(solve, error);
}

// Takes the bones that carry least away from their points.
static void DropLeast(qvBoneSolve* solve, int count)
{
    double carried[QV_MAX_BONES] = { 0.0 };
    int entries = QV_BONES_OF_POINT * solve->task->pointCount;
    for (int i = 0; i < entries; i++)
        carried[solve->bones[i]] += solve->weights[i] * solve->weights[i];
    for (; count > 0; count--)
    {
        int least = 0;
        for (int b = 1; b < solve->boneCount; b++)
            least = carried[b] < carried[least] ? b : least;
        carried[least] = INFINITY;
        for (int i = 0; i < entries; i++)
            solve->weights[i] = solve->bones[i] == least ? 0.0 : solve->weights[i];
    }
}

// Some bones go to where points are farthest off, as long as that helps.
static qvResult Exchange(qvBoneSolve* solve, qvBoneSkin* skin, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; i < EXCHANGES && result == qv_ok && skin->maxError > solve->task->tolerance; i++)
    {
        result = Restore(solve, skin, error);
        if (result != qv_ok)
            break;
        DropLeast(solve, 1 + solve->boneCount / 16);
        result = Grow(solve, 0, skin, error);
        if (result == qv_ok)
            result = Polish(solve, EXCHANGED_ROUNDS, 0.85 + 0.1 * i / EXCHANGES, skin, error);
    }
    return result;
}

// With at most solve->limit bones; where more are allowed, only as long as these seem to be enough.
static qvResult SolveWithin(qvBoneSolve* solve, qvBoneSkin* skin, qvError* error)
{
    const qvBoneTask* task = solve->task;
    bool isLast = solve->limit == task->maxBones;
    qvResult result = GrowHard(solve, skin, error);
    if (result == qv_ok)
        result = Soften(solve, skin, error);
    for (int before = 0; result == qv_ok && before < solve->boneCount && skin->maxError > task->tolerance;)
    {
        before = solve->boneCount;
        bool isFull = before == solve->limit;
        if (skin->maxError < NEAR * task->tolerance || (isFull && isLast))
            result = Polish(solve, POLISHING_ROUNDS, Progress(solve, 0.9), skin, error);
        if (result == qv_ok && isFull && isLast)
            result = Exchange(solve, skin, error);
        if (result == qv_ok && skin->maxError > task->tolerance && !isFull)
            result = Grow(solve, 1 + before / 8, skin, error);
    }
    return result;
}

// Where few bones do, they lie better when they were placed as few.
static qvResult Solve(qvBoneSolve* solve, qvBoneSkin* skin, qvError* error)
{
    const qvBoneTask* task = solve->task;
    qvResult result = qv_ok;
    for (int limit = FIRST_LIMIT; result == qv_ok; limit *= 2)
    {
        solve->limit = limit < task->maxBones ? limit : task->maxBones;
        solve->boneCount = 0, solve->most = 1;
        skin->maxError = INFINITY;
        memset(solve->weights, 0, (size_t)task->pointCount * QV_BONES_OF_POINT * sizeof(double));
        for (int i = 0; i < task->pointCount; i++)
            solve->worst[i] = 1.0; // the first bone goes anywhere
        result = SolveWithin(solve, skin, error);
        if (skin->maxError <= task->tolerance || solve->limit == task->maxBones)
            break;
    }
    return result;
}

// Leaves out bones that no point has a weight for.
static void Compact(const qvBoneTask* task, qvBoneSkin* skin)
{
    int32_t place[QV_MAX_BONES];
    bool used[QV_MAX_BONES] = { false };
    int entries = QV_BONES_OF_POINT * task->pointCount, count = 0;
    size_t frames = (size_t)task->frameCount;
    for (int i = 0; i < entries; i++)
        used[skin->bones[i]] |= skin->weights[i] > 0.0;
    for (int b = 0; b < skin->boneCount; b++)
    {
        place[b] = used[b] ? count : 0;
        if (used[b])
            memmove(skin->maps + (size_t)(count++) * frames, skin->maps + (size_t)b * frames,
                    frames * sizeof(qvBoneMap));
    }
    for (int i = 0; i < entries; i++)
        skin->bones[i] = skin->weights[i] > 0.0 ? place[skin->bones[i]] : 0;
    skin->boneCount = count;
}

qvResult qvFindBones(const qvBoneTask* task, qvBoneSkin* skin, qvError* error)
{
    qvBoneSolve solve;
    qvResult result = AllocateSkin(task, skin, error);
    if (result != qv_ok)
        return result;
    result = qvBoneSolve_Start(&solve, task, error);
    if (result == qv_ok)
        result = Solve(&solve, skin, error);
    qvBoneSolve_Free(&solve);
    if (result == qv_ok)
        Compact(task, skin);
    return result;
}

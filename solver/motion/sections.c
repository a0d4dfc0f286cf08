// SPDX-License-Identifier: GPL-3.0-or-later
// Motions whose pins come and go: split at the keys where the set of pins changes, one motion per section (the jumping
// block of the paper named in space.c is free in mid-air). A free velocity at a split is that of the section with fewer
// pins, which is solved first and free there; the other one starts or ends with the part of it that its own space has.
#include "motion/partial.h"

#include "base/label.h"
#include "base/memory.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Section
{
    int set;
    int first, count;  // keys from first on, modulo the number of keys
    bool split[2];     // whether it begins and ends at a split
    bool takes[2];     // whether its velocity there is that of the neighbour
    qvMotionKey* keys; // with the set's poses and the times of this section
    double* carried;   // [2 d] velocities taken from the neighbours
} Section;

typedef struct Build
{
    qvMotion* motion;
    const qvMotionDef* def;
    qvPool* pool;
    qvError* error;
    int keys, count;
    Section* sections;
} Build;

static const qvMotionSpace* SetSpace(const Build* b, int set)
{
    return b->motion->space->sets[set];
}

// --- Cutting --------------------------------------------------------------------------------------------------------

static bool IsSplit(const Build* b, int key)
{
    bool inside = b->def->period > 0.0 || (key > 0 && key < b->keys - 1);
    return inside && b->def->keys[key].pinSet != b->def->keys[qvSegmentEnd(key, b->keys)].pinSet;
}

static qvResult CheckSets(const Build* b)
{
    const qvMotionSpace* space = b->motion->space;
    for (int i = 0; i < b->keys; i++)
    {
        const qvMotionKey* key = &b->def->keys[i];
        if (key->pinSet < 0 || key->pinSet >= space->setCount)
            return qvError_Set(b->error, qv_badInput, "%s: there is no set of pins %d",
                               qvMakeLabel(key->label, "key", i).text, key->pinSet);
        if (IsSplit(b, i) && (key->onlyCount > 0 || key->weight < INFINITY))
            return qvError_Set(b->error, qv_badInput, "%s: pins come or go there; make it hard and for the whole body",
                               qvMakeLabel(key->label, "key", i).text);
    }
    for (int i = 0; i < b->keys; i++) // a segment needs the poses at both of its ends
    {
        bool arrives = i > 0 || b->def->period > 0.0 || b->keys == 1;
        int set = b->def->keys[i].pinSet, from = i > 0 ? i - 1 : b->keys - 1;
        const int* poseOf = space->poseOf[set];
        if (arrives && (poseOf[b->def->keys[i].pose] < 0 || poseOf[b->def->keys[from].pose] < 0))
            return qvError_Set(b->error, qv_badInput,
                               "%s: its pose or the one before does not belong to the set of pins %d",
                               qvMakeLabel(b->def->keys[i].label, "key", i).text, set);
    }
    return qv_ok;
}

// Sections in order of time, the first from the first split of a loop on.
static qvResult Cut(Build* b)
{
    int start = 0, splits = 0;
    for (int i = b->keys - 1; i >= 0; i--)
    {
        if (IsSplit(b, i))
            start = i, splits++;
    }
    bool loop = b->def->period > 0.0;
    b->count = loop && splits > 0 ? splits : splits + 1;
    b->sections = qvAllocate((size_t)b->count, sizeof(*b->sections));
    if (b->sections == NULL)
        return qvError_OutOfMemory(b->error, (double)b->count * sizeof(*b->sections));
    int first = loop ? start : 0, left = loop && splits > 0 ? b->keys : b->keys - 1;
    for (int s = 0; s < b->count; s++)
    {
        Section* section = &b->sections[s];
        *section = (Section){ .first = first, .count = 1 };
        section->split[0] = (loop && splits > 0) || s > 0, section->split[1] = (loop && splits > 0) || s < b->count - 1;
        while (left > 0)
        {
            int key = (first + section->count++) % b->keys;
            left--;
            if (IsSplit(b, key))
                break;
        }
        int arrival = (first + (section->count > 1 ? 1 : 0)) % b->keys;
        section->set = b->def->keys[arrival].pinSet;
        first = (first + section->count - 1) % b->keys;
    }
    return qv_ok;
}

// Of two sections that meet, the one with fewer pins decides; of two with as many the earlier one.
static bool Decides(const Build* b, int section, int other)
{
    int own = SetSpace(b, b->sections[section].set)->pinCount;
    int others = SetSpace(b, b->sections[other].set)->pinCount;
    return own != others ? own < others : section < other;
}

static int Neighbour(const Build* b, int section, int side)
{
    return (section + (side == 0 ? b->count - 1 : 1)) % b->count;
}

static void KeySplit(Build* b, int index, int side, qvMotionKey* key)
{
    Section* section = &b->sections[index];
    bool breaksFrame = key->mode == qv_velocityBroken && key->breaksFrame;
    bool isFree = key->mode == qv_velocityFree || key->mode == qv_velocityTurn;
    if (!section->split[side] || !(isFree || breaksFrame))
        return;
    section->takes[side] = !Decides(b, index, Neighbour(b, index, side));
    if (breaksFrame) // its frame is as the key says
        return;
    key->mode = qv_velocityBroken;
    key->breaksFrame = false;
    key->givenBefore = key->givenAfter = section->takes[side];
    key->before = key->after = qvMakeVec3(0.0, 0.0, 0.0);
}

// Where the frame of the uncut motion is, so that both sides of a split have it.
static void KeyTransform(const Build* b, const qvFramePath* path, qvMotionKey* key)
{
    if (key->hasTransform || path == NULL)
        return;
    qvVec3 pivot = qvMotionSpace_Main(b->motion->space)->pivot;
    qvRigid pose = qvFramePath_Evaluate(path, key->time).pose;
    key->hasTransform = true;
    key->rotation = pose.rotation;
    key->translation = qvSub(pose.position, qvQuat_Rotate(pose.rotation, pivot));
}

static qvResult FillSection(Build* b, int index, const qvFramePath* path)
{
    Section* section = &b->sections[index];
    const qvMotionSpace* space = SetSpace(b, section->set);
    section->keys = qvAllocate((size_t)section->count, sizeof(*section->keys));
    section->carried = qvAllocate(2 * (size_t)space->dimension, sizeof(double));
    if (section->keys == NULL || section->carried == NULL)
        return qvError_OutOfMemory(b->error, 2.0 * space->dimension * sizeof(double));
    for (int i = 0; i < section->count; i++)
    {
        int number = section->first + i;
        qvMotionKey* key = &section->keys[i];
        *key = b->def->keys[number % b->keys];
        for (int side = 0; side < 2; side++)
        {
            if (section->split[side] && i == (side == 0 ? 0 : section->count - 1))
                KeyTransform(b, path, key);
        }
        key->time += number >= b->keys ? b->def->period : 0.0;
        key->pose = b->motion->space->poseOf[section->set][key->pose];
        key->pinSet = 0;
    }
    KeySplit(b, index, 0, &section->keys[0]);
    KeySplit(b, index, 1, &section->keys[section->count - 1]);
    return qv_ok;
}

// --- Solving --------------------------------------------------------------------------------------------------------

// What is left of velocities when the body's flight is taken out of them.
static void TakeFrameOut(const qvMotion* motion, double time, int count, const double* positions, double* velocities)
{
    qvRigidState frame = qvMotion_FrameState(motion, time);
    qvVec3 spin = qvQuat_Rotate(frame.pose.rotation, frame.spin);
    for (int i = 0; i < count; i++)
    {
        const double* x = positions + 3 * (size_t)i;
        qvVec3 off = qvSub(qvMakeVec3(x[0], x[1], x[2]), frame.pose.position);
        qvVec3 flight = qvAdd(frame.velocity, qvCross(spin, off));
        double* v = velocities + 3 * (size_t)i;
        v[0] -= flight.x, v[1] -= flight.y, v[2] -= flight.z;
    }
}

// Velocities of all points of the neighbour at a split, in the axes of this section's frame, which stands still there.
static qvResult LookAcross(Build* b, int index, int side, double* field)
{
    const Section* section = &b->sections[index];
    const qvMotionSpace* space = SetSpace(b, section->set);
    int from = Neighbour(b, index, side);
    const Section* source = &b->sections[from];
    const qvMotion* other = b->motion->sections[from];
    void* scratch = malloc(qvMotion_ScratchSize(other));
    if (scratch == NULL)
        return qvError_OutOfMemory(b->error, (double)qvMotion_ScratchSize(other));
    // It ends where this one starts, or the other way round
    double time = side == 0 ? nextafter(source->keys[source->count - 1].time, -INFINITY) : source->keys[0].time;
    double* positions = field + 3 * (size_t)space->pointCount;
    qvMotion_Evaluate(other, time, scratch, positions, field, NULL);
    free(scratch);
    const qvMotionKey* key = &section->keys[side == 0 ? 0 : section->count - 1];
    if (key->breaksFrame)
        TakeFrameOut(other, time, space->pointCount, positions, field);
    qvQuat back = key->hasTransform ? qvQuat_Conjugate(qvQuat_Normalize(key->rotation)) : qvQuat_Identity();
    for (int i = 0; i < space->pointCount; i++)
    {
        double* v = field + 3 * (size_t)i;
        qvVec3 local = qvScale(space->scale, qvQuat_Rotate(back, qvMakeVec3(v[0], v[1], v[2])));
        v[0] = local.x, v[1] = local.y, v[2] = local.z;
    }
    return qv_ok;
}

// The part of the neighbour's velocity that this section's space has. Linear and hold meet it with none.
static qvResult Carry(Build* b, int index, int side)
{
    Section* section = &b->sections[index];
    const qvMotionSpace* space = SetSpace(b, section->set);
    const Section* source = &b->sections[Neighbour(b, index, side)];
    qvMotionKind kind = source->keys[side == 0 ? source->count - 1 : 1].kind;
    if (space->dimension == 0 || !section->takes[side] || (kind != qv_motionWiggly && kind != qv_motionSmooth))
        return qv_ok;
    double* field = qvAllocateRaw(6 * (size_t)space->pointCount, sizeof(double));
    if (field == NULL)
        return qvError_OutOfMemory(b->error, 6.0 * space->pointCount * sizeof(double));
    qvResult result = LookAcross(b, index, side, field);
    if (result == qv_ok)
        qvBasis_Project(space->basis, field, 1, section->carried + (size_t)side * (size_t)space->dimension);
    free(field);
    return result;
}

static qvResult SolveSection(Build* b, int index)
{
    Section* section = &b->sections[index];
    const qvMotionSpace* space = SetSpace(b, section->set);
    for (int side = 0; side < 2; side++)
    {
        qvResult result = Carry(b, index, side);
        if (result != qv_ok)
            return result;
    }
    qvMotionDef def = *b->def;
    def.keys = section->keys, def.keyCount = section->count;
    if (section->split[0] || section->split[1])
        def.period = 0.0;
    qvCarried carried = { section->takes[0] ? section->carried : NULL,
                          section->takes[1] ? section->carried + space->dimension : NULL,
                          { section->split[0], section->split[1] } };
    return qvCreateSection(&def, space, &carried, b->pool, &b->motion->sections[index], b->error);
}

// Sections that decide before those that follow them.
static qvResult SolveInOrder(Build* b)
{
    qvResult result = qv_ok;
    for (int done = 0; result == qv_ok && done < b->count; done++)
    {
        int next = -1;
        for (int i = 0; i < b->count; i++)
        {
            if (b->motion->sections[i] == NULL && (next < 0 || Decides(b, i, next)))
                next = i;
        }
        result = SolveSection(b, next);
    }
    return result;
}

static qvResult MakeSections(Build* b)
{
    qvMotion* motion = b->motion;
    size_t count = (size_t)b->count, keys = (size_t)b->keys;
    motion->sections = qvAllocate(count, sizeof(*motion->sections));
    motion->starts = qvAllocate(count, sizeof(*motion->starts));
    motion->places = qvAllocate(keys, sizeof(*motion->places));
    if (motion->sections == NULL || motion->starts == NULL || motion->places == NULL)
        return qvError_OutOfMemory(b->error, (double)(count + keys) * sizeof(void*));
    motion->sectionCount = b->count;
    qvFramePath* path = NULL;
    qvResult result = qvMotion_BuildOuter(b->def, qvMotionSpace_Main(motion->space)->pivot, &path, b->error);
    for (int i = 0; result == qv_ok && i < b->count; i++)
    {
        result = FillSection(b, i, path);
        motion->starts[i] = result == qv_ok ? b->sections[i].keys[0].time : 0.0;
        for (int k = 0; k < b->sections[i].count; k++)
            motion->places[(b->sections[i].first + k) % b->keys] = (qvKeyPlace){ i, k };
    }
    qvDestroyFramePath(path);
    if (result == qv_ok)
        result = SolveInOrder(b);
    return result;
}

qvResult qvMotion_BuildSections(qvMotion* motion, const qvMotionDef* def, qvPool* pool, qvError* error)
{
    Build b = { .motion = motion, .def = def, .pool = pool, .error = error, .keys = def->keyCount };
    qvResult result = CheckSets(&b);
    if (result == qv_ok)
        result = Cut(&b);
    if (result == qv_ok)
        result = MakeSections(&b);
    for (int i = 0; b.sections != NULL && i < b.count; i++)
    {
        free(b.sections[i].keys);
        free(b.sections[i].carried);
    }
    free(b.sections);
    return result;
}

// --- Evaluating -----------------------------------------------------------------------------------------------------

const qvMotion* qvMotion_SectionAt(const qvMotion* motion, double* time)
{
    if (motion->sectionCount == 0)
        return motion;
    double start = motion->starts[0], period = motion->period;
    if (period > 0.0 && motion->sectionCount > 1)
    {
        *time -= period * floor((*time - start) / period);
        if (!(*time >= start && *time < start + period)) // rounding at the seam
            *time = start;
    }
    int section = 0;
    while (section + 1 < motion->sectionCount && motion->starts[section + 1] <= *time)
        section++;
    return motion->sections[section];
}

size_t qvMotion_LargestScratch(const qvMotion* motion)
{
    size_t largest = 0;
    for (int i = 0; i < motion->sectionCount; i++)
    {
        size_t own = qvMotion_ScratchSize(motion->sections[i]);
        largest = own > largest ? own : largest;
    }
    return largest;
}

// A row of the section's numbers, filled up with zeros.
static void Spread(const double* row, size_t own, size_t all, double* out)
{
    if (out == NULL)
        return;
    memcpy(out, row, own * sizeof(double));
    memset(out + own, 0, (all - own) * sizeof(double));
}

void qvMotion_SectionCoordinates(const qvMotion* motion, const double* times, int timeCount, void* scratch,
                                 double* values, double* velocities, double* accelerations)
{
    size_t all = (size_t)motion->space->dimension;
    double* outs[3] = { values, velocities, accelerations };
    for (int i = 0; i < timeCount; i++)
    {
        double time = times[i];
        const qvMotion* section = qvMotion_SectionAt(motion, &time);
        size_t own = (size_t)section->space->dimension;
        double* rows = (double*)scratch + qvMotion_WorkSize(section);
        qvMotion_Coordinates(section, &time, 1, scratch, rows, velocities != NULL ? rows + own : NULL,
                             accelerations != NULL ? rows + 2 * own : NULL);
        for (size_t k = 0; k < 3; k++)
            Spread(rows + k * own, own, all, outs[k] != NULL ? outs[k] + (size_t)i * all : NULL);
    }
}

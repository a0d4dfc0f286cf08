// SPDX-License-Identifier: GPL-3.0-or-later
// Secondary motion: J. Singh and D. Pagurek, "Dynamic Kelvinlets", 2019, section 3.2. At every sample the change of
// each point's velocity since half a sample before until half a sample after, times its mass, is an impulse (the paper
// passes the force m x'' itself, which is the impulse only for a sampling interval of 1). So the impulses of a stretch
// of time sum up to the change of the body's momentum exactly, also across a landing, where the velocity jumps. They
// are merged (merge.c), and what exceeds the budget is left out, weakest first, but every sample has its share.
#include "quaver/waves.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"
#include "kelvinlet/load.h"
#include "math/affine.h"
#include "waves/layer.h"
#include "waves/merge.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CHUNK = 4, // samples that one piece of work takes in order
};

qvSecondaryDef qvDefaultSecondaryDef(void)
{
    static const qvSecondaryTerms usual = { .amount = 1.0, .threshold = 0.05, .speed = 3.0, .max = 100, .rate = 48.0 };
    return (qvSecondaryDef){ .end = 1.0, .terms = usual, .poisson = 0.45 };
}

// What can be computed with; what an artist may ask for is for others to say.
static qvResult CheckRange(const char* what, double value, double low, double high, qvError* error)
{
    if (value >= low && value <= high)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s of secondary waves: %g must be in %g to %g", what, value, low, high);
}

static qvResult Validate(const qvSecondaryDef* def, qvError* error)
{
    QV_ASSERT(def->topology != NULL && def->rest != NULL && def->base.points != NULL);
    QV_ASSERT(def->base.pointCount == def->topology->pointCount && def->topology->pointCount > 0);
    qvResult result = CheckRange("amount", def->terms.amount, -1e9, 1e9, error);
    if (result == qv_ok)
        result = CheckRange("threshold", def->terms.threshold, 0.0, 1e9, error);
    if (result == qv_ok && def->terms.radius != 0.0)
        result = CheckRange("radius", def->terms.radius, 1e-9, 1e9, error);
    if (result == qv_ok)
        result = CheckRange("speed", def->terms.speed, 1e-6, 1e6, error);
    if (result == qv_ok)
        result = CheckRange("poisson", def->poisson, 0.0, 0.5, error);
    if (result == qv_ok)
        result = CheckRange("fade", def->fade, 0.0, 1e3, error);
    if (result == qv_ok)
        result = CheckRange("max", def->terms.max, 1.0, INT_MAX, error);
    if (result == qv_ok)
        result = CheckRange("rate", def->terms.rate, 1.0, 1000.0, error);
    if (result == qv_ok && !(isfinite(def->begin) && def->end >= def->begin && def->end - def->begin <= 1e4))
        result = qvError_Set(error, qv_badInput, "range: %g to %g s is not a stretch of time of up to 1e4 s",
                             def->begin, def->end);
    return result;
}

// --- Masses ----------------------------------------------------------------------------------------------------------

typedef struct Part
{
    double area, volume;
    bool open;
} Part;

static void FillParts(const qvTopology* topology, const qvVec3f* rest, const double* areas, Part* parts)
{
    for (int i = 0; i < topology->pointCount; i++)
    {
        Part* part = &parts[topology->pointPart[i]];
        part->area += areas[i];
        part->open = part->open || topology->onBoundary[i] != 0;
    }
    for (int t = 0; t < topology->triangleCount; t++)
    {
        const int32_t* v = topology->triangles[t].v;
        qvVec3 o = qvVec3_FromFloat(rest[0]), a = qvSub(qvVec3_FromFloat(rest[v[0]]), o);
        qvVec3 b = qvSub(qvVec3_FromFloat(rest[v[1]]), o), c = qvSub(qvVec3_FromFloat(rest[v[2]]), o);
        parts[topology->trianglePart[t]].volume += qvDot(a, qvCross(b, c)) / 6.0;
    }
}

// Masses of the points at density 1: a closed part's volume, spread over its surface; open parts, and those too thin
// for their surface, are walls of a fiftieth of the diagonal. The sum is the body's mass.
static qvResult FillMasses(const qvTopology* topology, const qvVec3f* rest, double diagonal, double* masses,
                           double* total, qvError* error)
{
    Part* parts = qvAllocate((size_t)topology->partCount, sizeof(*parts));
    if (parts == NULL)
        return qvError_OutOfMemory(error, (double)topology->partCount * sizeof(*parts));
    qvComputeMasses(topology, rest, masses);
    FillParts(topology, rest, masses, parts);
    *total = 0.0;
    for (int i = 0; i < topology->pointCount; i++)
    {
        const Part* part = &parts[topology->pointPart[i]];
        double thickness = part->open || !(part->area > 0.0) ? 0.0 : fabs(part->volume) / part->area;
        masses[i] *= fmax(thickness, 0.02 * diagonal);
        *total += masses[i];
    }
    free(parts);
    return qv_ok;
}

// --- Sampling --------------------------------------------------------------------------------------------------------

// The impulses of one sample after merging.
typedef struct Sample
{
    qvImpulse* impulses;
    int count;
    qvVec3 momentum; // in the world
} Sample;

typedef struct Sampling
{
    const qvSecondaryDef* def;
    double step, diagonal;
    qvBox box; // of the rest shape
    int sampleCount;
    double* masses;
    double* rest; // [3 pointCount] for the fit of a frame
    Sample* samples;
    qvResult* results; // per chunk
    int firstChunk;    // of the slice that is being worked on
} Sampling;

// What one chunk works with.
typedef struct Work
{
    double* velocities[2]; // half a step before and after the sample
    double* coordinates;
    qvVec3f* points[2]; // at the sample and a step after
    qvImpulse* impulses;
    void* scratch;
} Work;

static void FreeWork(Work* work)
{
    free(work->velocities[0]);
    free(work->velocities[1]);
    free(work->coordinates);
    free(work->points[0]);
    free(work->points[1]);
    free(work->impulses);
    free(work->scratch);
}

static bool MakeWork(const qvSecondaryDef* def, Work* work)
{
    size_t n = (size_t)def->topology->pointCount, size = def->base.scratchSize;
    *work = (Work){ { qvAllocateRaw(n, 3 * sizeof(double)), qvAllocateRaw(n, 3 * sizeof(double)) },
                    qvAllocateRaw(n, 3 * sizeof(double)),
                    { qvAllocateRaw(n, sizeof(qvVec3f)), qvAllocateRaw(n, sizeof(qvVec3f)) },
                    qvAllocateRaw(n, sizeof(qvImpulse)),
                    qvAllocateRaw(size > 0 ? size : 1, 1) };
    return work->velocities[0] != NULL && work->velocities[1] != NULL && work->coordinates != NULL &&
           work->points[0] != NULL && work->points[1] != NULL && work->impulses != NULL && work->scratch != NULL;
}

// In a loop what comes before its begin is what comes before its end: a clip stands still outside of its time, and the
// jerk from standing to moving is no part of the motion.
static double SampleTime(const Sampling* sampling, int sample)
{
    int n = sampling->sampleCount;
    int wrapped = sampling->def->loop ? (sample + n) % n : sample;
    return sampling->def->begin + wrapped * sampling->step;
}

// Velocities half a step after a sample; without a closed form from points[0] there to points[1] a step later.
static void FindVelocities(const Sampling* sampling, int sample, Work* work, double* velocities)
{
    const qvBaseMotion* base = &sampling->def->base;
    if (base->velocities != NULL)
    {
        base->velocities(base->context, SampleTime(sampling, sample) + 0.5 * sampling->step, work->scratch, velocities);
        return;
    }
    base->points(base->context, SampleTime(sampling, sample + 1), work->scratch, NULL, work->points[1]);
    for (int i = 0; i < base->pointCount; i++)
    {
        qvVec3f a = work->points[0][i], b = work->points[1][i];
        velocities[3 * i] = ((double)b.x - a.x) / sampling->step;
        velocities[3 * i + 1] = ((double)b.y - a.y) / sampling->step;
        velocities[3 * i + 2] = ((double)b.z - a.z) / sampling->step;
    }
}

static qvAffine FindFrame(const Sampling* sampling, int sample, Work* work)
{
    const qvBaseMotion* base = &sampling->def->base;
    if (base->frame != NULL)
        return base->frame(base->context, SampleTime(sampling, sample));
    return qvFitFrame(base->pointCount, sampling->masses, sampling->rest, work->points[0], work->coordinates);
}

// One impulse per point that is accelerated enough. Returns how many.
static int FindImpulses(const Sampling* sampling, const qvAffine* frame, Work* work, Sample* sample)
{
    const qvSecondaryDef* def = sampling->def;
    double least = def->terms.threshold * sampling->diagonal * sampling->step;
    int count = 0;
    for (int i = 0; i < def->base.pointCount; i++)
    {
        const double *a = work->velocities[0] + 3 * i, *b = work->velocities[1] + 3 * i;
        qvVec3 change = qvMakeVec3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        double weight = def->weights != NULL ? def->weights[i] : 1.0;
        if (!(qvLength(change) > least) || !(sampling->masses[i] * weight > 0.0))
            continue;
        qvVec3 force = qvScale(def->terms.amount * weight * sampling->masses[i], change);
        qvVec3 from = qvSub(qvVec3_FromFloat(work->points[0][i]), frame->offset);
        work->impulses[count++] = (qvImpulse){ .at = qvAffine_TransposedVector(frame, from),
                                               .rest = qvVec3_FromFloat(def->rest[i]),
                                               .force = qvAffine_TransposedVector(frame, force),
                                               .radius = qvImpulseRadius(sampling->masses[i]) };
        sample->momentum = qvAdd(sample->momentum, force);
    }
    return count;
}

// velocities[0] are those before the sample; afterwards those before the next.
static qvResult TakeSample(const Sampling* sampling, int index, Work* work)
{
    const qvSecondaryDef* def = sampling->def;
    Sample* sample = &sampling->samples[index];
    def->base.points(def->base.context, SampleTime(sampling, index), work->scratch, NULL, work->points[0]);
    FindVelocities(sampling, index, work, work->velocities[1]);
    qvAffine frame = FindFrame(sampling, index, work);
    int count = FindImpulses(sampling, &frame, work, sample);
    qvResult result = qvMergeImpulses(work->impulses, &count, def->terms.max, NULL);
    if (result != qv_ok)
        return result;
    sample->impulses = qvAllocateRaw((size_t)count, sizeof(qvImpulse));
    if (sample->impulses == NULL)
        return qv_outOfMemory;
    memcpy(sample->impulses, work->impulses, (size_t)count * sizeof(qvImpulse));
    sample->count = count;
    double* before = work->velocities[0];
    work->velocities[0] = work->velocities[1];
    work->velocities[1] = before;
    return qv_ok;
}

// Samples inside the range: both half steps lie in it, so that nothing is made of how a clip begins or ends.
static int FirstSample(const Sampling* sampling)
{
    return sampling->def->loop ? 0 : 1;
}

static void TakeChunks(void* context, int begin, int end)
{
    const Sampling* sampling = context;
    for (int index = begin; index < end; index++)
    {
        Work work;
        int chunk = sampling->firstChunk + index;
        qvResult result = MakeWork(sampling->def, &work) ? qv_ok : qv_outOfMemory;
        int first = FirstSample(sampling) + chunk * CHUNK;
        int last = first + CHUNK < sampling->sampleCount ? first + CHUNK : sampling->sampleCount;
        const qvBaseMotion* base = &sampling->def->base;
        if (result == qv_ok)
        {
            base->points(base->context, SampleTime(sampling, first - 1), work.scratch, NULL, work.points[0]);
            FindVelocities(sampling, first - 1, &work, work.velocities[0]);
        }
        for (int i = first; result == qv_ok && i < last; i++)
            result = TakeSample(sampling, i, &work);
        sampling->results[chunk] = result;
        FreeWork(&work);
    }
}

// In slices, so that progress can be told and a stop is heard.
static qvResult TakeSamples(Sampling* sampling, const qvJob* job, qvError* error)
{
    enum
    {
        SLICE = 8
    };
    int count = sampling->sampleCount - FirstSample(sampling);
    int chunks = count > 0 ? (count + CHUNK - 1) / CHUNK : 0;
    sampling->results = qvAllocate((size_t)chunks, sizeof(qvResult));
    if (sampling->results == NULL)
        return qvError_OutOfMemory(error, (double)chunks * sizeof(qvResult));
    for (int done = 0; done < chunks; done += SLICE)
    {
        qvResult result = qvJob_Progress(job, "secondary motion", (double)done / chunks, error);
        if (result != qv_ok)
            return result;
        sampling->firstChunk = done;
        qvParallelFor(qvJob_Pool(job), chunks - done < SLICE ? chunks - done : SLICE, 1, TakeChunks, sampling);
    }
    for (int i = 0; i < chunks; i++)
    {
        if (sampling->results[i] != qv_ok)
            return qvError_OutOfMemory(error, 100.0 * sampling->def->topology->pointCount);
    }
    return qv_ok;
}

// --- Choosing --------------------------------------------------------------------------------------------------------

// An impulse as an event, with what decides about it.
typedef struct Candidate
{
    qvWaveEvent event;
    double size; // of the peak displacement
    int sample, index;
    bool kept;
} Candidate;

// Strongest first.
static int CompareSizes(const void* a, const void* b)
{
    const Candidate *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->sample != y->sample ? x->sample - y->sample : x->index - y->index;
}

static int CompareTimes(const void* a, const void* b)
{
    const Candidate *x = a, *y = b;
    return x->sample != y->sample ? x->sample - y->sample : x->index - y->index;
}

// Peak displacement of the centre per unit of impulse; without fade it scales like 1 / (radius^2 speed).
static double PeakGain(const qvSecondaryDef* def, double radius, double unitGain)
{
    if (def->fade == 0.0)
        return unitGain / (radius * radius * def->terms.speed);
    qvKelvinlet load = qvDefaultKelvinlet();
    load.time = qv_kelvinletImpulse;
    load.poisson = def->poisson;
    load.fade = def->fade;
    qvKelvinlet_SetRadius(&load, radius, 1);
    qvKelvinlet_SetSpeed(&load, def->terms.speed);
    return qvKelvinlet_PeakCenterGain(&load);
}

// A load peaks after radius / (speed sqrt(6)); narrower ones than those that peak after one sample would be seen as
// single kicks.
static double RadiusOf(const Sampling* sampling, const qvImpulse* impulse)
{
    const qvSecondaryDef* def = sampling->def;
    return def->terms.radius > 0.0 ? def->terms.radius
                                   : fmax(impulse->radius, sqrt(6.0) * def->terms.speed * sampling->step);
}

// Seconds until a load has faded out: from when its shear wave has passed the farthest corner of the body and two radii
// more, over a third of that time.
static double LifeOf(const Sampling* sampling, const qvWaveEvent* event)
{
    qvVec3 low = qvVec3_FromFloat(sampling->box.lower), high = qvVec3_FromFloat(sampling->box.upper),
           at = event->def.stroke.at;
    qvVec3 far = qvMakeVec3(fmax(at.x - low.x, high.x - at.x), fmax(at.y - low.y, high.y - at.y),
                            fmax(at.z - low.z, high.z - at.z));
    double life = 4.0 / 3.0 * (qvLength(far) + 2.0 * event->def.stroke.radius) / event->def.speed;
    return event->def.fade > 0.0 ? fmin(life, 10.0 / event->def.fade) : life;
}

static Candidate MakeCandidate(const Sampling* sampling, int sample, int index, double unitGain)
{
    const qvSecondaryDef* def = sampling->def;
    const qvImpulse* impulse = &sampling->samples[sample].impulses[index];
    Candidate candidate = { .event = qvDefaultWaveEvent(sampling->diagonal), .sample = sample, .index = index };
    qvWaveEvent* event = &candidate.event;
    event->def.time = SampleTime(sampling, sample);
    event->def.stroke.at = impulse->rest;
    event->def.stroke.radius = RadiusOf(sampling, impulse);
    event->def.speed = def->terms.speed;
    event->def.stroke.poisson = def->poisson;
    event->def.fade = def->fade;
    event->def.stroke.connected = false; // eyes stay in their head
    event->independent = true;
    event->def.stroke.drag = qvScale(PeakGain(def, event->def.stroke.radius, unitGain), impulse->force);
    event->def.until = event->def.time + LifeOf(sampling, event);
    candidate.size = qvLength(event->def.stroke.drag);
    return candidate;
}

// How many samples a candidate is active at.
static int SamplesOf(const Sampling* sampling, const Candidate* candidate)
{
    return (int)fmin(ceil((candidate->event.def.until - candidate->event.def.time) / sampling->step), 1e6);
}

// Adds one to the loads of every sample that a candidate is active at, unless that would be too many somewhere.
static bool TakePlace(const Sampling* sampling, const Candidate* candidate, int* loads)
{
    int life = SamplesOf(sampling, candidate);
    int end = candidate->sample + life, n = sampling->sampleCount;
    if (!sampling->def->loop)
        end = end < n ? end : n;
    else if (life > n)
        end = candidate->sample + n;
    for (int i = candidate->sample; i < end; i++)
    {
        if (loads[i % n] >= sampling->def->terms.max)
            return false;
    }
    for (int i = candidate->sample; i < end; i++)
        loads[i % n]++;
    return true;
}

// What one sample may take whatever the others are: so many of every sample last no longer than the budget allows. What
// is left of it goes to the strongest; were it all theirs, nothing would move for as long as theirs last.
static int ShareOf(const Sampling* sampling, const Candidate* candidates, int count)
{
    int longest = 1;
    for (int i = 0; i < count; i++)
    {
        int life = SamplesOf(sampling, &candidates[i]);
        longest = life > longest ? life : longest;
    }
    int share = sampling->def->terms.max / longest;
    return share > 1 ? share : 1;
}

// Keeps those that find a place, strongest first. loads and taken are per sample; share bounds taken.
static void Keep(const Sampling* sampling, Candidate* candidates, int count, int share, int* loads, int* taken)
{
    for (int i = 0; i < count; i++)
    {
        Candidate* c = &candidates[i];
        if (c->kept || !(c->size > 0.0) || taken[c->sample] >= share || !TakePlace(sampling, c, loads))
            continue;
        c->kept = true;
        taken[c->sample]++;
    }
}

// Keeps the strongest of every sample, then the strongest of all, within the budget; *count becomes their number.
static qvResult Choose(const Sampling* sampling, Candidate* candidates, int* count, qvError* error)
{
    size_t samples = (size_t)sampling->sampleCount + 1;
    int* loads = qvAllocate(2 * samples, sizeof(int));
    if (loads == NULL)
        return qvError_OutOfMemory(error, 2.0 * (double)samples * sizeof(int));
    qsort(candidates, (size_t)*count, sizeof(*candidates), CompareSizes);
    Keep(sampling, candidates, *count, ShareOf(sampling, candidates, *count), loads, loads + samples);
    Keep(sampling, candidates, *count, INT_MAX, loads, loads + samples);
    int kept = 0;
    for (int i = 0; i < *count; i++)
    {
        if (candidates[i].kept)
            candidates[kept++] = candidates[i];
    }
    qsort(candidates, (size_t)kept, sizeof(*candidates), CompareTimes);
    *count = kept;
    free(loads);
    return qv_ok;
}

static qvResult MakeEvents(const Sampling* sampling, qvWaveEvent** events, int* eventCount, qvSecondaryReport* report,
                           qvError* error)
{
    int count = 0, made = 0;
    for (int i = 0; i < sampling->sampleCount; i++)
        count += sampling->samples[i].count;
    Candidate* candidates = qvAllocateRaw((size_t)count, sizeof(*candidates));
    *events = qvAllocateRaw((size_t)count, sizeof(**events));
    if (candidates == NULL || *events == NULL)
    {
        free(candidates);
        return qvError_OutOfMemory(error, (double)count * sizeof(*candidates));
    }
    qvKelvinlet unit = qvDefaultKelvinlet();
    unit.time = qv_kelvinletImpulse;
    unit.poisson = sampling->def->poisson;
    double unitGain = qvKelvinlet_PeakCenterGain(&unit);
    for (int i = 0; i < sampling->sampleCount; i++)
    {
        for (int k = 0; k < sampling->samples[i].count; k++)
            candidates[made++] = MakeCandidate(sampling, i, k, unitGain);
    }
    qvResult result = Choose(sampling, candidates, &made, error);
    for (int i = 0; result == qv_ok && i < made; i++)
        (*events)[i] = candidates[i].event;
    *eventCount = result == qv_ok ? made : 0;
    report->mergedCount = count;
    report->droppedCount = count - made;
    free(candidates);
    return result;
}

// --- All of it -------------------------------------------------------------------------------------------------------

static void FreeSampling(Sampling* sampling)
{
    for (int i = 0; sampling->samples != NULL && i < sampling->sampleCount; i++)
        free(sampling->samples[i].impulses);
    free(sampling->samples);
    free(sampling->results);
    free(sampling->masses);
    free(sampling->rest);
}

// A loop is divided into whole samples.
static void CountSamples(Sampling* sampling)
{
    const qvSecondaryDef* def = sampling->def;
    double length = def->end - def->begin,
           count = def->loop ? rint(length * def->terms.rate) : length * def->terms.rate + 1e-9;
    sampling->sampleCount = (int)fmax(floor(count), 0.0);
    bool divided = def->loop && sampling->sampleCount > 0;
    sampling->step = divided ? length / sampling->sampleCount : 1.0 / def->terms.rate;
}

static qvResult InitSampling(Sampling* sampling, qvSecondaryReport* report, qvError* error)
{
    const qvSecondaryDef* def = sampling->def;
    size_t n = (size_t)def->topology->pointCount;
    CountSamples(sampling);
    sampling->box = qvComputeBounds(def->rest, def->topology->pointCount);
    sampling->diagonal = qvBox_Diagonal(sampling->box);
    sampling->masses = qvAllocate(n, sizeof(double));
    sampling->rest = qvAllocate(n, 3 * sizeof(double));
    sampling->samples = qvAllocate((size_t)sampling->sampleCount, sizeof(Sample));
    if (sampling->masses == NULL || sampling->rest == NULL || sampling->samples == NULL)
        return qvError_OutOfMemory(error, 32.0 * (double)n);
    for (size_t i = 0; i < n; i++)
    {
        qvVec3f p = def->rest[i];
        sampling->rest[3 * i] = p.x, sampling->rest[3 * i + 1] = p.y, sampling->rest[3 * i + 2] = p.z;
    }
    return FillMasses(def->topology, def->rest, sampling->diagonal, sampling->masses, &report->mass, error);
}

qvResult qvCreateSecondaryEvents(const qvSecondaryDef* def, const qvJob* job, qvWaveEvent** events, int* eventCount,
                                 qvSecondaryReport* report, qvError* error)
{
    double start = qvMilliseconds();
    qvSecondaryReport own;
    report = report != NULL ? report : &own;
    *report = (qvSecondaryReport){ 0 };
    *events = NULL;
    *eventCount = 0;
    qvResult result = Validate(def, error);
    if (result != qv_ok)
        return result;
    Sampling sampling = { .def = def };
    result = InitSampling(&sampling, report, error);
    if (result == qv_ok)
        result = TakeSamples(&sampling, job, error);
    if (result == qv_ok)
        result = MakeEvents(&sampling, events, eventCount, report, error);
    for (int i = 0; result == qv_ok && i < sampling.sampleCount; i++)
        report->momentum = qvAdd(report->momentum, sampling.samples[i].momentum);
    report->sampleCount = sampling.sampleCount;
    report->milliseconds = qvMilliseconds() - start;
    FreeSampling(&sampling);
    if (result != qv_ok)
    {
        free(*events);
        *events = NULL;
    }
    return result;
}

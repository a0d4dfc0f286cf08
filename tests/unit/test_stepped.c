// SPDX-License-Identifier: GPL-3.0-or-later
// Stepped layers with an engine that has a closed form: frames, resuming, damaged caches, handing over.
#include "waves_testing.h"

#include "layer/step_cache.h"
#include "layer/stepped.h"
#include "math/affine.h"
#include "math/rigid.h"
#include "math/rotation.h"
#include "swarm_engine.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A motion to let go of: the body turns about y, drifts along x and breathes; its upper part may bend.
typedef struct Dance
{
    Body body;
    double bends; // s, from when on; INFINITY: never
} Dance;

static const double HINGE = 1.2; // height

static qvAffine DanceFrame(const void* context, double time)
{
    (void)context;
    double angle = 0.8 * time, c = cos(angle), s = sin(angle);
    return (qvAffine){ .linear = { { c, 0.0, s }, { 0.0, 1.0, 0.0 }, { -s, 0.0, c } },
                       .offset = { 0.5 * time, 0.0, 0.0 } };
}

// About z, in the body's frame; from rest, with two continuous derivatives, by about a right angle in 0.3 s.
static double BendAngle(const Dance* dance, double time)
{
    double since = fmax(time - dance->bends, 0.0);
    return isfinite(dance->bends) ? 60.0 * since * since * since : 0.0;
}

static void DancePoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const Dance* dance = context;
    qvAffine frame = DanceFrame(context, time);
    for (int i = 0; i < dance->body.count; i++)
    {
        qvVec3 x = qvVec3_FromFloat(dance->body.rest[i]);
        bool isUpper = x.y > HINGE;
        x.y *= 1.0 + 0.2 * sin(3.0 * time);
        double angle = BendAngle(dance, time), c = cos(angle), s = sin(angle), y = x.y - HINGE;
        if (isUpper && angle > 0.0)
            x = qvMakeVec3(c * x.x - s * y, HINGE + s * x.x + c * y, x.z);
        points[i] = qvVec3_ToFloat(qvAffine_Point(&frame, x));
    }
}

static Dance dance;
static char path[512], statePath[520];

static int SetUp(void** state)
{
    (void)state;
    MakeBody(&dance.body, "sphere", 6);
    dance.bends = INFINITY;
    char name[64];
    snprintf(name, sizeof(name), "stepped_%ld", (long)getpid());
    OutputPath(path, sizeof(path), name);
    snprintf(statePath, sizeof(statePath), "%s.state", path);
    return 0;
}

static int TearDown(void** state)
{
    (void)state;
    FreeBody(&dance.body);
    unlink(path);
    unlink(statePath);
    return 0;
}

static qvSteppedDef MakeDef(const char* file)
{
    static qvStepPart parts[2];
    qvStepPart* part = &parts[file != NULL];
    *part = (qvStepPart){ .key = 42, .path = file };
    qvSteppedDef def = { .engine = &swarmEngine, .parts = part, .partCount = 1 };
    def.input.mesh = dance.body.mesh, def.input.topology = dance.body.topology;
    def.input.rest = dance.body.rest, def.input.diagonal = dance.body.diagonal;
    def.input.below =
        (qvBaseMotion){ .context = &dance, .pointCount = dance.body.count, .points = DancePoints, .frame = DanceFrame };
    def.input.def = (qvSimulationDef){ .time = 0.5, .until = 2.31, .wobble = 1.7, .settle = 1.2, .blend = 0.4 };
    def.input.def.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    return def;
}

static qvStepped* Create(const qvSteppedDef* def)
{
    qvStepped* stepped;
    qvError error;
    ASSERT_OK(qvCreateStepped(def, NULL, &stepped, &error), error);
    return stepped;
}

static void Complete(qvStepped* stepped)
{
    qvError error;
    ASSERT_OK(qvStepped_Advance(stepped, INFINITY, NULL, &error), error);
    assert_true(isinf(qvStepped_ValidUntil(stepped)));
}

static void Evaluate(const qvStepped* stepped, double time, qvVec3f* points)
{
    qvBaseMotion motion = qvStepped_Motion(stepped);
    void* scratch = malloc(motion.scratchSize);
    memset(scratch, 0xff, motion.scratchSize); // what was there before must not matter
    motion.points(motion.context, time, scratch, NULL, points);
    free(scratch);
}

static double Farthest(const qvVec3f* a, const qvVec3f* b)
{
    double largest = 0.0;
    for (int i = 0; i < dance.body.count; i++)
        largest = fmax(largest, qvDistance(qvVec3_FromFloat(a[i]), qvVec3_FromFloat(b[i])));
    return largest;
}

// The bits of a whole motion at many times, in another order each time it is called with another stride.
static void AssertSameMotion(const qvStepped* a, const qvStepped* b)
{
    size_t size = (size_t)dance.body.count * sizeof(qvVec3f);
    qvVec3f *x = malloc(size), *y = malloc(size);
    for (int i = 0; i < 60; i++)
    {
        double time = 0.05 * ((i * 37) % 60);
        Evaluate(a, time, x);
        Evaluate(b, time, y);
        assert_memory_equal(x, y, size);
    }
    free(x);
    free(y);
}

static void FollowsItsEquation(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL);
    qvStepped* stepped = Create(&def);
    Complete(stepped);
    qvVec3f *points = malloc((size_t)dance.body.count * sizeof(*points)),
            *below = malloc((size_t)dance.body.count * 12);
    Evaluate(stepped, 0.49, points);
    DancePoints(&dance, 0.49, NULL, NULL, below);
    assert_memory_equal(points, below, (size_t)dance.body.count * sizeof(*points)); // before the span
    for (double time = 0.5; time <= 2.31; time += 0.0437)
    {
        Evaluate(stepped, time, points);
        double largest = 0.0;
        for (int i = 0; i < dance.body.count; i++)
        {
            qvVec3 rest = qvVec3_FromFloat(dance.body.rest[i]), start = rest, h = rest, s = rest;
            const double e = 1e-5;
            h.y *= 1.0 + 0.2 * sin(3.0 * (0.5 + e)), s.y *= 1.0 + 0.2 * sin(3.0 * (0.5 - e));
            start.y *= 1.0 + 0.2 * sin(3.0 * 0.5);
            qvAffine at = DanceFrame(NULL, 0.5), after = DanceFrame(NULL, 0.5 + e), before = DanceFrame(NULL, 0.5 - e);
            qvVec3 velocity = qvScale(0.5 / e, qvSub(qvAffine_Point(&after, h), qvAffine_Point(&before, s)));
            qvVec3 wanted =
                Swarm_Position(&def.input.def, rest, qvAffine_Point(&at, start), velocity, time - def.input.def.time);
            largest = fmax(largest, qvDistance(qvVec3_FromFloat(points[i]), wanted));
        }
        ASSERT_NEAR(largest, 0.0, 2e-5);
    }
    free(points);
    free(below);
    qvDestroyStepped(stepped);
}

// Two spans that touch are one: the second goes on with the state of the first, and hands back to what that would.
static void GoesOnWhereAnotherEnds(void** state)
{
    (void)state;
    qvSteppedDef whole = MakeDef(NULL), first = MakeDef(NULL), second = MakeDef(NULL);
    first.input.def.until = second.input.def.time = 1.2345; // not at a frame
    qvStepped *one = Create(&whole), *before = Create(&first);
    Complete(one);
    Complete(before);
    second.before = before;
    second.input.below = qvStepped_Below(before);
    qvStepped* after = Create(&second);
    Complete(after);
    qvVec3f *x = malloc((size_t)dance.body.count * sizeof(*x)), *y = malloc((size_t)dance.body.count * sizeof(*y));
    for (double time = 0.3; time < 2.8; time += 0.0317)
    {
        Evaluate(one, time, x);
        Evaluate(after, time, y);
        ASSERT_NEAR(Farthest(x, y), 0.0, 1e-4);
    }
    free(x);
    free(y);
    qvDestroyStepped(one);
    qvDestroyStepped(after);
    qvDestroyStepped(before);
}

// A Hermite cubic is exact for cubics and continuous with its derivative at frames.
static void GoesSmoothlyThroughFrames(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL);
    qvStepped* stepped = Create(&def);
    Complete(stepped);
    size_t n = (size_t)dance.body.count;
    qvVec3f* x = malloc(5 * n * sizeof(*x));
    const double step = 1e-3, at = 0.5 + 31.0 / qv_stepFrameRate;
    for (size_t i = 0; i < 5; i++)
        Evaluate(stepped, at + ((double)i - 2.0) * step, x + i * n);
    for (size_t i = 0; i < n; i++)
    {
        double before = (x[2 * n + i].y - x[n + i].y) / step, after = (x[3 * n + i].y - x[2 * n + i].y) / step;
        ASSERT_NEAR(before, after, 0.2); // a jump of the rate by a frame's change would be 0.8
    }
    free(x);
    qvDestroyStepped(stepped);
}

// The next steps say no.
static bool StopSoon(void* context, const char* stage, double fraction)
{
    (void)stage, (void)fraction;
    int* left = context;
    return --*left > 0;
}

static void ResumesWhereItWasCancelled(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL);
    qvStepped *straight = Create(&def), *stopped = Create(&def);
    Complete(straight);
    int times = 0;
    qvError error;
    qvResult result;
    do
    {
        int left = 41;
        qvJob job = { .progress = StopSoon, .context = &left };
        result = qvStepped_Advance(stopped, INFINITY, &job, &error);
        times++;
    } while (result == qv_cancelled);
    ASSERT_OK(result, error);
    assert_true(times > 5);
    AssertSameMotion(straight, stopped);
    qvDestroyStepped(straight);
    qvDestroyStepped(stopped);
}

static void SaysUntilWhenItIsKnown(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL);
    qvStepped* stepped = Create(&def);
    qvError error;
    ASSERT_NEAR(qvStepped_ValidUntil(stepped), 0.5, 0.0);
    ASSERT_OK(qvStepped_Advance(stepped, 1.0, NULL, &error), error);
    ASSERT_NEAR(qvStepped_ValidUntil(stepped), 1.0, 1e-9);
    size_t n = (size_t)dance.body.count;
    qvVec3f *x = malloc(n * sizeof(*x)), *below = malloc(n * sizeof(*x));
    Evaluate(stepped, 1.5, x); // not yet: the motion below
    DancePoints(&dance, 1.5, NULL, NULL, below);
    assert_memory_equal(x, below, n * sizeof(*x));
    Evaluate(stepped, 0.97, x);
    DancePoints(&dance, 0.97, NULL, NULL, below);
    assert_true(Farthest(x, below) > 0.1);
    free(x);
    free(below);
    qvDestroyStepped(stepped);
}

// --- On disk -------------------------------------------------------------------------------------------------------

static void FlipByte(const char* file, off_t place)
{
    int descriptor = open(file, O_RDWR);
    assert_true(descriptor >= 0);
    unsigned char byte;
    assert_int_equal(pread(descriptor, &byte, 1, place), 1);
    byte ^= 0x40;
    assert_int_equal(pwrite(descriptor, &byte, 1, place), 1);
    close(descriptor);
}

static void IsFoundAgainOnDisk(void** state)
{
    (void)state;
    qvSteppedDef memory = MakeDef(NULL), def = MakeDef(path);
    qvStepped *straight = Create(&memory), *first = Create(&def);
    Complete(straight);
    qvError error;
    ASSERT_OK(qvStepped_Advance(first, 1.7, NULL, &error), error);
    qvDestroyStepped(first); // as a program that ends in between
    qvStepped* second = Create(&def);
    ASSERT_NEAR(qvStepped_ValidUntil(second), 1.7, 1e-9);
    Complete(second);
    AssertSameMotion(straight, second);
    qvStepped* third = Create(&def); // all of it is there: no step is taken
    int left = 2;
    qvJob job = { .progress = StopSoon, .context = &left };
    ASSERT_OK(qvStepped_Advance(third, INFINITY, &job, &error), error);
    AssertSameMotion(straight, third);
    const qvStepPart otherPart = { .key = 43, .path = path };
    def.parts = &otherPart; // of something else: begins again
    qvStepped* other = Create(&def);
    ASSERT_NEAR(qvStepped_ValidUntil(other), 0.5, 0.0);
    qvDestroyStepped(other);
    qvDestroyStepped(third);
    qvDestroyStepped(second);
    qvDestroyStepped(straight);
}

static void DamageIsMadeAgain(void** state)
{
    (void)state;
    qvSteppedDef memory = MakeDef(NULL), def = MakeDef(path);
    qvStepped *straight = Create(&memory), *first = Create(&def);
    Complete(straight);
    Complete(first);
    qvDestroyStepped(first);
    struct stat about;
    assert_int_equal(stat(statePath, &about), 0);
    off_t stateSize = about.st_size;
    assert_int_equal(stat(path, &about), 0);
    // A frame in the middle, the header, the state, and an end that is missing.
    for (int damage = 0; damage < 4; damage++)
    {
        if (damage == 0)
            FlipByte(path, about.st_size / 2);
        else if (damage == 1)
            FlipByte(path, 12);
        else if (damage == 2)
        {
            FlipByte(statePath, stateSize - 100);
            assert_int_equal(truncate(path, about.st_size / 10 * 9), 0);
        }
        else
            assert_int_equal(truncate(path, about.st_size - about.st_size / 20), 0);
        qvStepped* again = Create(&def);
        assert_true(qvStepped_ValidUntil(again) < 2.31);
        Complete(again);
        AssertSameMotion(straight, again);
        qvDestroyStepped(again);
    }
    qvDestroyStepped(straight);
}

// Frames that cannot be read any more, after they were there, are made again instead of passing for others.
static void LateDamageIsMadeAgain(void** state)
{
    (void)state;
    size_t size = (size_t)dance.body.count * sizeof(qvVec3f);
    qvVec3f* points = malloc(size);
    qvSteppedDef memory = MakeDef(NULL), def = MakeDef(path);
    qvStepped *straight = Create(&memory), *stepped = Create(&def);
    Complete(straight);
    Complete(stepped);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    for (int damage = 0; damage < 3; damage++)
    {
        if (damage == 0)
            FlipByte(path, about.st_size / 2);
        else
            assert_int_equal(truncate(path, damage == 1 ? about.st_size / 4 : 0), 0);
        for (int i = 0; i < 60; i++)
            Evaluate(stepped, 0.05 * i, points);
        double known = qvStepped_ValidUntil(stepped);
        assert_true(known < 2.31);
        qvVec3f* same = malloc(size);
        Evaluate(stepped, fmax(known - 0.02, 0.0), same); // what is before still holds
        Evaluate(straight, fmax(known - 0.02, 0.0), points);
        ASSERT_NEAR(Farthest(points, same), 0.0, 0.0);
        free(same);
        Complete(stepped);
        AssertSameMotion(straight, stepped);
        assert_true(isinf(qvStepped_ValidUntil(stepped)));
    }
    free(points);
    qvDestroyStepped(straight);
    qvDestroyStepped(stepped);
}

// --- Several programs ----------------------------------------------------------------------------------------------

static atomic_int* steps; // of all programs
static int stepsLeft;     // of this one, which then dies

static qvResult CountedStep(void* run, double seconds, const qvJob* job, qvError* error)
{
    if (stepsLeft-- == 0)
        raise(SIGKILL);
    atomic_fetch_add(steps, 1);
    return swarmEngine.step(run, seconds, job, error);
}

static pid_t StepElsewhere(const qvSteppedDef* def, int left)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    qvStepped* stepped;
    qvError error;
    stepsLeft = left;
    bool done = qvCreateStepped(def, NULL, &stepped, &error) == qv_ok &&
                qvStepped_Advance(stepped, INFINITY, NULL, &error) == qv_ok;
    _exit(done ? 0 : 1);
}

// Whoever comes first steps, the others read along; of one that is killed the next takes over at its last state.
static void ProgramsShareTheWork(void** state)
{
    (void)state;
    steps = mmap(NULL, sizeof(*steps), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(steps != MAP_FAILED);
    qvEngine counted = swarmEngine;
    counted.step = CountedStep;
    qvSteppedDef memory = MakeDef(NULL), def = MakeDef(path);
    def.engine = &counted;
    stepsLeft = -1;
    qvStepped* straight = Create(&memory);
    Complete(straight);
    int all = (int)ceil((2.31 - 0.5) * qv_stepFrameRate - 1e-9) + 1;
    pid_t children[3];
    for (int i = 0; i < 3; i++)
        children[i] = StepElsewhere(&def, -1);
    qvStepped* here = Create(&def);
    Complete(here);
    for (int i = 0; i < 3; i++)
    {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_int_equal(atomic_load(steps), all);
    AssertSameMotion(straight, here);
    qvDestroyStepped(here);
    unlink(path);
    unlink(statePath);

    atomic_store(steps, 0);
    int status, kept = qv_stepFrameRate / 2; // the frame of the state before the 100th
    pid_t child = StepElsewhere(&def, 100);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && atomic_load(steps) == 100);
    here = Create(&def);
    Complete(here);
    assert_int_equal(atomic_load(steps), 100 + all - kept);
    AssertSameMotion(straight, here);
    qvDestroyStepped(here);
    qvDestroyStepped(straight);
    munmap(steps, sizeof(*steps));
}

// What is no cache of ours stays as it is, and so does what a link leads to.
static void ForeignFilesStay(void** state)
{
    (void)state;
    char other[600];
    snprintf(other, sizeof(other), "%s.letter", path);
    const char* text = "dear reader, this is a letter and no cache of frames at all";
    for (int kind = 0; kind < 3; kind++)
    {
        FILE* file = fopen(kind == 0 ? path : other, "w");
        fputs(kind < 2 ? text : "", file);
        fclose(file);
        if (kind > 0)
            assert_int_equal(kind == 1 ? symlink(other, path) : link(other, path), 0);
        qvSteppedDef def = MakeDef(path);
        qvStepped* stepped = Create(&def);
        Complete(stepped);
        qvDestroyStepped(stepped);
        char read[100] = "";
        file = fopen(kind == 0 ? path : other, "r");
        assert_int_equal(fgets(read, sizeof(read), file) != NULL, kind < 2);
        fclose(file);
        assert_string_equal(read, kind < 2 ? text : "");
        unlink(path);
        unlink(other);
    }
}

// Frames of another simulation that lie at its name, whole as they are, are not its own.
static void FramesOfOthersAreNotShown(void** state)
{
    (void)state;
    qvSteppedDef memory = MakeDef(NULL), def = MakeDef(path);
    qvStepPart others = { .key = 43, .path = path };
    qvSteppedDef other = def;
    other.parts = &others;
    other.input.def.wobble = 2.5;
    qvStepped *straight = Create(&memory), *foreign = Create(&other);
    Complete(straight);
    Complete(foreign);
    qvDestroyStepped(foreign);
    qvStepped* stepped = Create(&def);
    ASSERT_NEAR(qvStepped_ValidUntil(stepped), 0.5, 0.0);
    Complete(stepped);
    AssertSameMotion(straight, stepped);
    qvDestroyStepped(straight);
    qvDestroyStepped(stepped);
}

// --- Handing over --------------------------------------------------------------------------------------------------

static void FadesBackWithoutAJump(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL);
    qvStepped* stepped = Create(&def);
    Complete(stepped);
    size_t n = (size_t)dance.body.count;
    qvVec3f *x = malloc(3 * n * sizeof(*x)), *below = malloc(3 * n * sizeof(*x));
    const double step = 2e-4, end = def.input.def.until, back = end + def.input.def.blend;
    for (int place = 0; place < 2; place++)
    {
        double at = place == 0 ? end : back, largest = 0.0, jump = 0.0;
        for (size_t i = 0; i < 3; i++)
        {
            Evaluate(stepped, at + ((double)i - 1.0) * step, x + i * n);
            DancePoints(&dance, at + ((double)i - 1.0) * step, NULL, NULL, below + i * n);
        }
        for (size_t i = 0; i < n; i++)
        {
            qvVec3 a = qvVec3_FromFloat(x[i]), b = qvVec3_FromFloat(x[n + i]), c = qvVec3_FromFloat(x[2 * n + i]);
            qvVec3 kept = qvSub(qvVec3_FromFloat(below[2 * n + i]), qvVec3_FromFloat(below[n + i]));
            jump = fmax(jump, qvLength(qvSub(qvSub(c, b), qvSub(b, a))) / step);
            largest = fmax(largest, qvLength(qvSub(qvSub(b, a), kept)) / step);
        }
        ASSERT_NEAR(jump, 0.0, 0.008);            // m/s: what accelerations change in a step
        assert_true(place == 1 || largest > 0.5); // the velocities that meet differ
    }
    Evaluate(stepped, end + 0.5 * def.input.def.blend, x);
    DancePoints(&dance, end + 0.5 * def.input.def.blend, NULL, NULL, below);
    assert_true(Farthest(x, below) > 0.05); // there is something to fade
    Evaluate(stepped, back, x);
    DancePoints(&dance, back, NULL, NULL, below);
    assert_memory_equal(x, below, n * sizeof(*x));
    free(x);
    free(below);
    qvDestroyStepped(stepped);
}

// The rigid map from the motion below to a simulation at its end, as the fade has it, undone by its share.
static qvVec3 Unturned(const qvRigid* turn, qvVec3 centre, double share, qvVec3 x)
{
    qvQuat rotation = qvQuat_Exp(qvScale(-share, qvQuat_Log(turn->rotation)));
    qvVec3 moved = qvAdd(centre, qvScale(share, qvSub(turn->position, centre)));
    return qvAdd(centre, qvQuat_Rotate(rotation, qvSub(x, moved)));
}

// What is left at a time of the difference to the motion below, without its rigid part.
static void FindLeft(const qvSteppedDef* def, const qvStepped* stepped, double time, qvVec3* left)
{
    int n = dance.body.count;
    double end = def->input.def.until, s = (time - end) / def->input.def.blend;
    double share = 1.0 - s * s * s * (10.0 + s * (6.0 * s - 15.0));
    qvVec3f *x = malloc((size_t)n * sizeof(*x)), *below = malloc((size_t)n * sizeof(*below));
    double *masses = malloc((size_t)n * sizeof(double)), *from = malloc(3 * (size_t)n * sizeof(double));
    double* to = malloc(3 * (size_t)n * sizeof(double));
    Evaluate(stepped, end, x);
    DancePoints(def->input.below.context, end, NULL, NULL, below);
    for (int i = 0; i < n; i++)
    {
        masses[i] = 1.0;
        from[3 * i] = below[i].x, from[3 * i + 1] = below[i].y, from[3 * i + 2] = below[i].z;
        to[3 * i] = x[i].x, to[3 * i + 1] = x[i].y, to[3 * i + 2] = x[i].z;
    }
    qvRigid turn = qvFitRigid(n, masses, from, to);
    qvVec3 centre = qvMassCenter(n, masses, from);
    Evaluate(stepped, time, x);
    DancePoints(def->input.below.context, time, NULL, NULL, below);
    for (int i = 0; i < n; i++)
        left[i] = qvSub(Unturned(&turn, centre, share, qvVec3_FromFloat(x[i])), qvVec3_FromFloat(below[i]));
    free(x);
    free(below);
    free(masses);
    free(from);
    free(to);
}

// Whether a point and all points around it are in the part that bends, or all in the one that does not.
static bool IsWithin(int point, bool isUpper)
{
    const qvTopology* topology = dance.body.topology;
    bool within = (dance.body.rest[point].y > HINGE) == isUpper;
    for (int k = topology->neighborStart[point]; k < topology->neighborStart[point + 1]; k++)
        within = within && (dance.body.rest[topology->neighbors[k]].y > HINGE) == isUpper;
    return within;
}

// A body that turns and bends while it fades back takes along what is left, in both of its parts: there it is what it
// is without the bend, turned with the part.
static void FadesInLocalFrames(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL), bent = MakeDef(NULL);
    const double end = def.input.def.until, time = end + 0.3;
    Dance bending = dance;
    bending.bends = end;
    bent.input.below.context = &bending;
    qvStepped *straight = Create(&def), *stepped = Create(&bent);
    Complete(straight);
    Complete(stepped);
    size_t n = (size_t)dance.body.count;
    qvVec3 *wanted = malloc(n * sizeof(*wanted)), *left = malloc(n * sizeof(*left));
    FindLeft(&def, straight, time, wanted);
    FindLeft(&bent, stepped, time, left);
    double angle = BendAngle(&bending, time), moved = 0.0;
    qvAffine frame = DanceFrame(NULL, time);
    qvVec3 axis = qvAffine_Vector(&frame, qvMakeVec3(0.0, 0.0, 1.0));
    qvQuat bend = qvQuat_Exp(qvScale(angle, axis));
    int uppers = 0, lowers = 0;
    for (int i = 0; i < dance.body.count; i++)
    {
        bool isUpper = IsWithin(i, true);
        if (!isUpper && !IsWithin(i, false))
            continue;
        ASSERT_NEAR(qvDistance(left[i], isUpper ? qvQuat_Rotate(bend, wanted[i]) : wanted[i]), 0.0, 1e-4);
        moved = fmax(moved, isUpper ? qvDistance(left[i], wanted[i]) : 0.0);
        uppers += isUpper, lowers += !isUpper;
    }
    assert_true(angle > 1.0 && uppers > 5 && lowers > 20);
    assert_true(moved > 0.02); // the bend has turned something
    free(wanted);
    free(left);
    qvDestroyStepped(stepped);
    qvDestroyStepped(straight);
}

static void HoldsWhenAsked(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL);
    def.input.def.hold = true;
    qvStepped* stepped = Create(&def);
    Complete(stepped);
    size_t size = (size_t)dance.body.count * sizeof(qvVec3f);
    qvVec3f *x = malloc(size), *y = malloc(size);
    Evaluate(stepped, def.input.def.until, x);
    Evaluate(stepped, 17.0, y);
    assert_memory_equal(x, y, size);
    free(x);
    free(y);
    qvDestroyStepped(stepped);
}

// --- A body that changes its topology ------------------------------------------------------------------------------

// The mesh at a time; NULL: the body's own.
static qvMesh* MeshAt(const qvStepped* stepped, double time)
{
    qvBaseMotion motion = qvStepped_Motion(stepped);
    void* scratch = malloc(motion.scratchSize);
    memset(scratch, 0xff, motion.scratchSize);
    qvVec3f* points = malloc((size_t)dance.body.count * sizeof(*points));
    motion.points(motion.context, time, scratch, NULL, points);
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(motion.extract(motion.context, time, points, scratch, NULL, &mesh, &error), error);
    for (int i = 0; mesh != NULL && i < dance.body.count; i++)
        assert_memory_equal(&mesh->positions[4 * i], &points[i], sizeof(*points)); // a piece begins at its point
    free(points);
    free(scratch);
    return mesh;
}

static void AssertTriangles(const qvStepped* stepped, double time, int perPoint)
{
    qvMesh* mesh = MeshAt(stepped, time);
    assert_int_equal(mesh != NULL ? mesh->triangleCount : 0, perPoint * dance.body.count);
    qvDestroyMesh(mesh);
}

static void ChangesItsTopology(void** state)
{
    (void)state;
    qvSteppedDef def = MakeDef(NULL);
    qvStepped* plain = Create(&def);
    assert_true(isinf(qvStepped_ChangesFrom(plain)) && qvStepped_Motion(plain).extract == NULL);
    qvDestroyStepped(plain);
    def.engine = &burstEngine, def.input.def.hold = true;
    qvStepped* stepped = Create(&def);
    ASSERT_NEAR(qvStepped_Motion(stepped).changesFrom, 0.75, 0.0);
    AssertTriangles(stepped, 0.8, 0); // not computed yet: the motion below
    Complete(stepped);
    AssertTriangles(stepped, 0.3, 0);
    AssertTriangles(stepped, 0.749, 0);
    AssertTriangles(stepped, 0.75, 4);
    AssertTriangles(stepped, 1.001, 8);
    AssertTriangles(stepped, 17.0, 8); // held
    qvMesh *end = MeshAt(stepped, 2.31), *held = MeshAt(stepped, 17.0);
    assert_memory_equal(end->positions, held->positions, (size_t)end->vertexCount * sizeof(qvVec3f));
    qvDestroyMesh(end);
    qvDestroyMesh(held);
    qvDestroyStepped(stepped);
}

// The next span of the same engine goes on with what has changed, and one that could not is refused.
static void GoesOnWithAChangedBody(void** state)
{
    (void)state;
    qvSteppedDef first = MakeDef(NULL), second = MakeDef(NULL);
    first.engine = second.engine = &burstEngine;
    first.input.def.until = second.input.def.time = 0.9;
    second.input.def.hold = true;
    qvStepped* before = Create(&first);
    Complete(before);
    second.before = before, second.input.below = qvStepped_Below(before);
    qvStepped* after = Create(&second);
    Complete(after);
    ASSERT_NEAR(qvStepped_ChangesFrom(after), 0.75, 0.0);
    AssertTriangles(after, 0.7, 0);
    AssertTriangles(after, 0.8, 4);
    AssertTriangles(after, 0.9, 4);
    AssertTriangles(after, 1.5, 8);
    qvDestroyStepped(after);
    second.input.def.follow = 1.0; // not free to burst
    qvError error;
    assert_int_equal(qvCreateStepped(&second, NULL, &after, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "changed its topology");
    qvDestroyStepped(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(FollowsItsEquation, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(GoesOnWhereAnotherEnds, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(GoesSmoothlyThroughFrames, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(ResumesWhereItWasCancelled, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(SaysUntilWhenItIsKnown, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(IsFoundAgainOnDisk, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(DamageIsMadeAgain, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(LateDamageIsMadeAgain, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(ProgramsShareTheWork, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(ForeignFilesStay, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(FramesOfOthersAreNotShown, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(FadesBackWithoutAJump, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(FadesInLocalFrames, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(HoldsWhenAsked, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(ChangesItsTopology, SetUp, TearDown),
        cmocka_unit_test_setup_teardown(GoesOnWithAChangedBody, SetUp, TearDown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

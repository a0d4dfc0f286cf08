// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of strokes: see stroke_loads.h, and formulas.md 7.
#include "kelvinlet/stroke_loads.h"

#include "kelvinlet/load.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

qvVec3 qvStroke_ImageSigns(qvVec3 center, qvVec3 image)
{
    return qvMakeVec3(image.x == center.x ? 1.0 : -1.0, image.y == center.y ? 1.0 : -1.0,
                      image.z == center.z ? 1.0 : -1.0);
}

static qvHandle MirrorHandle(const qvHandle* handle, qvVec3 at, qvVec3 signs)
{
    const double s[3] = { signs.x, signs.y, signs.z };
    qvHandle image = *handle;
    image.at = at;
    image.displacement =
        qvMakeVec3(s[0] * handle->displacement.x, s[1] * handle->displacement.y, s[2] * handle->displacement.z);
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
            image.gradient.m[i][j] = s[i] * s[j] * handle->gradient.m[i][j];
    }
    return image;
}

// 0 below low, 1 above high, smooth between.
static double Rise(double low, double high, double x)
{
    double t = fmin(fmax((x - low) / (high - low), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// What a handle next to a mirror plane asks across it. Two handles that pull apart or turn against each other within
// a fraction of a radius need forces that tear the surface, so that part fades out; and since a flow cannot carry two
// points through each other, a drag towards the plane ends before it.
static void MeetMirror(int axis, double radius, qvHandle* handle)
{
    double at[3] = { handle->at.x, handle->at.y, handle->at.z };
    double wish[3] = { handle->displacement.x, handle->displacement.y, handle->displacement.z };
    double d = fabs(at[axis]), side = copysign(1.0, at[axis]), end = 0.025 * radius;
    double away = Rise(0.01 * radius, end, d) * side * wish[axis];
    wish[axis] = side * fmax(away, fmin(end - d, 0.0));
    handle->displacement = qvMakeVec3(wish[0], wish[1], wish[2]);
    double turn = Rise(0.02 * radius, 0.1 * radius, d);
    for (int other = 0; other < 3; other++)
    {
        if (other == axis)
            continue;
        handle->gradient.m[axis][other] *= turn;
        handle->gradient.m[other][axis] *= turn;
    }
}

// Images turn and stretch each other's centres away. Holding them still takes forces that grow without bounds as the
// images meet, so that those are let go which are closer than a radius or so.
static double HoldOf(const qvStrokeHandles* handles)
{
    double gap = INFINITY;
    for (int i = 1; i < handles->count; i++)
        gap = fmin(gap, qvDistance(handles->items[0].at, handles->items[i].at));
    return Rise(0.4, 1.2, gap / handles->items[0].radius);
}

int qvStrokeHandles_LoadCount(const qvStrokeHandles* handles)
{
    return handles->count + (handles->pins != NULL ? handles->pins->held.count : 0);
}

void qvStroke_MakeHandles(const qvStroke* stroke, const qvStrokePins* pins, const qvStrokeWave* wave,
                          qvStrokeHandles* handles)
{
    qvVec3 centers[qv_maxStrokeCopies];
    qvHandle first = { .at = stroke->at, .radius = stroke->radius };
    stroke->brush->handle(stroke, &first);
    *handles = (qvStrokeHandles){ .count = qvStroke_Centers(stroke, centers), .like = qvDefaultKelvinlet() };
    qvVec3 last = qvStroke_ImageSigns(stroke->at, centers[handles->count - 1]);
    const double signs[3] = { last.x, last.y, last.z };
    for (int axis = 0; axis < 3; axis++)
    {
        if (signs[axis] < 0.0)
            MeetMirror(axis, stroke->radius, &first);
    }
    for (int i = 0; i < handles->count; i++)
        handles->items[i] = MirrorHandle(&first, centers[i], qvStroke_ImageSigns(stroke->at, centers[i]));
    handles->hold = first.turns && handles->count > 1 ? HoldOf(handles) : 0.0;
    handles->pins = wave != NULL && wave->impulse ? NULL : pins;
    handles->like.poisson = stroke->poisson;
    qvKelvinlet_SetRadius(&handles->like, stroke->radius, stroke->scales);
    if (wave != NULL)
    {
        qvKelvinlet_SetSpeed(&handles->like, wave->speed);
        handles->like.fade = wave->fade;
        handles->impulse = wave->impulse;
    }
}

// Each impulse on its own.
static qvResult SetSingleImpulses(const qvStrokeHandles* handles, qvKelvinlet* loads, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < handles->count; i++)
    {
        const qvHandle* handle = &handles->items[i];
        loads[i] = handles->like;
        loads[i].time = qv_kelvinletImpulse;
        loads[i].center = handle->at;
        if (handle->moves && !handle->turns)
            result = qvKelvinlet_SetDisplacement(&loads[i], handle->displacement, error);
        if (result == qv_ok && handle->turns)
            result = qvKelvinlet_SetGradient(&loads[i], handle->gradient, error);
    }
    return result;
}

// How far the impulses together move the first centre (all others are its images) at an age, not advected.
static double MovedTogether(const qvStrokeHandles* handles, const qvKelvinlet* loads, double age)
{
    qvVec3 sum = qvMakeVec3(0.0, 0.0, 0.0);
    for (int i = 0; i < handles->count; i++)
        sum = qvAdd(sum, qvKelvinlet_Displacement(&loads[i], age, handles->items[0].at));
    return qvLength(sum);
}

// The largest of these over time. peakAge is when one alone peaks; once the waves of all images have passed there is no
// more to come.
static double PeakTogether(const qvStrokeHandles* handles, const qvKelvinlet* loads, double peakAge)
{
    enum
    {
        SAMPLES = 200
    };
    double gap = 3.0 * handles->like.radii[0], peak = 0.0;
    for (int i = 1; i < handles->count; i++)
        gap = fmax(gap, 3.0 * handles->like.radii[0] + qvDistance(handles->items[0].at, handles->items[i].at));
    double last = gap / qvKelvinlet_ShearSpeed(&handles->like), step = pow(last / (0.2 * peakAge), 1.0 / SAMPLES);
    double best = peakAge;
    for (int k = 0; k <= SAMPLES; k++)
    {
        double age = 0.2 * peakAge * pow(step, k), moved = MovedTogether(handles, loads, age);
        best = moved > peak ? age : best;
        peak = fmax(peak, moved);
    }
    double low = best / step, high = best * step;
    for (int k = 0; k < 40; k++)
    {
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (MovedTogether(handles, loads, a) > MovedTogether(handles, loads, b))
            high = b;
        else
            low = a;
    }
    return fmax(peak, MovedTogether(handles, loads, 0.5 * (low + high)));
}

static double Component(qvVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static qvVec3 AlongAxis(int axis, double size)
{
    return qvMakeVec3(axis == 0 ? size : 0.0, axis == 1 ? size : 0.0, axis == 2 ? size : 0.0);
}

// How far the first centre moves along an axis at the age when one impulse along it would alone move it by 1.
static double ShareAlong(const qvStrokeHandles* handles, const qvKelvinlet* loads, int axis, double peakAge)
{
    double share = 0.0, unit = 1.0 / qvKelvinlet_PeakCenterGain(&loads[0]);
    qvVec3 at = handles->items[0].at;
    for (int i = 0; i < handles->count; i++)
    {
        qvKelvinlet one = loads[i];
        one.force = AlongAxis(axis, unit * Component(qvStroke_ImageSigns(at, one.center), axis));
        share += Component(qvKelvinlet_Displacement(&one, peakAge, at), axis);
    }
    return share;
}

// Mirrored blows add up along the plane and cancel across it: each axis is corrected for its images at the moment when
// one alone would peak (by no more than a factor of two, lest two images that all but cancel grow without bounds), and
// then all such that no centre ever moves further than asked.
static qvResult SetImpulses(const qvStrokeHandles* handles, qvKelvinlet* loads, qvError* error)
{
    qvResult result = SetSingleImpulses(handles, loads, error);
    double wanted = qvLength(handles->items[0].displacement);
    if (result != qv_ok || handles->count == 1 || handles->items[0].turns || !(wanted > 0.0))
        return result;
    double age = qvKelvinlet_PeakAge(&loads[0]), shares[3];
    for (int axis = 0; axis < 3; axis++)
        shares[axis] = fmax(ShareAlong(handles, loads, axis, age), 0.5);
    for (int i = 0; i < handles->count; i++)
    {
        qvVec3 f = loads[i].force;
        loads[i].force = qvMakeVec3(f.x / shares[0], f.y / shares[1], f.z / shares[2]);
    }
    double scale = fmin(wanted / PeakTogether(handles, loads, age), 1.0);
    for (int i = 0; i < handles->count; i++)
        loads[i].force = qvScale(scale, loads[i].force);
    return qv_ok;
}

// Both loads give the centre its gradient, and so does any mean of them.
static void BlendLoads(double part, const qvKelvinlet* other, qvKelvinlet* load)
{
    load->force = qvMulAdd(qvScale(1.0 - part, load->force), part, other->force);
    load->affine = qvMat3_Scaled(1.0 - part, &load->affine);
    load->affine = qvMat3_MulAdd(&load->affine, part, &other->affine);
    load->dilation = (1.0 - part) * load->dilation + part * other->dilation;
}

static qvResult SolveItems(const qvStrokeHandles* handles, qvKelvinlet* loads, qvError* error)
{
    qvSolveReport report;
    if (handles->pins == NULL)
        return qvSolveHandles(&handles->like, handles->items, handles->count, loads, &report, error);
    return qvSolveHandlesAround(&handles->pins->held, &handles->like, handles->items, handles->count, loads, error);
}

qvResult qvStrokeHandles_SetLoads(const qvStrokeHandles* handles, bool push, qvKelvinlet* loads, qvError* error)
{
    if (handles->impulse)
        return SetImpulses(handles, loads, error);
    int count = qvStrokeHandles_LoadCount(handles);
    qvResult result = SolveItems(handles, loads, error);
    if (result == qv_ok && handles->hold > 0.0)
    {
        qvStrokeHandles held = *handles;
        qvKelvinlet still[QV_MAX_STROKE_LOADS];
        for (int i = 0; i < held.count; i++)
            held.items[i].moves = true;
        result = SolveItems(&held, still, error);
        for (int i = 0; result == qv_ok && i < count; i++)
            BlendLoads(held.hold, &still[i], &loads[i]);
    }
    for (int i = 0; i < count; i++)
        loads[i].time = push ? qv_kelvinletPush : qv_kelvinletStatic;
    return result;
}

// A flow cannot carry a centre through a place that is held: near one it goes slower.
static void SlowDown(qvStrokeHandles* handles)
{
    double part = 1.0;
    for (int i = 0; i < handles->count; i++)
        part = fmin(part, Rise(0.0, handles->pins->near, qvStrokePins_Distance(handles->pins, handles->items[i].at)));
    for (int i = 0; i < handles->count; i++)
        handles->items[i].displacement = qvScale(part, handles->items[i].displacement);
}

void qvStrokeHandles_Update(void* context, qvKelvinlet* loads, int loadCount)
{
    qvStrokeHandles* handles = context;
    qvStrokeHandles moved = *handles;
    qvKelvinlet solved[QV_MAX_STROKE_LOADS];
    if (handles->impulse || loadCount == 1)
        return;
    for (int i = 0; i < handles->count; i++)
        moved.items[i].at = loads[i].center;
    if (handles->pins != NULL)
        SlowDown(&moved);
    if (qvStrokeHandles_SetLoads(&moved, loads[0].time == qv_kelvinletPush, solved, NULL) == qv_ok)
        memcpy(loads, solved, (size_t)loadCount * sizeof(*loads));
    else
        handles->failed = true;
}

// A grab's centre arrives exactly whatever the steps. Around the centre of the others the flow is exp(G), of which n
// steps of RK4 miss about |G|^5 exp(|G_sym|) / (120 n^4): enough steps for 1e-6. |G| is estimated from above by |(G^T
// G)^2|^1/4.
int qvCenterSubsteps(const qvMat3* gradient)
{
    qvMat3 transposed = qvMat3_Transpose(gradient), square = qvMat3_Product(&transposed, gradient);
    qvMat3 symmetric = qvMat3_MulAdd(gradient, 1.0, &transposed), fourth = qvMat3_Product(&square, &square);
    double size = pow(qvMat3_Norm(&fourth), 0.25), stretch = exp(0.5 * qvMat3_Norm(&symmetric));
    double steps = pow(pow(size, 5.0) * stretch / (120.0 * 1e-6), 0.25);
    return (int)fmin(ceil(steps), 256.0);
}

qvResult qvStrokeWave_Validate(const qvStrokeWave* wave, qvError* error)
{
    if (wave == NULL)
        return qv_ok;
    if (!(wave->speed > 0.0 && isfinite(wave->speed)))
        return qvError_Set(error, qv_badInput, "speed: %g must be a positive number", wave->speed);
    if (!(wave->fade >= 0.0 && isfinite(wave->fade)))
        return qvError_Set(error, qv_badInput, "fade: %g must be a number from 0", wave->fade);
    return isfinite(wave->age) ? qv_ok : qvError_Set(error, qv_badInput, "time: %g must be a finite number", wave->age);
}

qvResult qvStroke_Loads(const qvStroke* stroke, const qvStrokeWave* wave, qvKelvinlet loads[qv_maxStrokeCopies],
                        int* count, qvError* error)
{
    qvResult result = qvStroke_Validate(stroke, error);
    if (result == qv_ok)
        result = qvStrokeWave_Validate(wave, error);
    if (result == qv_ok && stroke->brush->handle == NULL)
        result = qvError_Set(error, qv_unsupported, "%s: this brush makes no waves", stroke->brush->tag);
    if (result != qv_ok)
        return result;
    qvStrokeHandles handles;
    qvStroke_MakeHandles(stroke, NULL, wave, &handles);
    *count = handles.count;
    return qvStrokeHandles_SetLoads(&handles, wave != NULL, loads, error);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Cubic keys by division. Where the motion has a kink (an impact, a jump, the start of a hold) there is a key with
// different tangents on its two sides. Between two of them: one curve; where it is too far off it is cut in two near
// its worst frame. The tangents at the ends of a piece are the frames' own slopes where that is good enough, otherwise
// those that fit the frames in between best.
#include "formats/clip_curves.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fit
{
    qvClipCurves* curves;
    bool loop;
    double tolerance;
    qvClipErrorFcn* measure;
    void* context;
    bool* kinks; // [frameCount]
} Fit;

static double* ValuesOf(const qvClipCurves* curves, int frame)
{
    return curves->values + (size_t)frame * (size_t)curves->width;
}

static double* EvaluatedOf(const qvClipCurves* curves, int frame)
{
    return curves->evaluated + (size_t)frame * (size_t)curves->width;
}

// side 0: arriving at the key, 1: leaving it.
static double* TangentOf(const qvClipCurves* curves, int key, int side)
{
    return curves->tangents + (2 * (size_t)key + (size_t)side) * (size_t)curves->width;
}

bool qvClipCurves_Start(qvClipCurves* curves, int frameCount, const double* times, int width)
{
    size_t frames = (size_t)frameCount, numbers = frames * (size_t)width;
    *curves = (qvClipCurves){ .frameCount = frameCount, .times = times, .width = width };
    curves->values = qvAllocate(numbers, sizeof(double));
    curves->keys = qvAllocate(frames, sizeof(int));
    curves->tangents = qvAllocate(2 * numbers, sizeof(double));
    curves->evaluated = qvAllocate(numbers, sizeof(double));
    return curves->values != NULL && curves->keys != NULL && curves->tangents != NULL && curves->evaluated != NULL;
}

void qvClipCurves_Free(qvClipCurves* curves)
{
    free(curves->values);
    free(curves->keys);
    free(curves->tangents);
    free(curves->evaluated);
    *curves = (qvClipCurves){ 0 };
}

void qvClipCurves_UseLines(qvClipCurves* curves)
{
    curves->isCubic = false;
    curves->keyCount = curves->frameCount;
    for (int i = 0; i < curves->frameCount; i++)
        curves->keys[i] = i;
    memcpy(curves->evaluated, curves->values,
           (size_t)curves->frameCount * (size_t)curves->width * sizeof(*curves->values));
}

// --- One piece ---------------------------------------------------------------------------------------------------

// Weights of value and tangent at the start, value and tangent at the end; the tangents' take the length in seconds.
static void Hermite(double s, double length, double weights[4])
{
    double t = 1.0 - s;
    weights[0] = (1.0 + 2.0 * s) * t * t;
    weights[1] = length * s * t * t;
    weights[2] = s * s * (3.0 - 2.0 * s);
    weights[3] = -length * s * s * t;
}

static void EvaluatePiece(const qvClipCurves* curves, int from, int to, const double* leave, const double* arrive,
                          int frame, double* values)
{
    double length = curves->times[to] - curves->times[from], h[4];
    Hermite((curves->times[frame] - curves->times[from]) / length, length, h);
    const double *a = ValuesOf(curves, from), *b = ValuesOf(curves, to);
    for (int i = 0; i < curves->width; i++)
        values[i] = h[0] * a[i] + h[1] * leave[i] + h[2] * b[i] + h[3] * arrive[i];
}

// A loop may end with the other sign of the rotation that it began with.
static double SeamSign(const qvClipCurves* curves, int number)
{
    const double *first = ValuesOf(curves, 0), *last = ValuesOf(curves, curves->frameCount - 1);
    double dot = 0.0;
    for (int i = QV_CLIP_ROTATION; i < QV_CLIP_SHAPES; i++)
        dot += first[i] * last[i];
    return number >= QV_CLIP_ROTATION && number < QV_CLIP_SHAPES && dot < 0.0 ? -1.0 : 1.0;
}

// The slope of the parabola through a frame and its neighbours, at that frame; round the seam of a loop. At a kink that
// of the line on one side (-1 before, 1 after).
static double Slope(const Fit* fit, int frame, int side, int number)
{
    const qvClipCurves* curves = fit->curves;
    int last = curves->frameCount - 1, before = frame - 1, after = frame + 1;
    if (last == 0)
        return 0.0;
    bool seam = fit->loop && (frame == 0 || frame == last) && last > 1;
    before = seam ? last - 1 : before < 0 ? 0 : before;
    after = seam ? 1 : after > last ? last : after;
    double left = seam ? curves->times[last] - curves->times[last - 1] : curves->times[frame] - curves->times[before];
    double right = seam ? curves->times[1] - curves->times[0] : curves->times[after] - curves->times[frame];
    double value = ValuesOf(curves, frame)[number], sign = seam ? SeamSign(curves, number) : 1.0;
    double in = left > 0.0 ? (value - (frame == 0 ? sign : 1.0) * ValuesOf(curves, before)[number]) / left : 0.0;
    double out = right > 0.0 ? ((frame == last ? sign : 1.0) * ValuesOf(curves, after)[number] - value) / right : 0.0;
    if (fit->kinks[frame])
        return side < 0 ? in : out;
    if (!(left > 0.0 && right > 0.0))
        return left > 0.0 ? in : out;
    return (in * right + out * left) / (left + right);
}

// Tangents by least squares over the frames inside, drawn weakly towards those that are given.
static void FitTangents(const qvClipCurves* curves, int from, int to, double* leave, double* arrive)
{
    double length = curves->times[to] - curves->times[from], pull = 1e-4 * length * length;
    double aa = pull, ab = 0.0, bb = pull, h[4];
    for (int k = from + 1; k < to; k++)
    {
        Hermite((curves->times[k] - curves->times[from]) / length, length, h);
        aa += h[1] * h[1];
        ab += h[1] * h[3];
        bb += h[3] * h[3];
    }
    double determinant = aa * bb - ab * ab;
    const double *start = ValuesOf(curves, from), *end = ValuesOf(curves, to);
    for (int i = 0; i < curves->width; i++)
    {
        double a = pull * leave[i], b = pull * arrive[i];
        for (int k = from + 1; k < to; k++)
        {
            Hermite((curves->times[k] - curves->times[from]) / length, length, h);
            double rest = ValuesOf(curves, k)[i] - h[0] * start[i] - h[2] * end[i];
            a += h[1] * rest;
            b += h[3] * rest;
        }
        leave[i] = (bb * a - ab * b) / determinant;
        arrive[i] = (aa * b - ab * a) / determinant;
    }
}

// The worst frame inside, or -1 when all are good. Fills what is shown.
static int MeasurePiece(const Fit* fit, int from, int to, const double* leave, const double* arrive)
{
    double worst = fit->tolerance;
    int found = -1;
    for (int k = from + 1; k < to; k++)
    {
        double* shown = EvaluatedOf(fit->curves, k);
        EvaluatePiece(fit->curves, from, to, leave, arrive, k, shown);
        double distance = fit->measure(fit->context, k, shown);
        if (distance > worst)
        {
            worst = distance;
            found = k;
        }
    }
    return found;
}

// --- All pieces --------------------------------------------------------------------------------------------------

// Adds the keys after `from` up to `to`; the key at `from` is there.
static void AddPieces(const Fit* fit, int from, int to)
{
    qvClipCurves* curves = fit->curves;
    double *leave = TangentOf(curves, curves->keyCount - 1, 1), *arrive = TangentOf(curves, curves->keyCount, 0);
    for (int i = 0; i < curves->width; i++)
    {
        leave[i] = Slope(fit, from, 1, i);
        arrive[i] = Slope(fit, to, -1, i);
    }
    int worst = MeasurePiece(fit, from, to, leave, arrive);
    if (worst >= 0)
    {
        FitTangents(curves, from, to, leave, arrive);
        worst = MeasurePiece(fit, from, to, leave, arrive);
    }
    if (worst < 0)
    {
        curves->keys[curves->keyCount++] = to;
        return;
    }
    int margin = (to - from) / 4;
    worst = worst < from + margin ? from + margin : worst > to - margin ? to - margin : worst;
    AddPieces(fit, from, worst);
    AddPieces(fit, worst, to);
}

// How far a frame is from the line between its neighbours.
static double MeasureBend(const Fit* fit, int frame, double* line)
{
    const qvClipCurves* curves = fit->curves;
    if (frame < 1 || frame > curves->frameCount - 2)
        return 0.0;
    double u =
        (curves->times[frame] - curves->times[frame - 1]) / (curves->times[frame + 1] - curves->times[frame - 1]);
    const double *a = ValuesOf(curves, frame - 1), *b = ValuesOf(curves, frame + 1);
    for (int i = 0; i < curves->width; i++)
        line[i] = (1.0 - u) * a[i] + u * b[i];
    return fit->measure(fit->context, frame, line);
}

// A kink bends much more than the frames near it; its two neighbours do not count, which a jump bends as well.
static void FindKinks(const Fit* fit, double* bends)
{
    int count = fit->curves->frameCount;
    for (int k = 0; k < count; k++)
        bends[k] = MeasureBend(fit, k, EvaluatedOf(fit->curves, k));
    for (int k = 1; k < count - 1; k++)
    {
        double around = 0.0;
        for (int i = 2; i <= 3; i++)
        {
            around = k - i >= 0 ? fmax(around, bends[k - i]) : around;
            around = k + i < count ? fmax(around, bends[k + i]) : around;
        }
        fit->kinks[k] = bends[k] > fit->tolerance && bends[k] > 3.0 * around;
    }
}

bool qvClipCurves_UseCubics(qvClipCurves* curves, bool loop, double tolerance, qvClipErrorFcn* measure, void* context)
{
    size_t count = (size_t)curves->frameCount;
    double* bends = qvAllocate(count, sizeof(double));
    Fit fit = { curves, loop, tolerance, measure, context, qvAllocate(count, sizeof(bool)) };
    if (bends == NULL || fit.kinks == NULL)
    {
        free(bends);
        free(fit.kinks);
        return false;
    }
    curves->isCubic = true;
    curves->keyCount = 1;
    curves->keys[0] = 0;
    FindKinks(&fit, bends);
    for (int k = 1, from = 0; k < curves->frameCount; k++)
    {
        if (!fit.kinks[k] && k < curves->frameCount - 1)
            continue;
        AddPieces(&fit, from, k);
        from = k;
    }
    free(bends);
    free(fit.kinks);
    // Pieces that were cut have left their traces at the keys.
    for (int i = 0; i < curves->keyCount; i++)
        memcpy(EvaluatedOf(curves, curves->keys[i]), ValuesOf(curves, curves->keys[i]),
               (size_t)curves->width * sizeof(double));
    // Nothing arrives at the first key and nothing leaves the last.
    memset(TangentOf(curves, 0, 0), 0, (size_t)curves->width * sizeof(double));
    memset(TangentOf(curves, curves->keyCount - 1, 1), 0, (size_t)curves->width * sizeof(double));
    return true;
}

// --- Ranges ------------------------------------------------------------------------------------------------------

static void Include(double value, double* least, double* largest)
{
    *least = value < *least ? value : *least;
    *largest = value > *largest ? value : *largest;
}

// The extremes of a cubic are at its ends and where its derivative a s^2 + b s + c is zero.
static void IncludePiece(double v0, double m0, double v1, double m1, double* least, double* largest)
{
    double a = 6.0 * v0 + 3.0 * m0 - 6.0 * v1 + 3.0 * m1, b = -6.0 * v0 - 4.0 * m0 + 6.0 * v1 - 2.0 * m1, c = m0;
    double square = b * b - 4.0 * a * c;
    if (square < 0.0)
        return;
    double q = -0.5 * (b + copysign(sqrt(square), b)); // no cancellation
    const double roots[2] = { a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0 };
    for (int i = 0; i < 2; i++)
    {
        double s = roots[i], h[4];
        if (!(s > 0.0 && s < 1.0))
            continue;
        Hermite(s, 1.0, h);
        Include(h[0] * v0 + h[1] * m0 + h[2] * v1 + h[3] * m1, least, largest);
    }
}

void qvClipCurves_Range(const qvClipCurves* curves, int number, double* least, double* largest)
{
    *least = *largest = ValuesOf(curves, 0)[number];
    for (int i = 0; i < curves->keyCount; i++)
        Include(ValuesOf(curves, curves->keys[i])[number], least, largest);
    for (int i = 0; i + 1 < curves->keyCount && curves->isCubic; i++)
    {
        int from = curves->keys[i], to = curves->keys[i + 1];
        double length = curves->times[to] - curves->times[from];
        IncludePiece(ValuesOf(curves, from)[number], length * TangentOf(curves, i, 1)[number],
                     ValuesOf(curves, to)[number], length * TangentOf(curves, i + 1, 0)[number], least, largest);
    }
}

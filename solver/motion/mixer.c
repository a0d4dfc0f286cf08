// SPDX-License-Identifier: GPL-3.0-or-later
// The mixer: gains and damping per mode of the rest shape. Gains act on the deviation of the wiggly motion from the
// smooth one, which is zero at every key: with the orthonormal columns of Psi (the modes in reduced coordinates)
//   q = s + shelf (w - s) + Psi diag(gain - shelf) Psi^T (w - s)
// Damping acts on the modes of each linearization by their share in the modes of the rest shape.
#include "motion/motion.h"

#include "base/memory.h"
#include "math/blas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

qvMixerStrip qvDefaultMixerStrip(void)
{
    return (qvMixerStrip){ .gain = 1.0 };
}

static qvResult CheckStrip(const qvMixerStrip* strip, int index, qvError* error)
{
    if (strip->mode < 0)
        return qvError_Set(error, qv_badInput, "mixer strip %d: there is no mode %d", index, strip->mode);
    if (!(strip->gain >= 0.0 && strip->gain <= 4.0))
        return qvError_Set(error, qv_badInput, "mixer strip %d: gain %g is not between 0 and 4", index, strip->gain);
    if (!(strip->damping >= 0.0 && strip->damping <= 100.0))
        return qvError_Set(error, qv_badInput, "mixer strip %d: damping %g is not between 0 and 100", index,
                           strip->damping);
    return qv_ok;
}

qvResult qvMotion_BuildMixer(qvMotion* motion, const qvMotionDef* def, qvError* error)
{
    qvMixer* mixer = &motion->mixer;
    int count = motion->space->modeCount;
    mixer->shelf = 1.0;
    bool solo = false;
    for (int i = 0; i < def->stripCount; i++)
    {
        qvResult result = CheckStrip(&def->strips[i], i, error);
        if (result != qv_ok)
            return result;
        solo = solo || (def->strips[i].solo && def->strips[i].mode < count);
    }
    if (def->stripCount < 1 || count < 1)
        return qv_ok;
    mixer->gain = qvAllocate(2 * (size_t)count, sizeof(double));
    if (mixer->gain == NULL)
        return qvError_OutOfMemory(error, 2.0 * count * sizeof(double));
    mixer->damping = mixer->gain + count;
    for (int i = 0; i < count; i++)
        mixer->gain[i] = solo ? 0.0 : 1.0;
    for (int i = 0; i < def->stripCount; i++)
    {
        const qvMixerStrip* strip = &def->strips[i];
        if (strip->mode >= count)
            continue;
        mixer->gain[strip->mode] = strip->mute || (solo && !strip->solo) ? 0.0 : strip->gain;
        mixer->damping[strip->mode] = strip->damping;
    }
    mixer->shelf = mixer->gain[count - 1];
    for (int i = 0; i < count; i++)
    {
        mixer->active = mixer->active || mixer->gain[i] != 1.0;
        mixer->gain[i] -= mixer->shelf;
    }
    return qv_ok;
}

void qvMotion_AddDamping(const qvMotion* motion, const qvMotionShape* shape, double stiffness, double* delta)
{
    const qvMotionSpace* space = motion->space;
    int d = space->dimension;
    for (int m = 0; motion->mixer.damping != NULL && m < space->modeCount; m++)
    {
        double lambda = fmax(stiffness * space->restModes->modes->values[m], 0.0);
        double rate = motion->mixer.damping[m] * sqrt(lambda);
        const double* mode = space->modes + (size_t)m * (size_t)d;
        for (int i = 0; rate > 0.0 && i < d; i++)
        {
            const double* own = shape->vectors + (size_t)i * (size_t)d;
            double share = 0.0;
            for (int k = 0; k < d; k++)
                share += own[k] * mode[k];
            delta[i] += share * share * rate;
        }
    }
}

void qvMotion_Mix(const qvMotion* motion, int count, const double* smooth, double* shares, double* value)
{
    const qvMotionSpace* space = motion->space;
    const qvMixer* mixer = &motion->mixer;
    int d = space->dimension, modes = space->modeCount;
    size_t items = (size_t)count * (size_t)d;
    for (size_t i = 0; i < items; i++)
        value[i] -= smooth[i];
    qvBlas_Multiply(true, false, modes, count, d, 1.0, space->modes, d, value, d, 0.0, shares, modes);
    for (int i = 0; i < count * modes; i++)
        shares[i] *= mixer->gain[i % modes];
    qvBlas_Multiply(false, false, d, count, modes, 1.0, space->modes, d, shares, modes, mixer->shelf, value, d);
    for (size_t i = 0; i < items; i++)
        value[i] += smooth[i];
}

// --- Pins that poses move -------------------------------------------------------------------------------------------

void qvMotion_ReleasePins(const qvMotion* motion, const qvRows* row)
{
    const qvMotionSpace* space = motion->space;
    int d = space->dimension;
    for (int i = 0; i < 3 * space->heldCount; i++)
    {
        const double* direction = space->held + (size_t)(i / 3) * (size_t)d;
        double *x = row->x[i % 3], now = 0.0;
        for (int c = 0; x != NULL && c < d; c++)
            now += direction[c] * x[c];
        if (x != NULL)
            qvBlas_AddScaled(d, -now, direction, x);
    }
}

void qvMotion_HoldPins(const qvMotion* motion, int key, const double share[3], const qvRows* row)
{
    const qvMotionSpace* space = motion->space;
    size_t d = (size_t)space->dimension, held = (size_t)space->heldCount;
    for (size_t i = 0; i < 3 * held; i++)
    {
        if (row->x[i % 3] != NULL)
            qvBlas_AddScaled((int)d, share[i % 3] * motion->heldAt[(size_t)key * held + i / 3], space->held + i / 3 * d,
                             row->x[i % 3]);
    }
}

// --- Meters and graphs ----------------------------------------------------------------------------------------------

// Times from the first on that lie in one section, as that section counts them; as many as the scratch has room for.
static int GatherTimes(const qvMotion* motion, const double* times, int timeCount, const qvMotion** own, double* local)
{
    local[0] = times[0];
    *own = qvMotion_SectionAt(motion, &local[0]);
    size_t room = qvMotion_ScratchSize(*own) / sizeof(double) - qvMotion_WorkSize(*own);
    size_t rows = (*own)->space->dimension > 0 ? room / (size_t)(*own)->space->dimension : 1;
    int most = rows < qv_motionChunk ? (int)rows : qv_motionChunk, count = 1;
    for (; count < most && count < timeCount; count++)
    {
        local[count] = times[count];
        if (qvMotion_SectionAt(motion, &local[count]) != *own)
            break;
    }
    return count;
}

void qvMotion_ModeCurves(const qvMotion* motion, const double* times, int timeCount, void* scratch, double* values)
{
    int all = qvMotionSpace_ModeCount(motion->space);
    memset(values, 0, (size_t)timeCount * (size_t)all * sizeof(double));
    for (int i = 0, count; i < timeCount; i += count)
    {
        const qvMotion* own;
        double local[qv_motionChunk], *rows = values + (size_t)i * (size_t)all;
        count = GatherTimes(motion, times + i, timeCount - i, &own, local);
        const qvMotionSpace* space = own->space;
        int d = space->dimension, modes = space->modeCount < all ? space->modeCount : all;
        double* q = (double*)scratch + qvMotion_WorkSize(own);
        qvMotion_Coordinates(own, local, count, scratch, q, NULL, NULL);
        if (modes > 0)
            qvBlas_Multiply(true, false, modes, count, d, 1.0, space->modes, d, q, d, 0.0, rows, all);
        for (int k = 0; k < count; k++)
            for (int m = 0; m < modes; m++)
                rows[k * all + m] *= space->reach[m] / space->scale;
    }
}

void qvMotion_ModeLevels(const qvMotion* motion, double time, void* scratch, double* levels)
{
    int all = qvMotionSpace_ModeCount(motion->space);
    motion = qvMotion_SectionAt(motion, &time);
    const qvMotionSpace* space = motion->space;
    int d = space->dimension;
    double *q = (double*)scratch + qvMotion_WorkSize(motion), *v = q + d, *smooth = scratch;
    memset(levels, 0, (size_t)all * sizeof(double));
    if (d == 0)
        return;
    qvMotion_Coordinates(motion, &time, 1, scratch, q, v, NULL);
    bool swings = qvMotion_CenterAt(motion, time, smooth, smooth + d);
    for (int m = 0; swings && m < space->modeCount && m < all; m++)
    {
        const double* mode = space->modes + (size_t)m * (size_t)d;
        double out = 0.0, speed = 0.0;
        for (int i = 0; i < d; i++)
        {
            out += mode[i] * (q[i] - smooth[i]);
            speed += mode[i] * (v[i] - smooth[d + i]);
        }
        double omega = QV_TWO_PI * qvMotionSpace_ModeFrequency(space, m, motion->frequency);
        double share = omega > 0.0 ? speed / omega : 0.0;
        levels[m] = sqrt(out * out + share * share) * space->reach[m] / space->scale;
    }
}

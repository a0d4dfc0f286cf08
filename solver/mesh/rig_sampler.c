// SPDX-License-Identifier: GPL-3.0-or-later
// Keyed values between their keys, as the glTF 2.0 specification (Khronos Group, 2021), appendix C, defines them.
#include "mesh/rig.h"

#include "base/assert.h"
#include "math/quat.h"

#include <string.h>

// The last key at or before time; keys before the first and after the last one are clamped.
static int FindKey(const qvRigSampler* sampler, double time)
{
    int low = 0, high = sampler->keyCount - 1;
    while (low < high)
    {
        int middle = low + (high - low + 1) / 2;
        if (sampler->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static qvQuat LoadQuat(const float* v)
{
    return qvQuat_Normalize((qvQuat){ v[0], v[1], v[2], v[3] });
}

static void StoreQuat(qvQuat q, float* v)
{
    v[0] = (float)q.x;
    v[1] = (float)q.y;
    v[2] = (float)q.z;
    v[3] = (float)q.w;
}

// Appendix C.5: Hermite with tangents per second; each key holds in-tangent, value, out-tangent.
static void EvaluateCubic(const qvRigSampler* sampler, int key, double t, double span, float* value)
{
    int width = sampler->width;
    const float* a = sampler->values + (size_t)key * 3 * (size_t)width;
    const float* b = a + 3 * (size_t)width;
    double t2 = t * t, t3 = t2 * t;
    double ha = 2.0 * t3 - 3.0 * t2 + 1.0, ta = span * (t3 - 2.0 * t2 + t);
    double hb = 3.0 * t2 - 2.0 * t3, tb = span * (t3 - t2);
    for (int i = 0; i < width; i++)
        value[i] = (float)(ha * a[width + i] + ta * a[2 * width + i] + hb * b[width + i] + tb * b[i]);
}

static void EvaluateLinear(const qvRigSampler* sampler, int key, bool isRotation, double t, float* value)
{
    int width = sampler->width;
    const float* a = sampler->values + (size_t)key * (size_t)width;
    const float* b = a + width;
    if (isRotation)
    {
        StoreQuat(qvQuat_Slerp(LoadQuat(a), LoadQuat(b), t), value);
        return;
    }
    for (int i = 0; i < width; i++)
        value[i] = (float)((1.0 - t) * a[i] + t * b[i]);
}

void qvRigSampler_Evaluate(const qvRigSampler* sampler, bool isRotation, double time, float* value)
{
    QV_ASSERT(sampler->keyCount >= 1 && (!isRotation || sampler->width == 4));
    int key = FindKey(sampler, time);
    bool isCubic = sampler->interpolation == qv_rigCubic;
    bool isOnKey = key == sampler->keyCount - 1 || !(time > sampler->times[key]);
    double span = isOnKey ? 1.0 : (double)sampler->times[key + 1] - sampler->times[key];
    double t = isOnKey ? 0.0 : (time - sampler->times[key]) / span;
    if (isOnKey || sampler->interpolation == qv_rigStep)
    {
        size_t stride = (size_t)sampler->width * (isCubic ? 3 : 1), middle = isCubic ? (size_t)sampler->width : 0;
        memcpy(value, sampler->values + (size_t)key * stride + middle, (size_t)sampler->width * sizeof(float));
    }
    else if (isCubic)
        EvaluateCubic(sampler, key, t, span, value);
    else
        EvaluateLinear(sampler, key, isRotation, t, value);
    if (isRotation)
        StoreQuat(LoadQuat(value), value);
}

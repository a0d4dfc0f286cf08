// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/sieve.h"

#include "ui/grow.h"
#include "ui/render/triple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_MIDDLES = 4, // of pixels that are looked at one by one
};

// Pixels by which a renderer may move a vertex: it counts in 1/256.
static const float TOLERANCE = 1.0f / 64.0f;

typedef enum Verdict
{
    verdictHidden,
    verdictFront,
    verdictBack,
} Verdict;

void qvuiSieve_Free(qvuiSieve* sieve)
{
    free(sieve->places);
    free(sieve->corners);
    *sieve = (qvuiSieve){ 0 };
}

// In pixels whose middles are whole numbers; NAN for what lies behind the eye.
static void Project(const qvuiSieveView* view, const qvVec3f* positions, int count, float* places)
{
    const float* m = view->matrix.m;
    const float halfWidth = 0.5f * (float)view->width, halfHeight = 0.5f * (float)view->height;
    for (int i = 0; i < count; i++)
    {
        qvVec3f p = positions[i];
        float x = m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12];
        float y = m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13];
        float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
        float inverse = w > 0.0f ? 1.0f / w : NAN;
        places[2 * i] = halfWidth * (x * inverse + 1.0f) - 0.5f;
        places[2 * i + 1] = halfHeight * (y * inverse + 1.0f) - 0.5f;
    }
}

bool qvuiSieve_Begin(qvuiSieve* sieve, const qvuiSieveView* view, const qvVec3f* positions, int count, int cornerCount)
{
    sieve->cornerCount = 0;
    if (!qvuiGrow(&sieve->places, &sieve->placeCapacity, count, 2 * sizeof(float)) ||
        !qvuiGrow(&sieve->corners, &sieve->cornerCapacity, cornerCount, sizeof(uint32_t)))
        return false;
    Project(view, positions, count, sieve->places);
    return true;
}

// Whether the middle of a pixel lies in a triangle whose area is positive, or close to it.
static bool Holds(const float* a, const float* b, const float* c, float x, float y)
{
    const float* corner[4] = { a, b, c, a };
    for (int k = 0; k < 3; k++)
    {
        float dx = corner[k + 1][0] - corner[k][0], dy = corner[k + 1][1] - corner[k][1];
        float side = dx * (y - corner[k][1]) - dy * (x - corner[k][0]);
        if (side < -TOLERANCE * (fabsf(dx) + fabsf(dy)))
            return false;
    }
    return true;
}

static bool HoldsAny(const float* a, const float* b, const float* c, const int first[2], const int last[2])
{
    for (int y = first[1]; y <= last[1]; y++)
        for (int x = first[0]; x <= last[0]; x++)
            if (Holds(a, b, c, (float)x, (float)y))
                return true;
    return false;
}

static Verdict Judge(const qvuiSieveView* view, const float* a, const float* b, const float* c)
{
    float area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    bool back = area > 0.0f;
    if (back && view->frontOnly)
        return verdictHidden;
    float low[2], high[2], size[2] = { (float)view->width, (float)view->height };
    int first[2], last[2];
    for (int k = 0; k < 2; k++)
    {
        low[k] = qvuiLeast(a[k], b[k], c[k]) - TOLERANCE;
        high[k] = qvuiMost(a[k], b[k], c[k]) + TOLERANCE;
        if (high[k] < 0.0f || low[k] > size[k])
            return verdictHidden;
    }
    Verdict seen = back ? verdictBack : verdictFront;
    // What reaches beyond the picture, and what the eye is within (not a number), is not looked at more closely.
    if (!(low[0] >= 0.0f && low[1] >= 0.0f && high[0] <= size[0] && high[1] <= size[1]))
        return seen;
    int count = 1;
    for (int k = 0; k < 2; k++)
    {
        last[k] = (int)high[k];
        first[k] = (int)low[k] + ((float)(int)low[k] < low[k]);
        count *= last[k] - first[k] + 1;
    }
    if (first[0] > last[0] || first[1] > last[1])
        return verdictHidden;
    if (count > MOST_MIDDLES)
        return seen;
    return (back ? HoldsAny(a, b, c, first, last) : HoldsAny(a, c, b, first, last)) ? seen : verdictHidden;
}

int qvuiSieve_Add(qvuiSieve* sieve, const qvuiSieveView* view, const uint32_t* corners, int cornerCount)
{
    // Those at the back are put down from the end of the room, and then follow those in front.
    uint32_t* next = sieve->corners + sieve->cornerCount;
    uint32_t* end = next + cornerCount;
    uint32_t* back = end;
    for (int i = 0; i < cornerCount; i += 3)
    {
        const uint32_t* v = corners + i;
        Verdict verdict = Judge(view, sieve->places + 2 * v[0], sieve->places + 2 * v[1], sieve->places + 2 * v[2]);
        if (verdict == verdictBack)
            back -= 3;
        if (verdict != verdictHidden)
            memcpy(verdict == verdictBack ? back : next, v, 3 * sizeof(*v));
        if (verdict == verdictFront)
            next += 3;
    }
    size_t behind = (size_t)(end - back);
    memmove(next, back, behind * sizeof(*back));
    int came = (int)(next - (sieve->corners + sieve->cornerCount)) + (int)behind;
    sieve->cornerCount += came;
    return came;
}

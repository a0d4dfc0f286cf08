// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/shadow.h"

#include "ui/render/triple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIZE = qvui_shadowSize,
    REACH = 13, // of the blur, texels
    SIDE = SIZE + 2 * REACH
};

// Gaussians of 2 and 6 texels, for contact and for the wide shadow.
static const float weight[2][REACH + 1] = {
    { 0.19947f, 0.17603f, 0.12099f, 0.06476f, 0.02700f, 0.00876f, 0.00222f, 0.00044f, 0.00007f, 0.00001f },
    { 0.06815f, 0.06721f, 0.06446f, 0.06014f, 0.05457f, 0.04815f, 0.04133f, 0.03450f, 0.02802f, 0.02212f, 0.01699f,
      0.01269f, 0.00922f, 0.00652f },
};
static const int reach[2] = { 9, REACH };
static const float fading[2] = { 14.0f, 2.6f }; // with the height

struct qvuiShadow
{
    float height[SIZE * SIZE];
    // With a margin that stays empty, so that the blur asks for no limits.
    float dark[2][SIDE * SIDE], half[2][SIDE * SIDE];
    uint16_t pixels[2 * SIZE * SIZE];
};

// In texels whose middles are whole numbers, and its height as a part of the body's size.
typedef struct Corner
{
    float x, y, height;
} Corner;

qvuiShadow* qvuiCreateShadow(void)
{
    return calloc(1, sizeof(qvuiShadow));
}

void qvuiDestroyShadow(qvuiShadow* shadow)
{
    free(shadow);
}

static float Clamp(float x)
{
    return x > 0.0f ? x < (float)(SIZE - 1) ? x : (float)(SIZE - 1) : 0.0f;
}

// The first texel at or above a place, and the last one at or below it.
static int First(float x)
{
    return SIZE - (int)((float)SIZE - Clamp(x));
}

static int Last(float x)
{
    return (int)Clamp(x);
}

static void AddTriangle(qvuiShadow* shadow, const Corner* a, const Corner* b, const Corner* c)
{
    float lowX = qvuiLeast(a->x, b->x, c->x), highX = qvuiMost(a->x, b->x, c->x);
    float lowY = qvuiLeast(a->y, b->y, c->y), highY = qvuiMost(a->y, b->y, c->y);
    int firstX = First(lowX), lastX = Last(highX), firstY = First(lowY), lastY = Last(highY);
    float abx = b->x - a->x, aby = b->y - a->y, acx = c->x - a->x, acy = c->y - a->y;
    float area = abx * acy - aby * acx;
    // Most triangles of a fine mesh lie between the middles of texels.
    if (firstX > lastX || firstY > lastY || !(fabsf(area) > 0.0f))
        return;
    for (int y = firstY; y <= lastY; y++)
        for (int x = firstX; x <= lastX; x++)
        {
            float px = (float)x - a->x, py = (float)y - a->y;
            float s = (px * acy - py * acx) / area, t = (abx * py - aby * px) / area;
            float* height = &shadow->height[y * SIZE + x];
            float here = a->height + s * (b->height - a->height) + t * (c->height - a->height);
            if (s >= 0.0f && t >= 0.0f && s + t <= 1.0f && here < *height)
                *height = here;
        }
}

// Looks at the body from below; where several layers lie over each other the lowest one, the darkest, counts.
static void FillHeights(qvuiShadow* shadow, const qvuiShadowPlace* place, const qvVec3f* positions,
                        const uint32_t* corners, int cornerCount)
{
    const float scale = (float)(0.5 * SIZE / place->extent), up = (float)(1.0 / place->size);
    const float x0 = (float)(place->centreX - place->extent), z0 = (float)(place->centreZ - place->extent);
    const float ground = (float)place->height;
    for (int i = 0; i < SIZE * SIZE; i++)
        shadow->height[i] = INFINITY;
    for (int i = 0; i < cornerCount; i += 3)
    {
        Corner corner[3];
        for (int k = 0; k < 3; k++)
        {
            const qvVec3f* p = &positions[corners[i + k]];
            corner[k] = (Corner){ (p->x - x0) * scale - 0.5f, (p->z - z0) * scale - 0.5f, (p->y - ground) * up };
        }
        AddTriangle(shadow, &corner[0], &corner[1], &corner[2]);
    }
}

static void FillDarkness(qvuiShadow* shadow)
{
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
        {
            float height = shadow->height[y * SIZE + x];
            height = height > 0.0f ? height : 0.0f;
            for (int k = 0; k < 2; k++)
                shadow->dark[k][(y + REACH) * SIDE + x + REACH] = height < INFINITY ? expf(-fading[k] * height) : 0.0f;
        }
}

// Along x for a step of 1, along y for one of SIDE.
static void Blur(const float* from, float* to, int step, int layer)
{
    for (int y = REACH; y < REACH + SIZE; y++)
    {
        float sum[SIZE];
        const float* middle = from + y * SIDE + REACH;
        for (int x = 0; x < SIZE; x++)
            sum[x] = weight[layer][0] * middle[x];
        for (int i = 1; i <= reach[layer]; i++)
        {
            const float *a = middle - i * step, *b = middle + i * step;
            for (int x = 0; x < SIZE; x++)
                sum[x] += weight[layer][i] * (a[x] + b[x]);
        }
        memcpy(to + y * SIDE + REACH, sum, sizeof(sum));
    }
}

const uint16_t* qvuiShadow_Compute(qvuiShadow* shadow, const qvuiShadowPlace* place, const qvVec3f* positions,
                                   const uint32_t* corners, int cornerCount)
{
    FillHeights(shadow, place, positions, corners, cornerCount);
    FillDarkness(shadow);
    for (int k = 0; k < 2; k++)
    {
        Blur(shadow->dark[k], shadow->half[k], 1, k);
        Blur(shadow->half[k], shadow->dark[k], SIDE, k);
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++)
            {
                float dark = shadow->dark[k][(y + REACH) * SIDE + x + REACH];
                shadow->pixels[2 * (y * SIZE + x) + k] = (uint16_t)(65535.0f * (dark < 1.0f ? dark : 1.0f) + 0.5f);
            }
    }
    return shadow->pixels;
}

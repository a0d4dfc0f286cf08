// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/blur.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a byte of a picture stands for, and back (sRGB).
static float ToLight(uint8_t value)
{
    float v = value / 255.0f;
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

static uint8_t ToByte(float light)
{
    float v = light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1.0f / 2.4f) - 0.055f;
    return (uint8_t)lroundf(255.0f * fminf(fmaxf(v, 0.0f), 1.0f));
}

qvResult qvuiBlur_Init(qvuiBlur* blur, int width, int height, qvError* error)
{
    blur->pixelCount = (size_t)width * (size_t)height;
    blur->sums = calloc(4 * blur->pixelCount, sizeof(float));
    return blur->sums != NULL ? qv_ok : qvError_OutOfMemory(error, 16.0 * (double)blur->pixelCount);
}

void qvuiBlur_Free(qvuiBlur* blur)
{
    free(blur->sums);
    *blur = (qvuiBlur){ 0 };
}

void qvuiBlur_Begin(qvuiBlur* blur)
{
    memset(blur->sums, 0, 4 * blur->pixelCount * sizeof(float));
    blur->count = 0;
}

void qvuiBlur_Add(qvuiBlur* blur, const qvImage* image)
{
    float lights[256];
    for (int i = 0; i < 256; i++)
        lights[i] = ToLight((uint8_t)i);
    for (size_t i = 0; i < blur->pixelCount; i++)
    {
        const uint8_t* pixel = image->pixels + 4 * i;
        float alpha = pixel[3] / 255.0f;
        for (int c = 0; c < 3; c++)
            blur->sums[4 * i + (size_t)c] += alpha * lights[pixel[c]];
        blur->sums[4 * i + 3] += alpha;
    }
    blur->count++;
}

void qvuiBlur_End(const qvuiBlur* blur, qvImage* image)
{
    for (size_t i = 0; i < blur->pixelCount; i++)
    {
        uint8_t* pixel = image->pixels + 4 * i;
        const float* sum = blur->sums + 4 * i;
        for (int c = 0; c < 3; c++)
            pixel[c] = sum[3] > 0.0f ? ToByte(sum[c] / sum[3]) : 0;
        pixel[3] = (uint8_t)lroundf(255.0f * sum[3] / (float)blur->count);
    }
}

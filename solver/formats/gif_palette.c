// SPDX-License-Identifier: GPL-3.0-or-later
// Colours for a GIF. P. Heckbert, "Color Image Quantization for Frame Buffer Display", 1982: median cut.
#include "quaver/gif.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BINS = 32 * 32 * 32
};

// A box of colours, 5 bits a channel, ends included.
typedef struct Box
{
    int low[3], high[3];
    double count;
} Box;

static int Bin(int r, int g, int b)
{
    return (r << 10) | (g << 5) | b;
}

// Shrinks a box to the colours that occur and counts them.
static void Tighten(Box* box, const uint32_t* counts)
{
    Box tight = { { 31, 31, 31 }, { 0, 0, 0 }, 0.0 };
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++)
            {
                uint32_t count = counts[Bin(r, g, b)];
                int at[3] = { r, g, b };
                for (int k = 0; count > 0 && k < 3; k++)
                {
                    tight.low[k] = at[k] < tight.low[k] ? at[k] : tight.low[k];
                    tight.high[k] = at[k] > tight.high[k] ? at[k] : tight.high[k];
                }
                tight.count += count;
            }
    *box = tight;
}

static int LongestAxis(const Box* box)
{
    int axis = 0, longest = -1;
    for (int k = 0; k < 3; k++)
        if (box->high[k] - box->low[k] > longest)
            axis = k, longest = box->high[k] - box->low[k];
    return axis;
}

// Pixels of a box with this value on an axis.
static double SliceCount(const Box* box, const uint32_t* counts, int axis, int value)
{
    Box slice = *box;
    slice.low[axis] = slice.high[axis] = value;
    double sum = 0.0;
    for (int r = slice.low[0]; r <= slice.high[0]; r++)
        for (int g = slice.low[1]; g <= slice.high[1]; g++)
            for (int b = slice.low[2]; b <= slice.high[2]; b++)
                sum += counts[Bin(r, g, b)];
    return sum;
}

// Splits where half of the pixels are on either side.
static void Split(Box* box, Box* other, const uint32_t* counts)
{
    int axis = LongestAxis(box), cut = box->low[axis];
    double sum = 0.0;
    for (; cut < box->high[axis] - 1; cut++)
    {
        sum += SliceCount(box, counts, axis, cut);
        if (2.0 * sum >= box->count)
            break;
    }
    *other = *box;
    box->high[axis] = cut;
    other->low[axis] = cut + 1;
    Tighten(box, counts);
    Tighten(other, counts);
}

// The box that gains most from a split; -1 when none can be split. The square root of the count lets small but
// different regions have colours too.
static int FindLargest(const Box* boxes, int count)
{
    int found = -1;
    double best = 0.0;
    for (int i = 0; i < count; i++)
    {
        int axis = LongestAxis(&boxes[i]), length = boxes[i].high[axis] - boxes[i].low[axis];
        double gain = boxes[i].count * length * length;
        if (length > 0 && gain > best)
            best = gain, found = i;
    }
    return found;
}

// The mean of what is in a box, from the sums of exact values.
static void MeanColor(const Box* box, const uint32_t* counts, const double* sums, uint8_t color[3])
{
    double total[3] = { 0.0, 0.0, 0.0 }, count = 0.0;
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++)
            {
                int bin = Bin(r, g, b);
                count += counts[bin];
                for (int k = 0; k < 3; k++)
                    total[k] += sums[3 * bin + k];
            }
    for (int k = 0; k < 3; k++)
        color[k] = (uint8_t)(count > 0.0 ? total[k] / count + 0.5 : 0.0);
}

static void FillNearest(qvGifPalette* palette)
{
    for (int bin = 0; bin < BINS; bin++)
    {
        int r = ((bin >> 10) & 31) * 255 / 31, g = ((bin >> 5) & 31) * 255 / 31, b = (bin & 31) * 255 / 31;
        int best = 1 << 30;
        for (int i = 0; i < qv_gifColors; i++)
        {
            int dr = palette->colors[i][0] - r, dg = palette->colors[i][1] - g, db = palette->colors[i][2] - b;
            int distance = 3 * dr * dr + 6 * dg * dg + db * db;
            if (distance < best)
                best = distance, palette->nearest[bin] = (uint8_t)i;
        }
    }
}

void qvGifPalette_Build(qvGifPalette* palette, const qvImage* images, int imageCount)
{
    memset(palette, 0, sizeof(*palette));
    uint32_t* counts = calloc(BINS, sizeof(*counts));
    double* sums = calloc(3 * BINS, sizeof(*sums));
    for (int i = 0; counts != NULL && sums != NULL && i < imageCount; i++)
        for (size_t p = 0; p < (size_t)images[i].width * (size_t)images[i].height; p++)
        {
            const uint8_t* pixel = images[i].pixels + 4 * p;
            int bin = Bin(pixel[0] >> 3, pixel[1] >> 3, pixel[2] >> 3);
            counts[bin]++;
            for (int k = 0; k < 3; k++)
                sums[3 * bin + k] += pixel[k];
        }
    Box boxes[qv_gifColors] = { { { 0, 0, 0 }, { 31, 31, 31 }, 0.0 } };
    int count = 1;
    if (counts != NULL && sums != NULL)
    {
        Tighten(&boxes[0], counts);
        for (int i = 0; count < qv_gifColors && (i = FindLargest(boxes, count)) >= 0; count++)
            Split(&boxes[i], &boxes[count], counts);
        for (int i = 0; i < count; i++)
            MeanColor(&boxes[i], counts, sums, palette->colors[i]);
    }
    FillNearest(palette);
    free(counts);
    free(sums);
}

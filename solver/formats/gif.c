// SPDX-License-Identifier: GPL-3.0-or-later
// GIF89a: one palette, frames that store only the rectangle that changed, LZW.
#include "quaver/gif.h"

#include "base/assert.h"
#include "base/memory.h"
#include "quaver/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SAME = qv_gifColors, // index of a pixel that stays
    MIN_BITS = 8,
    CLEAR = 1 << MIN_BITS,
    END = CLEAR + 1,
    MAX_CODES = 4096,
    TABLE = 1 << 14, // hash table of strings
};

struct qvGif
{
    qvFileWriter writer;
    int width, height, frameCount;
    double fps;
    int64_t hundredths; // written so far
    qvGifPalette palette;
    uint8_t* shown;   // indices on the screen
    uint8_t* indices; // of the frame being written
    int keys[TABLE];  // LZW: prefix << 8 | next, or -1
    int16_t codes[TABLE];
    uint8_t block[256];
    int blockSize, bitCount;
    uint32_t bits;
};

static void PutShort(qvGif* gif, int value)
{
    fputc(value & 255, gif->writer.stream);
    fputc((value >> 8) & 255, gif->writer.stream);
}

static void WriteHeader(qvGif* gif)
{
    FILE* stream = gif->writer.stream;
    fwrite("GIF89a", 1, 6, stream);
    PutShort(gif, gif->width);
    PutShort(gif, gif->height);
    fwrite("\xf7\0\0", 1, 3, stream); // 256 colours for all frames
    fwrite(gif->palette.colors, 1, sizeof(gif->palette.colors), stream);
    fwrite("\0\0\0", 1, 3, stream);
    // Plays for ever.
    fwrite("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 1, 19, stream);
}

qvResult qvCreateGif(const char* path, int width, int height, double fps, const qvGifPalette* palette, qvGif** out,
                     qvError* error)
{
    QV_ASSERT(width > 0 && height > 0 && fps > 0.0);
    *out = NULL;
    qvGif* gif = qvAllocate(1, sizeof(*gif));
    if (gif == NULL)
        return qvError_OutOfMemory(error, sizeof(*gif));
    size_t pixels = (size_t)width * (size_t)height;
    gif->width = width, gif->height = height, gif->fps = fps, gif->palette = *palette;
    gif->shown = qvAllocate(pixels, 1);
    gif->indices = qvAllocate(pixels, 1);
    qvResult result = gif->shown != NULL && gif->indices != NULL ? qvFileWriter_Open(&gif->writer, path, error)
                                                                 : qvError_OutOfMemory(error, 2.0 * (double)pixels);
    if (result != qv_ok)
    {
        free(gif->shown);
        free(gif->indices);
        free(gif);
        return result;
    }
    WriteHeader(gif);
    *out = gif;
    return qv_ok;
}

// --- Colours -------------------------------------------------------------------------------------------------------

// An ordered pattern hides the steps between colours and stays still where the picture does.
static int Dither(int x, int y)
{
    static const int8_t pattern[4][4] = { { -7, 1, -5, 3 }, { 5, -3, 7, -1 }, { -4, 4, -6, 2 }, { 8, 0, 6, -2 } };
    return pattern[y & 3][x & 3] / 2;
}

static int Shade(int value, int dither)
{
    value += dither;
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static void ChooseColors(qvGif* gif, const qvImage* image)
{
    for (int y = 0; y < gif->height; y++)
        for (int x = 0; x < gif->width; x++)
        {
            size_t i = (size_t)y * (size_t)gif->width + (size_t)x;
            const uint8_t* p = image->pixels + 4 * i;
            int d = Dither(x, y);
            int bin = (Shade(p[0], d) >> 3) << 10 | (Shade(p[1], d) >> 3) << 5 | Shade(p[2], d) >> 3;
            gif->indices[i] = gif->palette.nearest[bin];
        }
}

typedef struct Rect
{
    int x, y, width, height;
} Rect;

// What changed since the last frame; at least one pixel, because a frame cannot be empty.
static Rect FindChange(const qvGif* gif)
{
    int left = gif->width, right = -1, top = gif->height, bottom = -1;
    for (int y = 0; y < gif->height; y++)
        for (int x = 0; x < gif->width; x++)
        {
            size_t i = (size_t)y * (size_t)gif->width + (size_t)x;
            if (gif->frameCount > 0 && gif->indices[i] == gif->shown[i])
                continue;
            left = x < left ? x : left, right = x > right ? x : right;
            top = y < top ? y : top, bottom = y > bottom ? y : bottom;
        }
    return right < left ? (Rect){ 0, 0, 1, 1 } : (Rect){ left, top, right - left + 1, bottom - top + 1 };
}

// --- LZW -----------------------------------------------------------------------------------------------------------

static void FlushBlock(qvGif* gif)
{
    if (gif->blockSize == 0)
        return;
    fputc(gif->blockSize, gif->writer.stream);
    fwrite(gif->block, 1, (size_t)gif->blockSize, gif->writer.stream);
    gif->blockSize = 0;
}

static void PutCode(qvGif* gif, int code, int width)
{
    gif->bits |= (uint32_t)code << gif->bitCount;
    gif->bitCount += width;
    for (; gif->bitCount >= 8; gif->bitCount -= 8, gif->bits >>= 8)
    {
        gif->block[gif->blockSize++] = (uint8_t)gif->bits;
        if (gif->blockSize == 255)
            FlushBlock(gif);
    }
}

static void ClearTable(qvGif* gif)
{
    memset(gif->keys, 0xff, sizeof(gif->keys));
}

// The place of a string in the table: where it is, or where it would go.
static int FindString(const qvGif* gif, int key)
{
    int place = (int)(((uint32_t)key * 2654435761u) >> 18) & (TABLE - 1);
    while (gif->keys[place] != -1 && gif->keys[place] != key)
        place = (place + 1) & (TABLE - 1);
    return place;
}

typedef struct Coder
{
    int prefix, next, width;
} Coder;

static void Encode(qvGif* gif, Coder* coder, int index)
{
    if (coder->prefix < 0)
    {
        coder->prefix = index;
        return;
    }
    int key = coder->prefix << 8 | index, place = FindString(gif, key);
    if (gif->keys[place] == key)
    {
        coder->prefix = gif->codes[place];
        return;
    }
    PutCode(gif, coder->prefix, coder->width);
    coder->prefix = index;
    if (coder->next == MAX_CODES)
    {
        PutCode(gif, CLEAR, coder->width);
        ClearTable(gif);
        coder->next = END + 1, coder->width = MIN_BITS + 1;
        return;
    }
    gif->keys[place] = key;
    gif->codes[place] = (int16_t)coder->next;
    if (coder->next == 1 << coder->width && coder->width < 12)
        coder->width++;
    coder->next++;
}

static void WritePixels(qvGif* gif, Rect rect)
{
    Coder coder = { -1, END + 1, MIN_BITS + 1 };
    fputc(MIN_BITS, gif->writer.stream);
    gif->bits = 0, gif->bitCount = 0, gif->blockSize = 0;
    ClearTable(gif);
    PutCode(gif, CLEAR, coder.width);
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = rect.x; x < rect.x + rect.width; x++)
        {
            size_t i = (size_t)y * (size_t)gif->width + (size_t)x;
            bool same = gif->frameCount > 0 && gif->indices[i] == gif->shown[i];
            Encode(gif, &coder, same ? SAME : gif->indices[i]);
        }
    PutCode(gif, coder.prefix, coder.width);
    if (coder.next == 1 << coder.width && coder.width < 12)
        coder.width++;
    PutCode(gif, END, coder.width);
    if (gif->bitCount > 0)
        PutCode(gif, 0, 8 - gif->bitCount);
    FlushBlock(gif);
    fputc(0, gif->writer.stream);
}

qvResult qvGif_AddFrame(qvGif* gif, const qvImage* image, qvError* error)
{
    QV_ASSERT(image->width == gif->width && image->height == gif->height);
    ChooseColors(gif, image);
    Rect rect = FindChange(gif);
    // Whole hundredths, so that the film as a whole keeps its speed.
    int64_t until = (int64_t)llround(100.0 * (gif->frameCount + 1) / gif->fps);
    int delay = (int)(until - gif->hundredths);
    delay = delay < 2 ? 2 : delay > 65535 ? 65535 : delay;
    gif->hundredths += delay;
    FILE* stream = gif->writer.stream;
    fwrite("\x21\xf9\x04\x05", 1, 4, stream); // leave what is shown, with a transparent colour
    PutShort(gif, delay);
    fputc(SAME, stream);
    fwrite("\0\x2c", 1, 2, stream);
    PutShort(gif, rect.x);
    PutShort(gif, rect.y);
    PutShort(gif, rect.width);
    PutShort(gif, rect.height);
    fputc(0, stream);
    WritePixels(gif, rect);
    memcpy(gif->shown, gif->indices, (size_t)gif->width * (size_t)gif->height);
    gif->frameCount++;
    return ferror(stream) ? qvError_Set(error, qv_ioFailed, "%s: cannot write; is the disk full?", gif->writer.path)
                          : qv_ok;
}

static void Free(qvGif* gif)
{
    free(gif->shown);
    free(gif->indices);
    free(gif);
}

qvResult qvGif_Close(qvGif* gif, qvError* error)
{
    fputc(0x3b, gif->writer.stream);
    qvResult result = qvFileWriter_Commit(&gif->writer, error);
    Free(gif);
    return result;
}

void qvGif_Discard(qvGif* gif)
{
    if (gif == NULL)
        return;
    qvFileWriter_Discard(&gif->writer);
    Free(gif);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/texture.h"

#include "quaver/file.h"
#include "ui/render/apart.h"

#include <epoxy/gl.h>
#include <limits.h>
#include <math.h>
#include <stb_image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_SIDE = 16384,
    MAX_FILE = 1 << 29
};

// What decoding one picture may take on the way, bytes.
static const double MAX_WORK = 2147483648.0;

static int Half(int size)
{
    return size > 1 ? size / 2 : 1;
}

// Smaller copies for the distance are the picture's own, or made here.
static unsigned int Upload(const qvuiPicture* picture, GLint format)
{
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    const uint8_t* pixels = picture->pixels;
    for (int level = 0, width = picture->width, height = picture->height; level < picture->levels; level++)
    {
        glTexImage2D(GL_TEXTURE_2D, level, format, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        pixels += 4 * (size_t)width * (size_t)height;
        width = Half(width), height = Half(height);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    if (picture->levels == 1)
        glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

unsigned int qvuiCreateWhiteTexture(void)
{
    uint8_t white[4] = { 255, 255, 255, 255 };
    return Upload(&(qvuiPicture){ .pixels = white, .width = 1, .height = 1, .levels = 1 }, GL_SRGB8_ALPHA8);
}

unsigned int qvuiCreateScreenTexture(int width, int height)
{
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_BGRA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

// Rows come bottom first, as texture coordinates count.
static void FlipRows(uint8_t* pixels, int width, int height)
{
    size_t row = 4 * (size_t)width;
    for (int y = 0; y < height / 2; y++)
    {
        uint8_t *a = pixels + (size_t)y * row, *b = pixels + (size_t)(height - 1 - y) * row;
        for (size_t i = 0; i < row; i++)
        {
            uint8_t swapped = a[i];
            a[i] = b[i];
            b[i] = swapped;
        }
    }
}

// Light of the colours 0 to 255 of sRGB, and back for light in steps of 1/4095.
typedef struct Curve
{
    float light[256];
    uint8_t color[4096];
} Curve;

static void MakeCurve(Curve* curve)
{
    for (int i = 0; i < 256; i++)
    {
        double c = i / 255.0;
        curve->light[i] = (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    for (int i = 0; i < 4096; i++)
    {
        double l = i / 4095.0;
        curve->color[i] = (uint8_t)(255.0 * (l <= 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1.0 / 2.4) - 0.055) + 0.5);
    }
}

// Each pixel of the half-sized copy has the mean light of four; alpha is a plain mean.
static void Shrink(const Curve* curve, const uint8_t* from, int width, int height, uint8_t* to)
{
    int w = Half(width), h = Half(height);
    for (int y = 0; y < h; y++)
    {
        const uint8_t* upper = from + 8 * (size_t)y * (size_t)width;
        const uint8_t* lower = height > 1 ? upper + 4 * (size_t)width : upper;
        for (int x = 0; x < w; x++, to += 4)
        {
            int a = 8 * x, b = width > 1 ? a + 4 : a;
            for (int k = 0; k < 3; k++)
            {
                float light = curve->light[upper[a + k]] + curve->light[upper[b + k]] + curve->light[lower[a + k]] +
                              curve->light[lower[b + k]];
                to[k] = curve->color[(int)(0.25f * 4095.0f * light + 0.5f)];
            }
            to[3] = (uint8_t)((upper[a + 3] + upper[b + 3] + lower[a + 3] + lower[b + 3] + 2) / 4);
        }
    }
}

// Appends the smaller copies. Without memory for them the graphics card makes them.
static void AddLevels(qvuiPicture* picture)
{
    size_t size = 0;
    int levels = 1;
    for (int w = picture->width, h = picture->height;; w = Half(w), h = Half(h), levels++)
    {
        size += 4 * (size_t)w * (size_t)h;
        if (w == 1 && h == 1)
            break;
    }
    uint8_t* pixels = malloc(size);
    Curve* curve = malloc(sizeof(*curve));
    if (pixels != NULL && curve != NULL)
    {
        MakeCurve(curve);
        memcpy(pixels, picture->pixels, 4 * (size_t)picture->width * (size_t)picture->height);
        uint8_t* from = pixels;
        for (int level = 1, w = picture->width, h = picture->height; level < levels; level++)
        {
            uint8_t* to = from + 4 * (size_t)w * (size_t)h;
            Shrink(curve, from, w, h, to);
            from = to, w = Half(w), h = Half(h);
        }
        free(picture->pixels);
        picture->pixels = pixels;
        picture->levels = levels;
        pixels = NULL;
    }
    free(pixels);
    free(curve);
}

static void MultiplyByAlpha(uint8_t* pixels, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++)
        if (i % 4 != 3)
            pixels[i] = (uint8_t)((pixels[i] * pixels[i | 3] + 127) / 255);
}

// Fewer pixels until no side is above largest. Without memory for them the picture stays as it is.
static void Reduce(qvuiPicture* picture, int largest)
{
    int width = picture->width, height = picture->height;
    if (width <= largest && height <= largest)
        return;
    picture->fullWidth = width, picture->fullHeight = height;
    Curve* curve = malloc(sizeof(*curve));
    if (curve != NULL)
        MakeCurve(curve);
    while (curve != NULL && (picture->width > largest || picture->height > largest))
    {
        int w = Half(picture->width), h = Half(picture->height);
        uint8_t* smaller = malloc(4 * (size_t)w * (size_t)h);
        if (smaller == NULL)
            break;
        Shrink(curve, picture->pixels, picture->width, picture->height, smaller);
        free(picture->pixels);
        picture->pixels = smaller;
        picture->width = w, picture->height = h;
    }
    free(curve);
}

// Whether a JPEG keeps the coefficients of all of it until its end: its frame header (SOF) is of kind 2.
static bool IsProgressive(const uint8_t* bytes, size_t byteCount)
{
    for (size_t at = 2; at + 4 <= byteCount && bytes[at] == 0xff;)
    {
        uint8_t marker = bytes[at + 1];
        if (marker == 0xc2 || marker == 0xda)
            return marker == 0xc2;
        at += marker == 0xff ? 1 : 2 + ((size_t)bytes[at + 2] << 8 | bytes[at + 3]);
    }
    return false;
}

// Bytes that the decoder has at most at a time: of a PNG what it unpacks and what it makes of it, of a JPEG the planes
// of three colours, their coefficients, and what it makes of them.
static double DecodingBytes(const uint8_t* bytes, size_t byteCount, double pixels, int channels)
{
    if (byteCount > 1 && bytes[0] == 0xff && bytes[1] == 0xd8)
        return pixels * (IsProgressive(bytes, byteCount) ? 13.0 : 7.0);
    return stbi_is_16_bit_from_memory(bytes, (int)byteCount) ? pixels * (2.0 * channels + 12.0)
                                                             : pixels * (channels + 4.0);
}

static qvResult Measure(const uint8_t* bytes, size_t byteCount, const char* label, int size[2], qvError* error)
{
    int channels;
    if (byteCount > INT_MAX || !stbi_info_from_memory(bytes, (int)byteCount, &size[0], &size[1], &channels))
        return qvError_Set(error, qv_badInput, "%s: no PNG or JPEG picture; save the texture as one", label);
    double pixels = (double)size[0] * size[1];
    if (size[0] > MAX_SIDE || size[1] > MAX_SIDE || DecodingBytes(bytes, byteCount, pixels, channels) > MAX_WORK)
        return qvError_Set(error, qv_badInput, "%s: %d x %d pixels are too many; make the texture smaller", label,
                           size[0], size[1]);
    return qv_ok;
}

static qvResult Decode(const uint8_t* bytes, size_t byteCount, const char* label, qvuiPicture* picture, qvError* error)
{
    int size[2], width, height, channels;
    qvResult result = Measure(bytes, byteCount, label, size, error);
    if (result != qv_ok)
        return result;
    picture->pixels = stbi_load_from_memory(bytes, (int)byteCount, &width, &height, &channels, 4);
    if (picture->pixels == NULL)
        return qvError_Set(error, qv_badInput, "%s: %s; save the texture again", label, stbi_failure_reason());
    picture->width = width;
    picture->height = height;
    picture->levels = 1;
    return qv_ok;
}

static qvResult DecodeFile(const char* path, qvuiPicture* picture, qvError* error)
{
    qvBytes bytes;
    qvResult result = qvReadFile(path, MAX_FILE, &bytes, error);
    if (result != qv_ok)
        return result;
    result = Decode((const uint8_t*)bytes.data, bytes.size, path, picture, error);
    qvFreeBytes(&bytes);
    return result;
}

// The bytes of a texture's file, and what it is called in messages. *read is freed by the caller; it is empty for an
// embedded one.
static qvResult Open(const qvTexture* texture, const char* folder, qvBytes* read, const uint8_t** bytes,
                     size_t* byteCount, const char** label, qvError* error)
{
    *read = (qvBytes){ 0 };
    *bytes = texture->bytes, *byteCount = texture->byteCount;
    *label = texture->name[0] != 0 ? texture->name : texture->path[0] != 0 ? texture->path : "texture";
    if (texture->bytes != NULL)
        return qv_ok;
    if (folder == NULL || texture->path[0] == 0)
        return qvError_Set(error, qv_notFound, "%s: the texture's file is not known; open the mesh from its folder",
                           *label);
    char path[4096] = "";
    if (texture->path[0] == '/')
        snprintf(path, sizeof(path), "%s", texture->path);
    else
        snprintf(path, sizeof(path), "%s/%s", folder, texture->path);
    qvResult result = qvReadFile(path, MAX_FILE, read, error);
    *bytes = (const uint8_t*)read->data, *byteCount = read->size;
    return result;
}

qvResult qvuiMeasureTexture(const qvTexture* texture, const char* folder, int size[2], qvError* error)
{
    qvBytes read;
    const uint8_t* bytes;
    size_t count;
    const char* label;
    qvResult result = Open(texture, folder, &read, &bytes, &count, &label, error);
    if (result == qv_ok)
        result = Measure(bytes, count, label, size, error);
    qvFreeBytes(&read);
    return result;
}

// A texture that is decoded, with all that this needs.
typedef struct Decoding
{
    uint8_t* bytes;
    size_t byteCount;
    char label[256];
    int largest;
    qvuiPicture picture;
    qvResult result;
    qvError error;
} Decoding;

static void RunDecoding(void* order)
{
    Decoding* decoding = order;
    qvuiPicture* picture = &decoding->picture;
    decoding->result = Decode(decoding->bytes, decoding->byteCount, decoding->label, picture, &decoding->error);
    if (decoding->result != qv_ok)
        return;
    Reduce(picture, decoding->largest);
    FlipRows(picture->pixels, picture->width, picture->height);
    AddLevels(picture);
}

static void DestroyDecoding(void* order)
{
    Decoding* decoding = order;
    if (decoding == NULL)
        return;
    qvuiFreePicture(&decoding->picture);
    free(decoding->bytes);
    free(decoding);
}

// With bytes of its own: it may outlive the mesh.
static qvResult CreateDecoding(const qvTexture* texture, const char* folder, Decoding** decoding, qvError* error)
{
    qvBytes read;
    const uint8_t* bytes;
    size_t count;
    const char* label;
    qvResult result = Open(texture, folder, &read, &bytes, &count, &label, error);
    Decoding* made = result == qv_ok ? calloc(1, sizeof(*made)) : NULL;
    if (made != NULL)
    {
        made->bytes = malloc(count + 1);
        made->byteCount = count;
        snprintf(made->label, sizeof(made->label), "%s", label);
    }
    if (result == qv_ok && (made == NULL || made->bytes == NULL))
    {
        result = qvError_OutOfMemory(error, (double)count);
        DestroyDecoding(made);
        made = NULL;
    }
    if (result == qv_ok)
        memcpy(made->bytes, bytes, count);
    qvFreeBytes(&read);
    *decoding = made;
    return result;
}

qvResult qvuiDecodeTexture(const qvTexture* texture, const char* folder, int largest, const qvJob* job,
                           qvuiPicture* picture, qvError* error)
{
    *picture = (qvuiPicture){ 0 };
    Decoding* decoding;
    qvResult result = CreateDecoding(texture, folder, &decoding, error);
    if (result != qv_ok)
        return result;
    decoding->largest = largest;
    result = qvuiApart_Run(&(qvuiApart){ RunDecoding, DestroyDecoding, decoding }, job, error);
    if (result != qv_ok)
        return result;
    result = decoding->result;
    *picture = decoding->picture;
    decoding->picture = (qvuiPicture){ 0 };
    if (result != qv_ok)
        *error = decoding->error;
    DestroyDecoding(decoding);
    return result;
}

void qvuiFreePicture(qvuiPicture* picture)
{
    free(picture->pixels); // stb_image allocates with malloc
    *picture = (qvuiPicture){ 0 };
}

// Colours of bodies become linear; those of the interface are multiplied by alpha.
unsigned int qvuiUploadTexture(const qvuiPicture* picture)
{
    return Upload(picture, GL_SRGB8_ALPHA8);
}

typedef struct Level
{
    const uint8_t* pixels;
    int width, height;
} Level;

static Level FindLevel(const qvuiPicture* picture, int level)
{
    Level found = { picture->pixels, picture->width, picture->height };
    for (; level > 0; level--)
    {
        found.pixels += 4 * (size_t)found.width * (size_t)found.height;
        found.width = Half(found.width), found.height = Half(found.height);
    }
    return found;
}

// All sizes are named before the first pixel comes, the largest first: drivers then have room for all of them at once.
qvuiUpload qvuiBeginUpload(const qvuiPicture* picture)
{
    qvuiUpload upload = { .level = picture->levels - 1 };
    glGenTextures(1, &upload.name);
    glBindTexture(GL_TEXTURE_2D, upload.name);
    for (int i = 0; i < picture->levels; i++)
    {
        Level level = FindLevel(picture, i);
        glTexImage2D(GL_TEXTURE_2D, i, GL_SRGB8_ALPHA8, level.width, level.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, picture->levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, picture->levels - 1);
    glBindTexture(GL_TEXTURE_2D, 0);
    return upload;
}

bool qvuiUpload_Continue(qvuiUpload* upload, const qvuiPicture* picture, size_t bytes)
{
    bool complete = false;
    glBindTexture(GL_TEXTURE_2D, upload->name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    while (bytes > 0 && upload->level >= 0)
    {
        Level level = FindLevel(picture, upload->level);
        size_t rowSize = 4 * (size_t)level.width, rest = (size_t)(level.height - upload->row);
        size_t rows = bytes / rowSize + 1;
        rows = rows < rest ? rows : rest;
        glTexSubImage2D(GL_TEXTURE_2D, upload->level, 0, upload->row, level.width, (GLsizei)rows, GL_RGBA,
                        GL_UNSIGNED_BYTE, level.pixels + rowSize * (size_t)upload->row);
        bytes -= rows * rowSize < bytes ? rows * rowSize : bytes;
        upload->row += (int)rows;
        if (upload->row < level.height)
            continue;
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, upload->level--);
        upload->row = 0;
        complete = true;
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, 0);
    return complete;
}

bool qvuiUpload_IsDone(const qvuiUpload* upload)
{
    return upload->level < 0;
}

unsigned int qvuiUploadPicture(const qvuiPicture* picture)
{
    return Upload(picture, GL_RGBA8);
}

qvResult qvuiDecodePicture(const char* path, qvuiPicture* picture, qvError* error)
{
    *picture = (qvuiPicture){ 0 };
    qvResult result = DecodeFile(path, picture, error);
    if (result == qv_ok)
        MultiplyByAlpha(picture->pixels, (size_t)picture->width * (size_t)picture->height);
    return result;
}

void qvuiDestroyPicture(unsigned int name)
{
    glDeleteTextures(1, &name);
}

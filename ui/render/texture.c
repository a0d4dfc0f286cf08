// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/texture.h"

#include "quaver/file.h"

#include <epoxy/gl.h>
#include <limits.h>
#include <stb_image.h>
#include <stdio.h>

enum
{
    MAX_SIDE = 16384,
    MAX_FILE = 1 << 29
};

static unsigned int Upload(const uint8_t* pixels, int width, int height, GLint format)
{
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

unsigned int qvuiCreateWhiteTexture(void)
{
    const uint8_t white[4] = { 255, 255, 255, 255 };
    return Upload(white, 1, 1, GL_SRGB8_ALPHA8);
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

static void MultiplyByAlpha(uint8_t* pixels, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++)
        if (i % 4 != 3)
            pixels[i] = (uint8_t)((pixels[i] * pixels[i | 3] + 127) / 255);
}

// For bodies colours become linear and rows come bottom first; for the interface colours are multiplied by alpha.
static qvResult Decode(const uint8_t* bytes, size_t byteCount, const char* label, bool forBody, unsigned int* name,
                       qvError* error)
{
    int width, height, channels;
    if (byteCount > INT_MAX || !stbi_info_from_memory(bytes, (int)byteCount, &width, &height, &channels))
        return qvError_Set(error, qv_badInput, "%s: no PNG or JPEG picture; save the texture as one", label);
    if (width > MAX_SIDE || height > MAX_SIDE)
        return qvError_Set(error, qv_badInput, "%s: %d x %d pixels are too many; make the texture smaller", label,
                           width, height);
    uint8_t* pixels = stbi_load_from_memory(bytes, (int)byteCount, &width, &height, &channels, 4);
    if (pixels == NULL)
        return qvError_Set(error, qv_badInput, "%s: %s; save the texture again", label, stbi_failure_reason());
    if (forBody)
        FlipRows(pixels, width, height);
    else
        MultiplyByAlpha(pixels, (size_t)width * (size_t)height);
    *name = Upload(pixels, width, height, forBody ? GL_SRGB8_ALPHA8 : GL_RGBA8);
    stbi_image_free(pixels);
    return qv_ok;
}

static qvResult DecodeFile(const char* path, bool forBody, unsigned int* name, qvError* error)
{
    qvBytes bytes;
    qvResult result = qvReadFile(path, MAX_FILE, &bytes, error);
    if (result != qv_ok)
        return result;
    result = Decode((const uint8_t*)bytes.data, bytes.size, path, forBody, name, error);
    qvFreeBytes(&bytes);
    return result;
}

qvResult qvuiLoadTexture(const qvTexture* texture, const char* folder, unsigned int* name, qvError* error)
{
    *name = 0;
    const char* label = texture->name[0] != 0 ? texture->name : texture->path[0] != 0 ? texture->path : "texture";
    if (texture->bytes != NULL)
        return Decode(texture->bytes, texture->byteCount, label, true, name, error);
    if (folder == NULL || texture->path[0] == 0)
        return qvError_Set(error, qv_notFound, "%s: the texture's file is not known; open the mesh from its folder",
                           label);
    char path[4096];
    snprintf(path, sizeof(path), "%s%s%s", texture->path[0] == '/' ? "" : folder, texture->path[0] == '/' ? "" : "/",
             texture->path);
    return DecodeFile(path, true, name, error);
}

qvResult qvuiLoadPicture(const char* path, unsigned int* name, qvError* error)
{
    *name = 0;
    return DecodeFile(path, false, name, error);
}

void qvuiDestroyPicture(unsigned int name)
{
    glDeleteTextures(1, &name);
}

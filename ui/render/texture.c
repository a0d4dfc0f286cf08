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

static qvResult Decode(const uint8_t* bytes, size_t byteCount, const char* label, qvuiPicture* picture, qvError* error)
{
    int width, height, channels;
    if (byteCount > INT_MAX || !stbi_info_from_memory(bytes, (int)byteCount, &width, &height, &channels))
        return qvError_Set(error, qv_badInput, "%s: no PNG or JPEG picture; save the texture as one", label);
    if (width > MAX_SIDE || height > MAX_SIDE)
        return qvError_Set(error, qv_badInput, "%s: %d x %d pixels are too many; make the texture smaller", label,
                           width, height);
    picture->pixels = stbi_load_from_memory(bytes, (int)byteCount, &width, &height, &channels, 4);
    if (picture->pixels == NULL)
        return qvError_Set(error, qv_badInput, "%s: %s; save the texture again", label, stbi_failure_reason());
    picture->width = width;
    picture->height = height;
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

qvResult qvuiDecodeTexture(const qvTexture* texture, const char* folder, qvuiPicture* picture, qvError* error)
{
    *picture = (qvuiPicture){ 0 };
    const char* label = texture->name[0] != 0 ? texture->name : texture->path[0] != 0 ? texture->path : "texture";
    bool embedded = texture->bytes != NULL;
    if (!embedded && (folder == NULL || texture->path[0] == 0))
        return qvError_Set(error, qv_notFound, "%s: the texture's file is not known; open the mesh from its folder",
                           label);
    char path[4096] = "";
    if (!embedded && texture->path[0] == '/')
        snprintf(path, sizeof(path), "%s", texture->path);
    else if (!embedded)
        snprintf(path, sizeof(path), "%s/%s", folder, texture->path);
    qvResult result =
        embedded ? Decode(texture->bytes, texture->byteCount, label, picture, error) : DecodeFile(path, picture, error);
    if (result == qv_ok)
        FlipRows(picture->pixels, picture->width, picture->height);
    return result;
}

void qvuiFreePicture(qvuiPicture* picture)
{
    stbi_image_free(picture->pixels);
    *picture = (qvuiPicture){ 0 };
}

// Colours of bodies become linear; those of the interface stay as they are.
unsigned int qvuiUploadTexture(const qvuiPicture* picture)
{
    return Upload(picture->pixels, picture->width, picture->height, GL_SRGB8_ALPHA8);
}

qvResult qvuiLoadPicture(const char* path, unsigned int* name, qvError* error)
{
    *name = 0;
    qvuiPicture picture = { 0 };
    qvResult result = DecodeFile(path, &picture, error);
    if (result == qv_ok)
        *name = Upload(picture.pixels, picture.width, picture.height, GL_RGBA8);
    qvuiFreePicture(&picture);
    return result;
}

void qvuiDestroyPicture(unsigned int name)
{
    glDeleteTextures(1, &name);
}

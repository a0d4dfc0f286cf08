// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_images.h"

#include "formats/uri.h"
#include "quaver/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool IsDataUri(const char* uri)
{
    return strncasecmp(uri, "data:", 5) == 0;
}

static const char* MimeType(const qvBytes* bytes)
{
    static const uint8_t png[] = { 0x89, 'P', 'N', 'G' };
    return bytes->size >= 4 && memcmp(bytes->data, png, 4) == 0 ? "image/png" : "image/jpeg";
}

// Moves an image into the buffer.
static void Embed(qvGltfBuilder* builder, qvJson* image, const qvBytes* bytes, const char* mime)
{
    if (qvJson_Find(image, "mimeType") == NULL)
        qvJson_AddString(image, "mimeType", mime);
    qvJson_AddNumber(image, "bufferView",
                     qvGltfBuilder_AddView(builder, bytes->data, bytes->size, 0, QV_GLTF_NO_TARGET));
    qvJson_Remove(image, qvJson_Find(image, "uri"));
}

static qvResult EmbedText(qvGltfBuilder* builder, qvJson* image, const char* uri, qvError* error)
{
    qvGltf unlimited = { .budget = SIZE_MAX };
    qvBytes bytes = { 0 };
    qvResult result = qvGltf_DecodeDataUri(&unlimited, uri, "images", &bytes, error);
    if (result == qv_ok)
    {
        char mime[64] = "";
        size_t length = strcspn(uri + 5, ";,");
        if (length < sizeof(mime))
            memcpy(mime, uri + 5, length);
        Embed(builder, image, &bytes, mime);
    }
    qvFreeBytes(&bytes);
    return result;
}

// --- Files -------------------------------------------------------------------------------------------------------

static bool SameFolder(const char* a, const char* b)
{
    char *x = realpath(a, NULL), *y = realpath(b, NULL);
    bool same = x != NULL && y != NULL && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

// Whether the folder has a file of that name with other bytes.
static bool IsTaken(const char* folder, const char* name, const qvBytes* bytes)
{
    char* path = qvPath_Join(folder, name);
    qvBytes there = { 0 };
    qvResult result = path != NULL ? qvReadFile(path, INT_MAX, &there, NULL) : qv_outOfMemory;
    bool taken = result != qv_notFound &&
                 !(result == qv_ok && there.size == bytes->size && memcmp(there.data, bytes->data, there.size) == 0);
    qvFreeBytes(&there);
    free(path);
    return taken;
}

// Copies an image beside the document, under its own name or, where another file has that, with the document's before
// it.
static qvResult Copy(qvGltfBuilder* builder, qvJson* image, const char* folder, const char* name, const qvBytes* bytes,
                     qvFileSet* files, qvError* error)
{
    const char* document = qvPath_FileName(files->writers[0].path);
    char chosen[512];
    snprintf(chosen, sizeof(chosen), "%s", name);
    if (IsTaken(folder, chosen, bytes))
        snprintf(chosen, sizeof(chosen), "%.*s_%s", (int)strcspn(document, "."), document, name);
    char* path = qvPath_Join(folder, chosen);
    char* uri = qvEncodeUri(chosen);
    builder->failed |= path == NULL || uri == NULL;
    qvResult result = qv_ok;
    if (path != NULL && uri != NULL)
    {
        qvJson_Remove(image, qvJson_Find(image, "uri"));
        qvJson_AddString(image, "uri", uri);
        result = qvFileSet_AddBytes(files, path, bytes->data, bytes->size, error);
    }
    free(path);
    free(uri);
    return result;
}

static qvResult PackFile(qvGltfBuilder* builder, qvJson* image, const char* folder, const char* relative, bool binary,
                         const char* target, qvFileSet* files, qvError* error)
{
    char* path = qvPath_Join(folder, relative);
    if (path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(relative));
    qvBytes bytes;
    qvResult result = qv_ok;
    if (qvReadFile(path, INT_MAX, &bytes, NULL) == qv_ok)
    {
        if (binary)
            Embed(builder, image, &bytes, MimeType(&bytes));
        else
            result = Copy(builder, image, target, qvPath_FileName(relative), &bytes, files, error);
    }
    qvFreeBytes(&bytes);
    free(path);
    return result;
}

static qvResult PackImage(qvGltfBuilder* builder, qvJson* image, const char* folder, bool binary, const char* target,
                          qvFileSet* files, qvError* error)
{
    const char* uri = qvJson_Text(qvJson_Find(image, "uri"));
    if (IsDataUri(uri))
        return binary ? EmbedText(builder, image, uri, error) : qv_ok;
    if (uri[0] == 0 || folder == NULL || (!binary && target == NULL))
        return qv_ok;
    char* relative = strdup(uri);
    if (relative == NULL)
        return qvError_OutOfMemory(error, (double)strlen(uri));
    qvDecodeUri(relative);
    qvResult result =
        qvPath_IsInside(relative) ? PackFile(builder, image, folder, relative, binary, target, files, error) : qv_ok;
    free(relative);
    return result;
}

qvResult qvGltf_PackImages(qvGltfBuilder* builder, const char* folder, bool binary, qvFileSet* files, qvError* error)
{
    char* target = files != NULL ? qvPath_Folder(files->writers[0].path) : NULL;
    bool stays = target != NULL && folder != NULL && SameFolder(folder, target);
    qvResult result = qv_ok;
    qvJson* images = qvJson_Find(builder->json, "images");
    for (qvJson* image = qvJson_First(images); image != NULL && result == qv_ok; image = qvJson_Next(image))
        result = PackImage(builder, image, folder, binary, stays ? NULL : target, files, error);
    free(target);
    return result;
}

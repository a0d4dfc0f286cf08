// SPDX-License-Identifier: GPL-3.0-or-later
// The scene that an exported glTF file carries in its extras. Only the JSON is looked at, not the buffers.
#include "quaver/animation.h"

#include "formats/gltf_builder.h"
#include "formats/little_endian.h"
#include "quaver/file.h"
#include "quaver/json.h"

#include <limits.h>
#include <string.h>

// The JSON of a .glb, or the file itself. False when the header lies.
static bool FindJson(const qvBytes* bytes, const char** text, size_t* size)
{
    *text = bytes->data;
    *size = bytes->size;
    if (bytes->size < 4 || memcmp(bytes->data, "glTF", 4) != 0)
        return true;
    if (bytes->size < 20 || memcmp(bytes->data + 16, "JSON", 4) != 0)
        return false;
    *text = bytes->data + 20;
    *size = qvLittle_GetUint32(bytes->data + 12);
    return *size <= bytes->size - 20;
}

static qvResult FindScene(const qvBytes* bytes, char** text, qvError* error)
{
    const char* json;
    size_t size;
    if (!FindJson(bytes, &json, &size))
        return qvError_Set(error, qv_badInput, "byte 12: the chunk of JSON is not there; the file is damaged");
    qvJson* root;
    qvResult result = qvParseJson(json, size, NULL, &root, error);
    if (result != qv_ok)
        return result;
    const qvJson* scene = qvJson_Find(qvJson_Find(root, "extras"), "quaver");
    if (!qvJson_IsString(scene))
        result = qvError_Set(error, qv_notFound, "carries no scene; export it with the scene embedded");
    else
        *text = strdup(qvJson_Text(scene));
    if (result == qv_ok && *text == NULL)
        result = qvError_OutOfMemory(error, (double)strlen(qvJson_Text(scene)));
    qvDestroyJson(root);
    return result;
}

qvResult qvReadEmbeddedScene(const char* path, char** text, qvError* error)
{
    *text = NULL;
    qvBytes bytes;
    qvResult result = qvReadFile(path, INT_MAX, &bytes, error);
    if (result != qv_ok)
        return result;
    result = FindScene(&bytes, text, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    qvFreeBytes(&bytes);
    return result;
}

void qvGltfBuilder_EmbedScene(qvGltfBuilder* builder, const char* text)
{
    qvJson* extras = qvJson_Find(builder->json, "extras");
    if (!qvJson_IsObject(extras))
    {
        qvJson_Remove(builder->json, extras);
        extras = qvJson_AddObject(builder->json, "extras");
    }
    qvJson_Remove(extras, qvJson_Find(extras, "quaver"));
    if (text != NULL)
        qvJson_AddString(extras, "quaver", text);
    if (qvJson_Count(extras) == 0)
        qvJson_Remove(builder->json, extras);
}

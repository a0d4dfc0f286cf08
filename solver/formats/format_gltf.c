// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf.h"

#include <string.h>

static bool IsBinary(const char* data, size_t size)
{
    return size >= 4 && memcmp(data, "glTF", 4) == 0;
}

static qvResult Write(const qvModel* model, const qvVec3f* positions, bool binary, qvFileSet* files, qvError* error)
{
    return model->source != NULL ? qvWriteGltfBack(model, positions, binary, files, error)
                                 : qvWriteGltfFresh(model, positions, binary, files, error);
}

static qvResult WriteText(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error)
{
    return Write(model, positions, false, files, error);
}

static qvResult WriteBinary(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error)
{
    return Write(model, positions, true, files, error);
}

const qvFormat qvFormatGlb = {
    .info = { .tag = "glb", .label = "glTF 2.0 binary", .extensions = "glb", .canRead = true, .canWrite = true },
    .recognize = IsBinary,
    .read = qvReadGltf,
    .write = WriteBinary,
};

const qvFormat qvFormatGltf = {
    .info = { .tag = "gltf", .label = "glTF 2.0", .extensions = "gltf", .canRead = true, .canWrite = true },
    .read = qvReadGltf,
    .write = WriteText,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed documents become ordinary ones as they are read: what is unpacked makes one more buffer, and nothing of
// the extensions is left. EXT_meshopt_compression (Khronos Group, 2020), also by its later name with KHR, and
// KHR_draco_mesh_compression (Khronos Group, 2018).
#pragma once

#include "formats/gltf.h"

/// What is unpacked so far.
typedef struct qvGltfUnpacked
{
    qvBytes bytes;
    size_t capacity;
} qvGltfUnpacked;

/// Whether an item of buffers only stands for what unpacking gives, so that it needs no bytes of its own.
bool qvGltf_IsFallback(const qvJson* buffer);

/// Unpacks all. The buffers have room for one more, and views may come. What is unpacked counts against the budget.
QV_CHECKED qvResult qvGltf_Unpack(qvGltf* gltf, qvError* error);

/// Room for size bytes more, which start at *offset, a multiple of 4.
QV_CHECKED qvResult qvGltfUnpacked_Extend(qvGltfUnpacked* unpacked, qvGltf* gltf, size_t size, const char* place,
                                          size_t* offset, qvError* error);

/// Removes an extension of an object, and the name of one from the lists of those in use.
void qvGltf_DropExtension(qvJson* object, const char* name);
void qvGltf_DropName(qvGltf* gltf, const char* name);

/// Primitives that Draco compressed, where nothing else holds them (gltf_draco.c).
QV_CHECKED qvResult qvGltf_UnpackDraco(qvGltf* gltf, qvGltfUnpacked* unpacked, qvError* error);

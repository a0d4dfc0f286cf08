// SPDX-License-Identifier: GPL-3.0-or-later
// The end of every export of glTF: the document that was built becomes files.
#pragma once

#include "formats/export.h"
#include "formats/gltf_builder.h"

typedef enum qvGltfForm
{
    qv_gltfText,   ///< .gltf, .bin and the images
    qv_gltfBinary, ///< .glb
    qv_gltfPage,   ///< .html with a viewer and the .glb inside
} qvGltfForm;

/// Or what the files would take, where the task only estimates.
QV_CHECKED qvResult qvGltf_WriteOut(const qvExportTask* task, qvGltfBuilder* builder, qvGltfForm form, qvError* error);

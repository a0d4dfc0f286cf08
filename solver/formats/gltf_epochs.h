// SPDX-License-Identifier: GPL-3.0-or-later
// A body whose topology changes as glTF: a node and a mesh for every frame, of which the clip shows one at a time by
// scales of 0 and 1 that jump (STEP).
#pragma once

#include "formats/gltf_out.h"

/// For animations with meshes of their own.
QV_CHECKED qvResult qvExportGltfEpochs(const qvExportTask* task, qvGltfForm form, qvError* error);

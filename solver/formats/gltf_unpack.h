// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed documents become ordinary ones as they are read: what is unpacked makes one more buffer, and nothing of
// the extensions is left. EXT_meshopt_compression (Khronos Group, 2020), also by its later name with KHR.
#pragma once

#include "formats/gltf.h"

/// Whether an item of buffers only stands for what unpacking gives, so that it needs no bytes of its own.
bool qvGltf_IsFallback(const qvJson* buffer);

/// Unpacks all. The buffers have room for one more. What is unpacked counts against the budget.
QV_CHECKED qvResult qvGltf_Unpack(qvGltf* gltf, qvError* error);

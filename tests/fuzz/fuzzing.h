// SPDX-License-Identifier: GPL-3.0-or-later
// What the fuzzers of mesh formats do with any bytes. A check that fails ends the program.
#pragma once

#include "formats/format.h"
#include "quaver/model.h"

#include <stdint.h>

/// What libFuzzer calls; each fuzzer has one.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Reads the bytes in a format ("obj"): a model, or NULL and one line that says why not.
qvModel* FuzzLoad(const char* format, const uint8_t* data, size_t size);

/// Writes the model in the format and reads it again: must work, with that many vertices.
void FuzzRoundTrip(const qvFormat* format, const qvModel* model, int vertexCount);

/// Poses a rig at two times; NULL is fine.
void FuzzPose(const qvRig* rig);

/// Animates the model in three frames, and makes the glTF document of it in memory: with a rigid motion, quantized,
/// below its skin, and compressed.
void FuzzAnimate(const qvModel* model);

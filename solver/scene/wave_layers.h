// SPDX-License-Identifier: GPL-3.0-or-later
// What layers of waves have in common: those that were edited and those that answer the motion.
#pragma once

#include "scene/pipeline.h"

/// Adds what every layer of waves takes from a scene, whatever its waves are.
uint64_t qvHashWaveScene(const qvScene* scene, uint64_t hash);

/// A layer of a definition that has its base, events and waves of keys.
QV_CHECKED qvResult qvMakeTakeWaves(const qvSolving* solving, qvWaveLayerDef* def, qvTakeWaves** waves, qvError* error);

// For the descriptors.
void qvDestroyTakeWaves(void* object);
size_t qvTakeWaves_ScratchSize(const void* object);
void qvTakeWaves_Add(const void* object, double time, void* scratch, qvPool* pool, qvVec3f* points);
const qvWaveLayer* qvTakeWaves_Layer(const void* object);

// SPDX-License-Identifier: GPL-3.0-or-later
// What quaver info says of a scene, beyond its mesh.
#pragma once

#include "quaver/json.h"
#include "quaver/take.h"

/// Fails with qv_cancelled only.
QV_CHECKED qvResult AddSceneFacts(qvJson* root, const qvTake* take, const qvJob* job, qvError* error);

/// The same for people, from the JSON.
void PrintSceneFacts(const qvJson* root);

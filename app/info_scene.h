// SPDX-License-Identifier: GPL-3.0-or-later
// What quaver info says of a scene, beyond its mesh.
#pragma once

#include "quaver/json.h"
#include "quaver/take.h"

void AddSceneFacts(qvJson* root, const qvTake* take);

/// The same for people, from the JSON.
void PrintSceneFacts(const qvJson* root);

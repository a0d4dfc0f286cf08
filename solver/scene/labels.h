// SPDX-License-Identifier: GPL-3.0-or-later
// What messages call keys and events. Never their number: lists here are sorted by time, files need not be.
#pragma once

#include "base/label.h"
#include "quaver/scene.h"

/// key "lean" at 1.5 s. The time finds one to which the file gives no id.
qvLabel qvSceneKey_Label(const qvSceneKey* key);
/// event "e2" at 0.3 s
qvLabel qvSceneEvent_Label(const qvSceneEvent* event);
qvLabel qvSceneSimulation_Label(const qvSceneSimulation* simulation);

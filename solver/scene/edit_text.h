// SPDX-License-Identifier: GPL-3.0-or-later
// Edits as JSON: {"do": "set", "kind": "stroke", "id": 5, "field": "radius", "value": 0.2}.
#pragma once

#include "quaver/document.h"

/// The edit as a tree; NULL when memory runs out. id is that of an object that was added; the scene has it already.
qvJson* qvPrintEditTree(const qvEdit* edit, const qvScene* scene, qvId id);
/// Strings and values of the edit stay in the tree. Keys and events may be given by their ids in the scene's file.
QV_CHECKED qvResult qvReadEditTree(const qvJson* tree, const qvScene* scene, qvEdit* edit, qvError* error);

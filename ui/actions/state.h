// SPDX-License-Identifier: GPL-3.0-or-later
/// What the action table asks: check marks and whether an action is possible.
#pragma once

#include <stdbool.h>

struct qvuiEditor;

bool qvuiHasMesh(const struct qvuiEditor* editor);
bool qvuiIsOrthographic(const struct qvuiEditor* editor);
bool qvuiIsFlat(const struct qvuiEditor* editor);
bool qvuiIsWireframe(const struct qvuiEditor* editor);
bool qvuiIsGrid(const struct qvuiEditor* editor);
bool qvuiIsInspector(const struct qvuiEditor* editor);
bool qvuiIsFullScreen(const struct qvuiEditor* editor);

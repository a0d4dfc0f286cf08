// SPDX-License-Identifier: GPL-3.0-or-later
/// An OpenGL 3.3 context without a window or a display, through EGL.
#pragma once

#include "quaver/result.h"

typedef struct qvuiHeadless qvuiHeadless;

/// Makes a context and makes it current on this thread. Fails with an error that says so when the machine has no EGL.
QV_CHECKED qvResult qvuiCreateHeadless(qvuiHeadless** headless, qvError* error);
void qvuiDestroyHeadless(qvuiHeadless* headless);

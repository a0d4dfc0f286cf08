// SPDX-License-Identifier: GPL-3.0-or-later
/// Shows a folder in the desktop's file manager, and knows when that fails.
#pragma once

#include "ui/editor/path.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct qvuiOpener
{
    pid_t child; ///< 0: none
    double since;
    char folder[qvui_maxPath];
} qvuiOpener;

/// Starts; false when there is no such program.
bool qvuiOpener_Show(qvuiOpener* opener, const char* folder, double now);

/// True once when it could not show the folder.
bool qvuiOpener_HasFailed(qvuiOpener* opener);

/// Seconds until it should be asked again; negative: never. One that stays has shown the folder.
double qvuiOpener_NextWake(const qvuiOpener* opener, double now);

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quaver/result.h"

/// Makes a folder and those above it; one that is there already is fine.
QV_CHECKED qvResult qvMakeFolder(const char* path, qvError* error);

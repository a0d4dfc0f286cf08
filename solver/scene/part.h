// SPDX-License-Identifier: GPL-3.0-or-later
// What writing and joining of parts share.
#pragma once

#include "quaver/part.h"

/// A number for all bytes of a regular file. The message of a failure starts with the path.
QV_CHECKED qvResult qvHashFile(const char* path, const qvJob* job, uint64_t* checksum, qvError* error);

/// Why two parts do not belong together, one clause about the second; NULL: they do.
const char* qvPart_WhyForeign(const qvPartFile* a, const qvPartFile* b);

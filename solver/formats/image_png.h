// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quaver/image.h"

#include <stdio.h>

/// Writes a PNG file's bytes to a stream.
QV_CHECKED qvResult qvWritePng(const qvImage* image, FILE* stream, const qvJob* job, qvError* error);

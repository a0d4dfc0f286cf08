// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quaver/sparse.h"

/// The pattern of a part of the rows and columns: number [size] is the new number of each, ascending from 0, or -1 for
/// those left out; keptCount of them stay. keptEntry [entryCount at most] receives where each entry was.
QV_CHECKED qvResult qvSelectSparsePattern(const qvSparsePattern* pattern, const int32_t* number, int keptCount,
                                          qvSparsePattern** selected, int32_t* keptEntry, qvError* error);

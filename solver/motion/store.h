// SPDX-License-Identifier: GPL-3.0-or-later
// What spaces keep in a store of numbers.
#pragma once

#include "quaver/modal.h"
#include "quaver/motion.h"

enum
{
    QV_WORTH_KEEPING = 3000 ///< coordinates: what smaller bodies need is computed as fast as a file is read
};

/// The modes of a body with so many coordinates, or NULL. store may be NULL.
qvModes* qvLoadModes(const qvNumberStore* store, uint64_t hash, int size);

/// Keeps the modes of bodies that are not small. store and modes may be NULL.
void qvSaveModes(const qvNumberStore* store, uint64_t hash, const qvModes* modes);

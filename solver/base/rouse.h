// SPDX-License-Identifier: GPL-3.0-or-later
// For short loops that follow each other closely: to wake a worker takes as long as one of them.
#pragma once

#include "quaver/job.h"

/// Wakes the workers. Until qvPool_Rest, a worker that finds nothing to do stays awake for a tenth of a millisecond
/// before it sleeps. Every call needs its qvPool_Rest; NULL is allowed.
void qvPool_Rouse(qvPool* pool);
void qvPool_Rest(qvPool* pool);

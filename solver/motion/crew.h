// SPDX-License-Identifier: GPL-3.0-or-later
// Items of work for a few workers that each need much memory of their own.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

/// One item by one of the workers; no worker has two items at a time.
typedef qvResult qvCrewFcn(void* context, int worker, int item, const qvJob* job, qvError* error);

/// All items. Several workers run on the job's pool; a single one runs on the calling thread and leaves the pool to
/// what the item calls. After a failure no further item is begun; the result is that of the first item that failed.
QV_CHECKED qvResult qvRunCrew(int workerCount, int itemCount, qvCrewFcn* fcn, void* context, const qvJob* job,
                              qvError* error);

// SPDX-License-Identifier: GPL-3.0-or-later
/// Calls of other people's code that take long and ask nobody.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

typedef struct qvuiApart
{
    void (*run)(void* order);     ///< the call; touches nothing but its order
    void (*destroy)(void* order); ///< frees an order whose call was left to itself
    void* order;
} qvuiApart;

/// Runs the call on a thread of its own and asks the job meanwhile. After a refusal nobody waits for it: the result is
/// qv_cancelled, and the order is destroyed when the call has ended. Else it is the caller's again. Without a job that
/// can refuse, the call runs here.
QV_CHECKED qvResult qvuiApart_Run(const qvuiApart* apart, const qvJob* job, qvError* error);

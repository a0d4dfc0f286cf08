// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a job: a call that reports its own progress from 0 to 1 within a longer one. What is shown never goes back.
#pragma once

#include "quaver/job.h"

typedef struct qvJobPart
{
    qvJob job; ///< handed to the call
    const qvJob* outer;
    double from, to; ///< what the part is of the whole
    double shown;
} qvJobPart;

/// The job to hand to the call; NULL where outer is. outer and part must outlive it.
const qvJob* qvJobPart_Begin(qvJobPart* part, const qvJob* outer, double from, double to);

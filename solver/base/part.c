// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/part.h"

#include <math.h>

static bool Relay(void* context, const char* stage, double fraction)
{
    qvJobPart* part = context;
    const qvJob* outer = part->outer;
    if (fraction >= 0.0)
        part->shown = fmax(part->shown, part->from + (part->to - part->from) * fmin(fraction, 1.0));
    return outer->progress(outer->context, stage, fraction >= 0.0 ? part->shown : fraction);
}

static void RelayLine(void* context, qvLogLevel level, const char* line)
{
    const qvJob* outer = ((const qvJobPart*)context)->outer;
    outer->log(outer->context, level, line);
}

const qvJob* qvJobPart_Begin(qvJobPart* part, const qvJob* outer, double from, double to)
{
    *part = (qvJobPart){ .outer = outer, .from = from, .to = to, .shown = from };
    if (outer == NULL)
        return NULL;
    part->job = (qvJob){ .pool = outer->pool,
                         .progress = outer->progress != NULL ? Relay : NULL,
                         .log = outer->log != NULL ? RelayLine : NULL,
                         .context = part };
    return &part->job;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of many oscillating segments, compiled once per CPU level; the formulas are those of InitOscillating and
// InitProduct in segment.c.
#include "wiggly/map.h"

#include "wiggly/fast_functions.h"

#include <math.h>

void QV_KERNEL(qvMapRows* restrict rows, int count)
{
    for (int i = 0; i < count; i++)
    {
        double u = rows->u[i], kappa = rows->kappa[i], theta = sqrt(fabs(u * u - kappa)), s, c;
        SinCos(0.5 * theta, &s, &c);
        // (1 - exp(-u)) / u without cancellation
        double far = Decay(u), part = SelectBelow(u, 0.5, SmallDecay(u), (1.0 - far) / u);
        double lost = SelectBelow(u, 0.5, u * part, 1.0 - far), decay = 1.0 - lost;
        decay = SelectBelow(u, 0.5, decay, far);
        double square = 0.25 * lost * lost, sx = 0.5 * part * (2.0 - lost), sy = decay * (2.0 * s * c / theta);
        double cy = decay * (c - s) * (c + s), rest = decay * decay;
        double overSum = 2.0 / (sx + sy), overDifference = 2.0 / (sx - sy);
        rows->as[i] = 2.0 * (square + decay * c * c) * overSum;
        rows->aa[i] = 2.0 * (square + decay * s * s) * overDifference;
        rows->asExcess[i] = (rest + cy - u * sy) * overSum;
        rows->aaExcess[i] = (rest - cy + u * sy) * overDifference;
        rows->ba[i] = -0.5 * kappa * (sx + sy) * overDifference;
        rows->gamma[i] = -0.5 * (sx - sy) * overSum;
        rows->gamma1[i] = sy * overSum;
    }
}

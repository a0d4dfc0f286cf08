// SPDX-License-Identifier: GPL-3.0-or-later
// Compliances must be positive for contact on them to be well posed; collocation does not see to that.
#pragma once

#include "quaver/job.h"

/// Adds as little to the diagonal of a symmetric matrix c [rows x rows] as makes it positive: shift times its largest
/// eigenvalue. l receives the lower triangle with l l^T = c. The job is asked on the way.
QV_CHECKED qvResult qvMakePositive(int rows, double* c, double* l, double* shift, const qvJob* job, qvError* error);

// SPDX-License-Identifier: GPL-3.0-or-later
#define QV_KERNEL qvEvaluateCurveAvx2
#include "wiggly/curve_kernel.inl"

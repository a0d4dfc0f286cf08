// SPDX-License-Identifier: GPL-3.0-or-later
#define QV_KERNEL qvEvaluateCurveAvx512
#include "wiggly/curve_kernel.inl"

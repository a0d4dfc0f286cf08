// SPDX-License-Identifier: GPL-3.0-or-later
#define KERNEL qvEvaluateCurveAvx512
#include "wiggly/curve_kernel.inl"

// SPDX-License-Identifier: GPL-3.0-or-later
#define QV_KERNEL qvFillMapsAvx512
#include "wiggly/map_kernel.inl"

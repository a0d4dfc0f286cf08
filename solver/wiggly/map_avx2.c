// SPDX-License-Identifier: GPL-3.0-or-later
#define QV_KERNEL qvFillMapsAvx2
#include "wiggly/map_kernel.inl"

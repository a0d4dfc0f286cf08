// SPDX-License-Identifier: GPL-3.0-or-later
#define KERNEL qvFillMapsAvx512
#include "wiggly/map_kernel.inl"

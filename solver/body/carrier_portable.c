// SPDX-License-Identifier: GPL-3.0-or-later
#define CARRY_POINTS qvCarryPoints_Portable
#include "body/carrier_kernel.inl"

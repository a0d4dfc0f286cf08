// SPDX-License-Identifier: GPL-3.0-or-later
#define CARRY_POINTS qvCarryPoints_Avx2
#include "body/carrier_kernel.inl"

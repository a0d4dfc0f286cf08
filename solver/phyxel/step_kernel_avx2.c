// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/step_kernel.h"

#define LEVEL  _Avx2
#define REAL   double
#define SUFFIX D
#include "phyxel/step_kernel.inl"
#define REAL   float
#define SUFFIX F
#include "phyxel/step_kernel.inl"

// SPDX-License-Identifier: GPL-3.0-or-later
#define EXPAND     qvExpand_Avx2
#define EXPAND_TWO qvExpandTwo_Avx2
#include "motion/expand_kernel.inl"

// SPDX-License-Identifier: GPL-3.0-or-later
#define EXPAND     qvExpand_Avx512
#define EXPAND_TWO qvExpandTwo_Avx512
#include "motion/expand_kernel.inl"

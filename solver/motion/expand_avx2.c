// SPDX-License-Identifier: GPL-3.0-or-later
#include <immintrin.h>

#define LANES 8
#define LOAD(from, to) \
    (*(to) = (Lanes)_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i*)(from)))))
#define EXPAND_ONE qvExpandOne_Avx2
#define EXPAND_TWO qvExpandTwo_Avx2
#include "motion/expand_kernel.inl"

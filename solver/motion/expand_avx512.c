// SPDX-License-Identifier: GPL-3.0-or-later
#include <immintrin.h>

#define LANES 16
#define LOAD(from, to) \
    (*(to) = (Lanes)_mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i*)(from)))))
#define EXPAND_ONE qvExpandOne_Avx512
#define EXPAND_TWO qvExpandTwo_Avx512
#include "motion/expand_kernel.inl"

// SPDX-License-Identifier: GPL-3.0-or-later
// Compression of smooth dense matrices by Haar wavelets.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022),
// section 3.3: orthonormal transform, all levels on the columns and then on the rows, the largest entries are kept.
#pragma once

#include "quaver/result.h"

/// In place, size x size by rows, size a power of two; averages come first.
QV_CHECKED qvResult qvHaar_Forward(int size, double* matrix, qvError* error);
QV_CHECKED qvResult qvHaar_Backward(int size, double* matrix, qvError* error);

/// Zeroes all but the keep entries of largest magnitude (ties go to the lower index).
QV_CHECKED qvResult qvHaar_Keep(int size, double* matrix, int keep, qvError* error);

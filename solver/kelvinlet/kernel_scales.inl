// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels for one number of radii (SCALES). The order of these files matters.
#include "kelvinlet/jet.inl"

#include "kelvinlet/radial.inl"

#include "kelvinlet/evaluate.inl"

#undef SCALES

// SPDX-License-Identifier: GPL-3.0-or-later
// Engines of simulations.
QV_ENGINE(qvPointsEngine)
QV_ENGINE(qvSurfaceEngine)

// SPDX-License-Identifier: GPL-3.0-or-later
// Free motion of w'' + 2 delta w' + lambda w + g = 0.
#pragma once

/// Impulse response k(t), its derivative, and its integral from 0 to t.
void qvWiggly_Response(double lambda, double delta, double t, double* k, double* k1, double* step);

/// Value, velocity and acceleration at time t of the motion that starts with w and v.
void qvWiggly_FreeMotion(double lambda, double delta, double g, double w, double v, double t, double out[3]);

// SPDX-License-Identifier: GPL-3.0-or-later
// Free motion of a damped spring, L = w'' + 2 delta w' + lambda w + g = 0, through its impulse response
//   k(t) = exp(-delta t) sinh(m t) / m,  m^2 = delta^2 - lambda
//   w(t) = (k' + 2 delta k) w0 + k v0 - g int k,   w'(t) = -lambda k w0 + k' v0 - g k
#include "wiggly/vibration.h"

#include "quaver/wiggly.h"

#include <math.h>

// Unstable motion stops growing after this many times e, before it leaves the range of doubles.
static const double MOST_GROWTH = 200.0;

// exp(-delta t) times sinh(m t) / m and cosh(m t)
static void Respond(double lambda, double delta, double t, double* s, double* c)
{
    double square = (delta * delta - lambda) * t * t, r = sqrt(fabs(square));
    if (square <= 0.0)
    {
        double decay = exp(fmin(-delta * t, MOST_GROWTH));
        *s = decay * t * (r < 1e-150 ? 1.0 : sin(r) / r);
        *c = decay * cos(r);
        return;
    }
    // The slower rate, r - delta t = -lambda t^2 / (r + delta t), without cancellation
    double slow = delta > 0.0 ? -lambda * t * t / (r + delta * t) : r - delta * t;
    double half = expm1(-2.0 * r), growth = exp(fmin(slow, MOST_GROWTH));
    *s = growth * t * (r < 1e-150 ? 1.0 : -half / (2.0 * r));
    *c = growth * (1.0 + 0.5 * half);
}

// int_0^t k: the step response. By its own series where 1 - k' - 2 delta k cancels.
static double StepResponse(double lambda, double delta, double t, double s, double c)
{
    double kappa = lambda * t * t, u = delta * t;
    if (fabs(kappa) + fabs(u) > 0.5)
    {
        if (fabs(kappa) > 0.1 * fmax(1.0, fabs(u)))
            return (1.0 - c - delta * s) / lambda;
        // lambda nearly 0 while damping is not: integrate the two rates -(delta -+ m) separately
        double m = sqrt(fmax(u * u - kappa, 0.0)), fast = u + copysign(m, u), slow = kappa / fast;
        double a = fabs(slow) < 1e-150 ? 1.0 : -expm1(fmin(-slow, MOST_GROWTH)) / slow;
        double b = -expm1(fmin(-fast, MOST_GROWTH)) / fast;
        return t * t * (a - b) / (fast - slow);
    }
    // k = t sum c_n t^n with (n + 1) n c_(n) from k'' = -2 delta k' - lambda k
    double previous = 0.0, term = 1.0, sum = 0.5; // terms of k / t: 1, -u, ...
    for (int n = 1; n < 30; n++)
    {
        double next = -(2.0 * u * n * term + kappa * previous) / ((n + 1) * n);
        previous = term;
        term = next;
        sum += term / (n + 2);
    }
    return t * t * sum;
}

void qvWiggly_Response(double lambda, double delta, double t, double* k, double* k1, double* step)
{
    double s, c;
    Respond(lambda, delta, t, &s, &c);
    *k = s;
    *k1 = c - delta * s;
    *step = StepResponse(lambda, delta, t, s, c);
}

void qvWiggly_FreeMotion(double lambda, double delta, double g, double w, double v, double t, double out[3])
{
    double s, c;
    Respond(lambda, delta, t, &s, &c);
    double step = g != 0.0 ? StepResponse(lambda, delta, t, s, c) : 0.0;
    out[0] = (c + delta * s) * w + s * v - g * step;
    out[1] = (c - delta * s) * v - lambda * s * w - g * s;
    out[2] = -2.0 * delta * out[1] - lambda * out[0] - g;
}

void qvFreeVibration(double lambda, double delta, double center, double value, double velocity, double t, double out[3])
{
    qvWiggly_FreeMotion(lambda, delta, 0.0, value - center, velocity, t, out);
    out[0] += center;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The radial functions of a Kelvinlet, for SCALES radii. Included once per number of scales, after jet.inl.
//
// F. de Goes and D. L. James, "Dynamic Kelvinlets: Secondary Motions based on Fundamental Solutions of Elastodynamics",
// ACM Trans. Graph. 37(4), 2018, eqs. 7-19, in the form of formulas.md 5: lengths in the kernel's unit, for each
// speed g the distance a = g t, a2 = a^2, and
//     k = q + e - a2,   P = sqrt(k^2 + 4 a2 e),   x = (P + k)/2,   y = (P - k)/2 = a2 e / x,   m^2 = a2 + x.
// Divided by P these become bounded: X = x/P, Y = y/P = 1 - X (which needs no digits of its own where it is small), K =
// k/P = X - Y, E = e/P <= X, and M = m^2/P >= 1. Nothing overflows for any distance or time that FAR_AWAY and
// SetSpeeds let through. U is the radial function of the paper, S = 3U + r U', V = U'/r and DS = S'/r. A push is its
// static part minus its wave part.

typedef struct N(Front)
{
    num P, j, x, X, Y, K, M, E; // j = 1/P
    num im;                     // 1/m
    num sum2;                   // 2 (q + a2 + e) = s_e^2 + w_e^2
} N(Front);

INLINE N(Front) N(MakeFront)(const Scales* scales, lanes q, const Wave* wave)
{
    const lanes half = LanesSet((REAL)0.5), four = LanesSet((REAL)4);
    lanes a2 = wave->a2;
    N(Front) w;
    num k = N(PlusE)(scales, wave->gap, wave->low);
    w.sum2 = N(TwiceSum)(scales, q, a2);
#if SCALES == 1
    num P2 = LanesFma(k, k, four * a2 * scales->e1);
#else
    // k^2 + 4 a2 e is a square polynomial in e: its differences are known without any subtraction.
    num P2;
    P2.f1 = LanesFma(k.f1, k.f1, four * a2 * scales->e1);
    P2.f2 = LanesFma(k.f2, k.f2, four * a2 * scales->e2);
    P2.f12 = half * (w.sum2.f1 + w.sum2.f2);
#if SCALES == 3
    P2.f3 = LanesFma(k.f3, k.f3, four * a2 * scales->e3);
    P2.f23 = half * (w.sum2.f2 + w.sum2.f3);
    P2.f123 = LanesSet((REAL)1);
#endif
#endif
    N(Roots)(P2, &w.P, &w.j);
#if SCALES == 1
    num larger = half * (w.P + LanesAbs(k));
#else
    // One sign for all nodes keeps the difference quotients of one smooth branch; near k = 0 both branches are good.
    lanes sign = LanesPick(k.f1, LanesSet((REAL)1), LanesSet((REAL)-1));
    num larger = N(Times)(half, N(TimesPlus)(sign, k, w.P));
#endif
    num smaller = N(TimesSameE)(scales, a2, N(Rcp)(larger));
    w.x = N(Pick)(F1(k), larger, smaller);
    w.X = N(Mul)(w.x, w.j);
    w.Y = N(OneMinus)(w.X);
    w.K = N(Sub)(w.X, w.Y);
    w.E = N(TimesE)(scales, w.j);
    num m, m2 = N(Plus)(a2, w.x);
    w.M = N(Mul)(m2, w.j);
    N(Roots)(m2, &m, &w.im);
    return w;
}

/// Impulse: U, S, V, DS without the factors t / (8 pi L^3) and t / (8 pi L^5), L the unit.
INLINE void N(ImpulseRadial)(const Scales* scales, lanes q, const Wave* wave, lanes out[4])
{
    const lanes one = LanesSet((REAL)1), two = LanesSet((REAL)2), three = LanesSet((REAL)3), four = LanesSet((REAL)4),
                six = LanesSet((REAL)6), ten = LanesSet((REAL)10), sixteen = LanesSet((REAL)16);
    N(Front) w = N(MakeFront)(scales, q, wave);
    num im2 = N(Mul)(w.im, w.im), im3 = N(Mul)(im2, w.im);

    // W = X (2X + 3E) + Y (6X - E) = X (6 - 4X + 4E) - E, with E <= X;  U = X W / m^3
    num W = N(TimesPlusSame)(four, N(Sub)(w.E, w.X), six);
    W = N(FmaSub)(w.X, W, w.E);
    out[0] = N(Top)(N(Mul)(N(Mul)(w.X, W), im3));

    // H = (s_e^2 + w_e^2)/P,  S = 3 E^2 (H^2 + H - 1) / (P m)
    num H = N(Mul)(w.sum2, w.j);
    num nS = N(Plus)(-one, N(Fma)(H, H, H));
    num E2j = N(Mul)(N(Mul)(w.E, w.E), N(Times)(three, w.j));
    out[1] = N(Top)(N(Mul)(N(Mul)(E2j, w.im), nS));

    // V = 3 X (4 M X (1 + E) - W (2 K M + X)) / m^5
    num KM = N(Mul)(w.K, w.M);
    num v = N(Mul)(N(Times)(four, N(Mul)(w.M, w.X)), N(Plus)(one, w.E));
    v = N(NegFma)(W, N(TimesPlus)(two, KM, w.X), v);
    out[2] = N(Top)(N(Mul)(N(Mul)(N(Times)(three, w.X), N(Mul)(im2, im3)), v));

    // DS = 3 E^2 [ M (16 H Y + 4 + 6K - 10 H^2 K) - X (H^2 + H - 1) ] / (P m^3)
    num d = N(Plus)(four, N(Mul)(w.K, N(TimesPlusSame)(-ten, N(Mul)(H, H), six)));
    d = N(Fma)(N(Times)(sixteen, H), w.Y, d);
    d = N(NegFma)(w.X, nS, N(Mul)(w.M, d));
    out[3] = N(Top)(N(Mul)(N(Mul)(E2j, im3), d));
}

/// The wave part of a push, to be subtracted from the static part; without the factors 1 / (8 pi L g^2) and
/// 1 / (8 pi L^3 g^2).
INLINE void N(PushWave)(const Scales* scales, lanes q, const Wave* wave, lanes out[4])
{
    const lanes two = LanesSet((REAL)2), three = LanesSet((REAL)3), four = LanesSet((REAL)4);
    N(Front) w = N(MakeFront)(scales, q, wave);
    num im2 = N(Mul)(w.im, w.im), im3 = N(Mul)(im2, w.im);

    // U = X x / m^3
    num Xim3 = N(Mul)(w.X, im3);
    out[0] = N(Top)(N(Mul)(Xim3, w.x));

    // S = X (X (2X + E) + 3 Y (2X - E)) / m = X (X (6 - 4X + 4E) - 3E) / m, with E <= X
    num W = N(TimesPlusSame)(four, N(Sub)(w.E, w.X), LanesSet((REAL)6));
    W = N(FmaSub)(w.X, W, N(Times)(three, w.E));
    out[1] = N(Top)(N(Mul)(N(Mul)(w.X, W), w.im));

    // V = X^2 P (2 M (2 - K) - 3X) / m^5
    num KM = N(Mul)(w.K, w.M);
    num v = N(Sub)(N(Times)(four, w.M), N(TimesPlus)(two, KM, N(Times)(three, w.X)));
    out[2] = N(Top)(N(Mul)(N(Mul)(N(Mul)(w.X, Xim3), N(Mul)(w.P, im2)), v));

    // DS = X^2 [ Y^2 (48M + 22X - 18Y) - X^2 (10Y + 2X) - 3E (X^2 - 10 X Y + 5 Y^2) ] / m^3
    num X2 = N(Mul)(w.X, w.X), Y2 = N(Mul)(w.Y, w.Y), XY = N(Mul)(w.X, w.Y);
    num c = N(TimesPlus)(LanesSet((REAL)-18), w.Y,
                         N(TimesPlus)(LanesSet((REAL)48), w.M, N(Times)(LanesSet((REAL)22), w.X)));
    num b = N(TimesPlus)(LanesSet((REAL)-10), XY, N(TimesPlus)(LanesSet((REAL)5), Y2, X2));
    c = N(NegFma)(X2, N(TimesPlus)(LanesSet((REAL)10), w.Y, N(Times)(two, w.X)), N(Mul)(Y2, c));
    c = N(NegFma)(N(Times)(three, w.E), b, c);
    out[3] = N(Top)(N(Mul)(N(Mul)(X2, im3), c));
}

/// The static part, the same for both speeds, with the factors of the push: U = R, S = 2R + e R^3, V = -R^3,
/// DS = -(2 R^3 + 3 e R^5) with R = 1/r_e. fifth is R^5, seventh R^7.
INLINE void N(StaticRadial)(const Scales* scales, lanes q, lanes out[4], lanes* fifth, lanes* seventh)
{
    const lanes two = LanesSet((REAL)2), three = LanesSet((REAL)3);
    num root, R;
    N(Roots)(N(PlusE)(scales, q, LanesSet((REAL)0)), &root, &R);
    num R2 = N(Mul)(R, R), R3 = N(Mul)(R2, R), R5 = N(Mul)(R2, R3);
    out[0] = N(Top)(R);
    out[1] = N(Top)(N(TimesPlus)(two, R, N(TimesE)(scales, R3)));
    out[2] = -N(Top)(R3);
    out[3] = -N(Top)(N(TimesPlus)(three, N(TimesE)(scales, R5), N(Times)(two, R3)));
    *fifth = N(Top)(R5);
    *seventh = N(Top)(N(Mul)(R2, R5));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The papers' closed forms as one would type them in, point by point: the baseline of the benchmarks. For one
// precision: REAL, SQRT and PAPER(name) are defined before including.
//
// F. de Goes and D. L. James, "Regularized Kelvinlets", 2017, eqs. 6 and 14-18; "Dynamic Kelvinlets", 2018, eqs. 7-19.

typedef struct PAPER(Load)
{
    qvKelvinletTime time;
    REAL alpha, beta, t;
    int scaleCount;
    REAL eps[3], weights[3];
    bool affine; // F counts, else f
    REAL f[3], F[3][3];
} PAPER(Load);

// u = A f + B (r.f) r, and A1 = A'/r, B1 = B'/r for affine loads.
typedef struct PAPER(Profile)
{
    REAL A, B, A1, B1;
} PAPER(Profile);

// A radial function U and its derivatives.
typedef struct PAPER(Jet)
{
    REAL u, d, dd;
} PAPER(Jet);

// The second derivative is wanted by affine loads only.
static inline PAPER(Jet) PAPER(W)(REAL r, REAL s, REAL eps, bool second)
{
    REAL se2 = s * s + eps * eps, se = SQRT(se2), eps4 = eps * eps * eps * eps;
    return (PAPER(Jet)){
        (2 * s * s + eps * eps - 3 * r * s) / se + r * s * s * s / (se * se * se),
        -3 * eps4 * r / (se2 * se2 * se),
        second ? -3 * eps4 * (se2 - 5 * r * s) / (se2 * se2 * se2 * se) : 0,
    };
}

static inline PAPER(Jet) PAPER(Q)(REAL r, REAL s, REAL w, REAL eps, bool second)
{
    REAL re = SQRT(r * r + eps * eps), se = SQRT(s * s + eps * eps), we = SQRT(w * w + eps * eps);
    REAL re3 = re * re * re, se3 = se * se * se, we3 = we * we * we, eps2 = eps * eps;
    return (PAPER(Jet)){
        2 * r * r * r / re - s * w * (s / se + w / we) + eps2 * (s - r) * (1 / se - 1 / we),
        2 * r * r * (3 / re - r * r / re3) - 2 * r * (s / se + w / we) - eps2 * r * (s / se3 + w / we3),
        second ? 2 * (2 * r / re - s / se - w / we) + eps2 * (2 * r / re3 - s / se3 - w / we3) +
                     3 * r * eps2 * eps2 * (2 / (re3 * re * re) - 1 / (se3 * se * se) - 1 / (we3 * we * we))
               : 0,
    };
}

static inline PAPER(Jet) PAPER(Radial)(bool push, bool second, REAL r, REAL g, REAL t, REAL eps)
{
    const REAL pi = (REAL)QUAD_PI_HIGH + (REAL)QUAD_PI_LOW;
    REAL s = r + g * t, w = r - g * t, scale = 1 / (16 * pi * g * r * r * r);
    PAPER(Jet) x;
    if (push)
    {
        x = PAPER(Q)(r, s, w, eps, second);
        scale /= g;
    }
    else
    {
        PAPER(Jet) plus = PAPER(W)(r, s, eps, second), minus = PAPER(W)(r, w, eps, second);
        x = (PAPER(Jet)){ plus.u - minus.u, plus.d - minus.d, plus.dd - minus.dd };
    }
    return (PAPER(Jet)){ scale * x.u, scale * (x.d - 3 * x.u / r),
                         second ? scale * (x.dd - 6 * x.d / r + 12 * x.u / (r * r)) : 0 };
}

static inline PAPER(Profile) PAPER(StaticProfile)(const PAPER(Load) * load, REAL r, REAL eps)
{
    const REAL pi = (REAL)QUAD_PI_HIGH + (REAL)QUAD_PI_LOW;
    REAL a = 1 / (4 * pi * load->beta * load->beta), ratio = load->beta / load->alpha, b = a / 2 * (1 - ratio * ratio);
    REAL re2 = r * r + eps * eps, re = SQRT(re2), re3 = re2 * re, re5 = re3 * re2;
    return (PAPER(Profile)){
        (a - b) / re + a * eps * eps / (2 * re3),
        b / re3,
        load->affine ? -(a - b) / re3 - 3 * a * eps * eps / (2 * re5) : 0,
        load->affine ? -3 * b / re5 : 0,
    };
}

static inline PAPER(Profile) PAPER(DynamicProfile)(const PAPER(Load) * load, REAL r, REAL eps)
{
    bool push = load->time == qv_kelvinletPush;
    PAPER(Jet) al = PAPER(Radial)(push, load->affine, r, load->alpha, load->t, eps);
    PAPER(Jet) be = PAPER(Radial)(push, load->affine, r, load->beta, load->t, eps);
    PAPER(Profile) p;
    p.A = al.u + 2 * be.u + r * be.d;
    p.B = (al.d - be.d) / r;
    p.A1 = p.B1 = 0;
    if (load->affine)
    {
        p.A1 = al.d / r + 3 * be.d / r + be.dd;
        p.B1 = (al.dd - be.dd - p.B) / (r * r);
    }
    return p;
}

// The displacement of one scale, times its weight, added to u.
static inline void PAPER(AddScale)(const PAPER(Load) * load, int scale, const REAL r[3], REAL u[3])
{
    REAL length = SQRT(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), eps = load->eps[scale], weight = load->weights[scale];
    PAPER(Profile)
    p = load->time == qv_kelvinletStatic ? PAPER(StaticProfile)(load, length, eps)
                                         : PAPER(DynamicProfile)(load, length, eps);
    if (!load->affine)
    {
        REAL along = p.B * (r[0] * load->f[0] + r[1] * load->f[1] + r[2] * load->f[2]);
        for (int i = 0; i < 3; i++)
            u[i] += weight * (p.A * load->f[i] + along * r[i]);
        return;
    }
    REAL rFr = 0, trace = load->F[0][0] + load->F[1][1] + load->F[2][2], Fr[3], Sr[3];
    for (int i = 0; i < 3; i++)
    {
        Fr[i] = load->F[i][0] * r[0] + load->F[i][1] * r[1] + load->F[i][2] * r[2];
        Sr[i] = Fr[i] + load->F[0][i] * r[0] + load->F[1][i] * r[1] + load->F[2][i] * r[2] + trace * r[i];
        rFr += r[i] * Fr[i];
    }
    for (int i = 0; i < 3; i++)
        u[i] += weight * ((p.A1 - p.B) * Fr[i] + p.B * Sr[i] + p.B1 * rFr * r[i]);
}

static inline void PAPER(Displacement)(const PAPER(Load) * load, const REAL r[3], REAL u[3])
{
    u[0] = u[1] = u[2] = 0;
    for (int i = 0; i < load->scaleCount; i++)
        PAPER(AddScale)(load, i, r, u);
}

static inline PAPER(Load) PAPER(MakeLoad)(const ReferenceLoad* from)
{
    PAPER(Load) load = { .time = from->time, .scaleCount = from->scaleCount, .t = (REAL)from->t };
    load.beta = SQRT((REAL)from->mu);
    load.alpha = load.beta * SQRT(1 + 1 / (1 - 2 * (REAL)from->nu));
    for (int i = 0; i < 3; i++)
    {
        load.eps[i] = (REAL)from->eps[i];
        load.f[i] = (REAL)from->f[i];
        for (int j = 0; j < 3; j++)
        {
            load.F[i][j] = (REAL)from->F[i][j];
            load.affine = load.affine || load.F[i][j] != 0;
        }
    }
    REAL e1 = load.eps[0] * load.eps[0], e2 = load.eps[1] * load.eps[1], e3 = load.eps[2] * load.eps[2];
    load.weights[0] = 1;
    load.weights[1] = load.scaleCount == 3 ? -(e3 - e1) / (e3 - e2) : -1;
    load.weights[2] = (e2 - e1) / (e3 - e2);
    return load;
}

#undef PAPER
#undef REAL
#undef SQRT

// SPDX-License-Identifier: GPL-3.0-or-later
// Displacements at a block of points, for SCALES radii. Included once per number of scales, after radial.inl. The
// functions take the kind of load as a constant and are inlined into one kernel per kind.

/// Radial functions of both waves; index 0 is the pressure wave (unweighted), 1 the shear wave.
INLINE void N(Radial)(const Scales* scales, const Speeds* speeds, lanes q, qvKernelTime time, lanes alpha[4],
                      lanes beta[4])
{
    if (time == qv_kernelImpulse)
    {
        N(ImpulseRadial)(scales, q, &speeds->alpha, alpha);
        N(ImpulseRadial)(scales, q, &speeds->beta, beta);
        return;
    }
    lanes still[4], fifth, seventh;
    N(StaticRadial)(scales, q, still, &fifth, &seventh);
    N(PushWave)(scales, q, &speeds->alpha, alpha);
    N(PushWave)(scales, q, &speeds->beta, beta);
    for (int i = 0; i < 4; i++)
    {
        lanes rest = speeds->staticPart * still[i];
        alpha[i] = LanesNegFma(speeds->waveAlpha, alpha[i], rest);
        beta[i] = rest - beta[i];
    }
}

/// formulas.md 2 with a/2 taken out: A = (1 + w) R + e R^3, B = (1 - w) R^3, A'/r - B = -(2 R^3 + 3 e R^5),
/// B'/r = -3 (1 - w) R^5, w = (beta/alpha)^2. The trace of an affine load has its own amplitude.
INLINE Profile N(StaticProfile)(const Scales* scales, const Speeds* speeds, lanes q)
{
    const lanes one = LanesSet((REAL)1);
    lanes still[4], fifth, seventh;
    N(StaticRadial)(scales, q, still, &fifth, &seventh);
    lanes rest = one - speeds->alphaWeight;
    Profile p;
    p.A = LanesNegFma(rest, still[0], still[1]);
    p.B = -rest * still[2];
    p.turn = still[3];
    p.square = LanesSet((REAL)-3) * rest * fifth;
    p.dilation = still[3];
    return p;
}

/// formulas.md 5, assembly. Vector loads take q B from U and S, which saves V; affine ones need V anyway.
INLINE Profile N(DynamicProfile)(const Scales* scales, const Speeds* speeds, lanes q, qvKernelTime time,
                                 qvKernelParts parts)
{
    const lanes three = LanesSet((REAL)3), five = LanesSet((REAL)5), tiny = LanesSet((REAL)1e-30);
    lanes alpha[4], beta[4];
    N(Radial)(scales, speeds, q, time, alpha, beta);
    lanes w = speeds->alphaWeight, inverse = LanesRcp(q + tiny);
    lanes dU = LanesFma(w, alpha[0], -beta[0]);
    Profile p;
    p.A = dU + beta[1];
    if (parts == qv_kernelVector)
        p.B = LanesNegFma(three, dU, LanesFma(w, alpha[1], -beta[1])) * inverse;
    else
        p.B = LanesFma(w, alpha[2], -beta[2]);
    p.turn = beta[3];
    p.square = LanesNegFma(five, p.B, LanesFma(w, alpha[3], -beta[3])) * inverse;
    p.dilation = alpha[3];
    return p;
}

INLINE void N(Evaluate)(const KernelLoad* load, int count, const KernelBlock* origin, const KernelBlock* slope,
                        REAL step, KernelBlock* out, bool add, qvKernelTime time, qvKernelParts parts)
{
    Scales scales = { LanesSet(load->e1), LanesSet(load->e2), LanesSet(load->e3) };
    Speeds speeds = MakeSpeeds(load);
    lanes h = LanesSet(step), inverseUnit = LanesSet(load->inverseUnit), farAway = LanesSet((REAL)FAR_AWAY);
    lanes center[3] = { LanesSet(load->center[0]), LanesSet(load->center[1]), LanesSet(load->center[2]) };
    for (int i = 0; i < count; i += LANES_WIDTH)
    {
        lanes r[3];
        for (int c = 0; c < 3; c++)
        {
            lanes moved = LanesFma(h, LanesLoad(slope->axis[c] + i), LanesLoad(origin->axis[c] + i) - center[c]);
            r[c] = LanesLimit(moved * inverseUnit, farAway);
        }
        lanes q = Dot(r, r);
        if (parts == qv_kernelVector && SCALES == 1)
            SetGaps(r, &speeds);
        else
            SetExactGaps(r, &speeds);
        Profile p = time == qv_kernelStatic ? N(StaticProfile)(&scales, &speeds, q)
                                            : N(DynamicProfile)(&scales, &speeds, q, time, parts);
        lanes u[3];
        Assemble(load, &p, r, parts, u);
        for (int c = 0; c < 3; c++)
        {
            if (add)
                u[c] += LanesLoad(out->axis[c] + i);
            LanesStore(out->axis[c] + i, u[c]);
        }
    }
}

#define KERNEL(Time, Parts)                                                                             \
    static void N(Kernel##Time##Parts)(const KernelLoad* load, int count, const KernelBlock* origin,    \
                                       const KernelBlock* slope, REAL step, KernelBlock* out, bool add) \
    {                                                                                                   \
        N(Evaluate)(load, count, origin, slope, step, out, add, qv_kernel##Time, qv_kernel##Parts);     \
    }
KERNEL(Static, Vector)
KERNEL(Static, Affine)
KERNEL(Static, Both)
KERNEL(Impulse, Vector)
KERNEL(Impulse, Affine)
KERNEL(Impulse, Both)
KERNEL(Push, Vector)
KERNEL(Push, Affine)
KERNEL(Push, Both)
#undef KERNEL

#undef F1
#undef INLINE
#undef num
#undef N
#undef JET_JOIN
#undef JET_JOIN2

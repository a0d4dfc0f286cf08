// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of step_kernel.h for one type (REAL, SUFFIX) and one level (LEVEL). Vectors of four are GCC's, which
// become one or two registers; -ffp-contract=off keeps the bits of all levels the same.
#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define NAMED(a)    JOIN(a, SUFFIX)
#define LOCAL(a)    JOIN(JOIN(a, SUFFIX), LEVEL)
#define LISTS       NAMED(qvPhyxelLists)
#define STRESS      NAMED(qvPhyxelStress)
#define LANES       LOCAL(Lanes)
#define CROSS(a, b)                                                                          \
    (__builtin_shufflevector(a, a, 1, 2, 0, 3) * __builtin_shufflevector(b, b, 2, 0, 1, 3) - \
     __builtin_shufflevector(a, a, 2, 0, 1, 3) * __builtin_shufflevector(b, b, 1, 2, 0, 3))

// Loads and stores at any address.
typedef REAL LANES __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

#define AT(array)  (*(const LANES*)(array))
#define PUT(array) (*(LANES*)(array))

static void LOCAL(Gradients)(const LISTS* lists, int begin, int end, const REAL (*field)[4], REAL (*gradients)[3][4])
{
    for (int i = begin; i < end; i++)
    {
        LANES own = AT(field[i]), sum0 = { 0 }, sum1 = { 0 }, sum2 = { 0 };
        for (int n = lists->start[i]; n < lists->start[i + 1]; n++)
        {
            LANES d = AT(field[lists->index[n]]) - own;
            const REAL* pair = lists->pair[n];
            sum0 += d * pair[0];
            sum1 += d * pair[1];
            sum2 += d * pair[2];
        }
        const REAL* a = lists->inverse[i];
        PUT(gradients[i][0]) = sum0 * a[0] + sum1 * a[1] + sum2 * a[2];
        PUT(gradients[i][1]) = sum0 * a[1] + sum1 * a[3] + sum2 * a[4];
        PUT(gradients[i][2]) = sum0 * a[2] + sum1 * a[4] + sum2 * a[5];
    }
}

// P = mu J G + l2 (det J root - rest) root cof J, root = sqrt(det G); the columns of cof J are cross products of those
// of J.
static void LOCAL(Stresses)(const LISTS* lists, const STRESS* stress, int begin, int end, const REAL (*gradients)[3][4],
                            REAL* c, REAL (*h)[3][4])
{
    for (int i = begin; i < end; i++)
    {
        LANES j0 = AT(gradients[i][0]), j1 = AT(gradients[i][1]), j2 = AT(gradients[i][2]);
        const REAL *g = stress->metric[i], *a = lists->inverse[i];
        LANES c0 = CROSS(j1, j2), c1 = CROSS(j2, j0), c2 = CROSS(j0, j1), dot = j0 * c0;
        REAL root = g[6], excess = (dot[0] + dot[1] + dot[2]) * root - stress->rest;
        REAL swell = stress->lambda2 * excess * root, mu = stress->mu;
        LANES p0 = (j0 * g[0] + j1 * g[1] + j2 * g[2]) * mu + c0 * swell;
        LANES p1 = (j0 * g[1] + j1 * g[3] + j2 * g[4]) * mu + c1 * swell;
        LANES p2 = (j0 * g[2] + j1 * g[4] + j2 * g[5]) * mu + c2 * swell;
        REAL volume = stress->share[i][0], own = stress->penalty * stress->share[i][1];
        c[i] = own;
        PUT(h[i][0]) = j0 * own - (p0 * a[0] + p1 * a[1] + p2 * a[2]) * volume;
        PUT(h[i][1]) = j1 * own - (p0 * a[1] + p1 * a[3] + p2 * a[4]) * volume;
        PUT(h[i][2]) = j2 * own - (p0 * a[2] + p1 * a[4] + p2 * a[5]) * volume;
    }
}

static void LOCAL(Gather)(const LISTS* lists, int begin, int end, const REAL* c, const REAL (*field)[4],
                          const REAL (*h)[3][4], REAL (*sums)[4])
{
    for (int i = begin; i < end; i++)
    {
        LANES own = AT(field[i]), h0 = AT(h[i][0]), h1 = AT(h[i][1]), h2 = AT(h[i][2]), sum = { 0 };
        for (int n = lists->start[i]; n < lists->start[i + 1]; n++)
        {
            int j = lists->index[n];
            const REAL* pair = lists->pair[n];
            sum += (AT(field[j]) - own) * ((c[i] + c[j]) * pair[3]);
            sum -= (h0 + AT(h[j][0])) * pair[0] + (h1 + AT(h[j][1])) * pair[1] + (h2 + AT(h[j][2])) * pair[2];
        }
        PUT(sums[i]) = sum;
    }
}

const NAMED(qvPhyxelKernel) JOIN(NAMED(qvPhyxelKernel), LEVEL) = { LOCAL(Gradients), LOCAL(Stresses), LOCAL(Gather) };

#undef JOIN2
#undef JOIN
#undef NAMED
#undef LOCAL
#undef LISTS
#undef STRESS
#undef LANES
#undef CROSS
#undef AT
#undef PUT
#undef REAL
#undef SUFFIX

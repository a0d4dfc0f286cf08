// SPDX-License-Identifier: GPL-3.0-or-later
// The implicit step for bodies so stiff that explicit ones would be too short: (M + dt^2 K) v' = M v + dt f, one
// linear solve by conjugate gradients. K is the stiffness at the start of the step with what is not positive left out,
// phyxel by phyxel, so that there is always a solution: for stable neo-Hookean stress its eigenvectors are known in the
// axes of the singular vectors of J L, G = L L^T (B. Smith, F. de Goes, T. Kim, "Stable neo-Hookean flesh simulation",
// 2018). With F = U S V^T, c = la2 (det F - al), and D = U^T dF V the stress changes by U X V^T, where
//
//     X_ij = mu D_ij - c s_k D_ji   for i, j, k different: eigenvalues mu -+ c s_k of D_ij +- D_ji
//     X_ii from a symmetric 3x3 matrix: mu I + la2 g g^T + c [s_k],   g = (s_2 s_3, s_1 s_3, s_1 s_2)
//
// Contact is inside the solve (D. Baraff, A. Witkin, "Large steps in cloth simulation", 1998): a phyxel that would
// enter an obstacle gets its velocity along the normal, and sticks to it; solved again, one whose obstacle would have
// to pull is let go, and one whose obstacle would have to hold more than friction can slides against that friction.
#include "phyxel/engine_state.h"

#include "base/memory.h"
#include "math/decompose3.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROUNDS = 8,           // of contact
    MOST_ITERATIONS = 500 // of a solve
};

static const double TOLERANCE = 1e-5; // of the momenta, in what masses weigh
static const double SETTLED = 0.05;   // of friction, when it is not solved for again
static const double TOUCHED = 1e-9;   // spacings, as in contact by projection

typedef double Four[4];

/// What keeps a phyxel from moving freely.
typedef enum Grip
{
    GRIP_NONE,
    GRIP_SLIDES, // its velocity along the normal is given
    GRIP_STICKS, // all of it is
    GRIP_HELD,   // the same, by the motion below
} Grip;

typedef struct Hold
{
    Grip grip;
    bool isSettled; // it was let go, or sticks again, and is left at that
    qvVec3 normal, velocity;
    double friction;
    qvVec3 push; // impulse of friction
} Hold;

/// The stiffness of a phyxel: dP = U X(U^T dJ M) M^T, M = L V.
typedef struct Stiffness
{
    qvMat3 u, m, block;
    double same[3], swapped[3]; // of X_ij: of D_ij and of D_ji, by k
} Stiffness;

struct qvImplicitRoom
{
    Stiffness* stiffness;
    Hold* holds;
    Four *x, *b, *r, *p, *q;
    double (*gradients)[3][4];
    double (*columns)[3][4];
    double* coefficients;
};

void qvDestroyImplicitRoom(qvImplicitRoom* room)
{
    if (room == NULL)
        return;
    free(room->stiffness);
    free(room->holds);
    free(room->x);
    free(room->gradients);
    free(room->coefficients);
    free(room);
}

static qvResult MakeRoom(qvPhyxelState* s, qvError* error)
{
    size_t n = (size_t)s->count;
    qvImplicitRoom* room = s->implicit;
    if (room != NULL)
        return qv_ok;
    room = s->implicit = qvAllocate(1, sizeof(*room));
    if (room == NULL)
        return qvError_OutOfMemory(error, sizeof(*room));
    room->stiffness = qvAllocate(n, sizeof(*room->stiffness));
    room->holds = qvAllocate(n, sizeof(*room->holds));
    room->x = qvAllocate(n, 5 * sizeof(Four));
    room->gradients = qvAllocate(n, 2 * sizeof(*room->gradients));
    room->coefficients = qvAllocate(n, sizeof(double));
    if (room->stiffness == NULL || room->holds == NULL || room->x == NULL || room->gradients == NULL ||
        room->coefficients == NULL)
        return qvError_OutOfMemory(error, 800.0 * (double)n);
    room->b = room->x + n, room->r = room->b + n, room->p = room->r + n, room->q = room->p + n;
    room->columns = room->gradients + n;
    return qv_ok;
}

static qvVec3 Get(const Four x)
{
    return qvMakeVec3(x[0], x[1], x[2]);
}

static void Put(Four x, qvVec3 v)
{
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = 0.0;
}

// --- The stiffness ---------------------------------------------------------------------------------------------------

static qvMat3 MatrixOf(const double columns[3][4])
{
    qvMat3 j;
    for (int k = 0; k < 9; k++)
        j.m[k / 3][k % 3] = columns[k % 3][k / 3];
    return j;
}

static qvVec3 Column(const qvMat3* a, int k)
{
    return qvMakeVec3(a->m[0][k], a->m[1][k], a->m[2][k]);
}

static void SetColumn(qvMat3* a, int k, qvVec3 v)
{
    a->m[0][k] = v.x, a->m[1][k] = v.y, a->m[2][k] = v.z;
}

// G = L L^T; g: xx, xy, xz, yy, yz, zz.
static qvMat3 Cholesky(const double g[8])
{
    qvMat3 l = { { { 0.0 } } };
    l.m[0][0] = sqrt(fmax(g[0], 0.0));
    double a = l.m[0][0] > 0.0 ? 1.0 / l.m[0][0] : 0.0;
    l.m[1][0] = g[1] * a, l.m[2][0] = g[2] * a;
    l.m[1][1] = sqrt(fmax(g[3] - l.m[1][0] * l.m[1][0], 0.0));
    l.m[2][1] = l.m[1][1] > 0.0 ? (g[4] - l.m[2][0] * l.m[1][0]) / l.m[1][1] : 0.0;
    l.m[2][2] = sqrt(fmax(g[5] - l.m[2][0] * l.m[2][0] - l.m[2][1] * l.m[2][1], 0.0));
    return l;
}

static qvVec3 AnyAcross(qvVec3 v)
{
    qvVec3 other = fabs(v.x) < 0.6 ? qvMakeVec3(1.0, 0.0, 0.0) : qvMakeVec3(0.0, 1.0, 0.0);
    return qvNormalize(qvCross(v, other));
}

// F = U S V^T with rotations U and V; the smallest of S carries the sign of det F.
static void Decompose(const qvMat3* f, qvMat3* u, double s[3], qvMat3* v)
{
    qvMat3 t = qvMat3_Transpose(f), square = qvMat3_Product(&t, f), ascending;
    double values[3];
    qvEigenSymmetric3(&square, values, &ascending);
    qvVec3 v0 = Column(&ascending, 2), v1 = Column(&ascending, 1);
    SetColumn(v, 0, v0), SetColumn(v, 1, v1), SetColumn(v, 2, qvCross(v0, v1));
    qvVec3 a = qvMat3_Apply(f, v0), b = qvMat3_Apply(f, v1), c = qvMat3_Apply(f, Column(v, 2));
    double first = qvLength(a), least = 1e-9 * first;
    qvVec3 u0 = first > 0.0 ? qvScale(1.0 / first, a) : qvMakeVec3(1.0, 0.0, 0.0);
    qvVec3 across = qvMulAdd(b, -qvDot(u0, b), u0);
    double second = qvLength(across);
    qvVec3 u1 = second > least ? qvScale(1.0 / second, across) : AnyAcross(u0);
    SetColumn(u, 0, u0), SetColumn(u, 1, u1), SetColumn(u, 2, qvCross(u0, u1));
    s[0] = first, s[1] = qvDot(u1, b), s[2] = qvDot(qvCross(u0, u1), c);
}

// Negative eigenvalues become 0.
static qvMat3 Positive(const qvMat3* a)
{
    double values[3];
    qvMat3 vectors, sum = { { { 0.0 } } };
    qvEigenSymmetric3(a, values, &vectors);
    for (int k = 0; k < 3; k++)
    {
        qvMat3 outer = qvMat3_Outer(Column(&vectors, k), Column(&vectors, k));
        sum = qvMat3_MulAdd(&sum, fmax(values[k], 0.0), &outer);
    }
    return sum;
}

static void StiffnessesOf(void* context, int begin, int end)
{
    qvPhyxelStep* step = context;
    qvPhyxelState* s = step->state;
    double mu = step->matter.mu, l2 = step->matter.lambda + mu, rest = 1.0 + mu / l2;
    for (int i = begin; i < end; i++)
    {
        Stiffness* k = &s->implicit->stiffness[i];
        qvMat3 j = MatrixOf(s->gradients[i]), l = Cholesky(s->metric[i]), f = qvMat3_Product(&j, &l), v;
        double z[3];
        Decompose(&f, &k->u, z, &v);
        k->m = qvMat3_Product(&l, &v);
        double c = l2 * (z[0] * z[1] * z[2] - rest), g[3] = { z[1] * z[2], z[0] * z[2], z[0] * z[1] };
        qvMat3 block;
        for (int a = 0; a < 9; a++)
        {
            int row = a / 3, column = a % 3;
            bool isOwn = row == column;
            block.m[row][column] = l2 * g[row] * g[column] + (isOwn ? mu : c * z[3 - row - column]);
        }
        k->block = Positive(&block);
        for (int a = 0; a < 3; a++)
        {
            double sum = fmax(0.0, mu - c * z[a]), difference = fmax(0.0, mu + c * z[a]);
            k->same[a] = 0.5 * (sum + difference), k->swapped[a] = 0.5 * (sum - difference);
        }
    }
}

static qvMat3 StressChange(const Stiffness* k, const qvMat3* dj)
{
    qvMat3 ut = qvMat3_Transpose(&k->u), mt = qvMat3_Transpose(&k->m);
    qvMat3 d = qvMat3_Product(dj, &k->m), x;
    d = qvMat3_Product(&ut, &d);
    for (int a = 0; a < 9; a++)
    {
        int row = a / 3, column = a % 3, third = 3 - row - column;
        if (row == column)
            x.m[row][row] =
                k->block.m[row][0] * d.m[0][0] + k->block.m[row][1] * d.m[1][1] + k->block.m[row][2] * d.m[2][2];
        else
            x.m[row][column] = k->same[third] * d.m[row][column] + k->swapped[third] * d.m[column][row];
    }
    x = qvMat3_Product(&x, &mt);
    return qvMat3_Product(&k->u, &x);
}

// --- The system ------------------------------------------------------------------------------------------------------

// A vector that the stiffness is applied to, and where that goes.
typedef struct Product
{
    qvPhyxelStep* step;
    const Four* p;
    Four* q;
} Product;

static void GradientsOf(void* context, int begin, int end)
{
    const Product* product = context;
    qvPhyxelState* s = product->step->state;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(s->reference);
    s->kernel->gradients(&lists, begin, end, (const double(*)[4])product->p, s->implicit->gradients);
}

static void ColumnsOf(void* context, int begin, int end)
{
    const Product* product = context;
    qvPhyxelState* s = product->step->state;
    const qvImplicitRoom* room = s->implicit;
    double penalty = qv_phyxelFit * product->step->matter.young;
    for (int i = begin; i < end; i++)
    {
        qvMat3 dj = MatrixOf(room->gradients[i]), dp = StressChange(&room->stiffness[i], &dj);
        const double* a = s->reference->inverse[i];
        qvMat3 inverse = { { { a[0], a[1], a[2] }, { a[1], a[3], a[4] }, { a[2], a[4], a[5] } } };
        double own = penalty * s->shares[i][1];
        dp = qvMat3_Product(&dp, &inverse);
        room->coefficients[i] = own;
        for (int k = 0; k < 9; k++)
            room->columns[i][k % 3][k / 3] = own * dj.m[k / 3][k % 3] - s->shares[i][0] * dp.m[k / 3][k % 3];
    }
}

static void GatherOf(void* context, int begin, int end)
{
    const Product* product = context;
    qvPhyxelState* s = product->step->state;
    double square = product->step->dt * product->step->dt;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(s->reference);
    s->kernel->gather(&lists, begin, end, s->implicit->coefficients, (const double(*)[4])product->p,
                      (const double(*)[3][4])s->implicit->columns, product->q);
    for (int i = begin; i < end; i++)
    {
        for (int k = 0; k < 3; k++)
            product->q[i][k] = s->body->masses[i] * product->p[i][k] - square * product->q[i][k];
    }
}

// q = (M + dt^2 K) p
static void Multiply(qvPhyxelStep* step, const Four* p, Four* q)
{
    Product product = { step, p, q };
    qvPool* pool = qvPhyxelStep_Pool(step);
    qvParallelFor(pool, step->state->count, qv_phyxelGrain, GradientsOf, &product);
    qvParallelFor(pool, step->state->count, qv_phyxelGrain, ColumnsOf, &product);
    qvParallelFor(pool, step->state->count, qv_phyxelGrain, GatherOf, &product);
}

// What is left of a vector where phyxels may move.
static void Filter(const qvPhyxelState* s, Four* p)
{
    for (int i = 0; i < s->count; i++)
    {
        const Hold* hold = &s->implicit->holds[i];
        if (hold->grip == GRIP_SLIDES)
            Put(p[i], qvMulAdd(Get(p[i]), -qvDot(Get(p[i]), hold->normal), hold->normal));
        else if (hold->grip != GRIP_NONE)
            Put(p[i], qvMakeVec3(0.0, 0.0, 0.0));
    }
}

// sum a b / m
static double Weighted(const qvPhyxelState* s, const Four* a, const Four* b)
{
    double sum = 0.0;
    for (int i = 0; i < s->count; i++)
        sum += (a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2]) / s->body->masses[i];
    return sum;
}

// r = b - A x
static void FindResidual(qvPhyxelStep* step)
{
    const qvImplicitRoom* room = step->state->implicit;
    Multiply(step, (const Four*)room->x, room->q);
    for (int i = 0; i < step->state->count; i++)
        Put(room->r[i], qvSub(Get(room->b[i]), Get(room->q[i])));
}

// Conjugate gradients, preconditioned by the masses, from what x has.
static void Solve(qvPhyxelStep* step)
{
    qvPhyxelState* s = step->state;
    const qvImplicitRoom* room = s->implicit;
    double enough = TOLERANCE * TOLERANCE * Weighted(s, (const Four*)room->b, (const Four*)room->b);
    FindResidual(step);
    Filter(s, room->r);
    for (int i = 0; i < s->count; i++)
        Put(room->p[i], qvScale(1.0 / s->body->masses[i], Get(room->r[i])));
    double size = Weighted(s, (const Four*)room->r, (const Four*)room->r);
    for (int n = 0; n < MOST_ITERATIONS && size > enough; n++)
    {
        Multiply(step, (const Four*)room->p, room->q);
        Filter(s, room->q);
        double curvature = 0.0;
        for (int i = 0; i < s->count; i++)
            curvature += qvDot(Get(room->p[i]), Get(room->q[i]));
        if (!(curvature > 0.0))
            break;
        double way = size / curvature;
        for (int i = 0; i < s->count; i++)
        {
            Put(room->x[i], qvMulAdd(Get(room->x[i]), way, Get(room->p[i])));
            Put(room->r[i], qvMulAdd(Get(room->r[i]), -way, Get(room->q[i])));
        }
        double next = Weighted(s, (const Four*)room->r, (const Four*)room->r), share = next / size;
        for (int i = 0; i < s->count; i++)
            Put(room->p[i], qvMulAdd(qvScale(1.0 / s->body->masses[i], Get(room->r[i])), share, Get(room->p[i])));
        size = next;
    }
    s->counts.solves++;
}

// --- What holds ------------------------------------------------------------------------------------------------------

static void Begin(qvPhyxelStep* step)
{
    qvPhyxelState* s = step->state;
    double after = *s->clock + step->dt;
    for (int i = 0; i < s->count; i++)
    {
        Hold* hold = &s->implicit->holds[i];
        *hold = (Hold){ .grip = GRIP_NONE };
        double left = fmax(s->heldSince[i] + qvPhyxel_HoldRamp - after, 0.0) + step->dt;
        if (s->heldSince[i] < INFINITY)
        {
            hold->grip = GRIP_HELD;
            hold->velocity = qvScale(1.0 / left, qvSub(Get(s->guide[i]), Get(s->y[i])));
        }
        Put(s->implicit->b[i], qvMulAdd(qvScale(s->body->masses[i], Get(s->v[i])), step->dt, Get(s->sums[i])));
        memcpy(s->implicit->x[i], s->v[i], sizeof(*s->v));
        if (hold->grip == GRIP_HELD)
            Put(s->implicit->x[i], hold->velocity);
    }
}

// A free phyxel that would enter something. What is inside of it already comes out gently: contact by projection.
static bool Meet(qvPhyxelStep* step, int i)
{
    qvPhyxelState* s = step->state;
    Hold* hold = &s->implicit->holds[i];
    const qvObstacles* obstacles = step->scene->obstacles;
    const qvObstaclePlace* after = s->places + qvObstacles_Count(obstacles);
    qvVec3 y = Get(s->y[i]), v = Get(s->implicit->x[i]);
    double margin = s->body->depths[i], slack = TOUCHED * s->body->spacing;
    for (int k = 0; k < qvObstacles_Count(obstacles); k++)
    {
        qvObstacleTouch touch = qvObstacles_Touch(obstacles, after, k, qvMulAdd(y, step->dt, v));
        if (!(touch.distance - margin < -slack) || qvPhyxelStep_WasInside(step, k, y, margin))
            continue;
        double along = qvDot(v, touch.normal) + (margin - touch.distance) / step->dt;
        hold->friction = 0.5 * (touch.friction + step->matter.friction);
        hold->grip = hold->friction > 0.0 ? GRIP_STICKS : GRIP_SLIDES;
        hold->normal = touch.normal;
        hold->push = qvMakeVec3(0.0, 0.0, 0.0);
        qvVec3 base = hold->grip == GRIP_STICKS ? touch.velocity : v;
        hold->velocity = qvMulAdd(base, along - qvDot(base, touch.normal), touch.normal);
        Put(s->implicit->x[i], hold->velocity);
        return true;
    }
    return false;
}

static void SetPush(qvPhyxelState* s, int i, qvVec3 push)
{
    Hold* hold = &s->implicit->holds[i];
    Put(s->implicit->b[i], qvAdd(Get(s->implicit->b[i]), qvSub(push, hold->push)));
    hold->push = push;
}

// One that touches, by what its obstacle does to it: an impulse `given` beside friction.
static bool Judge(qvPhyxelState* s, int i, qvVec3 given)
{
    Hold* hold = &s->implicit->holds[i];
    double along = qvDot(given, hold->normal), most = hold->friction * fmax(along, 0.0);
    if (along < 0.0 && !hold->isSettled)
    {
        SetPush(s, i, qvMakeVec3(0.0, 0.0, 0.0));
        hold->grip = GRIP_NONE, hold->isSettled = true;
        return true;
    }
    if (hold->grip == GRIP_STICKS)
    {
        qvVec3 across = qvMulAdd(given, -along, hold->normal);
        double size = qvLength(across);
        if (!(size > most) || hold->isSettled)
            return false;
        hold->grip = GRIP_SLIDES;
        SetPush(s, i, qvScale(most / size, across));
        return true;
    }
    double now = qvLength(hold->push);
    qvVec3 slip = qvSub(Get(s->implicit->x[i]), hold->velocity);
    if (now > 0.0 && qvDot(slip, hold->push) > 0.0)
    {
        // Friction would drive it on: it sticks.
        SetPush(s, i, qvMakeVec3(0.0, 0.0, 0.0));
        hold->grip = GRIP_STICKS, hold->isSettled = true;
        Put(s->implicit->x[i], hold->velocity);
        return true;
    }
    if (!(now > 0.0) || fabs(most - now) <= SETTLED * now)
        return false;
    SetPush(s, i, qvScale(most / now, hold->push));
    return true;
}

// Whether anything holds otherwise than in the last solve.
static bool Update(qvPhyxelStep* step)
{
    qvPhyxelState* s = step->state;
    bool isChanged = false;
    FindResidual(step);
    for (int i = 0; i < s->count; i++)
    {
        const Hold* hold = &s->implicit->holds[i];
        if (hold->grip == GRIP_NONE)
            isChanged = (!hold->isSettled && Meet(step, i)) || isChanged;
        else if (hold->grip != GRIP_HELD)
            isChanged = Judge(s, i, qvScale(-1.0, Get(s->implicit->r[i]))) || isChanged;
    }
    return isChanged;
}

// What is linear in velocities turns a body in a step and stretches it, and the force against that has a torque about
// where the body is then: a spin would fade. Each part keeps the momenta that impulses from outside give it.
static qvResult KeepMomenta(qvPhyxelStep* step, qvError* error)
{
    qvPhyxelState* s = step->state;
    const qvImplicitRoom* room = s->implicit;
    bool isHeld = false;
    FindResidual(step);
    for (int i = 0; i < s->count; i++)
    {
        const Hold* hold = &room->holds[i];
        qvVec3 given = hold->grip != GRIP_NONE ? qvScale(-1.0, Get(room->r[i])) : qvMakeVec3(0.0, 0.0, 0.0);
        if (hold->grip == GRIP_SLIDES)
            given = qvScale(qvDot(given, hold->normal), hold->normal); // the rest is left by the iteration
        isHeld = isHeld || hold->grip == GRIP_HELD;
        qvVec3 wanted = qvScale(1.0 / s->body->masses[i], qvAdd(Get(room->b[i]), given));
        Put(room->q[i], qvSub(wanted, Get(room->x[i])));
    }
    return isHeld ? qv_ok : qvPhyxelStep_AddRigid(step, (const Four*)room->q, room->x, error);
}

qvResult qvPhyxelStep_SolveVelocities(qvPhyxelStep* step, qvError* error)
{
    qvPhyxelState* s = step->state;
    qvResult result = MakeRoom(s, error);
    if (result != qv_ok)
        return result;
    bool meets = step->scene->obstacles != NULL && qvObstacles_Count(step->scene->obstacles) > 0;
    qvPhyxelStep_ForAll(step, StiffnessesOf);
    Begin(step);
    for (int i = 0; meets && i < s->count; i++)
    {
        if (s->implicit->holds[i].grip == GRIP_NONE)
            Meet(step, i);
    }
    Solve(step);
    for (int round = 1; meets && round < ROUNDS && Update(step); round++)
        Solve(step);
    result = KeepMomenta(step, error);
    for (int i = 0; i < s->count; i++)
        memcpy(s->v[i], s->implicit->x[i], sizeof(*s->v));
    return result;
}

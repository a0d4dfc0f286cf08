// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.4 (bem/pgs.h).
//
// Sweeps of Gauss-Seidel are the descent of a nonlinear method of conjugate gradients: M. Silcowitz-Hansen, S. Niebe,
// K. Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems" (2010): a stack
// of five cubes takes 30 of them instead of 65. A contact that sticks is met in all its rows at once: a cube of rubber
// that lands on a face takes 18 instead of 29.
#include "bem/pgs.h"

#include "math/mat3.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// The force on one row changes by change; the matrices are symmetric, so that their rows serve as columns.
static void Apply(const qvContactProblem* problem, int row, double change, double* r)
{
    if (change == 0.0)
        return;
    for (int p = problem->firstPlace[row / 3]; p < problem->firstPlace[row / 3 + 1]; p++)
    {
        const qvContactGroup* group = &problem->groups[problem->places[p].group];
        const double* column =
            group->a + (3 * (size_t)problem->places[p].at + (size_t)(row % 3)) * 3 * (size_t)group->count;
        for (int i = 0; i < group->count; i++)
        {
            double* out = r + 3 * group->contacts[i];
            out[0] += change * column[3 * i];
            out[1] += change * column[3 * i + 1];
            out[2] += change * column[3 * i + 2];
        }
    }
}

// How a contact answers its own force.
static qvMat3 BlockOf(const qvContactProblem* problem, int contact)
{
    qvMat3 block = { { { 0.0 } } };
    for (int p = problem->firstPlace[contact]; p < problem->firstPlace[contact + 1]; p++)
    {
        const qvContactGroup* group = &problem->groups[problem->places[p].group];
        size_t at = 3 * (size_t)problem->places[p].at, rows = 3 * (size_t)group->count;
        for (size_t k = 0; k < 9; k++)
            block.m[k / 3][k % 3] += group->a[(at + k / 3) * rows + at + k % 3];
    }
    return block;
}

// Where a contact sticks all three rows are met at once. False: it does not.
static bool Stick(const qvContactProblem* problem, int contact, const qvMat3* block, double* force, double* r,
                  double* moved)
{
    int row = 3 * contact;
    qvMat3 inverse = qvMat3_Inverse(block);
    qvVec3 change = qvScale(-1.0, qvMat3_Apply(&inverse, qvMakeVec3(r[row], r[row + 1], r[row + 2])));
    double normal = force[row] + change.x, tangent = hypot(force[row + 1] + change.y, force[row + 2] + change.z);
    if (!(normal >= 0.0 && tangent <= problem->friction[contact] * normal))
        return false;
    const double changes[3] = { change.x, change.y, change.z };
    for (int k = 0; k < 3; k++)
    {
        Apply(problem, row + k, changes[k], r);
        force[row + k] += changes[k];
        *moved = fmax(*moved, fabs(changes[k]) * block->m[k][k]);
    }
    return true;
}

static double RelaxNormal(const qvContactProblem* problem, int contact, double stiff, double* force, double* r)
{
    int row = 3 * contact;
    double next = fmax(0.0, force[row] - r[row] / stiff), change = next - force[row];
    Apply(problem, row, change, r);
    force[row] = next;
    return fabs(change) * stiff;
}

static double RelaxTangent(const qvContactProblem* problem, int contact, double stiff, double* force, double* r)
{
    int row = 3 * contact + 1;
    double next[2] = { force[row] - r[row] / stiff, force[row + 1] - r[row + 1] / stiff }, moved = 0.0;
    double size = hypot(next[0], next[1]), limit = problem->friction[contact] * force[row - 1];
    double shrink = size > limit ? limit / size : 1.0;
    for (int k = 0; k < 2; k++)
    {
        double change = shrink * next[k] - force[row + k];
        Apply(problem, row + k, change, r);
        force[row + k] += change;
        moved = fmax(moved, fabs(change) * stiff);
    }
    return moved;
}

// A sweep over all contacts; returns the largest move.
static double Sweep(const qvContactProblem* problem, double* force, double* r)
{
    double moved = 0.0;
    for (int contact = 0; contact < problem->count; contact++)
    {
        qvMat3 block = BlockOf(problem, contact);
        if (Stick(problem, contact, &block, force, r, &moved))
            continue;
        moved = fmax(moved, RelaxNormal(problem, contact, block.m[0][0], force, r));
        moved = fmax(moved, RelaxTangent(problem, contact, fmax(block.m[1][1], block.m[2][2]), force, r));
    }
    return moved;
}

// Goes on where sweeps lead: by a share of the way so far, the smaller the faster they shrink. *size is the square of
// the last sweep's change, as energy.
static void GoOn(const qvContactProblem* problem, const double* before, double* way, double* size, double* force,
                 double* r)
{
    double now = 0.0;
    for (int contact = 0; contact < problem->count; contact++)
    {
        qvMat3 block = BlockOf(problem, contact);
        for (int k = 0; k < 3; k++)
        {
            double change = force[3 * contact + k] - before[3 * contact + k];
            now += block.m[k][k] * change * change;
        }
    }
    double share = now < *size ? now / *size : 0.0; // where it grows other contacts hold: begin again
    for (int i = 0; i < 3 * problem->count; i++)
    {
        double further = share * way[i];
        way[i] = further + force[i] - before[i];
        Apply(problem, i, further, r);
        force[i] += further;
    }
    *size = now;
}

qvContactReport qvSolveContact(const qvContactProblem* problem, double* work, double* force, double* r)
{
    qvContactReport report = { 0, 0.0 };
    int rows = 3 * problem->count;
    double *before = work, *way = work + rows, size = 0.0;
    memcpy(r, problem->free, (size_t)rows * sizeof(double));
    memset(way, 0, (size_t)rows * sizeof(double));
    for (int i = 0; i < rows; i++)
        Apply(problem, i, force[i], r);
    while (problem->count > 0 && report.iterations < problem->maxIterations)
    {
        report.iterations++;
        memcpy(before, force, (size_t)rows * sizeof(double));
        report.residual = Sweep(problem, force, r);
        if (report.residual <= problem->tolerance)
            break;
        if (report.iterations < problem->maxIterations) // forces end where friction allows them
            GoOn(problem, before, way, &size, force, r);
    }
    return report;
}

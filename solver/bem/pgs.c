// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.4 (bem/pgs.h).
#include "bem/pgs.h"

#include <math.h>
#include <stddef.h>

// The force on one row changes by change; the matrices are symmetric, so that their rows serve as columns.
static void Apply(const qvContactProblem* problem, int row, double change, double* r)
{
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

static double Diagonal(const qvContactProblem* problem, int row)
{
    double sum = 0.0;
    for (int p = problem->firstPlace[row / 3]; p < problem->firstPlace[row / 3 + 1]; p++)
    {
        const qvContactGroup* group = &problem->groups[problem->places[p].group];
        sum += group->a[(3 * (size_t)problem->places[p].at + (size_t)(row % 3)) * (3 * (size_t)group->count + 1)];
    }
    return sum;
}

static double RelaxNormal(const qvContactProblem* problem, int contact, double* force, double* r)
{
    int row = 3 * contact;
    double stiff = Diagonal(problem, row), next = fmax(0.0, force[row] - r[row] / stiff), change = next - force[row];
    if (change != 0.0)
        Apply(problem, row, change, r);
    force[row] = next;
    return fabs(change) * stiff;
}

static double RelaxTangent(const qvContactProblem* problem, int contact, double* force, double* r)
{
    int row = 3 * contact + 1;
    double stiff = fmax(Diagonal(problem, row), Diagonal(problem, row + 1)), moved = 0.0;
    double next[2] = { force[row] - r[row] / stiff, force[row + 1] - r[row + 1] / stiff };
    double size = hypot(next[0], next[1]), limit = problem->friction[contact] * force[row - 1];
    double shrink = size > limit ? limit / size : 1.0;
    for (int k = 0; k < 2; k++)
    {
        double change = shrink * next[k] - force[row + k];
        if (change != 0.0)
            Apply(problem, row + k, change, r);
        force[row + k] += change;
        moved = fmax(moved, fabs(change) * stiff);
    }
    return moved;
}

qvContactReport qvSolveContact(const qvContactProblem* problem, double* force, double* r)
{
    qvContactReport report = { 0, 0.0 };
    int size = 3 * problem->count;
    for (int i = 0; i < size; i++)
        r[i] = problem->free[i];
    for (int i = 0; i < size; i++)
    {
        if (force[i] != 0.0)
            Apply(problem, i, force[i], r);
    }
    while (problem->count > 0 && report.iterations < problem->maxIterations)
    {
        report.iterations++;
        report.residual = 0.0;
        for (int contact = 0; contact < problem->count; contact++)
        {
            report.residual = fmax(report.residual, RelaxNormal(problem, contact, force, r));
            report.residual = fmax(report.residual, RelaxTangent(problem, contact, force, r));
        }
        if (report.residual <= problem->tolerance)
            break;
    }
    return report;
}

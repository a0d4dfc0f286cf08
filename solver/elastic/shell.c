// SPDX-License-Identifier: GPL-3.0-or-later
// Making shells (see quaver/shell.h for the energy, elastic/elements.h for the paper).
#include "elastic/shell.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>

qvShellMaterial qvDefaultShellMaterial(void)
{
    return (qvShellMaterial){ 1.0, 1.0, 1.0 };
}

void qvDestroyShell(qvShell* shell)
{
    if (shell == NULL)
        return;
    void* arrays[] = { shell->edges,
                       shell->triangles,
                       shell->hinges,
                       shell->masses,
                       shell->patchOf,
                       shell->points.start,
                       shell->points.items,
                       shell->edgeLists.start,
                       shell->edgeLists.items,
                       shell->triangleLists.start,
                       shell->triangleLists.items,
                       shell->hingeLists.start,
                       shell->hingeLists.items,
                       shell->blockStart,
                       shell->blockRows,
                       shell->columnStart,
                       shell->rows };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        free(arrays[i]);
    free(shell);
}

int qvShell_PointCount(const qvShell* shell)
{
    return shell->pointCount;
}

const double* qvShell_Masses(const qvShell* shell)
{
    return shell->masses;
}

qvShellPattern qvShell_Pattern(const qvShell* shell)
{
    int32_t size = 3 * shell->pointCount;
    return (qvShellPattern){ size, shell->columnStart[size], shell->columnStart, shell->rows };
}

// --- Elements --------------------------------------------------------------------------------------------------------

// Place of an edge in the topology's sorted neighbour lists.
static int32_t FindNeighbor(const qvTopology* topology, int32_t a, int32_t b)
{
    int32_t end = topology->neighborStart[a + 1];
    int32_t place = qvLowerBound(topology->neighbors, topology->neighborStart[a], end, b);
    QV_ASSERT(place < end && topology->neighbors[place] == b);
    return place;
}

// Where three or more triangles meet, the topology repeats the edge; its length counts once.
static qvResult AddEdges(qvShell* shell, const qvTopology* topology, const double* rest, qvError* error)
{
    size_t places = (size_t)topology->neighborStart[topology->pointCount];
    bool* seen = qvAllocate(places, sizeof(bool));
    if (seen == NULL)
        return qvError_OutOfMemory(error, (double)places);
    for (int e = 0; e < topology->edgeCount; e++)
    {
        const int32_t* v = topology->edges[e].point;
        int32_t place = FindNeighbor(topology, v[0] < v[1] ? v[0] : v[1], v[0] < v[1] ? v[1] : v[0]);
        if (seen[place])
            continue;
        seen[place] = true;
        double length = qvDistance(qvShell_Get(rest, v[0]), qvShell_Get(rest, v[1]));
        shell->edges[shell->edgeCount++] = (qvShellEdge){ { v[0], v[1] }, 0, length };
    }
    free(seen);
    return qv_ok;
}

static void GetPoints(const double* state, const int32_t* v, int count, qvVec3* x)
{
    for (int i = 0; i < count; i++)
        x[i] = qvShell_Get(state, v[i]);
}

static void AddTriangles(qvShell* shell, const qvTopology* topology, const double* rest)
{
    for (int t = 0; t < topology->triangleCount; t++)
    {
        const int32_t* v = topology->triangles[t].v;
        qvVec3 x[3];
        GetPoints(rest, v, 3, x);
        shell->triangles[shell->triangleCount++] =
            (qvShellTriangle){ { v[0], v[1], v[2] }, { 0, 0, 0 }, qvTriangleArea(x) };
    }
}

// Hinges whose angle means nothing at rest (a triangle without area) are left out.
static void AddHinges(qvShell* shell, const qvTopology* topology, const double* rest)
{
    for (int e = 0; e < topology->edgeCount; e++)
    {
        const qvEdge* edge = &topology->edges[e];
        if (edge->opposite[1] < 0 || edge->opposite[0] == edge->opposite[1])
            continue;
        qvShellHinge hinge = { .v = { edge->point[0], edge->point[1], edge->opposite[0], edge->opposite[1] } };
        qvVec3 x[4];
        GetPoints(rest, hinge.v, 4, x);
        if (!qvHingeAngle(x, &hinge.angle, NULL, NULL))
            continue;
        hinge.coefficient = qvHingeCoefficient(x);
        shell->hinges[shell->hingeCount++] = hinge;
    }
}

// Sizes that are nearly zero would divide by nearly zero: lengths stay above 1e-6 of the mean, areas above 1e-5 of the
// square of the triangle's longest side or of the mean length.
static void ApplyFloors(qvShell* shell, const double* rest)
{
    double sum = 0.0;
    for (int e = 0; e < shell->edgeCount; e++)
        sum += shell->edges[e].length;
    double mean = shell->edgeCount > 0 && sum > 0.0 ? sum / shell->edgeCount : 1.0;
    for (int e = 0; e < shell->edgeCount; e++)
        shell->edges[e].length = fmax(shell->edges[e].length, 1e-6 * mean);
    for (int t = 0; t < shell->triangleCount; t++)
    {
        qvVec3 x[3];
        GetPoints(rest, shell->triangles[t].v, 3, x);
        shell->triangles[t].area = fmax(shell->triangles[t].area, qvShell_LeastArea(x, mean));
    }
}

double qvShell_LeastArea(const qvVec3 x[3], double meanLength)
{
    double a = qvDistance(x[0], x[1]), b = qvDistance(x[1], x[2]), c = qvDistance(x[2], x[0]);
    double longest = fmax(fmax(a, b), fmax(c, 1e-6 * meanLength));
    return 1e-5 * longest * longest;
}

static void FillMasses(qvShell* shell)
{
    double total = 0.0;
    for (int t = 0; t < shell->triangleCount; t++)
    {
        for (int i = 0; i < 3; i++)
            shell->masses[shell->triangles[t].v[i]] += shell->triangles[t].area / 3.0;
        total += shell->triangles[t].area;
    }
    double least = 1e-9 * total / fmax(shell->pointCount, 1.0);
    for (int p = 0; p < shell->pointCount; p++)
        shell->masses[p] = fmax(shell->masses[p], least);
}

static qvResult FillShell(qvShell* shell, const qvTopology* topology, const double* rest, const qvJob* job,
                          qvError* error)
{
    size_t edges = (size_t)topology->edgeCount, triangles = (size_t)topology->triangleCount;
    shell->edges = qvAllocate(edges, sizeof(qvShellEdge));
    shell->triangles = qvAllocate(triangles, sizeof(qvShellTriangle));
    shell->hinges = qvAllocate(edges, sizeof(qvShellHinge));
    shell->masses = qvAllocate((size_t)shell->pointCount, sizeof(double));
    if (!shell->edges || !shell->triangles || !shell->hinges || !shell->masses)
        return qvError_OutOfMemory(error, (double)edges * 100.0);
    qvResult result = AddEdges(shell, topology, rest, error);
    if (result != qv_ok)
        return result;
    AddTriangles(shell, topology, rest);
    FillMasses(shell);
    ApplyFloors(shell, rest);
    AddHinges(shell, topology, rest);
    result = qvJob_Ask(job, error);
    if (result == qv_ok)
        result = qvShell_MakePatches(shell, rest, error);
    if (result == qv_ok)
        result = qvShell_MakeLists(shell, error);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    return result == qv_ok ? qvShell_MakePattern(shell, error) : result;
}

qvResult qvCreateShell(const qvTopology* topology, const double* rest, const qvJob* job, qvShell** shell,
                       qvError* error)
{
    *shell = NULL;
    for (size_t i = 0; i < 3 * (size_t)topology->pointCount; i++)
    {
        if (!(fabs(rest[i]) < 1e60))
            return qvError_Set(error, qv_badInput, "point %d: its position is not a finite number", (int)(i / 3));
    }
    if (topology->pointCount > INT32_MAX / 16)
        return qvError_Set(error, qv_unsupported, "a mesh of %d points is too large", topology->pointCount);
    qvShell* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->pointCount = topology->pointCount;
    qvResult result = FillShell(made, topology, rest, job, error);
    if (result != qv_ok)
    {
        qvDestroyShell(made);
        return result;
    }
    *shell = made;
    return qv_ok;
}

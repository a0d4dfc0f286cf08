// SPDX-License-Identifier: GPL-3.0-or-later
// Planes cut triangles and their edges; what each leaves open is one loop, which a cap closes for the pieces on both
// sides. A vertex that is near a plane is moved onto it along the edge that goes most straight across, so that no
// slivers are left.
#include "body/cut.h"

#include "base/assert.h"
#include "base/memory.h"
#include "body/cap.h"
#include "body/proxy.h"
#include "math/decompose3.h"
#include "math/mat3.h"
#include "mesh/implicit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FEWEST = 24, // vertices of a piece
};

static const double ON = 1e-9; // of the length: a vertex as near is on the plane
// Of an edge: how far a vertex is moved. Where moving turns triangles into the plane less is tried.
static const double REACHES[] = { 0.35, 0.2, 0.05 };

typedef struct Draft
{
    QV_ARRAY(qvVec3) vertices;
    QV_ARRAY(int8_t) side; // of the plane at hand: -1, 0, 1
    QV_ARRAY(uint8_t) isFixed;
    QV_ARRAY(qvTriangle) triangles;
    QV_ARRAY(int32_t) piece; // of each triangle
    qvVec3 axis, across[2];
    double low, high; // along the axis
} Draft;

static void FreeDraft(Draft* draft)
{
    free(draft->vertices.items);
    free(draft->side.items);
    free(draft->isFixed.items);
    free(draft->triangles.items);
    free(draft->piece.items);
}

void qvDestroyCut(qvCut* cut)
{
    if (cut == NULL)
        return;
    for (int p = 0; cut->pieces != NULL && p < cut->pieceCount; p++)
    {
        free(cut->pieces[p].vertices);
        free(cut->pieces[p].triangles);
    }
    free(cut->vertices);
    free(cut->triangles);
    free(cut->pieces);
    free(cut);
}

static qvResult NoMemory(const Draft* draft, qvError* error)
{
    return qvError_OutOfMemory(error, 60.0 * draft->vertices.count);
}

// --- The axis -------------------------------------------------------------------------------------------------------

// The direction along which the vertices lie farthest apart, and two across it: a right-handed frame.
static void FindAxis(Draft* draft)
{
    qvVec3 middle = { 0.0, 0.0, 0.0 };
    qvMat3 moments = { { { 0.0 } } }, axes;
    double values[3];
    for (int v = 0; v < draft->vertices.count; v++)
        middle = qvMulAdd(middle, 1.0 / draft->vertices.count, draft->vertices.items[v]);
    for (int v = 0; v < draft->vertices.count; v++)
    {
        qvVec3 d = qvSub(draft->vertices.items[v], middle);
        qvMat3 one = qvMat3_Outer(d, d);
        moments = qvMat3_MulAdd(&moments, 1.0, &one);
    }
    qvEigenSymmetric3(&moments, values, &axes);
    draft->axis = qvMakeVec3(axes.m[0][2], axes.m[1][2], axes.m[2][2]);
    if (draft->axis.x + 1e-3 * draft->axis.y + 1e-6 * draft->axis.z < 0.0)
        draft->axis = qvScale(-1.0, draft->axis);
    draft->across[0] = qvMakeVec3(axes.m[0][1], axes.m[1][1], axes.m[2][1]);
    draft->across[1] = qvCross(draft->axis, draft->across[0]);
    draft->low = INFINITY, draft->high = -INFINITY;
    for (int v = 0; v < draft->vertices.count; v++)
    {
        double at = qvDot(draft->axis, draft->vertices.items[v]);
        draft->low = fmin(draft->low, at);
        draft->high = fmax(draft->high, at);
    }
}

// --- One plane ------------------------------------------------------------------------------------------------------

static double HeightOf(const Draft* draft, int vertex, double plane)
{
    return qvDot(draft->axis, draft->vertices.items[vertex]) - plane;
}

static void SetSides(Draft* draft, double plane)
{
    for (int v = 0; v < draft->vertices.count; v++)
    {
        double height = HeightOf(draft, v, plane);
        draft->side.items[v] = fabs(height) <= ON * (draft->high - draft->low) ? 0 : height < 0.0 ? -1 : 1;
    }
}

// Moves vertices onto the plane along crossing edges of which that takes less than a part.
static bool Snap(Draft* draft, double plane, double reach)
{
    int count = draft->vertices.count;
    double* steep = qvAllocate((size_t)count, sizeof(double));
    qvVec3* goal = qvAllocate((size_t)count, sizeof(qvVec3));
    bool done = steep != NULL && goal != NULL;
    for (int c = 0; done && c < 3 * draft->triangles.count; c++)
    {
        int a = draft->triangles.items[c / 3].v[c % 3], b = draft->triangles.items[c / 3].v[(c + 1) % 3];
        if (draft->side.items[a] * draft->side.items[b] >= 0)
            continue;
        for (int k = 0; k < 2; k++)
        {
            int from = k == 0 ? a : b, to = k == 0 ? b : a;
            qvVec3 x = draft->vertices.items[from], way = qvSub(draft->vertices.items[to], x);
            double rise = qvDot(draft->axis, way), t = -HeightOf(draft, from, plane) / rise;
            double slope = fabs(rise) / qvLength(way);
            if (t < reach && slope > steep[from] && !draft->isFixed.items[from])
            {
                steep[from] = slope;
                goal[from] = qvMulAdd(x, t, way);
            }
        }
    }
    for (int v = 0; done && v < count; v++)
    {
        if (steep[v] > 0.0)
        {
            draft->vertices.items[v] = goal[v];
            draft->side.items[v] = 0;
        }
    }
    free(steep);
    free(goal);
    return done;
}

// A vertex where an edge goes through the plane.
typedef struct Crossing
{
    int32_t a, b, vertex;
} Crossing;

typedef QV_ARRAY(Crossing) Crossings;

static int FindCrossing(const Crossings* crossings, int a, int b)
{
    for (int i = 0; i < crossings->count; i++)
    {
        const Crossing* c = &crossings->items[i];
        if ((c->a == a && c->b == b) || (c->a == b && c->b == a))
            return c->vertex;
    }
    return -1;
}

static int Cross(Draft* draft, Crossings* crossings, double plane, int a, int b)
{
    int found = FindCrossing(crossings, a, b);
    if (found >= 0)
        return found;
    double ha = HeightOf(draft, a, plane), hb = HeightOf(draft, b, plane), t = ha / (ha - hb);
    qvVec3 x = qvMulAdd(draft->vertices.items[a], t, qvSub(draft->vertices.items[b], draft->vertices.items[a]));
    Crossing made = { a, b, draft->vertices.count };
    return QV_PUSH(draft->vertices, x) && QV_PUSH(draft->side, 0) && QV_PUSH(draft->isFixed, 1) &&
                   QV_PUSH(*crossings, made)
               ? made.vertex
               : -1;
}

static bool AddTriangle(Draft* draft, int a, int b, int c, int piece)
{
    return QV_PUSH(draft->triangles, ((qvTriangle){ { a, b, c } })) && QV_PUSH(draft->piece, piece);
}

// Cuts a triangle whose corners are on both sides; its first part stays in its place. False: out of memory.
static bool Split(Draft* draft, Crossings* crossings, double plane, int t)
{
    qvTriangle old = draft->triangles.items[t];
    int piece = draft->piece.items[t], lone = 0;
    for (int k = 0; k < 3; k++) // the corner that is alone on its side, or the one before a corner on the plane
    {
        int s = draft->side.items[old.v[k]], next = draft->side.items[old.v[(k + 1) % 3]],
            last = draft->side.items[old.v[(k + 2) % 3]];
        if (s != 0 && s * next <= 0 && s * last <= 0 && (next != 0 || last != 0))
            lone = k;
    }
    int a = old.v[lone], b = old.v[(lone + 1) % 3], c = old.v[(lone + 2) % 3];
    int sb = draft->side.items[b], sc = draft->side.items[c];
    int ab = sb != 0 ? Cross(draft, crossings, plane, a, b) : b,
        ac = sc != 0 ? Cross(draft, crossings, plane, a, c) : c;
    if (ab < 0 || ac < 0)
        return false;
    draft->triangles.items[t] = (qvTriangle){ { a, ab, ac } };
    if (sb != 0 && !AddTriangle(draft, ab, b, sc != 0 ? c : ac, piece))
        return false;
    return sc == 0 || AddTriangle(draft, ab, c, ac, piece);
}

static bool IsAcross(const Draft* draft, int t)
{
    const int32_t* v = draft->triangles.items[t].v;
    bool below = false, above = false;
    for (int k = 0; k < 3; k++)
    {
        below = below || draft->side.items[v[k]] < 0;
        above = above || draft->side.items[v[k]] > 0;
    }
    return below && above;
}

// Cuts the last piece so far in two.
static qvResult CutAt(Draft* draft, double plane, double reach, qvError* error)
{
    SetSides(draft, plane);
    if (!Snap(draft, plane, reach))
        return NoMemory(draft, error);
    Crossings crossings = { 0 };
    bool done = true;
    int count = draft->triangles.count;
    for (int t = 0; done && t < count; t++)
        done = !IsAcross(draft, t) || Split(draft, &crossings, plane, t);
    free(crossings.items);
    if (!done)
        return NoMemory(draft, error);
    for (int t = 0; t < draft->triangles.count; t++)
    {
        const int32_t* v = draft->triangles.items[t].v;
        int side = 0;
        for (int k = 0; k < 3; k++)
            side += draft->side.items[v[k]];
        if (side == 0)
            return qvError_Set(error, qv_badInput, "it is flat where it would be cut");
        draft->piece.items[t] += side > 0;
    }
    for (int v = 0; v < draft->vertices.count; v++)
        draft->isFixed.items[v] |= draft->side.items[v] == 0;
    return qv_ok;
}

// --- Interfaces -----------------------------------------------------------------------------------------------------

// The loop between a piece and the next, counterclockwise seen from the next: [*count] vertices to be freed.
static qvResult FindLoop(const Draft* draft, int surface, int piece, int32_t** loop, int* count, qvError* error)
{
    int32_t *opposites = qvMakeOpposites(draft->triangles.items, surface), first = -1, edges = 0;
    int32_t* before = qvAllocateRaw((size_t)draft->vertices.count, sizeof(*before));
    *loop = qvAllocate((size_t)draft->vertices.count, sizeof(**loop));
    *count = 0;
    bool isOnce = true, done = opposites != NULL && before != NULL && *loop != NULL;
    for (int v = 0; done && v < draft->vertices.count; v++)
        before[v] = -1;
    for (int c = 0; done && c < 3 * surface; c++)
    {
        int t = c / 3, other = opposites[c] / 3;
        if (draft->piece.items[t] > piece || opposites[c] < 0 || draft->piece.items[other] <= piece)
            continue;
        int from = draft->triangles.items[t].v[(c % 3 + 1) % 3], to = draft->triangles.items[t].v[(c % 3 + 2) % 3];
        isOnce = isOnce && before[to] < 0;
        before[to] = from; // backwards: the cap's triangles run against the surface's
        first = from;
        edges++;
    }
    for (int v = first; done && v >= 0 && *count < edges; v = before[v])
    {
        (*loop)[(*count)++] = v;
        if (before[v] == first)
            break;
    }
    free(opposites);
    free(before);
    if (!done)
        return NoMemory(draft, error);
    if (!isOnce || edges < 3 || *count != edges)
        return qvError_Set(error, qv_badInput, "between the pieces %d and %d it is in several arms", piece + 1,
                           piece + 2);
    return qv_ok;
}

// Closes the pieces on both sides of an interface. surface: triangles that are no caps.
static qvResult AddCap(Draft* draft, int surface, int piece, qvError* error)
{
    int32_t* loop = NULL;
    int count, first = draft->vertices.count;
    qvResult result = FindLoop(draft, surface, piece, &loop, &count, error);
    double(*flat)[2] = result == qv_ok ? qvAllocate((size_t)count, sizeof(*flat)) : NULL;
    qvCap cap = { 0 };
    if (result == qv_ok && flat == NULL)
        result = NoMemory(draft, error);
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        for (int k = 0; k < 2; k++)
            flat[i][k] = qvDot(draft->across[k], draft->vertices.items[loop[i]]);
    }
    if (result == qv_ok)
        result = qvCreateCap((const double(*)[2])flat, count, &cap, error);
    double plane = result == qv_ok ? qvDot(draft->axis, draft->vertices.items[loop[0]]) : 0.0;
    for (int i = 0; result == qv_ok && i < cap.innerCount; i++)
    {
        qvVec3 x = qvMulAdd(qvScale(plane, draft->axis), cap.inner[i][0], draft->across[0]);
        if (!QV_PUSH(draft->vertices, qvMulAdd(x, cap.inner[i][1], draft->across[1])))
            result = NoMemory(draft, error);
    }
    for (int t = 0; result == qv_ok && t < cap.triangleCount; t++)
    {
        int32_t v[3];
        for (int k = 0; k < 3; k++)
        {
            int at = cap.triangles[t].v[k];
            v[k] = at < count ? loop[at] : first + at - count;
        }
        if (!AddTriangle(draft, v[0], v[1], v[2], piece) || !AddTriangle(draft, v[0], v[2], v[1], piece + 1))
            result = NoMemory(draft, error);
    }
    qvFreeCap(&cap);
    free(flat);
    free(loop);
    return result;
}

// --- Pieces ---------------------------------------------------------------------------------------------------------

static qvResult TakePiece(const Draft* draft, int index, int32_t* numbers, qvCutPiece* piece, qvError* error)
{
    for (int v = 0; v < draft->vertices.count; v++)
        numbers[v] = -1;
    piece->vertices = qvAllocate((size_t)draft->vertices.count, sizeof(*piece->vertices));
    piece->triangles = qvAllocate((size_t)draft->triangles.count, sizeof(*piece->triangles));
    qvVec3* places = qvAllocate((size_t)draft->vertices.count, sizeof(*places));
    qvResult result =
        piece->vertices != NULL && piece->triangles != NULL && places != NULL ? qv_ok : NoMemory(draft, error);
    for (int t = 0; result == qv_ok && t < draft->triangles.count; t++)
    {
        if (draft->piece.items[t] != index)
            continue;
        qvTriangle* made = &piece->triangles[piece->triangleCount++];
        for (int k = 0; k < 3; k++)
        {
            int32_t v = draft->triangles.items[t].v[k];
            if (numbers[v] < 0)
            {
                numbers[v] = piece->vertexCount;
                places[piece->vertexCount] = draft->vertices.items[v];
                piece->vertices[piece->vertexCount++] = v;
            }
            made->v[k] = numbers[v];
        }
    }
    if (result == qv_ok && piece->vertexCount < FEWEST)
        result =
            qvError_Set(error, qv_badInput, "the piece %d would have %d vertices only", index + 1, piece->vertexCount);
    if (result == qv_ok)
    {
        result = qvCheckProxy(places, piece->vertexCount, piece->triangles, piece->triangleCount, error);
        if (result == qv_badInput)
            qvError_Prefix(error, "the piece %d", index + 1);
    }
    free(places);
    return result;
}

static qvResult TakePieces(Draft* draft, int surfaceTriangles, qvCut* cut, qvError* error)
{
    int32_t* numbers = qvAllocate((size_t)draft->vertices.count, sizeof(*numbers));
    cut->pieces = qvAllocate((size_t)cut->pieceCount, sizeof(*cut->pieces));
    qvResult result = numbers != NULL && cut->pieces != NULL ? qv_ok : NoMemory(draft, error);
    for (int p = 0; result == qv_ok && p < cut->pieceCount; p++)
        result = TakePiece(draft, p, numbers, &cut->pieces[p], error);
    free(numbers);
    cut->vertexCount = draft->vertices.count;
    cut->vertices = draft->vertices.items;
    cut->triangleCount = surfaceTriangles;
    cut->triangles = draft->triangles.items;
    draft->vertices.items = NULL; // the cut's now
    draft->triangles.items = NULL;
    return result;
}

static qvResult Begin(Draft* draft, const qvVec3* vertices, int vertexCount, const qvTriangle* triangles,
                      int triangleCount, qvError* error)
{
    bool done = true;
    for (int v = 0; done && v < vertexCount; v++)
        done = QV_PUSH(draft->vertices, vertices[v]) && QV_PUSH(draft->side, 0) && QV_PUSH(draft->isFixed, 0);
    for (int t = 0; done && t < triangleCount; t++)
        done = AddTriangle(draft, triangles[t].v[0], triangles[t].v[1], triangles[t].v[2], 0);
    if (done)
        FindAxis(draft);
    return done ? qv_ok : NoMemory(draft, error);
}

static qvResult Try(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles, int triangleCount, int pieces,
                    double reach, qvCut* cut, qvError* error)
{
    Draft draft = { 0 };
    qvResult result = Begin(&draft, vertices, vertexCount, triangles, triangleCount, error);
    for (int p = 1; result == qv_ok && p < pieces; p++)
        result = CutAt(&draft, draft.low + (draft.high - draft.low) * p / pieces, reach, error);
    int surface = draft.triangles.count;
    cut->surfaceCount = draft.vertices.count;
    cut->pieceCount = pieces;
    for (int p = 0; result == qv_ok && p + 1 < pieces; p++)
        result = AddCap(&draft, surface, p, error);
    if (result == qv_ok)
        result = TakePieces(&draft, surface, cut, error);
    FreeDraft(&draft);
    return result;
}

qvResult qvCreateCut(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles, int triangleCount,
                     int pieces, qvCut** out, qvError* error)
{
    QV_ASSERT(pieces > 1);
    *out = NULL;
    qvResult result = qv_badInput;
    for (size_t r = 0; result == qv_badInput && r < sizeof(REACHES) / sizeof(REACHES[0]); r++)
    {
        qvCut* cut = qvAllocate(1, sizeof(*cut));
        if (cut == NULL)
            return qvError_OutOfMemory(error, sizeof(*cut));
        result = Try(vertices, vertexCount, triangles, triangleCount, pieces, REACHES[r], cut, error);
        if (result == qv_ok)
            *out = cut;
        else
            qvDestroyCut(cut);
    }
    if (result == qv_badInput)
    {
        qvError cause = *error;
        return qvError_Set(error, qv_badInput, "cannot be cut into %d pieces: %s; take fewer, or change its detail",
                           pieces, cause.message);
    }
    return result;
}

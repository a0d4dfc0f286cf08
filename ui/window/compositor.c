// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/compositor.h"

#include "ui/grow.h"
#include "ui/render/renderer.h"
#include "ui/window/limits.h"

#include <stdlib.h>
#include <string.h>

enum
{
    // Pixels. That of llvmpipe's own tiles: what is drawn in one then never depends on what is left out beside it.
    TILE = 64,
    // Microseconds, roughly, that drawing may take in a frame where the processor does it, and what it takes. A new
    // picture with what lies over it leaves half of it.
    BUDGET = 1700,
    TILE_COST = 6,
    TRIANGLE_COST = 1,
    // Pixels from which on an opaque area is not blended with what is below.
    LARGE_AREA = 1500
};

// Behind everything: what shows where no panel is, 0xaabbggrr.
static const ImU32 backgroundColor = 0xff1d1917;

typedef struct Box
{
    int lower[2], upper[2]; // upper is outside
} Box;

typedef struct qvuiTile
{
    uint64_t hash, drawnHash;
    int bottom;    // the uppermost shape that hides all below it, or -1
    int triangles; // from there on
    bool drawn;    // in this frame
} Tile;

// A triangle, two that share an edge, or a plain polygon of one colour.
typedef struct qvuiShape
{
    const ImDrawVert* vertices;
    const ImDrawIdx* indices;
    unsigned int texture; // 0: plain
    int cornerCount;      // 3 to a triangle
    Box reach, clip;      // pixels it could touch, and those it may
    bool fan;             // a polygon: all its triangles begin at one corner
    bool opaque;          // a plain rectangle that hides what is below
} Shape;

// A box within the window. Boxes are drawn in turn from all shapes that reach them, and most reach few of them: what
// this is decided by lies close together.
typedef struct qvuiReach
{
    int16_t lower[2], upper[2];
} Reach;

qvResult qvuiCompositor_Init(qvuiCompositor* compositor, qvError* error)
{
    *compositor = (qvuiCompositor){ .whole = true, .budget = qvuiDrawsInSoftware() ? BUDGET : 0 };
    igGetIO()->BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    return qvuiCanvas_Init(&compositor->canvas, error);
}

void qvuiCompositor_Free(qvuiCompositor* compositor)
{
    qvuiCanvas_Free(&compositor->canvas);
    free(compositor->tiles);
    free(compositor->shapes);
    free(compositor->seen);
    qvuiBatch_Free(&compositor->batch);
    *compositor = (qvuiCompositor){ 0 };
}

qvResult qvuiCompositor_TakeFonts(qvuiCompositor* compositor, qvError* error)
{
    ImFontAtlas* atlas = igGetIO()->Fonts;
    unsigned char* pixels;
    int width, height;
    ImFontAtlas_GetTexDataAsAlpha8(atlas, &pixels, &width, &height, NULL);
    compositor->whole = true;
    compositor->opacity = (qvuiOpacity){ pixels, width, height };
    if (!qvuiCanvas_SetFont(&compositor->canvas, pixels, width, height))
        return qvError_Set(error, qv_unsupported,
                           "the fonts do not fit into a texture of %d x %d; choose a smaller interface", width, height);
    ImFontAtlas_SetTexID(atlas, (ImTextureID)(intptr_t)compositor->canvas.font);
    return qv_ok;
}

// --- What is to be seen --------------------------------------------------------------------------------------------

static uint64_t Mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static Box Intersect(const Box* a, const Box* b)
{
    Box both;
    for (int k = 0; k < 2; k++)
    {
        both.lower[k] = a->lower[k] > b->lower[k] ? a->lower[k] : b->lower[k];
        both.upper[k] = a->upper[k] < b->upper[k] ? a->upper[k] : b->upper[k];
    }
    return both;
}

static bool IsEmpty(const Box* box)
{
    return box->lower[0] >= box->upper[0] || box->lower[1] >= box->upper[1];
}

static bool Contains(const Box* outer, const Box* inner)
{
    return outer->lower[0] <= inner->lower[0] && outer->lower[1] <= inner->lower[1] &&
           outer->upper[0] >= inner->upper[0] && outer->upper[1] >= inner->upper[1];
}

static int Area(const Box* box)
{
    return (box->upper[0] - box->lower[0]) * (box->upper[1] - box->lower[1]);
}

// Pixels whose middle may be inside.
static int Lower(float x)
{
    return qvuiFloor(qvuiWithin(x, 1e6f));
}

static int Upper(float x)
{
    return qvuiCeil(qvuiWithin(x, 1e6f));
}

// Whether the second triangle has an edge with the first in common.
static bool IsPair(const ImDrawIdx* v)
{
    int common = 0;
    for (int k = 3; k < 6; k++)
        common += v[k] == v[0] || v[k] == v[1] || v[k] == v[2];
    return common == 2;
}

// Whether two triangles fill their box: corners in the order in which ImGui makes rectangles.
static bool IsRectangle(const ImDrawVert* vertices, const ImDrawIdx* v)
{
    const ImVec2 a = vertices[v[0]].pos, b = vertices[v[1]].pos, c = vertices[v[2]].pos, d = vertices[v[5]].pos;
    return v[3] == v[0] && v[4] == v[2] && a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
}

// The pixels whose middles a rectangle is sure to hold.
static Box Inside(const ImDrawVert* vertices, const ImDrawIdx* v)
{
    const ImVec2 a = vertices[v[0]].pos, c = vertices[v[2]].pos;
    return (Box){ { Upper(qvuiLower(a.x, c.x)), Upper(qvuiLower(a.y, c.y)) },
                  { Lower(qvuiHigher(a.x, c.x)), Lower(qvuiHigher(a.y, c.y)) } };
}

// The products do not wait for one another, unlike those of Mix.
static uint64_t HashVertex(const ImDrawVert* vertex)
{
    uint64_t place, uv;
    memcpy(&place, &vertex->pos, sizeof(place));
    memcpy(&uv, &vertex->uv, sizeof(uv));
    return place * 0xbf58476d1ce4e5b9u ^ uv * 0x94d049bb133111ebu ^ (vertex->col + 1u) * 0xd6e8feb86659fd93u;
}

// Of triangles that share edges, each after the first brings one vertex; which ones it shares is told by the distances
// of the indices.
static uint64_t HashShape(const Shape* shape)
{
    const ImDrawIdx* v = shape->indices;
    uint64_t hash = Mix(shape->texture, (uint64_t)shape->cornerCount), distances = shape->fan;
    for (int k = 0; k < 3; k++)
        hash = Mix(hash, HashVertex(&shape->vertices[v[k]]));
    for (int k = 3; k < shape->cornerCount; k++)
    {
        distances = distances * 65537 + (ImDrawIdx)(v[k] - v[0]);
        if (shape->fan ? k % 3 == 2 : v[k] != v[0] && v[k] != v[1] && v[k] != v[2])
            hash = Mix(hash, HashVertex(&shape->vertices[v[k]]));
    }
    hash = Mix(hash, distances);
    Box seen = Intersect(&shape->reach, &shape->clip);
    for (int k = 0; k < 2; k++)
        hash = Mix(hash, (uint64_t)(uint32_t)seen.lower[k] << 32 | (uint32_t)seen.upper[k]);
    return hash;
}

static Box TilesOf(const Box* box)
{
    return (Box){ { box->lower[0] / TILE, box->lower[1] / TILE },
                  { (box->upper[0] + TILE - 1) / TILE, (box->upper[1] + TILE - 1) / TILE } };
}

// Adds a shape to the tiles that it touches. What it hides there can no longer make a difference.
static void AddToTiles(qvuiCompositor* compositor, const Box* seen, const Box* hidden, uint64_t hash, int triangles)
{
    Box range = TilesOf(seen);
    for (int row = range.lower[1]; row < range.upper[1]; row++)
        for (int column = range.lower[0]; column < range.upper[0]; column++)
        {
            Tile* tile = &compositor->tiles[row * compositor->columns + column];
            Box whole = { { column * TILE, row * TILE }, { (column + 1) * TILE, (row + 1) * TILE } };
            Box screen = { { 0, 0 }, { compositor->canvas.width, compositor->canvas.height } };
            whole = Intersect(&whole, &screen);
            bool hides = hidden != NULL && Contains(hidden, &whole);
            tile->bottom = hides ? compositor->shapeCount : tile->bottom;
            tile->hash = Mix(hides ? 0 : tile->hash, hash);
            tile->triangles = (hides ? 0 : tile->triangles) + triangles;
        }
}

static Box FindReach(const Shape* shape)
{
    ImVec2 lower = shape->vertices[shape->indices[0]].pos, upper = lower;
    for (int k = 1; k < shape->cornerCount; k++)
    {
        ImVec2 p = shape->vertices[shape->indices[k]].pos;
        lower = (ImVec2){ qvuiLower(lower.x, p.x), qvuiLower(lower.y, p.y) };
        upper = (ImVec2){ qvuiHigher(upper.x, p.x), qvuiHigher(upper.y, p.y) };
    }
    return (Box){ { Lower(lower.x), Lower(lower.y) }, { Upper(upper.x), Upper(upper.y) } };
}

static void AddShape(qvuiCompositor* compositor, Shape* shape, ImVec2 white)
{
    shape->reach = FindReach(shape);
    Box seen = Intersect(&shape->reach, &shape->clip), hidden = { 0 };
    if (IsEmpty(&seen))
        return;
    bool plain = true, opaque = true;
    for (int k = 0; k < shape->cornerCount; k++)
    {
        const ImDrawVert* vertex = &shape->vertices[shape->indices[k]];
        plain = plain && vertex->uv.x == white.x && vertex->uv.y == white.y;
        opaque = opaque && vertex->col >> 24 == 0xff;
    }
    if (plain)
        shape->texture = 0;
    shape->opaque = plain && opaque && shape->cornerCount == 6 && IsRectangle(shape->vertices, shape->indices);
    if (shape->opaque)
    {
        hidden = Inside(shape->vertices, shape->indices);
        hidden = Intersect(&hidden, &shape->clip);
    }
    AddToTiles(compositor, &seen, shape->opaque ? &hidden : NULL, HashShape(shape), shape->cornerCount / 3);
    compositor->seen[compositor->shapeCount] = (Reach){ { (int16_t)seen.lower[0], (int16_t)seen.lower[1] },
                                                        { (int16_t)seen.upper[0], (int16_t)seen.upper[1] } };
    compositor->shapes[compositor->shapeCount++] = *shape;
}

// Corners of the triangles that make one plain polygon of one colour: each has the first corner and the last edge of
// the one before.
static int FanLength(const ImDrawVert* vertices, const ImDrawIdx* v, int count, ImVec2 white)
{
    const ImDrawVert* first = &vertices[v[0]];
    int length = 0;
    for (int k = 0; k < count; k++)
    {
        const ImDrawVert* vertex = &vertices[v[k]];
        if (vertex->col != first->col || vertex->uv.x != white.x || vertex->uv.y != white.y)
            break;
        if (k >= 3 && ((k % 3 == 0 && v[k] != v[0]) || (k % 3 == 1 && v[k] != v[k - 2])))
            break;
        if (k % 3 == 2)
            length = k + 1;
    }
    return length;
}

static void AddCommand(qvuiCompositor* compositor, const ImDrawList* list, const ImDrawCmd* command, ImVec2 white)
{
    Box screen = { { 0, 0 }, { compositor->canvas.width, compositor->canvas.height } };
    Box clip = { { (int)command->ClipRect.x, (int)command->ClipRect.y },
                 { (int)command->ClipRect.z, (int)command->ClipRect.w } };
    clip = Intersect(&clip, &screen);
    if (IsEmpty(&clip) || command->UserCallback != NULL)
        return;
    const ImDrawIdx* indices = list->IdxBuffer.Data + command->IdxOffset;
    for (int i = 0, count = (int)command->ElemCount; i < count;)
    {
        Shape shape = { .vertices = list->VtxBuffer.Data + command->VtxOffset,
                        .indices = indices + i,
                        .texture = (unsigned int)(intptr_t)command->TextureId,
                        .clip = clip };
        int fan = FanLength(shape.vertices, shape.indices, count - i, white);
        shape.fan = fan >= 6;
        shape.cornerCount = shape.fan ? fan : i + 6 <= count && IsPair(indices + i) ? 6 : 3;
        AddShape(compositor, &shape, white);
        i += shape.cornerCount;
    }
}

static bool FillTiles(qvuiCompositor* compositor, const ImDrawData* data)
{
    for (int i = 0; i < compositor->columns * compositor->rows; i++)
        compositor->tiles[i] = (Tile){ .drawnHash = compositor->tiles[i].drawnHash, .bottom = -1 };
    compositor->shapeCount = 0;
    int most = data->TotalIdxCount / 3;
    if (!qvuiGrow(&compositor->shapes, &compositor->shapeCapacity, most, sizeof(Shape)) ||
        !qvuiGrow(&compositor->seen, &compositor->seenCapacity, most, sizeof(Reach)))
        return false;
    ImVec2 white;
    igGetFontTexUvWhitePixel(&white);
    for (int i = 0; i < data->CmdListsCount; i++)
        for (int k = 0; k < data->CmdLists[i]->CmdBuffer.Size; k++)
            AddCommand(compositor, data->CmdLists[i], &data->CmdLists[i]->CmdBuffer.Data[k], white);
    return true;
}

// --- Drawing it ----------------------------------------------------------------------------------------------------

// A rectangle of whole pixels. Nothing outside it is touched, so it needs no limits of its own.
static bool AddRectangle(qvuiCompositor* compositor, const Box* box, const qvuiCanvasRun* like, const float uv[4],
                         ImU32 color)
{
    float x[2] = { (float)box->lower[0], (float)box->upper[0] }, y[2] = { (float)box->lower[1], (float)box->upper[1] };
    qvuiCanvasVertex v[4] = { { x[0], y[0], uv[0], uv[1], color },
                              { x[1], y[0], uv[2], uv[1], color },
                              { x[1], y[1], uv[2], uv[3], color },
                              { x[0], y[1], uv[0], uv[3], color } };
    qvuiCanvasRun run = *like;
    run.upper[0] = compositor->canvas.width;
    run.upper[1] = compositor->canvas.height;
    return qvuiBatch_Add(&compositor->batch, &run, box->lower, box->upper,
                         (qvuiCanvasVertex[]){ v[0], v[1], v[2], v[0], v[2], v[3] });
}

static bool AddPlain(qvuiCompositor* compositor, const Box* box, ImU32 color)
{
    qvuiCanvasRun run = { .paint = qvui_paintFlat, .blends = color >> 24 != 255 || Area(box) < LARGE_AREA };
    return AddRectangle(compositor, box, &run, (float[4]){ 0 }, color);
}

static Box PictureBox(const qvuiBackground* background)
{
    return (Box){ { background->x, background->y },
                  { background->x + background->picture->width, background->y + background->picture->height } };
}

static bool AddBackground(qvuiCompositor* compositor, const Box* box, const qvuiBackground* background)
{
    Box place = PictureBox(background), seen = Intersect(&place, box);
    bool hasPicture = background->picture->texture != 0 && !IsEmpty(&seen);
    if (!(hasPicture && Contains(&seen, box)) && !AddPlain(compositor, box, backgroundColor))
        return false;
    if (!hasPicture)
        return true;
    float w = (float)background->picture->width, h = (float)background->picture->height;
    float uv[4] = { (float)(seen.lower[0] - place.lower[0]) / w, (float)(seen.lower[1] - place.lower[1]) / h,
                    (float)(seen.upper[0] - place.lower[0]) / w, (float)(seen.upper[1] - place.lower[1]) / h };
    qvuiCanvasRun run = { .paint = qvui_paintCopy, .texture = background->picture->texture };
    return AddRectangle(compositor, &seen, &run, uv, 0xffffffff);
}

// A shape that is whole pixels of plain colours; -1 when it is not.
static int FindFills(const qvuiCompositor* compositor, const Shape* shape, qvuiFill* fills)
{
    if (shape->fan)
        return qvuiFillFan(shape->vertices, shape->indices, shape->cornerCount, fills);
    bool plain = shape->texture == 0, own = shape->texture == compositor->canvas.font;
    if (shape->cornerCount != 6 || !(plain || own) || (own && IsRectangle(shape->vertices, shape->indices)))
        return -1;
    return qvuiFillBar(shape->vertices, shape->indices, plain ? NULL : &compositor->opacity, fills);
}

// Limits that cut nothing off are left away, so that more shapes share a run.
static bool DrawTriangles(qvuiCompositor* compositor, const Shape* shape, const Box* seen, const Box* box)
{
    Box limits = Intersect(&shape->clip, box),
        screen = { { 0, 0 }, { compositor->canvas.width, compositor->canvas.height } };
    limits = Contains(&limits, &shape->reach) ? screen : limits;
    qvuiCanvasRun run = { .paint = shape->texture != 0 ? qvui_paintTint : qvui_paintFlat,
                          .texture = shape->texture,
                          .blends = true };
    memcpy(run.lower, limits.lower, sizeof(run.lower));
    memcpy(run.upper, limits.upper, sizeof(run.upper));
    for (int first = 0; first < shape->cornerCount; first += 6)
    {
        qvuiCanvasVertex vertices[6];
        for (int k = 0; k < 6; k++)
        {
            int corner = first + k < shape->cornerCount ? first + k : first + 2;
            const ImDrawVert* v = &shape->vertices[shape->indices[corner]];
            vertices[k] = (qvuiCanvasVertex){ v->pos.x, v->pos.y, v->uv.x, v->uv.y, qvuiMultiplyByAlpha(v->col) };
        }
        if (!qvuiBatch_Add(&compositor->batch, &run, seen->lower, seen->upper, vertices))
            return false;
    }
    return true;
}

// The part of a shape in a box that it reaches.
static bool DrawShape(qvuiCompositor* compositor, const Shape* shape, const Box* box)
{
    Box seen = Intersect(&shape->reach, &shape->clip);
    seen = Intersect(&seen, box);
    qvuiFill fills[qvui_mostFills];
    int count = FindFills(compositor, shape, fills);
    if (count < 0)
        return DrawTriangles(compositor, shape, &seen, box);
    for (int i = 0; i < count; i++)
    {
        Box fill = { { fills[i].lower[0], fills[i].lower[1] }, { fills[i].upper[0], fills[i].upper[1] } };
        fill = Intersect(&fill, &seen);
        if (!IsEmpty(&fill) && !AddPlain(compositor, &fill, fills[i].color))
            return false;
    }
    return true;
}

// Everything in a box, from a shape on.
static bool DrawBox(qvuiCompositor* compositor, const Box* box, int bottom)
{
    for (int i = bottom < 0 ? 0 : bottom; i < compositor->shapeCount; i++)
    {
        const Reach* seen = &compositor->seen[i];
        bool reaches = seen->lower[0] < box->upper[0] && seen->lower[1] < box->upper[1] &&
                       seen->upper[0] > box->lower[0] && seen->upper[1] > box->lower[1];
        if (reaches && !DrawShape(compositor, &compositor->shapes[i], box))
            return false;
    }
    return true;
}

static void MarkDrawn(Tile* tile)
{
    tile->drawn = true;
    tile->drawnHash = tile->hash;
}

// A rectangle of tiles, from the lowest shape that can be seen in it.
static bool DrawTiles(qvuiCompositor* compositor, const Box* tiles, const qvuiBackground* background)
{
    int bottom = compositor->shapeCount;
    for (int row = tiles->lower[1]; row < tiles->upper[1]; row++)
        for (int column = tiles->lower[0]; column < tiles->upper[0]; column++)
        {
            Tile* tile = &compositor->tiles[row * compositor->columns + column];
            MarkDrawn(tile);
            bottom = tile->bottom < bottom ? tile->bottom : bottom;
        }
    Box screen = { { 0, 0 }, { compositor->canvas.width, compositor->canvas.height } };
    Box box = { { tiles->lower[0] * TILE, tiles->lower[1] * TILE },
                { tiles->upper[0] * TILE, tiles->upper[1] * TILE } };
    box = Intersect(&box, &screen);
    return (bottom >= 0 || AddBackground(compositor, &box, background)) && DrawBox(compositor, &box, bottom);
}

static bool IsStale(const qvuiCompositor* compositor, int column, int row)
{
    const Tile* tile = &compositor->tiles[row * compositor->columns + column];
    return !tile->drawn && tile->hash != tile->drawnHash;
}

// Nothing that was drawn counts any more.
static void ForgetTiles(qvuiCompositor* compositor)
{
    for (int i = 0; i < compositor->columns * compositor->rows; i++)
        compositor->tiles[i].drawnHash = ~compositor->tiles[i].hash;
}

// Whether a stale tile starts with that shape: what lies below it need not be drawn for any tile of a box.
static bool Joins(const qvuiCompositor* compositor, int column, int row, int bottom)
{
    return IsStale(compositor, column, row) && compositor->tiles[row * compositor->columns + column].bottom == bottom;
}

static int RowCost(const qvuiCompositor* compositor, int left, int right, int row)
{
    int cost = 0;
    for (int column = left; column < right; column++)
        cost += TILE_COST + TRIANGLE_COST * compositor->tiles[row * compositor->columns + column].triangles;
    return cost;
}

// The widest row of stale tiles that starts here, and as many rows below as are stale over the same width and can be
// paid for.
static Box GrowBox(const qvuiCompositor* compositor, int column, int row, int* cost)
{
    int bottom = compositor->tiles[row * compositor->columns + column].bottom;
    Box box = { { column, row }, { column + 1, row + 1 } };
    while (box.upper[0] < compositor->columns && Joins(compositor, box.upper[0], row, bottom))
        box.upper[0]++;
    *cost += RowCost(compositor, column, box.upper[0], row);
    for (; box.upper[1] < compositor->rows; box.upper[1]++)
    {
        int more = RowCost(compositor, column, box.upper[0], box.upper[1]);
        if (compositor->budget > 0 && *cost + more > compositor->budget)
            return box;
        for (int c = column; c < box.upper[0]; c++)
            if (!Joins(compositor, c, box.upper[1], bottom))
                return box;
        *cost += more;
    }
    return box;
}

// A new picture is drawn to its own edges and not to those of tiles, which hold much of what lies beside it. It is
// copied before all else is drawn, which costs a fraction of drawing it.
static bool DrawPicture(qvuiCompositor* compositor, const qvuiBackground* background)
{
    Box place = PictureBox(background);
    bool moved = memcmp(&place, compositor->pictureBox, sizeof(place)) != 0;
    bool changed = background->revision != compositor->pictureRevision;
    memcpy(compositor->pictureBox, &place, sizeof(place));
    compositor->pictureRevision = background->revision;
    compositor->whole = compositor->whole || moved;
    Box screen = { { 0, 0 }, { compositor->canvas.width, compositor->canvas.height } };
    place = Intersect(&place, &screen);
    if (compositor->whole || !changed || IsEmpty(&place))
        return true;
    for (int row = (place.lower[1] + TILE - 1) / TILE; row < place.upper[1] / TILE; row++)
        for (int column = (place.lower[0] + TILE - 1) / TILE; column < place.upper[0] / TILE; column++)
            MarkDrawn(&compositor->tiles[row * compositor->columns + column]);
    qvuiCanvas_Copy(&compositor->canvas, background->picture->framebuffer,
                    (int[2]){ place.lower[0] - background->x, place.lower[1] - background->y }, place.lower,
                    (int[2]){ place.upper[0] - place.lower[0], place.upper[1] - place.lower[1] });
    return DrawBox(compositor, &place, -1);
}

// Rows of stale tiles until the budget is spent; the next frame goes on below them, so that all get their turn.
static bool DrawStaleTiles(qvuiCompositor* compositor, const qvuiBackground* background, int cost)
{
    compositor->isBehind = false;
    for (int i = 0; i < compositor->rows; i++)
    {
        int row = (compositor->firstRow + i) % compositor->rows;
        for (int column = 0; column < compositor->columns; column++)
        {
            if (!IsStale(compositor, column, row))
                continue;
            if (compositor->budget > 0 && cost >= compositor->budget)
            {
                compositor->isBehind = true;
                compositor->firstRow = row;
                return true;
            }
            Box box = GrowBox(compositor, column, row, &cost);
            if (!DrawTiles(compositor, &box, background))
                return false;
        }
    }
    compositor->firstRow = 0;
    return true;
}

static bool DrawStale(qvuiCompositor* compositor, const qvuiBackground* background)
{
    qvuiBatch* batch = &compositor->batch;
    bool hasPicture = background->revision != compositor->pictureRevision;
    if (!qvuiBatch_Begin(batch, compositor->canvas.width, compositor->canvas.height) ||
        !DrawPicture(compositor, background))
        return false;
    if (compositor->whole)
        ForgetTiles(compositor);
    if (!DrawStaleTiles(compositor, background, hasPicture ? compositor->budget / 2 : 0) || !qvuiBatch_End(batch))
        return false;
    qvuiCanvas_Draw(&compositor->canvas, batch->vertices, batch->vertexCount, batch->runs, batch->runCount);
    return true;
}

static qvResult Resize(qvuiCompositor* compositor, int width, int height, qvError* error)
{
    bool fresh;
    qvResult result = qvuiCanvas_Resize(&compositor->canvas, width, height, &fresh, error);
    if (result != qv_ok || (!fresh && compositor->tiles != NULL))
        return result;
    compositor->whole = true;
    compositor->columns = (width + TILE - 1) / TILE;
    compositor->rows = (height + TILE - 1) / TILE;
    size_t count = (size_t)compositor->columns * (size_t)compositor->rows;
    free(compositor->tiles);
    compositor->tiles = calloc(count, sizeof(Tile));
    return compositor->tiles != NULL ? qv_ok : qvError_OutOfMemory(error, (double)count * sizeof(Tile));
}

qvResult qvuiCompositor_Draw(qvuiCompositor* compositor, const ImDrawData* data, const qvuiBackground* background,
                             int width, int height, qvError* error)
{
    qvResult result = Resize(compositor, width, height, error);
    if (result != qv_ok)
        return result;
    if (!FillTiles(compositor, data) || !DrawStale(compositor, background))
        return qvError_OutOfMemory(error, (double)data->TotalIdxCount * sizeof(Shape));
    compositor->whole = false;
    return qv_ok;
}

qvResult qvuiCompositor_CatchUp(qvuiCompositor* compositor, const ImDrawData* data, const qvuiBackground* background,
                                qvError* error)
{
    int budget = compositor->budget;
    compositor->budget = 0;
    qvResult result =
        qvuiCompositor_Draw(compositor, data, background, compositor->canvas.width, compositor->canvas.height, error);
    compositor->budget = budget;
    return result;
}

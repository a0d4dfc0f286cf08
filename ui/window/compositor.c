// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/compositor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    // Pixels. That of llvmpipe's own tiles: what is drawn in one then never depends on what is left out beside it.
    TILE = 64,
    // Pixels above which a plain area is worth a program without a texture of its own.
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
    int bottom; // the uppermost shape that hides all below it, or -1
    bool drawn; // in this frame
} Tile;

// A triangle, or two that share an edge.
typedef struct qvuiShape
{
    const ImDrawVert* vertices;
    const ImDrawIdx* indices;
    unsigned int texture; // 0: plain
    int cornerCount;      // 3 or 6
    Box reach, clip;      // pixels it could touch, and those it may
    bool opaque;          // a plain rectangle that hides what is below
} Shape;

qvResult qvuiCompositor_Init(qvuiCompositor* compositor, qvError* error)
{
    *compositor = (qvuiCompositor){ .whole = true };
    igGetIO()->BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    return qvuiCanvas_Init(&compositor->canvas, error);
}

void qvuiCompositor_Free(qvuiCompositor* compositor)
{
    qvuiCanvas_Free(&compositor->canvas);
    free(compositor->tiles);
    free(compositor->shapes);
    free(compositor->vertices);
    free(compositor->runs);
    *compositor = (qvuiCompositor){ 0 };
}

qvResult qvuiCompositor_TakeFonts(qvuiCompositor* compositor, qvError* error)
{
    ImFontAtlas* atlas = igGetIO()->Fonts;
    unsigned char* pixels;
    int width, height;
    ImFontAtlas_GetTexDataAsAlpha8(atlas, &pixels, &width, &height, NULL);
    compositor->whole = true;
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

// Doubles the room when it is full.
static bool Reserve(void** items, int* capacity, int wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    int grown = 2 * *capacity > wanted ? 2 * *capacity : wanted + 256;
    void* moved = realloc(*items, (size_t)grown * size);
    if (moved == NULL)
        return false;
    *items = moved;
    *capacity = grown;
    return true;
}

// Pixels whose middle may be inside; far away places are cut off before they overflow.
static int Lower(float x)
{
    return (int)floorf(fminf(fmaxf(x, -1e6f), 1e6f));
}

static int Upper(float x)
{
    return (int)ceilf(fminf(fmaxf(x, -1e6f), 1e6f));
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
    return (Box){ { Upper(fminf(a.x, c.x)), Upper(fminf(a.y, c.y)) },
                  { Lower(fmaxf(a.x, c.x)), Lower(fmaxf(a.y, c.y)) } };
}

// The products do not wait for one another, unlike those of Mix.
static uint64_t HashVertex(const ImDrawVert* vertex)
{
    uint64_t place, uv;
    memcpy(&place, &vertex->pos, sizeof(place));
    memcpy(&uv, &vertex->uv, sizeof(uv));
    return place * 0xbf58476d1ce4e5b9u ^ uv * 0x94d049bb133111ebu ^ (vertex->col + 1u) * 0xd6e8feb86659fd93u;
}

// Of two triangles that share an edge, the second brings one vertex; which ones it shares is told by the distances of
// the indices.
static uint64_t HashShape(const Shape* shape)
{
    const ImDrawIdx* v = shape->indices;
    uint64_t hash = Mix(shape->texture, (uint64_t)shape->cornerCount), distances = 0;
    for (int k = 0; k < 3; k++)
        hash = Mix(hash, HashVertex(&shape->vertices[v[k]]));
    for (int k = 3; k < shape->cornerCount; k++)
    {
        distances = distances << 16 | (ImDrawIdx)(v[k] - v[0]);
        if (v[k] != v[0] && v[k] != v[1] && v[k] != v[2])
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
static void AddToTiles(qvuiCompositor* compositor, const Box* seen, const Box* hidden, uint64_t hash)
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
        }
}

static Box FindReach(const Shape* shape)
{
    ImVec2 lower = shape->vertices[shape->indices[0]].pos, upper = lower;
    for (int k = 1; k < shape->cornerCount; k++)
    {
        ImVec2 p = shape->vertices[shape->indices[k]].pos;
        lower = (ImVec2){ fminf(lower.x, p.x), fminf(lower.y, p.y) };
        upper = (ImVec2){ fmaxf(upper.x, p.x), fmaxf(upper.y, p.y) };
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
    AddToTiles(compositor, &seen, shape->opaque ? &hidden : NULL, HashShape(shape));
    compositor->shapes[compositor->shapeCount++] = *shape;
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
        shape.cornerCount = i + 6 <= count && IsPair(indices + i) ? 6 : 3;
        AddShape(compositor, &shape, white);
        i += shape.cornerCount;
    }
}

static bool FillTiles(qvuiCompositor* compositor, const ImDrawData* data)
{
    for (int i = 0; i < compositor->columns * compositor->rows; i++)
        compositor->tiles[i] = (Tile){ .drawnHash = compositor->tiles[i].drawnHash, .bottom = -1 };
    compositor->shapeCount = 0;
    if (!Reserve((void**)&compositor->shapes, &compositor->shapeCapacity, data->TotalIdxCount / 3, sizeof(Shape)))
        return false;
    ImVec2 white;
    igGetFontTexUvWhitePixel(&white);
    for (int i = 0; i < data->CmdListsCount; i++)
        for (int k = 0; k < data->CmdLists[i]->CmdBuffer.Size; k++)
            AddCommand(compositor, data->CmdLists[i], &data->CmdLists[i]->CmdBuffer.Data[k], white);
    return true;
}

// --- Drawing it ----------------------------------------------------------------------------------------------------

static ImU32 MultiplyByAlpha(ImU32 color)
{
    ImU32 alpha = color >> 24, result = alpha << 24;
    if (alpha == 255)
        return color;
    for (int shift = 0; shift < 24; shift += 8)
        result |= ((color >> shift & 255) * alpha + 127) / 255 << shift;
    return result;
}

// Six vertices to what was drawn last, or to a new run. Two triangles at a time, because llvmpipe then sees rectangles;
// a small plain area joins any run of ImGui's own texture, which is white where it points.
static bool AddRun(qvuiCompositor* compositor, const qvuiCanvasRun* like, const qvuiCanvasVertex vertices[6])
{
    qvuiCanvasRun* last = compositor->runCount > 0 ? &compositor->runs[compositor->runCount - 1] : NULL;
    bool fits = last != NULL && last->paint == like->paint && last->texture == like->texture &&
                last->blends == like->blends && memcmp(last->lower, like->lower, sizeof(like->lower)) == 0 &&
                memcmp(last->upper, like->upper, sizeof(like->upper)) == 0;
    if (!Reserve((void**)&compositor->vertices, &compositor->vertexCapacity, compositor->vertexCount + 6,
                 sizeof(qvuiCanvasVertex)) ||
        !Reserve((void**)&compositor->runs, &compositor->runCapacity, compositor->runCount + 1, sizeof(qvuiCanvasRun)))
        return false;
    if (!fits)
    {
        last = &compositor->runs[compositor->runCount++];
        *last = *like;
        last->first = compositor->vertexCount;
        last->count = 0;
    }
    last = &compositor->runs[compositor->runCount - 1];
    memcpy(compositor->vertices + compositor->vertexCount, vertices, 6 * sizeof(*vertices));
    compositor->vertexCount += 6;
    last->count += 6;
    return true;
}

static bool AddRectangle(qvuiCompositor* compositor, const Box* box, unsigned int texture, const float uv[4],
                         ImU32 color)
{
    float x[2] = { (float)box->lower[0], (float)box->upper[0] }, y[2] = { (float)box->lower[1], (float)box->upper[1] };
    qvuiCanvasVertex v[4] = { { x[0], y[0], uv[0], uv[1], color },
                              { x[1], y[0], uv[2], uv[1], color },
                              { x[1], y[1], uv[2], uv[3], color },
                              { x[0], y[1], uv[0], uv[3], color } };
    qvuiCanvasRun run = { .paint = texture != 0 ? qvui_paintCopy : qvui_paintFlat, .texture = texture };
    memcpy(run.lower, box->lower, sizeof(run.lower));
    memcpy(run.upper, box->upper, sizeof(run.upper));
    return AddRun(compositor, &run, (qvuiCanvasVertex[]){ v[0], v[1], v[2], v[0], v[2], v[3] });
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
    if (!(hasPicture && Contains(&seen, box)) && !AddRectangle(compositor, box, 0, (float[4]){ 0 }, backgroundColor))
        return false;
    if (!hasPicture)
        return true;
    float w = (float)background->picture->width, h = (float)background->picture->height;
    float uv[4] = { (float)(seen.lower[0] - place.lower[0]) / w, (float)(seen.lower[1] - place.lower[1]) / h,
                    (float)(seen.upper[0] - place.lower[0]) / w, (float)(seen.upper[1] - place.lower[1]) / h };
    return AddRectangle(compositor, &seen, background->picture->texture, uv, 0xffffffff);
}

// The part of a shape in a box. Limits that cut nothing off are left at the box, so that more shapes share a run.
static bool DrawShape(qvuiCompositor* compositor, const Shape* shape, const Box* box)
{
    Box part = Intersect(&shape->reach, box), seen = Intersect(&part, &shape->clip);
    if (IsEmpty(&seen))
        return true;
    Box limits = Contains(&shape->clip, &part) ? *box : Intersect(&shape->clip, box);
    qvuiCanvasVertex vertices[6];
    for (int k = 0; k < 6; k++)
    {
        const ImDrawVert* v = &shape->vertices[shape->indices[k < shape->cornerCount ? k : 2]];
        vertices[k] = (qvuiCanvasVertex){ v->pos.x, v->pos.y, v->uv.x, v->uv.y, MultiplyByAlpha(v->col) };
    }
    bool large = shape->texture == 0 && Area(&seen) >= LARGE_AREA;
    qvuiCanvasRun run = { .paint = large ? qvui_paintFlat : qvui_paintTint,
                          .texture = large                 ? 0
                                     : shape->texture != 0 ? shape->texture
                                                           : compositor->canvas.font,
                          .blends = !(large && shape->opaque) };
    memcpy(run.lower, limits.lower, sizeof(run.lower));
    memcpy(run.upper, limits.upper, sizeof(run.upper));
    return AddRun(compositor, &run, vertices);
}

// Everything in a box, from a shape on.
static bool DrawBox(qvuiCompositor* compositor, const Box* box, int bottom)
{
    for (int i = bottom < 0 ? 0 : bottom; i < compositor->shapeCount; i++)
        if (!DrawShape(compositor, &compositor->shapes[i], box))
            return false;
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
    return !tile->drawn && (compositor->whole || tile->hash != tile->drawnHash);
}

// The widest row of stale tiles that starts here, and as many rows below as are stale over the same width.
static Box GrowBox(const qvuiCompositor* compositor, int column, int row)
{
    Box box = { { column, row }, { column + 1, row + 1 } };
    while (box.upper[0] < compositor->columns && IsStale(compositor, box.upper[0], row))
        box.upper[0]++;
    for (; box.upper[1] < compositor->rows; box.upper[1]++)
        for (int c = column; c < box.upper[0]; c++)
            if (!IsStale(compositor, c, box.upper[1]))
                return box;
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

static bool DrawStale(qvuiCompositor* compositor, const qvuiBackground* background)
{
    compositor->vertexCount = compositor->runCount = 0;
    if (!DrawPicture(compositor, background))
        return false;
    for (int row = 0; row < compositor->rows; row++)
        for (int column = 0; column < compositor->columns; column++)
        {
            if (!IsStale(compositor, column, row))
                continue;
            Box box = GrowBox(compositor, column, row);
            if (!DrawTiles(compositor, &box, background))
                return false;
        }
    qvuiCanvas_Draw(&compositor->canvas, compositor->vertices, compositor->vertexCount, compositor->runs,
                    compositor->runCount);
    return true;
}

static qvResult Resize(qvuiCompositor* compositor, int width, int height, qvError* error)
{
    bool fresh;
    qvResult result = qvuiCanvas_Resize(&compositor->canvas, width, height, &fresh, error);
    if (result != qv_ok || !fresh)
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

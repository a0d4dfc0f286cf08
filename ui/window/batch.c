// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/batch.h"

#include "ui/grow.h"

#include <string.h>

enum
{
    CELL = 8 // pixels
};

typedef struct qvuiBatchItem
{
    int run;
    qvuiCanvasVertex vertices[6];
} Item;

void qvuiBatch_Free(qvuiBatch* batch)
{
    free(batch->cells);
    free(batch->items);
    free(batch->runs);
    free(batch->vertices);
    *batch = (qvuiBatch){ 0 };
}

bool qvuiBatch_Begin(qvuiBatch* batch, int width, int height)
{
    batch->itemCount = batch->runCount = batch->vertexCount = 0;
    batch->columns = (width + CELL - 1) / CELL;
    batch->rows = (height + CELL - 1) / CELL;
    int count = batch->columns * batch->rows;
    if (!qvuiGrow(&batch->cells, &batch->cellCapacity, count, sizeof(uint16_t)))
        return false;
    memset(batch->cells, 0, (size_t)count * sizeof(uint16_t));
    return true;
}

static bool IsAlike(const qvuiCanvasRun* a, const qvuiCanvasRun* b)
{
    return a->paint == b->paint && a->texture == b->texture && a->blends == b->blends &&
           memcmp(a->lower, b->lower, sizeof(a->lower)) == 0 && memcmp(a->upper, b->upper, sizeof(a->upper)) == 0;
}

// The first run that is alike among those from first on, or the number of runs.
static int FindRun(const qvuiBatch* batch, const qvuiCanvasRun* like, int first)
{
    int run = first;
    while (run < batch->runCount && !IsAlike(&batch->runs[run], like))
        run++;
    return run;
}

// Cells count runs in 16 bits; from there on things are drawn in their order.
static int Limit(int count)
{
    return count < UINT16_MAX ? count : UINT16_MAX;
}

bool qvuiBatch_Add(qvuiBatch* batch, const qvuiCanvasRun* like, const int lower[2], const int upper[2],
                   const qvuiCanvasVertex vertices[6])
{
    if (!qvuiGrow(&batch->items, &batch->itemCapacity, batch->itemCount + 1, sizeof(Item)) ||
        !qvuiGrow(&batch->runs, &batch->runCapacity, batch->runCount + 1, sizeof(qvuiCanvasRun)))
        return false;
    int left = lower[0] / CELL, right = (upper[0] + CELL - 1) / CELL;
    int top = lower[1] / CELL, bottom = (upper[1] + CELL - 1) / CELL, below = 0;
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++)
        {
            int count = batch->cells[row * batch->columns + column];
            below = count > below ? count : below;
        }
    // The last run that is covered may take more.
    int run = FindRun(batch, like, below == UINT16_MAX ? batch->runCount - 1 : below > 0 ? below - 1 : 0);
    if (run == batch->runCount)
    {
        batch->runs[batch->runCount++] = *like;
        batch->runs[run].count = 0;
    }
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++)
            batch->cells[row * batch->columns + column] = (uint16_t)Limit(run + 1);
    batch->runs[run].count += 6;
    Item* item = &batch->items[batch->itemCount++];
    item->run = run;
    memcpy(item->vertices, vertices, sizeof(item->vertices));
    return true;
}

bool qvuiBatch_End(qvuiBatch* batch)
{
    if (!qvuiGrow(&batch->vertices, &batch->vertexCapacity, 6 * batch->itemCount, sizeof(qvuiCanvasVertex)))
        return false;
    for (int i = 0; i < batch->runCount; i++)
    {
        batch->runs[i].first = batch->vertexCount;
        batch->vertexCount += batch->runs[i].count;
        batch->runs[i].count = 0;
    }
    for (int i = 0; i < batch->itemCount; i++)
    {
        qvuiCanvasRun* run = &batch->runs[batch->items[i].run];
        memcpy(batch->vertices + run->first + run->count, batch->items[i].vertices, sizeof(batch->items[i].vertices));
        run->count += 6;
    }
    return true;
}

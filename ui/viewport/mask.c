// SPDX-License-Identifier: GPL-3.0-or-later
// The mask of the next strokes. It is no part of the document, so it has a short history of its own: undo goes back in
// it as long as the document has not changed since.
#include "ui/editor/editor.h"

#include <stdlib.h>
#include <string.h>

void qvuiMask_Drop(qvuiTools* tools)
{
    for (int i = 0; i < tools->masks.count; i++)
        free(tools->masks.items[i]);
    tools->masks = (qvuiMasks){ 0 };
    tools->mask = NULL;
}

static void Remove(qvuiMasks* masks, int first, int count)
{
    for (int i = first; i < first + count; i++)
        free(masks->items[i]);
    masks->count -= count;
    memmove(&masks->items[first], &masks->items[first + count], (size_t)(masks->count - first) * sizeof(float*));
}

void qvuiMask_Set(qvuiEditor* editor, float* values)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiMasks* masks = &tools->masks;
    uint64_t revision = qvDocument_Revision(editor->session.document);
    if (masks->count == 0)
        masks->items[masks->count++] = NULL;
    // What was undone goes; so does what lies before a change of the document.
    Remove(masks, masks->at + 1, masks->count - masks->at - 1);
    if (masks->revision != revision || masks->count == qvui_maxMasks)
        Remove(masks, 0, masks->revision != revision ? masks->at : 1);
    masks->at = masks->count;
    masks->items[masks->count++] = values;
    masks->revision = revision;
    tools->mask = values;
    qvuiOverlay_Touch(&editor->viewport.overlay);
}

bool qvuiMask_CanStep(const qvuiEditor* editor, int steps)
{
    const qvuiMasks* masks = &editor->viewport.tools.masks;
    int to = masks->at + steps;
    return to >= 0 && to < masks->count && editor->session.document != NULL &&
           masks->revision == qvDocument_Revision(editor->session.document);
}

bool qvuiMask_Step(qvuiEditor* editor, int steps)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (!qvuiMask_CanStep(editor, steps))
        return false;
    tools->masks.at += steps;
    tools->mask = tools->masks.items[tools->masks.at];
    qvuiOverlay_Touch(&editor->viewport.overlay);
    return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool qvuiNames_Enable(qvuiNames* names)
{
    names->items = calloc(qvui_maxNames, sizeof(*names->items));
    names->enabled = names->items != NULL;
    return names->enabled;
}

void qvuiNames_Free(qvuiNames* names)
{
    free(names->items);
    *names = (qvuiNames){ 0 };
}

void qvuiNames_Clear(qvuiNames* names)
{
    names->count = 0;
    names->focused[0] = 0;
}

ImVec2 qvuiName_Middle(const qvuiName* name)
{
    return (ImVec2){ 0.5f * (name->lower.x + name->upper.x), 0.5f * (name->lower.y + name->upper.y) };
}

void qvuiNames_AddRect(qvuiNames* names, const char* text, ImVec2 lower, ImVec2 upper)
{
    if (!names->enabled || names->count >= qvui_maxNames)
        return;
    qvuiName* name = &names->items[names->count++];
    const char* end = strstr(text, "##");
    int length = end != NULL ? (int)(end - text) : (int)strlen(text);
    snprintf(name->text, sizeof(name->text), "%.*s", length, text);
    name->lower = lower;
    name->upper = upper;
    name->isControl = name->explained = false;
    ImVec2 middle = qvuiName_Middle(name);
    name->visible = igIsRectVisible_Vec2(middle, (ImVec2){ middle.x + 1, middle.y + 1 });
    if (names->scrolled[0] == 0 || strcmp(names->scrolled, name->text) != 0)
        return;
    const float margin = 12.0f; // an area that would only touch the edge stays unseen
    ImRect rect = { { lower.x - margin, lower.y - margin }, { upper.x + margin, upper.y + margin } };
    igScrollToRect(igGetCurrentWindow(), rect, ImGuiScrollFlags_None);
    names->scrolled[0] = 0;
}

void qvuiNames_AddArea(qvuiNames* names, const char* text)
{
    ImVec2 lower, upper;
    igGetItemRectMin(&lower);
    igGetItemRectMax(&upper);
    qvuiNames_AddRect(names, text, lower, upper);
}

void qvuiNames_AddItem(qvuiNames* names, const char* text)
{
    int before = names->count;
    qvuiNames_AddArea(names, text);
    if (names->count == before)
        return;
    names->items[before].isControl = true;
    if (igIsItemFocused() && igGetIO()->NavVisible)
        memcpy(names->focused, names->items[before].text, sizeof(names->focused));
}

// A tooltip comes right after the name of its item.
void qvuiNames_Explain(qvuiNames* names, const char* tooltip)
{
    if (names->count == 0)
        return;
    qvuiName* name = &names->items[names->count - 1];
    ImVec2 lower;
    igGetItemRectMin(&lower);
    if (name->lower.x == lower.x && name->lower.y == lower.y)
        name->explained = strchr(tooltip, ' ') != NULL && strcmp(tooltip, name->text) != 0;
}

const qvuiName* qvuiNames_FindUnexplained(const qvuiNames* names)
{
    for (int i = 0; i < names->count; i++)
        if (names->items[i].isControl && !names->items[i].explained)
            return &names->items[i];
    return NULL;
}

const qvuiName* qvuiNames_Find(const qvuiNames* names, const char* text)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->items[i].text, text) == 0)
            return &names->items[i];
    return NULL;
}

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
}

void qvuiNames_AddItem(qvuiNames* names, const char* text)
{
    ImVec2 lower, upper;
    igGetItemRectMin(&lower);
    igGetItemRectMax(&upper);
    qvuiNames_AddRect(names, text, lower, upper);
}

const qvuiName* qvuiNames_Find(const qvuiNames* names, const char* text)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->items[i].text, text) == 0)
            return &names->items[i];
    return NULL;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/build.h"

#include "base/assert.h"

#include <stdio.h>

typedef struct HealthText
{
    const char* tag;
    bool isRepaired;
    const char *before, *one, *many;
    const char* element;
} HealthText;

static const HealthText texts[qv_healthKindCount] = {
#define HEALTH(kind, tag, repaired, before, one, many, element) [kind] = { tag, repaired, before, one, many, element },
#include "mesh/health_list.inl"
#undef HEALTH
};

static const HealthText* GetText(qvHealthKind kind)
{
    QV_ASSERT((int)kind >= 0 && kind < qv_healthKindCount);
    return &texts[kind];
}

const char* qvHealth_Tag(qvHealthKind kind)
{
    return GetText(kind)->tag;
}

bool qvHealth_IsRepaired(qvHealthKind kind)
{
    return GetText(kind)->isRepaired;
}

char* qvHealth_Describe(qvHealthKind kind, const qvHealthItem* item, char* text, size_t capacity)
{
    const HealthText* words = GetText(kind);
    snprintf(text, capacity, "%s%d %s (first: %s %d)", words->before, item->count,
             item->count == 1 ? words->one : words->many, words->element, item->example);
    return text;
}

void qvMeshBuild_Note(qvMeshBuild* build, qvHealthKind kind, int element)
{
    qvHealthItem* item = &build->report.items[kind];
    if (item->count == 0 || element < item->example)
        item->example = element;
    item->count++;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of bodies for simulations. What a preset says is JSON as in files, so that a field which an engine brings along
// is one word in the list, and a program without it leaves the preset out.
#include "scene/document.h"
#include "scene/layer.h"
#include "scene/reader.h"

#include <string.h>

static const qvSimulationPreset presets[] = {
#define PRESET(label, engine, help, ...) { label, help, engine, #__VA_ARGS__ },
#include "scene/simulation_preset_list.inl"
#undef PRESET
};

enum
{
    PRESET_COUNT = sizeof(presets) / sizeof(presets[0])
};

static qvJson* Parse(const qvSimulationPreset* preset)
{
    qvJson* fields;
    qvError ignored;
    qvJsonLimits limits = qvDefaultJsonLimits();
    return qvParseJson(preset->fields, strlen(preset->fields), &limits, &fields, &ignored) == qv_ok ? fields : NULL;
}

// Whether a simulation can be read that has these fields, all of them known.
static bool IsReadable(const qvSimulationPreset* preset)
{
    qvError ignored;
    qvReader reader = { .nextId = 1, .error = &ignored };
    qvJson* fields = Parse(preset);
    bool known = fields != NULL;
    for (const qvJson* field = qvJson_First(fields); field != NULL; field = qvJson_Next(field))
        known = known && qvFindRow(qv_objectSimulation, qvJson_Name(field)) != NULL;
    qvJson_AddString(fields, "engine", preset->engine);
    qvJson_AddNumber(fields, "time", 0.0);
    void* object = NULL;
    qvValue from = qvJsonValue(fields);
    known = known && qvReadObject(&reader, qv_objectSimulation, &from, &object) == qv_ok;
    qvReleaseShared(object);
    qvReader_Free(&reader);
    qvDestroyJson(fields);
    return known;
}

int qvFindSimulationPresets(const qvSimulationPreset** found, int capacity)
{
    int count = 0;
    for (int i = 0; i < PRESET_COUNT && count < capacity; i++)
    {
        if (qvFindEngine(presets[i].engine) != NULL && IsReadable(&presets[i]))
            found[count++] = &presets[i];
    }
    return count;
}

// What any preset says is taken back first, so that nothing of another one remains.
static void AddResets(qvJson* fields)
{
    for (int i = 0; i < PRESET_COUNT; i++)
    {
        qvJson* other = Parse(&presets[i]);
        for (const qvJson* field = qvJson_First(other); field != NULL; field = qvJson_Next(field))
        {
            const char* name = qvJson_Name(field);
            if (qvJson_Find(fields, name) == NULL && qvFindRow(qv_objectSimulation, name) != NULL)
                qvJson_AddNull(fields, name);
        }
        qvDestroyJson(other);
    }
}

qvResult qvDocument_SetSimulationPreset(qvDocument* document, qvId simulation, const qvSimulationPreset* preset,
                                        qvError* error)
{
    qvJson* fields = Parse(preset);
    if (fields == NULL)
        return qvError_OutOfMemory(error, (double)strlen(preset->fields));
    AddResets(fields);
    qvJson_AddString(fields, "engine", preset->engine);
    qvEdit edit = { .kind = qv_editSet, .object = { qv_objectSimulation, simulation }, .value = qvJsonValue(fields) };
    qvResult result = qvDocument_Apply(document, &edit, NULL, error);
    qvDestroyJson(fields);
    return result;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/labels.h"

#include <stdio.h>

static qvLabel Label(const char* kind, const char* tag, double time)
{
    qvLabel label;
    snprintf(label.text, sizeof(label.text), "%s \"%s\" at %g s", kind, tag, time);
    return label;
}

qvLabel qvSceneKey_Label(const qvSceneKey* key)
{
    return Label("key", key->tag, key->time);
}

qvLabel qvSceneSimulation_Label(const qvSceneSimulation* simulation)
{
    return Label("simulation", simulation->tag, simulation->def.time);
}

qvLabel qvSceneEvent_Label(const qvSceneEvent* event)
{
    return Label("event", event->tag, event->def.time);
}

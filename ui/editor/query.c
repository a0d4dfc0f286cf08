// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include <stdio.h>
#include <string.h>

static double CameraValue(const qvuiCamera* camera, const char* name, bool* known)
{
    *known = true;
    if (strcmp(name, "camera.yaw") == 0)
        return camera->yaw;
    if (strcmp(name, "camera.pitch") == 0)
        return camera->pitch;
    if (strcmp(name, "camera.distance") == 0)
        return camera->distance;
    if (strcmp(name, "camera.x") == 0)
        return camera->target.x;
    if (strcmp(name, "camera.y") == 0)
        return camera->target.y;
    if (strcmp(name, "camera.z") == 0)
        return camera->target.z;
    *known = false;
    return 0.0;
}

bool qvuiEditor_Query(const qvuiEditor* editor, const char* name, char* text, size_t capacity)
{
    const qvuiDocument* document = &editor->document;
    const struct
    {
        const char* name;
        int value;
    } numbers[] = {
        { "vertices", document->mesh != NULL ? document->mesh->vertexCount : 0 },
        { "triangles", document->mesh != NULL ? document->mesh->triangleCount : 0 },
        { "parts", document->report.partCount },
        { "orthographic", editor->viewport.camera.orthographic },
        { "flat", editor->viewport.look.flat },
        { "wireframe", editor->viewport.look.wireframe },
        { "grid", editor->viewport.look.grid },
        { "inspector", editor->showInspector },
        { "inspector.width", (int)editor->inspectorWidth },
        { "smooth", editor->viewport.smoothEdges },
        { "fullscreen", editor->wantsFullScreen },
        { "scale", (int)(100.0 * editor->wantedScale + 0.5) },
        { "loading", editor->loader.running },
        { "menu", editor->popupOpen && editor->dialog == qvui_dialogNone },
        { "angle", (int)(editor->viewport.camera.angle * 57.29577951308232 + 0.5) },
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
    {
        if (strcmp(numbers[i].name, name) != 0)
            continue;
        snprintf(text, capacity, "%d", numbers[i].value);
        return true;
    }
    bool known;
    double value = CameraValue(&editor->viewport.camera, name, &known);
    if (known)
        snprintf(text, capacity, "%.6g", value);
    else if (strcmp(name, "mesh") == 0)
        snprintf(text, capacity, "%s", document->name);
    else if (strcmp(name, "dialog") == 0)
        snprintf(text, capacity, "%s", qvuiGetDialog(editor->dialog)->id);
    else if (strcmp(name, "toast") == 0)
        snprintf(text, capacity, "%s", editor->toast.text);
    else
        return false;
    return true;
}

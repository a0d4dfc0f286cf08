// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "ui/actions/state.h"
#include "ui/panels/numbers.h"

#include <stdio.h>

static void CountRow(qvuiEditor* editor, const char* label, int count)
{
    char text[32];
    qvuiTextRow(&editor->kit, label, qvuiFormatCount(count, text, sizeof(text)));
}

static void PartsRow(qvuiEditor* editor, const qvMeshReport* report)
{
    char text[64], count[32];
    qvuiFormatCount(report->partCount, count, sizeof(count));
    if (report->partCount == 1)
        snprintf(text, sizeof(text), "1, %s", report->closedPartCount == 1 ? "closed" : "open");
    else
        snprintf(text, sizeof(text), "%s, %d closed", count, report->closedPartCount);
    qvuiTextRow(&editor->kit, "Parts", text);
    if (report->boundaryEdgeCount > 0)
        CountRow(editor, "Open edges", report->boundaryEdgeCount);
}

static void BoundsRows(qvuiEditor* editor, qvBox box)
{
    char text[96];
    snprintf(text, sizeof(text), "%.4g \xc3\x97 %.4g \xc3\x97 %.4g", (double)box.upper.x - box.lower.x,
             (double)box.upper.y - box.lower.y, (double)box.upper.z - box.lower.z);
    qvuiTextRow(&editor->kit, "Size", text);
    snprintf(text, sizeof(text), "%.4g, %.4g, %.4g", 0.5 * ((double)box.upper.x + box.lower.x),
             0.5 * ((double)box.upper.y + box.lower.y), 0.5 * ((double)box.upper.z + box.lower.z));
    qvuiTextRow(&editor->kit, "Centre", text);
}

static void Draw(qvuiEditor* editor)
{
    const qvuiDocument* document = &editor->document;
    const qvMesh* mesh = document->mesh;
    CountRow(editor, "Vertices", mesh->vertexCount);
    CountRow(editor, "Points, welded", mesh->pointCount);
    CountRow(editor, "Triangles", mesh->triangleCount);
    PartsRow(editor, &document->report);
    BoundsRows(editor, mesh->bounds);
    if (mesh->materialCount > 0)
        CountRow(editor, "Materials", mesh->materialCount);
    if (document->model != NULL && document->model->morphCount > 0)
        CountRow(editor, "Shapes in the file", document->model->morphCount);
    qvuiTextRow(&editor->kit, "Texture coordinates", mesh->uvDomain != qv_domainNone ? "yes" : "no");
    if (document->path[0] != 0)
        qvuiTextRow(&editor->kit, "File", document->path);
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    snprintf(text, capacity, "%s", editor->document.name);
}

const qvuiPanel qvuiPanelMesh = { "mesh", "Mesh", qvuiHasMesh, Remark, Draw };

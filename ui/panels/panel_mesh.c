// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "ui/actions/state.h"
#include "ui/panels/numbers.h"

#include <math.h>
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

// Rounds to a thousandth of the size, so that noise does not show.
static double Round(double value, double size)
{
    double step = pow(10.0, floor(log10(fmax(size, 1e-30))) - 3.0);
    return round(value / step) * step + 0.0;
}

static void BoundsRows(qvuiEditor* editor, qvBox box)
{
    double size = qvBox_Diagonal(box);
    qvVec3 lower = qvVec3_FromFloat(box.lower), upper = qvVec3_FromFloat(box.upper);
    qvVec3 extent = qvSub(upper, lower), centre = qvScale(0.5, qvAdd(lower, upper));
    char text[96];
    snprintf(text, sizeof(text), "%.5g \xc3\x97 %.5g \xc3\x97 %.5g", Round(extent.x, size), Round(extent.y, size),
             Round(extent.z, size));
    qvuiTextRow(&editor->kit, "Size", text);
    snprintf(text, sizeof(text), "%.5g, %.5g, %.5g", Round(centre.x, size), Round(centre.y, size),
             Round(centre.z, size));
    qvuiTextRow(&editor->kit, "Centre", text);
}

static void Draw(qvuiEditor* editor)
{
    const qvBody* body = editor->session.body;
    const qvMesh* mesh = body->mesh;
    const char* file = qvuiSession_Scene(&editor->session)->mesh.file;
    CountRow(editor, "Vertices", mesh->vertexCount);
    CountRow(editor, "Points, welded", mesh->pointCount);
    CountRow(editor, "Triangles", mesh->triangleCount);
    PartsRow(editor, &body->report);
    BoundsRows(editor, mesh->bounds);
    if (mesh->materialCount > 0)
        CountRow(editor, "Materials", mesh->materialCount);
    if (body->model != NULL && body->model->morphCount > 0)
        CountRow(editor, "Shapes in the file", body->model->morphCount);
    qvuiTextRow(&editor->kit, "Texture coordinates", mesh->uvDomain != qv_domainNone ? "yes" : "no");
    if (file != NULL)
        qvuiTextRow(&editor->kit, "File", file);
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    snprintf(text, capacity, "%s", editor->session.name);
}

const qvuiPanel qvuiPanelMesh = { "mesh", "Mesh", qvuiHasMesh, Remark, Draw, false, "What the body consists of" };

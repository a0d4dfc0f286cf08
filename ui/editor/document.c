// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/document.h"

#include "quaver/primitive.h"
#include "quaver/topology.h"

#include <stdio.h>
#include <string.h>

void qvuiDocument_Clear(qvuiDocument* document)
{
    qvuiDestroySurface(document->surface);
    qvDestroyModel(document->model);
    qvDestroyMesh(document->shape);
    *document = (qvuiDocument){ 0 };
}

qvResult qvuiDocument_SetModel(qvuiDocument* document, qvModel* model, const char* path, qvError* error)
{
    qvuiSurface* surface = NULL;
    qvResult result = qvuiCreateSurface(model->mesh, &surface, error);
    if (result != qv_ok)
    {
        qvDestroyModel(model);
        return result;
    }
    qvuiDocument_Clear(document);
    document->model = model;
    document->mesh = model->mesh;
    document->report = model->report;
    document->surface = surface;
    const char* slash = strrchr(path, '/');
    snprintf(document->name, sizeof(document->name), "%s", slash != NULL ? slash + 1 : path);
    snprintf(document->path, sizeof(document->path), "%s", path);
    return qv_ok;
}

// Shapes come without a report; what the inspector shows of it follows from the topology.
static qvResult DescribeShape(const qvMesh* mesh, qvMeshReport* report, qvError* error)
{
    qvTopology* topology = NULL;
    qvResult result = qvCreateTopology(mesh, &topology, error);
    if (result != qv_ok)
        return result;
    *report = (qvMeshReport){ .partCount = topology->partCount };
    for (int i = 0; i < topology->edgeCount; i++)
        report->boundaryEdgeCount += topology->edges[i].triangle[1] < 0;
    report->closedPartCount = report->boundaryEdgeCount == 0 ? report->partCount : 0;
    qvDestroyTopology(topology);
    return qv_ok;
}

qvResult qvuiDocument_SetShape(qvuiDocument* document, const char* tag, qvError* error)
{
    qvMesh* mesh = NULL;
    qvuiSurface* surface = NULL;
    qvMeshReport report;
    qvResult result = qvCreatePrimitive(tag, 0, &mesh, error);
    if (result == qv_ok)
        result = DescribeShape(mesh, &report, error);
    if (result == qv_ok)
        result = qvuiCreateSurface(mesh, &surface, error);
    if (result != qv_ok)
    {
        qvDestroyMesh(mesh);
        return result;
    }
    qvuiDocument_Clear(document);
    document->shape = mesh;
    document->mesh = mesh;
    document->report = report;
    document->surface = surface;
    snprintf(document->name, sizeof(document->name), "%s", qvFindPrimitive(tag)->label);
    return qv_ok;
}

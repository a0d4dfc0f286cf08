// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/loader.h"

#include <stdlib.h>
#include <string.h>

// What the thread reads and writes.
typedef struct Order
{
    qvuiSource source;
    char path[qvui_maxPath];
    qvLeftover leftover;
    qvuiLoaded loaded;
} Order;

// A scene opens without its mesh too, so that nothing in it is lost.
static qvResult ReadScene(Order* order, const qvJob* job, qvError* error)
{
    qvuiLoaded* loaded = &order->loaded;
    qvResult result = order->source == qvui_sourceLeftover
                          ? qvRestoreLeftover(&order->leftover, &loaded->document, error)
                          : qvOpenDocument(order->path, &loaded->document, error);
    if (result != qv_ok)
        return result;
    const qvSceneMesh* mesh = &qvDocument_Scene(loaded->document)->mesh;
    result = qvLoadBody(mesh, qvDocument_Folder(loaded->document), job, &loaded->body, &loaded->problem);
    return result == qv_cancelled ? result : qv_ok;
}

static qvSceneMesh MeshOf(qvuiSource source, char* path)
{
    return source == qvui_sourceShape ? (qvSceneMesh){ .primitive = path } : (qvSceneMesh){ .file = path };
}

qvSceneMesh qvuiLoader_Mesh(qvuiLoader* loader)
{
    return MeshOf(loader->source, loader->path);
}

static qvResult ReadMesh(Order* order, const qvJob* job, qvError* error)
{
    qvSceneMesh mesh = MeshOf(order->source, order->path);
    return qvLoadBody(&mesh, ".", job, &order->loaded.body, error);
}

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    Order* order = context;
    bool isScene =
        order->source == qvui_sourceLeftover || (order->source == qvui_sourceFile && qvIsSceneFile(order->path));
    qvResult result = isScene ? ReadScene(order, job, error) : ReadMesh(order, job, error);
    // What fails here is tried again, and told, by whoever needs it.
    const qvBody* body = order->loaded.body;
    qvError ignored;
    if (result == qv_ok && body != NULL && qvuiPrepareSurface(body->mesh, &order->loaded.surface, &ignored) != qv_ok)
        order->loaded.surface = NULL;
    return result;
}

void qvuiDropLoaded(qvuiLoaded* loaded)
{
    qvuiDestroySurface(loaded->surface);
    if (loaded->document != NULL)
        qvDocument_LeaveLeftover(loaded->document);
    qvCloseDocument(loaded->document);
    qvReleaseBody(loaded->body);
    *loaded = (qvuiLoaded){ 0 };
}

static void DropOrder(void* context)
{
    Order* order = context;
    qvuiDropLoaded(&order->loaded);
    free(order);
}

static qvResult Start(qvuiLoader* loader, qvuiSource source, const char* path, const qvLeftover* leftover,
                      qvError* error)
{
    if (strlen(path) >= sizeof(loader->path))
        return qvError_Set(error, qv_badInput, "%.80s…: the path is too long; move the file", path);
    Order* order = calloc(1, sizeof(*order));
    if (order == NULL)
        return qvError_OutOfMemory(error, sizeof(*order));
    loader->source = order->source = source;
    memcpy(loader->path, path, strlen(path) + 1);
    memcpy(order->path, path, strlen(path) + 1);
    if (leftover != NULL)
        order->leftover = *leftover;
    const qvuiErrand errand = { .work = Work, .order = order, .drop = DropOrder, .stage = "reading" };
    return qvuiTask_Start(&loader->task, &errand, error);
}

qvResult qvuiLoader_Start(qvuiLoader* loader, const char* path, qvError* error)
{
    return Start(loader, qvui_sourceFile, path, NULL, error);
}

qvResult qvuiLoader_StartShape(qvuiLoader* loader, const char* tag, qvError* error)
{
    return Start(loader, qvui_sourceShape, tag, NULL, error);
}

qvResult qvuiLoader_Restore(qvuiLoader* loader, const qvLeftover* leftover, qvError* error)
{
    return Start(loader, qvui_sourceLeftover, "", leftover, error);
}

bool qvuiLoader_Collect(qvuiLoader* loader, qvResult* result, qvuiLoaded* loaded, qvError* error)
{
    Order* order = qvuiTask_Collect(&loader->task);
    if (order == NULL)
        return false;
    *result = loader->task.result;
    *error = loader->task.error;
    if (*result == qv_ok)
    {
        *loaded = order->loaded;
        order->loaded = (qvuiLoaded){ 0 };
    }
    DropOrder(order);
    return true;
}

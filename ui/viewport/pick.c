// SPDX-License-Identifier: GPL-3.0-or-later
// Between the picture, the world and rest coordinates.
#include "ui/editor/editor.h"

#include <math.h>
#include <stdlib.h>

double qvuiUnitsPerPixel(const qvuiEditor* editor, qvVec3 place)
{
    const qvuiViewport* viewport = &editor->viewport;
    qvuiCameraFrame frame = qvuiCamera_Frame(&viewport->camera);
    double share = 1.0;
    if (!viewport->camera.orthographic)
        share = fmax(qvDot(qvSub(frame.eye, place), frame.back) / viewport->camera.distance, 1e-6);
    return 2.0 * frame.halfHeight * share / viewport->size.y;
}

qvVec3 qvuiMouseMove(const qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvuiCameraFrame frame = qvuiCamera_Frame(&editor->viewport.camera);
    double unit = qvuiUnitsPerPixel(editor, tools->hit.position);
    qvVec3 across = qvScale(unit * (double)(tools->mouse.x - tools->start.x), frame.right);
    return qvMulAdd(across, -unit * (double)(tools->mouse.y - tools->start.y), frame.up);
}

bool qvuiProject(const qvuiEditor* editor, qvVec3 place, ImVec2* pixel)
{
    const qvuiViewport* viewport = &editor->viewport;
    qvuiCameraFrame frame = qvuiCamera_Frame(&viewport->camera);
    qvVec3 from = qvSub(place, frame.eye);
    double depth = -qvDot(from, frame.back);
    if (!viewport->camera.orthographic && depth < 1e-6 * viewport->camera.distance)
        return false;
    double unit = qvuiUnitsPerPixel(editor, place);
    pixel->x = viewport->place.x + 0.5f * viewport->size.x + (float)(qvDot(from, frame.right) / unit);
    pixel->y = viewport->place.y + 0.5f * viewport->size.y - (float)(qvDot(from, frame.up) / unit);
    return true;
}

int qvuiNearestCorner(const qvHit* hit, const qvTriangle* triangle)
{
    double weights[3] = { 1.0 - hit->u - hit->v, hit->u, hit->v };
    int best = weights[1] > weights[0] ? 1 : 0;
    best = weights[2] > weights[best] ? 2 : best;
    return triangle->v[best];
}

qvRay qvuiMouseRay(const qvuiEditor* editor, ImVec2 pixel)
{
    const qvuiViewport* viewport = &editor->viewport;
    double x = 2.0 * (pixel.x - viewport->place.x) / viewport->size.x - 1.0;
    double y = 1.0 - 2.0 * (pixel.y - viewport->place.y) / viewport->size.y;
    return qvuiCamera_Ray(&viewport->camera, x, y, qvuiViewport_Aspect(viewport));
}

// The tree follows the shown points, but only when something asks. While it is being made elsewhere there is none.
static bool UpdateTree(qvuiEditor* editor)
{
    qvuiSession* session = &editor->session;
    qvuiTools* tools = &editor->viewport.tools;
    qvError error;
    if (session->body == NULL)
        return false;
    if (tools->body != session->body)
        qvuiTools_DropBody(tools);
    tools->body = session->body;
    if (tools->bvh == NULL && editor->preparation.body == session->body)
    {
        tools->bvh = qvuiPreparation_TakeTree(&editor->preparation);
        tools->bvhTime = NAN;
    }
    if (tools->bvh == NULL && editor->preparation.task.running)
        return false;
    if (tools->bvh == NULL)
    {
        qvResult result = qvCreateBvh(session->body->mesh, session->points, &tools->bvh, &error);
        if (!qvuiEditor_Did(editor, result, &error))
            return false;
    }
    else if (tools->bvhRevision != session->shownRevision || tools->bvhTime != session->shownTime)
        qvBvh_Refit(tools->bvh, session->points, session->pool);
    tools->bvhRevision = session->shownRevision;
    tools->bvhTime = session->shownTime;
    return true;
}

// Where the topology has changed there is a tree for a single question only.
static bool PickChanged(qvuiEditor* editor, const qvMesh* mesh, ImVec2 pixel, qvVec3* place)
{
    qvVec3f* points = malloc((size_t)mesh->pointCount * sizeof(*points));
    qvBvh* bvh = NULL;
    qvHit hit = { .triangle = -1 };
    qvError error;
    if (points == NULL)
        return false;
    qvMesh_GatherPoints(mesh, mesh->positions, points);
    if (qvuiEditor_Did(editor, qvCreateBvh(mesh, points, &bvh, &error), &error))
        hit = qvBvh_Pick(bvh, qvuiMouseRay(editor, pixel), INFINITY);
    qvDestroyBvh(bvh);
    free(points);
    *place = hit.position;
    return hit.triangle >= 0;
}

bool qvuiPickPlace(qvuiEditor* editor, ImVec2 pixel, qvVec3* place)
{
    const qvMesh* changed = qvuiSession_Changed(&editor->session);
    if (changed != NULL)
        return PickChanged(editor, changed, pixel, place);
    qvHit hit = qvuiPick(editor, pixel);
    *place = hit.position;
    return hit.triangle >= 0;
}

qvHit qvuiPick(qvuiEditor* editor, ImVec2 pixel)
{
    qvHit nothing = { .triangle = -1 };
    if (qvuiSession_Changed(&editor->session) != NULL)
        return nothing;
    return UpdateTree(editor) ? qvBvh_Pick(editor->viewport.tools.bvh, qvuiMouseRay(editor, pixel), INFINITY) : nothing;
}

qvVec3 qvuiRestPlace(const qvuiEditor* editor, const qvHit* hit)
{
    const qvBody* body = editor->session.body;
    const int32_t* v = body->mesh->pointTriangles[hit->triangle].v;
    qvVec3 place = qvScale(1.0 - hit->u - hit->v, qvVec3_FromFloat(body->rest[v[0]]));
    place = qvMulAdd(place, hit->u, qvVec3_FromFloat(body->rest[v[1]]));
    return qvMulAdd(place, hit->v, qvVec3_FromFloat(body->rest[v[2]]));
}

// Twice the area, so that large triangles count more.
static qvVec3 FaceNormal(const qvVec3f* points, const qvTriangle* triangle)
{
    qvVec3 a = qvVec3_FromFloat(points[triangle->v[0]]);
    return qvCross(qvSub(qvVec3_FromFloat(points[triangle->v[1]]), a),
                   qvSub(qvVec3_FromFloat(points[triangle->v[2]]), a));
}

// Of all triangles around the three corners, so that the circle does not jump from triangle to triangle.
qvVec3 qvuiHitNormal(const qvuiEditor* editor, const qvHit* hit)
{
    const qvBody* body = editor->session.body;
    const qvTopology* topology = body->topology;
    const double weights[3] = { 1.0 - hit->u - hit->v, hit->u, hit->v };
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < 3; k++)
    {
        int32_t point = body->mesh->pointTriangles[hit->triangle].v[k];
        qvVec3 around = { 0.0, 0.0, 0.0 };
        for (int32_t i = topology->fanStart[point]; i < topology->fanStart[point + 1]; i++)
            around = qvAdd(around, FaceNormal(editor->session.points, &topology->triangles[topology->fan[i]]));
        sum = qvMulAdd(sum, weights[k], qvNormalize(around));
    }
    qvVec3 normal = qvNormalize(sum);
    qvuiCameraFrame frame = qvuiCamera_Frame(&editor->viewport.camera);
    return qvLength(normal) > 0.0 ? normal : frame.back;
}

qvVec3 qvuiTurn(const qvAffine* frame, qvVec3 v)
{
    return qvMakeVec3(frame->linear[0][0] * v.x + frame->linear[0][1] * v.y + frame->linear[0][2] * v.z,
                      frame->linear[1][0] * v.x + frame->linear[1][1] * v.y + frame->linear[1][2] * v.z,
                      frame->linear[2][0] * v.x + frame->linear[2][1] * v.y + frame->linear[2][2] * v.z);
}

qvVec3 qvuiTurnBack(const qvAffine* frame, qvVec3 v)
{
    return qvMakeVec3(frame->linear[0][0] * v.x + frame->linear[1][0] * v.y + frame->linear[2][0] * v.z,
                      frame->linear[0][1] * v.x + frame->linear[1][1] * v.y + frame->linear[2][1] * v.z,
                      frame->linear[0][2] * v.x + frame->linear[1][2] * v.y + frame->linear[2][2] * v.z);
}

qvVec3 qvuiToWorld(const qvAffine* frame, qvVec3 place)
{
    return qvAdd(qvuiTurn(frame, place), frame->offset);
}

qvAffine qvuiKeyFrame(const qvuiEditor* editor, qvId key, double time)
{
    const qvTake* take = editor->session.take;
    const qvSceneKey* first = qvuiSession_FirstShown(&editor->session);
    qvAffine identity = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 } };
    int index;
    if (take == NULL)
    {
        const qvSceneKey* own = key != 0 ? qvScene_FindKey(qvuiSession_Scene(&editor->session), key, NULL) : NULL;
        return first == NULL ? identity : qvSceneKey_Frame(own != NULL && own->hasTransform ? own : first);
    }
    if (key != 0 && qvScene_FindKey(qvTake_Scene(take), key, &index) != NULL)
        return qvTake_KeyFrame(take, index);
    return qvTake_KeyedFrame(take, time);
}

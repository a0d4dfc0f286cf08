// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/motion_bounds.h"

#include <math.h>
#include <stdlib.h>

// Moments that are looked at: enough for a hop, few enough for a large body to answer at once.
static const double MOST_MOMENTS = 64.0, LEAST_MOMENTS = 8.0, MOST_POINTS = 4e6;

static void Unite(qvBox* box, qvBox other)
{
    box->lower.x = fminf(box->lower.x, other.lower.x), box->upper.x = fmaxf(box->upper.x, other.upper.x);
    box->lower.y = fminf(box->lower.y, other.lower.y), box->upper.y = fmaxf(box->upper.y, other.upper.y);
    box->lower.z = fminf(box->lower.z, other.lower.z), box->upper.z = fmaxf(box->upper.z, other.upper.z);
}

// The corners of the box at rest, where a key has them.
static qvBox PlacedBounds(qvBox rest, const qvSceneKey* key)
{
    qvVec3f corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = (qvVec3f){ i & 1 ? rest.upper.x : rest.lower.x, i & 2 ? rest.upper.y : rest.lower.y,
                                i & 4 ? rest.upper.z : rest.lower.z };
    qvAffine frame = qvSceneKey_Frame(key);
    qvKeysToWorld(&frame, corners, 8);
    return qvComputeBounds(corners, 8);
}

static void AddMotion(const qvuiSession* session, qvTakeView* view, qvBox* box)
{
    int count = session->body->mesh->pointCount;
    int moments = (int)fmin(fmax(MOST_POINTS / fmax(count, 1.0), LEAST_MOMENTS), MOST_MOMENTS);
    double range[2];
    qvScene_Range(qvTake_Scene(session->take), range);
    for (int i = 0; i <= moments; i++)
    {
        double time = range[0] + (range[1] - range[0]) * i / moments;
        qvTakeView_Evaluate(view, time, qv_layersAll, session->pool);
        Unite(box, qvComputeBounds(view->points, count));
    }
}

qvBox qvuiSession_MotionBounds(const qvuiSession* session)
{
    qvBox box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    if (session->body == NULL)
        return box;
    const qvScene* scene = qvuiSession_Scene(session);
    int count = session->body->mesh->pointCount;
    Unite(&box, qvComputeBounds(session->points, count));
    if (session->take == NULL || qvTake_Body(session->take) != session->body)
    {
        qvBox rest = qvComputeBounds(session->body->rest, count);
        for (int i = 0; i < scene->keyCount; i++)
            if (scene->keys[i]->hasTransform)
                Unite(&box, PlacedBounds(rest, scene->keys[i]));
        return box;
    }
    qvTakeView view = { 0 };
    qvError ignored;
    if (qvTakeView_SetTake(&view, session->take, &ignored) == qv_ok)
        AddMotion(session, &view, &box);
    qvTakeView_Free(&view);
    return box;
}

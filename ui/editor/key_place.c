// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/key_place.h"

qvuiPlace qvuiSession_PlaceAt(const qvuiSession* session, double time)
{
    qvuiPlace place = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } };
    const qvSceneKey* first = qvuiSession_FirstShown(session);
    if (session->take != NULL)
        qvTake_KeyedPlace(session->take, time, &place.translate, &place.rotate);
    else if (first != NULL && first->hasTransform)
        place = (qvuiPlace){ first->translate, first->rotate };
    return place;
}

bool qvuiSession_TakesPlaceOver(const qvuiSession* session, qvId key, qvuiPlace* place)
{
    const qvScene* scene = qvuiSession_Scene(session);
    const qvSceneKey* found = scene != NULL ? qvScene_FindKey(scene, key, NULL) : NULL;
    if (found == NULL || found->hasTransform)
        return false;
    *place = qvuiSession_PlaceAt(session, found->time);
    return true;
}

static qvResult Store(qvuiSession* session, qvId key, const qvuiPlace* place, qvError* error)
{
    const double translate[3] = { place->translate.x, place->translate.y, place->translate.z };
    const double rotate[4] = { place->rotate.x, place->rotate.y, place->rotate.z, place->rotate.w };
    qvRef object = { qv_objectKey, key };
    qvResult result = qvDocument_SetNumbers(session->document, object, "transform.translate", translate, 3, error);
    if (result == qv_ok)
        result = qvDocument_SetNumbers(session->document, object, "transform.rotate", rotate, 4, error);
    return result;
}

qvResult qvuiSession_KeyPlace(qvuiSession* session, qvId key, qvError* error)
{
    const qvScene* scene = qvuiSession_Scene(session);
    qvuiPlace place;
    int index = 0;
    qvResult result = qv_ok;
    if (!qvuiSession_TakesPlaceOver(session, key, &place))
        return qv_ok;
    qvScene_FindKey(scene, key, &index);
    if (index > 0 && !qvScene_KeysFrame(scene))
        result = Store(session, scene->keys[index - 1]->id, &place, error);
    return result == qv_ok ? Store(session, key, &place, error) : result;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Which way a key's velocity points; and one that strokes give, made larger and smaller as a whole.
#include "ui/editor/editor.h"

#include <string.h>

qvAffine qvuiVelocityFrame(const qvuiEditor* editor, const qvSceneKey* key)
{
    const qvAffine world = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 } };
    return key->hasTransform ? world : qvuiKeyFrame(editor, key->id, key->time);
}

// "velocity.out" is the member "out" of the member "velocity".
static qvJson* FindSide(const qvJson* root, int index, const char* field)
{
    const qvJson* key = qvJson_At(qvJson_Find(root, "keys"), index);
    return qvJson_Find(qvJson_Find(key, "velocity"), strchr(field, '.') + 1);
}

qvJson* qvuiReadVelocity(const qvuiEditor* editor, qvId key, const char* field)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    char* text = NULL;
    qvJson *root = NULL, *copy = NULL;
    qvError ignored;
    int index;
    if (qvScene_FindKey(scene, key, &index) != NULL && qvPrintScene(scene, &text, &ignored) == qv_ok &&
        qvParseJson(text, strlen(text), NULL, &root, &ignored) == qv_ok)
    {
        const qvJson* side = FindSide(root, index, field);
        copy = side != NULL ? qvJson_Copy(side) : NULL;
    }
    qvDestroyJson(root);
    qvFreeText(text);
    return copy;
}

// A number or a vector.
static void ScaleMember(qvJson* stroke, const char* name, double factor)
{
    qvJson* member = qvJson_Find(stroke, name);
    double values[3] = { 0 };
    int count = 0;
    if (member == NULL)
        return;
    for (const qvJson* item = qvJson_First(member); item != NULL && count < 3; item = qvJson_Next(item))
        values[count++] = factor * qvJson_Number(item);
    double value = factor * qvJson_Number(member);
    bool single = qvJson_IsNumber(member);
    qvJson_Remove(stroke, member);
    if (single)
        qvJson_AddNumber(stroke, name, value);
    else
        qvJson_AddNumbers(stroke, name, values, count);
}

qvResult qvuiSetVelocity(qvuiEditor* editor, qvId key, const char* field, const qvJson* side, double factor,
                         qvError* error)
{
    qvJson* scaled = qvJson_Copy(side);
    if (scaled == NULL)
        return qvError_OutOfMemory(error, 0.0);
    for (qvJson* stroke = qvJson_First(qvJson_Find(scaled, "strokes")); stroke != NULL; stroke = qvJson_Next(stroke))
    {
        ScaleMember(stroke, "drag", factor);
        ScaleMember(stroke, "angle", factor);
        ScaleMember(stroke, "amount", factor);
    }
    qvEdit edit = { .kind = qv_editSet, .object = { qv_objectKey, key }, .field = field, .value = qvJsonValue(scaled) };
    qvResult result = qvDocument_Apply(editor->session.document, &edit, NULL, error);
    qvDestroyJson(scaled);
    return result;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Edits with typed values, and the same edits as lines of a journal: the scenes that come of them are the same.
#include "document_testing.h"
#include "random_edits.h"

#include <stdio.h>

// Documents of one file: one takes typed edits, the other what the journal says of them.
typedef struct Pair
{
    qvDocument *typed, *told;
    int done, refused;
} Pair;

static void Apply(Pair* pair, const qvEdit* edit)
{
    qvError error, toldError;
    qvId added, toldAdded;
    qvResult result = qvDocument_Apply(pair->typed, edit, &added, &error);
    char* line = qvPrintEdit(edit, qvDocument_Scene(pair->typed));
    assert_non_null(line);
    qvResult told = qvDocument_ApplyText(pair->told, line, strlen(line), &toldAdded, &toldError);
    if (result != told || qvScene_Hash(qvDocument_Scene(pair->typed)) != qvScene_Hash(qvDocument_Scene(pair->told)))
        fail_msg("%s: %s / %s", line, result != qv_ok ? error.message : "done",
                 told != qv_ok ? toldError.message : "done");
    qvFreeText(line);
    if (result != qv_ok)
    {
        assert_string_equal(error.message, toldError.message);
        pair->refused++;
        return;
    }
    pair->done++;
    assert_int_equal(added, toldAdded);
    assert_int_equal(qvDocument_StepCount(pair->typed), qvDocument_StepCount(pair->told));
    while (qvDocument_CanUndo(pair->typed))
        qvDocument_Undo(pair->typed);
    while (qvDocument_CanUndo(pair->told))
        qvDocument_Undo(pair->told);
}

// The objects of a kind, one by one; false after the last.
static bool NextObject(const qvScene* scene, qvObjectKind kind, int index, qvRef* ref)
{
    const qvKindInfo* info = qvGetKind(kind);
    *ref = (qvRef){ kind, 0 };
    if (info->list == NULL)
        return index == 0;
    for (qvSceneList list = { 0 }; qvScene_NextList(scene, &list);)
    {
        const qvRow* row = info->owner == list.kind ? qvFindRow(list.kind, info->list) : NULL;
        for (int i = 0; row != NULL && i < list.count; i++)
        {
            const void* const* items = *(const void* const* const*)((const char*)list.items[i] + row->offset);
            int count = *(const int*)((const char*)list.items[i] + row->extent);
            if (index < count)
                ref->id = *(const qvId*)items[index];
            if (index < count)
                return true;
            index -= count;
        }
        if (list.kind == kind && index < list.count)
            ref->id = *(const qvId*)list.items[index];
    }
    return ref->id != 0;
}

static void SetEveryField(Pair* pair, qvRef object, const void* from)
{
    for (int i = 0; i < qvFieldCount(object.kind); i++)
    {
        qvEdit edit = { .kind = qv_editSet, .object = object, .field = qvGetField(object.kind, i)->tag };
        edit.value = (qvValue){ qv_valueObject, .data = from };
        Apply(pair, &edit);
    }
}

static void EveryFieldIsSetAsTheJournalSaysIt(void** state)
{
    (void)state;
    static const char* const files[] = { "scene/full.json", "scene/lean.json", "scene/simulated.json" };
    Pair pair = { OpenDocument(files[0]), OpenDocument(files[0]), 0, 0 };
    for (int f = 0; f < 3; f++)
    {
        qvDocument* source = OpenDocument(files[f]);
        const qvScene* scene = qvDocument_Scene(source);
        qvRef to, from;
        for (int kind = 0; kind < qv_objectKindCount; kind++)
            for (int i = 0; NextObject(qvDocument_Scene(pair.typed), (qvObjectKind)kind, i, &to); i++)
                for (int k = 0; NextObject(scene, (qvObjectKind)kind, k, &from); k++)
                    SetEveryField(&pair, to, qvFindObject(scene, from));
        qvCloseDocument(source);
    }
    assert_true(pair.done > 500 && pair.refused > 10);
    qvCloseDocument(pair.typed);
    qvCloseDocument(pair.told);
}

static void ObjectsAreAddedAsTheJournalSaysIt(void** state)
{
    (void)state;
    Pair pair = { OpenDocument("scene/full.json"), OpenDocument("scene/full.json"), 0, 0 };
    uint64_t random = 1;
    qvRef like;
    int owner, kinds = 0;
    for (int kind = 0; kind < qv_objectKindCount; kind++)
    {
        const qvKindInfo* info = qvGetKind((qvObjectKind)kind);
        for (int i = 0; info->type != NULL; i++)
        {
            const qvScene* scene = qvDocument_Scene(pair.typed);
            if (!NextObject(scene, (qvObjectKind)kind, i, &like))
                break;
            void* copy = RandomLike(scene, like, &random);
            qvEdit edit = { .kind = qv_editAdd, .object = { (qvObjectKind)kind, 0 }, .place = -1 };
            edit.value = (qvValue){ qv_valueObject, .data = copy };
            if (info->owner != qv_objectScene)
                edit.parent = *(const qvId*)qvFindOwner(scene, like, &owner);
            kinds += i == 0;
            Apply(&pair, &edit);
            free(copy);
        }
    }
    assert_true(kinds >= 8 && pair.done > kinds);
    qvCloseDocument(pair.typed);
    qvCloseDocument(pair.told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryFieldIsSetAsTheJournalSaysIt),
        cmocka_unit_test(ObjectsAreAddedAsTheJournalSaysIt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Long calls beside the window: nobody waits for one that does not stop, and nothing comes of it.
#include "testing.h"

#include "ui/editor/contacts.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A call that ends when its gate opens, whatever it is told, and notes what happens to it.
typedef struct Call
{
    atomic_bool begun, open, ended;
    int dropped;
    qvResult result;
} Call;

static void Nap(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static qvResult Work(void* order, qvJob* job, qvError* error)
{
    Call* call = order;
    atomic_store(&call->begun, true);
    while (!atomic_load(&call->open))
        Nap();
    atomic_store(&call->ended, true);
    qvResult told = qvJob_Progress(job, "working", 0.5, error);
    return told == qv_ok ? call->result : qv_ok; // one that does not listen
}

static void Drop(void* order)
{
    ((Call*)order)->dropped++;
}

static void MustStart(qvuiTask* task, Call* call)
{
    qvError error;
    const qvuiErrand errand = { .work = Work, .order = call, .drop = Drop, .stage = "working" };
    ASSERT_OK(qvuiTask_Start(task, &errand, &error), error);
}

static void* CollectLast(qvuiTask* task)
{
    void* order = NULL;
    while (task->running && order == NULL)
    {
        order = qvuiTask_Collect(task);
        Nap();
    }
    return order;
}

static void AssertStage(qvuiTask* task, const char* wanted)
{
    double fraction;
    char stage[64];
    assert_true(qvuiTask_Progress(task, &fraction, stage));
    assert_string_equal(stage, wanted);
}

static void TestACallIsCollectedOnce(void** state)
{
    (void)state;
    qvuiTask task = { 0 };
    Call call = { .result = qv_badInput };
    MustStart(&task, &call);
    assert_true(qvuiTask_IsWanted(&task));
    assert_null(qvuiTask_Collect(&task));
    AssertStage(&task, "working");
    atomic_store(&call.open, true);
    assert_ptr_equal(CollectLast(&task), &call);
    assert_int_equal(task.result, qv_badInput);
    assert_null(qvuiTask_Collect(&task));
    assert_false(task.running || qvuiTask_IsWanted(&task));
    assert_int_equal(call.dropped, 0);
}

// Cancel comes back while the call is still at work; what it makes is thrown away.
static void TestNobodyWaitsForAStop(void** state)
{
    (void)state;
    qvuiTask task = { 0 };
    Call call = { 0 };
    MustStart(&task, &call);
    qvuiTask_Cancel(&task);
    assert_false(atomic_load(&call.ended));
    assert_true(task.running && !qvuiTask_IsWanted(&task));
    AssertStage(&task, "stopping");
    assert_null(qvuiTask_Collect(&task));
    assert_int_equal(call.dropped, 0);
    atomic_store(&call.open, true);
    assert_null(CollectLast(&task));
    assert_int_equal(call.dropped, 1);
    qvuiTask_Cancel(&task); // of nothing
    assert_false(task.running);
}

// One after the other; what was to begin and is not wanted any more never does.
static void TestTheNewestComesNext(void** state)
{
    (void)state;
    qvuiTask task = { 0 };
    Call first = { 0 }, second = { .open = true }, third = { .open = true, .result = qv_notFound };
    MustStart(&task, &first);
    MustStart(&task, &second);
    assert_true(qvuiTask_IsWanted(&task));
    AssertStage(&task, "working");
    MustStart(&task, &third);
    assert_int_equal(second.dropped, 1);
    assert_null(qvuiTask_Collect(&task));
    assert_false(atomic_load(&third.begun));
    atomic_store(&first.open, true);
    assert_ptr_equal(CollectLast(&task), &third);
    assert_int_equal(task.result, qv_notFound);
    assert_true(first.dropped == 1 && third.dropped == 0 && !atomic_load(&second.begun));

    // Cancelled before its turn.
    Call fourth = { 0 }, fifth = { .open = true };
    MustStart(&task, &fourth);
    MustStart(&task, &fifth);
    qvuiTask_Cancel(&task);
    assert_false(qvuiTask_IsWanted(&task));
    atomic_store(&fourth.open, true);
    assert_null(CollectLast(&task));
    assert_true(fourth.dropped == 1 && fifth.dropped == 1 && !atomic_load(&fifth.begun));
}

static void TestTheEndWaits(void** state)
{
    (void)state;
    qvuiTask task = { 0 };
    Call first = { .open = true }, second = { 0 };
    qvuiTask_End(&task);
    MustStart(&task, &first);
    MustStart(&task, &second);
    qvuiTask_End(&task);
    assert_true(atomic_load(&first.ended) && !atomic_load(&second.begun) && !task.running);
    assert_true(first.dropped == 1 && second.dropped == 1);
}

// A box that is closed leaves no plan behind, and none arrives later, also when it is opened again.
static void TestAClosedBoxAddsNothing(void** state)
{
    (void)state;
    qvuiSession session;
    qvuiContacts contacts;
    qvError error;
    qvId key;
    const double sunk[3] = { 0.0, -0.5, 0.0 };
    qvSceneMesh mesh = { .primitive = (char*)(uintptr_t) "block", .resolution = 4 };
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    ASSERT_OK(qvuiSession_New(&session, &mesh, NULL, &error), error);
    qvuiContacts_Init(&contacts);
    for (double time = 0.5; time < 1.3; time += 0.5)
        ASSERT_OK(qvuiSession_InsertKey(&session, time, &key, &error), error);
    qvRef last = { qv_objectKey, key };
    ASSERT_OK(qvDocument_SetNumbers(session.document, last, "transform.translate", sunk, 3, &error), error);
    do
        qvuiSession_Update(&session, 0.0);
    while (qvuiSession_IsSolving(&session));
    uint64_t hash = qvScene_Hash(qvuiSession_Scene(&session));

    contacts.open = contacts.def.lift = true;
    qvuiContacts_Plan(&contacts, &session);
    assert_true(qvuiContacts_IsPlanning(&contacts));
    qvuiContacts_Close(&contacts);
    assert_false(qvuiContacts_IsPlanning(&contacts));
    while (contacts.task.running)
        qvuiContacts_Update(&contacts, &session);
    assert_true(contacts.report == NULL && contacts.remark[0] == 0);
    assert_int_equal(qvScene_Hash(qvuiSession_Scene(&session)), hash);

    // Opened again while the old plan still runs: what comes is of the new search.
    contacts.open = true;
    qvuiContacts_Plan(&contacts, &session);
    qvuiContacts_Close(&contacts);
    contacts.open = true;
    do
        qvuiContacts_Update(&contacts, &session);
    while (contacts.task.running);
    assert_int_equal(qvScene_Hash(qvuiSession_Scene(&session)), hash);
    assert_non_null(contacts.report);
    assert_true(contacts.report->keyCount > 0 && contacts.remark[0] == 0);

    // And one that is let run does arrive.
    qvuiContacts_Plan(&contacts, &session);
    while (qvuiContacts_IsPlanning(&contacts))
        qvuiContacts_Update(&contacts, &session);
    assert_true(qvScene_Hash(qvuiSession_Scene(&session)) != hash && contacts.remark[0] != 0);
    qvuiContacts_Free(&contacts);
    qvuiSession_Free(&session);
}

static void ExpectWords(const qvContactReport* left, int added, int lifted, const char* wanted)
{
    char text[256];
    qvuiDescribeContacts(left, added, lifted, text, sizeof(text));
    assert_string_equal(text, wanted);
}

static void TestWhatIsLeftIsTold(void** state)
{
    (void)state;
    // The first is of waves, the deepest is not, and the other way round.
    qvContact contacts[2] = { { .time = 0.1, .depth = 0.02, .waves = true }, { .time = 0.9, .depth = 0.05 } };
    qvContactKey keys[2] = { { 1, 0.5 }, { 2, 0.5 } };
    qvContactReport left = { .diagonal = 1.0, .depth = 0.05, .time = 0.9, .contactCount = 2, .contacts = contacts };
    ExpectWords(&left, 1, 0, "1 key added.\nLeft: 5.00 % of the size at 0.900 s.");
    contacts[0].waves = false, contacts[1].waves = true;
    ExpectWords(&left, 3, 0, "3 keys added.\nLeft: 5.00 % of the size at 0.900 s, from waves, which keys do not hold.");
    left.keyCount = 1, left.keys = keys;
    ExpectWords(&left, 0, 2, "0 keys added, 2 moved.\n1 key is left with a pose that is inside.");
    left.keyCount = 2;
    ExpectWords(&left, 0, 0, "0 keys added.\n2 keys are left with a pose that is inside.");
    left.keyCount = left.contactCount = 0;
    ExpectWords(&left, 2, 0, "2 keys added.\nAt most 5.00 % of the size is inside.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestACallIsCollectedOnce),  cmocka_unit_test(TestNobodyWaitsForAStop),
        cmocka_unit_test(TestTheNewestComesNext),    cmocka_unit_test(TestTheEndWaits),
        cmocka_unit_test(TestAClosedBoxAddsNothing), cmocka_unit_test(TestWhatIsLeftIsTold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What is being edited, without a window.
#include "testing.h"

#include "ui/editor/session.h"

#include <time.h>

static void OpenShape(qvuiSession* session, const char* tag)
{
    qvSceneMesh mesh = { .primitive = tag, .resolution = 6 };
    qvError error;
    ASSERT_OK(qvuiSession_New(session, &mesh, NULL, &error), error);
}

// A take of the document that went, finished but not yet collected, must not bring its body back.
static void TestTakesOfAClosedDocument(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenShape(&session, "sphere");
    qvuiSession_Update(&session, 0.0);
    while (!qvWorker_HasNews(session.worker))
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    assert_true(qvuiSession_IsSolving(&session)); // until it is collected
    OpenShape(&session, "sack");
    const qvBody* body = session.body;
    qvuiSession_Update(&session, 0.0);
    assert_ptr_equal(session.body, body);
    assert_true(session.take == NULL || qvTake_Scene(session.take) == qvuiSession_Scene(&session));
    while (qvuiSession_IsSolving(&session))
        qvuiSession_Update(&session, 0.0);
    assert_non_null(session.take);
    assert_ptr_equal(qvTake_Scene(session.take), qvuiSession_Scene(&session));
    qvuiSession_Free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTakesOfAClosedDocument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/contacts.h"

#include <stdio.h>

void qvuiContacts_Init(qvuiContacts* contacts)
{
    *contacts = (qvuiContacts){ .def = qvDefaultContactDef() };
    contacts->def.obstacle.centre.y = 1.0;
    contacts->def.obstacle.radius = 0.5;
}

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    qvuiContacts* contacts = context;
    qvResult result = qvCreatePool(0, &job->pool, error);
    if (result == qv_ok && contacts->plans)
        result = qvPlanContacts(contacts->take, &contacts->asked, contacts->pipeline, job, &contacts->plan, error);
    else if (result == qv_ok)
        result = qvFindContacts(contacts->take, &contacts->asked, job, &contacts->found, error);
    qvDestroyPool(job->pool);
    return result;
}

static void DropTake(qvuiContacts* contacts)
{
    qvReleaseTake(contacts->take);
    contacts->take = NULL;
}

// What the task has made.
static void DropResults(qvuiContacts* contacts)
{
    qvDestroyContactReport(contacts->found);
    qvDestroyContactPlan(contacts->plan);
    contacts->found = NULL;
    contacts->plan = NULL;
    DropTake(contacts);
}

void qvuiContacts_Stop(qvuiContacts* contacts)
{
    if (qvuiTask_Cancel(&contacts->task))
        DropResults(contacts);
}

void qvuiContacts_Close(qvuiContacts* contacts)
{
    qvuiContacts_Stop(contacts);
    qvDestroyContactReport(contacts->report);
    contacts->report = NULL;
    contacts->open = false;
    contacts->askedRevision = 0;
    contacts->remark[0] = 0;
}

static void Start(qvuiContacts* contacts, qvuiSession* session, bool plans)
{
    qvError error;
    qvuiContacts_Stop(contacts);
    contacts->plans = plans;
    contacts->pipeline = qvWorker_Pipeline(session->worker);
    contacts->take = qvRetainTake(session->take);
    contacts->asked = contacts->def;
    contacts->askedRevision = session->takeRevision;
    if (qvuiTask_Start(&contacts->task, Work, contacts, "contacts", &error) == qv_ok)
        return;
    DropTake(contacts);
    snprintf(contacts->remark, sizeof(contacts->remark), "%s", error.message);
    contacts->isProblem = true;
}

void qvuiContacts_Plan(qvuiContacts* contacts, qvuiSession* session)
{
    contacts->remark[0] = 0;
    contacts->isProblem = false;
    if (session->take != NULL)
        Start(contacts, session, true);
}

static double Percent(const qvContactReport* report)
{
    return 100.0 * report->depth / report->diagonal;
}

// What the keys came to, with what is left of it.
static void Describe(qvuiContacts* contacts, const qvContactPlan* plan)
{
    const qvContactReport* left = qvContactPlan_Report(plan);
    int keys = qvContactPlan_KeyCount(plan), lifted = qvContactPlan_LiftedCount(plan);
    char lifts[64] = "", rest[128];
    if (lifted > 0)
        snprintf(lifts, sizeof(lifts), ", %d moved", lifted);
    contacts->isProblem = left->contactCount > 0 || left->keyCount > 0;
    if (left->keyCount > 0)
        snprintf(rest, sizeof(rest), "%d %s with a pose that is inside.", left->keyCount,
                 left->keyCount == 1 ? "key is left" : "keys are left");
    else if (left->contactCount > 0)
        snprintf(rest, sizeof(rest), "Left: %.2f %% of the size at %.3f s%s.", Percent(left), left->time,
                 left->contacts[0].waves ? ", from waves, which keys do not hold" : "");
    else
        snprintf(rest, sizeof(rest), "At most %.2f %% of the size is inside.", Percent(left));
    snprintf(contacts->remark, sizeof(contacts->remark), "%d %s added%s.\n%s", keys, keys == 1 ? "key" : "keys", lifts,
             rest);
}

// What was said of another state of the scene or another obstacle is no longer so.
static void ForgetRemark(qvuiContacts* contacts, const qvuiSession* session, bool sameObstacle)
{
    if (!sameObstacle || contacts->remarkRevision != qvDocument_Revision(session->document))
        contacts->remark[0] = 0;
}

static void TakeOver(qvuiContacts* contacts, qvuiSession* session)
{
    qvResult result = contacts->task.result;
    qvError error = contacts->task.error;
    if (!contacts->plans)
    {
        qvDestroyContactReport(contacts->report);
        contacts->report = contacts->found;
        contacts->found = NULL;
    }
    else if (result == qv_ok)
    {
        result = qvContactPlan_Apply(contacts->plan, session->document, &error);
        if (result == qv_ok)
            Describe(contacts, contacts->plan);
    }
    DropResults(contacts);
    contacts->remarkRevision = qvDocument_Revision(session->document);
    if (result == qv_ok)
        return;
    snprintf(contacts->remark, sizeof(contacts->remark), "%s", error.message);
    contacts->isProblem = true;
}

static bool IsSame(const qvObstacle* a, const qvObstacle* b)
{
    return a->kind == b->kind && a->height == b->height && a->radius == b->radius && a->centre.x == b->centre.x &&
           a->centre.y == b->centre.y && a->centre.z == b->centre.z;
}

void qvuiContacts_Update(qvuiContacts* contacts, qvuiSession* session)
{
    if (!contacts->open)
        return;
    if (session->document == NULL)
    {
        qvuiContacts_Close(contacts);
        return;
    }
    if (qvuiTask_Collect(&contacts->task))
        TakeOver(contacts, session);
    bool sameObstacle = IsSame(&contacts->asked.obstacle, &contacts->def.obstacle);
    bool same = contacts->askedRevision == session->takeRevision && sameObstacle;
    ForgetRemark(contacts, session, sameObstacle);
    if (session->take != NULL && !same && !(contacts->task.running && contacts->plans))
        Start(contacts, session, false);
}

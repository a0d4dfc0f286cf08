// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/contacts.h"

#include <stdio.h>
#include <stdlib.h>

void qvuiContacts_Init(qvuiContacts* contacts)
{
    *contacts = (qvuiContacts){ .def = qvDefaultContactDef() };
    contacts->def.obstacle.centre.y = 1.0;
    contacts->def.obstacle.radius = 0.5;
}

// What the thread reads and writes.
typedef struct Order
{
    bool plans;
    qvContactDef def;
    const qvTake* take;
    qvPipeline* pipeline;
    qvContactReport* found;
    qvContactPlan* plan;
} Order;

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    Order* order = context;
    qvResult result = qvCreatePool(0, &job->pool, error);
    if (result == qv_ok && order->plans)
        result = qvPlanContacts(order->take, &order->def, order->pipeline, job, &order->plan, error);
    else if (result == qv_ok)
        result = qvFindContacts(order->take, &order->def, job, &order->found, error);
    qvDestroyPool(job->pool);
    return result;
}

static void DropOrder(void* context)
{
    Order* order = context;
    qvDestroyContactReport(order->found);
    qvDestroyContactPlan(order->plan);
    qvReleaseTake(order->take);
    free(order);
}

void qvuiContacts_Stop(qvuiContacts* contacts)
{
    qvuiTask_Cancel(&contacts->task);
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

void qvuiContacts_Free(qvuiContacts* contacts)
{
    qvuiTask_End(&contacts->task);
    qvuiContacts_Close(contacts);
}

static qvResult StartOrder(qvuiContacts* contacts, qvuiSession* session, qvError* error)
{
    Order* order = calloc(1, sizeof(*order));
    if (order == NULL)
        return qvError_OutOfMemory(error, sizeof(*order));
    *order = (Order){ .plans = contacts->plans,
                      .def = contacts->def,
                      .take = qvRetainTake(session->take),
                      .pipeline = qvWorker_Pipeline(session->worker) };
    const qvuiErrand errand = { .work = Work, .order = order, .drop = DropOrder, .stage = "contacts" };
    return qvuiTask_Start(&contacts->task, &errand, error);
}

static void Start(qvuiContacts* contacts, qvuiSession* session, bool plans)
{
    qvError error;
    contacts->plans = plans;
    contacts->asked = contacts->def;
    contacts->askedRevision = session->takeRevision;
    if (StartOrder(contacts, session, &error) == qv_ok)
        return;
    snprintf(contacts->remark, sizeof(contacts->remark), "%s", error.message);
    contacts->isProblem = true;
}

bool qvuiContacts_IsPlanning(const qvuiContacts* contacts)
{
    return contacts->plans && qvuiTask_IsWanted(&contacts->task);
}

void qvuiContacts_Plan(qvuiContacts* contacts, qvuiSession* session)
{
    contacts->remark[0] = 0;
    contacts->isProblem = false;
    if (session->take != NULL)
        Start(contacts, session, true);
}

static const qvContact* Deepest(const qvContactReport* report)
{
    const qvContact* deepest = report->contacts;
    for (int i = 1; i < report->contactCount; i++)
        deepest = report->contacts[i].depth > deepest->depth ? &report->contacts[i] : deepest;
    return deepest;
}

void qvuiDescribeContacts(const qvContactReport* left, int added, int lifted, char* text, size_t capacity)
{
    double percent = 100.0 * left->depth / left->diagonal;
    char lifts[64] = "", rest[128];
    if (lifted > 0)
        snprintf(lifts, sizeof(lifts), ", %d moved", lifted);
    if (left->keyCount > 0)
        snprintf(rest, sizeof(rest), "%d %s with a pose that is inside.", left->keyCount,
                 left->keyCount == 1 ? "key is left" : "keys are left");
    else if (left->contactCount > 0)
        snprintf(rest, sizeof(rest), "Left: %.2f %% of the size at %.3f s%s.", percent, left->time,
                 Deepest(left)->waves ? ", from waves, which keys do not hold" : "");
    else
        snprintf(rest, sizeof(rest), "At most %.2f %% of the size is inside.", percent);
    snprintf(text, capacity, "%d %s added%s.\n%s", added, added == 1 ? "key" : "keys", lifts, rest);
}

// What the keys came to, with what is left of it.
static void Describe(qvuiContacts* contacts, const qvContactPlan* plan)
{
    const qvContactReport* left = qvContactPlan_Report(plan);
    contacts->isProblem = left->contactCount > 0 || left->keyCount > 0;
    qvuiDescribeContacts(left, qvContactPlan_KeyCount(plan), qvContactPlan_LiftedCount(plan), contacts->remark,
                         sizeof(contacts->remark));
}

// What was said of another state of the scene or another obstacle is no longer so.
static void ForgetRemark(qvuiContacts* contacts, const qvuiSession* session, bool sameObstacle)
{
    if (!sameObstacle || contacts->remarkRevision != qvDocument_Revision(session->document))
        contacts->remark[0] = 0;
}

static void TakeOver(qvuiContacts* contacts, qvuiSession* session, Order* order)
{
    qvResult result = contacts->task.result;
    qvError error = contacts->task.error;
    if (!order->plans)
    {
        qvDestroyContactReport(contacts->report);
        contacts->report = order->found;
        order->found = NULL;
    }
    else if (result == qv_ok)
    {
        result = qvContactPlan_Apply(order->plan, session->document, &error);
        if (result == qv_ok)
            Describe(contacts, order->plan);
    }
    DropOrder(order);
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
    if (session->document == NULL && contacts->open)
        qvuiContacts_Close(contacts);
    Order* order = qvuiTask_Collect(&contacts->task); // never of a box that was closed
    if (order != NULL)
        TakeOver(contacts, session, order);
    if (!contacts->open)
        return;
    bool sameObstacle = IsSame(&contacts->asked.obstacle, &contacts->def.obstacle);
    bool same = contacts->askedRevision == session->takeRevision && sameObstacle;
    ForgetRemark(contacts, session, sameObstacle);
    if (session->take != NULL && !same && !qvuiContacts_IsPlanning(contacts))
        Start(contacts, session, false);
}

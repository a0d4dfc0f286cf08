// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/apart.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum
{
    PATIENCE = 20 // ms between questions whether to go on
};

typedef struct Call
{
    qvuiApart apart;
    pthread_mutex_t mutex; // guards what follows
    pthread_cond_t ended;
    bool isDone, isLeft;
} Call;

static Call* CreateCall(const qvuiApart* apart)
{
    Call* call = calloc(1, sizeof(*call));
    if (call == NULL)
        return NULL;
    call->apart = *apart;
    pthread_mutex_init(&call->mutex, NULL);
    pthread_cond_init(&call->ended, NULL);
    return call;
}

static void DestroyCall(Call* call)
{
    pthread_cond_destroy(&call->ended);
    pthread_mutex_destroy(&call->mutex);
    free(call);
}

static void* RunCall(void* context)
{
    Call* call = context;
    call->apart.run(call->apart.order);
    pthread_mutex_lock(&call->mutex);
    call->isDone = true;
    bool isLeft = call->isLeft;
    pthread_cond_signal(&call->ended);
    pthread_mutex_unlock(&call->mutex);
    if (isLeft)
    {
        call->apart.destroy(call->apart.order);
        DestroyCall(call);
    }
    return NULL;
}

// Whether the call has ended.
static bool WaitAWhile(Call* call)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&call->mutex);
    if (!call->isDone)
        pthread_cond_timedwait(&call->ended, &call->mutex, &until);
    bool isDone = call->isDone;
    pthread_mutex_unlock(&call->mutex);
    return isDone;
}

static void Free(Call* call, pthread_t thread)
{
    pthread_join(thread, NULL);
    DestroyCall(call);
}

// What has not ended yet frees itself.
static void Leave(Call* call, pthread_t thread)
{
    const qvuiApart apart = call->apart;
    pthread_mutex_lock(&call->mutex);
    call->isLeft = true;
    bool isDone = call->isDone;
    pthread_mutex_unlock(&call->mutex);
    if (!isDone)
    {
        pthread_detach(thread);
        return;
    }
    Free(call, thread);
    apart.destroy(apart.order);
}

qvResult qvuiApart_Run(const qvuiApart* apart, const qvJob* job, qvError* error)
{
    pthread_t thread;
    Call* call = job != NULL && job->progress != NULL ? CreateCall(apart) : NULL;
    if (call == NULL || pthread_create(&thread, NULL, RunCall, call) != 0)
    {
        if (call != NULL)
            DestroyCall(call);
        apart->run(apart->order);
        return qv_ok;
    }
    qvResult result = qv_ok;
    for (bool isDone = false; !isDone && result == qv_ok;)
    {
        isDone = WaitAWhile(call);
        result = qvJob_Ask(job, error);
    }
    if (result == qv_ok)
        Free(call, thread);
    else
        Leave(call, thread);
    return result;
}

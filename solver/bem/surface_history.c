// SPDX-License-Identifier: GPL-3.0-or-later
// The method "history": what forces do is answered by the full past of the surface (history.h) instead of modes. It is
// the reference that modes are measured by: exact in time but for backward Euler, which swallows wobble by itself, and
// slow and large. Its steps are whole parts of a frame and cannot be shorter, since weights belong to a step.
#include "bem/surface_model.h"

#include "base/memory.h"
#include "bem/history.h"

#include <math.h>
#include <stdlib.h>

static const double MOST_BYTES = 2e9; // of all shapes
// Of the lowest wobble a step: backward Euler damps it by pi times that (of critical), and some bodies are unstable
// below the second.
static const double PHASE = 0.0125, LEAST_PHASE = 0.005;

static double StepOf(double wobble)
{
    return 1.0 / (qv_stepFrameRate * fmax(1.0, ceil(wobble / (qv_stepFrameRate * PHASE) - 1e-9)));
}

void qvSurfaceModel_FreeHistories(qvSurfaceModel* model)
{
    for (int s = 0; model->histories != NULL && s < model->shapeCount; s++)
        qvDestroyBemHistory(model->histories[s]);
    free(model->histories);
}

// A span that takes over has the past of the one before.
static qvResult Borrow(qvSurfaceModel* model, qvError* error)
{
    const qvSurfaceModel* before = model->input->before;
    const qvSimulationDef *own = &model->input->def, *other = &before->input->def;
    bool isSame = own->wobble == other->wobble && own->compression == other->compression;
    if (own->byHistory != other->byHistory || (own->byHistory && !isSame))
        return qvError_Set(error, qv_badInput,
                           "simulations of which one takes over from the other by its history need the same method, "
                           "wobble and compression; leave a gap between them or make them equal");
    model->histories = before->histories;
    return qv_ok;
}

static qvResult Make(qvSurfaceModel* model, const qvJob* job, qvError* error)
{
    double left = MOST_BYTES;
    model->histories = qvAllocate((size_t)model->shapeCount, sizeof(*model->histories));
    if (model->histories == NULL)
        return qvError_OutOfMemory(error, 8.0 * model->shapeCount);
    for (int s = 0; s < model->shapeCount; s++)
    {
        const qvBemModel* shape = model->shapes[s]->model;
        qvBemHistoryDef def = qvDefaultBemHistoryDef();
        def.surface = shape->surface;
        def.material = qvBemMaterialOf(shape, model->input->def.wobble, qvDefaultBemBodyDef().density);
        def.dt = model->step;
        def.onVertices = true;
        def.ratio = fmax(1.0, model->input->def.compression);
        def.maxBytes = left;
        qvResult result = qvCreateBemHistory(&def, job, &model->histories[s], error);
        if (result != qv_ok)
            return result;
        left -= qvBemHistory_Bytes(model->histories[s]);
    }
    return qv_ok;
}

qvResult qvSurfaceModel_MakeHistories(qvSurfaceModel* model, const qvJob* job, qvError* error)
{
    double wobble = model->input->def.wobble;
    if (model->isBorrowed)
    {
        qvResult result = Borrow(model, error);
        if (result != qv_ok)
            return result;
    }
    if (!model->input->def.byHistory)
        return qv_ok;
    if (model->input->partCount > 0)
        return qvError_Set(error, qv_badInput,
                           "the method \"history\" takes all parts of one material; choose modes, or leave parts out");
    model->step = StepOf(wobble);
    if (wobble * model->step < LEAST_PHASE)
        return qvError_Set(error, qv_badInput,
                           "wobble is %g Hz, and the method \"history\" needs at least %g; raise it or use modes",
                           wobble, LEAST_PHASE * qv_stepFrameRate);
    qvResult result = model->isBorrowed ? qv_ok : Make(model, job, error);
    for (int b = 0; result == qv_ok && b < model->partCount; b++)
    {
        int s = 0;
        while (model->shapes[s] != model->parts[b].shape)
            s++;
        model->bodies[b].history = model->histories[s];
    }
    return result;
}

bool qvSurfaceModel_IsStep(const qvSurfaceModel* model, double seconds, qvError* error)
{
    double steps = seconds / model->step;
    if (model->histories == NULL || fabs(steps - round(steps)) < 1e-6)
        return true;
    qvError_Set(
        error, qv_badInput,
        "a simulation by its history that another takes over must last a whole number of steps of 1/%.0f s; move "
        "its end",
        1.0 / model->step);
    return false;
}

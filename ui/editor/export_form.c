// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/export_form.h"

#include "quaver/path.h"
#include "ui/editor/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    USUAL_BONES = 64
};

static void SetStandards(qvuiExportForm* form)
{
    form->request.bake = qvDefaultTakeExport();
    form->request.bake.bake.usePreview = true;
    form->request.film = qvuiDefaultFilmDef();
    form->request.film.look.width = 1280;
    form->request.film.look.height = 720;
    form->bones = USUAL_BONES;
    form->shapesError = form->request.bake.options.error, form->bonesError = QV_BONES_ERROR;
    form->ready = true;
}

void qvuiExportForm_UpdateBones(qvuiExportForm* form)
{
    qvExportOptions* options = &form->request.bake.options;
    bool has = options->bones > 0, wants = form->wantsBones && qvuiGetExportFormat(form->request.format).bones;
    *(has ? &form->bonesError : &form->shapesError) = options->error;
    options->error = wants ? form->bonesError : form->shapesError;
    options->bones = wants ? form->bones : 0;
}

static const char* Tag(const qvuiExportForm* form)
{
    return qvuiGetExportFormat(form->request.format).tag;
}

static size_t StemLength(const char* name)
{
    const char* extension = qvPath_Extension(name);
    return strlen(name) - (extension[0] != 0 ? strlen(extension) + 1 : 0);
}

// Whether a file of the mesh would be written over, or one of them of this ending beside the export.
static bool Meets(const qvuiExportForm* form, const qvuiSession* session, const char* ending)
{
    char path[2 * qvui_maxPath];
    qvError error;
    qvuiExportForm_Path(form, path, sizeof(path));
    size_t stem = StemLength(path);
    snprintf(path + stem, sizeof(path) - stem, ".%s", ending);
    return qvuiSession_CheckTarget(session, path, &error) != qv_ok;
}

// A name that would write over a file of the mesh, also by what some formats put beside theirs, becomes another.
static void AvoidMesh(qvuiExportForm* form, const qvuiSession* session)
{
    bool alone = strcmp(Tag(form), "glb") == 0 || strcmp(Tag(form), "html") == 0 ||
                 qvuiGetExportFormat(form->request.format).isDrawn;
    bool beside = session->take != NULL && !alone &&
                  (Meets(form, session, "obj") || Meets(form, session, "mtl") || Meets(form, session, "bin"));
    if (session->take == NULL || (!beside && !Meets(form, session, Tag(form))))
        return;
    size_t stem = StemLength(form->name);
    snprintf(form->name + stem, sizeof(form->name) - stem, "_motion.%s", Tag(form));
}

void qvuiExportForm_Open(qvuiExportForm* form, const qvuiSession* session, const char* lastFolder)
{
    if (!form->ready)
        SetStandards(form);
    if (qvuiCanWriteTo(lastFolder) || !qvuiDocumentFolder(session->document, form->folder, sizeof(form->folder)))
        qvuiStartFolder(lastFolder, form->folder, sizeof(form->folder));
    char stem[256];
    qvuiSession_FileStem(session, stem, sizeof(stem));
    snprintf(form->name, sizeof(form->name), "%s.%s", stem, Tag(form));
    AvoidMesh(form, session);
    form->hasEncoder = qvuiHasEncoder();
    form->estimated = form->failed = form->done = form->changes = false;
    form->saving = form->nextSaving = qvui_savingCount;
    form->problem[0] = form->written[0] = 0;
    form->wantsEstimate = true;
}

void qvuiExportForm_SetFormat(qvuiExportForm* form, const qvuiSession* session, int format)
{
    size_t stem = StemLength(form->name);
    form->request.format = format;
    snprintf(form->name + stem, sizeof(form->name) - stem, ".%s", Tag(form));
    AvoidMesh(form, session);
    qvuiExportForm_UpdateBones(form);
}

void qvuiExportForm_FollowName(qvuiExportForm* form)
{
    for (int i = 0; i < qvuiExportFormatCount(); i++)
        if (qvPath_HasExtension(form->name, qvuiGetExportFormat(i).tag))
        {
            form->request.format = i;
            qvuiExportForm_UpdateBones(form);
            return;
        }
    size_t length = strlen(form->name);
    snprintf(form->name + length, sizeof(form->name) - length, ".%s", Tag(form));
}

const char* qvuiExportForm_WhyNot(const qvuiExportForm* form, int format)
{
    if (!form->changes || qvuiGetExportFormat(format).changes)
        return NULL;
    return "It holds one mesh in all frames, and a simulation splits or merges this one: choose glTF, USD, OBJ or PLY";
}

// --- Smaller files -------------------------------------------------------------------------------------------------

// Below so many bytes nobody minds, and what saves less than a fifth is not worth its price.
static const double SMALL_FILE = 5e5, WORTHWHILE = 0.8;
// An estimate takes a moment up to so many points of all frames.
static const double QUICK_WORK = 1e6;

bool qvuiExportForm_Save(const qvuiExportForm* form, qvuiSaving saving, qvExportOptions* options)
{
    *options = form->request.bake.options;
    const qvExportPreset* preset = options->preset;
    if (saving == qvui_savingQuantize)
    {
        bool can = qvuiGetExportFormat(form->request.format).packs && !options->quantize && !options->compress &&
                   (preset == NULL || preset->quantize);
        options->quantize = true;
        return can;
    }
    if (options->perFrame)
    {
        options->perFrame = false;
        return true;
    }
    options->error = fmin(3.0 * options->error, 0.02);
    return options->error > form->request.bake.options.error;
}

bool qvuiExportForm_IsSmall(const qvuiExportForm* form)
{
    return form->report.bytes < SMALL_FILE;
}

void qvuiExportForm_BeginEstimate(qvuiExportForm* form, bool writes)
{
    // One that is under way is given up, and done again after writing.
    if (form->saving < qvui_savingCount)
        form->nextSaving = form->saving;
    form->saving = qvui_savingCount;
    if (writes)
        return;
    form->nextSaving = qvui_savingCount;
    for (int i = 0; i < qvui_savingCount; i++)
        form->savingBytes[i] = 0.0;
}

bool qvuiExportForm_FindSaving(qvuiExportForm* form, qvExportOptions* options)
{
    while (form->nextSaving < qvui_savingCount)
    {
        form->saving = form->nextSaving++;
        if (qvuiExportForm_Save(form, (qvuiSaving)form->saving, options))
            return true;
    }
    form->saving = qvui_savingCount;
    return false;
}

void qvuiExportForm_TakeEstimate(qvuiExportForm* form, const qvExportReport* report, bool ok, int points)
{
    if (form->saving < qvui_savingCount)
    {
        if (ok && report->bytes <= WORTHWHILE * form->report.bytes)
            form->savingBytes[form->saving] = report->bytes;
        form->saving = qvui_savingCount;
        return;
    }
    form->estimated = ok;
    form->report = *report;
    form->changes = report->changes || (form->changes && !ok); // one that was given up says nothing
    bool looks = ok && report->targets > 0 && !qvuiExportForm_IsSmall(form);
    form->isLarge = looks && (double)report->frames * points > QUICK_WORK;
    form->nextSaving = looks && !form->isLarge ? 0 : qvui_savingCount;
}

void qvuiExportForm_Path(const qvuiExportForm* form, char* path, size_t capacity)
{
    const char* home = getenv("HOME");
    if (strncmp(form->name, "~/", 2) == 0 && home != NULL)
        snprintf(path, capacity, "%s/%s", home, form->name + 2);
    else if (form->name[0] == '/')
        snprintf(path, capacity, "%s", form->name);
    else
        snprintf(path, capacity, "%s/%s", form->folder, form->name);
    qvPath_Simplify(path);
}

void qvuiExportForm_FirstFile(const qvuiExportForm* form, char* path, size_t capacity)
{
    qvuiExportForm_Path(form, path, capacity);
    size_t stem = StemLength(path);
    if (qvuiGetExportFormat(form->request.format).isSequence)
        snprintf(path + stem, capacity - stem, "_0000.%s", Tag(form));
}

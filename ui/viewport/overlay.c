// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewport/overlay.h"

#include "ui/editor/clock.h"
#include "ui/editor/editor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void qvuiOverlay_Init(qvuiOverlay* overlay)
{
    *overlay = (qvuiOverlay){ .showGhosts = true, .showTrails = true, .sceneryRevision = UINT64_MAX };
    for (int i = 0; i < qvui_ghostCount; i++)
        overlay->ghostTimes[i] = NAN;
}

static void DropScenery(qvuiOverlay* overlay)
{
    qvuiDestroySurface(overlay->scenerySurface);
    qvDestroyScenery(overlay->scenery);
    overlay->scenerySurface = NULL;
    overlay->scenery = NULL;
    overlay->sceneryRevision = UINT64_MAX; // of no document
    overlay->sceneryTime = NAN;
}

void qvuiOverlay_Drop(qvuiOverlay* overlay)
{
    for (int i = 0; i < qvui_ghostCount; i++)
    {
        qvuiDestroyGhost(overlay->ghosts[i]);
        overlay->ghosts[i] = NULL;
        overlay->ghostTimes[i] = NAN;
    }
    qvTakeView_Free(&overlay->view);
    DropScenery(overlay);
    free(overlay->pins);
    free(overlay->values);
    free(overlay->trails);
    overlay->pins = overlay->trails = NULL;
    overlay->shown = (qvShownPoints){ 0 };
    overlay->values = NULL;
    overlay->pinCount = overlay->heldCount = overlay->trailCount = overlay->trailFrames = overlay->extraCount = 0;
    overlay->colors = qvui_colorsOwn;
    overlay->shownRevision = 0;
    overlay->revision++;
}

void qvuiOverlay_Touch(qvuiOverlay* overlay)
{
    overlay->shownRevision = 0;
    overlay->revision++;
}

static bool Reserve(qvuiOverlay* overlay, const qvBody* body)
{
    size_t points = (size_t)body->mesh->pointCount;
    if (overlay->pins == NULL)
        overlay->pins = malloc(2 * points * sizeof(qvVec3f));
    if (overlay->values == NULL)
        overlay->values = malloc(points * sizeof(float));
    return overlay->pins != NULL && overlay->values != NULL;
}

// --- Ghosts --------------------------------------------------------------------------------------------------------

static void HideGhost(qvuiOverlay* overlay, qvuiGhostKind kind)
{
    if (!isnan(overlay->ghostTimes[kind]))
        overlay->revision++;
    overlay->ghostTimes[kind] = NAN;
}

// Of keys without waves: where a key arrives as one, they hold its pose back.
static void ShowGhost(qvuiEditor* editor, qvuiGhostKind kind, double time)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    qvError error;
    if (overlay->ghostTimes[kind] == time)
        return;
    if (overlay->ghosts[kind] == NULL &&
        !qvuiEditor_Did(editor, qvuiCreateGhost(editor->surface, &overlay->ghosts[kind], &error), &error))
        return;
    qvTakeView* view = &overlay->view;
    qvTakeView_Evaluate(view, time, kind == qvui_ghostPlain ? qv_layersSmooth : qv_layersMotion, editor->session.pool);
    qvMesh_ScatterPoints(editor->session.body->mesh, view->points, view->vertices);
    qvuiGhost_SetPositions(overlay->ghosts[kind], view->vertices);
    overlay->ghostTimes[kind] = time;
    overlay->revision++;
}

static void UpdateGhosts(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiSession* session = &editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    for (int i = 0; i < 2; i++)
    {
        bool wanted = overlay->showGhosts && overlay->view.take != NULL && !session->playback.playing;
        qvId id = wanted ? qvuiSession_NeighbourKey(session, i == 0 ? -1 : 1) : 0;
        const qvSceneKey* key = id != 0 ? qvScene_FindKey(scene, id, NULL) : NULL;
        if (key != NULL && key->time < qvTake_ChangesFrom(overlay->view.take))
            ShowGhost(editor, (qvuiGhostKind)i, key->time);
        else
            HideGhost(overlay, (qvuiGhostKind)i);
    }
    if (overlay->showPlain && overlay->view.take != NULL)
        ShowGhost(editor, qvui_ghostPlain, session->playback.time);
    else
        HideGhost(overlay, qvui_ghostPlain);
}

// --- Pins ----------------------------------------------------------------------------------------------------------

static void AddPin(qvuiOverlay* overlay, const qvuiSession* session, const qvScenePin* pin)
{
    int32_t* points = NULL;
    int count = 0;
    qvError error;
    if (session->playback.time < pin->from || session->playback.time > pin->to ||
        qvVertexSet_Points(&pin->where, session->body, &points, &count, &error) != qv_ok)
        return;
    for (int i = 0; i < count && overlay->pinCount < session->body->mesh->pointCount; i++)
        overlay->pins[overlay->pinCount++] = session->points[points[i]];
    free(points);
}

// The part of the body that the key at the playhead holds, behind the room for pins.
static void AddHeld(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiSession* session = &editor->session;
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(session), qvuiSession_KeyAtTime(session), NULL);
    int32_t* points = NULL;
    int count = 0;
    qvError error;
    overlay->heldCount = 0;
    if (key == NULL || !key->partial || qvVertexSet_Points(&key->only, session->body, &points, &count, &error) != qv_ok)
        return;
    qvVec3f* held = overlay->pins + session->body->mesh->pointCount;
    for (int i = 0; i < count && i < session->body->mesh->pointCount; i++)
        held[overlay->heldCount++] = session->points[points[i]];
    free(points);
}

static void UpdatePins(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiSession* session = &editor->session;
    const qvuiTools* tools = &editor->viewport.tools;
    const qvScene* scene = qvuiSession_Scene(session);
    overlay->pinCount = overlay->heldCount = 0;
    if (qvuiSession_Changed(session) != NULL)
        return; // what was pinned is no longer there
    AddHeld(editor);
    if (tools->values != NULL && tools->tool == qvui_toolPin)
    {
        for (int i = 0; i < session->body->mesh->pointCount; i++)
            if (tools->values[i] > 0.5f)
                overlay->pins[overlay->pinCount++] = session->points[i];
        return;
    }
    for (int i = 0; i < scene->pinCount; i++)
        AddPin(overlay, session, scene->pins[i]);
}

// --- Colours -------------------------------------------------------------------------------------------------------

static void FillDisplacement(const qvuiEditor* editor, float* values)
{
    const qvuiSession* session = &editor->session;
    const qvuiTools* tools = &editor->viewport.tools;
    qvAffine frame = qvuiKeyFrame(editor, 0, session->playback.time);
    if (tools->live.points != NULL)
        frame = tools->live.frame;
    double scale = 1.0 / (0.15 * session->body->diagonal);
    for (int i = 0; i < session->body->mesh->pointCount; i++)
    {
        qvVec3 local = qvuiTurnBack(&frame, qvSub(qvVec3_FromFloat(session->points[i]), frame.offset));
        values[i] = (float)(scale * qvDistance(local, qvVec3_FromFloat(session->body->rest[i])));
    }
}

static void FillStrain(const qvuiSession* session, float* values)
{
    const qvTopology* topology = session->body->topology;
    const qvVec3f *now = session->points, *rest = session->body->rest;
    for (int i = 0; i < topology->pointCount; i++)
    {
        double sum = 0.0;
        int begin = topology->neighborStart[i], end = topology->neighborStart[i + 1];
        for (int k = begin; k < end; k++)
        {
            int j = topology->neighbors[k];
            double before = qvDistance(qvVec3_FromFloat(rest[i]), qvVec3_FromFloat(rest[j]));
            double after = qvDistance(qvVec3_FromFloat(now[i]), qvVec3_FromFloat(now[j]));
            sum += before > 0.0 ? fabs(after / before - 1.0) : 0.0;
        }
        values[i] = end > begin ? (float)(sum / (end - begin) / 0.3) : 0.0f;
    }
}

static void FillWeights(const qvuiEditor* editor, float* values)
{
    const qvuiSession* session = &editor->session;
    const qvMesh* mesh = session->body->mesh;
    const qvBlob* weights = qvuiSession_Scene(session)->weights;
    bool fits = weights != NULL && weights->size == (size_t)mesh->vertexCount * sizeof(float);
    const float* given = fits ? weights->data : NULL;
    const float* painted = editor->viewport.tools.values;
    for (int i = 0; i < mesh->pointCount; i++)
        values[i] = painted != NULL ? painted[i] : given != NULL ? given[mesh->pointVertex[i]] : 1.0f;
}

static int WantedColors(const qvuiEditor* editor)
{
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiOverlay* overlay = &editor->viewport.overlay;
    if (tools->tool == qvui_toolWeight)
        return qvui_colorsWeight;
    if (tools->mask != NULL || (tools->tool == qvui_toolMask && tools->values != NULL))
        return qvui_colorsMask;
    bool needsTake = overlay->heat == qvui_colorsWaves;
    return needsTake && overlay->view.take == NULL ? qvui_colorsOwn : (int)overlay->heat;
}

static void UpdateColors(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiTools* tools = &editor->viewport.tools;
    const qvuiSession* session = &editor->session;
    const float* mask = tools->tool == qvui_toolMask && tools->values != NULL ? tools->values : tools->mask;
    const float* values = overlay->values;
    qvuiHeatRamp ramp = qvui_heatScale;
    switch (overlay->colors)
    {
    case qvui_colorsDisplacement:
        FillDisplacement(editor, overlay->values);
        break;
    case qvui_colorsStrain:
        FillStrain(session, overlay->values);
        break;
    case qvui_colorsWaves:
        qvTakeView_Wavefronts(&overlay->view, session->playback.time, session->pool, overlay->values);
        ramp = qvui_heatWaves;
        break;
    case qvui_colorsMask:
        values = mask;
        ramp = qvui_heatMask;
        break;
    case qvui_colorsWeight:
        FillWeights(editor, overlay->values);
        break;
    default:
        values = NULL;
    }
    editor->viewport.look.heat = ramp;
    qvuiSurface_SetHeat(editor->surface, values);
}

// Where no simulation has the channel, the body is shown.
static void UpdateShown(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    bool isShown =
        overlay->channel != NULL && overlay->view.take != NULL &&
        qvTakeView_ShowChannel(&overlay->view, overlay->channel->tag, editor->session.playback.time, &overlay->shown);
    if (!isShown)
        overlay->shown = (qvShownPoints){ 0 };
    qvShownPoints_Scale(&overlay->shown);
    editor->viewport.look.hidden = overlay->shown.count > 0;
}

// --- Trails --------------------------------------------------------------------------------------------------------

// Starts again when the motion or the picked points have changed.
static void ResetTrails(qvuiEditor* editor, const double range[2])
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiSelection* selection = &editor->session.selection;
    int frames = qvScene_SampleCount(qvuiSession_Scene(&editor->session)->fps, range);
    frames = frames < 2000 ? frames : 2000;
    overlay->trailDone = overlay->trailFrames = overlay->trailCount = 0;
    free(overlay->trails);
    overlay->trails = malloc((size_t)(selection->trailCount * frames + 1) * sizeof(qvVec3f));
    if (overlay->trails == NULL)
        return;
    overlay->trailCount = selection->trailCount;
    overlay->trailFrames = frames;
    memcpy(overlay->trailPoints, selection->trails, sizeof(overlay->trailPoints));
}

static bool SameTrails(const qvuiOverlay* overlay, const qvuiSelection* selection)
{
    return overlay->trailCount == selection->trailCount &&
           memcmp(overlay->trailPoints, selection->trails, (size_t)overlay->trailCount * sizeof(int)) == 0;
}

// Points of an earlier mesh are none.
static bool HasTrails(const qvuiSession* session)
{
    for (int i = 0; i < session->selection.trailCount; i++)
        if (session->selection.trails[i] >= session->body->mesh->pointCount)
            return false;
    return session->selection.trailCount > 0;
}

// A few samples per picture, so that the window never waits.
static void UpdateTrails(qvuiEditor* editor, bool newTake)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiSession* session = &editor->session;
    double range[2], start = qvuiWallClock();
    if (!overlay->showTrails || overlay->view.take == NULL || !HasTrails(session))
    {
        overlay->trailCount = overlay->trailFrames = overlay->trailDone = 0;
        return;
    }
    const qvScene* scene = qvTake_Scene(overlay->view.take);
    qvScene_Range(scene, range);
    if (newTake || !SameTrails(overlay, &session->selection))
        ResetTrails(editor, range);
    while (overlay->trailDone < overlay->trailFrames)
    {
        int frame = overlay->trailDone++;
        qvTakeView_Evaluate(&overlay->view, qvScene_SampleTime(scene->fps, range, frame), qv_layersAll, session->pool);
        for (int i = 0; i < overlay->trailCount; i++)
            overlay->trails[i * overlay->trailFrames + frame] = overlay->view.points[overlay->trailPoints[i]];
        if (qvuiWallClock() - start > 0.004)
            break;
    }
}

bool qvuiOverlay_IsBusy(const qvuiOverlay* overlay)
{
    return overlay->trailDone < overlay->trailFrames;
}

static void DrawTrail(qvuiEditor* editor, ImDrawList* list, const qvVec3f* trail, int count, int now)
{
    const qvuiStyle* style = &editor->kit.style;
    ImVec2 last = { 0, 0 };
    bool hasLast = false;
    for (int i = 0; i < count; i++)
    {
        ImVec2 place;
        bool seen = qvuiProject(editor, qvVec3_FromFloat(trail[i]), &place);
        if (seen && hasLast)
            ImDrawList_AddLine(list, last, place, QVUI_RGBA(0x3cc8b4, 200), qvuiPixels(style, 1.6));
        if (seen)
            ImDrawList_AddCircleFilled(list, place, qvuiPixels(style, i == now ? 4.5 : 2), QVUI_TEAL, 12);
        last = place;
        hasLast = seen;
    }
}

void qvuiOverlay_Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiOverlay* overlay = &editor->viewport.overlay;
    if (overlay->view.take == NULL || overlay->trailCount == 0)
        return;
    double range[2];
    qvScene_Range(qvTake_Scene(overlay->view.take), range);
    int now = (int)lround((editor->session.playback.time - range[0]) * qvTake_Scene(overlay->view.take)->fps);
    for (int i = 0; i < overlay->trailCount; i++)
        DrawTrail(editor, list, overlay->trails + i * overlay->trailFrames, overlay->trailDone, now);
}

// --- All -----------------------------------------------------------------------------------------------------------

static void AddExtra(qvuiOverlay* overlay, qvuiExtra extra)
{
    if (overlay->extraCount < qvui_maxExtras)
        overlay->extras[overlay->extraCount++] = extra;
}

// One plane per mirrored axis, where the body's own axes are now.
static void AddPlanes(qvuiEditor* editor)
{
    const qvuiSession* session = &editor->session;
    qvAffine frame = qvuiKeyFrame(editor, qvuiSession_KeyAtTime(session), session->playback.time);
    qvBox box = session->body->mesh->bounds;
    qvVec3 middle = qvScale(0.5, qvAdd(qvVec3_FromFloat(box.lower), qvVec3_FromFloat(box.upper)));
    for (int axis = 0; axis < 3; axis++)
    {
        if ((editor->viewport.tools.mirror >> axis & 1) == 0)
            continue;
        qvVec3 centre = { axis == 0 ? 0.0 : middle.x, axis == 1 ? 0.0 : middle.y, axis == 2 ? 0.0 : middle.z };
        qvVec3 u = { axis != 0, axis == 0, 0 }, v = { 0, axis == 2, axis != 2 };
        AddExtra(&editor->viewport.overlay, (qvuiExtra){ .kind = qvui_extraPlane,
                                                         .color = { 0.357f, 0.616f, 1.0f, 0.55f },
                                                         .origin = qvuiToWorld(&frame, centre),
                                                         .axisU = qvuiTurn(&frame, u),
                                                         .axisV = qvuiTurn(&frame, v),
                                                         .extent = 0.42 * session->body->diagonal });
    }
}

static void CollectExtras(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    qvuiExtra (*const looks[])(const qvuiGhost*) = { qvuiGhostBefore, qvuiGhostAfter, qvuiGhostPlain };
    overlay->extraCount = 0;
    for (int i = 0; i < qvui_ghostCount; i++)
        if (!isnan(overlay->ghostTimes[i]))
            AddExtra(overlay, looks[i](overlay->ghosts[i]));
    if (overlay->pinCount > 0)
        AddExtra(overlay, (qvuiExtra){ .kind = qvui_extraPoints,
                                       .color = { 0.949f, 0.639f, 0.227f, 1.0f },
                                       .points = overlay->pins,
                                       .pointCount = overlay->pinCount,
                                       .size = qvuiPixels(&editor->kit.style, 7) });
    if (overlay->heldCount > 0 && !editor->session.playback.playing)
        AddExtra(overlay, (qvuiExtra){ .kind = qvui_extraPoints,
                                       .color = { 0.949f, 0.639f, 0.227f, 0.8f },
                                       .points = overlay->pins + editor->session.body->mesh->pointCount,
                                       .pointCount = overlay->heldCount,
                                       .size = qvuiPixels(&editor->kit.style, 4) });
    if (overlay->shown.count > 0)
        AddExtra(overlay, qvuiShownBalls(&overlay->shown));
    AddPlanes(editor);
}

static bool TakeChanges(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvTake* take = editor->session.take;
    if (take != NULL && qvTake_Body(take) != editor->session.body)
        take = NULL;
    qvError ignored;
    if (overlay->view.take == take)
        return false;
    if (qvTakeView_SetTake(&overlay->view, take, &ignored) != qv_ok)
        return false; // without memory there are no ghosts
    for (int i = 0; i < qvui_ghostCount; i++)
        HideGhost(overlay, (qvuiGhostKind)i);
    overlay->shownRevision = 0;
    return true;
}

// The ground is drawn where simulations and contact keys have it.
static void UpdateGround(qvuiEditor* editor)
{
    const qvSceneGround* ground = &qvuiSession_Scene(&editor->session)->ground;
    qvuiLook* look = &editor->viewport.look;
    look->hasGround = ground->on && !isnan(ground->height);
    look->ground = look->hasGround ? ground->height : 0.0;
}

// Obstacles of the document as it is now. One whose mesh cannot be read is not shown: simulations say why.
static void TakeScenery(qvuiEditor* editor, const qvScene* scene)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    qvError ignored;
    overlay->sceneryTime = NAN;
    if (overlay->scenery != NULL && qvScenery_Follow(overlay->scenery, scene))
        return;
    DropScenery(overlay);
    const char* folder = qvDocument_Folder(editor->session.document);
    if (qvCreateScenery(scene, folder, NULL, &overlay->scenery, &ignored) == qv_ok && overlay->scenery != NULL &&
        qvuiCreateSurface(overlay->scenery->mesh, &overlay->scenerySurface, &ignored) != qv_ok)
        DropScenery(overlay);
}

// Obstacles are drawn where they are at the playhead.
static void UpdateScenery(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiSession* session = &editor->session;
    const qvScene* scene = qvuiSession_Scene(session);
    uint64_t revision = qvDocument_Revision(session->document);
    double time = session->playback.time;
    if (overlay->sceneryRevision != revision)
        TakeScenery(editor, scene);
    overlay->sceneryRevision = revision;
    editor->viewport.look.scenery = overlay->scenerySurface;
    if (overlay->scenery == NULL)
        return;
    bool isThere = !isnan(overlay->sceneryTime) && (!overlay->scenery->moves || overlay->sceneryTime == time);
    qvError ignored;
    if (isThere || qvScenery_Place(overlay->scenery, time, &ignored) != qv_ok)
        return;
    qvuiSurface_SetPositions(overlay->scenerySurface, overlay->scenery->vertices);
    overlay->sceneryTime = time;
    overlay->revision++;
}

void qvuiOverlay_Update(qvuiEditor* editor)
{
    qvuiOverlay* overlay = &editor->viewport.overlay;
    const qvuiSession* session = &editor->session;
    if (editor->surface == NULL || session->document == NULL || session->body == NULL)
        return;
    UpdateGround(editor);
    UpdateScenery(editor);
    bool newTake = TakeChanges(editor);
    if (!Reserve(overlay, session->body))
        return;
    UpdateGhosts(editor);
    UpdateTrails(editor, newTake);
    int colors = WantedColors(editor);
    uint64_t document = qvDocument_Revision(session->document);
    if (overlay->shownRevision != session->shownRevision || overlay->shownTime != session->shownTime ||
        overlay->documentRevision != document || overlay->colors != colors ||
        overlay->shownChannel != overlay->channel || overlay->mirror != editor->viewport.tools.mirror)
    {
        overlay->shownRevision = session->shownRevision;
        overlay->shownTime = session->shownTime;
        overlay->documentRevision = document;
        overlay->colors = colors;
        overlay->shownChannel = overlay->channel;
        overlay->mirror = editor->viewport.tools.mirror;
        overlay->revision++;
        UpdatePins(editor);
        UpdateColors(editor);
        UpdateShown(editor);
    }
    CollectExtras(editor);
}

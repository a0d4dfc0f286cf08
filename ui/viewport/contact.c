// SPDX-License-Identifier: GPL-3.0-or-later
// The box of contact keys over the viewport: an obstacle, where the motion goes through it, and the keys against that.
// The window stays usable beside it, so that one can play what was found and look at the sphere.
#include "ui/editor/editor.h"

#include "ui/render/renderer.h"
#include "ui/widgets/icons.h"

#include <math.h>
#include <stdio.h>

enum
{
    SHOWN = 4, // contacts and keys in the list
    ARC = 48
};

// The ground is at first the one that is seen; a scene with obstacles or a ground of its own is asked for those.
void qvuiContact_Toggle(qvuiEditor* editor)
{
    qvuiContacts* contacts = &editor->contacts;
    if (contacts->open)
    {
        qvuiContacts_Close(contacts);
        return;
    }
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    contacts->open = true;
    contacts->def.obstacle.height = qvuiGroundHeight(editor->session.body->mesh->bounds);
    if (scene != NULL && (scene->obstacleCount > 0 || !isnan(scene->ground.height)))
        contacts->def.obstacle.kind = qv_obstacleScene;
}

// --- The obstacle --------------------------------------------------------------------------------------------------

static void DrawLine(const qvuiEditor* editor, ImDrawList* list, qvVec3 a, qvVec3 b)
{
    ImVec2 from, to;
    if (qvuiProject(editor, a, &from) && qvuiProject(editor, b, &to))
        ImDrawList_AddLine(list, from, to, QVUI_RGBA(0x5b9dff, 150), 1.0f);
}

// A circle about the centre in the plane of two axes.
static void DrawCircle(const qvuiEditor* editor, ImDrawList* list, qvVec3 centre, qvVec3 x, qvVec3 y)
{
    qvVec3 last = qvAdd(centre, x);
    for (int i = 1; i <= ARC; i++)
    {
        double angle = QV_TWO_PI * i / ARC;
        qvVec3 next = qvMulAdd(qvMulAdd(centre, cos(angle), x), sin(angle), y);
        DrawLine(editor, list, last, next);
        last = next;
    }
}

static void DrawSphere(const qvuiEditor* editor, ImDrawList* list, const qvObstacle* o)
{
    for (int i = 0; i < 3; i++)
    {
        double angle = 1.04719755119659774615 * i, flat = 0.5 * (i - 1);
        qvVec3 side = { o->radius * cos(angle), 0.0, o->radius * sin(angle) }, up = { 0.0, o->radius, 0.0 };
        double ring = o->radius * sqrt(1.0 - flat * flat);
        qvVec3 middle = { o->centre.x, o->centre.y + flat * o->radius, o->centre.z };
        DrawCircle(editor, list, o->centre, side, up);
        DrawCircle(editor, list, middle, qvMakeVec3(ring, 0.0, 0.0), qvMakeVec3(0.0, 0.0, ring));
    }
}

// The picture has a ground of its own.
static void DrawGround(const qvuiEditor* editor, ImDrawList* list, double height)
{
    double size = editor->session.body->diagonal;
    bool isSeen = height == qvuiGroundHeight(editor->session.body->mesh->bounds);
    for (int i = -4; i <= 4 && !isSeen; i++)
    {
        double at = 0.25 * i * size;
        DrawLine(editor, list, qvMakeVec3(at, height, -size), qvMakeVec3(at, height, size));
        DrawLine(editor, list, qvMakeVec3(-size, height, at), qvMakeVec3(size, height, at));
    }
}

static void ObstacleRows(qvuiEditor* editor)
{
    static const char* const kinds[] = { "ground", "sphere", "scene" };
    qvObstacle* o = &editor->contacts.def.obstacle;
    double size = editor->session.body->diagonal;
    int kind = (int)o->kind;
    qvuiSegmentedRow(
        &editor->kit, "Obstacle", kinds, 3, &kind, QVUI_CHOSEN,
        "What the body must not go through: a ground, a sphere, or the scene's own ground and obstacles; only "
        "the search changes until keys are added");
    o->kind = (qvObstacleKind)kind;
    if (o->kind == qv_obstacleScene)
        return;
    if (o->kind == qv_obstacleGround)
    {
        const qvuiNumbersDef height = { .label = "Height",
                                        .unit = "",
                                        .count = 1,
                                        .speed = 0.002 * size,
                                        .tooltip = "Where the ground is, along y; the body must stay above it" };
        qvuiNumbersRow(&editor->kit, &height, &o->height);
        return;
    }
    const qvuiNumbersDef centre = { .label = "Centre",
                                    .unit = "",
                                    .count = 3,
                                    .speed = 0.002 * size,
                                    .tooltip = "Middle of the sphere, in the world; the body must stay outside" };
    const qvuiNumbersDef radius = { .label = "Radius",
                                    .unit = "",
                                    .count = 1,
                                    .speed = 0.002 * size,
                                    .tooltip = "Size of the sphere, which the body must stay outside of" };
    double place[3] = { o->centre.x, o->centre.y, o->centre.z };
    qvuiNumbersRow(&editor->kit, &centre, place);
    o->centre = qvMakeVec3(place[0], place[1], place[2]);
    qvuiNumbersRow(&editor->kit, &radius, &o->radius);
}

// --- What was found ------------------------------------------------------------------------------------------------

static void ContactRow(qvuiEditor* editor, const qvContact* contact, double diagonal)
{
    char name[48], remark[64];
    snprintf(name, sizeof(name), "%.2f to %.2f s", contact->begin, contact->end);
    snprintf(remark, sizeof(remark), "%.2f %%%s", 100.0 * contact->depth / diagonal, contact->waves ? ", waves" : "");
    if (qvuiListRow(&editor->kit, name, remark, contact->waves ? QVUI_CORAL : QVUI_TEAL, false,
                    "Goes to the deepest moment; how deep is a part of the body's size, and waves lie on top of keys"))
        qvuiSession_Seek(&editor->session, contact->time);
}

static void KeyRow(qvuiEditor* editor, const qvContactKey* inside, double diagonal)
{
    const qvSceneKey* key = qvScene_FindKey(qvuiSession_Scene(&editor->session), inside->key, NULL);
    if (key == NULL)
        return;
    char name[qv_maxName + 16], remark[64];
    snprintf(name, sizeof(name), "Key %s", key->name[0] != 0 ? key->name : key->tag);
    snprintf(remark, sizeof(remark), "%.2f %%", 100.0 * inside->depth / diagonal);
    if (qvuiListRow(&editor->kit, name, remark, QVUI_AMBER, false,
                    "The pose of this key is inside: change it, move the obstacle, or let \"Move keys out\" move it"))
        qvuiSession_Seek(&editor->session, key->time);
}

static void FoundRows(qvuiEditor* editor)
{
    const qvuiContacts* contacts = &editor->contacts;
    const qvContactReport* report = contacts->report;
    if (report == NULL)
        return;
    if (report->contactCount + report->keyCount == 0)
    {
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED, "The motion stays outside.");
        return;
    }
    int shown = 0;
    for (int i = 0; i < report->keyCount && shown < SHOWN; i++, shown++)
        KeyRow(editor, &report->keys[i], report->diagonal);
    for (int i = 0; i < report->contactCount && shown < SHOWN; i++, shown++)
        ContactRow(editor, &report->contacts[i], report->diagonal);
    int more = report->contactCount + report->keyCount - shown;
    if (more > 0)
    {
        char text[48];
        snprintf(text, sizeof(text), "and %d more", more);
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_MUTED, text);
    }
}

static void StateRow(qvuiEditor* editor)
{
    qvuiContacts* contacts = &editor->contacts;
    double fraction;
    char stage[64], text[96];
    if (qvuiTask_Progress(&contacts->task, &fraction, stage))
    {
        if (!qvuiTask_IsWanted(&contacts->task))
            snprintf(text, sizeof(text), "Stopping\xe2\x80\xa6");
        else
            snprintf(text, sizeof(text), "%s %.0f %%", contacts->plans ? "Looking for keys" : "Looking",
                     100.0 * fraction);
        qvuiMessageRow(&editor->kit, QVUI_ICON_INFO, QVUI_TEAL, text);
    }
    else if (contacts->remark[0] != 0)
        qvuiMessageRow(&editor->kit, contacts->isProblem ? QVUI_ICON_WARNING : QVUI_ICON_INFO,
                       contacts->isProblem ? QVUI_AMBER : QVUI_TEAL, contacts->remark);
}

static void Buttons(qvuiEditor* editor)
{
    qvuiContacts* contacts = &editor->contacts;
    const qvContactReport* report = contacts->report;
    bool any = report != NULL && report->contactCount + report->keyCount > 0;
    if (qvuiContacts_IsPlanning(contacts))
    {
        if (qvuiPill(&editor->kit, "Stop", 0.0f, "Gives the search for keys up; the motion stays as it is"))
            qvuiContacts_Stop(contacts);
    }
    else
    {
        igBeginDisabled(!any || contacts->task.running);
        if (qvuiPill(&editor->kit, "Add keys", 0.0f,
                     "Adds keys of what touches, until the motion stays outside, in one step that undo takes back"))
            qvuiContacts_Plan(contacts, &editor->session);
        igEndDisabled();
    }
    igSameLine(0.0f, qvuiPixels(&editor->kit.style, 8));
    if (qvuiPill(&editor->kit, "Close", 0.0f, "Closes this box; keys that were added stay"))
        qvuiContacts_Close(contacts);
}

// --- The box -------------------------------------------------------------------------------------------------------

void qvuiContact_Draw(qvuiEditor* editor)
{
    qvuiContacts* contacts = &editor->contacts;
    const qvuiViewport* viewport = &editor->viewport;
    const qvuiStyle* style = &editor->kit.style;
    if (!contacts->open || editor->session.body == NULL)
        return;
    ImDrawList* list = igGetWindowDrawList();
    if (contacts->def.obstacle.kind == qv_obstacleSphere)
        DrawSphere(editor, list, &contacts->def.obstacle);
    else if (contacts->def.obstacle.kind == qv_obstacleGround)
        DrawGround(editor, list, contacts->def.obstacle.height);
    float pad = qvuiPixels(style, 12);
    ImVec2 end, size = { fminf(qvuiPixels(style, 320), viewport->size.x - 2 * pad),
                         fminf(fmaxf(editor->contactHeight, qvuiPixels(style, 120)), viewport->size.y - 2 * pad) };
    ImVec2 place = { floorf(viewport->place.x + viewport->size.x - size.x - pad),
                     floorf(viewport->place.y + viewport->size.y - size.y - pad) };
    igSetCursorScreenPos(place);
    igPushStyleColor_U32(ImGuiCol_ChildBg, QVUI_RGBA(0x262a30, 245));
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    // Where all of it has room there is nothing to scroll, also in the frame in which the list grows.
    bool scrolls = editor->contactHeight > size.y;
    igBeginChild_Str("contact", size, false, scrolls ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoScrollbar);
    igPopStyleColor(1);
    qvuiDrawText(igGetWindowDrawList(), style->strong, (ImVec2){ place.x + pad, place.y }, qvuiPixels(style, 32),
                 QVUI_TEXT, "Contact keys");
    igSetCursorScreenPos((ImVec2){ place.x, place.y + qvuiPixels(style, 32) });
    ObstacleRows(editor);
    qvuiSwitchRow(&editor->kit, "Move keys out", &contacts->def.lift,
                  "Moves keys whose own pose is inside out as a whole, with their strokes; off: they stay");
    FoundRows(editor);
    StateRow(editor);
    igGetCursorScreenPos(&end);
    igSetCursorScreenPos((ImVec2){ place.x + pad, end.y + qvuiPixels(style, 6) });
    Buttons(editor);
    editor->contactHeight = end.y + igGetScrollY() - place.y + qvuiPixels(style, 6 + 26 + 10);
    igEndChild();
    igPopStyleVar(1);
}

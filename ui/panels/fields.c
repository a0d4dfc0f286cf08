// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fields.h"

#include "ui/editor/key_place.h"
#include "ui/panels/turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void BeginEdit(qvuiEditor* editor, const qvField* field)
{
    qvuiEditor_HoldStep(editor, field->label);
    qvDocument_Begin(editor->session.document, field->label, 0);
}

static void Finish(qvuiEditor* editor, qvResult result, const qvError* error)
{
    qvDocument_End(editor->session.document);
    qvuiEditor_Did(editor, result, error);
}

// A key's Move, Turn and Extra turns: setting one makes the key say all of them.
static bool IsOfPlace(qvRef object, const qvField* field)
{
    return object.kind == qv_objectKey && strncmp(field->tag, "transform.", 10) == 0;
}

static void SetNumbers(qvuiEditor* editor, qvRef object, const qvField* field, const double* values, int count)
{
    qvDocument* document = editor->session.document;
    qvError error;
    qvResult result;
    BeginEdit(editor, field);
    result = IsOfPlace(object, field) ? qvuiSession_KeyPlace(&editor->session, object.id, &error) : qv_ok;
    if (result != qv_ok)
    {
        Finish(editor, result, &error);
        return;
    }
    if (count > 1)
        result = qvDocument_SetNumbers(document, object, field->tag, values, count, &error);
    else if (field->type == qv_fieldBool)
        result = qvDocument_SetBool(document, object, field->tag, values[0] != 0.0, &error);
    else
        result = qvDocument_SetNumber(document, object, field->tag, values[0], &error);
    Finish(editor, result, &error);
}

static void SetText(qvuiEditor* editor, qvRef object, const qvField* field, const char* text)
{
    qvError error;
    BeginEdit(editor, field);
    Finish(editor, qvDocument_SetText(editor->session.document, object, field->tag, text, &error), &error);
}

// Angles are radians in files and degrees here.
static const double DEGREES = 57.29577951308232;

static bool IsAngle(const qvField* field)
{
    return strcmp(field->unit, "rad") == 0;
}

// A bar that suits the field: a field without an upper end gets one from its default, and wide ranges give small values
// more room.
static qvuiSliderDef SliderOf(const qvField* field, double value, ImU32 color, char* format, size_t capacity)
{
    qvuiSliderDef def = { .label = field->label, .tooltip = field->help, .color = color };
    double standard = isfinite(field->standard) ? field->standard : 1.0;
    def.minimum = isfinite(field->minimum) ? field->minimum : -10.0;
    def.maximum =
        isfinite(field->maximum) && field->maximum < 1e5 ? field->maximum : fmax(10.0 * fmax(standard, 1.0), value);
    def.standard = standard;
    def.whole = field->type == qv_fieldInt;
    def.power = def.minimum >= 0.0 && def.maximum > 8.0 * fmax(standard, 1e-9) && def.maximum > 2.0 ? 3.0 : 1.0;
    if (IsAngle(field))
    {
        // Two turns either way are enough for a bar.
        def.minimum = fmax(def.minimum * DEGREES, -720.0), def.maximum = fmin(def.maximum * DEGREES, 720.0);
        def.standard *= DEGREES;
        def.power = 1.0;
        def.format = "%.1f\xc2\xb0";
        return def;
    }
    const char* unit = strcmp(field->unit, "m") == 0 ? "" : field->unit;
    snprintf(format, capacity, "%%.%df%s%s", def.whole ? 0 : 2, unit[0] != 0 ? " " : "", unit);
    def.format = format;
    return def;
}

// A number without ends of its own (a time) is no bar.
static bool IsUnbounded(const qvField* field)
{
    return field->type == qv_fieldNumber && !(field->maximum - field->minimum < 1e4);
}

static void Reset(qvuiEditor* editor, qvRef object, const qvField* field)
{
    qvError error;
    BeginEdit(editor, field);
    Finish(editor, qvDocument_Reset(editor->session.document, object, field->tag, &error), &error);
}

static const char* Inherited(qvRef object)
{
    return object.kind == qv_objectSimulation
               ? "Taken over from the material or the scene; a change makes this simulation say it itself."
               : "Taken over from the keys around it; a change makes this key say it itself.";
}

// What a key takes over from those around it, or a simulation from the scene, where it does not say it itself.
static bool ReadInherited(const qvuiEditor* editor, qvRef object, const qvField* field, double values[4])
{
    qvuiPlace place;
    if (qvReadInherited(qvuiSession_Scene(&editor->session), object, field->tag, values))
        return true;
    if (!IsOfPlace(object, field) || !qvuiSession_TakesPlaceOver(&editor->session, object.id, &place))
        return false;
    values[0] = 0.0;
    if (field->type == qv_fieldVector)
        values[0] = place.translate.x, values[1] = place.translate.y, values[2] = place.translate.z;
    else if (field->type == qv_fieldRotation)
        values[0] = place.rotate.x, values[1] = place.rotate.y, values[2] = place.rotate.z, values[3] = place.rotate.w;
    return true;
}

// Numbers without ends, or several.
static void NumbersRow(qvuiEditor* editor, qvRef object, const qvField* field, double* values, int count, double speed,
                       bool automatic, bool inherited)
{
    bool reset = false;
    qvuiNumbersDef def = { .label = field->label, .count = count, .speed = speed, .tooltip = field->help };
    char unit[16] = "";
    if (count == 1 && field->unit[0] != 0 && strcmp(field->unit, "m") != 0)
        snprintf(unit, sizeof(unit), " %s", field->unit);
    def.unit = unit;
    char tooltip[512];
    snprintf(tooltip, sizeof(tooltip), "%s %s", field->help, Inherited(object));
    def.tooltip = inherited ? tooltip : field->help;
    def.reset = &reset;
    def.automatic = automatic;
    def.dimmed = inherited;
    if (qvuiNumbersRow(&editor->kit, &def, values))
        SetNumbers(editor, object, field, values, count);
    if (reset)
        Reset(editor, object, field);
}

static void NumberRow(qvuiEditor* editor, qvRef object, const qvField* field, double value, bool inherited, ImU32 color)
{
    if (IsUnbounded(field) && isfinite(value))
    {
        NumbersRow(editor, object, field, &value, 1, 0.01, false, inherited);
        return;
    }
    char format[32], tooltip[512];
    bool reset = false;
    // An optional number that is not given shows its default, muted.
    bool given = isfinite(value);
    qvuiSliderDef def = SliderOf(field, given ? value : 0.0, given ? color : QVUI_CONTROL, format, sizeof(format));
    double unit = IsAngle(field) ? DEGREES : 1.0, shown = given ? value * unit : def.standard;
    if (!given)
        def.format = object.kind == qv_objectSimulation ? "automatic" : "not set";
    snprintf(tooltip, sizeof(tooltip), "%s %s", field->help, Inherited(object));
    if (inherited)
        def.tooltip = tooltip;
    def.dimmed = inherited;
    def.reset = &reset;
    if (qvuiSliderRow(&editor->kit, &def, &shown))
    {
        shown /= unit;
        SetNumbers(editor, object, field, &shown, 1);
    }
    if (reset)
        Reset(editor, object, field);
}

static void ChoiceRow(qvuiEditor* editor, qvRef object, const qvField* field, int choice, ImU32 color)
{
    int count = 0;
    size_t length = 0;
    while (field->tags[count] != NULL)
        length += strlen(field->names[count++]);
    // Few short names fit side by side.
    bool changed = count <= 5 && length <= 30
                       ? qvuiSegmentedRow(&editor->kit, field->label, field->tags, count, &choice, color, field->help)
                       : qvuiChoiceRow(&editor->kit, field->label, field->names, count, &choice, field->help);
    if (changed)
        SetText(editor, object, field, field->tags[choice]);
}

static void AxesRow(qvuiEditor* editor, qvRef object, const qvField* field, unsigned axes)
{
    static const char* const names[] = { "none", "x", "y", "z", "xy", "xz", "yz", "xyz" };
    static const char* const tags[] = { "", "x", "y", "z", "xy", "xz", "yz", "xyz" };
    static const unsigned bits[] = { 0, 1, 2, 4, 3, 5, 6, 7 };
    int choice = 0;
    for (int i = 0; i < 8; i++)
        choice = bits[i] == axes ? i : choice;
    if (qvuiChoiceRow(&editor->kit, field->label, names, 8, &choice, field->help))
        SetText(editor, object, field, tags[choice]);
}

// A rotation as angles in degrees about x, then y, then z. What was typed stays as it is for as long as it means what
// the document has; and a drag works on what is shown, so that no angle jumps while another one is changed.
static void RotationRow(qvuiEditor* editor, qvRef object, const qvField* field, const double* rotation, bool inherited)
{
    qvuiShownAngles* shown = &editor->angles;
    bool reset = false;
    char tooltip[512];
    snprintf(tooltip, sizeof(tooltip), "%s In degrees about x, then y, then z.%s%s", field->help, inherited ? " " : "",
             inherited ? Inherited(object) : "");
    qvuiNumbersDef def = { .label = field->label, .unit = "\xc2\xb0", .count = 3, .speed = 0.5, .tooltip = tooltip };
    def.reset = &reset;
    def.dimmed = inherited;
    if (shown->object.kind != object.kind || shown->object.id != object.id)
        *shown = (qvuiShownAngles){ .object = object };
    qvuiTurnToAngles(rotation, shown->angles);
    double turn[4];
    if (qvuiNumbersRow(&editor->kit, &def, shown->angles) && !qvuiAnglesMean(shown->angles, rotation))
    {
        qvuiAnglesToTurn(shown->angles, turn);
        SetNumbers(editor, object, field, turn, 4);
    }
    if (reset)
        Reset(editor, object, field);
}

static void VectorRow(qvuiEditor* editor, qvRef object, const qvField* field, double* values, bool inherited)
{
    int count = field->type == qv_fieldRange ? 2 : 3;
    // What is not given: the range that is in effect, or nothing.
    bool given = !isnan(values[0]), automatic = !given && field->type == qv_fieldRange;
    if (automatic)
        qvScene_Range(qvuiSession_Scene(&editor->session), values);
    for (int i = 0; !given && !automatic && i < count; i++)
        values[i] = NAN;
    double size = editor->session.body != NULL ? editor->session.body->diagonal : 1.0;
    double speed = field->type == qv_fieldRange ? 0.01 : 0.002 * size;
    NumbersRow(editor, object, field, values, count, speed, automatic, inherited);
}

static void TextRow(qvuiEditor* editor, qvRef object, const qvField* field)
{
    char text[256];
    const char* value = qvReadText(qvuiSession_Scene(&editor->session), object, field->tag);
    snprintf(text, sizeof(text), "%s", value != NULL ? value : "");
    if (qvuiTextFieldRow(&editor->kit, field->label, text, sizeof(text), field->help) && value != NULL &&
        strcmp(text, value) != 0)
        SetText(editor, object, field, text);
}

static void DrawField(qvuiEditor* editor, qvRef object, const qvField* field, ImU32 color)
{
    double values[4] = { 0 };
    bool read = qvReadField(qvuiSession_Scene(&editor->session), object, field->tag, values);
    if (field->type == qv_fieldText)
        TextRow(editor, object, field);
    if (!read)
        return;
    bool on = values[0] != 0.0, inherited = ReadInherited(editor, object, field, values);
    switch (field->type)
    {
    case qv_fieldNumber:
    case qv_fieldInt:
        NumberRow(editor, object, field, values[0], inherited, inherited ? QVUI_CONTROL : color);
        break;
    case qv_fieldBool:
        if (qvuiSwitchRow(&editor->kit, field->label, &on, field->help))
        {
            values[0] = on;
            SetNumbers(editor, object, field, values, 1);
        }
        break;
    case qv_fieldChoice:
        ChoiceRow(editor, object, field, (int)values[0], color);
        break;
    case qv_fieldAxes:
        AxesRow(editor, object, field, (unsigned)values[0]);
        break;
    case qv_fieldVector:
    case qv_fieldPoint:
    case qv_fieldRange:
        VectorRow(editor, object, field, values, inherited);
        break;
    case qv_fieldRotation:
        RotationRow(editor, object, field, values, inherited);
        break;
    case qv_fieldText:
    case qv_fieldOther:
        break;
    }
}

void qvuiFieldRow(qvuiEditor* editor, qvRef object, const char* tag, ImU32 color)
{
    const qvField* field = qvFindField(object.kind, tag);
    if (field != NULL && qvField_Applies(qvuiSession_Scene(&editor->session), object, field))
        DrawField(editor, object, field, color);
}

void qvuiFieldRows(qvuiEditor* editor, qvRef object, const char* const* without, ImU32 color)
{
    for (int i = 0; i < qvFieldCount(object.kind); i++)
    {
        const qvField* field = qvGetField(object.kind, i);
        bool skip = !qvField_Applies(qvuiSession_Scene(&editor->session), object, field);
        for (int k = 0; without != NULL && without[k] != NULL; k++)
            skip |= strcmp(without[k], field->tag) == 0;
        if (!skip)
            DrawField(editor, object, field, color);
    }
}

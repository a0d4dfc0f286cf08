// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/shortcut.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct
{
    const char* name;
    int key;
} namedKeys[] = {
    { "Esc", qvui_keyEscape },
    { "Enter", qvui_keyEnter },
    { "Tab", qvui_keyTab },
    { "Space", qvui_keySpace },
    { "Backspace", qvui_keyBackspace },
    { "Del", qvui_keyDelete },
    { "Home", qvui_keyHome },
    { "End", qvui_keyEnd },
    { "Page up", qvui_keyPageUp },
    { "Page down", qvui_keyPageDown },
    { "Left", qvui_keyLeft },
    { "Right", qvui_keyRight },
    { "Up", qvui_keyUp },
    { "Down", qvui_keyDown },
    { "Period", '.' },
    { "Minus", '-' }, // alone it stands for no keys in a keymap, where a bar divides keys
    { "Bar", '|' },
    { "Numpad .", qvui_keyNumpadPeriod },
};

static bool TakePrefix(const char** text, const char* prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0 || (*text)[length] == 0)
        return false;
    *text += length;
    return true;
}

static int ParseKey(const char* text)
{
    for (size_t i = 0; i < sizeof(namedKeys) / sizeof(namedKeys[0]); i++)
        if (strcmp(namedKeys[i].name, text) == 0)
            return namedKeys[i].key;
    int number;
    char rest;
    if (sscanf(text, "F%d%c", &number, &rest) == 1 && number >= 1 && number <= 12)
        return qvui_keyF1 + number - 1;
    if (sscanf(text, "Numpad %d%c", &number, &rest) == 1 && number >= 0 && number <= 9)
        return qvui_keyNumpad0 + number;
    if (text[0] > ' ' && text[0] < 127 && text[1] == 0)
        return tolower((unsigned char)text[0]);
    return qvui_keyNone;
}

bool qvuiShortcut_Parse(const char* text, qvuiShortcut* shortcut)
{
    *shortcut = (qvuiShortcut){ 0 };
    for (;;)
    {
        if (TakePrefix(&text, "Ctrl+"))
            shortcut->control = true;
        else if (TakePrefix(&text, "Shift+"))
            shortcut->shift = true;
        else if (TakePrefix(&text, "Alt+"))
            shortcut->alt = true;
        else
            break;
    }
    shortcut->key = ParseKey(text);
    return shortcut->key != qvui_keyNone;
}

static void PrintKey(int key, char* text, size_t capacity)
{
    for (size_t i = 0; i < sizeof(namedKeys) / sizeof(namedKeys[0]); i++)
    {
        if (namedKeys[i].key != key)
            continue;
        snprintf(text, capacity, "%s", namedKeys[i].name);
        return;
    }
    if (key >= qvui_keyF1 && key <= qvui_keyF12)
        snprintf(text, capacity, "F%d", key - qvui_keyF1 + 1);
    else if (key >= qvui_keyNumpad0 && key <= qvui_keyNumpad9)
        snprintf(text, capacity, "Numpad %d", key - qvui_keyNumpad0);
    else
        snprintf(text, capacity, "%c", toupper(key));
}

const char* qvuiShortcut_Print(const qvuiShortcut* shortcut, char* text, size_t capacity)
{
    char key[32];
    PrintKey(shortcut->key, key, sizeof(key));
    snprintf(text, capacity, "%s%s%s%s", shortcut->control ? "Ctrl+" : "", shortcut->shift ? "Shift+" : "",
             shortcut->alt ? "Alt+" : "", key);
    return text;
}

bool qvuiShortcut_Equal(const qvuiShortcut* a, const qvuiShortcut* b)
{
    return a->key == b->key && a->control == b->control && a->shift == b->shift && a->alt == b->alt;
}

bool qvuiShortcut_Type(const qvuiShortcut* shortcut, char* text, size_t capacity)
{
    int key = shortcut->key;
    size_t length = strlen(text);
    if (shortcut->control || shortcut->alt)
        return false;
    if (key >= qvui_keyNumpad0 && key <= qvui_keyNumpad9)
        key = '0' + key - qvui_keyNumpad0;
    bool digit = (key >= '0' && key <= '9') || key == '.' || (key == '-' && length == 0);
    if (key == qvui_keyBackspace && length > 0)
        text[length - 1] = 0;
    else if (digit && length + 1 < capacity)
        text[length] = (char)key, text[length + 1] = 0;
    else
        return false;
    return true;
}

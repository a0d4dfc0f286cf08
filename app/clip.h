// SPDX-License-Identifier: GPL-3.0-or-later
// Which animation of the mesh's file moves the body, from when, how fast and how often, as the command line says it. It
// stands above what the scene says, and changes no file.
#pragma once

#include "command.h"
#include "quaver/scene.h"

typedef struct Clip
{
    const char* name;    ///< see qvRig_FindClip; "none": no animation; NULL: not told
    double start, speed; ///< not a number: not told
    const char* repeat;  ///< "on" or "off"; NULL: not told
} Clip;

/// Nothing is told.
extern const Clip noClip;

/// The options of commands that play scenes and mesh files: rows for their lists.
#define CLIP_OPTIONS(clip)                                                                                           \
    { "--clip", OPTION_TEXT, &(clip).name, "which animation of the mesh's file plays: name, number or none", 0, 0 }, \
        { "--clip-start", OPTION_NUMBER, &(clip).start, "when it begins, in seconds", -1000000, 1000000 },           \
        { "--clip-speed", OPTION_NUMBER, &(clip).speed, "2 is twice as fast as in the file, 0.5 half", 0, 100 },     \
    {                                                                                                                \
        "--clip-repeat", OPTION_TEXT, &(clip).repeat, "on: again and again; off: once", 0, 0                         \
    }

/// For the usage line of a command.
#define CLIP_ARGUMENTS "[--clip NAME|N|none] [--clip-start S] [--clip-speed X] [--clip-repeat on|off]"

/// clip may be NULL, which tells nothing.
bool HasClip(const Clip* clip);
/// EXIT_DONE, or says what of it is wrong usage, or that an input of this name cannot have a clip.
int CheckClip(const Command* command, const Clip* clip, const char* input);
/// The scene becomes one that this clip moves; nothing happens where nothing is told.
QV_CHECKED qvResult ChooseClip(const Clip* clip, const qvScene** scene, qvError* error);
/// A scene that was made of a mesh file lasts as long as its clip does.
QV_CHECKED qvResult FitRange(const qvScene** scene, qvError* error);

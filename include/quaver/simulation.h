// SPDX-License-Identifier: GPL-3.0-or-later
/// What a simulation is given: a span of time in which physics moves the body, by one of the engines. Plain values, the
/// same for scene files, the window and the engines.
#pragma once

#include "quaver/math.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A value over time, linear between its knots and constant outside them.
typedef struct qvCurve
{
    const double (*knots)[2]; ///< [count] seconds from the span's start, ascending, and the value then; the giver's
    int count;                ///< 0: no curve, a plain number holds
} qvCurve;

/// Times in seconds, lengths in the mesh's units. NAN stands for what the scene's material says.
typedef struct qvSimulationDef
{
    double time;     ///< the body is let go here, with the position and velocity of the motion below
    double until;    ///< and handed back here; INFINITY: at the end of the range
    double follow;   ///< 0 to 1: how firmly all of it is pulled to the motion below
    double wobble;   ///< Hz; NAN: the material's. Of a curve: its first value
    double settle;   ///< s until a swing has faded to 5 %; NAN: the material's
    double poisson;  ///< NAN: the engine's own
    qvVec3 gravity;  ///< m/s^2; x is NAN: the material's
    double friction; ///< 0 to 2
    bool fromPose;   ///< springs back to the pose at `time`; else to the mesh's rest shape
    bool hold;       ///< stays as it is afterwards; else fades back to the motion below
    double blend;    ///< s that fading back takes
    int detail;      ///< how many points or vertices are simulated; 0: the engine's own

    // Of surfaces.
    bool byHistory;     ///< forces are answered by the full past of the surface; else by modes
    double compression; ///< of that past: entries of its matrices per one that is kept; 1: all
    int pieces;         ///< into which each part is cut across its longest direction, in frames of their own

    // Of points.
    double melt;    ///< 0 to 1: softer and more liquid. Of a curve: its first value
    double dent;    ///< 0 to 1: keeps its dents. Of a curve: its first value
    bool flow;      ///< may change its topology
    bool relax;     ///< set again, its shape then is free of stress; else it pulls towards the one it had
    bool implicit;  ///< steps that any stiffness allows, which swallow wobble; else as many as the stiffness needs
    double impacts; ///< 0 to 10: how strongly knocks against obstacles send waves through it
    qvCurve wobbleCurve, meltCurve, dentCurve;
} qvSimulationDef;

/// A quantity that an engine can show at points of its own. Values beyond the range look like its ends.
typedef struct qvChannel
{
    const char* tag;   ///< on the command line
    const char* label; ///< for people
    const char* unit;  ///< "" for a plain number
    const char* help;  ///< one sentence
    double range[2];   ///< of the colours
    bool hasArrows;    ///< values are the sizes of vectors, which are drawn
} qvChannel;

/// What an engine shows of one of its channels.
typedef struct qvShownPoints
{
    const qvChannel* channel;
    int count;
    double radius; ///< that they are drawn with, units
    qvVec3f* points;
    float* values;
    qvVec3f* arrows; ///< from the points, units; NULL: the channel has none
} qvShownPoints;

#ifdef __cplusplus
}
#endif

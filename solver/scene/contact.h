// SPDX-License-Identifier: GPL-3.0-or-later
// How deep a take is inside an obstacle, moment by moment: what reports and plans of contacts are made from.
#pragma once

#include "quaver/contact.h"

#include <stdbool.h>

enum
{
    qv_momentsPerFrame = 4
};

typedef struct qvContactDepths
{
    double* depths;  // [count] of the deepest point, units; negative outside
    int32_t* points; // the deepest one
    int32_t* inside; // how many are deeper than the slack
} qvContactDepths;

typedef struct qvContactScan
{
    double slack; // depth that does not count, units
    bool loop;
    double period; // of a loop, s
    int count;     // of moments; those of a loop leave the end of the range out
    double* times;
    double* allowed;             // as deep as the keys next to it are themselves, at least 0
    qvContactDepths motion, all; // without and with waves; the same arrays where there are none
    int keyCount;
    qvContactKey* keys; // that are inside themselves
} qvContactScan;

/// fixed: whose keys stay as they are, the take's scene or one with fewer keys. Free with qvFreeContactScan, also after
/// a failure.
QV_CHECKED qvResult qvScanContacts(const qvTake* take, const qvScene* fixed, const qvContactDef* def, const qvJob* job,
                                   qvContactScan* scan, qvError* error);
void qvFreeContactScan(qvContactScan* scan);

/// The times in which depths (of scan->motion or scan->all) are beyond what is allowed; free *contacts.
QV_CHECKED qvResult qvContactScan_Intervals(const qvContactScan* scan, const qvContactDepths* depths,
                                            qvContact** contacts, int* count, qvError* error);

QV_CHECKED qvResult qvContactScan_Report(const qvContactScan* scan, double diagonal, qvContactReport** report,
                                         qvError* error);

/// A definition with the scene's obstacles where it wants them; they are the caller's, to be destroyed.
QV_CHECKED qvResult qvContactDef_Complete(const qvContactDef* def, const qvTake* take, const qvJob* job,
                                          qvContactDef* complete, qvObstacles** made, qvError* error);
/// Where the scene's obstacles are at a time, in an array that is made at the first call (*places NULL) and freed by
/// the caller. False when memory runs out; nothing is needed for other obstacles.
bool qvContactDef_Place(const qvContactDef* def, double time, qvObstaclePlace** places);
/// How deep a point is inside, with obstacles at these places.
double qvContactDef_Depth(const qvContactDef* def, const qvObstaclePlace* places, qvVec3 at, qvVec3* normal);

/// Whether the numbers make sense; says which does not.
QV_CHECKED qvResult qvContactDef_Check(const qvContactDef* def, qvError* error);

// SPDX-License-Identifier: GPL-3.0-or-later
// Old versions of the scene file. Each migration turns one version into the next, on the JSON tree, before anything is
// read from it.
#pragma once

#include "quaver/json.h"

typedef struct qvMigration
{
    int from; ///< the version that it reads; it makes the next one
    qvResult (*apply)(qvJson* root, qvError* error);
} qvMigration;

/// All versions that this program reads.
extern const qvMigration qvSceneMigrations[];
extern const int qvSceneMigrationCount;

/// What the journal of a program that wrote version 1 calls by another name now: an edit of "mesh.clip".
void qvMigrateEdit(qvJson* edit);

/// Brings a tree to version `target`. A file that is newer, too old or no scene is an error.
QV_CHECKED qvResult qvMigrate(qvJson* root, const qvMigration* migrations, int count, int target, qvError* error);

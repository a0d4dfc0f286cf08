// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes and documents from tests/data.
#pragma once

#include "testing.h"

#include "quaver/document.h"

static inline const qvScene* LoadScene(const char* name)
{
    char path[512];
    qvError error;
    const qvScene* scene;
    ASSERT_OK(qvLoadScene(DataPath(path, sizeof(path), name), &scene, &error), error);
    return scene;
}

static inline qvDocument* OpenDocument(const char* name)
{
    qvError error;
    qvDocument* document;
    const qvScene* scene = LoadScene(name);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    qvReleaseScene(scene);
    return document;
}

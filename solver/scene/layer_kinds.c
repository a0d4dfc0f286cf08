// SPDX-License-Identifier: GPL-3.0-or-later
// The lists alone: a program that brings kinds or engines of its own defines them anew and is linked with that instead.
#include "scene/layer.h"

#include <stddef.h>

const qvLayerKind* const qvLayerKinds[] = {
#define QV_LAYER(name) &name,
#include "scene/layer_list.inl"
#undef QV_LAYER
    NULL,
};

const qvEngine* const qvEngines[] = {
#define QV_ENGINE(name) &name,
#include "scene/engine_list.inl"
#undef QV_ENGINE
    NULL,
};

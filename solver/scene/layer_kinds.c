// SPDX-License-Identifier: GPL-3.0-or-later
// The list alone: a program that brings kinds of its own defines it anew and is linked with that instead.
#include "scene/layer.h"

#include <stddef.h>

const qvLayerKind* const qvLayerKinds[] = {
#define QV_LAYER(name) &name,
#include "scene/layer_list.inl"
#undef QV_LAYER
    NULL,
};

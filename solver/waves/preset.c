// SPDX-License-Identifier: GPL-3.0-or-later
// Presets of wave events: rows of preset_list.inl.
#include "quaver/waves.h"

#include "base/assert.h"

#include <stddef.h>

typedef struct Preset
{
    qvWavePreset named;
    const char* shape;
    bool push;
    double size, radius, speed, poisson, fade;
} Preset;

static const Preset presets[] = {
#define PRESET(tag, label, description, ...) { { tag, label, description }, __VA_ARGS__ },
#include "waves/preset_list.inl"
#undef PRESET
};

int qvWavePresetCount(void)
{
    return (int)(sizeof(presets) / sizeof(presets[0]));
}

const qvWavePreset* qvGetWavePreset(int index)
{
    QV_ASSERT(index >= 0 && index < qvWavePresetCount());
    return &presets[index].named;
}

void qvWavePreset_Apply(int index, double diagonal, qvVec3 direction, qvWaveDef* wave)
{
    QV_ASSERT(index >= 0 && index < qvWavePresetCount());
    const Preset* preset = &presets[index];
    qvVec3 along = qvNormalize(direction);
    if (qvLength(along) == 0.0)
        along = qvMakeVec3(0.0, 1.0, 0.0);
    qvStroke stroke = qvDefaultStroke(qvFindBrush(preset->shape), diagonal);
    stroke.at = wave->stroke.at;
    stroke.connected = wave->stroke.connected;
    stroke.radius = preset->radius * diagonal;
    stroke.poisson = preset->poisson;
    stroke.axis = along;
    double* measure = qvStroke_Measure(&stroke);
    if (measure != NULL)
        *measure = preset->size;
    else
        stroke.drag = qvScale(preset->size * diagonal, along);
    wave->stroke = stroke;
    wave->push = preset->push;
    wave->speed = preset->speed * diagonal;
    wave->fade = preset->fade;
}

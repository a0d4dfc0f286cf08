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

qvWaveEvent qvMakePresetEvent(int index, double diagonal, qvVec3 direction)
{
    QV_ASSERT(index >= 0 && index < qvWavePresetCount());
    const Preset* preset = &presets[index];
    qvVec3 along = qvNormalize(direction);
    if (qvLength(along) == 0.0)
        along = qvMakeVec3(0.0, 1.0, 0.0);
    qvWaveEvent event = qvDefaultWaveEvent(diagonal);
    event.shape = qvFindBrush(preset->shape);
    event.push = preset->push;
    event.radius = preset->radius * diagonal;
    event.speed = preset->speed * diagonal;
    event.poisson = preset->poisson;
    event.fade = preset->fade;
    event.drag = qvScale(preset->size * diagonal, along);
    event.axis = along;
    event.angle = preset->size;
    event.amount = preset->size;
    return event;
}

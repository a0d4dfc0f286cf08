// SPDX-License-Identifier: GPL-3.0-or-later
// glTF as text with data URIs. What loads is also posed at two times, and animated.
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvModel* model = FuzzLoad("gltf", data, size);
    if (model != NULL)
    {
        FuzzPose(model->rig);
        FuzzAnimate(model);
    }
    qvDestroyModel(model);
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// One file that plays an animation in any browser, without a network: page.html with the .glb inside, in base64.
#pragma once

#include "formats/export.h"
#include "formats/gltf_builder.h"
#include "quaver/image.h"

QV_CHECKED qvResult qvWritePage(const qvExportTask* task, qvGltfBuilder* builder, FILE* stream, qvError* error);

/// Bytes of a page around a .glb of so many.
double qvPageSize(double bytes);

/// The first moment, small, as the page's viewer shows it before it is turned: what is seen while the page loads.
QV_CHECKED qvResult qvDrawPoster(const qvExportTask* task, qvImage* image, qvError* error);

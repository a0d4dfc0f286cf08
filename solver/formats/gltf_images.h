// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/gltf_builder.h"

/// Makes the images of a document travel with it. In a binary file they move into the buffer; those of a text file that
/// is written to another folder are copied there. folder is where the document's own image files are, NULL: nowhere. An
/// image that cannot be read stays a reference. files NULL: only what concerns the buffer.
QV_CHECKED qvResult qvGltf_PackImages(qvGltfBuilder* builder, const char* folder, bool binary, qvFileSet* files,
                                      qvError* error);

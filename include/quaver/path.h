// SPDX-License-Identifier: GPL-3.0-or-later
/// Paths as text, without a look at the disk.
///
///     char* folder = qvPath_Folder("bodies/hand.obj"); // "bodies"
///     if (folder != NULL && qvPath_HasExtension("bodies/hand.obj", "obj ply"))
///         …
///     free(folder);
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The folder of a path: "a/b.obj" gives "a", "b.obj" gives ".", "/b" gives "/". To be freed; NULL when memory
/// runs out.
char* qvPath_Folder(const char* path);

/// folder/name, without doubling a slash. To be freed; NULL when memory runs out.
char* qvPath_Join(const char* folder, const char* name);

/// The part after the last dot of the file name, without the dot; "" when there is none. Points into path.
const char* qvPath_Extension(const char* path);

/// The part after the last slash. Points into path.
const char* qvPath_FileName(const char* path);

/// Whether the extension is one of a space-separated list ("gltf glb"), ignoring case.
bool qvPath_HasExtension(const char* path, const char* extensions);

/// True for a relative path that stays inside its folder: no leading slash, no "..", no drive letter, no scheme.
bool qvPath_IsInside(const char* path);

/// Removes what makes no difference to a path, in place: "./" and doubled slashes.
void qvPath_Simplify(char* path);

#ifdef __cplusplus
}
#endif

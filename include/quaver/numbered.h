// SPDX-License-Identifier: GPL-3.0-or-later
/// Names of numbered files. A number field is #### or %04d in the name of the file: walk_####.obj and walk_%04d.obj
/// give walk_0000.obj, walk_0001.obj and so on.
///
///     qvNumberField field;
///     if (qvFindNumberField("walk.####.png", &field, &error) == qv_ok && field.digits > 0)
///     {
///         char* path = qvNumberedPath("walk.####.png", 12); // "walk.0012.png"
///         …
///         free(path);
///     }
#pragma once

#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvNumberField
{
    size_t begin, end; ///< bytes of the path that the number replaces; of a path without a field, where it would go in
    int digits;        ///< at least so many; 0: the path has no field
} qvNumberField;

/// Finds the field of a path. One # alone is a field only at the end of the name, so that "take#2.obj" has none. Fails
/// for several fields, and for one that is padded with blanks (%4d) or has more than 9 digits.
QV_CHECKED qvResult qvFindNumberField(const char* path, qvNumberField* field, qvError* error);

/// The path of a number, to be freed; without a field "walk.obj" gives "walk_0012.obj". NULL when memory runs out. The
/// path has one field at most.
char* qvNumberedPath(const char* path, int number);

/// The same of any text in the place of the number: "walk_####.obj" with "0000-0009" gives "walk_0000-0009.obj".
char* qvPathWithField(const char* path, const char* text);

/// What the names have in common, to be freed: "walk_####.obj" gives "walk.obj", "####.obj" "frames.obj". NULL when
/// memory runs out.
char* qvUnnumberedPath(const char* path);

/// Whether a path is one of the numbered ones, and its number.
bool qvIsNumberedPath(const char* pattern, const char* path, int* number);

#ifdef __cplusplus
}
#endif

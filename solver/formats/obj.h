// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the OBJ format: materials (obj_mtl.c) and the writer (obj_write.c); format_obj.c reads the geometry.
#pragma once

#include "formats/format.h"
#include "formats/names.h"
#include "formats/scan.h"

/// Materials that a file uses or its libraries define, in order of appearance.
typedef struct qvObjMaterials
{
    qvNames names;
    QV_ARRAY(qvMaterial) list; ///< parallel to names
    QV_ARRAY(bool) isDefined;  ///< parallel to names
    qvNames texturePaths;
    qvNames libraries; ///< those already read or refused
} qvObjMaterials;

/// The number of a material, added with default values when it is new; -1 when memory runs out.
int qvObjMaterials_Find(qvObjMaterials* materials, qvText name);

/// Reads the libraries of an mtllib statement. What is wrong with them becomes a note: the geometry loads anyway.
QV_CHECKED qvResult qvObjMaterials_ReadLibraries(qvObjMaterials* materials, const qvReadInput* input, qvText names,
                                                 qvError* error);

/// Reads one library. Statements that make no sense become a note.
QV_CHECKED qvResult qvObjMaterials_ReadLibrary(qvObjMaterials* materials, const char* name, const qvBytes* bytes,
                                               qvNotes* notes, qvError* error);

/// Adds a note about materials that no library defines.
void qvObjMaterials_NoteMissing(const qvObjMaterials* materials, qvNotes* notes);

/// Textures for the mesh definition; they live in the arena of names. NULL when memory runs out.
const qvTexture* qvObjMaterials_Textures(const qvObjMaterials* materials);

void qvObjMaterials_Free(qvObjMaterials* materials);

/// Adds an OBJ file of that path to the files. With sequence (may be NULL), the name that the files of a sequence have
/// in common, the material library is named after it and written with the first file only.
QV_CHECKED qvResult qvAddObj(const qvModel* model, const qvVec3f* positions, const char* path, const char* sequence,
                             qvFileSet* files, qvError* error);

/// The material library of an OBJ file, to be freed: "a/b.obj" gives "a/b.mtl". NULL when memory runs out.
char* qvObj_LibraryPath(const char* path);

/// Whether a file that was written here refers to a material library.
bool qvObj_HasLibrary(const char* path);

/// Writes such a file once more, with its material library under another name.
void qvObj_Rename(const qvBytes* bytes, const char* libraryPath, FILE* stream);

/// About as many bytes as an OBJ file of the mesh has.
double qvEstimateObj(const qvMesh* mesh);

/// Writes the mesh, and a material library beside it when the mesh has materials.
qvResult qvWriteObj(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error);

// SPDX-License-Identifier: GPL-3.0-or-later
/// Reading and writing mesh files: OBJ, PLY, STL, glTF. A model is a mesh and what came with it: morph targets, a rig
/// with animations, and whatever a glTF file holds that Quaver does not edit.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"
#include "quaver/result.h"
#include "quaver/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Remarks of a reader that are no errors ("material library sack.mtl not found").
typedef struct qvNotes
{
    int count;
    int capacity;
    char** lines;
} qvNotes;

typedef struct qvModel
{
    qvMesh* mesh;
    qvMeshReport report;
    qvNotes notes;

    int morphCount;
    qvMorph* morphs; ///< shapes of the vertices that the file brings along

    qvRig* rig;            ///< nodes, skins and animations; NULL when the file has none of skins and animations
    struct qvGltf* source; ///< the glTF document to write back, NULL for other formats
    char* folder;          ///< where the files that it refers to are (images); NULL: nowhere
} qvModel;

typedef struct qvLoadOptions
{
    double weldTolerance; ///< scene units, see qvMeshDef
    size_t maxFileBytes;  ///< refuse larger files; at most 2 GiB - 1, also the default
    size_t maxSceneBytes; ///< refuse glTF scenes whose nodes show meshes so often that they take more beyond what the
                          ///< file holds; default 256 MB, some 5 million points
    const qvJob* job;     ///< may be NULL
} qvLoadOptions;

/// Exact weld, the limits above, no job.
qvLoadOptions qvDefaultLoadOptions(void);

/// Loads a mesh file; the format follows from the content and the extension. options may be NULL. The error's
/// message starts with the path and the place.
QV_CHECKED qvResult qvLoadModel(const char* path, const qvLoadOptions* options, qvModel** model, qvError* error);

/// The same from memory, by format tag ("obj", "ply", "stl", "gltf", "glb"). name stands in messages; other files
/// that the content refers to are looked up in folder, or refused when folder is NULL.
QV_CHECKED qvResult qvLoadModelFromMemory(const char* format, const void* bytes, size_t byteCount, const char* name,
                                          const char* folder, const qvLoadOptions* options, qvModel** model,
                                          qvError* error);

/// NULL is allowed.
void qvDestroyModel(qvModel* model);

/// Writes the model by the extension of path. positions replaces the mesh's rest positions (vertexCount entries),
/// or is NULL. OBJ, PLY and STL leave out the rest normals when positions is given, because they are stale then.
/// What a format cannot hold is left out. Nothing is left behind on failure.
QV_CHECKED qvResult qvSaveModel(const qvModel* model, const qvVec3f* positions, const char* path, qvError* error);

/// A file format, for dialogs and the command line.
typedef struct qvFormatInfo
{
    const char* tag;        ///< "obj"
    const char* label;      ///< "Wavefront OBJ"
    const char* extensions; ///< "obj" or several with spaces between
    bool canRead, canWrite;
} qvFormatInfo;

int qvFormatCount(void);
qvFormatInfo qvGetFormat(int index);

#ifdef __cplusplus
}
#endif

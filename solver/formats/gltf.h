// SPDX-License-Identifier: GPL-3.0-or-later
// A glTF 2.0 document in memory: the JSON tree and the binary data as the file has them, so that everything Quaver does
// not edit can be written back. Read by gltf_read.c and its helpers, written by gltf_writeback.c.
//
// Memory: whatever is decoded counts against a budget of QV_GLTF_BYTES_PER_BYTE times the bytes of the files plus
// QV_GLTF_SPARE_BYTES, because a small file can ask for a lot (accessors without data). A mesh that many nodes show is
// small in a file and large in the scene, legally so: the scene has a budget of its own, qvLoadOptions.maxSceneBytes,
// and what is left of the other.
#pragma once

#include "base/memory.h"
#include "formats/format.h"
#include "mesh/rig.h"
#include "quaver/json.h"

#include <stdint.h>

enum
{
    QV_GLTF_BYTES_PER_BYTE = 64,
    QV_GLTF_SPARE_BYTES = 16 << 20,
    QV_GLTF_MAX_VERTICES = 20000000,
    QV_GLTF_MAX_TRIANGLES = 40000000,
    QV_GLTF_MAX_BUFFERS = 1000,
    QV_GLTF_MAX_MORPHS = 1024,
    QV_GLTF_MAX_MEMBERS = 256,
};

/// Values of accessor.componentType.
enum
{
    QV_GLTF_BYTE = 5120,
    QV_GLTF_UNSIGNED_BYTE = 5121,
    QV_GLTF_SHORT = 5122,
    QV_GLTF_UNSIGNED_SHORT = 5123,
    QV_GLTF_UNSIGNED_INT = 5125,
    QV_GLTF_FLOAT = 5126,
};

/// Values of bufferView.target.
enum
{
    QV_GLTF_NO_TARGET = 0,
    QV_GLTF_VERTICES = 34962,
    QV_GLTF_INDICES = 34963,
};

/// Room for "animations[12].channels[3].target" and the like.
enum
{
    QV_GLTF_MAX_PLACE = 128
};

typedef struct qvGltfBuffer
{
    qvBytes bytes;
    char* path;      ///< of a file beside the document, relative and simple; NULL for other buffers
    size_t fileSize; ///< of that file; bytes may be fewer
    bool isShared;   ///< the bytes belong to an earlier buffer of the same file
    bool isFallback; ///< there are none: what is compressed elsewhere is meant
} qvGltfBuffer;

/// The items of one of the document's top-level arrays, for access by index.
typedef struct qvGltfTable
{
    const char* name;
    int count;
    qvJson** items;
} qvGltfTable;

/// A primitive of a node in the scene; the i-th one is submesh i of the mesh.
typedef struct qvGltfPiece
{
    int node, mesh, primitive;
    int part;      ///< of the rig
    bool mirrored; ///< its triangles were turned round because the node or its joints mirror
} qvGltfPiece;

typedef struct qvGltf
{
    qvJson* json;
    int bufferCount;
    qvGltfBuffer* buffers;
    qvGltfTable accessors, views, meshes, nodes, textures;
    size_t budget;      ///< bytes that may still be decoded
    size_t sceneBudget; ///< bytes that may besides be made of what is decoded, once for each node that shows it
    size_t sceneLimit;  ///< what it was at the start
    int pieceCount, pieceCapacity;
    qvGltfPiece* pieces;
    qvRig* staticRig; ///< the rig of a model that shows none, because nothing moves
} qvGltf;

/// A run of bytes of a buffer.
typedef struct qvGltfView
{
    int buffer;
    size_t offset; ///< in the buffer
    const uint8_t* bytes;
    size_t size;
    size_t stride; ///< 0: tightly packed
} qvGltfView;

/// Checked: every element lies inside its view.
typedef struct qvGltfAccessor
{
    int index;
    int viewIndex; ///< -1: all zero
    qvGltfView view;
    size_t offset; ///< in the view
    size_t stride;
    int count;
    int componentType;
    bool normalized;
    int rows, columns;  ///< a vector has one column
    size_t columnSize;  ///< bytes from one column to the next
    size_t elementSize; ///< bytes without the padding of the stride
    int sparseCount;    ///< elements that sparseValues replace
    int sparseType;     ///< component type of sparseIndices
    const uint8_t* sparseIndices;
    const uint8_t* sparseValues; ///< tightly packed
} qvGltfAccessor;

// --- gltf_document.c

/// Reads JSON, tables and buffers. The format (text or binary) follows from the first bytes.
QV_CHECKED qvResult qvOpenGltf(const qvReadInput* input, qvGltf** gltf, qvError* error);

/// NULL is allowed.
void qvDestroyGltf(qvGltf* gltf);

/// The item that a member of an object refers to by index. A missing member gives *index -1 and *item NULL.
QV_CHECKED qvResult qvGltf_Follow(const qvGltfTable* table, const qvJson* object, const char* place, const char* name,
                                  int* index, qvJson** item, qvError* error);

/// Memory for decoded data, counted against the budget; *memory is set.
QV_CHECKED qvResult qvGltf_Allocate(qvGltf* gltf, qvArena* arena, size_t count, size_t size, const char* place,
                                    void* memory, qvError* error);

/// Whether so many bytes may be made of what is decoded; they are counted then.
bool qvGltf_TakeForScene(qvGltf* gltf, size_t bytes);

/// The same with memory for them; *memory is set.
QV_CHECKED qvResult qvGltf_AllocateForScene(qvGltf* gltf, qvArena* arena, size_t count, size_t size, void* memory,
                                            qvError* error);

/// Decodes the base64 data of a data URI; the place names the field. Memory comes from malloc.
QV_CHECKED qvResult qvGltf_DecodeDataUri(qvGltf* gltf, const char* uri, const char* place, qvBytes* bytes,
                                         qvError* error);

// --- gltf_schema.c

/// Whether everything that glTF names has the type that it should have.
QV_CHECKED qvResult qvGltf_CheckTypes(const qvJson* json, qvError* error);

// --- gltf_accessor.c

/// Bytes of one component.
size_t qvGltf_ComponentSize(int componentType);

QV_CHECKED qvResult qvGltf_GetView(const qvGltf* gltf, const qvJson* object, const char* place, const char* name,
                                   int* index, qvGltfView* view, qvError* error);

/// accessors[index].
QV_CHECKED qvResult qvGltf_LoadAccessor(const qvGltf* gltf, int index, qvGltfAccessor* accessor, qvError* error);

/// The accessor that a member of an object refers to. A missing member gives index -1.
QV_CHECKED qvResult qvGltf_GetAccessor(const qvGltf* gltf, const qvJson* object, const char* place, const char* name,
                                       qvGltfAccessor* accessor, qvError* error);

/// All elements as floats, normalised integers as fractions; not finite is an error. components must be what the
/// accessor's type has.
QV_CHECKED qvResult qvGltf_ReadFloats(qvGltf* gltf, qvArena* arena, const qvGltfAccessor* accessor, int components,
                                      float** values, qvError* error);

/// All elements of a scalar accessor of unsigned integers.
QV_CHECKED qvResult qvGltf_ReadIndices(qvGltf* gltf, qvArena* arena, const qvGltfAccessor* accessor, uint32_t** values,
                                       qvError* error);

// --- gltf_primitive.c

/// A primitive, decoded.
typedef struct qvGltfPrimitive
{
    int geometry;        ///< of the rig; -1: nothing to show (points, lines, no positions)
    bool sharesVertices; ///< with the primitive before it in the same mesh
    int material;
    int triangleCount;
    qvTriangle* triangles; ///< in vertices of the geometry
    float* normals;        ///< 3 per vertex, or NULL
    float* uvs;            ///< 2 per vertex, v up, or NULL
    float* colors;         ///< 4 per vertex, or NULL
} qvGltfPrimitive;

/// Decodes a primitive. Its geometry goes to the rig, the rest to arena. previous is the primitive before it in the
/// mesh or NULL. targetCount is that of the mesh.
QV_CHECKED qvResult qvGltf_ReadPrimitive(qvGltf* gltf, qvRig* rig, qvArena* arena, const qvJson* json,
                                         const char* place, const qvJson* previousJson, const qvGltfPrimitive* previous,
                                         qvNotes* notes, qvGltfPrimitive* primitive, qvError* error);

/// The triangles of a primitive with vertexCount vertices; *triangleCount 0 for points and lines.
QV_CHECKED qvResult qvGltf_ReadTriangles(qvGltf* gltf, qvArena* arena, const qvJson* primitive, const char* place,
                                         int vertexCount, qvTriangle** triangles, int* triangleCount, qvError* error);

// --- gltf_scene.c, gltf_animation.c, gltf_material.c

/// Nodes, their order, default morph weights and skins, into the rig.
QV_CHECKED qvResult qvGltf_ReadNodes(qvGltf* gltf, qvRig* rig, qvError* error);
QV_CHECKED qvResult qvGltf_ReadSkins(qvGltf* gltf, qvRig* rig, qvError* error);

/// inScene[node] for every node of the default scene.
QV_CHECKED qvResult qvGltf_MarkScene(qvGltf* gltf, const qvRig* rig, qvNotes* notes, bool* inScene, qvError* error);

QV_CHECKED qvResult qvGltf_ReadAnimations(qvGltf* gltf, qvRig* rig, qvNotes* notes, qvError* error);

/// Materials, and images as textures, into the definition; they live in arena.
QV_CHECKED qvResult qvGltf_ReadMaterials(qvGltf* gltf, qvArena* arena, qvNotes* notes, qvMeshDef* def, qvError* error);

// --- gltf_read.c, gltf_morph.c

qvResult qvReadGltf(const qvReadInput* input, qvModel* model, qvError* error);

/// The morph targets of all parts, merged by name, in world space.
QV_CHECKED qvResult qvGltf_MakeMorphs(qvGltf* gltf, const qvRig* rig, qvModel* model, qvError* error);

// --- gltf_normals.c, gltf_writeback.c, gltf_fresh.c

/// Which corners are smoothed together: those at one point whose normals in the file agree. ofCorner has three entries
/// per triangle. The mesh must have normals.
QV_CHECKED qvResult qvGltf_GroupCorners(const qvMesh* mesh, int32_t* ofCorner, int* groupCount, qvError* error);

/// Smooth normals of a mesh that has none, at other positions: one per vertex.
QV_CHECKED qvResult qvGltf_SmoothNormals(const qvMesh* mesh, const qvVec3f* positions, qvVec3f* normals,
                                         qvError* error);

/// Normals of a mesh with other positions, laid out as mesh->normals are. Hard edges stay where the file has them:
/// corners at one point are smoothed together when their normals in the file agree. touched (as many entries) is true
/// where a triangle at that corner has moved; elsewhere the file's normals stay. The mesh must have normals.
QV_CHECKED qvResult qvGltf_RecomputeNormals(const qvMesh* mesh, const qvVec3f* positions, qvVec3f* normals,
                                            bool* touched, qvError* error);

/// The document of a model that came from glTF, with what was edited replaced.
QV_CHECKED qvResult qvWriteGltfBack(const qvModel* model, const qvVec3f* positions, bool binary, qvFileSet* files,
                                    qvError* error);

/// A new document for a model from elsewhere.
QV_CHECKED qvResult qvWriteGltfFresh(const qvModel* model, const qvVec3f* positions, bool binary, qvFileSet* files,
                                     qvError* error);

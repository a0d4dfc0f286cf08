// SPDX-License-Identifier: GPL-3.0-or-later
// Writes glTF 2.0: a JSON tree and one growing binary buffer, to which accessors are added one by one.
//
//     qvGltfBuilder builder;
//     qvGltfBuilder_Start(&builder, NULL);
//     int accessor = qvGltfBuilder_AddFloats(&builder, values, 3, count, QV_GLTF_VERTICES, true);
//     … add meshes and nodes that name it to qvGltfBuilder_List(&builder, "meshes") …
//     result = qvGltfBuilder_Write(&builder, true, files, error);
//     qvGltfBuilder_Finish(&builder);
//
// A failed allocation surfaces once, in Write.
#pragma once

#include "formats/gltf.h"

/// How displacements are written.
typedef struct qvGltfDeltaCoding
{
    bool sparse;    ///< leave out zeros where that is smaller
    double scale;   ///< of integers, 0: floats
    bool bytes;     ///< integers of 8 bits, otherwise of 16
    bool hasBounds; ///< min and max
} qvGltfDeltaCoding;

/// A part of the buffer that is made when it is written: a large document need not be in memory as a whole.
typedef struct qvGltfLater
{
    size_t size;
    void (*put)(const struct qvGltfLater* later, uint8_t* bytes); ///< fills in its bytes, which are zero
    const float* values;                                          ///< [3 count], somebody else's
    int count;
    qvGltfDeltaCoding coding;
    size_t heldBefore; ///< bytes that the builder holds before it, and
    int view;          ///< where it is; filled in by AddLater
} qvGltfLater;

typedef struct qvGltfBuilder
{
    qvJson* json;
    int viewCount, accessorCount; ///< in the document
    size_t size;                  ///< of the buffer
    uint8_t* bytes;               ///< what there is of it
    size_t held, capacity;        ///< of these bytes
    qvGltfLater* later;           ///< what is not there, in order
    int laterCount, laterCapacity;
    int* replaced; ///< accessors that others stand for now
    int replacedCount, replacedCapacity;
    size_t fallbackSize; ///< of a second buffer without bytes, for which compressed views stand; 0: none
    bool failed;         ///< memory ran out
} qvGltfBuilder;

/// Starts with an own copy of a document's JSON, or with an empty document when NULL.
void qvGltfBuilder_Start(qvGltfBuilder* builder, const qvJson* json);
void qvGltfBuilder_Finish(qvGltfBuilder* builder);

/// A top-level array of the document ("meshes"), made when it is not there.
qvJson* qvGltfBuilder_List(qvGltfBuilder* builder, const char* name);

/// Appends bytes to the buffer at the next multiple of four and returns where they start.
size_t qvGltfBuilder_AddBytes(qvGltfBuilder* builder, const void* bytes, size_t size);

/// Adds bytes and a view of them. stride 0: packed. target: QV_GLTF_VERTICES, QV_GLTF_INDICES or QV_GLTF_NO_TARGET.
/// Returns the view's index.
int qvGltfBuilder_AddView(qvGltfBuilder* builder, const void* bytes, size_t size, int stride, int target);

/// The same for bytes that are made later.
int qvGltfBuilder_AddLater(qvGltfBuilder* builder, const qvGltfLater* later, int stride, int target);

/// An accessor of a view (-1: all zero) and its JSON; *index is its number.
qvJson* qvGltfBuilder_AddAccessor(qvGltfBuilder* builder, int view, int componentType, const char* type, int count,
                                  int* index);

/// An accessor of float vectors (or scalars) with components numbers each; bounds adds min and max.
int qvGltfBuilder_AddFloats(qvGltfBuilder* builder, const float* values, int components, int count, int target,
                            bool bounds);

/// An accessor of vertex indices, as small as the largest allows.
int qvGltfBuilder_AddIndices(qvGltfBuilder* builder, const uint32_t* indices, int count);

/// Says that the document uses an extension and cannot be read without it.
void qvGltfBuilder_Require(qvGltfBuilder* builder, const char* extension);

/// Sets min and max of an accessor's JSON from its values.
void qvGltfBuilder_SetBounds(qvJson* accessor, const float* values, int components, int count);

/// A material for what has none, without which viewers show dark metal. Returns its index.
int qvGltfBuilder_AddClay(qvGltfBuilder* builder, qvColor color);

/// Gives it to all of mesh 0, which has no material.
void qvGltfBuilder_ShowClay(qvGltfBuilder* builder, qvColor color);

/// Puts the text of a scene into the document's extras, in place of the one that is there; NULL: removes that.
void qvGltfBuilder_EmbedScene(qvGltfBuilder* builder, const char* text);

/// Replaces or adds a member of an object.
void qvGltfBuilder_SetNumber(qvJson* object, const char* name, double value);

/// Notes that something no longer refers to an accessor of the document that was read; where nothing else does, packing
/// leaves out what it holds.
void qvGltfBuilder_Replaced(qvGltfBuilder* builder, int accessor);

/// Compresses what the buffer holds (EXT_meshopt_compression), as the last step before Measure or Write. Every number
/// stays as it is; vertices and triangles of meshes may come in another order.
QV_CHECKED qvResult qvGltfBuilder_Pack(qvGltfBuilder* builder, qvError* error);

/// Bytes of the files that Write would write. The buffer is described as if.
QV_CHECKED qvResult qvGltfBuilder_Measure(qvGltfBuilder* builder, bool binary, double* bytes, qvError* error);

/// Writes the bytes of a .glb file to a stream.
QV_CHECKED qvResult qvGltfBuilder_WriteBinary(qvGltfBuilder* builder, FILE* stream, qvError* error);

/// Writes .glb to the first file of the set, or .gltf there and the buffer to a .bin beside it.
QV_CHECKED qvResult qvGltfBuilder_Write(qvGltfBuilder* builder, bool binary, qvFileSet* files, qvError* error);

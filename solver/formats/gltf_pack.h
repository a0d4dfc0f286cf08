// SPDX-License-Identifier: GPL-3.0-or-later
// What packing a document knows of its views and accessors.
#pragma once

#include "formats/gltf_builder.h"

typedef enum qvGltfUse
{
    qv_useUnused,
    qv_useAttributes,
    qv_useTriangles,
    qv_useIndices,
    qv_useMixed, ///< stays as it is
} qvGltfUse;

/// What an accessor is to all primitives that refer to it.
typedef enum qvGltfRole
{
    qv_roleNone,
    qv_roleDirection, ///< normals or tangents, not of targets
    qv_roleWeights,   ///< of joints, where each vertex has four at most
    qv_roleOther,
} qvGltfRole;

typedef struct qvGltfPackView
{
    qvGltfUse use;
    size_t size, stride;
    bool isFloat;
    bool isOutside;       ///< of the buffer, and of no use: it stays as it was read
    int users, sharers;   ///< accessors that something refers to, and all of them
    int accessor;         ///< the last of them
    const uint8_t* bytes; ///< of the builder or its own, or
    uint8_t* own;
    const qvGltfLater* later; ///< what makes them
} qvGltfPackView;

typedef struct qvGltfPackAccessor
{
    const qvJson* json;
    qvGltfUse use;
    qvGltfRole role;
    size_t stride;       ///< bytes that belong together
    int references;      ///< in the document
    bool isOther;        ///< something else than a primitive refers to it
    int group;           ///< of vertices that are put into another order together, -1: none
    uint32_t* triangles; ///< indices in that order, in place of its own; NULL: its own
} qvGltfPackAccessor;

typedef struct qvGltfPacker
{
    qvGltfBuilder* builder;
    qvGltfPackView* views;         ///< [viewCount]
    qvGltfPackAccessor* accessors; ///< [accessorCount]
    uint8_t* packed;               ///< room for one view
    size_t packedRoom;
    qvGltfBuilder out; ///< only its buffer
    uint32_t** places; ///< per group and vertex: where it goes
} qvGltfPacker;

/// The bytes of a view, to be freed; NULL when memory runs out.
uint8_t* qvGltfPackView_Copy(const qvGltfPackView* view);

/// Whether the items of an accessor are all that its view holds, one after the other.
bool qvGltfPacker_IsAlone(const qvGltfPacker* packer, const qvGltfPackAccessor* accessor);

/// Empties accessors that were replaced and that nothing refers to.
void qvGltfPacker_Drop(qvGltfPacker* packer);

/// Makes floats that are finer than anybody sees smaller.
void qvGltfPacker_Shrink(qvGltfPacker* packer);

/// Finds an order of triangles and vertices in which neighbours follow each other: what it takes to say them is less,
/// and they are drawn sooner. Vertices are in an order of their own where all that is said of them is in views of its
/// own.
void qvGltfPacker_Order(qvGltfPacker* packer);

/// Puts the bytes of a view into that order.
void qvGltfPacker_Move(qvGltfPacker* packer, const qvGltfPackView* view, uint8_t* bytes);
void qvGltfPacker_FreeOrder(qvGltfPacker* packer);

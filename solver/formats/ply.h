// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the PLY format: the header (ply_header.c) and the writer (ply_write.c); format_ply.c reads the data.
#pragma once

#include "base/memory.h"
#include "formats/format.h"
#include "formats/scan.h"

typedef enum qvPlyEncoding
{
    qv_plyAscii,
    qv_plyLittleEndian,
    qv_plyBigEndian,
} qvPlyEncoding;

typedef enum qvPlyType
{
    qv_plyInt8,
    qv_plyUint8,
    qv_plyInt16,
    qv_plyUint16,
    qv_plyInt32,
    qv_plyUint32,
    qv_plyFloat32,
    qv_plyFloat64,
} qvPlyType;

/// What a property means; everything else is skipped.
typedef enum qvPlyTarget
{
    qv_plyX,
    qv_plyY,
    qv_plyZ,
    qv_plyNormalX,
    qv_plyNormalY,
    qv_plyNormalZ,
    qv_plyRed,
    qv_plyGreen,
    qv_plyBlue,
    qv_plyAlpha,
    qv_plyU,
    qv_plyV,
    qv_plyScalarCount,
    qv_plyIndices = qv_plyScalarCount, ///< list: vertices of a face or strip
    qv_plyCornerUvs,                   ///< list: two numbers per corner of a face
    qv_plyNothing,
} qvPlyTarget;

typedef struct qvPlyProperty
{
    qvPlyType type;
    bool isList;
    qvPlyType countType; ///< of lists
    qvPlyTarget target;
} qvPlyProperty;

typedef enum qvPlyRole
{
    qv_plyVertex,
    qv_plyFace,
    qv_plyStrip,
    qv_plyOther,
} qvPlyRole;

typedef struct qvPlyElement
{
    qvText name;
    qvPlyRole role;
    int64_t count; ///< what the header says; not checked yet
    int firstProperty, propertyCount;
} qvPlyElement;

typedef struct qvPlyHeader
{
    qvPlyEncoding encoding;
    QV_ARRAY(qvPlyElement) elements;
    QV_ARRAY(qvPlyProperty) properties;
    qvText textureFile; ///< of a "comment TextureFile" line, as MeshLab writes it; empty when there is none
    qvScan data;        ///< where the data begins
} qvPlyHeader;

/// Bytes of a number in binary files.
int qvPlyType_Size(qvPlyType type);

/// Free the header with qvPlyHeader_Free, also after a failure.
QV_CHECKED qvResult qvPlyHeader_Read(qvPlyHeader* header, const qvReadInput* input, qvError* error);
void qvPlyHeader_Free(qvPlyHeader* header);

/// Whether any element of the role has a property with the target.
bool qvPlyHeader_Has(const qvPlyHeader* header, qvPlyRole role, qvPlyTarget target);

/// Adds a file of a sequence, see qvAddFrameFcn.
QV_CHECKED qvResult qvAddPly(const qvModel* model, const qvVec3f* positions, const char* path, const char* common,
                             qvFileSet* files, qvError* error);

/// Bytes of a file of the mesh, but for its header.
double qvEstimatePly(const qvMesh* mesh);

/// Writes a binary little-endian file.
qvResult qvWritePly(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error);

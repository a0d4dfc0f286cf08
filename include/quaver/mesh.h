// SPDX-License-Identifier: GPL-3.0-or-later
/// Triangle meshes with two vertex sets.
///
/// *Vertices* are the file's own, in the file's order, split wherever the file splits them (UV seams, hard edges, STL's
/// triangle soup). Scenes, pins, vertex caches and exports count in vertices.
/// *Points* are the vertices welded by position: one per place on the surface. Brushes and physics see points, so that
/// a UV seam cannot crack. vertexPoint and pointVertex map between the two.
///
/// A mesh is made from a definition that may hold polygons and indexed attributes (what a file says), and is immutable
/// afterwards. Making it triangulates, repairs what can be repaired, welds, and fills a health report.
#pragma once

#include "quaver/job.h"
#include "quaver/math.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvTriangle
{
    int32_t v[3]; ///< counter-clockwise seen from outside
} qvTriangle;

/// Where an attribute lives.
typedef enum qvDomain
{
    qv_domainNone,   ///< the mesh has no such attribute
    qv_domainVertex, ///< one value per vertex
    qv_domainCorner, ///< one value per triangle corner: value[3 * triangle + corner]
} qvDomain;

typedef struct qvTexture
{
    const char* name;     ///< "" when the file gives none
    const char* path;     ///< relative to the mesh file, "" when the image is embedded
    const char* mimeType; ///< "image/png" or "image/jpeg", "" when unknown
    const uint8_t* bytes; ///< the encoded image when embedded, else NULL
    size_t byteCount;
} qvTexture;

typedef struct qvMaterial
{
    const char* name;
    qvColor baseColor; ///< linear RGBA
    float metallic;    ///< 0 to 1
    float roughness;   ///< 0 to 1
    int texture;       ///< index of the base colour texture, or -1
    bool doubleSided;
} qvMaterial;

/// A run of triangles with one name and one material (an OBJ group, a glTF primitive).
typedef struct qvSubmesh
{
    const char* name;
    int material; ///< index, or -1
    int firstTriangle, triangleCount;
} qvSubmesh;

/// Read-only once made: free it with qvDestroyMesh. Arrays belong to the mesh.
typedef struct qvMesh
{
    int vertexCount;
    qvVec3f* positions;

    int triangleCount;
    qvTriangle* triangles; ///< in vertices

    qvDomain normalDomain, uvDomain, colorDomain;
    bool isFlat;      ///< without normals every triangle is shaded by itself; else smoothly but for hard edges
    qvVec3f* normals; ///< unit length, as the file gives them; NULL with qv_domainNone
    qvVec2f* uvs;     ///< (0, 0) is the lower left corner of the image
    qvColor* colors;  ///< linear RGBA

    int submeshCount;
    qvSubmesh* submeshes; ///< cover all triangles in order
    int materialCount;
    qvMaterial* materials;
    int textureCount;
    qvTexture* textures;

    int pointCount;
    int32_t* vertexPoint;       ///< vertexCount entries; -1 for a vertex that no triangle uses
    int32_t* pointVertex;       ///< pointCount entries: the first vertex at that place
    qvTriangle* pointTriangles; ///< triangleCount entries, in points

    qvBox bounds; ///< of the vertices that triangles use

    struct qvArena* arena; ///< owns names and embedded images
} qvMesh;

/// Values that corners refer to, as files have them. indices NULL: one value per vertex, in vertex order (count
/// must be vertexCount). Otherwise one index per corner of the definition, -1 where a corner has no value: it gets
/// its triangle's normal, texture coordinate (0, 0), or white. Texture coordinates and colours that are not finite
/// are replaced in the same way. An attribute that no corner has is left out of the mesh.
typedef struct qvAttributeDef
{
    const float* values; ///< NULL: no such attribute
    int count;           ///< number of values (of 2, 3 or 4 floats)
    const int32_t* indices;
} qvAttributeDef;

/// A run of faces with one name and one material.
typedef struct qvSubmeshDef
{
    const char* name;
    int material; ///< index, or -1
    int faceCount;
} qvSubmeshDef;

/// What a mesh is made from. Arrays belong to the caller and are copied. Start from qvDefaultMeshDef().
typedef struct qvMeshDef
{
    int vertexCount;
    const qvVec3f* positions;

    int faceCount;
    const int32_t* faceSizes; ///< corners of each face, at least 3; NULL: triangles only
    const int32_t* corners;   ///< vertex of every corner, face after face

    qvAttributeDef normals; ///< 3 floats a value, any length
    bool isFlat;            ///< the format says that triangles without normals are flat; default false
    qvAttributeDef uvs;     ///< 2 floats a value
    qvAttributeDef colors;  ///< 4 floats a value

    int submeshCount;
    const qvSubmeshDef* submeshes; ///< in face order, all of them are kept (some may lose all triangles); the
                                   ///< faces after the last one get one more, unnamed and without material
    int materialCount;
    const qvMaterial* materials;
    int textureCount;
    const qvTexture* textures;

    double weldTolerance; ///< scene units, finite; 0 (the default) welds equal positions only. Vertices within the
                          ///< tolerance share a point, and so do chains of them, however long

    const qvJob* job; ///< asked between the steps; NULL: none
} qvMeshDef;

qvMeshDef qvDefaultMeshDef(void);

/// What can be wrong with a mesh. Tags, texts and what is done about each are in solver/mesh/health_list.inl.
typedef enum qvHealthKind
{
    qv_healthDegenerate,    ///< triangles without area: removed
    qv_healthDuplicate,     ///< triangles with the same three points, either way round: all but the first removed
    qv_healthWinding,       ///< triangles that faced against their neighbours: flipped
    qv_healthUnreferenced,  ///< vertices that no triangle uses: kept, not simulated
    qv_healthBadNormal,     ///< normals of zero length or not finite: replaced
    qv_healthNonManifold,   ///< edges with more than two triangles: left
    qv_healthNotOrientable, ///< parts that cannot be wound consistently: left
    qv_healthZeroVolume,    ///< closed parts without volume: left
    qv_healthInsideOut,     ///< closed parts whose triangles face inwards: left
    qv_healthFarFromOrigin, ///< coordinates so large that floats lose detail: left
    qv_healthKindCount,
} qvHealthKind;

typedef struct qvHealthItem
{
    int count;   ///< how many elements; 0: nothing of this kind
    int example; ///< index of the first one (a face of the definition, a vertex, a part), for messages
} qvHealthItem;

typedef struct qvMeshReport
{
    qvHealthItem items[qv_healthKindCount];
    int partCount;         ///< connected parts
    int closedPartCount;   ///< parts without a boundary edge
    int boundaryEdgeCount; ///< edges with one triangle
    int polygonCount;      ///< faces with more than three corners that were triangulated
} qvMeshReport;

/// A stable name for JSON ("degenerate_triangles").
const char* qvHealth_Tag(qvHealthKind kind);

/// True when qvCreateMesh repairs this kind, false when it only reports it.
bool qvHealth_IsRepaired(qvHealthKind kind);

/// A sentence such as "removed 3 triangles without area (first: face 17)". Returns text.
char* qvHealth_Describe(qvHealthKind kind, const qvHealthItem* item, char* text, size_t capacity);

/// Makes a mesh. report may be NULL. Fails with an error that names the element for an index out of range, a face
/// with fewer than three corners, a position that is not finite, and a mesh in which no triangle is left; *mesh is
/// then NULL. Triangles stay in the order of their faces. Within a part that hangs together over edges with two
/// triangles, the winding that most triangles have stays; corner attributes and the normals that followed the
/// winding of a turned triangle turn with it. The time is n log n in the corners, except that a face of n > 5
/// corners may take 300 n steps.
QV_CHECKED qvResult qvCreateMesh(const qvMeshDef* def, qvMesh** mesh, qvMeshReport* report, qvError* error);

/// NULL is allowed.
void qvDestroyMesh(qvMesh* mesh);

/// Copies the points' positions out of the vertices'. points has pointCount entries.
void qvMesh_GatherPoints(const qvMesh* mesh, const qvVec3f* vertices, qvVec3f* points);

/// Copies point values to all their vertices; unreferenced vertices get their rest position.
void qvMesh_ScatterPoints(const qvMesh* mesh, const qvVec3f* points, qvVec3f* vertices);

/// Bounds of count positions.
qvBox qvComputeBounds(const qvVec3f* positions, int count);

/// Length of the diagonal, 0 for an empty box.
double qvBox_Diagonal(qvBox box);

/// A hash of everything that shapes the mesh (positions, triangles, weld), for caches.
uint64_t qvMesh_Hash(const qvMesh* mesh);

/// What triangles without a material look like, linear: white, to which the mesh's own colours come, else warm clay.
qvColor qvMesh_PlainColor(const qvMesh* mesh);

#ifdef __cplusplus
}
#endif

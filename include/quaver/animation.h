// SPDX-License-Identifier: GPL-3.0-or-later
/// Writing a baked motion: glTF with morph targets (.glb, .gltf), a web page that plays it (.html), vertex caches
/// (.pc2, .mdd), USD (.usda), vertex animation textures (.vat), and sequences of OBJ and PLY files. A body whose
/// topology changes has a mesh per frame, in the formats that can hold it.
///
/// A baked motion is the place of every vertex at some times. Vertex caches hold exactly that. glTF holds the rigid
/// part as the animation of a node, and the rest as a few morph targets (the best basis of the frames) with weights in
/// [0, 1], so that no vertex is farther from its place than a given error. Base shape, base normals and everything else
/// of an imported document stay as they are; before the clip plays a viewer shows the rest shape.
///
///     qvAnimation animation = qvDefaultAnimation();
///     animation.model = model, animation.name = "Lean", animation.loop = true;
///     animation.frameCount = 97, animation.times = times, animation.frames = positions, animation.rigid = rigid;
///     qvExportOptions options = qvDefaultExportOptions();
///     options.job = &job;
///     if (qvExportAnimation(&animation, "lean.glb", &options, &report, &error) == qv_ok)
///         printf("%d targets, error %g\n", report.targets, report.maxError);
#pragma once

#include "quaver/job.h"
#include "quaver/math.h"
#include "quaver/mesh.h"
#include "quaver/model.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the numbers of a frame are.
typedef enum qvFrameSpace
{
    /// Positions in world space. Clips of an imported document that would move the mesh a second time are left out.
    qv_framesWorld,
    /// Displacements in mesh space (bind space), added below the skin or node of an imported document, whose own clips
    /// keep moving it. Only in glTF.
    qv_framesBind,
} qvFrameSpace;

/// A baked motion. Everything belongs to the caller. Start from qvDefaultAnimation().
typedef struct qvAnimation
{
    const qvModel* model; ///< mesh, materials, textures, and the document to write back into; NULL: only a mesh
    const qvMesh* mesh;   ///< used when model is NULL
    const char* name;     ///< of the clip, and in a new document of mesh and node; default "animation"

    int frameCount;        ///< at least 1
    const double* times;   ///< [frameCount] s, increasing; the first becomes 0, except with a clip of the document
    int firstFrame;        ///< of a part of a longer animation, the number of its first frame; default 0
    double start;          ///< s, of such a part: the time that becomes 0; not a number (default): that of the first
    double fps;            ///< samples per second, noted in the clip's extras; default 24
    bool loop;             ///< the last frame is the first one again, and is written so exactly; default false
    qvFrameSpace space;    ///< default qv_framesWorld
    const qvVec3f* frames; ///< [frameCount][vertexCount], in the order of the mesh's vertices

    /// [frameCount] of a body whose topology changes: the mesh of a frame in world space, with the materials of the
    /// mesh or none; NULL: the mesh itself, as `frames` has it. Only in world space, not in a loop, and in formats that
    /// can. NULL (default): the topology stays.
    const qvMesh* const* meshes;

    /// [frameCount] x -> linear x + offset takes the body in rest coordinates to the world, as qvMotion_Frame says;
    /// linear is a rotation. NULL: the body has no rigid motion. Not with qv_framesBind.
    const qvAffine* rigid;

    int clip; ///< with qv_framesBind: the document's clip that the weights join; -1 (default) makes a new one
    /// [frameCount] s of that clip at every frame, which is sampled there and starts at 0; NULL (default): it stays as
    /// it is, and times are its own.
    const double* clipTimes;
    const char* scene; ///< JSON text to embed into glTF, see qvReadEmbeddedScene; NULL (default): none
} qvAnimation;

qvAnimation qvDefaultAnimation(void);

/// What a reader of glTF can take. All of them are in solver/formats/preset_list.inl.
typedef struct qvExportPreset
{
    const char* tag;   ///< "three"
    const char* label; ///< "three.js"
    int maxTargets;    ///< morph targets of one mesh; 0: no limit
    bool sparse;       ///< reads sparse accessors
    bool quantize;     ///< reads KHR_mesh_quantization
    bool compress;     ///< reads EXT_meshopt_compression
    bool cubic;        ///< plays CUBICSPLINE weights as written
    bool cubicClips;   ///< plays CUBICSPLINE clips of skeletons; false: they are sampled at the frames
    bool morphNormals; ///< needs normals of morph targets; false: makes its own
    const char* note;  ///< what to know, one sentence
} qvExportPreset;

int qvExportPresetCount(void);
const qvExportPreset* qvGetExportPreset(int index);

/// By tag, or NULL.
const qvExportPreset* qvFindExportPreset(const char* tag);

enum
{
    qv_maxBones = 255, ///< of a skin: joints are counted in bytes
};

/// What the error of bones usually is: a skin is good for half a percent, for much less than that shapes are smaller.
#define QV_BONES_ERROR 0.005

/// Start from qvDefaultExportOptions(). All but the job and skipExisting are for glTF and pages, which have it inside.
typedef struct qvExportOptions
{
    double error;   ///< largest distance of a vertex from its place, as a fraction of the mesh's diagonal; above 0.
                    ///< Default 0.001
    int maxTargets; ///< at most so many morph targets, 0 (default) for as many as the error needs
    bool perFrame;  ///< one target per frame, exact: for the simplest viewers; default false
    bool normals;   ///< normals of the morph targets; default true
    bool quantize;  ///< KHR_mesh_quantization: half the size; default false
    bool compress;  ///< EXT_meshopt_compression, and quantized as coarsely as the error allows: a third of the size or
                    ///< less; default false
    bool cubic;     ///< CUBICSPLINE with fewer samples where that keeps the error; default false
    int bones;      ///< a skin of at most so many bones instead of morph targets, up to qv_maxBones; 0 (default): none
    const qvExportPreset* preset; ///< limits that come on top; NULL (default): none
    const qvJob* job;             ///< progress, cancel and threads; may be NULL
    bool skipExisting;            ///< of a sequence, files that are there stay; default false
    char* const* keep;            ///< files that must stay as they are: to write over one of them fails; default none
    int keepCount;
} qvExportOptions;

qvExportOptions qvDefaultExportOptions(void);

typedef struct qvExportReport
{
    int frames;
    int targets;         ///< morph targets that were added; 0 for other formats
    int bones;           ///< joints of the skin, where it was asked for one
    int keys;            ///< samples of the clip: as many as frames, or fewer with cubic
    double maxError;     ///< largest distance of a written vertex from its place over all frames, scene units
    double rmsError;     ///< the same, root mean square over vertices and frames
    double normalsRms;   ///< of bones: how far normals are off, radians, root mean square
    double diagonal;     ///< of the mesh, to compare with
    double bytes;        ///< of all files
    double milliseconds; ///< what it took
    int fileCount;
    bool changes;      ///< the body changes its topology: a mesh per frame. Told of a failure, too
    char warning[512]; ///< what to know, sentences with "; " between; "" when all is well
} qvExportReport;

/// Writes by the extension of path; see qvGetExporter. options and report may be NULL. Vertex caches bring the mesh
/// along as an .obj beside them; an .obj sequence is numbered (walk_0000.obj). Where maxTargets stops it before the
/// error is reached it succeeds with a warning. Fails with one line for a path that cannot be written, for numbers that
/// are not finite, for times that do not increase, and with qv_cancelled; nothing is left behind then, and what was
/// there before stays.
QV_CHECKED qvResult qvExportAnimation(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                                      qvExportReport* report, qvError* error);

/// What an export would come to, without writing: targets and errors as the export has them, bytes within a few
/// percent. Quick enough to run on a worker while options change. path need not exist; its extension counts.
QV_CHECKED qvResult qvEstimateExport(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                                     qvExportReport* report, qvError* error);

/// A way out, for dialogs and the command line.
typedef struct qvExporterInfo
{
    const char* tag;        ///< "glb"
    const char* label;      ///< "glTF 2.0 binary"
    const char* extensions; ///< "glb"
    bool usesOptions;       ///< glTF, or a page with it: error, targets and so on matter
    bool changes;           ///< holds a body whose topology changes
    bool parts;             ///< some of the frames can be written for themselves and joined later
    bool sequence;          ///< a numbered file per frame
    bool bones;             ///< holds a skin
    bool packs;             ///< may be compressed
    bool folder;            ///< a folder of files
    bool rounds;            ///< not every vertex is exactly where it was: the report says how far off
} qvExporterInfo;

int qvExporterCount(void);
qvExporterInfo qvGetExporter(int index);

/// By the extension of a file's name. False where none writes such files.
bool qvFindExporter(const char* path, qvExporterInfo* info);

/// The scene that a .glb or .gltf file carries. *text is freed with qvFreeText. qv_notFound when the file has none;
/// *text is NULL on failure.
QV_CHECKED qvResult qvReadEmbeddedScene(const char* path, char** text, qvError* error);

#ifdef __cplusplus
}
#endif

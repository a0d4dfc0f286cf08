// SPDX-License-Identifier: GPL-3.0-or-later
/// Parts of a bake or of the pictures of a film, and how they become one again. A part has a file NAME.part.json beside
/// it, which says what it is a part of and what its files held; it appears when the part is complete.
///
///     qvParts parts;
///     const char* const paths[] = { "b.part.json", "a.part.json" };
///     if (qvReadParts(paths, 2, NULL, &parts, &error) == qv_ok)
///         result = qvJoinParts(&parts, "walk.pc2", NULL, &report, &error);
///     qvFreeParts(&parts);
#pragma once

#include "quaver/animation.h"
#include "quaver/file.h"
#include "quaver/take.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvPart
{
    const char* output; ///< as it was asked for: the file, or with a number field those of a sequence
    bool isSequence;    ///< a numbered file per frame
    qvMoments moments;  ///< all of them, and which are here
    uint64_t scene;     ///< hashes of what it is made from
    uint64_t mesh;      ///< 0: a built-in shape
    uint64_t obstacles; ///< 0: none has a file
    char look[160];     ///< of pictures, "" else
} qvPart;

// --- One part -----------------------------------------------------------------------------------------------------

/// The file that describes a part, to be freed: walk.pc2 gives walk.part.json, frames 0 to 9 of walk_####.ply give
/// walk_0000-0009.part.json. NULL when memory runs out.
char* qvPart_Path(const qvPart* part);

/// Fills the hashes: of a scene, and of what the files hold that it refers to, which are looked up in folder.
QV_CHECKED qvResult qvPart_Describe(qvPart* part, const qvScene* scene, const char* folder, const qvJob* job,
                                    qvError* error);

/// Whether both are made from the same.
bool qvPart_HasSameSources(const qvPart* a, const qvPart* b);

/// What the picture of a frame is sealed with: it is this number of this motion, seen like this.
uint64_t qvPart_Seal(const qvPart* part, int frame);

/// Writes the file that describes a part. All files of the part are there by now: they are read.
QV_CHECKED qvResult qvWritePart(const qvPart* part, const qvJob* job, qvError* error);

/// What of a part need not be made again.
typedef enum qvExisting
{
    qv_existsNot,  ///< nothing, or what is there may be of another scene
    qv_existsSome, ///< files of a sequence may stay: pictures with their seal, others that lie there
    qv_existsAll,
} qvExisting;

/// Looks on the disk. isPart: with NAME.part.json, and what that does not vouch for does not stay.
qvExisting qvPart_FindExisting(const qvPart* part, bool isPart);

/// A file of a part, and what it held.
typedef struct qvPartEntry
{
    char* path;
    uint64_t checksum;
} qvPartEntry;

/// A part as its file has it.
typedef struct qvPartFile
{
    char* path;   ///< of the file, to be named in messages
    char* output; ///< the path of what it describes
    char version[32];
    qvPart part;          ///< whose output is the one above
    int frameFileCount;   ///< of a sequence a file per frame, else 1
    int fileCount;        ///< with those that lie beside: a mesh, a material library
    qvPartEntry* entries; ///< [fileCount], the frames first
} qvPartFile;

/// Fails for what is no such file; the message starts with the path. To be freed also then.
QV_CHECKED qvResult qvReadPart(const char* path, qvPartFile* file, qvError* error);
void qvFreePart(qvPartFile* file);

// --- All of them --------------------------------------------------------------------------------------------------

typedef struct qvParts
{
    int count;
    qvPartFile* items; ///< in the order of frames
} qvParts;

/// Reads the files that describe parts, in any order, and checks that they are one whole: nothing is missing, twice
/// there, of another scene or version, truncated or changed since. To be freed also when it fails.
QV_CHECKED qvResult qvReadParts(const char* const* paths, int count, const qvJob* job, qvParts* parts, qvError* error);
void qvFreeParts(qvParts* parts);

/// The file of a frame of a sequence.
const char* qvParts_FramePath(const qvParts* parts, int frame);

/// Writes the whole to a path of the same format, as one bake would have. Fills frames, bytes, fileCount and warning of
/// the report. Files that lie where they belong already stay. A failure leaves what was there.
QV_CHECKED qvResult qvJoinParts(const qvParts* parts, const char* path, const qvJob* job, qvExportReport* report,
                                qvError* error);

#ifdef __cplusplus
}
#endif

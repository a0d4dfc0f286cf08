// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a bake or of the pictures of a film, and the file NAME.part.json beside each, which says what it is a part
// of. It appears when the part is complete.
#pragma once

#include "quaver/take.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Part
{
    const char* output; ///< as in -o: the file, or with a number field those of a sequence
    bool isSequence;    ///< a numbered file per frame
    qvMoments moments;  ///< all of them, and which are here
    uint64_t scene;     ///< hashes of what it is made from
    uint64_t mesh;      ///< the body's, 0: not loaded
    uint64_t obstacles; ///< 0: none
    char look[160];     ///< of pictures, "" else
} Part;

/// The file that describes a part, to be freed: walk.pc2 gives walk.part.json, frames 0 to 9 of walk_####.ply give
/// walk_0000-0009.part.json. NULL when memory runs out.
char* PartPath(const Part* part);

/// Fills the hashes from a take.
QV_CHECKED qvResult DescribeTake(Part* part, const qvTake* take, qvError* error);
QV_CHECKED qvResult WritePart(const Part* part, qvError* error);

/// A part as its file has it. Its output is next to the file; text belongs to the tree.
typedef struct PartFile
{
    char* path;   ///< of the file, to be named in messages
    char* output; ///< the path of what it describes
    char version[32];
    Part part; ///< whose output is the one above
} PartFile;

QV_CHECKED qvResult ReadPart(const char* path, PartFile* file, qvError* error);
void FreePart(PartFile* file);

/// Why two parts do not belong together, one clause about the second; NULL: they do.
const char* WhyForeign(const PartFile* a, const PartFile* b);

/// What of the output need not be made again.
typedef enum Existing
{
    EXISTS_NOT,  ///< nothing, or what is there is of another scene
    EXISTS_SOME, ///< files of a sequence may stay
    EXISTS_ALL,
} Existing;

/// Looks on the disk. isPart: with NAME.part.json. Only the hash of the scene must be known.
Existing FindExisting(const Part* part, bool isPart);

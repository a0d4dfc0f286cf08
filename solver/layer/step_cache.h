// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of one run of an engine, in the order of time, and saved states of the run. Frames lie in files, of the
// cache folder or of memory alone; each carries a checksum, so that a program that was killed leaves frames that can be
// used or that are ignored. Programs, on several computers, share the files: one of them writes, the others read what
// it has written, and go on from there when it has ended, however it did.
//
// A run may lie in several parts, one after the other, each with the key of what frames depend on until it ends. Two
// runs whose inputs differ only after a time so have the parts before it in common. Frames and states stand at places
// in a file that their numbers give, wherever its part begins: two runs may divide the same file differently.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum
{
    qv_maxStepParts = 16,
};

typedef struct qvStepPart
{
    int first;        ///< frame; 0 for the first part, then ascending
    uint64_t key;     ///< hash of everything that the frames of this part and of those before it depend on
    const char* path; ///< of the frames; the states go to PATH.state. NULL: in memory
} qvStepPart;

typedef struct qvStepCacheDef
{
    const qvStepPart* parts;
    int partCount;    ///< 1 to qv_maxStepParts
    int frameSize;    ///< floats of a frame
    int frameLimit;   ///< frames of the whole run
    size_t stateSize; ///< bytes of a saved state
    int stateEvery;   ///< frames from one saved state to the next
    mode_t fileMode;  ///< permissions of new files; 0: the user's own
    /// Asked to make room for so many bytes before they go to the disk; lives as long as the cache. NULL: nobody is.
    void (*makeRoom)(void* context, size_t bytes);
    void* roomContext;
} qvStepCacheDef;

typedef struct qvStepCache qvStepCache;

/// Opens what is there of the same keys, up to the first frame that is missing or damaged. A path that cannot be used
/// costs the file, not the run: frames then stay in memory.
QV_CHECKED qvResult qvCreateStepCache(const qvStepCacheDef* def, qvStepCache** cache, qvError* error);
void qvDestroyStepCache(qvStepCache* cache); ///< NULL is allowed

/// Frames that can be read. Thread-safe.
int qvStepCache_Count(const qvStepCache* cache);
/// Thread-safe. False when the frame cannot be read: somebody has damaged the file since.
bool qvStepCache_Read(const qvStepCache* cache, int frame, float* numbers);
/// Before frames are appended: whether this cache is the one that writes them from now on, until qvStepCache_Release.
/// False while another one does that has a part in common. Where there are no locks everybody may, and all write the
/// same.
bool qvStepCache_Claim(qvStepCache* cache);
void qvStepCache_Release(qvStepCache* cache);
/// Counts anew what can be read. One thread at a time, and not while frames are appended.
void qvStepCache_Recount(qvStepCache* cache);
/// Counts what others have written since.
void qvStepCache_Refresh(qvStepCache* cache);
/// The next frame. One thread at a time. Fails when neither disk nor memory have room.
QV_CHECKED qvResult qvStepCache_Append(qvStepCache* cache, const float* numbers, qvError* error);

/// The state of a run at a frame that is there, a multiple of stateEvery. One thread at a time; failing costs time
/// only.
void qvStepCache_SaveState(qvStepCache* cache, int frame, const void* state);
/// The newest that can be used: its frame, or -1 when there is none.
int qvStepCache_LoadState(qvStepCache* cache, void* state);

/// Bytes on disk or in memory.
double qvStepCache_Bytes(const qvStepCache* cache);

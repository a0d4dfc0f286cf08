// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of one run of an engine, in the order of time, and the newest saved state of the run. Frames lie in a
// file, of the cache folder or of memory alone; each carries a checksum, so that a program that was killed leaves
// frames that can be used or that are ignored. Programs, on several computers, share the file: one of them writes, the
// others read what it has written, and go on from there when it has ended, however it did.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct qvStepCacheDef
{
    uint64_t key;     ///< hash of everything that the frames depend on
    int frameSize;    ///< floats of a frame
    int frameLimit;   ///< frames of the whole run
    size_t stateSize; ///< bytes of a saved state
    mode_t fileMode;  ///< permissions of new files; 0: the user's own
    const char* path; ///< of the frames; the state goes to PATH.state. NULL: in memory
} qvStepCacheDef;

typedef struct qvStepCache qvStepCache;

/// Opens what is there of the same key, up to the first frame that is missing or damaged. A path that cannot be used
/// costs the file, not the run: frames then stay in memory.
QV_CHECKED qvResult qvCreateStepCache(const qvStepCacheDef* def, qvStepCache** cache, qvError* error);
void qvDestroyStepCache(qvStepCache* cache); ///< NULL is allowed

/// Frames that can be read. Thread-safe.
int qvStepCache_Count(const qvStepCache* cache);
/// Thread-safe. False when the frame cannot be read: somebody has damaged the file since.
bool qvStepCache_Read(const qvStepCache* cache, int frame, float* numbers);
/// Before frames are appended: whether this cache is the one that writes them from now on, until qvStepCache_Release.
/// False while another program does. Where there are no locks everybody may, and all write the same.
bool qvStepCache_Claim(qvStepCache* cache);
void qvStepCache_Release(qvStepCache* cache);
/// Counts what another program has written since.
void qvStepCache_Refresh(qvStepCache* cache);
/// The next frame. One thread at a time. Fails when neither disk nor memory have room.
QV_CHECKED qvResult qvStepCache_Append(qvStepCache* cache, const float* numbers, qvError* error);

/// The state of a run at a frame, instead of the one before. One thread at a time; failing costs time only.
void qvStepCache_SaveState(qvStepCache* cache, int frame, const void* state);
/// Its frame, or -1 when there is none that can be used.
int qvStepCache_LoadState(qvStepCache* cache, void* state);

/// Bytes on disk or in memory.
double qvStepCache_Bytes(const qvStepCache* cache);

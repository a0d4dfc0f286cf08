// SPDX-License-Identifier: GPL-3.0-or-later
/// How libquaver reports what the world did wrong: a file that lies, a solve that fails, a user's cancel.
/// A caller's own mistake (a null pointer, an index out of range) is an assert instead.
///
///     qvError error;
///     qvModel* model;
///     if (qvLoadModel("sack.obj", NULL, &model, &error) != qv_ok)
///         fprintf(stderr, "%s\n", error.message);
#pragma once

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define QV_CHECKED            __attribute__((warn_unused_result))
#define QV_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define QV_CHECKED
#define QV_PRINTF(text, args)
#endif

/// What a fallible call answers. Everything but qv_ok comes with a filled qvError.
typedef enum qvResult
{
    qv_ok = 0,
    qv_badInput,     ///< the content of a file or a field is wrong
    qv_notFound,     ///< a file or a named thing does not exist
    qv_ioFailed,     ///< reading or writing failed
    qv_outOfMemory,  ///< an allocation failed
    qv_unsupported,  ///< valid, but this build or version cannot do it
    qv_notConverged, ///< an iterative solve gave up
    qv_cancelled,    ///< the progress callback asked to stop
} qvResult;

enum
{
    qv_maxErrorLength = 1024
};

/// Caller-owned description of a failure: one line that says what, where and what to do.
typedef struct qvError
{
    qvResult result;
    char message[qv_maxErrorLength];
} qvError;

/// Fills error (which may be NULL) and returns result. Control characters become spaces, so that the message stays
/// one line whatever a file contains; a message that is too long ends in "...".
qvResult qvError_Set(qvError* error, qvResult result, const char* format, ...) QV_PRINTF(3, 4);

/// As qvError_Set, with a va_list.
qvResult qvError_SetV(qvError* error, qvResult result, const char* format, va_list args);

/// Puts "text: " before the message; for callers that know better where the failure happened.
void qvError_Prefix(qvError* error, const char* format, ...) QV_PRINTF(2, 3);

/// The failure of an allocation of byteCount bytes.
qvResult qvError_OutOfMemory(qvError* error, double byteCount);

#ifdef __cplusplus
}
#endif

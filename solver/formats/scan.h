// SPDX-License-Identifier: GPL-3.0-or-later
// A scanner for line-based text: blanks, words, numbers, any line ending (LF, CRLF, CR). It needs a zero byte after the
// last one, never reads past that, and does not depend on the locale.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct qvScan
{
    const char* at;
    const char* end; ///< *end is 0
    int line;        ///< counts from 1
    bool joinsLines; ///< a backslash before a line ending continues the line
} qvScan;

/// A piece of the input, not terminated.
typedef struct qvText
{
    const char* start;
    int length;
} qvText;

/// For "%.*s" in messages: a piece that is not absurdly long. text is evaluated more than once.
#define QV_TEXT_ARGS(text) ((text).length < 60 ? (text).length : 60), (text).start

/// Starts at the beginning of data (size bytes and a zero byte), after a UTF-8 byte order mark.
qvScan qvMakeScan(const char* data, size_t size);

/// qv_badInput with "line N: " before the message.
qvResult qvScan_Fail(const qvScan* scan, qvError* error, const char* format, ...) QV_PRINTF(3, 4);

bool qvText_Is(qvText text, const char* word);
bool qvText_IsNoCase(qvText text, const char* word);

/// Goes to the start of the next line, or to the end.
void qvScan_NextLine(qvScan* scan);

/// Skips blanks and line ends.
void qvScan_SkipSpace(qvScan* scan);

/// The next word of the line, empty at its end.
qvText qvScan_Word(qvScan* scan);

/// What is left of the line, without blanks around it. Continued lines are not joined.
qvText qvScan_RestOfLine(qvScan* scan);

/// The next number of the line, rounded correctly; "nan", "inf" and the like give what they say, numbers too large for
/// a float give infinity. False, without moving, when there is no number or something is glued to it.
bool qvScan_Float(qvScan* scan, float* value);

/// A whole decimal number of at most 18 digits. It ends at the first character that is no digit.
bool qvScan_Integer(qvScan* scan, int64_t* value);

/// True where a line ends after a backslash.
static inline bool qvScan_IsJoint(const qvScan* scan, const char* at)
{
    return *at == '\\' && scan->joinsLines && (at[1] == '\n' || at[1] == '\r');
}

/// True where a word ends. Control characters count as blanks.
static inline bool qvScan_IsBreak(const qvScan* scan, const char* at)
{
    return (unsigned char)*at <= ' ' || qvScan_IsJoint(scan, at);
}

/// Skips blanks within the line.
void qvScan_SkipJoint(qvScan* scan);
static inline void qvScan_SkipBlanks(qvScan* scan)
{
    while ((unsigned char)*scan->at <= ' ' ? *scan->at != '\n' && *scan->at != '\r' && scan->at < scan->end
                                           : qvScan_IsJoint(scan, scan->at))
    {
        if (*scan->at == '\\')
            qvScan_SkipJoint(scan);
        else
            scan->at++;
    }
}

/// True at the end of a line or of the input; skip blanks first.
static inline bool qvScan_AtLineEnd(const qvScan* scan)
{
    return *scan->at == '\n' || *scan->at == '\r' || scan->at >= scan->end;
}

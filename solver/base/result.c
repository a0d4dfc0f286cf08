// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/result.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void qvAssertFailed(const char* condition, const char* file, int line)
{
    // A broken precondition leaves nothing to return to, so this is the one place that prints and aborts.
    fprintf(stderr, "quaver: assertion failed: %s, %s:%d\n", condition, file, line);
    abort();
}

// Keeps a message on one line: file content may reach it.
static void MakeOneLine(char* text)
{
    for (unsigned char* c = (unsigned char*)text; *c != 0; c++)
    {
        if (*c < 32 || *c == 127)
            *c = ' ';
    }
}

static void MarkTruncation(char* message, int wanted)
{
    if (wanted >= qv_maxErrorLength)
        memcpy(message + qv_maxErrorLength - 4, "...", 4);
}

qvResult qvError_SetV(qvError* error, qvResult result, const char* format, va_list args)
{
    QV_ASSERT(result != qv_ok);
    if (error != NULL)
    {
        error->result = result;
        int wanted = vsnprintf(error->message, sizeof(error->message), format, args);
        MarkTruncation(error->message, wanted);
        MakeOneLine(error->message);
    }
    return result;
}

qvResult qvError_Set(qvError* error, qvResult result, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    qvError_SetV(error, result, format, args);
    va_end(args);
    return result;
}

// Cuts the beginning of a text that is longer than room, because the end of a path says more.
static const char* KeepEnd(char* text, size_t room)
{
    size_t length = strlen(text);
    if (length <= room)
        return text;
    char* end = text + length - room;
    memcpy(end, "...", 3);
    return end;
}

void qvError_Prefix(qvError* error, const char* format, ...)
{
    enum
    {
        LEAST_ROOM = 256 // for a prefix, however long the message
    };
    if (error == NULL)
        return;
    char prefix[8 * qv_maxErrorLength]; // longer than any path that a system opens
    va_list args;
    va_start(args, format);
    vsnprintf(prefix, sizeof(prefix), format, args);
    va_end(args);

    char message[qv_maxErrorLength];
    memcpy(message, error->message, sizeof(message));
    size_t used = strlen(message) + 3; // with ": " and the zero byte
    size_t room = used + LEAST_ROOM < qv_maxErrorLength ? qv_maxErrorLength - used : LEAST_ROOM;
    int wanted = snprintf(error->message, sizeof(error->message), "%s: %s", KeepEnd(prefix, room), message);
    MarkTruncation(error->message, wanted);
    MakeOneLine(error->message);
}

qvResult qvError_OutOfMemory(qvError* error, double byteCount)
{
    return qvError_Set(error, qv_outOfMemory, "not enough memory for %.1f MB; close other programs", byteCount / 1e6);
}

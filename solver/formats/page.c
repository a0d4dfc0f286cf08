// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/page.h"

#include "base/assert.h"
#include "base/base64.h"
#include "formats/image_png.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// page.html, whose places to fill in are {{name}}; made by the build.
static const char page[] = {
#include "page.inc"
    0
};

enum
{
    PIECE = 3 << 14,    // bytes that are encoded at once, a multiple of 3
    POSTER_BYTES = 2800 // of an ordinary one
};

// --- A stream of which another one gets the base64 -----------------------------------------------------------------

typedef struct Encoder
{
    FILE* out;
    size_t held;
    uint8_t bytes[PIECE];
    char text[PIECE / 3 * 4 + 1];
} Encoder;

static void Flush(Encoder* encoder)
{
    qvBase64_Encode(encoder->bytes, encoder->held, encoder->text);
    fwrite(encoder->text, 1, (encoder->held + 2) / 3 * 4, encoder->out);
    encoder->held = 0;
}

static ssize_t Encode(void* cookie, const char* bytes, size_t size)
{
    Encoder* encoder = cookie;
    for (size_t done = 0; done < size;)
    {
        size_t room = PIECE - encoder->held, part = size - done < room ? size - done : room;
        memcpy(encoder->bytes + encoder->held, bytes + done, part);
        encoder->held += part, done += part;
        if (encoder->held == PIECE)
            Flush(encoder);
    }
    return (ssize_t)size;
}

static int EndEncoder(void* cookie)
{
    Encoder* encoder = cookie;
    Flush(encoder);
    free(encoder);
    return 0;
}

// Closing it writes the rest; NULL when memory runs out. What fails of out shows there.
static FILE* OpenEncoder(FILE* out)
{
    Encoder* encoder = calloc(1, sizeof(Encoder));
    if (encoder == NULL)
        return NULL;
    encoder->out = out;
    FILE* stream = fopencookie(encoder, "w", (cookie_io_functions_t){ .write = Encode, .close = EndEncoder });
    if (stream == NULL)
        free(encoder);
    return stream;
}

// --- The page --------------------------------------------------------------------------------------------------------

static void PutEscaped(const char* text, FILE* stream)
{
    for (; *text != 0; text++)
    {
        if (strchr("<>&\"'", *text) != NULL)
            fprintf(stream, "&#%d;", *text);
        else
            fputc(*text, stream);
    }
}

static qvResult PutPoster(const qvExportTask* task, FILE* stream, qvError* error)
{
    qvImage image;
    qvResult result = qvDrawPoster(task, &image, error);
    if (result != qv_ok)
        return result;
    fputs("src=\"data:image/png;base64,", stream);
    FILE* encoder = OpenEncoder(stream);
    if (encoder == NULL)
        result = qvError_OutOfMemory(error, sizeof(Encoder));
    else
    {
        result = qvWritePng(&image, encoder, task->options.job, error);
        fclose(encoder);
    }
    fputc('"', stream);
    qvDestroyImage(&image);
    return result;
}

static qvResult PutData(qvGltfBuilder* builder, FILE* stream, qvError* error)
{
    FILE* encoder = OpenEncoder(stream);
    if (encoder == NULL)
        return qvError_OutOfMemory(error, sizeof(Encoder));
    qvResult result = qvGltfBuilder_WriteBinary(builder, encoder, error);
    fclose(encoder);
    return result;
}

qvResult qvWritePage(const qvExportTask* task, qvGltfBuilder* builder, FILE* stream, qvError* error)
{
    qvResult result = qv_ok;
    const char* rest = page;
    for (const char* mark; result == qv_ok && (mark = strstr(rest, "{{")) != NULL; rest = strstr(mark, "}}") + 2)
    {
        fwrite(rest, 1, (size_t)(mark - rest), stream);
        if (strncmp(mark, "{{title}}", 9) == 0)
            PutEscaped(task->animation->name, stream);
        else if (strncmp(mark, "{{poster}}", 10) == 0)
            result = PutPoster(task, stream, error);
        else
        {
            QV_ASSERT(strncmp(mark, "{{data}}", 8) == 0);
            result = PutData(builder, stream, error);
        }
    }
    if (result == qv_ok)
        fputs(rest, stream);
    return result;
}

double qvPageSize(double bytes)
{
    return sizeof(page) + POSTER_BYTES + 4.0 * ceil(bytes / 3.0);
}

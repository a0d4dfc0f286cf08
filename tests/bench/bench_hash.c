// SPDX-License-Identifier: GPL-3.0-or-later
// Content hashing, against a byte-wise FNV-1a.
#include "bench.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BYTES = 8 << 20
};

typedef struct Input
{
    uint8_t* bytes;
    uint64_t sum; // keeps the calls alive
} Input;

static void Ours(void* context)
{
    Input* input = context;
    input->sum += qvHash(input->bytes, BYTES, input->sum);
}

static void Fnv(void* context)
{
    Input* input = context;
    uint64_t hash = 0xcbf29ce484222325u ^ input->sum;
    for (int i = 0; i < BYTES; i++)
        hash = (hash ^ input->bytes[i]) * 0x100000001b3u;
    input->sum += hash;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    Input input = { malloc(BYTES), 0 };
    if (input.bytes == NULL)
        return qvError_OutOfMemory(error, BYTES);
    memset(input.bytes, 42, BYTES);
    double megabytes = BYTES / 1e6;
    double ours = megabytes / qvBench_Time(Ours, &input, 5);
    double baseline = megabytes / qvBench_Time(Fnv, &input, 5);
    qvBench_Add(sink, "8MB", ours, "MB/s", baseline);
    free(input.bytes);
    return qv_ok;
}

const qvBench qvBenchHash = { "hash", "content hashing against FNV-1a", Run, "FNV-1a, byte by byte", "with the bytes" };

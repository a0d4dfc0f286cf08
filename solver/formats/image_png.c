// SPDX-License-Identifier: GPL-3.0-or-later
// PNG writer after "Portable Network Graphics (PNG) Specification (Second Edition)", ISO/IEC 15948:2003; deflate is
// zlib's. Each row gets the filter with the smallest sum of absolute differences (section 12.8 of the specification).
#include "formats/image_png.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "quaver/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
    PIECE = 1 << 18,        // bytes between two questions whether to go on
    MAX_BYTES = 0x7fffffff, // of a file that is looked at
    SEAL = 12 + 7 + 16,     // bytes of its chunk
    END = 12,               // of the last one
};

// What is written: pixels of 8 bits, or numbers of 16 bits that are no colours.
typedef struct Raster
{
    int width, height;
    int pixelSize;          // bytes
    const uint8_t* pixels;  // [4 width height], or
    const uint16_t* values; // [3 width height]
} Raster;

// What a picture goes to.
typedef struct Sink
{
    FILE* stream;
    uLong crc; // of all before
} Sink;

qvResult qvCreateImage(int width, int height, qvImage* image, qvError* error)
{
    QV_ASSERT(width >= 1 && width <= qv_maxImageSize && height >= 1 && height <= qv_maxImageSize);
    size_t byteCount = (size_t)width * (size_t)height * 4;
    *image = (qvImage){ width, height, qvAllocate(byteCount, 1) };
    return image->pixels != NULL ? qv_ok : qvError_OutOfMemory(error, (double)byteCount);
}

void qvDestroyImage(qvImage* image)
{
    free(image->pixels);
    *image = (qvImage){ 0 };
}

static bool IsOpaque(const qvImage* image)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++)
        if (image->pixels[4 * i + 3] != 255)
            return false;
    return true;
}

static void PutBigEndian(uint8_t* bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void Put(Sink* sink, const void* bytes, size_t size)
{
    if (size == 0)
        return;
    fwrite(bytes, 1, size, sink->stream);
    sink->crc = crc32_z(sink->crc, bytes, size);
}

static void WriteChunk(Sink* sink, const char* type, const uint8_t* data, size_t size)
{
    uint8_t word[4];
    PutBigEndian(word, (uint32_t)size);
    Put(sink, word, 4);
    Put(sink, type, 4);
    Put(sink, data, size);
    uLong crc = crc32_z(0, (const Bytef*)type, 4);
    crc = size > 0 ? crc32_z(crc, data, size) : crc;
    PutBigEndian(word, (uint32_t)crc);
    Put(sink, word, 4);
}

static uint8_t Paeth(int left, int up, int corner)
{
    int estimate = left + up - corner;
    int toLeft = abs(estimate - left), toUp = abs(estimate - up), toCorner = abs(estimate - corner);
    if (toLeft <= toUp && toLeft <= toCorner)
        return (uint8_t)left;
    return (uint8_t)(toUp <= toCorner ? up : corner);
}

// Filters one row (filter types 0 to 4) and returns the sum of absolute values of the signed bytes.
static size_t FilterRow(int filter, const uint8_t* row, const uint8_t* above, int size, int channels, uint8_t* out)
{
    size_t sum = 0;
    for (int i = 0; i < size; i++)
    {
        int left = i >= channels ? row[i - channels] : 0;
        int up = above != NULL ? above[i] : 0;
        int corner = above != NULL && i >= channels ? above[i - channels] : 0;
        int guess = filter == 0   ? 0
                    : filter == 1 ? left
                    : filter == 2 ? up
                    : filter == 3 ? (left + up) / 2
                                  : Paeth(left, up, corner);
        out[i] = (uint8_t)(row[i] - guess);
        sum += (size_t)abs((int8_t)out[i]);
    }
    return sum;
}

// Copies a row: pixels with 3 or 4 channels, or numbers with their upper byte first.
static void PackRow(const Raster* raster, int y, uint8_t* row)
{
    size_t start = (size_t)y * (size_t)raster->width;
    size_t count = 3 * (size_t)raster->width, size = (size_t)raster->pixelSize;
    for (size_t i = 0; raster->values != NULL && i < count; i++)
    {
        row[2 * i] = (uint8_t)(raster->values[3 * start + i] >> 8);
        row[2 * i + 1] = (uint8_t)raster->values[3 * start + i];
    }
    for (size_t x = 0; raster->values == NULL && x < (size_t)raster->width; x++)
        memcpy(row + x * size, raster->pixels + 4 * (start + x), size);
}

// Scratch: two packed rows and a candidate. out has height * (1 + rowSize) bytes.
static qvResult FilterImage(const Raster* raster, uint8_t* scratch, uint8_t* out, const qvJob* job, qvError* error)
{
    int rowSize = raster->width * raster->pixelSize, run = PIECE / rowSize + 1;
    uint8_t *row = scratch, *above = scratch + rowSize, *candidate = scratch + 2 * (size_t)rowSize;
    for (int y = 0; y < raster->height; y++)
    {
        qvResult result = y % run == 0 ? qvJob_Ask(job, error) : qv_ok;
        if (result != qv_ok)
            return result;
        PackRow(raster, y, row);
        size_t best = SIZE_MAX;
        for (int filter = 0; filter < 5; filter++)
        {
            size_t sum = FilterRow(filter, row, y > 0 ? above : NULL, rowSize, raster->pixelSize, candidate);
            if (sum < best)
            {
                best = sum;
                out[0] = (uint8_t)filter;
                memcpy(out + 1, candidate, (size_t)rowSize);
            }
        }
        out += 1 + rowSize;
        uint8_t* swap = row;
        row = above;
        above = swap;
    }
    return qv_ok;
}

static void WriteHeader(Sink* sink, const Raster* raster)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    Put(sink, signature, sizeof(signature));
    uint8_t header[13] = { 0 };
    PutBigEndian(header, (uint32_t)raster->width);
    PutBigEndian(header + 4, (uint32_t)raster->height);
    header[8] = raster->values != NULL ? 16 : 8; // bits per channel
    header[9] = raster->pixelSize == 4 ? 6 : 2;  // truecolour, with or without alpha
    WriteChunk(sink, "IHDR", header, sizeof(header));
    if (raster->values == NULL)
        WriteChunk(sink, "sRGB", (const uint8_t[]){ 0 }, 1);
}

// packed has room for *packedSize bytes, which becomes what was used.
static qvResult Deflate(const uint8_t* plain, size_t plainSize, uint8_t* packed, size_t* packedSize, const qvJob* job,
                        qvError* error)
{
    z_stream stream = { .next_in = (Bytef*)plain, .next_out = packed, .avail_out = (uInt)*packedSize };
    if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK)
        return qvError_OutOfMemory(error, (double)plainSize);
    qvResult result = qv_ok;
    int code = Z_OK;
    for (size_t done = 0; result == qv_ok && code == Z_OK;)
    {
        size_t piece = plainSize - done < PIECE ? plainSize - done : PIECE;
        stream.avail_in = (uInt)piece;
        done += piece;
        code = deflate(&stream, done < plainSize ? Z_NO_FLUSH : Z_FINISH);
        result = qvJob_Ask(job, error);
    }
    *packedSize = stream.total_out;
    deflateEnd(&stream);
    return result == qv_ok && code != Z_STREAM_END ? qvError_OutOfMemory(error, (double)plainSize) : result;
}

// The compressed image data, malloc'ed.
static qvResult Compress(const Raster* raster, uint8_t** data, size_t* size, const qvJob* job, qvError* error)
{
    size_t rowSize = (size_t)raster->width * (size_t)raster->pixelSize;
    size_t plainSize = (rowSize + 1) * (size_t)raster->height;
    size_t packedSize = compressBound((uLong)plainSize);
    uint8_t* scratch = qvAllocateRaw(3, rowSize);
    uint8_t* plain = qvAllocateRaw(plainSize, 1);
    uint8_t* packed = qvAllocateRaw(packedSize, 1);
    qvResult result = scratch != NULL && plain != NULL && packed != NULL
                          ? FilterImage(raster, scratch, plain, job, error)
                          : qvError_OutOfMemory(error, (double)(plainSize + packedSize));
    if (result == qv_ok)
        result = Deflate(plain, plainSize, packed, &packedSize, job, error);
    free(scratch);
    free(plain);
    if (result != qv_ok)
    {
        free(packed);
        return result;
    }
    *data = packed;
    *size = packedSize;
    return qv_ok;
}

// What follows the pixels. A seal holds for all bytes before it: a picture that was changed does not keep it.
static void WriteTail(Sink* sink, const uint64_t* seal)
{
    char text[SEAL - 12 + 1];
    if (seal != NULL)
    {
        snprintf(text, sizeof(text), "Quaver%c%016" PRIx64, 0, qvHash_Combine(*seal, (uint64_t)sink->crc));
        WriteChunk(sink, "tEXt", (const uint8_t*)text, SEAL - 12);
    }
    WriteChunk(sink, "IEND", NULL, 0);
}

// seal NULL: none.
static qvResult WriteRaster(const Raster* raster, const uint64_t* seal, FILE* stream, const qvJob* job, qvError* error)
{
    Sink sink = { .stream = stream };
    uint8_t* data = NULL;
    size_t size = 0;
    qvResult result = Compress(raster, &data, &size, job, error);
    if (result != qv_ok)
        return result;
    WriteHeader(&sink, raster);
    // A chunk holds less than 2^31 bytes.
    const size_t piece = (size_t)1 << 24;
    for (size_t done = 0; done < size; done += piece)
        WriteChunk(&sink, "IDAT", data + done, size - done < piece ? size - done : piece);
    WriteTail(&sink, seal);
    free(data);
    return qv_ok;
}

static qvResult WritePng(const qvImage* image, const uint64_t* seal, FILE* stream, const qvJob* job, qvError* error)
{
    Raster raster = { image->width, image->height, IsOpaque(image) ? 3 : 4, .pixels = image->pixels };
    return WriteRaster(&raster, seal, stream, job, error);
}

qvResult qvWritePngValues(int width, int height, const uint16_t* values, FILE* stream, const qvJob* job, qvError* error)
{
    Raster raster = { width, height, 6, .values = values };
    return WriteRaster(&raster, NULL, stream, job, error);
}

qvResult qvWritePng(const qvImage* image, FILE* stream, const qvJob* job, qvError* error)
{
    return WritePng(image, NULL, stream, job, error);
}

static qvResult Save(const qvImage* image, const uint64_t* seal, const char* path, const qvJob* job, qvError* error)
{
    qvFileWriter writer;
    qvResult result = qvFileWriter_Open(&writer, path, error);
    if (result != qv_ok)
        return result;
    result = WritePng(image, seal, writer.stream, job, error);
    if (result == qv_ok)
        return qvFileWriter_Commit(&writer, error);
    qvFileWriter_Discard(&writer);
    return result;
}

qvResult qvSaveImage(const qvImage* image, const char* path, const qvJob* job, qvError* error)
{
    return Save(image, NULL, path, job, error);
}

qvResult qvSaveSealedImage(const qvImage* image, const char* path, uint64_t seal, const qvJob* job, qvError* error)
{
    return Save(image, &seal, path, job, error);
}

bool qvHasSeal(const char* path, uint64_t seal)
{
    qvBytes bytes;
    if (qvReadFile(path, MAX_BYTES, &bytes, NULL) != qv_ok)
        return false;
    char tail[SEAL + END + 1];
    size_t before = bytes.size > SEAL + END ? bytes.size - SEAL - END : 0;
    Sink sink = { fmemopen(tail, sizeof(tail), "wb"), crc32_z(0, (const Bytef*)bytes.data, before) };
    bool has = before > 0 && sink.stream != NULL;
    if (has)
        WriteTail(&sink, &seal);
    if (sink.stream != NULL)
        fclose(sink.stream);
    has = has && memcmp(bytes.data + before, tail, SEAL + END) == 0;
    qvFreeBytes(&bytes);
    return has;
}

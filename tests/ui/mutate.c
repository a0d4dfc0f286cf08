// SPDX-License-Identifier: GPL-3.0-or-later
// mutate SEED COUNT FOLDER FILE...: writes COUNT damaged copies of files into a folder, as NUMBER-NAME, the same for
// the same seed, and a line "open PATH" for each to standard output.
#include "random_edits.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    MAX_SIZE = 1 << 20, // of a file that is damaged
    MAX_PIECE = 64,     // bytes that are moved, copied or left out
};

typedef struct Bytes
{
    size_t size;
    char data[2 * MAX_SIZE];
} Bytes;

static bool ReadBytes(const char* path, Bytes* bytes)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
        return false;
    bytes->size = fread(bytes->data, 1, MAX_SIZE, file);
    if (bytes->size == 0) // a bad file may be empty
        bytes->data[bytes->size++] = '{';
    return fclose(file) == 0;
}

// Puts a piece in place of length bytes. What would become too large stays as it is.
static void Replace(Bytes* bytes, size_t at, size_t length, const char* piece, size_t pieceLength)
{
    if (bytes->size - length + pieceLength > sizeof(bytes->data))
        return;
    memmove(bytes->data + at + pieceLength, bytes->data + at + length, bytes->size - at - length);
    memcpy(bytes->data + at, piece, pieceLength);
    bytes->size += pieceLength - length;
}

// The number that begins at or after a place becomes one at a limit.
static void ReplaceNumber(Bytes* bytes, size_t at, uint64_t* random)
{
    static const char* const numbers[] = {
        "0",   "-1",   "1e-9",  "1e9",        "1e308",      "-1e-308",     "1e999",
        "nan", "null", "65535", "2147483647", "4294967295", "-2147483649", "\"a\"",
    };
    while (at < bytes->size && strchr("0123456789", bytes->data[at]) == NULL)
        at++;
    size_t end = at;
    while (end < bytes->size && strchr("0123456789.eE+-", bytes->data[end]) != NULL)
        end++;
    const char* number = numbers[RandomBelow(random, (int)(sizeof(numbers) / sizeof(numbers[0])))];
    Replace(bytes, at, end - at, number, strlen(number));
}

// Damages the bytes once; other is a file to take a piece from.
static void Mutate(Bytes* bytes, const Bytes* other, uint64_t* random)
{
    char piece[MAX_PIECE];
    size_t at = (size_t)RandomBelow(random, (int)bytes->size), left = bytes->size - at;
    size_t length = (size_t)RandomBelow(random, MAX_PIECE) + 1;
    size_t from = (size_t)RandomBelow(random, (int)other->size);
    size_t there = length < other->size - from ? length : other->size - from, here = length < left ? length : left;
    memcpy(piece, other->data + from, there);
    switch (RandomBelow(random, 8))
    {
    case 0:
        bytes->data[at] ^= (char)(1 << RandomBelow(random, 8));
        break;
    case 1:
        bytes->data[at] = (char)RandomBelow(random, 256);
        break;
    case 2:
        Replace(bytes, at, here, "", 0);
        break;
    case 3:
        Replace(bytes, at, 0, piece, there);
        break;
    case 4:
        Replace(bytes, at, here, piece, there);
        break;
    case 5:
        memcpy(piece, bytes->data + at, here);
        Replace(bytes, at, 0, piece, here);
        break;
    case 6:
        if (RandomBelow(random, 8) == 0)
            bytes->size = at + 1;
        break;
    default:
        ReplaceNumber(bytes, at, random);
        break;
    }
    if (bytes->size == 0)
        bytes->data[bytes->size++] = '{';
}

static bool WriteMutant(const char* folder, int number, const char* source, const Bytes* bytes)
{
    char path[4096];
    const char* slash = strrchr(source, '/');
    snprintf(path, sizeof(path), "%s/%d-%s", folder, number, slash != NULL ? slash + 1 : source);
    FILE* file = fopen(path, "wb");
    bool isWritten = file != NULL && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    if (file == NULL || fclose(file) != 0 || !isWritten)
        return false;
    printf("open %s\n", path);
    return true;
}

int main(int argc, char** argv)
{
    static Bytes bytes, other;
    if (argc < 5)
        return 2;
    uint64_t random = strtoull(argv[1], NULL, 10);
    int count = atoi(argv[2]);
    for (int i = 0; i < count; i++)
    {
        const char* source = argv[4 + RandomBelow(&random, argc - 4)];
        if (!ReadBytes(source, &bytes) || !ReadBytes(argv[4 + RandomBelow(&random, argc - 4)], &other))
            return 1;
        int times = 1 + RandomBelow(&random, 6);
        for (int k = 0; k < times; k++)
            Mutate(&bytes, &other, &random);
        if (!WriteMutant(argv[3], i, source, &bytes))
            return 1;
    }
    return 0;
}

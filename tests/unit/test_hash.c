// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static int CompareHashes(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// Flipping any input bit flips each output bit with probability one half.
static void TestAvalanche(void** state)
{
    (void)state;
    uint64_t random = 7;
    static const int sizes[] = { 1, 3, 8, 13, 16, 31, 32, 33, 64, 100 };
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
    {
        int counts[64] = { 0 }, trials = 0;
        for (int round = 0; round < 200; round++)
        {
            uint8_t bytes[100];
            for (int i = 0; i < sizes[s]; i++)
                bytes[i] = (uint8_t)RandomInt(&random, 256);
            uint64_t before = qvHash(bytes, (size_t)sizes[s], 1);
            int bit = RandomInt(&random, sizes[s] * 8);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            uint64_t changed = before ^ qvHash(bytes, (size_t)sizes[s], 1);
            for (int i = 0; i < 64; i++)
                counts[i] += changed >> i & 1;
            trials++;
        }
        for (int i = 0; i < 64; i++)
            ASSERT_NEAR((double)counts[i] / trials, 0.5, 0.2); // 5.6 standard deviations
    }
}

static void TestNoCollisionsOnCounters(void** state)
{
    (void)state;
    enum
    {
        COUNT = 200000
    };
    uint64_t* hashes = malloc(COUNT * sizeof(*hashes));
    assert_non_null(hashes);
    for (int i = 0; i < COUNT; i++)
        hashes[i] = qvHash(&i, sizeof(i), 0);
    qsort(hashes, COUNT, sizeof(*hashes), CompareHashes);
    for (int i = 1; i < COUNT; i++)
        assert_true(hashes[i] != hashes[i - 1]);
    free(hashes);
}

static void TestLengthAndSeedMatter(void** state)
{
    (void)state;
    static const uint8_t zeros[128] = { 0 };
    for (size_t length = 1; length <= sizeof(zeros); length++)
        assert_true(qvHash(zeros, length, 0) != qvHash(zeros, length - 1, 0));
    assert_true(qvHash(zeros, 8, 0) != qvHash(zeros, 8, 1));
    assert_true(qvHash_Combine(1, 2) != qvHash_Combine(2, 1));
}

// The value is part of the disk cache's format.
static void TestValueIsPinned(void** state)
{
    (void)state;
    static const char text[] = "The quick brown fox jumps over the lazy dog and then some more of it";
    assert_true(qvHash("quaver", 6, 0) == UINT64_C(0x8289375d96e0d7fa));
    assert_true(qvHash(text, strlen(text), 9) == UINT64_C(0x3ba047110a6fea07));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAvalanche),
        cmocka_unit_test(TestNoCollisionsOnCounters),
        cmocka_unit_test(TestLengthAndSeedMatter),
        cmocka_unit_test(TestValueIsPinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

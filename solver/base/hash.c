// SPDX-License-Identifier: GPL-3.0-or-later
// Folded 64 x 64 -> 128 bit multiplication: every pair of input words is xored with odd constants and state, multiplied
// in full, and the two halves of the product are xored. Two lanes hide the multiplier's latency.
#include "base/hash.h"

#include <string.h>

__extension__ typedef unsigned __int128 Wide;

// Odd 64-bit constants with about half of their bits set: fractional parts of square roots of primes.
static const uint64_t KEY0 = 0x6a09e667f3bcc909u; // sqrt 2
static const uint64_t KEY1 = 0xbb67ae8584caa73bu; // sqrt 3
static const uint64_t KEY2 = 0x3c6ef372fe94f82bu; // sqrt 5
static const uint64_t KEY3 = 0xa54ff53a5f1d36f1u; // sqrt 7

static uint64_t Fold(uint64_t a, uint64_t b)
{
    Wide product = (Wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Little-endian load of up to 8 bytes, so that hashes agree between machines.
static uint64_t Load(const uint8_t* bytes, size_t count)
{
    uint64_t word = 0;
    memcpy(&word, bytes, count);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

uint64_t qvHash(const void* data, size_t byteCount, uint64_t seed)
{
    const uint8_t* bytes = data;
    size_t left = byteCount;
    uint64_t a = seed ^ KEY0, b = seed ^ KEY3;
    for (; left > 32; bytes += 32, left -= 32)
    {
        a = Fold(Load(bytes, 8) ^ KEY1, Load(bytes + 8, 8) ^ a);
        b = Fold(Load(bytes + 16, 8) ^ KEY2, Load(bytes + 24, 8) ^ b);
    }
    uint64_t words[4] = { 0 };
    for (int i = 0; left > 0; i++)
    {
        size_t count = left < 8 ? left : 8;
        words[i] = Load(bytes, count);
        bytes += count;
        left -= count;
    }
    a = Fold(words[0] ^ KEY1, words[1] ^ a);
    b = Fold(words[2] ^ KEY2, words[3] ^ b);
    return Fold(a ^ KEY2, Fold(b ^ KEY0, (uint64_t)byteCount ^ KEY3));
}

uint64_t qvHash_Combine(uint64_t hash, uint64_t value)
{
    return Fold(hash ^ KEY1, Fold(value ^ KEY2, KEY3));
}

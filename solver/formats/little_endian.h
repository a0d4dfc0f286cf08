// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of binary files, lowest byte first, on any machine.
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint32_t qvLittle_GetUint32(const void* bytes)
{
    const uint8_t* b = bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline float qvLittle_GetFloat(const void* bytes)
{
    uint32_t bits = qvLittle_GetUint32(bytes);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline void qvLittle_PutUint32(uint8_t* bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static inline void qvLittle_PutFloat(uint8_t* bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    qvLittle_PutUint32(bytes, bits);
}

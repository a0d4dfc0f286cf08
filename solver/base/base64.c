// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/base64.h"

// Length without the padding.
static size_t TrimPadding(const char* text, size_t length)
{
    for (int i = 0; i < 2 && length > 0 && text[length - 1] == '='; i++)
        length--;
    return length;
}

static int Digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t qvBase64_DecodedSize(const char* text, size_t length)
{
    size_t digits = TrimPadding(text, length);
    return digits / 4 * 3 + (digits % 4 > 1 ? digits % 4 - 1 : 0);
}

bool qvBase64_Decode(const char* text, size_t length, uint8_t* bytes, size_t* badOffset)
{
    size_t digits = TrimPadding(text, length);
    uint32_t bits = 0;
    for (size_t i = 0; i < digits; i++)
    {
        int digit = Digit(text[i]);
        if (digit < 0)
        {
            *badOffset = i;
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 > 0)
            *bytes++ = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    *badOffset = digits;
    return digits % 4 != 1;
}

void qvBase64_Encode(const uint8_t* bytes, size_t size, char* text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3)
    {
        size_t rest = size - i;
        uint32_t bits = (uint32_t)bytes[i] << 16 | (rest > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                        (rest > 2 ? (uint32_t)bytes[i + 2] : 0);
        *text++ = digits[bits >> 18];
        *text++ = digits[bits >> 12 & 63];
        *text++ = rest > 1 ? digits[bits >> 6 & 63] : '=';
        *text++ = rest > 2 ? digits[bits & 63] : '=';
    }
    *text = 0;
}

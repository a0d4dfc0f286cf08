// SPDX-License-Identifier: GPL-3.0-or-later
// Base64 (RFC 4648, section 4), as data URIs hold it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that length characters decode to. Padding ("=") at the end may be there or not.
size_t qvBase64_DecodedSize(const char* text, size_t length);

/// Decodes into qvBase64_DecodedSize() bytes. False when a character is wrong or the length is impossible; *badOffset
/// then says where.
bool qvBase64_Decode(const char* text, size_t length, uint8_t* bytes, size_t* badOffset);

/// Encodes into (size + 2) / 3 * 4 characters and a zero at their end.
void qvBase64_Encode(const uint8_t* bytes, size_t size, char* text);

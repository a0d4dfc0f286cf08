// SPDX-License-Identifier: GPL-3.0-or-later
// A fast 64-bit hash for content keys (caches, "has it changed?"). Not for secrets. The value of a given input is part
// of the disk cache's format: it never changes, and is the same on every machine.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Hash of byteCount bytes. Chain calls by passing the last hash as the seed.
uint64_t qvHash(const void* bytes, size_t byteCount, uint64_t seed);

/// Mixes one number into a hash.
uint64_t qvHash_Combine(uint64_t hash, uint64_t value);

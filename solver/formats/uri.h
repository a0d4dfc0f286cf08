// SPDX-License-Identifier: GPL-3.0-or-later
// Relative references to files (RFC 3986, section 2.1).
#pragma once

/// Replaces %XX in place.
void qvDecodeUri(char* text);

/// A copy with everything but letters, digits and "-._~/" as %XX; malloc'ed, NULL when memory runs out.
char* qvEncodeUri(const char* path);

// SPDX-License-Identifier: GPL-3.0-or-later
/// Evaluates the solver's kernels on cases given as JSON, for comparison with reference values and other programs:
/// {"cases": [{"id": "A001", "op": "vec", "in": {…}}, …]} gives {"cases": [{"id", "op", "out": {…}}, …]}.
#pragma once

#include "quaver/json.h"
#include "quaver/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A case that cannot be evaluated (an unknown operation, a bad input) has "error" instead of "out"; *failedCount
/// counts those. Fails only when the layout itself is wrong. Free *output with qvDestroyJson.
QV_CHECKED qvResult qvEvaluateCases(const qvJson* input, qvJson** output, int* failedCount, qvError* error);

#ifdef __cplusplus
}
#endif

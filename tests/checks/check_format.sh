#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All C and C++ files are as clang-format would write them, and start with their license.
set -euo pipefail
mapfile -t files < <(git ls-files '*.c' '*.h' '*.inl' '*.cpp')
[ ${#files[@]} -gt 0 ]
clang-format --dry-run --Werror "${files[@]}"
bad=$(grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' "${files[@]}" || true)
[ -z "$bad" ] || { echo "no license line in: $bad"; exit 1; }

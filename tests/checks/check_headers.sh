#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every public header compiles alone, as C17 and as C++17.
set -euo pipefail
count=0
for header in include/quaver/*.h; do
    name=quaver/$(basename "$header")
    printf '#include "%s"\n#include "%s"\n' "$name" "$name" |
        gcc -std=c17 -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c -
    printf '#include "%s"\n#include "%s"\n' "$name" "$name" |
        g++ -std=c++17 -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ -
    count=$((count + 1))
done
echo "$count headers"
[ $count -gt 0 ]

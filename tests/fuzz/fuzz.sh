#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.sh PROGRAM: runs a fuzzer for QUAVER_FUZZ_SECONDS (20) on its seeds. What it finds stays below build/.
set -euo pipefail
program=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=$(basename "$program")
name=${name#fuzz_}
corpus=$(dirname "$program")/corpus_$name
mkdir -p "$corpus"
options=(-max_total_time="${QUAVER_FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1
    -malloc_limit_mb=64 -artifact_prefix="$corpus-" -dict="$here/$name.dict")
seeds=$here/../data/$name
[ -d "$seeds" ] || { echo "no seeds in $seeds"; exit 1; }
# Bad files are seeds too.
folders=("$corpus" "$seeds")
[ ! -d "$seeds/bad" ] || folders+=("$seeds/bad")
"$program" "${options[@]}" "${folders[@]}" 2>&1 | tail -n 25

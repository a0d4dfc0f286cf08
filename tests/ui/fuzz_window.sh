#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz_window.sh QUAVER MUTATE FOLDER: opens damaged files in the window for QUAVER_FUZZ_SECONDS (20), a round of them in
# one window after another; the next file comes while the last one is still read, solved or drawn. A round must end with
# status 0. Files of a round that does not stay in FOLDER, with the script that opens them.
set -uo pipefail
quaver=$1 mutate=$2 folder=$3
data=$(cd "$(dirname "${BASH_SOURCE[0]}")/../data" && pwd)
export HOME=$folder/home
rm -rf "$folder"
mkdir -p "$HOME" && cd "$folder" || exit 1
seeds=("$data"/{obj,ply,stl,gltf,glb,scene,scenes}/*.* "$data"/{obj,ply,stl,gltf,glb}/bad/*.*)
first=$(date +%N) end=$((SECONDS + ${QUAVER_FUZZ_SECONDS:-20})) rounds=0 files=0
while [ $SECONDS -lt $end ]; do
    seed=$((10#$first + rounds))
    rm -rf round && mkdir round && cp "$data"/gltf/*.bin "$data"/obj/*.mtl round
    "$mutate" "$seed" 40 round "${seeds[@]}" >opens.txt || { echo "seed $seed: no files"; exit 1; }
    # Every third file has the time to be solved.
    awk 'BEGIN { print "size 800 600\nhurry" } { print; print NR % 3 == 0 ? "wait 40" : "wait " NR % 7 }' opens.txt >script.txt
    timeout 300 "$quaver" --ui-script script.txt 2>stderr.txt
    status=$?
    if [ $status -ne 0 ]; then
        tail -n 60 stderr.txt
        echo "seed $seed: status $status; see $folder"
        exit 1
    fi
    rounds=$((rounds + 1)) files=$((files + 40))
done
echo "$files damaged files were opened in $rounds windows"

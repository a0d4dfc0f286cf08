#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check_restore.sh QUAVER FOLDER: the editor is killed with unsaved work; its next start offers it again.
set -euo pipefail
quaver=$1 folder=$2 here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$folder"
mkdir -p "$folder" && cd "$folder"
export XDG_STATE_HOME=$folder/state
echo '{ "quaver": 1, "mesh": {"primitive": "sack", "resolution": 6}, "keys": [{"time": 0}, {"time": 1}] }' >scene.json
status=0
"$quaver" --ui-script "$here/crash_before.txt" 2>stderr.txt || status=$?
[ $status -eq 137 ] || {
    cat stderr.txt
    echo "wanted a crash, got status $status"
    exit 1
}
grep -q '"grab"' scene.json && {
    echo "the stroke was saved before the crash"
    exit 1
}
"$quaver" --ui-script "$here/crash_after.txt"
grep -q '"grab"' scene.json || {
    echo "the restored stroke is not in the file"
    exit 1
}

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check_restore.sh QUAVER FOLDER: the editor is killed with unsaved work; its next start offers it again. A signal that
# asks for the end is heard at once and unasked, whatever goes on, and does the same.
set -euo pipefail
quaver=$1 folder=$2 here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$folder"
mkdir -p "$folder" && cd "$folder"
export XDG_STATE_HOME=$folder/state
echo '{ "quaver": 1, "mesh": {"primitive": "sack", "resolution": 6}, "keys": [{"time": 0}, {"time": 1}] }' >scene.json
# crash SCRIPT: plays a script that must end in a crash.
crash() {
    local status=0
    "$quaver" --ui-script "$here/$1" 2>stderr.txt || status=$?
    [ $status -eq 137 ] && return
    cat stderr.txt
    echo "$1: wanted a crash, got status $status"
    exit 1
}

crash crash_before.txt
grep -q '"grab"' scene.json && {
    echo "the stroke was saved before the crash"
    exit 1
}
"$quaver" --ui-script "$here/crash_after.txt"
grep -q '"grab"' scene.json || {
    echo "the restored stroke is not in the file"
    exit 1
}

# A scene that is long to read is restored beside the window's frames, and not lost when that is given up.
awk 'BEGIN { n = 240; for (i = 0; i < n; i++) for (j = 0; j < n; j++) print "v", i / n, 0.1 * sin(0.2 * i), j / n
    for (i = 1; i < n; i++) for (j = 1; j < n; j++) { a = (i - 1) * n + j; print "f", a, a + 1, a + n + 1, a + n } }' >large.obj
echo '{ "quaver": 1, "mesh": {"file": "large.obj"}, "keys": [{"time": 0}] }' >large.json
crash crash_large_before.txt
"$quaver" --ui-script "$here/crash_large_after.txt"

# stop SIGNAL SCRIPT: sends it when the script says "now", and wants the end by it.
stop() {
    local status=0 said
    mkfifo said
    env --default-signal="$1" "$quaver" --ui-script "$here/$2" >said 2>stderr.txt & # bash ignores SIGINT in the background
    read -r said <said && kill "-$1" $!
    rm said
    wait $! || status=$?
    [ "$said" = now ] && [ $status -eq $((128 + $(kill -l "$1"))) ] && return
    cat stderr.txt
    echo "$2: status $status after SIG$1"
    exit 1
}

for signal in TERM INT HUP; do
    echo '{ "quaver": 1, "mesh": {"primitive": "sack", "resolution": 6}, "keys": [{"time": 0}, {"time": 1}] }' >scene.json
    cp scene.json before.json
    stop $signal stop_posed.txt
    cmp scene.json before.json
    "$quaver" --ui-script "$here/crash_after.txt"
    grep -q '"grab"' scene.json || {
        echo "the stroke before SIG$signal is not restored"
        exit 1
    }
done
# Where nothing is unsaved, nothing is left: while a film is written, and while a file is read.
mkdir out
stop TERM stop_exporting.txt
stop TERM stop_reading.txt
[ -z "$(ls -A out)$(find state -name '*.journal*' -o -name '.quaver-*')" ] || {
    echo "a stopped window leaves" && find out state
    exit 1
}

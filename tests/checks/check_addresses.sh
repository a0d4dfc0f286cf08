#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# With few addresses (ulimit -v) the program works with fewer threads or says so; it does not try for ever. Sanitizers
# need terabytes of addresses, so that this is for the release build.
set -uo pipefail
quaver=$1
bad=0

try() { # KILOBYTES ARGUMENTS…
    local kilobytes=$1 line status
    shift
    line=$(ulimit -v "$kilobytes"; env -u OPENBLAS_NUM_THREADS timeout -s KILL 100 "$quaver" "$@" 2>&1 >/dev/null)
    status=$?
    if [ $status -gt 1 ] || { [ $status -eq 1 ] && ! grep -qE "^quaver: .*(address space|memory)" <<<"$line"; }; then
        echo "$* with $kilobytes KB of addresses: status $status, $line"
        bad=1
    fi
}

for kilobytes in 150000 250000 350000 450000; do
    try $kilobytes info tests/data/scenes/loop.json
    try $kilobytes eval tests/data/reference/G_bem_mesh.json
done
try 150000 bench modal # for its two threads or more these are too few
try 250000 bench modal
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# With few addresses (ulimit -v) the program works with fewer threads or says so; it does not try for ever. Sanitizers
# need terabytes of addresses, so that this is for the release build.
set -uo pipefail
quaver=$1
bad=0

for kilobytes in 150000 250000 350000 450000; do
    line=$(ulimit -v $kilobytes; env -u OPENBLAS_NUM_THREADS timeout -s KILL 100 "$quaver" info tests/data/scenes/loop.json 2>&1 >/dev/null)
    status=$?
    if [ $status -gt 1 ] || { [ $status -eq 1 ] && ! grep -qE "^quaver: .*(address space|memory)" <<<"$line"; }; then
        echo "with $kilobytes KB of addresses: status $status, $line"
        bad=1
    fi
done
exit $bad

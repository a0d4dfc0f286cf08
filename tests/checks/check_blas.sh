#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program starts itself again at most once for better BLAS kernels, and ends up with them. OpenBLAS names its kernels
# on stderr each time it is loaded.
set -uo pipefail
quaver=$1
bad=0

cores() { # one line per start of the program
    env "$@" OPENBLAS_VERBOSE=2 "$quaver" --version 2>&1 >/dev/null | sed -n 's/^Core: //p'
}

starts=$(cores -u OPENBLAS_CORETYPE -u QUAVER_RESTARTED)
count=$(wc -l <<<"$starts")
if [ "$count" -gt 2 ]; then
    echo "started $count times"
    bad=1
fi
last=$(tail -n 1 <<<"$starts")
if grep -q avx2 /proc/cpuinfo && [[ $last == Prescott || $last == Core2 ]]; then
    echo "slow kernels: $last"
    bad=1
fi
[ "$(cores -u OPENBLAS_CORETYPE QUAVER_RESTARTED=1 | wc -l)" -le 1 ] || { echo "started again after a restart"; bad=1; }
[ "$(cores -u QUAVER_RESTARTED OPENBLAS_CORETYPE=Prescott | wc -l)" -le 1 ] || { echo "overrode the user's choice"; bad=1; }
[ "$("$quaver" --version | wc -l)" -eq 1 ] || { echo "printed the version more than once"; bad=1; }
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line's contract: exit statuses, one line on stderr, JSON on stdout.
set -uo pipefail
quaver=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# expect STATUS PART ARGS…: exit status, and a part of what was printed.
expect() {
    local status=$1 part=$2
    shift 2
    "$quaver" "$@" >"$folder/out" 2>"$folder/err"
    local got=$?
    if [ $got -ne "$status" ] || ! cat "$folder/out" "$folder/err" | grep -qF -- "$part"; then
        echo "quaver $*: status $got (wanted $status), printed:"
        head -c 600 "$folder/out" "$folder/err"
        bad=1
    fi
    if [ "$status" -ne 0 ] && [ "$(wc -l <"$folder/err")" -ne 1 ]; then
        echo "quaver $*: wanted one line on stderr:"
        head -c 600 "$folder/err"
        bad=1
    fi
}

expect 0 "usage:" --help
expect 0 "quaver 0." --version
expect 2 "nonsense" --nonsense

expect 0 "closed" info --primitive sack
expect 0 '"repairs": []' info --primitive imp --json
expect 2 "whole number from 1 to 200" info --primitive sack --resolution 0
expect 1 "sack" info --primitive teapot
expect 2 "needs a file" info
expect 2 "not both" info a.obj --primitive sack
expect 0 "nothing had to be repaired" info --primitive torus
expect 1 "no such file, and no command" "$folder/none.obj"
expect 1 "no such file, and no command" frob
expect 2 "unknown option" info --nonsense
expect 2 "unexpected argument" info a b
expect 1 "No such file" info "$folder/none.obj"
expect 1 "is a folder" info "$folder"
: >"$folder/empty.obj"
expect 1 "empty.obj" info "$folder/empty.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >"$folder/bad.obj"
expect 1 "bad.obj: line 4" info "$folder/bad.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$folder/-good.obj"
expect 0 "triangles  1" info -- "$folder/-good.obj"


# Names that a terminal would obey, and that are no UTF-8.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\033[31m\377\nf 1 2 3\n' >"$folder/name.obj"
expect 0 "a?[31m" info "$folder/name.obj"
expect 0 'a\u001b[31m\ufffd' info --json "$folder/name.obj"

# A full disk.
if [ -c /dev/full ]; then
    for arguments in --help --version "info --primitive sack" "info --primitive sack --json"; do
        # shellcheck disable=SC2086
        "$quaver" $arguments >/dev/full 2>"$folder/err"
        if [ $? -ne 1 ] || ! grep -q "cannot write" "$folder/err"; then
            echo "quaver $arguments: a full disk went unnoticed"
            bad=1
        fi
    done
fi

expect 0 "hash" bench
expect 2 "no benchmark" bench nonsense
expect 0 '"ratio"' bench hash --json

expect 2 "needs a file" eval
expect 1 "No such file" eval "$folder/none.json"
echo '{"cases": [{"id": "X1", "op": "nonsense", "in": {}}]}' >"$folder/cases.json"
expect 1 "cases that could not be evaluated: 1" eval "$folder/cases.json" -o "$folder/results.json"
grep -q 'unknown operation' "$folder/results.json" || { echo "eval wrote no error"; bad=1; }
echo '{"cases": 3}' >"$folder/cases.json"
expect 1 "must be a list" eval "$folder/cases.json"
echo '{"cases": [' >"$folder/cases.json"
expect 1 "line 1, column 12" eval "$folder/cases.json"

exit $bad
